/*
 * The record of acts. A bridge that lost its connection sends its pending calls again with the same id; an act must not
 * run twice, so each one is noted before it starts and its outcome after it ended.
 */
import { noteAct } from "../base/acts.js";
import { persisted, persistedEntries } from "../base/state.js";

/** @typedef {import("../../types").Outcome} Outcome */
/**
 * @typedef {object} Entry
 * @property {"started" | "done"} state
 * @property {number} at epoch ms of the state
 * @property {string} method
 * @property {number} [tabId] where it ran
 * @property {string} [described] what it was done to, in the client's words; for people to read
 * @property {Outcome} [outcome] absent when it is too large to be stored
 * @property {boolean} [succeeded] how it ended
 */

/** A bridge sends again within seconds; older entries answer nobody. */
const KEEP_MS = 5 * 60_000;
/** Number of entries kept per client: more than a bridge has calls under way at once. */
const KEEP_COUNT = 200;
const KEEP_CLIENTS = 50;
/** Making room costs a write: not at every act. */
const BATCH = 20;
/** storage.session holds 10 MB in all; a larger outcome is remembered only while this worker lives. */
const STORE_CHARS = 8_000;
const DESCRIBED_CHARS = 200;

/** @type {ReturnType<typeof persistedEntries<Entry>>} */
const stored = persistedEntries("record:");
/** Whole outcomes of this worker's life. @type {Map<string, Outcome>} */
const outcomes = new Map();
/** Client id → the highest call id of which the entry is forgotten: what is that old has been sent before. */
const forgotten = persisted("record.forgotten", /** @type {Record<string, number>} */ ({}));

/**
 * Looks up an act in the record.
 * @param {string} key client id and call id
 * @returns {{state: "new"} | {state: "unknown", entry?: Entry} | {state: "done", outcome: Outcome}}
 */
export function lookUp(key) {
  const entry = stored.get(key);
  const [client, id] = partsOf(key);
  if (!entry) return { state: id <= forgotten.get()[client] ? "unknown" : "new" };
  const outcome = outcomes.get(key) ?? entry.outcome;
  return outcome ? { state: "done", outcome } : { state: "unknown", entry };
}

/**
 * Entry of an act that began.
 * @param {string} key
 */
export const entryOf = (key) => stored.get(key);

/** @param {string} key @returns {[string, number]} client id and call id */
function partsOf(key) {
  const end = key.lastIndexOf(":");
  return [key.slice(0, end), Number(key.slice(end + 1))];
}

/**
 * Notes that an act is about to run. Resolves when the note would survive the worker: only then run it.
 * @param {string} key
 * @param {{method: string, tabId?: number, described?: unknown}} act
 */
export async function noteStart(key, { described, ...act }) {
  if (act.tabId !== undefined) noteAct(partsOf(key)[0], act.tabId);
  if (typeof described === "string") /** @type {Partial<Entry>} */ (act).described = described.slice(0, DESCRIBED_CHARS);
  // A full storage must not stop the act: the note in memory still keeps it from running twice while this worker lives.
  await stored.set(key, { state: "started", at: Date.now(), ...act }).catch(warn);
}

/**
 * Notes how an act ended.
 * @param {string} key
 * @param {Outcome} outcome
 */
export function noteOutcome(key, outcome) {
  outcomes.set(key, outcome);
  const isSmall = JSON.stringify(outcome).length <= STORE_CHARS;
  const begun = /** @type {Entry} */ (stored.get(key) ?? { method: "" });
  const entry = { ...begun, state: /** @type {const} */ ("done"), at: Date.now(), succeeded: outcome.type === "success" };
  stored.set(key, { ...entry, ...(isSmall && { outcome }) }).catch(warn);
  // Nobody waits for this any more, as the next act would.
  prune(key);
}

const warn = (/** @type {unknown} */ error) => console.warn("tabwire: the record of acts could not be stored", error);

/**
 * Makes room after an entry: other entries of its client by their number, those of others by their age only.
 * @param {string} key
 */
function prune(key) {
  const entries = stored.entries();
  const oldest = Date.now() - KEEP_MS;
  const [client] = partsOf(key);
  let surplus = entries.filter(([name]) => partsOf(name)[0] === client).length - KEEP_COUNT;
  const names = entries
    .filter(([name, { at }]) => name !== key && (at < oldest || (partsOf(name)[0] === client && surplus-- > 0)))
    .map(([name]) => name);
  if (names.length < BATCH) return;
  for (const name of names) forget(name);
  const clients = Object.keys(forgotten.get());
  for (const gone of clients.slice(0, -KEEP_CLIENTS)) delete forgotten.get()[gone];
  forgotten.save().catch(warn);
  stored.remove(names).catch(() => {});
}

/** @param {string} name */
function forget(name) {
  const [client, id] = partsOf(name);
  outcomes.delete(name);
  const before = forgotten.get()[client] ?? 0;
  // Last in order: the clients first in order are dropped.
  delete forgotten.get()[client];
  forgotten.get()[client] = Math.max(id, before);
}
