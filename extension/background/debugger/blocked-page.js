/*
 * Pages that cannot answer because a dialog holds them. One that opened while the debugger was attached is known by its
 * text; any other one shows by the silence of the page.
 */
import { pause, within } from "../base/deadline.js";
import { cutShortIn } from "../base/navigation-events.js";
import { noteAsking } from "./asking-pages.js";
import { attachmentsKnown, isAttached, onDialog, pendingDialog } from "./attachment.js";
import { PAUSED, pausedError } from "./script-pauses.js";
import { said, TabwireError } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";

/** Time without an answer after which the page is asked whether it is there at all. */
const PATIENCE_MS = 500;
/** Limits for that question: events that are being fired may open a dialog, a read may itself keep a large page busy. */
const FIRING_LIMIT_MS = 1000;
const ACT_LIMIT_MS = 2500;
const READ_LIMIT_MS = 5000;
/** A page that waits for something answers each time. */
const PAUSE_MS = 2000;
/** The answer of a page that goes on has so long to arrive before a new call counts it as silent. */
const ARRIVAL_MS = 250;

/** Time for which a page whose response broke off is asked whether there is a document. */
export const NO_DOCUMENT_MS = 300;

const ANSWER = "answer it with the dialog tool (accept or dismiss), or leave the page (navigate, tab_close)";
/** Chrome lets the debugger answer only what opens while it is attached, but takes away the dialogs of a tab that is hidden. */
const WAY_OUT =
  "if it is a dialog, it opened unseen and can only be dismissed: dialog with action dismiss does that; or leave the page " +
  "(navigate, tab_close). The next ones of this page are seen and can be accepted";

/** Tabs with a question that the page has not answered, and its answer. @type {Map<number, Promise<true>>} */
const silent = new Map();

/** Error for what a dialog, or a pause, keeps from its page. @param {import("./attachment.js").Dialog} dialog */
export function dialogError(dialog) {
  const { type, message } = dialog;
  if (type === PAUSED) return pausedError(dialog);
  return new TabwireError(
    "dialog_pending",
    `a dialog is open (${type}: ${said(JSON.stringify(message))}) and the page stands still; ${ANSWER}`,
    { dialog },
  );
}

/**
 * Throws dialog_pending or page_paused where a known dialog or a pause holds the page of a call.
 * @param {import("../../types").TabCall} call
 */
export async function assertNoDialog(call) {
  await attachmentsKnown;
  const dialog = pendingDialog(call.tab.id);
  if (dialog) throw dialogError(dialog);
}

/** @param {string} error of the network */
export const noDocument = (error) => `the response of the page broke off (${error}) before the browser had made a document of ` +
  "it, so there is nothing to read or to act on: load it again (reload), or navigate elsewhere";

/** The page is silent, and no dialog is known. */
export function silenceError() {
  return new TabwireError("dialog_pending",
    `the page does not answer: a dialog (alert, confirm, prompt) is probably open, or a script keeps it busy; ${WAY_OUT}`,
    { unanswered: true });
}

/**
 * A dialog came before the act. It is withdrawn: it does not happen when the dialog is closed either.
 * @param {string} method
 * @param {import("./attachment.js").Dialog} [dialog] none: the page is silent
 */
export function notBegun(method, dialog) {
  const { code, message, data } = dialog ? dialogError(dialog) : silenceError();
  return new TabwireError(
    code,
    `${method} had not begun when the page stopped; nothing was done, and it will not happen later. ${message}`,
    { ...data, begun: false },
  );
}

/** Details for the reply to an act during which the page fell silent. */
export const SILENCE = {
  dialog: {
    type: "unknown",
    message: "the page does not answer; an alert, confirm or prompt is probably open, or a script keeps it busy",
  },
  note: `the page stopped answering during this act, which may have happened; ${WAY_OUT}`,
};

/**
 * Asks a page whose dialogs are not known to the debugger whether it is there.
 * @param {number} tabId
 * @returns {Promise<boolean>}
 */
export async function answers(tabId) {
  return (await within(answerOf(tabId), FIRING_LIMIT_MS)) === true;
}

/** A page that lets no script in has at least said so. @param {number} tabId @returns {Promise<true>} */
const answerOf = (tabId) =>
  chrome.scripting.executeScript({ target: { tabId, frameIds: [0] }, injectImmediately: true, func: () => true }).then(
    () => true,
    () => true,
  );

/**
 * Whether the page of a tab was asked something that it has not answered.
 * @param {number} tabId
 */
export const isSilent = (tabId) => silent.has(tabId);

/**
 * Throws dialog_pending when a dialog is known, or thought, to hold the page of a tab; page_paused when a breakpoint does.
 * @param {number} tabId
 */
export function assertAnswering(tabId) {
  const dialog = pendingDialog(tabId);
  if (dialog) throw dialogError(dialog);
  if (isSilent(tabId)) throw silenceError();
}

/**
 * Does so at the beginning of a call: a page that was silent may just have gone on.
 * @param {number} tabId
 */
export async function assertAnsweringAgain(tabId) {
  const error = cutShortIn(tabId);
  if (error !== undefined && !await within(answerOf(tabId), NO_DOCUMENT_MS))
    throw new TabwireError("navigation_failed", noDocument(error), { error });
  const answer = silent.get(tabId);
  if (answer && !pendingDialog(tabId)) await within(answer, ARRIVAL_MS);
  assertAnswering(tabId);
}

/** @param {import("../../types").CallContext} call */
function limitOf({ observation, method }) {
  // A page that loads is busy by nature.
  if (!observation || METHODS[method].silence === "load") return READ_LIMIT_MS;
  return observation.isFiring ? FIRING_LIMIT_MS : ACT_LIMIT_MS;
}

/**
 * Rejects when the page of a tab stops answering, or with the signal's reason when that aborts.
 * @param {number} tabId
 * @param {import("../../types").CallContext} call
 * @param {AbortSignal} signal ends the watch
 * @returns {Promise<never>}
 */
export async function untilSilent(tabId, call, signal) {
  // A call that waits for a page goes on waiting while the page is busy. Work of our own has no method.
  if (METHODS[call.method]?.silence === "wait") await new Promise(() => {});
  for (let wait = PATIENCE_MS; ; wait = PAUSE_MS) {
    await pause(wait, signal);
    // A dialog would be known where the debugger is attached: this page is busy, and the call may wait.
    if (isAttached(tabId)) continue;
    const answer = answerOf(tabId);
    const isAnswered = await within(answer, limitOf(call));
    signal.throwIfAborted();
    if (isAnswered) continue;
    silent.set(tabId, answer);
    // The call may know only the page before the one that loads, so the tab is asked for its address.
    void chrome.tabs.get(tabId).then(({ url }) => noteAsking(url), () => {});
    // The page answers when the dialog is closed; the question fails when the page is left.
    answer.then(() => silent.delete(tabId));
    throw silenceError();
  }
}

/**
 * Resolves when a command to a page was answered, or when a dialog keeps it waiting: the page takes it, in its order, when the
 * dialog is closed, and nothing is gained by waiting too.
 * @param {number} tabId
 * @param {Promise<unknown>} command
 * @returns {Promise<void>}
 */
export async function takenBy(tabId, command) {
  const over = new AbortController();
  const held = onDialog(tabId, over.signal);
  held.catch(() => {});
  command.catch(() => {});
  try {
    await Promise.race([command, held]);
  } finally {
    over.abort();
  }
}
