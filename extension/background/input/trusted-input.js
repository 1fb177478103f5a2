/*
 * Ways in which an act reaches the page: by DOM events from the content scripts, or as trusted input through the debugger.
 */
import { PAUSED } from "../debugger/script-pauses.js";
import { assertAnswering } from "../debugger/blocked-page.js";
import { attachmentsKnown, emulateFocus, isAttached, onDialog, useDebugger } from "../debugger/attachment.js";
import { navigatedAway, TabwireError } from "../base/errors.js";
import { assertDestination } from "../rules/permissions.js";
import { assertInputInReach } from "../rules/allowed-origins.js";
import { tabIdOf } from "../page/element-lookup.js";
import { unlessReplaced } from "../base/navigation-events.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../debugger/attachment.js").Dialog} Dialog */
/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {{type?: string, button?: string, text?: string}} TrustedParams of a command with input */

/** Types and commands that end input that has begun. */
const RELEASES = new Set(["keyUp", "mouseReleased", "Input.cancelDragging"]);
const isRelease = (/** @type {string} */ method, /** @type {any} */ params) => RELEASES.has(params?.type ?? method);

/** A dialog opened while the act was under way: the act has ended, though the page does not answer. */
class DialogOpened extends Error {
  /** @param {Dialog} dialog */
  constructor(dialog) {
    super("a dialog opened");
    this.dialog = dialog;
  }
}

/**
 * The two ways in which an act can be done. `mayDecline`: events that are known not to be enough are not fired, and the result
 * says `declined`. So does trusted input that cannot reach its element, with the reason, before it has done anything.
 * @template What
 * @typedef {object} Ways
 * @property {(send: Send, call: CallContext, what: What) => Promise<any>} trusted
 * @property {(call: CallContext, what: What, mayDecline: boolean) => Promise<any>} dom
 */

/**
 * Whether Chrome has given a tab no size, as it does where it has loaded a discarded one again and not shown it: the pointer
 * reaches nothing there.
 * @param {chrome.tabs.Tab|undefined} tab
 */
const isWithoutView = (tab) => tab?.width === 0 && tab.height === 0;

/**
 * @param {CallContext} call
 * @param {boolean} needsTrusted DOM events cannot do the whole job
 * @returns {Promise<"dom"|"trusted">}
 */
export async function chooseInput(call, needsTrusted) {
  if (call.client.input !== "auto") return call.client.input;
  if (isWithoutView(call.tab)) return "dom";
  await attachmentsKnown;
  return needsTrusted || call.client.launched || isAttached(tabIdOf(call)) ? "trusted" : "dom";
}

/** @typedef {{where?: {frame: {frameId: number}} | null} | undefined} Placed */

/** The frame of the element of an act; the top one where it has none. @param {unknown} what */
const frameOf = (what) => /** @type {Placed} */ (what)?.where?.frame.frameId ?? 0;

/**
 * The answer to a command; Chrome never gives that of a page, or of a frame, which another one has replaced meanwhile.
 * @param {number} tabId
 * @param {number} frameId
 * @param {Promise<any>} command
 */
const answered = (tabId, frameId, command) => unlessReplaced(tabId, frameId, command, () =>
  navigatedAway(`the ${frameId ? "frame" : "page"} was replaced by a navigation; take a new snapshot`));

/**
 * Does an act with trusted input; returns early, saying so, when a dialog opens.
 * @template What
 * @param {CallContext} call
 * @param {Ways<What>["trusted"]} trusted
 * @param {What} what
 */
export async function runTrusted(call, trusted, what) {
  const over = new AbortController();
  try {
    return await underDebugger(call, trusted, what, over.signal);
  } catch (error) {
    if (!(error instanceof DialogOpened)) throw error;
    await call.observation?.assertBegun(error.dialog, call.method);
    const { type, message } = error.dialog;
    return type === PAUSED ? {} : { dialog: { type, message } };
  } finally {
    over.abort();
  }
}

/**
 * @template What
 * @param {CallContext} call @param {Ways<What>["trusted"]} trusted @param {What} what @param {AbortSignal} over
 */
async function underDebugger(call, trusted, what, over) {
  const tabId = tabIdOf(call);
  const { send, release } = await useDebugger(tabId, call);
  try {
    assertAnswering(tabId);
    // A page that is given the focus meanwhile would hear of it twice: from the element's own focus, and from this one.
    await emulateFocus(tabId, send);
    await call.observation?.requests.listen();
    const gate = gateOf(call, send, over, frameOf(what));
    const working = trusted(gate.send, call, what).catch((error) => { throw gate.isPartSent() ? halfDone(error) : error; });
    working.catch(() => {});
    return await Promise.race([working, gate.opened]);
  } finally {
    release();
  }
}

/**
 * The debugger was lost under an act: what the page may have of it must not be done again in another way.
 * @param {TabwireError} error
 */
function halfDone(error) {
  if (!error.data?.attach && !error.data?.lost) return error;
  const { attach: _, lost: __, ...data } = error.data;
  const message = `a part of it may be done, then the debugger was lost: ${error.message}. Look at the page before you try again`;
  return new TabwireError("outcome_unknown", message, data);
}

/**
 * Commands that go to the page only where and while the act may go on.
 * @param {CallContext} call
 * @param {Send} send
 * @param {AbortSignal} over
 * @param {number} frameId
 * @returns {{send: Send, opened: Promise<never>, isPartSent: () => boolean}} opened: rejects when a dialog opens; isPartSent:
 *   whether Chrome was given input that is a part of the act itself, and has not refused all of it
 */
function gateOf(call, send, over, frameId) {
  const tabId = tabIdOf(call);
  const { actStart } = call.observation ?? {};
  let isStopped = false;
  let parts = 0;
  /** @type {Promise<unknown>} */
  let checked = Promise.resolve();
  const opened = onDialog(tabId, over).then((dialog) => {
    isStopped = true;
    throw new DialogOpened(dialog);
  });
  opened.catch(() => {});
  /** @type {Send} */
  const gated = async (method, ...params) => {
    if (method.startsWith("Input.")) await call.observation?.starts;
    const isEnd = isRelease(method, params[0]);
    if (call.signal.aborted && !isEnd) throw call.signal.reason;
    // Chrome drops what a page with a dialog is given, but for text, which it gives to whatever has the focus afterwards.
    if (isStopped && !isEnd) await opened;
    if (method.startsWith("Input.")) {
      if (call.onlyOrigins) {
        // Checks run one by one, so that a release does not overtake its press. A pressed key or button is always released.
        checked = checked.then(() => assertInputInReach(call));
        await (isEnd ? checked.catch(() => {}) : checked);
      }
      if (!isEnd) assertDestination(call, tabId);
    }
    const isPart = method.startsWith("Input.") && actStart?.offerTrusted(/** @type {TrustedParams} */ (params[0] ?? {}));
    const answer = send(method, ...params);
    if (isPart) {
      parts += 1;
      answer.catch(({ data }) => { if (data?.attach && !data.lost) parts -= 1; });
    }
    return Promise.race([answered(tabId, frameId, answer), opened]);
  };
  return { send: gated, opened, isPartSent: () => parts > 0 };
}

/**
 * Notes the input of an act, for the case that a dialog keeps the act from telling its end.
 * @param {CallContext} call
 * @param {"dom"|"trusted"} input
 */
export function noteInput({ observation }, input) {
  observation?.noteResult({ input });
  return input;
}

/**
 * Decides how an act reaches the page, and does it: with trusted input where DOM events are not enough, or do not say so
 * themselves. In auto mode an act that cannot have the debugger falls back to DOM events.
 * @template What
 * @param {CallContext} call
 * @param {Ways<What>} ways
 * @param {What} what
 * @param {boolean} [needsTrusted] DOM events cannot do the whole job
 * @returns {Promise<any>} the result, with the `input` it used
 */
export async function act(call, ways, what, needsTrusted = false) {
  const input = noteInput(call, await chooseInput(call, needsTrusted));
  if (input === "dom") {
    const result = await ways.dom(call, what, !needsTrusted && call.client.input === "auto");
    return result.declined ? act(call, ways, what, true) : { input, ...result };
  }
  try {
    const { declined, ...result } = await runTrusted(call, ways.trusted, what);
    if (!declined) return { input, ...result };
    if (call.client.input === "trusted")
      throw new TabwireError("element_not_interactable", `${declined}. Nothing was done; use serve --input auto for DOM events`);
    return await actByEvents(call, ways, what, declined);
  } catch (error) {
    if (!error.data?.attach || call.client.input === "trusted") throw error;
    return actByEvents(call, ways, what, error.message);
  }
}

/**
 * Does by DOM events what trusted input could not do.
 * @template What
 * @param {CallContext} call @param {Ways<What>} ways @param {What} what @param {string} reason
 */
async function actByEvents(call, ways, what, reason) {
  noteInput(call, "dom");
  const result = await ways.dom(call, what, false);
  const note = [`DOM events were used, because ${reason}`, result.note].filter(Boolean).join(". ");
  return { input: "dom", ...result, note };
}
