/*
 * Paths of the pointer: points that it passes on its way, each of which it may rest at.
 */
import { pause } from "../base/deadline.js";

/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {Point & {pause?: number}} PassedPoint  pause: ms */

/** Moves to a point of a path. */
const STEPS = 8;

/** Points of the way between two, with the second. @param {Point} from @param {Point} to @param {number} [steps] */
export const between = (from, to, steps = STEPS) => Array.from({ length: steps }, (_, at) => ({
  x: from.x + ((to.x - from.x) * (at + 1)) / steps,
  y: from.y + ((to.y - from.y) * (at + 1)) / steps,
}));

/**
 * Moves the pointer along a path.
 * @param {PassedPoint[]} path
 * @param {{from?: Point, place: (point: Point) => Promise<Point>, moveTo: (at: Point) => Promise<unknown>,
 *   signal: AbortSignal}} how  from: where the pointer is, if that is known; place: where `moveTo` wants a point
 * @returns {Promise<Point|undefined>} where it is then
 */
export async function passAlong(path, { from, place, moveTo, signal }) {
  let last = from;
  for (const { x, y, pause: ms } of path) {
    const next = await place({ x, y });
    for (const at of last ? between(last, next) : [next]) await moveTo(at);
    last = next;
    if (ms) await pause(ms, signal);
  }
  return last;
}
