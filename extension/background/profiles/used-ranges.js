/** Parts of a text, and the files that they were built from: plain values, without browser and page. */
import { getOrMake } from "../base/maps.js";
import { decodedMappings } from "../../vendor/trace-mapping.mjs";

/** @typedef {{start: number, end: number}} Range  characters of a text; the end is not part of it */
/** @typedef {import("../sources/source-maps.js").TraceMap} TraceMap */

/** @param {Range[]} ranges that do not overlap, in order */
export const lengthOf = (ranges) => ranges.reduce((sum, { start, end }) => sum + end - start, 0);

/** Offsets at which the lines of a text begin. @param {string} text */
export function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column of a character, from 0. @param {number[]} starts of lines @param {number} offset */
export function positionOf(starts, offset) {
  let low = 0;
  for (let high = starts.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return { line: low, column: offset - starts[low] };
}

/** Characters that two ranges share. @param {Range} one @param {Range} other */
const shared = (one, other) => Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

/**
 * Characters of parts of a text, by the source that they were built from.
 * @param {string} text @param {TraceMap} map @param {Range[]} all @param {Range[]} used of these
 * @returns {Map<string, {used: number, total: number}>}
 */
export function bySource(text, map, all, used) {
  /** @type {Map<string, {used: number, total: number}>} */
  const sources = new Map();
  const starts = lineStarts(text);
  const isUsed = new Set(used);
  let next = 0;
  decodedMappings(map).slice(0, starts.length).forEach((/** @type {number[][]} */ segments, /** @type {number} */ row) => {
    const lineEnd = starts[row + 1] ?? text.length;
    segments.forEach((segment, at) => {
      const start = starts[row] + segment[0];
      const piece = { start, end: Math.min(lineEnd, starts[row] + (segments[at + 1]?.[0] ?? Infinity)) };
      const source = segment.length > 1 ? map.resolvedSources[segment[1]] : null;
      while (next < all.length && all[next].end <= start) next += 1;
      if (!source) return;
      const sums = getOrMake(sources, source, () => ({ used: 0, total: 0 }));
      for (let one = next; one < all.length && all[one].start < piece.end; one += 1) {
        sums.total += shared(piece, all[one]);
        if (isUsed.has(all[one])) sums.used += shared(piece, all[one]);
      }
    });
  });
  return sources;
}
