/*
 * The numbers behind @eN. A document numbers its elements itself (1, 2, 3 …, content/refs.js) and prints a number as a
 * marker; here markers become numbers that are unique in the tab and never used again. What is kept are ranges: a whole
 * snapshot of one document is usually one entry.
 */
import { TabwireError } from "./errors.js";
import { persistedEntries, ready } from "./state.js";

/** @typedef {{documentId: string, frameId: number, local: number, count: number, global: number}} Range */
/** @typedef {{next: number, ranges: Range[]}} Table */
/** @typedef {{documentId: string, frameId: number, local: number}} Place */

/** Numbers of documents that are gone are forgotten after this many ranges; they then count as navigated. */
const MAX_RANGES = 400;
const MARKER = /\uE000(\d+)\uE001/g;

/** @type {ReturnType<typeof persistedEntries<Table>>} */
const tables = persistedEntries("refs:");

/** @param {number} tabId @returns {Table} */
const tableOf = (tabId) => tables.get(String(tabId)) ?? { next: 1, ranges: [] };

/** @param {Table} table @param {Place} place */
function numberOf(table, { documentId, frameId, local }) {
  let last = null;
  for (const range of table.ranges) {
    if (range.documentId !== documentId) continue;
    if (local >= range.local && local < range.local + range.count) return range.global + local - range.local;
    last = range;
  }
  const global = table.next++;
  const extends_ = last && last.local + last.count === local && last.global + last.count === global;
  if (extends_) last.count += 1;
  else table.ranges.push({ documentId, frameId, local, count: 1, global });
  return global;
}

/** @param {number} tabId @param {Table} table */
function keep(tabId, table) {
  if (table.ranges.length > MAX_RANGES) table.ranges.splice(0, table.ranges.length - MAX_RANGES);
  tables.set(String(tabId), table).catch((error) => console.error("tabwire: refs could not be stored", error));
}

/**
 * Replaces the markers of texts by refs, in the order given. One write to storage, and only when something is new.
 * @param {number} tabId
 * @param {Array<{documentId: string, frameId: number, text: string}>} pieces
 * @returns {Promise<string[]>}
 */
export async function publishAll(tabId, pieces) {
  await ready;
  const table = tableOf(tabId);
  const { next } = table;
  const texts = pieces.map(({ documentId, frameId, text }) => {
    const known = new Map();
    return text.replace(MARKER, (_, digits) => {
      let ref = known.get(digits);
      if (ref === undefined) known.set(digits, (ref = `@e${numberOf(table, { documentId, frameId, local: Number(digits) })}`));
      return ref;
    });
  });
  if (table.next !== next) keep(tabId, table);
  return texts;
}

/**
 * @param {number} tabId
 * @param {string} documentId
 * @param {number} frameId
 * @param {string} text with \uE000<local>\uE001 markers
 * @returns {Promise<string>} with @eN in their place
 */
export async function publish(tabId, documentId, frameId, text) {
  if (!text.includes("\uE000")) return text;
  return (await publishAll(tabId, [{ documentId, frameId, text }]))[0];
}

/**
 * @param {number} tabId
 * @param {string} documentId
 * @param {number} frameId
 * @param {number} local
 * @returns {Promise<string>} "@eN"
 */
export async function publishNumber(tabId, documentId, frameId, local) {
  return publish(tabId, documentId, frameId, `\uE000${local}\uE001`);
}

/**
 * @param {string} selector
 * @returns {number | null} the N of "@eN" ("eN", "ref=eN" and "[ref=@eN]" are understood too)
 */
export function refNumber(selector) {
  const match = /^\[?(?:ref=)?@?e(\d+)\]?$/.exec(selector.trim());
  return match ? Number(match[1]) : null;
}

/**
 * Where the element of a ref lives.
 * @param {number} tabId
 * @param {string} ref
 * @returns {Promise<Place>}
 */
export async function resolve(tabId, ref) {
  await ready;
  const number = refNumber(ref);
  const table = tableOf(tabId);
  if (number === null || number >= table.next || number < 1) {
    throw new TabwireError("no_such_element", `${ref} was never given out in this tab; take a snapshot and use its refs`);
  }
  const range = table.ranges.find(({ global, count }) => number >= global && number < global + count);
  if (!range) {
    throw new TabwireError("stale_element_reference", `${ref} belongs to a page that is gone; take a new snapshot`,
      { cause: "navigated" });
  }
  return { documentId: range.documentId, frameId: range.frameId, local: range.local + number - range.global };
}

chrome.tabs.onRemoved.addListener(async (tabId) => {
  await ready;
  tables.remove([String(tabId)]);
});

// A discarded tab comes back under another id; its refs are stale then, but not unknown.
chrome.tabs.onReplaced.addListener(async (addedTabId, removedTabId) => {
  await ready;
  const table = tables.get(String(removedTabId));
  if (table) await tables.set(String(addedTabId), table);
  await tables.remove([String(removedTabId)]);
});
