/*
 * Conditions under which an act in the user's own browser begins: the person has paused in that tab, and the debugger is
 * attached where the act may open a dialog or send a request.
 */
import { pause } from "../base/deadline.js";
import { said, TabwireError } from "../base/errors.js";
import { hasAsked } from "../debugger/asking-pages.js";
import { attachmentsKnown, isAttached, useDebugger } from "../debugger/attachment.js";

/**
 * The observation of an act, as far as its beginning needs it
 * @typedef {Pick<import("../../types").TabCall, "tab"> & {actStart: object|null, call: import("../../types").TabCall,
 *   presence: {since: number, active: string}|null, timeLeft: number, mayNeedDebugger: boolean, isBlocked: boolean,
 *   requests: import("./sent-requests.js").SentRequests, rest: () => void, begin: () => Promise<void>}} Observed
 */

/** Time for which the person must have done nothing in the page. */
export const PAUSE_MS = 1500;
/** Time for which a pause is waited for. */
const PERSON_LIMIT_MS = 4000;

/**
 * Waits until the person pauses in the tab of an act; tab_leased where they go on.
 * @param {Observed} observed
 */
export async function waitForPerson(observed) {
  const until = Date.now() + Math.min(PERSON_LIMIT_MS, observed.timeLeft);
  while (observed.presence) {
    const wait = PAUSE_MS - observed.presence.since;
    if (Date.now() + wait > until) throw presenceError(observed.tab.id, observed.presence.active);
    await pause(wait, observed.call.signal);
    await observed.begin();
  }
}

/** @param {number} tabId @param {string} active the element that has the focus */
function presenceError(tabId, active) {
  const where = active === "none" ? "" : ` (${said(active)} has the focus)`;
  return new TabwireError("tab_leased",
    `the person at the browser is at work in tab ${tabId} right now${where}, and an act would come between; nothing was done. ` +
      "Work in a tab of your own (tab_new), ask them (ask_user), or try again later",
    { tabId, holder: "the person at the browser" });
}

/** Whether the input of each act is chosen for it. @param {Observed} observed */
export const isInputChosen = ({ actStart, call: { client } }) =>
  actStart !== null && client.input === "auto" && !client.launched;

/**
 * Attaches the debugger before an act whose page may open a dialog or send a request: of those that come first nobody can
 * tell, and DOM events open no window. Where the debugger cannot be had the act goes on without.
 * @param {Observed} observed
 */
async function attachAhead(observed) {
  const { tab, call, mayNeedDebugger, isBlocked } = observed;
  if (!isInputChosen(observed) || isBlocked) return;
  await attachmentsKnown;
  if (!isAttached(tab.id) && !mayNeedDebugger && !hasAsked(tab.url)) return;
  const used = await useDebugger(tab.id, call).catch((error) => {
    if (!error.data?.attach) throw error;
  });
  if (!used) return;
  observed.rest = used.release;
  await observed.requests.listen();
}

/**
 * Resolves when an act may change something.
 * @param {Observed} observed
 * @param {Promise<unknown>} begun resolves when its page is observed
 * @param {Promise<unknown>} started resolves when the act is in the record
 */
export async function startActing(observed, begun, started) {
  await Promise.all([begun, started]);
  await waitForPerson(observed);
  await attachAhead(observed);
  observed.call.signal.throwIfAborted();
}
