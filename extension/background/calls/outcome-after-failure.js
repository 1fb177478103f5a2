/*
 * Outcome of a call whose page, or whose worker, went away during it: where its tab is now, and why.
 */
import { readPage } from "../page/page-load.js";
import { pendingDialog } from "../debugger/attachment.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { isGone, said, TabwireError, toTabwireError } from "../base/errors.js";
import { UNTOLD, mayTell, shownIn } from "../rules/addresses.js";
import { isCrashed } from "../base/tabs.js";
import { findTab } from "../tabs/targets.js";

/** @typedef {import("./act-record.js").Entry} Entry */
/**
 * @typedef {object} Sight
 * @property {number} tabId
 * @property {string} url
 * @property {string} title
 * @property {boolean} [new_document] whether its document was loaded after the act began; absent when the page cannot be asked
 * @property {{type: string, message: string}} [dialog] open in it
 * @property {true} [crashed]
 */

/**
 * An act that began and of which nobody saw the end.
 * @param {Entry | undefined} entry
 * @param {string} why
 * @returns {Promise<TabwireError>}
 */
export async function unknownOutcome(entry, why) {
  const { method, tabId, at = 0, state, succeeded } = entry ?? {};
  const what = method ?? "this action";
  const sight = tabId === undefined ? null : await look(tabId, at);
  const happened = state === "done"
    ? `it ended ${succeeded ? "well" : "with an error"}, only its answer is lost`
    : "it may or may not have happened";
  const data = { ...(method && { method }), ...(state === "done" && { succeeded }), ...(sight && { now: sight }) };
  return new TabwireError(
    "outcome_unknown",
    `${why} while ${what} ran; ${happened}. ${describe(tabId, sight)}: look at the page before you repeat it`,
    data,
  );
}

/** @param {number} tabId @param {number} since epoch ms @returns {Promise<Sight | null>} null when the tab is closed */
async function look(tabId, since) {
  const tab = await findTab(tabId);
  if (!tab) return null;
  const place = shownIn(tab);
  if (place.url === UNTOLD) return place;
  const dialog = pendingDialog(place.tabId);
  if (dialog) return { ...place, dialog: { type: dialog.type, message: dialog.message } };
  if (isCrashed(tab)) return { ...place, crashed: true };
  const page = tab.discarded ? null
    : await readPage(place.tabId, () => ({ url: location.href, title: document.title, loaded: performance.timeOrigin }));
  return page && mayTell(page.url, place.tabId)
    ? { ...place, url: page.url, title: page.title, new_document: page.loaded > since }
    : place;
}

/** @param {number | undefined} tabId @param {Sight | null} sight */
function describe(tabId, sight) {
  if (tabId === undefined) return "It was not about one tab";
  if (!sight) return `Tab ${tabId} is closed now`;
  const shown = `${sight.url.slice(0, 300)} (${JSON.stringify(sight.title.slice(0, 200))})`;
  const where = `Tab ${sight.tabId} now shows ${said(shown)}`;
  if (sight.crashed) return `${where} and has crashed; load it again (reload)`;
  if (sight.dialog?.type === PAUSED) return `${where}, paused by a breakpoint (call paused)`;
  if (sight.dialog) return `${where} with a dialog open (${sight.dialog.type})`;
  if (sight.new_document === undefined) return `${where}; it could not be asked more`;
  return `${where}, ${sight.new_document ? "a document loaded since the action began" : "the document that was there before"}`;
}

/**
 * Cause of a failure, where the page of the call went away during it.
 * @param {unknown} thrown
 * @param {chrome.tabs.Tab | undefined} tab
 * @returns {Promise<"crashed" | "discarded" | "closed" | null>}
 */
export async function causeInTab(thrown, tab) {
  if (tab?.id === undefined) return null;
  const error = toTabwireError(thrown);
  if (error.code === "page_crashed") return "crashed";
  const now = await findTab(tab.id).catch(() => null);
  // Chrome may say of a closed tab only that its frame is gone.
  if (!now) return isGone(error) ? "closed" : null;
  if (isCrashed(now)) return "crashed";
  return now.discarded || now.id !== tab.id ? "discarded" : null;
}
