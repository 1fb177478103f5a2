/* Matches of several frames in the order in which a reader meets them: those of a child frame stand where the frame stands. */
import { pathKey } from "./frames.js";

/** @typedef {{count: number, path: Array<number|string>|null, layout: Array<number | {slot: number|string}> | null}} Arranged */

/**
 * @template {{value: Arranged}} T
 * @param {T[]} hits one per frame, top frame first; layout: how many matches stand before, between and after the child frames
 * @returns {Array<{hit: T, index: number}>}
 */
export function inReadingOrder(hits) {
  const byPath = new Map(hits.flatMap((hit) => (hit.value.path ? [[pathKey(hit.value.path), hit]] : [])));
  const left = new Set(hits);
  /** @type {Array<{hit: T, index: number}>} */
  const order = [];
  const visit = (/** @type {T} */ hit) => {
    if (!left.delete(hit)) return;
    let index = 0;
    for (const part of hit.value.layout ?? [hit.value.count]) {
      if (typeof part === "number") for (const end = index + part; index < end; index += 1) order.push({ hit, index });
      else if (hit.value.path) {
        const child = byPath.get(pathKey([...hit.value.path, part.slot]));
        if (child) visit(child);
      }
    }
  };
  for (const hit of hits) visit(hit);
  return order;
}
