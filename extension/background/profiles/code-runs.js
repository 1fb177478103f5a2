/*
 * Runs that measure the code of a tab: the debugger is held while one lasts, in the page and in all frames and workers with
 * sessions of their own. A document that takes the place of another one begins anew: Chrome keeps nothing of the one before.
 */
import { ownCall } from "../base/clients.js";
import { ifInTime } from "../base/deadline.js";
import { TabwireError } from "../base/errors.js";
import { TabMap } from "../base/tabs.js";
import { attachmentsKnown, onEvent } from "../debugger/attachment.js";
import { childrenOf, declareFollower, followChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { declarePurpose, hold, isHeldFor, release } from "../debugger/holds.js";
import { trackStyles } from "../debugger/style-tracking.js";
import { onCrash } from "../tabs/crashes.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {"time"|"coverage"} Measure */
/**
 * A part of a tab with a session of its own. isNewEngine: no part before has the same engine
 * @typedef {{session: string|undefined, send: Send, isNewEngine: boolean, hasStyles: boolean}} Part
 */
/** @import { Event, Protocol, Send } from "../debugger/commands" */

const PURPOSE = "performance.code_profile";
const LIMIT_MS = 3_000;
/** Time to read the result of a run that ended by itself. */
const RESULT_MS = 30_000;
const INTERVAL_US = 200;
/** The samples of a run come in one message. */
const MAX_SAMPLES = 300_000;
/** @type {Record<string, string>} */
const ENDINGS = {
  canceled_by_user: "the user ended the debugging of the tab (Cancel in the browser's bar) and the run with it; ask before you go on",
  target_closed: "the page was closed or crashed, and the run with it; start it again",
};
const STOPPED = "the run was ended from outside: by Stop in Tabwire, or as its client left; start it again";
const CRASHED = "the page crashed, and the run with it; load it again and start again";
const RESTARTED = "the browser restarted the extension, and the run is lost; start it again";

/** Tab → its run: one that lasts, or one that has ended by itself and was not told yet. @type {TabMap<CodeRun<any>>} */
const runs = new TabMap();
/** Tab → reason why its last run is gone. @type {TabMap<string>} */
const endings = new TabMap();

/**
 * A run.
 * @template Result
 */
export class CodeRun {
  /**
   * @param {TabCall} call @param {{measure: Measure, max_time: number}} wanted
   * @param {(run: CodeRun<any>, call: TabCall) => Promise<Result>} read
   */
  constructor(call, { measure, max_time: seconds }, read) {
    this.tabId = call.tab.id;
    this.call = call;
    this.measure = measure;
    this.maxTime = seconds;
    this.interval = Math.max(INTERVAL_US, Math.ceil((seconds * 1e6) / MAX_SAMPLES));
    this.began = Date.now();
    this.seconds = 0;
    this.navigations = 0;
    /** Frames and workers that went, with what was known of them. */
    this.gone = 0;
    /** Whether it has ended by itself. */
    this.isOver = false;
    /** Rules that were used before an interruption of the tracking. @type {Map<string|undefined, Protocol.CSS.RuleUsage[]>} */
    this.usedRules = new Map();
    this.read = read;
    /** @type {Promise<Result>|null} */
    this.result = null;
    this.stopListening = onEvent(this.tabId, (...event) => this.note(event));
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** @param {Event} event */
  note([method, params]) {
    if (this.result) return;
    if (method === "Page.frameNavigated" && !params.frame.parentId) this.navigations += 1;
    else if (method === "Target.detachedFromTarget") this.gone += 1;
  }

  /**
   * Sends at once what a session needs: one that waits for its start is let go right after.
   * @param {Send} send @param {boolean} hasStyles
   */
  prepare(send, hasStyles) {
    if (this.measure === "time")
      return [send("Profiler.enable"), send("Profiler.setSamplingInterval", { interval: this.interval }), send("Profiler.start")];
    const styles = hasStyles ? [send("DOM.enable"), send("CSS.enable"), send("CSS.startRuleUsageTracking")] : [];
    return [send("Profiler.enable"), send("Profiler.startPreciseCoverage", { callCount: true, detailed: true }), ...styles];
  }

  /** @param {string|undefined} session @param {Protocol.CSS.RuleUsage[]} used */
  noteRules(session, used) {
    this.usedRules.set(session, [...(this.usedRules.get(session) ?? []), ...used]);
  }

  /**
   * Frames and workers of the tab. Several may share an engine, which then tells each of them everything.
   * @returns {Promise<Part[]>}
   */
  async parts() {
    const children = childrenOf(this.tabId);
    const all = [
      { session: undefined, hasStyles: true },
      ...children.map(([session, { type }]) => ({ session, hasStyles: hasStyles(type) })),
    ].map((one) => ({ ...one, send: senderOf(this.tabId, one.session) }));
    const engines = await Promise.all(all.map(({ send }) =>
      ifInTime(send("Runtime.getIsolateId").then(({ id }) => id), LIMIT_MS)));
    return all.map((one, at) => ({ ...one, isNewEngine: engines[at] === undefined || engines.indexOf(engines[at]) === at }));
  }

  /** Reads the result, once. @param {TabCall} call */
  finish(call) {
    clearTimeout(this.timer);
    this.seconds = (Date.now() - this.began) / 1000;
    this.result ??= this.read(this, call);
    return this.result;
  }

  close() {
    clearTimeout(this.timer);
    this.stopListening();
    trackStyles(this.tabId, null);
  }
}

/** @param {string} type of a child */
const hasStyles = (type) => type === "iframe" || type === "page";

declareFollower({
  wants: (tabId) => runs.get(tabId)?.isOver === false,
  prepare: async (send, { type }, tabId) => Promise.allSettled(runs.get(tabId)?.prepare(send, hasStyles(type)) ?? []),
});

declarePurpose(PURPOSE, {
  async undo(tabId, send) {
    trackStyles(tabId, null);
    const senders = [send, ...childrenOf(tabId).map(([session]) => senderOf(tabId, session))];
    await Promise.all(senders.map((one) => ifInTime(Promise.allSettled([
      one("Profiler.disable"), ...(runs.get(tabId)?.measure === "coverage" ? [one("CSS.disable"), one("DOM.disable")] : []),
    ]), LIMIT_MS)));
    const run = runs.get(tabId);
    if (run) run.isOver = true;
    await leaveChildren(tabId, send);
  },
  ended: (tabId, reason) => {
    const run = runs.get(tabId);
    run?.close();
    // One that ended by its limit waits to be told.
    if (!run || run.result) return;
    forget(tabId, ENDINGS[reason ?? ""] ?? STOPPED);
  },
});

onCrash((tabId) => {
  if (runs.get(tabId)?.result === null) void give(tabId, CRASHED);
});

// What an earlier worker began is not known any more.
void attachmentsKnown.then(async () => {
  for (const { id = -1 } of await chrome.tabs.query({})) if (isHeldFor(id, PURPOSE) && !runs.has(id)) void give(id, RESTARTED);
});

/** @param {number} tabId @param {string} [why] */
function forget(tabId, why) {
  runs.get(tabId)?.close();
  runs.delete(tabId);
  if (why) endings.set(tabId, why);
}

/** Ends a run without a result. @param {number} tabId @param {string} why */
async function give(tabId, why) {
  forget(tabId, why);
  await release(tabId, PURPOSE, ownCall("", LIMIT_MS * 2)).catch(() => {});
}

/** The run of a tab, and the reason why there is none any more. @param {TabCall} call */
export function runIn({ tab: { id: tabId }, client }) {
  const run = runs.get(tabId);
  if (run && run.call.client.id !== client.id && !run.isOver) throw new TabwireError("unsupported_operation",
    "another client measures the code of this tab; wait until it has ended, or use another tab");
  return { run: run?.call.client.id === client.id ? run : undefined, ended: endings.get(tabId) };
}

/**
 * Begins to measure.
 * @template Result
 * @param {{measure: Measure, max_time: number}} wanted @param {TabCall} call
 * @param {(run: CodeRun<any>, call: TabCall) => Promise<Result>} read
 */
export function startRun(wanted, call, read) {
  const tabId = call.tab.id;
  return hold(tabId, PURPOSE, call, async (send) => {
    forget(tabId);
    endings.delete(tabId);
    const run = new CodeRun(call, wanted, read);
    runs.set(tabId, run);
    try {
      await Promise.all(run.prepare(send, true));
      if (wanted.measure === "coverage") trackStyles(tabId, (session, used) => run.noteRules(session, used));
      await followChildren(tabId, send);
    } catch (error) {
      forget(tabId);
      await send("Profiler.disable").catch(() => {});
      throw error;
    }
    run.began = Date.now();
    run.timer = setTimeout(() => void endByItself(run), wanted.max_time * 1000);
    return run;
  });
}

/** @param {CodeRun<unknown>} run */
async function endByItself(run) {
  const { tabId, call: { client, onlyOrigins, tab } } = run;
  const now = await chrome.tabs.get(tabId).catch(() => tab);
  const call = { ...ownCall(client.id, RESULT_MS), client, onlyOrigins, tab: /** @type {TabCall["tab"]} */ (now) };
  await run.finish(call).catch(() => {});
  await release(tabId, PURPOSE, ownCall(client.id, LIMIT_MS * 2)).catch(() => {});
}

/**
 * Ends a run, and reads its result.
 * @template Result
 * @param {CodeRun<Result>} run @param {TabCall} call
 */
export async function stopRun(run, call) {
  const { tabId } = run;
  try {
    return await run.finish(call);
  } finally {
    await release(tabId, PURPOSE, ownCall(call.client.id, LIMIT_MS * 2)).catch(() => {});
    if (runs.get(tabId) === run) forget(tabId);
  }
}
