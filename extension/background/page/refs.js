/*
 * The numbers behind @eN. A document numbers its elements itself (1, 2, 3 …, content/find/refs.js) and prints a number as a
 * marker; here markers become numbers that are unique in the browser and never used again: a ref of one tab can never
 * mean something in another. What is kept are ranges: a whole snapshot of one document is usually one entry.
 */
import { getOrMake } from "../base/maps.js";
import { onTabClosed, onTabReplaced } from "../base/tabs.js";
import { navigatedAway, TabwireError } from "../base/errors.js";
import { persisted, persistedEntries, ready, storeTogether } from "../base/state.js";
import { shownIn } from "../rules/addresses.js";

/** @typedef {{documentId: string, frameId: number, local: number, count: number, global: number}} Range */
/** @typedef {{ranges: Range[]}} Table */
/** @typedef {{documentId: string, frameId: number, local: number}} Place */

/** Numbers of documents that are gone are forgotten after this many ranges; they then count as navigated. */
const MAX_RANGES = 400;
/** Numbers a document skipped are given away with their neighbours rather than beginning a new range. */
const MAX_GAP = 50;

/** @type {ReturnType<typeof persistedEntries<Table>>} */
const tables = persistedEntries("refs:");
/** The number the next element gets, and what markers carry so that no page can write one. */
const counter = persisted("refs", { next: 1, seal: crypto.randomUUID().slice(0, 8) });

let ownSeal = "";
void ready.then(() => { ownSeal = counter.get().seal; });

/** @returns {string|Promise<string>} what content scripts put into markers; pages never see it */
export const seal = () => ownSeal || ready.then(() => counter.get().seal);

/** @param {number} tabId @returns {Table} */
const tableOf = (tabId) => tables.get(String(tabId)) ?? { ranges: [] };

/** @param {Table} table @param {Range[]} own those of the document @param {Place} place */
function numberOf(table, own, { documentId, frameId, local }) {
  for (const range of own)
    if (local >= range.local && local < range.local + range.count) return range.global + local - range.local;
  const last = own.at(-1);
  const state = counter.get();
  const gap = last ? local - last.local - last.count : -1;
  if (last && gap >= 0 && gap <= MAX_GAP && last.global + last.count === state.next) {
    last.count += gap + 1;
    state.next += gap + 1;
    return state.next - 1;
  }
  const range = { documentId, frameId, local, count: 1, global: state.next };
  table.ranges.push(range);
  own.push(range);
  return state.next++;
}

/** The latest write: it includes what another call has numbered a moment ago. */
let stored = Promise.resolve();
let forgotten = 0;

/** Changes when numbers were forgotten: texts with them must not be given again. */
export const forgetfulness = () => forgotten;

/** @param {number} tabId @param {Table} table */
function keep(tabId, table) {
  if (table.ranges.length > MAX_RANGES) {
    table.ranges.splice(0, table.ranges.length - MAX_RANGES);
    forgotten += 1;
  }
  stored = storeTogether(counter.part(), tables.part(String(tabId), table))
    .catch((error) => console.error("tabwire: refs could not be stored", error));
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
  const { next, seal: own } = counter.get();
  const marker = new RegExp(`\uE000${own}:(\\d+)\uE001`, "g");
  const texts = pieces.map(({ documentId, frameId, text }) => {
    const known = new Map();
    const ranges = table.ranges.filter((range) => range.documentId === documentId);
    return text.replace(marker, (_, digits) => getOrMake(known, digits, () =>
      `@e${numberOf(table, ranges, { documentId, frameId, local: Number(digits) })}`));
  });
  if (counter.get().next !== next) keep(tabId, table);
  // What a client has been told survives the worker, and its number is never given to something else.
  await stored;
  return texts;
}

/**
 * @param {number} tabId
 * @param {string} documentId
 * @param {number} frameId
 * @param {string} text with \uE000<seal>:<local>\uE001 markers
 * @returns {Promise<string>} with @eN in their place
 */
export async function publish(tabId, documentId, frameId, text) {
  if (!text.includes("\uE000")) return text;
  return (await publishAll(tabId, [{ documentId, frameId, text }]))[0];
}

/**
 * A content script's answer, as JSON, with the refs in its texts made public.
 * @param {number} tabId
 * @param {{documentId: string, frameId: number}} frame that has answered
 * @param {unknown} answer
 * @returns {Promise<any>}
 */
export async function publishAnswer(tabId, { documentId, frameId }, answer) {
  return JSON.parse(await publish(tabId, documentId, frameId, JSON.stringify(answer)));
}

/**
 * @param {number} tabId
 * @param {string} documentId
 * @param {number} frameId
 * @param {number} local
 * @returns {Promise<string>} "@eN"
 */
export async function publishNumber(tabId, documentId, frameId, local) {
  await ready;
  return publish(tabId, documentId, frameId, `\uE000${counter.get().seal}:${local}\uE001`);
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
 * Finds the place of a ref's element.
 * @param {number} tabId
 * @param {string} ref
 * @returns {Promise<Place>}
 */
export async function resolve(tabId, ref) {
  await ready;
  const number = refNumber(ref) ?? NaN;
  const range = rangeOf(tableOf(tabId), number);
  if (range) return { documentId: range.documentId, frameId: range.frameId, local: range.local + number - range.global };
  if (!(number < counter.get().next && number >= 1)) {
    throw new TabwireError("no_such_element", `${ref} was never given out; take a snapshot and use its refs`);
  }
  const owner = ownerOf(number);
  if (owner !== undefined && owner !== tabId) throw await elsewhere(ref, owner);
  throw navigatedAway(`${ref} belongs to a page that is gone; take a new snapshot`);
}

/**
 * The tab whose page has the element of a ref.
 * @param {string} selector
 * @returns {Promise<number|undefined>} undefined: it is no ref, or its page is gone
 */
export async function tabOfRef(selector) {
  const number = refNumber(selector);
  await ready;
  return number === null ? undefined : ownerOf(number);
}

/** @param {number} number */
function ownerOf(number) {
  const owner = tables.entries().find(([, table]) => rangeOf(table, number))?.[0];
  return owner === undefined ? undefined : Number(owner);
}

/** @param {Table} table @param {number} number */
const rangeOf = (table, number) => table.ranges.find(({ global, count }) => number >= global && number < global + count);

/** @param {string} ref @param {number} tabId */
async function elsewhere(ref, tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  const { title: shown = "" } = tab ? shownIn(tab) : {};
  const title = shown && ` (${shown.slice(0, 80)})`;
  return new TabwireError("no_such_element",
    `${ref} belongs to tab ${tabId}${title}; pass tabId ${tabId}, or take a snapshot here and use its refs`, { tabId });
}

onTabClosed(async (tabId) => {
  await ready;
  tables.remove([String(tabId)]);
});

// A discarded tab comes back under another id; its refs are stale then, but not unknown.
onTabReplaced(async (removedTabId, addedTabId) => {
  await ready;
  const table = tables.get(String(removedTabId));
  if (table) await tables.set(String(addedTabId), table);
  await tables.remove([String(removedTabId)]);
});
