/** Rules for requests that last as long as one call: each kind of them has a range of ids of its own. */
import { invalid } from "../base/errors.js";

const RANGE = 10_000;

/**
 * Puts rules that set headers into force.
 * @param {chrome.declarativeNetRequest.Rule[]} rules
 * @returns {Promise<() => Promise<void>>} ends them
 */
export async function setHeaders(rules) {
  await chrome.declarativeNetRequest.updateSessionRules({ addRules: rules })
    .catch((error) => { throw invalid(`these headers cannot be sent; leave out the one that Chrome names: ${error.message}`); });
  return () => chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: rules.map(({ id }) => id) });
}

/** The ids of one kind of rules. */
export class RuleIds {
  #first;
  #next;

  /** @param {number} first  the others take other multiples of 10,000 */
  constructor(first) {
    this.#first = this.#next = first;
    /** Resolves when rules are gone whose worker died in the middle of a call. */
    this.cleaned = this.#clean().catch(() => {});
  }

  async #clean() {
    const rules = await chrome.declarativeNetRequest.getSessionRules();
    const left = rules.map(({ id }) => id).filter((id) => id >= this.#first && id < this.#first + RANGE);
    if (left.length) await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: left });
  }

  /** @returns {number} */
  take() {
    const id = this.#next;
    this.#next = id + 1 < this.#first + RANGE ? id + 1 : this.#first;
    return id;
  }
}
