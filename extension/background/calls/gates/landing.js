import { foresee } from "../../handlers/snapshot.js";
import { restriction } from "../../rules/site-pattern.js";
import { holdTab } from "../../tabs/keep-alive.js";
import { currentTab, setCurrentTab } from "../../tabs/targets.js";
import { contextOf } from "../call-context.js";

/** @typedef {import("./passage.js").Passage} Passage */

const FORESEE_MS = 1000;

/** Notes where the act has brought its client, and gets a page that it has opened ready. @type {import("./passage.js").Gate} */
export async function landing(passage, next) {
  const { call, tabCall, isInTab, named } = passage;
  const result = await next();
  if (!isInTab) {
    foreseeOpened(passage, result);
    await holdCurrent(call.client);
    return result;
  }
  // The tab becomes current only now: a refused act must not move the client there. A tab that the act opened stays current.
  const tabId = tabCall.tab.id;
  if (named.tabId !== undefined && (result.tabId ?? tabId) === tabId) setCurrentTab(call.client, tabId);
  foreseeOpened(passage, result);
  return { tabId, ...result };
}

/**
 * Gets a page that a client has just opened ready to be looked at.
 * @param {Passage} passage
 * @param {{tabId?: number, url?: string}} [page]
 */
function foreseeOpened({ call: { client }, facts }, { tabId, url } = {}) {
  if (facts.page !== "none" || tabId === undefined || !url || restriction(url)) return;
  const ends = new AbortController();
  // The user is not asked for this snapshot.
  const request = { id: 0, method: "snapshot.capture", timeout_ms: FORESEE_MS, asking_ms: 0 };
  const expire = () => ends.abort(new DOMException("not in time", "TimeoutError"));
  foresee(tabId, contextOf(request, client, { signal: ends.signal, expire }));
}

/** The tab a client just opened or switched to is in use. @param {import("../../../types").Client} client */
function holdCurrent(client) {
  const tabId = currentTab(client);
  return tabId === null ? null : chrome.tabs.get(tabId).then(holdTab, () => {});
}
