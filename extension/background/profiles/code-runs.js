/*
 * Runs that measure the code of a tab: the debugger is held while one lasts. Times come from a trace, which follows the tab
 * through all of its processes; the use of rules is tracked in the page and in each frame with a session of its own.
 */
import { ownCall } from "../rules/call-parts.js";
import { ifInTime } from "../base/deadline.js";
import { said, unsupported } from "../base/errors.js";
import { TabMap } from "../base/tabs.js";
import { webOriginOf } from "../base/url.js";
import { onEvent } from "../debugger/attachment.js";
import { childrenOf, declareFollower, followChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { declarePurpose, onUnknown, hold, release } from "../debugger/holds.js";
import { trackStyles } from "../debugger/style-tracking.js";
import { onCrash } from "../tabs/crashes.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"profiles.code_profile">["measure"]} Measure */
/** @typedef {{session: string|undefined, send: Send}} Part  a document, or several, with a session of its own */
/** @import { Event, Protocol, Send } from "../debugger/commands" */

const PURPOSE = "profiles.code_profile";
const LIMIT_MS = 3_000;
/** Time to read the result of a run that ended by itself. */
const RESULT_MS = 30_000;
const TRACE = {
  transferMode: /** @type {const} */ ("ReportEvents"),
  traceConfig: {
    recordMode: /** @type {const} */ ("recordUntilFull"), traceBufferSizeInKb: 200_000, excludedCategories: ["*"],
    includedCategories: ["disabled-by-default-v8.cpu_profiler"],
  },
};
/** @type {Record<string, string>} */
const ENDINGS = {
  canceled_by_user: "the user ended debugging (Cancel in the browser's bar), and the run with it; ask before you go on",
  target_closed: "the page was closed or crashed, and the run with it; start it again",
  led_out: "the page led to another program or to a page that extensions may not see, and the run ended; start it again",
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
    this.began = Date.now();
    this.seconds = 0;
    this.navigations = 0;
    /** Origins of the documents that the tab has shown. @type {Set<string|undefined>} */
    this.origins = new Set([webOriginOf(call.tab.url ?? "")]);
    /** Whether the debugger is not held for it any more. */
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
    if (this.result || method !== "Page.frameNavigated" || params.frame.parentId) return;
    this.navigations += 1;
    this.origins.add(webOriginOf(params.frame.url));
  }

  /** @param {Send} send @param {string} type */
  async begin(send, type) {
    if (this.measure === "time" || !hasStyles(type)) return;
    // Sent at once: a frame that waits for its start is let go right after.
    await Promise.all([send("DOM.enable"), send("CSS.enable"), send("CSS.startRuleUsageTracking")]);
  }

  /** @param {string|undefined} session @param {Protocol.CSS.RuleUsage[]} used */
  noteRules(session, used) {
    this.usedRules.set(session, [...(this.usedRules.get(session) ?? []), ...used]);
  }

  /** The documents with sessions of their own. @returns {Part[]} */
  get parts() {
    const frames = childrenOf(this.tabId).filter(([, { type }]) => hasStyles(type)).map(([session]) => session);
    return [undefined, ...frames].map((session) => ({ session, send: senderOf(this.tabId, session) }));
  }

  /** Reads the result, once. @param {TabCall} call */
  finish(call) {
    clearTimeout(this.timer);
    if (!this.result) this.seconds = (Date.now() - this.began) / 1000;
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
  wants: (tabId) => runs.get(tabId)?.isOver === false && runs.get(tabId)?.measure === "styles",
  prepare: async (send, { type }, tabId) => runs.get(tabId)?.begin(send, type),
});

declarePurpose(PURPOSE, {
  async undo(tabId, send) {
    const run = runs.get(tabId);
    if (run) run.isOver = true;
    trackStyles(tabId, null);
    if (run?.measure !== "styles") return void (await ifInTime(send("Tracing.end"), LIMIT_MS));
    await Promise.all(run.parts.map((part) =>
      ifInTime(Promise.allSettled([part.send("CSS.disable"), part.send("DOM.disable")]), LIMIT_MS)));
    await leaveChildren(tabId, send);
  },
  ended: (tabId, reason) => {
    const run = runs.get(tabId);
    // One that ended by its limit waits to be told.
    if (run?.result) run.close();
    else if (run) forget(tabId, ENDINGS[reason ?? ""] ?? STOPPED);
  },
});

onCrash((tabId) => {
  if (runs.get(tabId)?.result === null) void give(tabId, CRASHED);
});

// What an earlier worker began is not known any more.
void onUnknown(PURPOSE, runs, (tabId) => give(tabId, RESTARTED));

/** @param {number} tabId @param {string} [why] */
function forget(tabId, why) {
  runs.get(tabId)?.close();
  runs.delete(tabId);
  if (why) endings.set(tabId, why);
}

/** Ends a run without a result. @param {number} tabId @param {string} why */
async function give(tabId, why) {
  await release(tabId, PURPOSE, ownCall("", LIMIT_MS * 2)).catch(() => {});
  forget(tabId, why);
}

/** The run of a client in a tab, and the reason why there is none any more. @param {TabCall} call */
export function runIn({ tab: { id: tabId }, client }) {
  const run = runs.get(tabId);
  const isOwn = run?.call.client.id === client.id;
  if (run && !isOwn && !run.isOver) throw unsupported(
    "another client measures the code of this tab; wait until it has ended, or use another tab");
  return { run: isOwn ? run : undefined, ended: endings.get(tabId) };
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
      await (wanted.measure === "time" ? trace(send) : followStyles(run, send));
    } catch (error) {
      forget(tabId);
      throw error;
    }
    run.began = Date.now();
    run.timer = setTimeout(() => void endByItself(run), wanted.max_time * 1000);
    return run;
  });
}

/** @param {Send} send */
async function trace(send) {
  await send("Tracing.start", TRACE).catch((error) => {
    if (!/already been started/i.test(error.message)) throw error;
    throw unsupported(`Chrome records one trace at a time (${said(error.message)}); ` +
      "stop the capture with trace, or the recording in DevTools, and start again");
  });
}

/** @param {CodeRun<unknown>} run @param {Send} send */
async function followStyles(run, send) {
  await run.begin(send, "page");
  trackStyles(run.tabId, (session, used) => run.noteRules(session, used));
  await followChildren(run.tabId, send);
}

/** @param {CodeRun<any>} run */
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
