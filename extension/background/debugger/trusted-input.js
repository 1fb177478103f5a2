/*
 * How an act reaches the page: by DOM events from the content scripts, or as trusted input through the debugger.
 */
import { assertAnswering } from "./blocked-page.js";
import { attachmentsKnown, emulateFocus, isAttached, onDialog, withDebugger } from "./attachment.js";
import { TabwireError } from "../base/errors.js";
import { assertBegun } from "../calls/outcome.js";
import { assertDestination } from "../rules/permissions.js";
import { assertInputInReach } from "../rules/allowed-origins.js";
import { untilReplaced } from "../page/replaced-documents.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./attachment.js").Send} Send */

/** What ends input that has begun, by its type or its command. */
const RELEASES = new Set(["keyUp", "mouseReleased", "Input.cancelDragging"]);
const isRelease = (/** @type {string} */ method, /** @type {any} */ params) => RELEASES.has(params?.type ?? method);

/** A dialog opened while the act was under way: the act has ended, though the page does not answer. */
class DialogOpened extends Error {
  constructor(dialog) {
    super("a dialog opened");
    this.dialog = dialog;
  }
}

/**
 * @param {CallContext} call
 * @param {boolean} needsTrusted DOM events cannot do the whole job
 * @returns {Promise<"dom"|"trusted">}
 */
export async function chooseInput(call, needsTrusted) {
  if (call.client.input !== "auto") return call.client.input;
  await attachmentsKnown;
  return needsTrusted || call.client.launched || isAttached(call.tab.id) ? "trusted" : "dom";
}

/**
 * The answer to a command; Chrome never gives that of a page which another one has replaced meanwhile.
 * @param {number} tabId
 * @param {Promise<any>} command
 */
async function answered(tabId, command) {
  const over = new AbortController();
  const replaced = untilReplaced(tabId, 0, over.signal).then(() => {
    throw new TabwireError("stale_element_reference", "the page was replaced by a navigation; take a new snapshot", { cause: "navigated" });
  });
  replaced.catch(() => {});
  try {
    return await Promise.race([command, replaced]);
  } finally {
    over.abort();
  }
}

/**
 * Runs work with trusted input; returns early, saying so, when a dialog opens.
 * @param {CallContext} call
 * @param {(send: Send) => Promise<object>} work
 */
export async function runTrusted(call, work) {
  const tabId = call.tab.id;
  const over = new AbortController();
  try {
    return await withDebugger(tabId, call, async (send) => {
      assertAnswering(tabId);
      const focused = emulateFocus(tabId, send);
      focused.catch(() => {});
      // In the tab in front nothing changes for the page, which can be asked meanwhile.
      if (!call.tab.active) await focused;
      let isStopped = false;
      /** @type {Promise<unknown>} */
      let checked = Promise.resolve();
      const opened = onDialog(tabId, over.signal).then((dialog) => {
        isStopped = true;
        throw new DialogOpened(dialog);
      });
      opened.catch(() => {});
      const gated = async (method, params) => {
        await focused;
        if (call.signal.aborted && !isRelease(method, params)) throw call.signal.reason;
        // Chrome drops what a page with a dialog is given, but for text, which it gives to whatever has the focus afterwards.
        if (isStopped && !isRelease(method, params)) await opened;
        if (call.onlyOrigins && method.startsWith("Input.")) {
          // One after the other, so that a release does not overtake its press. What is down is always released.
          checked = checked.then(() => assertInputInReach(call));
          await (isRelease(method, params) ? checked.catch(() => {}) : checked);
        }
        if (method.startsWith("Input.") && !isRelease(method, params)) assertDestination(call, tabId);
        if (method.startsWith("Input.")) call.effects?.onset?.offerTrusted(params);
        return Promise.race([answered(tabId, send(method, params)), opened]);
      };
      const working = work(gated);
      working.catch(() => {});
      return await Promise.race([working, opened]);
    });
  } catch (error) {
    if (!(error instanceof DialogOpened)) throw error;
    await assertBegun(call, error.dialog);
    const { type, message } = error.dialog;
    return { dialog: { type, message } };
  } finally {
    over.abort();
  }
}

/**
 * Notes the input of an act, for the case that a dialog keeps the act from telling its end.
 * @param {CallContext} call
 * @param {"dom"|"trusted"} input
 */
export function noteInput({ effects }, input) {
  if (effects) effects.known.input = input;
  return input;
}

/**
 * Runs an act in the mode of the call. In auto mode an act that cannot have the debugger falls back to DOM events.
 * @param {CallContext} call
 * @param {{needsTrusted?: boolean, trusted: (send: Send) => Promise<any>, dom: () => Promise<any>}} ways
 * @returns {Promise<any>} the result, with the `input` it used
 */
export async function act(call, { needsTrusted = false, trusted, dom }) {
  const input = noteInput(call, await chooseInput(call, needsTrusted));
  if (input === "dom") return { input, ...await dom() };
  try {
    return { input, ...await runTrusted(call, trusted) };
  } catch (error) {
    if (!error.data?.attach || call.client.input === "trusted") throw error;
    noteInput(call, "dom");
    const result = await dom();
    const note = [`DOM events were used, because ${error.message}`, result.note].filter(Boolean).join(". ");
    return { input: "dom", ...result, note };
  }
}
