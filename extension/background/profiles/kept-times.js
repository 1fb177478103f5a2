/** Times of functions that clients keep under names, and the differences from them that are more than noise. */
import { isAttachedClient, releaseForAbsent } from "../base/clients.js";
import { persisted } from "../base/state.js";
import { invalid } from "../base/errors.js";

/** @typedef {{name: string, source?: string, self: number, total: number}} OwnTime  ms */
/** @typedef {{interval: number, whole: number, functions: OwnTime[]}} KeptRun  whole: time of all functions, ms; interval: ms */
/** @typedef {import("../base/protocol-types").ChangedFunction} Changed */

const MAX_NAMES = 10;
const MAX_RUNS = 10;
/** A client whose connection was lost comes back within this, or not at all. */
const RETURN_MS = 7_000;
const LEAST_PART = 0.1;
const LEAST_MS = 1;

/** Client → name → runs. */
const kept = persisted("profiles.times", /** @type {Record<string, Record<string, KeptRun[]>>} */ ({}));

releaseForAbsent(RETURN_MS, () => {
  for (const client of Object.keys(kept.get())) if (!isAttachedClient(client)) delete kept.get()[client];
  void kept.save();
});

/** @param {string} client */
export const keptNames = (client) =>
  Object.entries(kept.get()[client] ?? {}).map(([name, runs]) => (runs.length > 1 ? `${name} (${runs.length} runs)` : name));

/** @param {string} client @param {string} name */
export function runsNamed(client, name) {
  const own = kept.get()[client] ?? {};
  if (own[name]) return own[name];
  const names = Object.keys(own);
  throw invalid(`compare: nothing is kept under ${name}; ` +
    (names.length ? `kept are: ${names.join(", ")}` : "stop a run of measure time with keep first"));
}

/** @param {string} client @param {string} name */
export function assertRoom(client, name) {
  const own = kept.get()[client] ?? {};
  if (own[name] || Object.keys(own).length < MAX_NAMES) return;
  throw invalid(`keep: ${MAX_NAMES} names are kept already; use one of them again: ${Object.keys(own).join(", ")}`);
}

/** @param {string} client @param {string} name @param {KeptRun} run */
export async function keepRun(client, name, run) {
  const own = (kept.get()[client] ??= {});
  own[name] = [...(own[name] ?? []), run].slice(-MAX_RUNS);
  await kept.save();
}

/**
 * Difference that chance makes: that of samples, and that of earlier runs among each other.
 * @param {number} interval ms @param {number} now @param {number[]} times of earlier runs
 */
function noiseOf(interval, now, times) {
  const before = meanOf(times);
  const spread = Math.max(...times) - Math.min(...times);
  const chance = 2 * Math.sqrt(interval * (now + before / times.length));
  return Math.max(LEAST_PART * before, spread, chance, LEAST_MS);
}

/** @param {number[]} numbers */
const meanOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** @param {OwnTime} time */
const keyOf = ({ name, source }) => `${name}\n${source ?? ""}`;

/** Function → its times; two of one name in a file are one. @param {OwnTime[]} functions */
function summed(functions) {
  /** @type {Map<string, OwnTime>} */
  const sums = new Map();
  for (const one of functions) {
    const { self = 0, total = 0 } = sums.get(keyOf(one)) ?? {};
    sums.set(keyOf(one), { ...one, self: one.self + self, total: one.total + total });
  }
  return sums;
}

/** @param {number} interval ms @param {number} now @param {number[]} times of earlier runs */
function changeOf(interval, now, times) {
  const before = meanOf(times);
  const noise = noiseOf(interval, now, times);
  return { before, now, noise, by: now - before, isReal: Math.abs(now - before) > noise };
}

/**
 * The functions that are slower or faster than in earlier runs, those with the largest difference first.
 * @param {KeptRun} now @param {KeptRun[]} runs
 */
export function compared(now, runs) {
  const interval = Math.max(now.interval, ...runs.map((run) => run.interval));
  const present = summed(now.functions);
  const earlier = runs.map(({ functions }) => summed(functions));
  const all = new Map([...earlier.flatMap((one) => [...one]), ...present]);
  const changes = [...all].map(([key, one]) => {
    const change = (/** @type {"self"|"total"} */ of) =>
      changeOf(interval, present.get(key)?.[of] ?? 0, earlier.map((run) => run.get(key)?.[of] ?? 0));
    return { one, own: change("self"), whole: change("total") };
  }).filter(({ own }) => own.isReal);
  const real = changes.filter(({ whole }) => whole.isReal);
  // What has more time in itself and not in all has taken it over: the engine counts what it has built into a caller, or has
  // optimized before the run, as the caller's.
  const moved = changes.filter(({ whole }) => !whole.isReal);
  const kept = real.filter(({ own }) => !isMoved(own, moved.map((other) => other.own.by)));
  /** @type {Changed[]} */
  const changed = kept.sort((one, other) => Math.abs(other.own.by) - Math.abs(one.own.by))
    .map(({ one: { name, source }, own: { before: before_ms, now: now_ms, noise: noise_ms } }) =>
      ({ name, ...(source && { source }), before_ms, now_ms, noise_ms }));
  const { before, noise } = changeOf(interval, now.whole, runs.map(({ whole }) => whole));
  return { runs: runs.length, before_ms: before, now_ms: now.whole, noise_ms: noise, changed };
}

/**
 * Whether a difference is what others have taken over or given up.
 * @param {{by: number, noise: number}} change @param {number[]} moved
 */
const isMoved = ({ by, noise }, moved) =>
  Math.abs(moved.filter((one) => Math.sign(one) === -Math.sign(by)).reduce((sum, one) => sum + one, 0)) + noise >= Math.abs(by);
