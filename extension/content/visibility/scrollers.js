/* Elements that scroll: which one a wheel turns, and how far it has gone. */
import { composedClosest as closest } from "../dom/flat-tree.js";
import * as visualViewport from "./visual-viewport.js";

/** @typedef {"x" | "y"} Axis */

/** The element that scrolls the page as a whole. */
export function pageScroller() {
  return document.scrollingElement ?? document.documentElement;
}

/** @param {Element} el @param {Axis} axis */
export function scrollsAlong(el, axis) {
  if (el === pageScroller()) return true;
  const style = getComputedStyle(el);
  const [overflow, room] = axis === "y"
    ? [style.overflowY, el.scrollHeight - el.clientHeight]
    : [style.overflowX, el.scrollWidth - el.clientWidth];
  return room > 0 && /auto|scroll|hidden|overlay/.test(overflow);
}

/** The element that scrolls when the wheel turns over an element. @param {Element | null} el @param {Axis} axis */
export function scrollerOf(el, axis) {
  return closest(el ?? pageScroller(), (node) => scrollsAlong(node, axis)) ?? pageScroller();
}

/** @param {Element} scroller */
export function offsetOf(scroller) {
  const { x, y } = exactOffsetOf(scroller);
  return { x: Math.round(x), y: Math.round(y) };
}

/** The wheel moves what is shown of a pinched page. @param {Element} scroller */
export const exactOffsetOf = (scroller) =>
  (scroller === pageScroller() ? visualViewport.inPage() : { x: scroller.scrollLeft, y: scroller.scrollTop });

/** @param {Element} element whose overflow lets it scroll */
export function scrolls(element) {
  return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
}
