/*
 * A script of the caller on its way: how its page stands, and how it is stopped when its time is up. Chrome itself ends a
 * script that overruns, but not what timers of the script do, nor a script whose call was cancelled. A page that does not
 * answer can still be paused, and what is paused can be ended, when the debugger was told beforehand that this may come.
 */
import { ifInTime } from "../base/deadline.js";
import { senderOf } from "./child-sessions.js";
import { onEvent, pendingDialog } from "./attachment.js";
import { keeperOf, PAUSED, whileEnding } from "./script-pauses.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { EventParams } from "./commands" */

/** A page that does not answer for so long is busy. */
const BUSY_MS = 400;
const PAUSE_MS = 300;
/** Telling the debugger costs a little for each script of the page: short scripts are over before. */
const GUARD_AFTER_MS = 100;
/** Loops that may have no end: these would not let it be told later. */
const MAY_LOOP = /\bwhile\b|\bdo\b|\bfor\s*\(\s*;/;

export class RunningScript {
  /** @param {number} tabId @param {string|undefined} sessionId @param {string} source @param {CallContext} call */
  constructor(tabId, sessionId, source, call) {
    this.tabId = tabId;
    this.sessionId = sessionId;
    this.call = call;
    this.send = senderOf(tabId, sessionId);
    this.hasBegun = false;
    this.isGuarded = false;
    /** @type {Promise<string>|undefined} */
    this.ending = undefined;
    /**
     * Hears where the page was paused when that is wanted.
     * @type {((paused: EventParams<"Debugger.paused">) => void)|undefined}
     */
    this.onPaused = undefined;
    this.stopListening = () => {};
    if (MAY_LOOP.test(source)) this.guard();
    else this.timer = setTimeout(() => this.guard(), GUARD_AFTER_MS);
    // A page that has just answered has come to it. Else it is asked just before the script: in the order in which they are sent.
    if (sessionId === undefined && call.observation?.begun.length) this.hasBegun = true;
    else this.answer().then(() => (this.hasBegun = true), () => {});
  }

  guard() {
    this.isGuarded = true;
    this.stopListening = onEvent(this.tabId, (method, params, sessionId) => {
      if (method !== "Debugger.paused" || sessionId !== this.sessionId) return;
      if (this.onPaused) this.onPaused(params);
      // A `debugger` statement in the page does not matter here, but where breakpoints are set somebody waits for it.
      else if (!keeperOf(this.tabId)) this.send("Debugger.resume").catch(() => {});
    });
    if (!keeperOf(this.tabId)) this.send("Debugger.enable").catch(() => {});
  }

  answer() {
    return this.send("Runtime.evaluate", { expression: "0" });
  }

  /** Stops the script where it keeps its page busy. @returns {Promise<string>} how it stands */
  end() {
    this.ending ??= this.state();
    return this.ending;
  }

  async state() {
    const held = pendingDialog(this.tabId);
    if (held) return held.type === PAUSED ? "a breakpoint has paused the page: call paused" : "a dialog is open";
    if (!this.hasBegun) return "the page was busy and has not come to it yet";
    if (await ifInTime(this.answer(), BUSY_MS)) return "its promise is still pending";
    if (await whileEnding(this.tabId, () => this.stop())) return "the script was still running and was stopped";
    return "the page is kept busy and cannot be stopped: wait, or close the tab (tab_close)";
  }

  /** @returns {Promise<boolean>} false when something else runs */
  async stop() {
    if (!this.isGuarded) return false;
    const paused = /** @type {Promise<EventParams<"Debugger.paused">>} */ (new Promise((resolve) => (this.onPaused = resolve)));
    try {
      await this.send("Debugger.pause");
      const where = await ifInTime(paused, PAUSE_MS);
      if (!where) return false;
      // Scripts of the page have an address.
      const isOwn = where.callFrames.some(({ url }) => url === "");
      await this.send("Debugger.resume", { terminateOnResume: isOwn });
      return isOwn;
    } catch {
      return false;
    } finally {
      this.onPaused = undefined;
    }
  }

  /** A paused script would go on if the debugger were told to leave before it is ended. */
  async close() {
    clearTimeout(this.timer);
    await this.ending;
    if (this.isGuarded && keeperOf(this.tabId)) this.stopListening();
    else if (this.isGuarded) this.send("Debugger.disable").catch(() => {}).then(this.stopListening);
  }
}
