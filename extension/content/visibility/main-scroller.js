/* The part of a page that scrolls when no element is named. */
import { lineage } from "../dom/flat-tree.js";
import { hitAt } from "./hit-testing.js";
import { pageScroller, scrollsAlong } from "./scrollers.js";
import * as visualViewport from "./visual-viewport.js";

/** @typedef {import("./scrollers.js").Axis} Axis */

const FRAMES = "iframe, frame, object, embed";
/** Places of what is shown, as shares of its width and height, at which the main part of a page is looked for. */
const MIDDLE = [[0.5, 0.5], [0.5, 0.25], [0.5, 0.75], [0.25, 0.5], [0.75, 0.5]];

/** Whether the document is longer than its viewport, and may be scrolled. @param {Axis} axis */
function overflows(axis) {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = pageScroller();
  // https://drafts.csswg.org/css-overflow/#overflow-propagation: the body's applies to the page where the root has none.
  const styles = [document.documentElement, document.body ?? document.documentElement]
    .map((el) => getComputedStyle(el)[axis === "y" ? "overflowY" : "overflowX"]);
  const overflow = styles[0] === "visible" ? styles[1] : styles[0];
  return (axis === "y" ? scrollHeight - clientHeight : scrollWidth - clientWidth) > 0 && !/hidden|clip/.test(overflow);
}

/** Whether the user can scroll the page as a whole. @param {Axis} axis */
const pageScrolls = (axis) => visualViewport.shown().scale > 1 || overflows(axis);

/** @param {Element} el */
const area = (el) => el.clientWidth * el.clientHeight;

/** The elements in the middle of what is shown. */
function inTheMiddle() {
  const { x, y, width, height } = visualViewport.shown();
  return MIDDLE.map(([fx, fy]) => hitAt({ x: x + width * fx, y: y + height * fy })).filter((hit) => hit !== null);
}

/** The biggest box that scrolls in the middle of what is shown. @param {Axis} axis */
function mainBox(axis) {
  for (const hit of inTheMiddle()) {
    const boxes = [...lineage(hit)].filter((el) => el !== pageScroller() && scrollsAlong(el, axis));
    if (boxes.length) return boxes.reduce((biggest, box) => (area(box) > area(biggest) ? box : biggest));
  }
  return null;
}

/**
 * The element that scrolls when no other one is named: the page, or the biggest box in the middle of one that does not scroll.
 * @param {Axis} axis
 */
export const mainScroller = (axis) => (pageScrolls(axis) ? pageScroller() : mainBox(axis) ?? pageScroller());

/**
 * The frame that fills a page in which nothing scrolls: its document does so, as under a pointer in the middle. In a pinched page
 * it does so as well, before what is shown of the page moves.
 * @param {Axis} axis
 */
export function mainFrame(axis) {
  if (overflows(axis) || mainBox(axis)) return null;
  const { width, height } = visualViewport.shown();
  return inTheMiddle().find((hit) => hit.matches(FRAMES) && area(hit) >= (width * height) / 2) ?? null;
}
