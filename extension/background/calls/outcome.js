/*
 * Outcome of an act whose page stopped, was replaced or went away before the act was answered: it happened, it did not, or
 * nobody can say.
 */
import { notBegun } from "../debugger/blocked-page.js";
import { askedIn } from "../base/external-addresses.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { within } from "../base/deadline.js";
import { noSuchTab, said, TabwireError, timedOut } from "../base/errors.js";
import { shownIn } from "../rules/addresses.js";

/** @typedef {import("./act-start.js").ActStart} ActStart */
/** @typedef {Pick<import("../../types").TabCall, "method" | "tab">} Act */

/** Note on an act that takes several steps when a dialog opens during it. */
export const INTERRUPTED_NOTE =
  "the page stopped before this was known to have ended; look at it when the dialog is answered, or the pause is over";

/** Time between the end of the debugging and its reason. */
const LED_OUT_MS = 250;
/** The bridge waits a second longer than the call has. */
const WITHDRAW_MS = 600;

/**
 * Withdraws an act that a dialog came before.
 * @param {Act} act
 * @param {ActStart|null} actStart
 * @param {import("../debugger/attachment.js").Dialog} [dialog] none: the page is silent
 */
export async function assertBegun(act, actStart, dialog) {
  const known = (await actStart?.withdraw()) ?? "begun";
  if (known === "not begun") throw notBegun(act.method, dialog);
  const why = dialog?.type === PAUSED ? "a breakpoint paused the page" : "a dialog opened in the page";
  if (known === "unknown") throw await unknownAct(act, why, "dialog");
}

/**
 * The act may have led to the page that took the place of its own, or the user.
 * @param {{call: Act, watch: {progress: import("../base/navigation-events.js").Progress}}} observed
 * @param {ActStart} actStart
 * @param {TabwireError} error what the page that went away says
 * @returns {Promise<{}>}
 */
export async function replacedUnder({ call: act, watch: { progress } }, actStart, error) {
  const why = `the ${progress.commits || !progress.frameCommits ? "page" : "frame of the element"} was replaced`;
  if (await actStart.hasBegunSoon()) {
    if (actStart.isAtOnce) return {};
    throw await halfDone(act, why, "navigated");
  }
  if (actStart.hasLeft && !actStart.isTrusted) throw error;
  throw await unknownAct(act, why, "navigated");
}

/**
 * The act may have closed its tab, or the user.
 * @param {{call: Act, actStart: ActStart|null, observesPage: boolean}} observed
 */
export async function assertDoneIn({ call: act, actStart, observesPage }) {
  if (!actStart && !observesPage) return;
  if (!actStart) throw await unknownAct(act, "the tab was closed", "closed");
  if (await actStart.hasBegunSoon()) {
    if (actStart.isAtOnce) return;
    throw await halfDone(act, "the tab was closed", "closed");
  }
  if (actStart.isOffered && (actStart.isTrusted || !actStart.hasLeft))
    throw await unknownAct(act, "the tab was closed", "closed");
  throw noSuchTab(`the tab was closed before ${act.method} had begun; nothing was done: call tab_list to see the open tabs`);
}

/**
 * Whether an act has led to an address that opens another program: Chrome ends the debugging of the tab then, and says why a
 * moment later.
 * @param {{call: Act, actStart: ActStart|null,
 *   watch: ReturnType<typeof import("../base/navigation-events.js").watchTab>}} observed
 */
export async function hasLedOut({ call: act, actStart, watch }) {
  const address = await watch.until(({ external }) => external, AbortSignal.timeout(LED_OUT_MS)).catch(() => undefined);
  if (!address || (actStart && !await actStart.hasBegunSoon())) return false;
  if (!actStart || actStart.isAtOnce) return true;
  throw await halfDone(act, `the page led to ${said(address)}, which opens another program,`, "navigated");
}

/**
 * Words for a question of Chrome's that may take all input of a tab; none without one.
 * @param {number} tabId
 */
export function takenByChrome(tabId) {
  const address = askedIn(tabId);
  return address === undefined ? "" : `Chrome may be asking the user whether ${said(address)} may open ` +
    "another program: this tab gets no input until they answer, or until it shows a page of another site. Ask them, call " +
    "navigate, or work in another tab";
}

/** Error of a press that nothing saw arrive. @param {TabwireError} error @param {number} tabId */
export function swallowed(error, tabId) {
  const taken = takenByChrome(tabId);
  return taken ? new TabwireError(error.code, `the press did not reach the page; ${taken}. Then try again`, error.data) : error;
}

/**
 * Input that the browser has taken is given to whatever page is there then: where the tab has left its page, that may be another.
 * @param {{call: Act, actStart: ActStart|null, begun: string[], watch: {progress:
 * import("../base/navigation-events.js").Progress}}}
 * observed
 */
export async function assertArrived({ call, actStart, begun, watch }) {
  if (!actStart?.isOffered || !begun.length || await actStart.hasBegunSoon()) return;
  const [why, cause] = watch.progress.removed ? ["the tab was closed", "closed"] : ["the page was replaced", "navigated"];
  throw await unknownAct(call, why, cause);
}

/**
 * The time of one step ran out, and the step before may have been the act itself.
 * @param {Act} act
 * @param {ActStart|null} actStart
 * @param {TabwireError} error
 */
export async function ranOut(act, actStart, error) {
  if (error.code !== "timeout" || !actStart?.isOffered) return error;
  const isBegun = await actStart.hasBegunSoon();
  return isBegun ? halfDone(act, "its time ran out", "timeout") : unknownAct(act, "its time ran out", "timeout");
}

/**
 * The failure of an act at the deadline of its call. One that has not begun is withdrawn and known not to have happened.
 * @param {unknown} thrown
 * @param {string} method
 * @param {ActStart|null|undefined} actStart
 */
export async function atDeadline(thrown, method, actStart) {
  if (!(thrown instanceof TabwireError) || thrown.code !== "outcome_unknown" || !actStart) return thrown;
  const known = await within(actStart.withdraw(), WITHDRAW_MS, () => "unknown");
  if (known !== "not begun") return thrown;
  return timedOut(
    `${method} had not begun when its time ran out; nothing was done, and it will not happen later: try again with more time`);
}

/** @param {Act} act @param {string} why @param {string} cause */
const unknownAct = (act, why, cause) =>
  unknown(act, cause, `${why} before it said that ${act.method} had begun; it may or may not have happened`);

/** @param {Act} act @param {string} why @param {string} cause */
const halfDone = (act, why, cause) =>
  unknown(act, cause, `${why} when ${act.method} had begun and was not known to have ended; it may be half done`);

/**
 * An act of which nobody can say whether it happened.
 * @param {Act} act
 * @param {string} cause for programs
 * @param {string} what is known
 */
async function unknown({ method, tab }, cause, what) {
  const now = await chrome.tabs.get(tab.id).catch(() => null);
  const place = now && shownIn(now);
  const sight = place
    ? `Tab ${place.tabId} now shows ${said(`${place.url.slice(0, 300)} (${JSON.stringify(place.title.slice(0, 200))})`)}`
    : `Tab ${tab.id} is closed now`;
  return new TabwireError("outcome_unknown",
    `${what}. ${sight}: look at the page before you repeat it`,
    { method, cause, ...(place && { now: place }) });
}
