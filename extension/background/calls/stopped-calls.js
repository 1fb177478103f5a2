/*
 * Outcome of a call that the person's stop has ended: its page is told in the same moment, then the progress of the call is
 * found out.
 */
import { within } from "../base/deadline.js";
import { shownIn } from "../rules/addresses.js";
import { stoppedError } from "../rules/stop.js";
import { findTab } from "../tabs/targets.js";

/** @typedef {import("../rules/stop.js").Progress} Progress */
/** @typedef {{isAct: boolean, hasRun: boolean, call?: import("../../types").CallContext}} Stopped */

/** Time that a page may take to hear of a stop before its calls are answered; it stops in any case. */
const HEARD_MS = 80;

/**
 * Tab → resolves when its page has heard of the last stop, or is not waited for any more.
 * @type {Map<number, Promise<unknown>>}
 */
const heard = new Map();

/**
 * Ends all work for clients in the pages of a tab. A frame that does not respond is not waited for: it asks when it goes on.
 * @param {number} tabId
 * @returns {Promise<unknown>} resolves when it has arrived; never rejects
 */
function stopPage(tabId) {
  // An element of the page may be called like that.
  const func = () => Object.hasOwn(globalThis, "__tabwire") && globalThis.__tabwire.call("stop.now");
  return chrome.scripting.executeScript({ target: { tabId, allFrames: true }, injectImmediately: true, func }).catch(() => {});
}

/**
 * Ends what goes on in the pages of these tabs.
 * @param {number[]} tabIds
 * @returns {Promise<unknown>} resolves when they all have heard it, which a page that stands still does much later
 */
export function haltTabs(tabIds) {
  return Promise.all([...new Set(tabIds)].map((tabId) => {
    const hearing = stopPage(tabId);
    const told = within(hearing, HEARD_MS);
    heard.set(tabId, told);
    told.then(() => { if (heard.get(tabId) === told) heard.delete(tabId); });
    return hearing;
  }));
}

/**
 * Answer of a stopped call.
 * @param {string} method
 * @param {Stopped} stopped
 */
export async function endOfStopped(method, stopped) {
  const tabId = stopped.call?.tab?.id;
  if (tabId === undefined) return stoppedError(method, progressOf(stopped), null);
  // Signs that the page gave of the act before it heard of the stop have arrived.
  await heard.get(tabId);
  const tab = await findTab(tabId).catch(() => null);
  return stoppedError(method, progressOf(stopped), tab && shownIn(tab));
}

/** @param {Stopped} stopped @returns {Progress} */
function progressOf({ isAct, hasRun, call }) {
  if (!isAct) return "nothing";
  if (!hasRun) return "not begun";
  const actStart = call?.observation?.actStart;
  if (!actStart || actStart.hasBegun) return "begun";
  return actStart.isOffered ? "unknown" : "not begun";
}
