/*
 * Scrolling with the wheel of the trusted pointer. The reply says when the page has not seen it where it was to scroll.
 */
import { tabIdOf } from "../page/element-lookup.js";
import { placeInShown, placesInTop } from "../page/frames.js";
import { pointAt } from "../page/page-marks.js";
import { scrollPlan, settleScroll } from "./dom-input.js";
import { whileDrawn } from "./drawn-tab.js";
import { dispatchMouse } from "./pointer.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {import("../page/frames.js").Shown} Shown */
/** @typedef {import("./dom-input.js").Scroll & {frameId: number, smooth: boolean}} Scrolled */

const NOT_SEEN = "the wheel was not seen to arrive there, so the distance was scrolled by script. Look at the page: the wheel " +
  "may have moved something else";

/**
 * Scrolls with the wheel where that reaches the scroller, by script where it does not.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Scrolled} what
 */
export async function scrollByWheel(send, call, what) {
  const { element, ...planned } = await scrollPlan(call, what);
  return { element, ...await turn(send, call, planned) };
}

/**
 * @param {Send} send @param {CallContext} call
 * @param {{plan: import("./dom-input.js").ScrollPlan, what: Scrolled}} planned
 */
async function turn(send, call, { plan, what }) {
  const tabId = tabIdOf(call);
  const zoom = await chrome.tabs.getZoom(tabId);
  const { point } = plan;
  if (!point || what.smooth) return settleScroll(call, what, false);
  const [from, to] = await ends(call, what.frameId, { ...plan, point });
  pointAt(tabId, from.inPage);
  // Beyond what is shown the wheel would scroll the page around the frame.
  if (!from.isInView) return settleScroll(call, what, false);
  // Chrome counts the turn of a wheel in pixels of the window, and a place in CSS pixels.
  const perPx = zoom * from.shown.scale;
  const delta = { deltaX: (to.inPage.x - from.inPage.x) * perPx, deltaY: (to.inPage.y - from.inPage.y) * perPx };
  const { arrived, ...scrolled } = await whileDrawn(send, call, async () => {
    await dispatchMouse(send, "mouseWheel", from.at, delta);
    return settleScroll(call, what, true);
  });
  return arrived ? scrolled : { ...scrolled, note: NOT_SEEN };
}

/**
 * Places of the pointer and of the same point moved by the distance to scroll, which a frame may show larger or turned.
 * @param {CallContext} call @param {number} frameId
 * @param {{point: Point, dx: number, dy: number, shown: Shown}} plan
 */
function ends(call, frameId, { point, dx, dy, shown }) {
  const points = [point, { x: point.x + dx, y: point.y + dy }];
  return frameId ? placesInTop(tabIdOf(call), frameId, points, call) : points.map((each) => placeInShown(each, shown));
}
