/** Samples of a CPU profile, summed up by function. */

/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Protocol.Runtime.CallFrame} Frame */
/** @typedef {{frame: Frame, self: number, total: number}} Timed  in µs */
/** @typedef {{functions: Timed[], idle: number, browser: number, collection: number, samples: number}} Times */

/** Nodes that are no functions. @type {Record<string, "idle"|"browser"|"collection">} */
const NO_FUNCTIONS = { "(idle)": "idle", "(program)": "browser", "(garbage collector)": "collection" };
const ROOT = "(root)";

/** @param {Frame} frame */
const keyOf = ({ scriptId, lineNumber, columnNumber, functionName: name }) => `${scriptId}:${lineNumber}:${columnNumber}:${name}`;

/** @param {Protocol.Profiler.Profile} profile @returns {Times} */
export function timesOf(profile) {
  const { nodes, samples = [] } = profile;
  const own = ownTimes(profile);
  /** @type {Map<number, Protocol.Profiler.ProfileNode>} */
  const callers = new Map();
  for (const node of nodes) for (const child of node.children ?? []) callers.set(child, node);
  const sums = new Map(own);
  // Callers come before what they call.
  for (const { id } of nodes.toReversed()) {
    const caller = callers.get(id);
    if (caller) sums.set(caller.id, (sums.get(caller.id) ?? 0) + (sums.get(id) ?? 0));
  }
  const times = { idle: 0, browser: 0, collection: 0, samples: samples.length };
  /** @type {Map<string, Timed>} */
  const functions = new Map();
  for (const { id, callFrame: frame } of nodes) {
    const self = own.get(id) ?? 0;
    const kind = frame.url ? undefined : NO_FUNCTIONS[frame.functionName];
    if (kind) times[kind] += self;
    else if (frame.functionName !== ROOT && sums.get(id)) {
      const key = keyOf(frame);
      const timed = functions.get(key) ?? { frame, self: 0, total: 0 };
      functions.set(key, timed);
      timed.self += self;
      if (!isWithinItself(id, key, callers)) timed.total += sums.get(id) ?? 0;
    }
  }
  return { ...times, functions: [...functions.values()] };
}

/** Node → time in it: a sample lasts until the next one. @param {Protocol.Profiler.Profile} profile */
function ownTimes({ samples = [], timeDeltas = [], startTime, endTime }) {
  /** @type {Map<number, number>} */
  const own = new Map();
  let at = startTime;
  samples.forEach((id, number) => {
    at += timeDeltas[number] ?? 0;
    const isLast = number + 1 === samples.length;
    const time = Math.max(0, isLast ? endTime - at : timeDeltas[number + 1]);
    own.set(id, (own.get(id) ?? 0) + time);
  });
  return own;
}

/**
 * Whether a function was called, however indirectly, by itself.
 * @param {number} id @param {string} key @param {Map<number, Protocol.Profiler.ProfileNode>} callers
 */
function isWithinItself(id, key, callers) {
  for (let caller = callers.get(id); caller; caller = callers.get(caller.id)) if (keyOf(caller.callFrame) === key) return true;
  return false;
}
