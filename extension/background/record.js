/*
 * The record of acts. A bridge that lost its connection sends its pending calls again with the same id; an act must not
 * run twice, so each one is noted before it starts and its outcome after it ended.
 */
import { persistedEntries } from "./state.js";

/** @typedef {import("../types").Outcome} Outcome */
/** @typedef {{state: "started" | "done", at: number, outcome?: Outcome}} Entry */

/** A bridge sends again within seconds; older entries answer nobody. */
const KEEP_MS = 5 * 60_000;
const KEEP_COUNT = 200;
/** storage.session holds 10 MB in all; a larger outcome is remembered only while this worker lives. */
const STORE_CHARS = 32_000;

/** @type {ReturnType<typeof persistedEntries<Entry>>} */
const stored = persistedEntries("record:");
/** Whole outcomes of this worker's life. @type {Map<string, Outcome>} */
const outcomes = new Map();

/**
 * What is known of an act.
 * @param {string} key client id and call id
 * @returns {{state: "new"} | {state: "unknown"} | {state: "done", outcome: Outcome}}
 */
export function lookUp(key) {
  const entry = stored.get(key);
  if (!entry) return { state: "new" };
  const outcome = outcomes.get(key) ?? entry.outcome;
  return outcome ? { state: "done", outcome } : { state: "unknown" };
}

/**
 * Notes that an act is about to run. Resolves when the note would survive the worker: only then run it.
 * @param {string} key
 */
export async function noteStart(key) {
  prune();
  // A full storage must not stop the act: the note in memory still keeps it from running twice while this worker lives.
  await stored.set(key, { state: "started", at: Date.now() }).catch(warn);
}

/**
 * Notes how an act ended.
 * @param {string} key
 * @param {Outcome} outcome
 */
export function noteOutcome(key, outcome) {
  outcomes.set(key, outcome);
  const isSmall = JSON.stringify(outcome).length <= STORE_CHARS;
  stored.set(key, { state: "done", at: Date.now(), ...(isSmall && { outcome }) })
    .catch(warn);
}

const warn = (/** @type {unknown} */ error) => console.warn("tabwire: the record of acts could not be stored", error);

function prune() {
  const entries = stored.entries();
  const oldest = Date.now() - KEEP_MS;
  const surplus = entries.length - KEEP_COUNT;
  const names = entries.filter(([, { at }], index) => at < oldest || index < surplus).map(([name]) => name);
  if (!names.length) return;
  for (const name of names) outcomes.delete(name);
  stored.remove(names).catch(() => {});
}
