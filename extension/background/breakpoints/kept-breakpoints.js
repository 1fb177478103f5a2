/*
 * The breakpoints of a tab, in its page and in all frames and workers with sessions of their own, and the pauses that they make.
 * The engine pauses; what is decided here is whether a pause is one: a logpoint, a false condition, scripts of extensions, and
 * documents that may not be read run on.
 */
import { ownCall } from "../rules/call-parts.js";
import { ifInTime, within } from "../base/deadline.js";
import { TabMap } from "../base/tabs.js";
import { onEvent, reportPause } from "../debugger/attachment.js";
import {
  childrenOf, declareFollower, followChildren, leaveChildren, senderOf, sessionsBelow,
} from "../debugger/child-sessions.js";
import { declarePurpose, onUnknown, hold, release } from "../debugger/holds.js";
import { contextOf } from "../debugger/remote-values.js";
import { isEnding, PAUSED, setKeeper } from "../debugger/script-pauses.js";
import { Documents } from "../documents/documents.js";
import { useRuntime } from "../documents/runtime-domain.js";
import { onRulesChanged } from "../rules/site-rules.js";
import { inTurn } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { onCrash } from "../tabs/crashes.js";
import { apply, lift } from "./breakpoint-commands.js";
import { begins, forgetQuick, isBeginning, slow } from "./hot-conditions.js";
import { judged } from "./judgement.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/script-pauses.js").KnownScript} Script */
/** @typedef {import("./breakpoint-commands.js").Breakpoint} Breakpoint */
/** @typedef {import("./breakpoint-commands.js").PausedParams} PausedParams */
/** @import { Event, EventParams, Protocol, Send } from "../debugger/commands" */
/**
 * A pause. within: the address of its document, where that is not the page itself; breakpoint: number of the one that was hit
 * @typedef {{session: string|undefined, params: PausedParams, place: string, within?: string, breakpoint?: number}} Pause
 */

const PURPOSE = "breakpoints.breakpoints";
const MAX_SCRIPTS = 5_000;
const LIMIT_MS = 2_000;
/** Time to find the place of a pause in the sources before it is told. */
const PLACE_MS = 400;
const ASYNC_DEPTH = 8;
const CRASHED = "the page crashed, and its breakpoints went with it; set them again";
const EXTENSIONS = /^chrome-extension:/;
const MAX_ADDRESS = 300;

/** @type {Map<number, Kept>} */
const tabs = new Map();
/** Tab → the reason why its breakpoints went by themselves. @type {TabMap<string>} */
const endings = new TabMap();

/** The breakpoints of one tab. */
export class Kept {
  /** @param {TabCall} call */
  constructor(call) {
    this.tabId = call.tab.id;
    this.call = call;
    /** @type {Map<number, Breakpoint>} */
    this.breakpoints = new Map();
    /** Breakpoints that are being removed. @type {Set<Breakpoint>} */
    this.lifting = new Set();
    /** @type {Script[]} */
    this.scripts = [];
    this.documents = new Documents(this.tabId);
    /** Sessions with the debugger on: what is compiled from then on is for one document alone. @type {Set<string|undefined>} */
    this.live = new Set();
    /** Session → what the engine decides there. @type {Map<string|undefined, import("./breakpoint-commands.js").Quick>} */
    this.quick = new Map();
    /** Session → its pause. @type {Map<string|undefined, Pause>} */
    this.pauses = new Map();
    /** Session → number of times that it has stopped or gone on. @type {Map<string|undefined, number>} */
    this.turns = new Map();
    /** Sessions in which a step is under way. @type {Set<string|undefined>} */
    this.stepping = new Set();
    this.last = 0;
    this.maxPause = 60;
    this.leaving = 0;
    this.hasEnded = false;
    /** @type {Set<() => void>} */
    this.waiting = new Set();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.until = 0;
    const stops = [onEvent(this.tabId, (...event) => this.note(event)), onRulesChanged(() => this.rulesChanged())];
    this.leaveRuntime = useRuntime(this.tabId);
    this.stop = () => { for (const stop of stops) stop(); };
  }

  /** Breakpoints outlast the call that sets one: what is allowed for it once is allowed for them. @param {TabCall} call */
  take(call) {
    this.call = { ...call, grants: call.grants.with(this.call.grants) };
  }

  /** The first pause. @returns {Pause|undefined} */
  get first() {
    return this.pauses.values().next().value;
  }

  /** The same as it stands among dialogs. @returns {import("../debugger/script-pauses.js").Pause|null} */
  get pause() {
    return this.first ? { type: PAUSED, message: this.first.place } : null;
  }

  /**
   * Sends at once what a session needs: one that waits for its start is let go right after. Breakpoints are set again when the
   * debugger is on: Chrome may run the commands that set them ahead of the one that turns it on, and then they fail. Where a
   * breakpoint is set already, the engine refuses a second one.
   * @param {Send} send @param {string|undefined} session
   */
  prepare(send, session) {
    const place = () => Promise.allSettled([...this.breakpoints.values()].map((one) => apply(send, one)));
    const enabled = send("Debugger.enable").then(() => this.live.add(session));
    return Promise.allSettled([
      this.documents.learn(session, send),
      enabled,
      send("Debugger.setSkipAllPauses", { skip: false }),
      send("Debugger.setBlackboxPatterns", { patterns: ["^chrome-extension://"] }),
      send("Debugger.setAsyncCallStackDepth", { maxDepth: ASYNC_DEPTH }),
      place(),
      enabled.then(place),
    ]);
  }

  /** @returns {Array<string|undefined>} the tab's own session first */
  get sessions() {
    return [undefined, ...childrenOf(this.tabId).map(([session]) => session)];
  }

  /** @param {Event} event */
  note(event) {
    const [method, params, session] = event;
    this.documents.note(event);
    if (this.hasEnded) {
      // Chrome sets all of them again in the page after a crashed one, and what the crashed one was sent is lost.
      if (method === "Inspector.targetReloadedAfterCrash") void endFor(this.tabId, CRASHED);
    } else if (method === "Debugger.scriptParsed" && this.scripts.length < MAX_SCRIPTS)
      this.scripts.push({ ...params, session, isAlone: this.live.has(session) });
    else if (method === "Debugger.paused") void this.stopped(params, session);
    else if (method === "Debugger.resumed") this.wentOn(session);
    else if (method === "Inspector.targetCrashed" && session === undefined) this.crashed();
    else if (method === "Page.frameNavigated") this.navigated(params);
    else if (method === "Target.detachedFromTarget")
      for (const gone of [...sessionsBelow(this.tabId, params.sessionId), params.sessionId])
        this.forget(({ session: own }) => own === gone, gone);
  }

  /** @param {EventParams<"Page.frameNavigated">} navigation */
  navigated({ frame: { id, parentId }, type }) {
    if (parentId) return this.forget(({ executionContextAuxData: world }) => world?.frameId === id);
    this.leaving = 0;
    this.forget(({ session }) => session === undefined, undefined, true);
    if (type === "BackForwardCacheRestore") this.restored();
    for (const [number, one] of this.breakpoints) if (one.kind === "element") this.breakpoints.delete(number);
  }

  /**
   * Forgets scripts, and the pause of a session that is gone.
   * @param {(script: Script) => boolean} isGone @param {string} [session] @param {boolean} [isTab] the tab's own session
   */
  forget(isGone, session, isTab = false) {
    this.scripts = this.scripts.filter((script) => !isGone(script));
    if (session === undefined && !isTab) return;
    this.wentOn(session);
    if (isTab) return;
    this.live.delete(session);
    forgetQuick(this, session);
  }

  /** A page that was kept has scripts from before the debugger was on, and frames that Chrome does not report again. */
  restored() {
    this.live.delete(undefined);
    void this.documents.learn(undefined).catch(() => {});
  }

  /** @param {string|undefined} session */
  wentOn(session) {
    this.turns.set(session, (this.turns.get(session) ?? 0) + 1);
    this.pauses.delete(session);
    if (!this.pauses.size) clearTimeout(this.timer);
  }

  /** @param {PausedParams} params @param {string|undefined} session */
  async stopped(params, session) {
    if (isEnding(this.tabId)) return;
    if (isBeginning(params)) return begins(this, params, session);
    const turn = (this.turns.get(session) ?? 0) + 1;
    this.turns.set(session, turn);
    const [top] = params.callFrames;
    const breakpoint = this.isReported(top, session) ? await judged(this, params, session).catch(() => undefined) : null;
    // A rule may have been added since.
    if (breakpoint === null || !this.isReported(top, session)) return this.goOn(params, session);
    const [place, within] = [await this.placeOf(top, session), this.addressBeside(top, session)];
    if (this.turns.get(session) !== turn || this.hasEnded) return;
    this.stepping.delete(session);
    const own = breakpoint && { breakpoint: breakpoint.id };
    this.pauses.set(session, { session, params, place, ...(within && { within }), ...own });
    this.touch();
    for (const wake of this.waiting) wake();
    reportPause(this.tabId, /** @type {import("../debugger/script-pauses.js").Pause} */ (this.pause));
  }

  /**
   * Whether a pause in a frame is reported: it is of the page's own world, in a document that may be read.
   * @param {Protocol.Debugger.CallFrame|undefined} frame @param {string|undefined} session
   */
  isReported(frame, session) {
    const context = contextOf(frame?.callFrameId);
    if (this.leaving || this.documents.isForeign(session, context)) return false;
    if (EXTENSIONS.test(this.scriptOf(frame, session)?.url ?? "")) return false;
    return !this.documents.refusalIn(session, context, "read", this.call);
  }

  /**
   * Lets a script run on without a word. A step that has led there goes back to where it came from.
   * @param {PausedParams} params @param {string|undefined} session
   */
  goOn({ callFrames }, session) {
    const isStep = this.stepping.has(session) && callFrames.slice(1).some((frame) => this.isReported(frame, session));
    if (!isStep) this.stepping.delete(session);
    void senderOf(this.tabId, session)(isStep ? "Debugger.stepOut" : "Debugger.resume").catch(() => {});
  }

  /** Checks again all that was allowed before. */
  rulesChanged() {
    for (const session of [...this.quick.keys()]) void slow(this, session);
    for (const [session, { params }] of [...this.pauses]) {
      if (this.isReported(params.callFrames[0], session)) continue;
      this.wentOn(session);
      this.goOn(params, session);
    }
  }

  /**
   * The script of a frame, which itself names no address.
   * @param {Protocol.Debugger.CallFrame|undefined} frame @param {string|undefined} session
   */
  scriptOf(frame, session) {
    return this.scripts.find(({ scriptId, session: own }) => scriptId === frame?.location.scriptId && own === session);
  }

  /**
   * Address of the document that a script runs in, where that is not the page itself.
   * @param {Protocol.Debugger.CallFrame|undefined} top @param {string|undefined} session
   */
  addressBeside(top, session) {
    const context = contextOf(top?.callFrameId);
    if (this.documents.isTop(session, context)) return undefined;
    return this.documents.addressesIn(session, context)?.[0].slice(0, MAX_ADDRESS);
  }

  /** @param {Protocol.Debugger.CallFrame|undefined} top @param {string|undefined} session */
  async placeOf(top, session) {
    if (!top) return "(no script)";
    const call = await this.ownCall();
    const { lineNumber: line, columnNumber: column = 0, scriptId } = top.location;
    const url = this.scriptOf(top, session)?.url ?? "";
    const built = `${new Positions([], call).short(url)}:${line + 1}:${column + 1}`;
    const placed = this.positionsFor([top], session, call)
      .then((positions) => positions.place({ name: "", url, line, column, scriptId, session }));
    return within(placed.then(({ told }) => told.place, () => built), PLACE_MS, () => built);
  }

  /**
   * Positions in the scripts that may be read, those of frames of a pause included.
   * @param {Protocol.Debugger.CallFrame[]} frames of readable documents @param {string|undefined} session @param {TabCall} call
   */
  async positionsFor(frames, session, call) {
    const positions = await Positions.among(this.scripts, this.documents, call);
    for (const { location: { scriptId } } of frames) positions.allow({ scriptId, session });
    return positions;
  }

  /** The context of work for these breakpoints that no call does. @returns {Promise<TabCall>} */
  async ownCall() {
    const { client, onlyOrigins, grants, tab } = this.call;
    const now = await chrome.tabs.get(this.tabId).catch(() => tab);
    const context = ownCall(client.id, LIMIT_MS);
    return { ...context, client, onlyOrigins, grants: context.grants.with(grants), tab: /** @type {TabCall["tab"]} */ (now) };
  }

  /** Begins anew to count how long the pause lasts. */
  touch() {
    clearTimeout(this.timer);
    if (!this.pauses.size) return;
    this.until = Date.now() + this.maxPause * 1000;
    const why = `the page was paused for ${this.maxPause} s without a call of paused, so it runs on and all breakpoints are ` +
      "gone; set them again (max_pause allows more)";
    this.timer = setTimeout(() => endFor(this.tabId, why), this.maxPause * 1000);
  }

  /**
   * Resolves with the next pause, or that there is.
   * @param {number} ms @param {AbortSignal} signal @returns {Promise<Pause|undefined>}
   */
  async untilPaused(ms, signal) {
    if (this.first || ms <= 0) return this.first;
    const { promise, resolve } = Promise.withResolvers();
    const wake = () => resolve(undefined);
    this.waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    await within(promise, ms).finally(() => this.waiting.delete(wake));
    return this.first;
  }

  /** Lets the page run on while it is left. */
  leave() {
    this.leaving += 1;
    for (const session of this.pauses.keys()) void senderOf(this.tabId, session)("Debugger.resume").catch(() => {});
    for (const session of [...this.pauses.keys()]) this.wentOn(session);
    return () => { this.leaving = 0; };
  }

  /** The page is gone, and with it all but what Chrome itself keeps for the next one. */
  crashed() {
    endings.set(this.tabId, CRASHED);
    this.end();
    setKeeper(this.tabId, null);
  }

  close() {
    this.end();
    this.stop();
    this.leaveRuntime();
  }

  end() {
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.pauses.clear();
    for (const wake of this.waiting) wake();
  }
}

declareFollower({
  wants: (tabId) => tabs.get(tabId)?.hasEnded === false,
  prepare: async (send, _, tabId, session) => tabs.get(tabId)?.prepare(send, session),
});

declarePurpose(PURPOSE, {
  isAct: true,
  async undo(tabId, send) {
    const kept = tabs.get(tabId);
    const all = [...(kept?.breakpoints.values() ?? [])];
    if (kept) kept.hasEnded = true;
    // DevTools of the person would keep a pause that they only share.
    for (const session of kept?.pauses.keys() ?? []) void senderOf(tabId, session)("Debugger.resume").catch(() => {});
    const senders = [send, ...childrenOf(tabId).map(([session]) => senderOf(tabId, session))];
    const isOver = kept?.leaveRuntime() ?? false;
    await Promise.all(senders.map((one) => ifInTime(Promise.allSettled([
      ...all.map((each) => lift(one, each)), one("Debugger.disable"), isOver ? one("Runtime.disable") : undefined,
    ]), LIMIT_MS)));
    await leaveChildren(tabId, send);
  },
  ended: forgotten,
});

/** @param {number} tabId */
function forgotten(tabId) {
  tabs.get(tabId)?.close();
  tabs.delete(tabId);
  setKeeper(tabId, null);
}

/** The breakpoints of a tab. @param {number} tabId */
export const keptIn = (tabId) => (tabs.get(tabId)?.hasEnded ? undefined : tabs.get(tabId));

/** Reason why the breakpoints of a tab went by themselves. @param {number} tabId */
export const endingOf = (tabId) => endings.get(tabId);

/**
 * Ends all breakpoints of a tab: a paused page runs on.
 * @param {number} tabId @param {string} why
 */
async function endFor(tabId, why) {
  endings.set(tabId, why);
  await release(tabId, PURPOSE, ownCall("", LIMIT_MS * 2)).catch(() => {});
}

/**
 * Runs `work` with the breakpoints of a tab, which are kept from then on unless it fails and there are none.
 * @template T
 * @param {TabCall} call @param {(kept: Kept) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withKept(call, work) {
  const tabId = call.tab.id;
  return hold(tabId, PURPOSE, call, async (send) => {
    const known = keptIn(tabId);
    if (!known) forgotten(tabId);
    const kept = known ?? new Kept(call);
    if (!known) {
      tabs.set(tabId, kept);
      setKeeper(tabId, kept);
      endings.delete(tabId);
      // What others look at in between is over first.
      await inTurn(tabId, async () => {
        await send("Debugger.disable");
        await kept.prepare(send, undefined);
        await followChildren(tabId, send);
      });
    }
    try {
      return await work(kept);
    } catch (error) {
      if (!known) {
        const isOver = kept.leaveRuntime();
        forgotten(tabId);
        await send("Debugger.disable").catch(() => {});
        if (isOver) await send("Runtime.disable").catch(() => {});
        await leaveChildren(tabId, send);
      }
      throw error;
    }
  });
}

/**
 * Ends what is kept when the last breakpoint is gone.
 * @param {CallContext & TabCall} call
 */
export const dropKept = (call) => release(call.tab.id, PURPOSE, call);

onCrash((tabId) => keptIn(tabId)?.crashed());

// What an earlier worker kept is not known any more: its pages run on.
void onUnknown(PURPOSE, tabs, (tabId) => endFor(tabId, "the browser restarted the extension; set the breakpoints again"));
