/* Scrolling: what the wheel would turn, how far it went, and the direct ways. */
import { hop } from "../base/turns.js";
import { composedParent } from "../dom/flat-tree.js";
import { hitAt } from "../visibility/hit-testing.js";
import * as ownScrolls from "../visibility/own-scrolls.js";
import { exactOffsetOf, offsetOf, pageScroller, scrollerOf } from "../visibility/scrollers.js";
import * as visualViewport from "../visibility/visual-viewport.js";
import * as refs from "../find/refs.js";
import * as actStart from "./act-start.js";
import * as stop from "./stop.js";

/** @typedef {"x" | "y"} Axis */
/** @typedef {ReturnType<typeof watchScroll>} Watch */
/**
 * seen: resolves when the wheel turns over the scroller
 * @typedef {{events: WheelEvent[], seen: PromiseWithResolvers<void>}} Wheel
 */
/** @type {Record<"up" | "down" | "left" | "right", [Axis, number]>} */
const AXES = { up: ["y", -1], down: ["y", 1], left: ["x", -1], right: ["x", 1] };
const PAGE_SHARE = 0.8;
const SCROLL_MS = 1500;
/** @type {Watch & {axis: Axis, wanted: number, wheel: Wheel} | null} */
let scrolling = null;

/** The part of its content that a scroller shows. @param {Element} scroller */
const seenOf = (scroller) =>
  (scroller === pageScroller() ? visualViewport.shown() : { width: scroller.clientWidth, height: scroller.clientHeight });

const PLAIN = /^(block|flow-root|inline-block|list-item|table-cell)$/;

/**
 * Whether an element surely scrolls from 0 on. Others may begin at their end, with offsets below 0.
 * @param {Element} scroller @param {Axis} axis
 */
function beginsAtZero(scroller, axis) {
  const own = scroller === pageScroller() ? [document.documentElement, document.body ?? scroller] : [scroller];
  return own.map((el) => getComputedStyle(el)).every(({ display, alignContent, writingMode, direction }) =>
    PLAIN.test(display) && alignContent === "normal" && writingMode === "horizontal-tb" &&
    (axis === "y" || direction === "ltr"));
}

/** A point where the wheel reaches `scroller` and nothing nested in it. @param {Element} scroller @param {Axis} axis */
function wheelPoint(scroller, axis) {
  const shown = visualViewport.shown();
  const view = new DOMRect(shown.x, shown.y, shown.width, shown.height);
  const box = scroller === pageScroller() ? view : scroller.getBoundingClientRect();
  const [left, top] = [Math.max(view.left, box.left), Math.max(view.top, box.top)];
  const [width, height] = [Math.min(view.right, box.right) - left, Math.min(view.bottom, box.bottom) - top];
  if (width < 2 || height < 2) return null;
  for (const [fx, fy] of [[0.5, 0.5], [0.5, 0.25], [0.5, 0.75], [0.02, 0.5], [0.95, 0.5], [0.02, 0.02], [0.5, 0.98]]) {
    const at = { x: left + width * fx, y: top + height * fy };
    const hit = hitAt(at);
    if (hit && !hit.matches("iframe, frame, object, embed") && scrollerOf(hit, axis) === scroller) return at;
  }
  return null;
}

/**
 * Scrolls to a scroller of which a part is not shown. In a pinched page Chrome scrolls even to an element that is shown.
 * @param {Element} scroller @param {Axis} axis
 */
function reveal(scroller, axis) {
  // A frame does not know what is shown of itself.
  if (self === top && isWhollyShown(scroller) && wheelPoint(scroller, axis)) return;
  scroller.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
}

/** @param {Element} scroller */
function isWhollyShown(scroller) {
  const { left, top: upper, right, bottom } = scroller.getBoundingClientRect();
  const { x, y, width, height } = visualViewport.shown();
  // Scrolling ends at a device pixel, so a part of one may be left out.
  return left > x - 1 && upper > y - 1 && right < x + width + 1 && bottom < y + height + 1;
}

/** @param {Element} scroller */
function watchScroll(scroller) {
  const stop = new AbortController();
  ownScrolls.announce(scroller);
  const source = /** @type {EventTarget} */ (scroller === pageScroller() ? document : scroller);
  const ended = new Promise((resolve) => source.addEventListener("scrollend", resolve, { once: true, signal: stop.signal }));
  return { scroller, stop, before: offsetOf(scroller), ended };
}

/**
 * Listens for the wheel over a scroller. What turns over a scroller inside it does not count.
 * @param {Watch} watch @param {Axis} axis
 */
function watchWheel({ scroller, stop }, axis) {
  /** @type {Wheel} */
  const wheel = { events: [], seen: Promise.withResolvers() };
  addEventListener("wheel", (event) => {
    const hit = hitAt({ x: event.clientX, y: event.clientY });
    if (!event.isTrusted || scrollerOf(hit, axis) !== scroller) return;
    wheel.events.push(event);
    wheel.seen.resolve();
  }, { signal: stop.signal, capture: true, passive: true });
  return wheel;
}

/** Whether the page has used the wheel for something else than scrolling. @param {Wheel} wheel */
const isTaken = ({ events }) => events.some((event) => event.defaultPrevented);

/** @param {Watch} state */
function scrolled(state) {
  const now = offsetOf(state.scroller);
  return { moved: { x: now.x - state.before.x, y: now.y - state.before.y }, position: now };
}

/** @param {TargetArgs | null} target */
const scrollTarget = (target) => (target ? refs.resolve(target.ref) : null);

/** @param {{target: TargetArgs | null, direction: keyof typeof AXES, amount?: number}} args */
export const scrollPlan = ({ target, direction, amount }) => {
  const [axis, sign] = AXES[direction];
  const el = scrollTarget(target);
  const scroller = scrollerOf(el, axis);
  if (el && scroller !== pageScroller()) reveal(scroller, axis);
  const page = axis === "y" ? seenOf(scroller).height : seenOf(scroller).width;
  const distance = sign * (amount ?? Math.round(page * PAGE_SHARE));
  scrolling?.stop.abort();
  const watch = watchScroll(scroller);
  scrolling = Object.assign(watch, { axis, wanted: distance, wheel: watchWheel(watch, axis) });
  const [dx, dy] = axis === "x" ? [distance, 0] : [0, distance];
  return { point: wheelPoint(scroller, axis), dx, dy, shown: visualViewport.shown() };
};

/** The place that a scroller is to come to, as far as it can. @param {NonNullable<typeof scrolling>} state */
function goalOf({ scroller, axis, before, wanted }) {
  const limit = axis === "y" ? scroller.scrollHeight - seenOf(scroller).height : scroller.scrollWidth - seenOf(scroller).width;
  const least = beginsAtZero(scroller, axis) ? 0 : Math.min(0, -limit);
  return Math.min(Math.max(before[axis] + wanted, least), limit);
}

/**
 * Wait for the end of a turn of the wheel and make up for what was lost, unless the page took the wheel itself. `arrived`:
 * whether the wheel was seen over the scroller, or has moved it.
 * @param {{smooth?: boolean, wheel?: boolean, act?: ActStart}} args  wheel: it was turned
 */
export const scrollSettle = async ({ smooth = false, wheel = true, act }) => {
  actStart.begin(act);
  const state = /** @type {NonNullable<typeof scrolling>} */ (scrolling);
  scrolling = null;
  const { scroller, axis, ended, wheel: turned } = state;
  const goal = goalOf(state);
  const missing = () => goal - exactOffsetOf(scroller)[axis];
  const isMissing = () => Math.abs(missing()) >= 1 && !isTaken(turned);
  const late = new Promise((resolve) => { setTimeout(resolve, SCROLL_MS); });
  if (wheel) {
    await stop.unless(Promise.race([turned.seen.promise, ended, late]));
    // The listeners of the page come first.
    await hop();
    if (isMissing()) await stop.unless(Promise.race([ended, late]));
  }
  const arrived = turned.events.length > 0 || scrolled(state).moved[axis] !== 0;
  if (isMissing()) {
    const by = axis === "y" ? { left: 0, top: missing() } : { left: missing(), top: 0 };
    scroller.scrollBy({ ...by, behavior: smooth && !document.hidden ? "smooth" : "instant" });
    if (smooth && !document.hidden) await stop.unless(Promise.race([ended, late]));
  }
  state.stop.abort();
  return { ...scrolled(state), ...(wheel && { arrived }) };
};

/**
 * Scrolls to a position, or brings the target into view when no position is given.
 * @param {{target: TargetArgs | null, position?: Partial<Point>, block: ScrollLogicalPosition, smooth: boolean,
 *   act?: ActStart}} args
 */
export const scroll = async ({ target, position, block, smooth, act }) => {
  const el = scrollTarget(target);
  const behavior = smooth && !document.hidden ? "smooth" : "instant";
  const scroller = scrollerOf(position ? el : el && composedParent(el), "y");
  actStart.begin(act);
  const state = watchScroll(scroller);
  if (position) scroller.scrollTo({ left: position.x ?? scroller.scrollLeft, top: position.y ?? scroller.scrollTop, behavior });
  else el?.scrollIntoView({ block, inline: "nearest", behavior });
  const late = new Promise((resolve) => { setTimeout(resolve, SCROLL_MS); });
  if (behavior === "smooth") await stop.unless(Promise.race([state.ended, late]));
  state.stop.abort();
  return scrolled(state);
};
