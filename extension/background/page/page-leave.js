/**
 * Ways to set out for an address: in a tab of its own, or from a page that may ask before it lets go.
 */
import { MAY_BE_LOST, readPage, travel } from "./page-load.js";
import { hasAsked } from "../debugger/asking-pages.js";
import { SILENCE } from "../debugger/blocked-page.js";
import { isAttached, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { timedOut } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { takeOpened } from "../tabs/leases.js";
import { objection } from "../rules/addresses.js";
import { restriction } from "../rules/site-pattern.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/errors.js").TabwireError} TabwireError */
/** @typedef {import("./page-load.js").Patience} Patience */
/** @typedef {import("./page-load.js").Landing} Landing */
/** @typedef {import("./page-load.js").Trip} Trip */

/** The debugger came too late: a dialog that nobody can answer any more holds the page. */
const isBlockedByDialog = (/** @type {TabwireError} */ error) => error.code === "dialog_pending";

const AGAIN = "the page was not loaded again automatically; navigate there again to load it where its dialog can be answered";

/**
 * Opens an address from a page that a dialog blocks, with the debugger attached: a dialog that came before the debugger ends only
 * when its page is left.
 * @param {number} tabId @param {string} url @param {Patience} patience @param {CallContext} call
 */
async function openPastDialog(tabId, url, patience, call) {
  await travel(tabId, () => chrome.tabs.update(tabId, { url: "about:blank" }), {}, call);
  return withDebugger(tabId, call, () => travel(tabId, () => chrome.tabs.update(tabId, { url }), patience, call));
}

/**
 * The landing, with the next step where the page opened a dialog that cannot be answered: its server and its scripts have seen
 * the visit, so another one is left to the client.
 * @param {Landing} page @param {CallContext} call
 */
const withWayOut = (page, call) => (page.dialog?.type === SILENCE.dialog.type && call.client.input !== "dom"
  ? { ...page, note: joinNotes(page.note, AGAIN) }
  : page);

/**
 * Opens an address in a tab that was opened empty for it: the history begins with the page.
 * @param {number} tabId @param {string} url @param {Patience} patience @param {CallContext} call
 */
async function leaveBlank(tabId, url, patience, call) {
  const page = await leave(tabId, () => chrome.tabs.update(tabId, { url }), patience, call, { url, mayAsk: false });
  // As Chrome does with a tab that it has opened for a download.
  if (page.download) await chrome.tabs.remove(tabId).catch(() => {});
  // Chrome refuses it while another page is on its way.
  else if (isAttached(tabId)) await withDebugger(tabId, call, (send) => send("Page.resetNavigationHistory")).catch(() => {});
  return page;
}

/**
 * `travel` in a tab that `open` creates. One that shows only the browser's error page is closed again.
 * @param {string} url
 * @param {(url: string) => Promise<number>} open
 * @param {Patience} patience
 * @param {CallContext} call
 * @returns {Promise<{tabId: number, page: Landing}>}
 */
export async function travelInNewTab(url, open, patience, call) {
  /** @type {number | undefined} */
  let opened;
  const travelTo = (/** @type {string} */ first, /** @type {Patience} */ limits) => travel(null, async (trip) => {
    trip.follow((opened = await open(first)));
    takeOpened(opened, call.client);
    if (call.client.launched) await withDebugger(opened, call, async () => {}).catch(() => {});
  }, limits, call);
  try {
    // A dialog may open before the debugger is there: in browsers we start it always comes first, in the user's where a page has
    // asked before. Extensions open data: in new tabs only.
    const isLater = (call.client.launched || hasAsked(url)) && !/^(about|data):/.test(url);
    const page = await travelTo(isLater ? "about:blank" : url, isLater ? {} : patience);
    const tabId = /** @type {number} */ (/** @type {unknown} */ (opened));
    return { page: withWayOut(isLater ? await leaveBlank(tabId, url, patience, call) : page, call), tabId };
  } catch (error) {
    if (opened === undefined) throw error;
    if (error.code === "navigation_failed") await chrome.tabs.remove(opened).catch(() => {});
    if (error.code !== "timeout") throw error;
    throw timedOut(`${error.message} (it is tab ${opened})`, { ...error.data, tabId: opened });
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
 * edited: fields of forms that do not hold what they held when the page was loaded
 * @typedef {{mayAsk: boolean, edited: number}} Left
 */

/** Reader that runs in the page that is about to be left. @returns {Left & {url: string}} */
function lookBack() {
  const MAX_FIELDS = 5000;
  const isOpen = (/** @type {HTMLElement & {disabled?: boolean}} */ field) => !field.disabled && field.checkVisibility();
  const isEditedList = (/** @type {HTMLSelectElement} */ list) => {
    const options = [...list.options];
    const hasDefault = list.multiple || options.some((option) => option.defaultSelected);
    return hasDefault ? options.some((option) => option.selected !== option.defaultSelected) : list.selectedIndex > 0;
  };
  const isEdited = (/** @type {any} */ field) => {
    if (field.localName === "select") return isEditedList(field);
    if (/^(?:hidden|submit|button|reset|image|range|color)$/.test(field.type)) return false;
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.type === "radio") return field.checked && !field.defaultChecked;
    return field.type === "file" ? field.files.length > 0 : field.value !== field.defaultValue;
  };
  // Pages keep text outside of forms themselves, and what was searched for is no loss.
  const SEARCHED = "search *, [role=search] *, [type=search], [role=searchbox], [name=q]";
  const isLost = (/** @type {any} */ field) => field.form && !field.matches(SEARCHED) && isEdited(field) && isOpen(field);
  const fields = [...document.querySelectorAll("input, textarea, select")].slice(0, MAX_FIELDS);
  return { url: location.href, mayAsk: navigator.userActivation.hasBeenActive, edited: fields.filter(isLost).length };
}

/**
 * Looks at the page of a tab before it is left.
 * @param {number} tabId
 * @returns {Promise<Left>} mayAsk: whether it may ask to stay, which Chrome lets only pages do that a user has touched
 */
export async function lookBeforeLeaving(tabId) {
  if (pendingDialog(tabId)) return { mayAsk: false, edited: 0 };
  const { url, ...left } = (await readPage(tabId, lookBack)) ?? { url: "", mayAsk: false, edited: 0 };
  // The user was not asked whether this page may be read.
  return objection(url, "read") ? { ...left, edited: 0 } : left;
}

/**
 * Note about a page that was left.
 * @param {Left} left
 * @returns {string} "" when there is nothing to say
 */
export const leftNote = ({ edited }) => (edited
  ? `the page that was left had ${edited} edited ${edited === 1 ? "field" : "fields"}: ${MAY_BE_LOST}`
  : "");

/**
 * Leaves a page a user has worked in, then goes on as `travel` does: such a page may ask before it lets go, and only a debugger
 * attached beforehand can answer. In browsers we start it is attached at all times: there it disturbs nobody.
 * @param {number} tabId
 * @param {(trip: Trip) => Promise<unknown>} start
 * @param {Patience} patience
 * @param {CallContext} call
 * @param {string} [url] where to, when that does not depend on the page that is left
 * @returns {Promise<Landing>}
 */
export async function leaveAndTravel(tabId, start, patience, call, url) {
  const left = await lookBeforeLeaving(tabId);
  return leave(tabId, start, { ...patience, loss: leftNote(left) }, call, { url, mayAsk: left.mayAsk });
}

/**
 * @param {number} tabId @param {(trip: Trip) => Promise<unknown>} start @param {Patience} patience @param {CallContext} call
 * @param {{url?: string, mayAsk: boolean}} options
 */
async function leave(tabId, start, patience, call, { url, mayAsk }) {
  const go = () => travel(tabId, start, patience, call);
  const isHeard = mayAsk || call.client.launched || url === undefined || hasAsked(url);
  if (!isHeard) return withWayOut(await go(), call);
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return go();
  };
  return withDebugger(tabId, call, begin).catch((error) => {
    if (hasBegun) throw error;
    return url && isBlockedByDialog(error) ? openPastDialog(tabId, url, patience, call) : go();
  });
}
