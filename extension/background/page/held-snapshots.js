/*
 * Snapshot texts the worker still holds, so that a document that did not change need not send its text again. Only in
 * memory: a worker that starts anew asks for everything once.
 */

import { getOrMake } from "../base/maps.js";
import { TabMap } from "../base/tabs.js";

/** @typedef {{stamp?: string, same?: string, path?: Array<number|string>|null, seen?: number[], text: string}} Value */
/**
 * Lines of a document that stand together in the snapshot: `from` to `to` of the document's, from line `at` on. `frame`: the line
 * of the frame they are in, where they are a frame's.
 * @typedef {{documentId: string, from: number, to: number, at: number, frame?: {documentId: string, line: number}}} Place
 */
/**
 * version: a name of the text that nothing else has; text: null where it is too long to be kept
 * @typedef {{key: string, version: string, text: string|null, places: Place[]}} Whole
 */

const MAX_CHARS = 8_000_000;
/** A longer snapshot is put together anew each time. */
const MAX_WHOLE_CHARS = 1_000_000;
/** Most stamps kept of a tab: all of them are sent to its documents. */
const MAX_STAMPS = 60;

/** tab → stamp → what the document answered @type {TabMap<Map<string, Value>>} */
const byTab = new TabMap();
/** tab → the last snapshot put together from those @type {TabMap<Whole>} */
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
  const kept = getOrMake(byTab, tabId, () => new Map());
  for (const answer of answers) {
    if (!answer.value) continue;
    const { same, path, seen } = answer.value;
    if (same) answer.value = { ...held.get(same), path, seen };
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

/** @param {number} tabId @param {string} key @returns {Whole | undefined} the snapshot put together under this key */
export const wholeOf = (tabId, key) => {
  const whole = wholes.get(tabId);
  return whole?.key === key ? whole : undefined;
};

/**
 * Keeps a snapshot that was put together. One of the same key is the same text, and keeps its version.
 * @param {number} tabId @param {string} key @param {{text: string, places: Place[]}} composed
 * @returns {string} its version
 */
export function keepWhole(tabId, key, { text, places }) {
  const version = wholeOf(tabId, key)?.version ?? crypto.randomUUID();
  wholes.set(tabId, { key, version, text: text.length <= MAX_WHOLE_CHARS ? text : null, places });
  return version;
}

/**
 * @param {Place[]} places
 * @param {Array<{documentId: string, value?: {seen?: number[]}}>} answers
 * @returns {number[]} lines of the whole snapshot
 */
export function linesInView(places, answers) {
  const seen = new Map(answers.map(({ documentId, value }) => [documentId, value?.seen ?? []]));
  const frames = new Map(places.map(({ documentId, frame }) => [documentId, frame]));
  /**
   * Whether a frame is in view, and those around it: in one that is not, a document takes its own part for its view.
   * @param {Place["frame"]} frame @returns {boolean}
   */
  const isShown = (frame) => {
    if (!frame) return true;
    const around = seen.get(frame.documentId);
    return (!around?.length || around.includes(frame.line)) && isShown(frames.get(frame.documentId));
  };
  return places.filter(({ frame }) => isShown(frame)).flatMap(({ documentId, from, to, at }) =>
    (seen.get(documentId) ?? []).filter((line) => line >= from && line <= to).map((line) => line - from + at));
}
