/*
 * What is true of an act whose page stopped, was replaced or went away before the act was answered: it happened, it did
 * not, or nobody can say.
 */
import { notBegun } from "./blocked-page.js";
import { TabwireError } from "./errors.js";

/** @typedef {import("../types").CallContext} CallContext */
/** @typedef {{call: CallContext, tab: chrome.tabs.Tab, onset: import("./onset.js").Onset|null, begun: string[], watch: {progress: import("./navigation-events.js").Progress}}} Observed */

const GONE = new Set(["stale_element_reference", "no_such_frame"]);
const REPLACED_NOTE = "the page was replaced before it told how this ended; what had not happened by then was left undone";
/** What a dialog lets an act say of itself that does not happen all at once. */
export const INTERRUPTED_NOTE = "the dialog opened before this was known to have ended; look at the page when the dialog is answered";

/**
 * Whether an error says that the document of a call does not exist any more.
 * @param {{code?: string}} error
 */
export const isGone = ({ code = "" }) => GONE.has(code);

/**
 * Withdraws an act that a dialog came before.
 * @param {CallContext} call
 * @param {import("./debugger.js").Dialog} [dialog] none: the page is silent
 */
export async function assertBegun({ method, tab, effects }, dialog) {
  const known = (await effects?.onset?.withdraw()) ?? "begun";
  if (known === "not begun") throw notBegun(method, dialog);
  if (known === "unknown") throw await unknownAct({ method, tab: /** @type {chrome.tabs.Tab} */ (tab) }, "a dialog opened in the page", "dialog");
}

/**
 * The act may have led to the page that took the place of its own, or the user.
 * @param {any} observed Observed, with an onset
 * @param {TabwireError} error what the page that went away says
 * @returns {Promise<{note?: string}>}
 */
export async function replacedUnder({ call, tab, onset }, error) {
  if (await onset.hasBegunSoon()) return onset.isAtOnce ? {} : { note: REPLACED_NOTE };
  if (onset.hasLeft && !onset.isTrusted) throw error;
  throw await unknownAct({ method: call.method, tab }, "the page was replaced", "navigated");
}

/**
 * The act may have closed its tab, or the user.
 * @param {Observed} observed
 */
export async function assertBegunIn({ call, tab, onset }) {
  if (!onset || await onset.hasBegunSoon()) return;
  if (onset.isOffered && (onset.isTrusted || !onset.hasLeft)) throw await unknownAct({ method: call.method, tab }, "the tab was closed", "closed");
  throw new TabwireError("no_such_tab", `the tab was closed before ${call.method} had begun; nothing was done: call tab_list to see the open tabs`);
}

/**
 * Input that the browser has taken is given to whatever page is there then.
 * @param {Observed} observed
 */
export async function assertArrived({ call, tab, onset, begun, watch }) {
  const hasMoved = watch.progress.commits > 0 || watch.progress.removed;
  if (!onset?.isOffered || !begun.length || !hasMoved || await onset.hasBegunSoon()) return;
  const [why, cause] = watch.progress.removed ? ["the tab was closed", "closed"] : ["the page was replaced", "navigated"];
  throw await unknownAct({ method: call.method, tab }, why, cause);
}

/**
 * An act of which nobody can say whether it happened.
 * @param {{method: string, tab: chrome.tabs.Tab}} act
 * @param {string} why as "the page was replaced"
 * @param {string} cause for programs
 */
export async function unknownAct({ method, tab }, why, cause) {
  const now = await chrome.tabs.get(/** @type {number} */ (tab.id)).catch(() => null);
  const place = now && { tabId: now.id, url: now.url ?? "", title: now.title ?? "" };
  const sight = place ? `Tab ${place.tabId} now shows ${place.url.slice(0, 300)} (${JSON.stringify(place.title.slice(0, 200))})` : `Tab ${tab.id} is closed now`;
  return new TabwireError("outcome_unknown",
    `${why} before it said that ${method} had begun; it may or may not have happened. ${sight}: look at the page before you repeat it`,
    { method, cause, ...(place && { now: place }) });
}
