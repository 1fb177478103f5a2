/*
 * Conditions that are often false. A pause takes some ms, so a loop would hold the page for long; the engine decides about a
 * condition in a hundredth of that. The engine knows no rules, so it gets the condition only for single scripts, of documents
 * where the client's scripts may run. While it has one, every script is paused before its first statement, to see whose it is.
 */
import { senderOf } from "../debugger/child-sessions.js";
import { contextOf } from "../debugger/remote-values.js";
import { isNothingBarred } from "../rules/site-rules.js";
import { holds } from "../sources/mapped-places.js";
import { apply, wholeOf } from "./breakpoint-commands.js";

/** @typedef {import("./breakpoint-commands.js").Breakpoints} Kept */
/** @typedef {import("./breakpoint-commands.js").Breakpoint} Breakpoint */
/** @typedef {import("./breakpoint-commands.js").PausedParams} PausedParams */
/** @typedef {import("../debugger/script-pauses.js").KnownScript} Script */
/** @typedef {string|undefined} Session */
/** False answers of a condition from which on the engine is to decide. */
const MANY = 40;
const BEFORE_SCRIPTS = { instrumentation: /** @type {const} */ ("beforeScriptExecution") };

/** Whether a pause is that of a script that is about to begin. @param {PausedParams} params */
export const isBeginning = ({ reason }) => reason === "instrumentation";

/**
 * Notes that a condition did not hold.
 * @param {Kept} kept @param {Breakpoint} one @param {PausedParams} params @param {Session} session
 */
export async function noteMiss(kept, one, { callFrames: [{ location: { scriptId } }] }, session) {
  const misses = (one.misses.get(session) ?? 0) + 1;
  one.misses.set(session, misses);
  const script = kept.scripts.find((known) => known.scriptId === scriptId && known.session === session);
  if (misses !== MANY || !one.location || !script || !isDecidable(kept, script)) return;
  await hasten(kept, one, session).catch(() => slow(kept, session));
}

/**
 * Whether all documents that run a script let the client's scripts run: its own one alone, or, where documents may share it, all
 * that there are, also in other tabs of the process.
 * @param {Kept} kept @param {Script} script
 */
function isDecidable({ documents, call }, { session, executionContextId, isAlone }) {
  const mayRun = (/** @type {number} */ id) => !documents.refusalIn(session, id, "script", call);
  return isAlone ? mayRun(executionContextId) : isNothingBarred() && documents.contextsOf(session).every(mayRun);
}

/** @param {Kept} kept @param {Breakpoint} one @param {Session} session */
async function hasten(kept, one, session) {
  const send = senderOf(kept.tabId, session);
  one.quick.set(session, []);
  for (const script of kept.scripts.filter((known) => known.session === session)) await setIn(kept, one, script);
  const known = kept.quick.get(session);
  if (known) known.ones.add(one);
  else {
    const { breakpointId: instrumentationId } = await send("Debugger.setInstrumentationBreakpoint", BEFORE_SCRIPTS);
    kept.quick.set(session, { instrumentationId, contexts: new Set(kept.documents.contextsOf(session)), ones: new Set([one]) });
  }
  await Promise.allSettled([...one.engineIds].map((breakpointId) => send("Debugger.removeBreakpoint", { breakpointId })));
}

/**
 * Sets a breakpoint in a script, unless it runs in a document alone where the client's scripts may not run.
 * @param {Kept} kept @param {Breakpoint} one @param {Script} script
 */
async function setIn(kept, one, script) {
  const { location, condition } = one;
  const { scriptId, session } = script;
  const own = one.quick.get(session);
  if (!location || script.url !== location.url || !own) return;
  const { lineNumber, columnNumber } = location;
  const isDecided = isDecidable(kept, script);
  if (!holds(script, { line: lineNumber, column: columnNumber }) || (script.isAlone && !isDecided)) return;
  const { breakpointId: engineId } = await senderOf(kept.tabId, session)("Debugger.setBreakpoint", {
    location: { scriptId, lineNumber, columnNumber }, ...(isDecided && { condition: wholeOf(condition) }),
  });
  own.push({ scriptId, engineId, isDecided });
}

/**
 * A script is about to begin: it runs on once what concerns it is set.
 * @param {Kept} kept @param {PausedParams} params @param {Session} session
 */
export async function begins(kept, { callFrames: [top], data }, session) {
  const quick = kept.quick.get(session);
  try {
    // A new document has many scripts: they are not paused one by one.
    if (!quick?.contexts.has(contextOf(top?.callFrameId))) return await slow(kept, session);
    const script = kept.scripts.find((one) => one.scriptId === data?.scriptId && one.session === session);
    if (script) for (const one of quick.ones) await setIn(kept, one, script);
  } catch {
    await slow(kept, session);
  } finally {
    void senderOf(kept.tabId, session)("Debugger.resume").catch(() => {});
  }
}

/**
 * The engine decides no longer: every hit is a pause again.
 * @param {Kept} kept @param {Session} session
 */
export async function slow(kept, session) {
  const send = senderOf(kept.tabId, session);
  const quick = kept.quick.get(session);
  kept.quick.delete(session);
  const all = [...kept.breakpoints.values()].filter((one) => one.quick.has(session));
  const ids = [quick?.instrumentationId, ...all.flatMap((one) => one.quick.get(session) ?? []).map(({ engineId }) => engineId)];
  for (const one of all) {
    one.quick.delete(session);
    one.misses.delete(session);
  }
  await Promise.allSettled([
    ...all.map((one) => apply(send, one)),
    ...ids.map((breakpointId) => breakpointId && send("Debugger.removeBreakpoint", { breakpointId })),
  ]);
}

/** Ends what the engine decides about a breakpoint that is removed. @param {Kept} kept @param {Breakpoint} one */
export function cool(kept, one) {
  for (const [session, { instrumentationId: breakpointId, ones }] of kept.quick) {
    if (!ones.delete(one) || ones.size) continue;
    kept.quick.delete(session);
    void senderOf(kept.tabId, session)("Debugger.removeBreakpoint", { breakpointId }).catch(() => {});
  }
}

/** Forgets what was set in a session that is gone. @param {Kept} kept @param {Session} session */
export function forgetQuick(kept, session) {
  kept.quick.delete(session);
  for (const one of kept.breakpoints.values()) one.quick.delete(session);
}
