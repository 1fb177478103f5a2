/*
 * Judgement on a pause, in a document that may be read: the breakpoint that has made it, its condition, and its log. What the
 * client has written runs only where its scripts may run.
 */
import { contextOf } from "../debugger/remote-values.js";
import { senderOf } from "../debugger/child-sessions.js";
import { ValueReader, written } from "../debugger/shown-values.js";
import { isHit, lift, setHere, wholeOf } from "./breakpoint-commands.js";
import { noteMiss } from "./hot-conditions.js";
import { lookWhilePaused } from "./paused-secrets.js";
import { strikeResult } from "../rules/secret-values.js";

/** @typedef {import("./breakpoint-commands.js").Breakpoints} Kept */
/** @typedef {import("./breakpoint-commands.js").Breakpoint} Breakpoint */
/** @typedef {import("./breakpoint-commands.js").PausedParams} PausedParams */
/** @import { Send } from "../debugger/commands" */

const MAX_LOGGED = 100;
/** Each log stops the page for a moment. */
const MAX_LOG_HITS = 1_000;
const MAX_LOG_CHARS = 1_000;
const GROUP = "tabwire.breakpoints";

/**
 * The breakpoint that has made a pause; null where all that were hit only log, or do not hold. Undefined: none was hit.
 * @param {Kept} kept @param {PausedParams} params @param {string|undefined} session
 * @returns {Promise<Breakpoint|null|undefined>}
 */
export async function judged(kept, params, session) {
  const hit = [...kept.breakpoints.values(), ...kept.lifting].filter((one) => isHit(one, params, session));
  const send = senderOf(kept.tabId, session);
  const mayRun = !kept.documents.refusalIn(session, contextOf(params.callFrames[0].callFrameId), "script", kept.call);
  /** @type {Breakpoint[]} */
  const holding = [];
  for (const one of hit) {
    const isScript = one.condition !== undefined || one.log !== undefined;
    if (kept.lifting.has(one) || (isScript && !mayRun)) continue;
    if (one.condition && !setHere(one, params, session)?.isDecided && !(await isTrue(one.condition, params, send))) {
      await noteMiss(kept, one, params, session);
      continue;
    }
    one.hits += 1;
    if (one.log === undefined) holding.push(one);
    else await log(kept, one, params, session);
  }
  return holding[0] ?? (hit.length && !kept.stepping.has(session) ? null : undefined);
}

/** @param {string} expression @param {PausedParams} params @param {Send} send */
async function isTrue(expression, { callFrames: [top] }, send) {
  const asked = { callFrameId: top.callFrameId, expression: wholeOf(expression), returnByValue: true, silent: true };
  const { result, exceptionDetails } = await send("Debugger.evaluateOnCallFrame", asked);
  return !exceptionDetails && result.value === true;
}

/** @param {Kept} kept @param {Breakpoint} one @param {PausedParams} params @param {string|undefined} session */
async function log(kept, one, { callFrames: [top] }, session) {
  const send = senderOf(kept.tabId, session);
  const looked = lookWhilePaused(kept.tabId, send, top.callFrameId, true);
  const { result, exceptionDetails } = await send("Debugger.evaluateOnCallFrame", {
    callFrameId: top.callFrameId, expression: /** @type {string} */ (one.log), generatePreview: true, silent: true,
    objectGroup: GROUP,
  });
  const value = exceptionDetails ? `threw ${(exceptionDetails.exception?.description ?? exceptionDetails.text).split("\n")[0]}`
    : written(await new ValueReader(send, session).read(result, 1), () => "");
  void send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  const text = strikeResult(value, await looked).value.slice(0, MAX_LOG_CHARS);
  one.logged = [...one.logged, `${new Date().toISOString().slice(11, 23)} ${text}`].slice(-MAX_LOGGED);
  if (one.hits < MAX_LOG_HITS || one.problem) return;
  one.problem = `it logs no more: it was hit ${MAX_LOG_HITS} times`;
  for (const each of kept.sessions) void lift(senderOf(kept.tabId, each), one).catch(() => {});
}
