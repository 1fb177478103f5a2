/*
 * The projection of a child frame's viewport onto this one's: a matrix of nine numbers, row by row, for points (x, y, 1).
 * The projection holds for frames that are rotated, mirrored, skewed, scaled unevenly or seen in perspective.
 */
import { codedError } from "../base/errors.js";
import * as frames from "../dom/frames.js";
import { accepts, covers, hitAt } from "./hit-testing.js";
import * as visualViewport from "./visual-viewport.js";

/** A type that no page listens for, nor knows us by. */
const PROBE = `e${Math.random()}`;
/** Lower limit of a visible frame: below it, the frame is seen from its edge and shows nothing. */
const SMALLEST = 1e-9;

/** @param {FrameMatrix} one @param {FrameMatrix} other @returns {FrameMatrix} the other first */
function times(one, other) {
  const sum = (/** @type {number} */ at) => {
    const row = 3 * Math.floor(at / 3);
    return one[row] * other[at % 3] + one[row + 1] * other[3 + (at % 3)] + one[row + 2] * other[6 + (at % 3)];
  };
  return [sum(0), sum(1), sum(2), sum(3), sum(4), sum(5), sum(6), sum(7), sum(8)];
}

/** @param {FrameMatrix} matrix @returns {FrameMatrix} up to a factor, which a projection does not have */
const inverse = ([a, b, c, d, e, f, g, h, i]) => [
  e * i - f * h, c * h - b * i, b * f - c * e,
  f * g - d * i, a * i - c * g, c * d - a * f,
  d * h - e * g, b * g - a * h, a * e - b * d,
];

/**
 * The projection of the unit square onto four corners, in the order (0,0), (1,0), (1,1), (0,1).
 * @param {Point[]} corners
 * @returns {FrameMatrix | null} null where they span no area
 */
function ontoCorners([p, q, r, s]) {
  const right = { x: q.x - r.x, y: q.y - r.y };
  const left = { x: s.x - r.x, y: s.y - r.y };
  const skew = { x: p.x - q.x + r.x - s.x, y: p.y - q.y + r.y - s.y };
  const area = right.x * left.y - left.x * right.y;
  if (!(Math.abs(area) > SMALLEST)) return null;
  const g = (skew.x * left.y - left.x * skew.y) / area;
  const h = (right.x * skew.y - skew.x * right.y) / area;
  return [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x, q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y, g, h, 1];
}

/**
 * Points of this viewport in an element's own coordinates, from the corner of its padding. Chrome undoes all
 * transformations for the offset of a pointer event, as it does to find out what a pointer hits. An event without a view is
 * taken to name device pixels: its offset is divided by the zoom of the page and by the scale of the screen, though its point
 * was never multiplied by them.
 * @param {Element} element
 * @param {Point[]} points
 * @returns {Point[]}
 */
function inside(element, points) {
  /** @type {Point[]} */
  const found = [];
  const note = (/** @type {Event} */ event) => {
    const { offsetX: x, offsetY: y } = /** @type {PointerEvent} */ (event);
    found.push({ x, y });
  };
  element.addEventListener(PROBE, note);
  for (const { x, y } of points) element.dispatchEvent(new PointerEvent(PROBE, { clientX: x, clientY: y, view: window }));
  element.removeEventListener(PROBE, note);
  return found;
}

/**
 * The projection of a frame's viewport onto this one's.
 * @param {Element} element
 * @returns {FrameMatrix}
 */
export function of(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const padding = { x: parseFloat(style.paddingLeft) || 0, y: parseFloat(style.paddingTop) || 0 };
  // The outer parts of the box may lie behind the viewer of a perspective.
  const corners = [[1, 1], [3, 1], [3, 3], [1, 3]]
    .map(([right, down]) => ({ x: x + width * right / 4, y: y + height * down / 4 }));
  const zoom = element.currentCSSZoom ?? 1;
  const seen = inside(element, corners).map((point) => ({ x: point.x / zoom - padding.x, y: point.y / zoom - padding.y }));
  const inward = seen.length === corners.length ? ontoCorners(seen) : null;
  const outward = ontoCorners(corners);
  return inward && outward ? times(outward, inverse(inward)) : [1, 0, x, 0, 1, y, 0, 0, 1];
}

/** @param {FrameMatrix} matrix @param {Point} point @returns {Point} */
function project([a, b, c, d, e, f, g, h, i], { x, y }) {
  const depth = g * x + h * y + i;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

/**
 * The projection of a child frame's viewport onto this one's, and the part of this one that is shown.
 * @param {{slot: FrameSlot}} args
 */
export const projection = ({ slot }) => {
  const element = frames.elementOf(slot);
  if (!element)
    throw codedError("no_such_frame", "the frame was removed from the page; take a new snapshot", { cause: "frame_gone" });
  return { onto: of(element), shown: visualViewport.shown() };
};

/** A point of a child frame in this one, and what lies over the child there. @param {{slot: FrameSlot, point: Point}} args */
export const over = ({ slot, point }) => {
  const element = frames.elementOf(slot);
  if (!element) return { at: null, cover: null };
  const at = project(of(element), point);
  const hit = hitAt(at);
  return { at, cover: hit && !accepts(element, hit) ? covers(element, at) : null };
};
