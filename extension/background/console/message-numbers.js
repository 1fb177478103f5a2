/** Numbers by which clients name console messages: each stays while Chrome keeps the message. */
import { persistedByTab } from "../base/state.js";

/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** The next number; key → number of the messages that were told. @typedef {{next: number, known: Record<string, number>}} Ids */
const ids = /** @type {import("../base/state.js").Persisted<Record<number, Ids>>} */ (persistedByTab("console.ids"));

/** A key without the session: that is another one at each look. @param {Entry} entry */
const lastingKey = ({ key }) => key.slice(key.indexOf(" ") + 1);

/**
 * Numbers of messages. Those of messages that are gone are forgotten, and never given again.
 * @param {number} tabId
 * @param {Entry[]} entries all that are there
 * @returns {Promise<(entry: Entry) => number>}
 */
export async function numbersOf(tabId, entries) {
  const { next, known } = ids.get()[tabId] ?? { next: 1, known: {} };
  let last = next;
  /** @type {Record<string, number>} */
  const now = {};
  for (const entry of entries) {
    const key = lastingKey(entry);
    now[key] = known[key] ?? last++;
  }
  ids.get()[tabId] = { next: last, known: now };
  if (last !== next) await ids.save();
  return (entry) => now[lastingKey(entry)];
}
