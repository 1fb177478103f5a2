/**
 * Ways to set out for an address: in a tab of its own, or from a page that may ask before it lets go.
 */
import { readPage, travel } from "./page-load.js";
import { pendingDialog, withDebugger } from "../debugger/attachment.js";
import { TabwireError } from "../base/errors.js";
import { takeOpened } from "../tabs/leases.js";
import { restriction } from "../rules/site-pattern.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./page-load.js").Patience} Patience */
/** @typedef {import("./page-load.js").Landing} Landing */
/** @typedef {import("./page-load.js").Trip} Trip */

/** The debugger came too late: a dialog that nobody can answer any more holds the page. */
const isBlockedByDialog = (/** @type {TabwireError} */ error) => error.code === "dialog_pending";

const passUnlessBlocked = (/** @type {TabwireError} */ error) => {
  if (isBlockedByDialog(error)) throw error;
};

/**
 * Only leaving the page ends such a dialog; it is then opened again with the debugger attached.
 * @param {number} tabId @param {string} url @param {Patience} patience @param {CallContext} call
 */
async function openAfresh(tabId, url, patience, call) {
  await travel(tabId, () => chrome.tabs.update(tabId, { url: "about:blank" }), {}, call);
  return withDebugger(tabId, call, () => travel(tabId, () => chrome.tabs.update(tabId, { url }), patience, call));
}

/**
 * `travel` in a tab that `open` creates. One that shows only the browser's error page is closed again.
 * @param {string} url
 * @param {() => Promise<number>} open
 * @param {Patience} patience
 * @param {CallContext} call
 * @returns {Promise<{tabId: number, page: Landing}>}
 */
export async function travelInNewTab(url, open, patience, call) {
  /** @type {number | undefined} */
  let tabId;
  try {
    const start = async (/** @type {Trip} */ trip) => {
      trip.follow((tabId = await open()));
      takeOpened(tabId, call.client);
      if (call.client.launched) await withDebugger(tabId, call, async () => {}).catch(passUnlessBlocked);
    };
    const page = await travel(null, start, patience, call).catch((error) => {
      if (!isBlockedByDialog(error)) throw error;
      return openAfresh(/** @type {number} */ (tabId), url, patience, call);
    });
    return { page, tabId: /** @type {number} */ (tabId) };
  } catch (error) {
    if (tabId === undefined) throw error;
    if (error.code === "navigation_failed") await chrome.tabs.remove(tabId).catch(() => {});
    if (error.code !== "timeout") throw error;
    throw new TabwireError("timeout", `${error.message} (it is tab ${tabId})`, { ...error.data, tabId });
  }
}

/**
 * A landing with what the caller needs to go on: the tab, and whether its page can be worked in.
 * @param {number} tabId
 * @param {Landing} page
 */
export function inTab(tabId, page) {
  const kind = restriction(page.url);
  const isClosed = kind && page.url !== "about:blank";
  return { ...page, tabId, ...(isClosed ? { note: `this is ${kind}: extensions cannot read or change it` } : {}) };
}

/**
 * Like `travel` for leaving a page a user has worked in: such a page may ask before it lets go, and only a debugger
 * attached beforehand can answer. In browsers we start it is attached at all times: there it disturbs nobody.
 * @param {number} tabId
 * @param {(trip: Trip) => Promise<unknown>} start
 * @param {Patience} patience
 * @param {CallContext} call
 * @param {string} [url] where to, when that does not depend on the page that is left
 * @returns {Promise<Landing>}
 */
export async function leaveAndTravel(tabId, start, patience, call, url) {
  const go = () => travel(tabId, start, patience, call);
  const mayAsk =
    call.client.launched || (!pendingDialog(tabId) && (await readPage(tabId, () => navigator.userActivation.hasBeenActive)));
  if (!mayAsk) return go();
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return go();
  };
  return withDebugger(tabId, call, begin).catch((error) => {
    if (hasBegun) throw error;
    return url && isBlockedByDialog(error) ? openAfresh(tabId, url, patience, call) : go();
  });
}
