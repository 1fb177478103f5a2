/* The part of a page that scrolls when no element is named. */
import { lineage } from "../dom/flat-tree.js";
import { hitAt } from "./hit-testing.js";
import { pageScroller, scrollsAlong } from "./scrollers.js";
import * as visualViewport from "./visual-viewport.js";

/** @typedef {import("./scrollers.js").Axis} Axis */

/** Places of what is shown, as shares of its width and height, at which the main part of a page is looked for. */
const MIDDLE = [[0.5, 0.5], [0.5, 0.25], [0.5, 0.75], [0.25, 0.5], [0.75, 0.5]];

/** Whether the user can scroll the page as a whole. @param {Axis} axis */
function pageScrolls(axis) {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = pageScroller();
  const { scale } = visualViewport.shown();
  if (scale > 1) return true;
  // https://drafts.csswg.org/css-overflow/#overflow-propagation: the body's applies to the page where the root has none.
  const overflows = [document.documentElement, document.body ?? document.documentElement]
    .map((el) => getComputedStyle(el)[axis === "y" ? "overflowY" : "overflowX"]);
  const overflow = overflows[0] === "visible" ? overflows[1] : overflows[0];
  return (axis === "y" ? scrollHeight - clientHeight : scrollWidth - clientWidth) > 0 && !/hidden|clip/.test(overflow);
}

/**
 * The element that scrolls when no other one is named: the page, or the biggest box in the middle of one that does not scroll.
 * @param {Axis} axis
 */
export function mainScroller(axis) {
  const page = pageScroller();
  if (pageScrolls(axis)) return page;
  const area = (/** @type {Element} */ el) => el.clientWidth * el.clientHeight;
  const { x, y, width, height } = visualViewport.shown();
  for (const [fx, fy] of MIDDLE) {
    const hit = hitAt({ x: x + width * fx, y: y + height * fy });
    const boxes = hit ? [...lineage(hit)].filter((el) => el !== page && scrollsAlong(el, axis)) : [];
    if (boxes.length) return boxes.reduce((biggest, box) => (area(box) > area(biggest) ? box : biggest));
  }
  return page;
}
