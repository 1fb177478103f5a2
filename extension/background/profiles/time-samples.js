/*
 * Samples of CPU profiles, summed up by function. Chrome keeps the domain Profiler from extensions, but not its samples: they are
 * in a trace, in parts, one profile for each thread that runs scripts. The trace goes on while the tab navigates.
 */
import { getOrMake } from "../base/maps.js";

/** @typedef {{functionName: string, scriptId: string, url: string, lineNumber: number, columnNumber: number}} Frame */
/** @typedef {Partial<Omit<Frame, "scriptId">> & {functionName: string, scriptId: number}} Written  0 is left out */
/** @typedef {{id: number, parent?: number, callFrame: Written}} Node */
/** @typedef {{nodes: Map<number, Node>, samples: number[], deltas: number[]}} Profile  deltas: µs since the sample before */
/** @typedef {{frame: Frame, self: number, total: number}} Timed  in µs */
/** @typedef {{functions: Timed[], idle: number, browser: number, collection: number, samples: number, span: number}} Times  µs */

/** Nodes that are no functions. @type {Record<string, "idle"|"browser"|"collection">} */
const NO_FUNCTIONS = { "(idle)": "idle", "(program)": "browser", "(garbage collector)": "collection" };
const ROOT = "(root)";
const CHUNK = "ProfileChunk";

/** Profiles of all threads, while their parts come in. */
export class Profiles {
  /** Process and number of a profile → the profile. @type {Map<string, Profile>} */
  all = new Map();

  /** @param {any[]} events of a trace */
  add(events) {
    for (const { name, pid, id, args } of events) {
      if (name !== CHUNK) continue;
      const { cpuProfile, timeDeltas = [] } = args.data ?? {};
      const { nodes = [], samples = [] } = cpuProfile ?? {};
      /** @type {Profile} */
      const profile = getOrMake(this.all, `${pid} ${id}`, () => ({ nodes: new Map(), samples: [], deltas: [] }));
      for (const node of nodes) profile.nodes.set(node.id, node);
      for (const sample of samples) profile.samples.push(sample);
      for (const delta of timeDeltas) profile.deltas.push(delta);
    }
  }

  /** @returns {Times[]} */
  get times() {
    return [...this.all.values()].map(timesOf);
  }
}

/** @param {Written} frame @returns {Frame} */
const frameOf = ({ functionName, scriptId, url = "", lineNumber = 0, columnNumber = 0 }) =>
  ({ functionName, scriptId: String(scriptId), url, lineNumber, columnNumber });

/** @param {Written} frame */
const keyOf = ({ scriptId, lineNumber, columnNumber, functionName: name }) => `${scriptId}:${lineNumber}:${columnNumber}:${name}`;

/** @param {Profile} profile @returns {Times} */
function timesOf(profile) {
  const { nodes, samples } = profile;
  const own = ownTimes(profile);
  const sums = new Map(own);
  // Nodes come behind what calls them.
  for (const { id, parent } of [...nodes.values()].reverse())
    if (parent !== undefined) sums.set(parent, (sums.get(parent) ?? 0) + (sums.get(id) ?? 0));
  const times = { idle: 0, browser: 0, collection: 0, samples: samples.length, span: sum(own.values()) };
  /** @type {Map<string, Timed>} */
  const functions = new Map();
  for (const node of nodes.values()) {
    const { id, callFrame: { functionName, url } } = node;
    const self = own.get(id) ?? 0;
    const kind = url ? undefined : NO_FUNCTIONS[functionName];
    if (kind) times[kind] += self;
    else if (functionName !== ROOT && sums.get(id)) {
      const key = keyOf(node.callFrame);
      const timed = getOrMake(functions, key, () => ({ frame: frameOf(node.callFrame), self: 0, total: 0 }));
      timed.self += self;
      if (!isWithinItself(node, key, nodes)) timed.total += sums.get(id) ?? 0;
    }
  }
  return { ...times, functions: [...functions.values()] };
}

/** @param {Iterable<number>} numbers */
const sum = (numbers) => [...numbers].reduce((all, one) => all + one, 0);

/** Node → time in it: a sample lasts until the next one. @param {Profile} profile */
function ownTimes({ samples, deltas }) {
  /** @type {Map<number, number>} */
  const own = new Map();
  samples.forEach((id, at) => own.set(id, (own.get(id) ?? 0) + Math.max(0, deltas[at + 1] ?? 0)));
  return own;
}

/**
 * Whether a function was called, however indirectly, by itself.
 * @param {Node} node @param {string} key @param {Map<number, Node>} nodes
 */
function isWithinItself({ parent }, key, nodes) {
  for (let caller = nodes.get(parent ?? -1); caller; caller = nodes.get(caller.parent ?? -1))
    if (keyOf(caller.callFrame) === key) return true;
  return false;
}
