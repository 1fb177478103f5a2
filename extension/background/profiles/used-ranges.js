/** Parts of a text that were used, and the files that they were built from: plain values, without browser and page. */
import { decodedMappings } from "../../vendor/trace-mapping.mjs";

/** @import { Protocol } from "../debugger/commands" */
/** @typedef {{start: number, end: number}} Range  characters of a text; the end is not part of it */
/** @typedef {import("../sources/source-maps.js").TraceMap} TraceMap */

/** @param {Range[]} ranges that do not overlap, in order */
export const lengthOf = (ranges) => ranges.reduce((sum, { start, end }) => sum + end - start, 0);

/**
 * The parts that ran: the innermost count decides about each character.
 * @param {Protocol.Profiler.FunctionCoverage[]} functions
 * @returns {Range[]}
 */
export function usedRanges(functions) {
  const ranges = functions.flatMap((one) => one.ranges)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  /** @type {Range[]} */
  const used = [];
  /** @type {Protocol.Profiler.CoverageRange[]} */
  const open = [];
  let at = 0;
  const upTo = (/** @type {number} */ end) => {
    if (end > at && (open.at(-1)?.count ?? 0) > 0) {
      const last = used.at(-1);
      if (last?.end === at) last.end = end;
      else used.push({ start: at, end });
    }
    at = Math.max(at, end);
  };
  const close = (/** @type {number} */ before) => {
    for (let last = open.at(-1); last && last.endOffset <= before; last = open.at(-1)) {
      upTo(last.endOffset);
      open.pop();
    }
  };
  for (const range of ranges) {
    close(range.startOffset);
    upTo(range.startOffset);
    open.push(range);
  }
  close(Infinity);
  return used;
}

/**
 * Functions that did not run, without those within others that did not.
 * @param {Protocol.Profiler.FunctionCoverage[]} functions
 * @returns {Array<Range & {name: string}>}
 */
export function unusedFunctions(functions) {
  let end = 0;
  return functions.filter(({ ranges: [{ count }] }) => count === 0)
    .sort(({ ranges: [one] }, { ranges: [other] }) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
    .flatMap(({ functionName: name, ranges: [range] }) => {
      if (range.startOffset < end) return [];
      end = range.endOffset;
      return [{ name, start: range.startOffset, end }];
    });
}

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

/**
 * Characters of a text by the source that they were built from.
 * @param {string} text @param {TraceMap} map @param {Range[]} used
 * @returns {Map<string, {used: number, total: number}>}
 */
export function bySource(text, map, used) {
  /** @type {Map<string, {used: number, total: number}>} */
  const sources = new Map();
  const starts = lineStarts(text);
  let next = 0;
  decodedMappings(map).slice(0, starts.length).forEach((/** @type {number[][]} */ segments, /** @type {number} */ row) => {
    const lineEnd = starts[row + 1] ?? text.length;
    segments.forEach((segment, at) => {
      const start = starts[row] + segment[0];
      const end = Math.min(lineEnd, starts[row] + (segments[at + 1]?.[0] ?? Infinity));
      const source = segment.length > 1 ? map.resolvedSources[segment[1]] : null;
      while (next < used.length && used[next].end <= start) next += 1;
      if (!source || end <= start) return;
      const sum = sources.get(source) ?? { used: 0, total: 0 };
      sources.set(source, sum);
      sum.total += end - start;
      for (let one = next; one < used.length && used[one].start < end; one += 1)
        sum.used += Math.min(end, used[one].end) - Math.max(start, used[one].start);
    });
  });
  return sources;
}
