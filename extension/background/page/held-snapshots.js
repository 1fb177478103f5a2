/*
 * Snapshot texts the worker still holds, so that a document that did not change need not send its text again. Only in
 * memory: a worker that starts anew asks for everything once.
 */

import { TabMap } from "../base/tabs.js";

/** @typedef {{stamp?: string, same?: string, path?: Array<number|string>|null, text: string}} Value */

const MAX_CHARS = 8_000_000;
/** All stamps of a tab are told to its documents. */
const MAX_STAMPS = 60;

/** tab → stamp → what the document answered @type {TabMap<Map<string, Value>>} */
const byTab = new TabMap();
/** tab → the last snapshot put together from those @type {TabMap<{key: string, text: string}>} */
const wholes = new TabMap();

function sizeOf() {
  let size = 0;
  for (const values of byTab.values()) for (const { text } of values.values()) size += text.length;
  return size;
}

/** @param {number} tabId @returns {Map<string, Value>} stamp → value; a copy, which lasts as long as the call */
export const heldFor = (tabId) => new Map(byTab.get(tabId));

/**
 * Puts the texts back into answers that only said "the same", and remembers the others.
 * @param {number} tabId
 * @param {Array<{value?: Partial<Value>}>} answers
 * @param {Map<string, Value>} held from before the question
 */
export function complete(tabId, answers, held) {
  const kept = byTab.get(tabId) ?? new Map();
  byTab.set(tabId, kept);
  for (const answer of answers) {
    if (!answer.value) continue;
    const { same, path } = answer.value;
    if (same) answer.value = { ...held.get(same), path };
    const { stamp } = answer.value;
    if (!stamp) continue;
    kept.delete(stamp);
    kept.set(stamp, answer.value);
  }
  let size = sizeOf();
  for (const [oldest, { text }] of kept) {
    if (kept.size <= MAX_STAMPS && size <= MAX_CHARS) break;
    kept.delete(oldest);
    size -= text.length;
  }
  if (!kept.size) byTab.delete(tabId);
}

/** @param {number} tabId @param {string} key @returns {string | undefined} the snapshot put together under this key */
export const wholeOf = (tabId, key) => {
  const whole = wholes.get(tabId);
  return whole?.key === key ? whole.text : undefined;
};

/** @param {number} tabId @param {string} key @param {string} text */
export function keepWhole(tabId, key, text) {
  wholes.set(tabId, { key, text });
}
