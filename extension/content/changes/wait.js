/*
 * Watches this document for a condition. A watch answers once with what is there now, and then each time that changes:
 * the worker adds up the frames of the tab.
 */
import { ALL_CHANGES, cached } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { cut, matcher, visibleText } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import * as refs from "../find/refs.js";
import * as selectorSyntax from "../find/selector-syntax.js";
import { findAll, shadowRootsIn } from "../find/selectors.js";

/** @typedef {{text?: string, value?: string}} Expected whole text of an element, or /pattern/; value of a field */
/**
 * @typedef {({kind: "selector", selector: string} | {kind: "ref", local: number, mustExist: boolean}) & Expected
 *   | {kind: "text", source: string, flags: string}} Condition
 */
/** @typedef {{parsed?: Selector, element?: Element | null, pattern?: RegExp}} Memory of a watch */

/** Changes of what is visible that are no DOM mutation. */
const EVENTS = [
  "input", "change", "toggle", "load", "transitionend", "animationstart", "animationend", "focusin", "focusout", "resize",
];
/** Media queries, :hover and the like change without any event. Only a safety net: slow timers do not matter. */
const RECHECK_MS = 500;
/** A check may take this share of the page's time: after one of 10 ms the next comes 40 ms later. */
const REST_FACTOR = 4;

/** Longest text of an element that is not as expected. */
const MAX_SAID = 200;

/** Present state of the condition, as plain data. @param {Condition} condition @param {Memory} memory @returns {object} */
function lookFor(condition, memory) {
  if (condition.kind === "selector") {
    memory.parsed ??= selectorSyntax.parse(condition.selector);
    return countVisible(findAll(memory.parsed), condition);
  }
  if (condition.kind === "text") {
    memory.pattern ??= new RegExp(condition.source, condition.flags);
    const text = document.body ? cached(() => visibleText(document.body)) : "";
    return { found: memory.pattern.test(text) };
  }
  const element = resolveOnce(condition.local, condition.mustExist, memory);
  return countVisible(element?.isConnected ? [element] : [], condition);
}

/** @param {Element[]} elements @param {Expected} expected */
function countVisible(elements, expected) {
  const { text, value } = expected;
  return cached(() => {
    const meant = elements.filter((element) => isAsExpected(element, expected));
    const visible = meant.filter((element) => isVisible(element));
    const [other] = text === undefined && value === undefined ? [] : elements.filter((element) => !meant.includes(element));
    const said = other && cut((value === undefined ? visibleText(other) : valueOf(other)) ?? "", MAX_SAID);
    return { attached: meant.length, visible: visible.length, ...(other && { said }) };
  });
}

/** A secret, or text that the person typed unseen, is no value here: a client could guess it. @param {Element} element */
export function valueOf(element) {
  const isField = ["input", "textarea", "select"].includes(element.localName);
  const isTold = isField && !secretValues.kindOf(element, nameOf) && !secretValues.withheld(element);
  return isTold ? /** @type {HTMLInputElement} */ (element).value : undefined;
}

/** @param {Element} element @param {Expected} expected */
function isAsExpected(element, { text, value }) {
  if (value !== undefined && valueOf(element) !== value) return false;
  if (text === undefined) return true;
  const exact = !/^\/.+\/[a-z]*$/s.test(text);
  return matcher(text, { exact }).test(visibleText(element));
}

/**
 * The element is held while the watch lasts: that it is renamed meanwhile does not end its being there.
 * @param {number} local
 * @param {boolean} mustExist
 * @param {Memory} memory
 */
function resolveOnce(local, mustExist, memory) {
  if (memory.element !== undefined) return memory.element;
  try {
    memory.element = refs.resolve(local);
  } catch (error) {
    if (mustExist || /** @type {{data?: {cause?: string}}} */ (error).data?.cause === "renamed") throw error;
    memory.element = null;
  }
  return memory.element;
}

/** @type {Map<string, Watch>} */
const watches = new Map();

class Watch {
  /** @param {Condition} condition */
  constructor(condition) {
    this.condition = condition;
    this.memory = /** @type {Memory} */ ({});
    this.isQueued = false;
    this.nextAllowed = 0;
    this.state = this.look();
    this.answer = /** @type {((state: string) => void) | null} */ (null);
    this.channel = new MessageChannel();
    this.channel.port1.onmessage = () => this.check();
    this.listening = new AbortController();
    this.observer = new MutationObserver(() => this.queue());
    this.observeRoots();
    const options = { capture: true, passive: true, signal: this.listening.signal };
    for (const type of EVENTS) addEventListener(type, () => this.queue(), options);
    this.timer = setInterval(() => this.queue(), RECHECK_MS);
  }

  look() {
    const began = performance.now();
    const seen = lookFor(this.condition, this.memory);
    const ended = performance.now();
    this.nextAllowed = ended + (ended - began) * REST_FACTOR;
    return JSON.stringify({ ...seen, frames: window.length });
  }

  observeRoots() {
    for (const root of [document, ...shadowRootsIn(document)]) this.observer.observe(root, ALL_CHANGES);
  }

  queue() {
    if (this.isQueued) return;
    this.isQueued = true;
    const rest = this.nextAllowed - performance.now();
    if (rest > 1) setTimeout(() => this.channel.port2.postMessage(null), rest);
    else this.channel.port2.postMessage(null);
  }

  check() {
    this.isQueued = false;
    if (this.listening.signal.aborted) return;
    this.observeRoots();
    const state = this.look();
    if (state === this.state) return;
    this.state = state;
    this.answer?.(state);
  }

  /** @param {string} [known] to the worker @returns {string | Promise<string>} the state as soon as it is another one */
  next(known) {
    if (known !== this.state) return this.state;
    return new Promise((resolve) => (this.answer = resolve));
  }

  close() {
    clearInterval(this.timer);
    this.listening.abort();
    this.observer.disconnect();
    this.channel.port1.close();
    this.answer?.(this.state);
  }
}

/**
 * @param {{id: string, condition: Condition, known?: string}} args  `known`: the state answered last
 * @returns {string | Promise<string>}
 */
export const flip = ({ id, condition, known }) => {
  let watch = watches.get(id);
  if (!watch) watches.set(id, (watch = new Watch(condition)));
  return watch.next(known);
};

/** @param {{id: string}} args */
export const stop = ({ id }) => {
  watches.get(id)?.close();
  watches.delete(id);
};

/**
 * Whether a visible element matches now and has what is expected of it.
 * @param {string} selector @param {Expected} expected
 */
export function isMet(selector, expected) {
  const found = findAll(selectorSyntax.parse(selector));
  return countVisible(found, expected).visible > 0;
}
