/*
 * chrome.debugger, attached per tab only while somebody needs it. One attachment is shared by all calls; it ends some
 * seconds after the last one, because Chrome shows a bar while it lasts. Attachments outlive the service worker and
 * are adopted by the next one.
 */
import { countUse, getOrMake } from "../base/maps.js";
import { noteAsking } from "./asking-pages.js";
import { attachError, detachedError, detachError, detachReason, FOREIGN_FRAME, foreignFrameError } from "./attach-errors.js";
import { onClientGone } from "../base/clients.js";
import { unlessAborted, within } from "../base/deadline.js";
import { KeyedSignal, Signal } from "../base/signal.js";
import { said, TabwireError, timedOut, unsupported } from "../base/errors.js";
import { LentStates } from "./lent-states.js";
import { pauseOf } from "./script-pauses.js";
import { mayTell } from "../rules/addresses.js";
import { persisted, ready } from "../base/state.js";
import { isInFront } from "../tabs/tab-facts.js";

/** @typedef {{type: string, message: string, default_prompt?: string, url?: string}} Dialog */
/** @typedef {{accept: boolean, text?: string}} Answer  text: of a prompt; its default without one */
/** @typedef {import("./commands").Send} Send */
/** @import { Caller, Event, EventHandlers, EventName, Method, Params, Result } from "./commands" */

const PROTOCOL = "1.3";
const IDLE_MS = 3000;
/** A page that does not answer the first command for so long is blocked, most likely by a dialog. */
const ENABLE_LIMIT_MS = 2500;
const MAX_MESSAGE = 5000;

/** Tab id → what the next worker has to know about the attachment. */
const attachments = persisted("debugger.attachments", /** @type {Record<number, {keep: boolean}>} */ ({}));
const dialogs = persisted("debugger.dialogs", /** @type {Record<number, Dialog>} */ ({}));

/** The attachment to one tab. */
class Session {
  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
    this.users = 0;
    this.isAttached = false;
    /** Whether its attachment was there before this worker, which may be another debugger's. */
    this.isAdopted = false;
    /** Whether to stay attached: without the bar (browsers we start have none) detaching gains nothing and would miss dialogs. */
    this.keep = false;
    this.lent = new LentStates(tabId);
    /** @type {Promise<void>|null} */
    this.attaching = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** Ids of the clients that used it. @type {Set<string>} */
    this.clients = new Set();
    this.ended = new AbortController();
  }
}

/** @type {Map<number, Session>} */
const sessions = new Map();
/** Dialogs that open, by tab id. @type {KeyedSignal<number, [dialog: Dialog]>} */
const dialogOpening = new KeyedSignal();
/**
 * Dialogs that were answered as soon as they opened, by tab id.
 * @type {KeyedSignal<number, [dialog: Dialog, answer: Answer]>}
 */
const dialogAnswered = new KeyedSignal();
/** @type {Signal<[tabId: number, closed: Partial<Dialog> & {isAccepted: boolean, text: string}]>} */
const dialogClosed = new Signal();
/** Tabs that somebody is about to leave, by how many: a question about that is theirs to answer. @type {Map<number, number>} */
const leaving = new Map();
/** Events of the debugger, by tab id. @type {KeyedSignal<number, Event>} */
const eventHeard = new KeyedSignal();

const restored = ready.then(adoptAttached);

async function adoptAttached() {
  const known = Object.entries(attachments.get());
  if (!known.length) return;
  const targets = await chrome.debugger.getTargets();
  const attached = new Set(targets.filter((target) => target.attached).map(({ tabId }) => tabId));
  for (const [key, { keep }] of known) {
    const tabId = Number(key);
    if (!attached.has(tabId)) {
      forget(tabId);
      continue;
    }
    const session = sessionOf(tabId);
    session.isAttached = session.isAdopted = true;
    session.keep = keep;
    session.lent.mayBeOn = true;
    scheduleIdle(session);
  }
}

/** @param {number} tabId */
function sessionOf(tabId) {
  return getOrMake(sessions, tabId, () => new Session(tabId));
}

/** @typedef {(tabId: number, reason?: string) => void} NoteEnd  with the reason where there is one */

/** Tells whether a hold wants an attachment to stay although no call uses it. @type {(tabId: number) => boolean} */
let isHeld = () => false;
/** @type {NoteEnd} */
let noteEnd = () => {};

/**
 * Lets attachments stay while `held` says so; `ended` hears of every attachment that has ended. For holds.js.
 * @param {{held: (tabId: number) => boolean, ended: NoteEnd}} holder
 */
export function keepWhile({ held, ended }) {
  isHeld = held;
  noteEnd = ended;
}

/**
 * Lets an attachment that is no longer held end as one that is no longer used.
 * @param {number} tabId
 */
export function letRest(tabId) {
  const session = sessions.get(tabId);
  if (session) scheduleIdle(session);
}

/** Drops what is known of an attachment that has ended. @type {NoteEnd} */
function forget(tabId, reason) {
  clearTimeout(sessions.get(tabId)?.timer);
  sessions.delete(tabId);
  attachments.drop(tabId);
  setDialog(tabId, null);
  noteEnd(tabId, reason);
}

/**
 * Attaches the debugger to a tab, until `release` is called by all that use it there.
 * @param {number} tabId
 * @param {Caller} call
 * @returns {Promise<{send: Send, release: () => void}>}
 */
export async function useDebugger(tabId, call) {
  await restored;
  const session = sessionOf(tabId);
  clearTimeout(session.timer);
  session.users += 1;
  session.clients.add(call.client.id);
  session.keep ||= call.client.launched;
  const release = () => {
    session.users -= 1;
    if (sessions.get(tabId) === session) scheduleIdle(session);
  };
  try {
    await attach(session, call);
    call.signal.throwIfAborted();
  } catch (error) {
    release();
    throw error;
  }
  return { send: (method, ...[params]) => send(session, method, params, call), release };
}

/**
 * Runs `work` with the debugger attached to a tab.
 * @template T
 * @param {number} tabId
 * @param {Caller} call
 * @param {(send: Send) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDebugger(tabId, call, work) {
  const used = await useDebugger(tabId, call);
  return work(used.send).finally(used.release);
}

/** @param {Session} session @param {Caller} call */
function attach(session, call) {
  if (session.isAttached) return Promise.resolve();
  session.attaching ??= open(session, call).finally(() => { session.attaching = null; });
  return session.attaching;
}

/** @param {Session} session @param {Caller} call */
async function open(session, call) {
  const { tabId } = session;
  try {
    await chrome.debugger.attach({ tabId }, PROTOCOL);
  } catch (error) {
    // The attachment may be our own from before the worker was restarted: the next command tells.
    if (!/already attached/i.test(error.message)) throw attachError(error);
    session.isAdopted = true;
  }
  session.isAttached = true;
  attachments.put(tabId, { keep: session.keep });
  const blocked = new TabwireError(
    "dialog_pending",
    "the page does not answer: a dialog is probably open that was there before, or a script keeps it busy. Such a dialog can " +
      "only be dismissed: dialog with action dismiss does that; or leave the page (navigate, tab_close)",
  );
  try {
    // A session can answer a dialog only if it listened before the dialog opened.
    await within(send(session, "Page.enable", {}, call), ENABLE_LIMIT_MS, () => { throw blocked; });
  } catch (error) {
    await detach(session);
    throw error;
  }
}

/** @param {Session} session */
async function detach(session) {
  forget(session.tabId);
  session.isAttached = false;
  await chrome.debugger.detach({ tabId: session.tabId }).catch(() => {});
}

/** Detaches now where nobody uses the attachment any more, rather than after a while. */
export function letAllRest() {
  for (const session of [...sessions.values()]) {
    if (session.users || !session.isAttached) continue;
    clearTimeout(session.timer);
    void rest(session);
  }
}

/** @param {Session} session */
function scheduleIdle(session) {
  clearTimeout(session.timer);
  if (session.users > 0 || !session.isAttached) return;
  session.timer = setTimeout(() => rest(session), IDLE_MS);
}

/** Rests an unused attachment. An open dialog keeps it: detached, nobody could answer the dialog. @param {Session} session */
async function rest(session) {
  if (session.users > 0 || pendingDialog(session.tabId)) return;
  if (!session.keep && !isHeld(session.tabId)) return detach(session);
  await session.lent.rest(isHeld(session.tabId));
}

onClientGone(async (client) => {
  await restored;
  for (const session of [...sessions.values()]) {
    session.clients.delete(client.id);
    if (session.clients.size || session.users || pendingDialog(session.tabId) || isHeld(session.tabId)) continue;
    if (session.isAttached) await detach(session);
  }
});

/**
 * Whether the debugger is attached to a tab by this extension.
 * @param {number} tabId
 */
export function isAttached(tabId) {
  return sessions.get(tabId)?.isAttached ?? false;
}

/** Resolves when attachments of an earlier worker are known. */
export const attachmentsKnown = restored;

const timeoutError = () =>
  timedOut("the browser did not answer in time; the page may be busy or blocked by a dialog: answer that, or wait and try again");

/** @template {Method} M @param {Session} session @param {M} method @param {Params<M>[0]} params @param {Caller} call */
async function send(session, method, params, call) {
  session.lent.yieldTo(method);
  try {
    /** @type {Promise<Result<M>>} */
    const command = chrome.debugger.sendCommand({ tabId: session.tabId }, method, params ?? {});
    return await unlessAborted(unlessAborted(command, session.ended.signal), call.signal);
  } catch (error) {
    if (error instanceof TabwireError) throw error;
    throw call.signal.aborted && error === call.signal.reason ? timeoutError() : commandError(session, method, error);
  }
}

/**
 * Error of a command that Chrome has not carried out. `attach`: it cannot be; `lost`: it may have been, all the same.
 * @param {Session} session @param {string} method @param {Error} error
 */
function commandError(session, method, error) {
  const isLost = /Detached while/i.test(error.message);
  if (isLost || /not attached/i.test(error.message)) {
    session.isAttached = false;
    if (session.ended.signal.aborted) return session.ended.signal.reason;
    if (isLost || !session.isAdopted) return detachedError(isLost);
    return unsupported("another debugger (DevTools or an extension) holds this tab; close it", { attach: true });
  }
  if (FOREIGN_FRAME.test(error.message)) return foreignFrameError();
  if (/No tab with given id/i.test(error.message)) return detachError("target_closed");
  const text = /"message":"([^"]*)"/.exec(error.message)?.[1] ?? error.message;
  return new TabwireError("unknown_error", `the browser refused ${method}: ${said(text)}`);
}

/** Calls a listener for each event of the debugger in a tab. */
export const onEvent = eventHeard.add;

/** @type {EventHandlers<[tabId: number], Promise<void>|void>} */
const EVENTS = {
  "Page.javascriptDialogOpening": (tabId, { type, message: text, defaultPrompt, url }) => {
    const message = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
    return dialogOpened(tabId, { type, message, url, ...(type === "prompt" ? { default_prompt: defaultPrompt ?? "" } : {}) });
  },
  "Page.javascriptDialogClosed": (tabId, { result: isAccepted, userInput: text }) => {
    dialogClosed.emit(tabId, { ...dialogs.get()[tabId], isAccepted, text });
    setDialog(tabId, null);
  },
};

/** @type {(tabId: number, dialog: Dialog) => Answer|null} */
let answerTo = () => null;

/**
 * Lets dialogs be answered as soon as they open.
 * @param {(tabId: number, dialog: Dialog) => Answer|null} answerer  null leaves the dialog open
 */
export function answerDialogs(answerer) {
  answerTo = answerer;
}

/** @param {number} tabId @param {Dialog} dialog */
async function dialogOpened(tabId, dialog) {
  if (dialog.type !== "beforeunload") noteAsking(dialog.url);
  const answer = dialog.type === "beforeunload" && leaving.has(tabId) ? null : answerTo(tabId, dialog);
  if (!answer) return setDialog(tabId, dialog);
  try {
    await chrome.debugger.sendCommand({ tabId }, "Page.handleJavaScriptDialog", answerParams(dialog, answer));
  } catch (error) {
    if (!/No dialog is showing/.test(error.message)) setDialog(tabId, dialog);
    return;
  }
  dialogAnswered.emit(tabId, toldDialog(tabId, dialog), answer);
}

/**
 * Chrome takes no text for an empty one; whoever accepts a prompt as it is means its default.
 * @param {Dialog|null} dialog
 * @param {Answer} answer
 */
function answerParams(dialog, { accept, text }) {
  const promptText = text ?? dialog?.default_prompt;
  return { accept, ...(accept && promptText !== undefined ? { promptText } : {}) };
}

/** Calls a listener with the answer to each dialog, whoever gave it. */
export const onDialogClosed = dialogClosed.add;
/** Calls a listener for each dialog of a tab that is answered as soon as it opens. */
export const onDialogAnswered = dialogAnswered.add;

/**
 * Says that a tab is being left on purpose: the page's question whether to leave is answered by whoever does that.
 * @param {number} tabId
 * @returns {() => void} call it when the tab has been left
 */
export const leaveOnPurpose = (tabId) => countUse(leaving, tabId);

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  if (tabId === undefined) return;
  const handle = EVENTS[/** @type {EventName} */ (method)];
  if (handle) {
    await restored;
    void handle(tabId, /** @type {never} */ (params));
  }
  eventHeard.emit(tabId, .../** @type {Event} */ ([method, params, sessionId]));
});

chrome.debugger.onDetach.addListener(async ({ tabId = 0 }, given) => {
  const session = sessions.get(tabId);
  if (!session) return;
  session.isAttached = false;
  clearTimeout(session.timer);
  // The next call attaches again.
  sessions.delete(tabId);
  const reason = await detachReason(tabId, given);
  session.ended.abort(detachError(reason));
  if (!sessions.has(tabId)) forget(tabId, reason);
});

/** @param {number} tabId @param {Dialog|null} dialog */
function setDialog(tabId, dialog) {
  if (!dialog && !dialogs.get()[tabId]) return;
  void (dialog ? dialogs.put(tabId, dialog) : dialogs.drop(tabId));
  const session = sessions.get(tabId);
  if (session) scheduleIdle(session);
  if (!dialog) return;
  dialogOpening.emit(tabId, toldDialog(tabId, dialog));
}

/**
 * A frame's dialog is shown over the whole tab, but it says what the frame's site says.
 * @param {number} tabId
 * @param {Dialog} dialog
 * @returns {Dialog}
 */
function toldDialog(tabId, dialog) {
  if (mayTell(dialog.url ?? "", tabId)) return dialog;
  return { type: dialog.type, message: "(of a frame whose site is not allowed: its text is not told)" };
}

/**
 * The dialog that is open in a tab, as far as the debugger was attached when it opened; or the pause that holds its page as one.
 * @param {number} tabId
 * @returns {Dialog|null}
 */
export const pendingDialog = (tabId) => openDialog(tabId) ?? pauseOf(tabId);

/**
 * The dialog alone: what can be answered.
 * @param {number} tabId
 * @returns {Dialog|null}
 */
export function openDialog(tabId) {
  const dialog = dialogs.get()[tabId];
  return dialog ? toldDialog(tabId, dialog) : null;
}

/**
 * Says that a pause holds the page of a tab from now on, to all who listen to dialogs.
 * @param {number} tabId
 * @param {Dialog} pause
 */
export const reportPause = (tabId, pause) => void dialogOpening.emit(tabId, pause);

/**
 * The address of the document that has opened that dialog, for what is decided here and not told.
 * @param {number} tabId
 */
export const dialogAddress = (tabId) => dialogs.get()[tabId]?.url;

/** Calls a listener for each dialog that opens in a tab from now on and stays open. */
export const onDialogOpening = dialogOpening.add;

/**
 * Resolves when a dialog is open in the tab; rejects when `signal` aborts.
 * @param {number} tabId
 * @param {AbortSignal} signal
 * @returns {Promise<Dialog>}
 */
export async function onDialog(tabId, signal) {
  const { promise, resolve } = Promise.withResolvers();
  return pendingDialog(tabId) ?? unlessAborted(promise, signal).finally(onDialogOpening(tabId, resolve));
}

/**
 * Answers the open dialog.
 * @param {number} tabId
 * @param {boolean} accept
 * @param {string|undefined} text of a prompt; its default without one
 * @param {Caller} call
 */
export function handleDialog(tabId, accept, text, call) {
  return withDebugger(tabId, call, async (send) => {
    const dialog = dialogs.get()[tabId] ?? null;
    await send("Page.handleJavaScriptDialog", answerParams(dialog, { accept, text }));
    // The page may have opened the next one already.
    if ((dialogs.get()[tabId] ?? null) === dialog) setDialog(tabId, null);
  });
}

/**
 * Makes a page that is in the background behave as if it had the focus, so that focus events, timers and key events
 * work without bringing it to the front. Ends when the attachment rests.
 * @param {number} tabId
 * @param {Send} send
 */
export async function emulateFocus(tabId, send) {
  const { lent } = sessionOf(tabId);
  if (lent.has("focus")) return;
  if (await isInFront(tabId)) return;
  await lent.lend("focus", /** @type {never} */ (send));
}

/**
 * Switches a state on in a tab to which the debugger is attached, until the attachment rests.
 * @param {number} tabId
 * @param {import("./lent-states.js").Name} name
 * @param {Send} [send]
 */
export async function lend(tabId, name, send) {
  const session = sessionOf(tabId);
  await session.lent.lend(name, /** @type {never} */ (send));
  scheduleIdle(session);
}
