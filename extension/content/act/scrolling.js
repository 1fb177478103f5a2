/* Scrolling: what the wheel would turn, how far it went, and the direct ways. */
import { describe } from "../dom/element-summaries.js";
import { composedParent } from "../dom/flat-tree.js";
import { slotOf } from "../dom/frames.js";
import { nextFrame } from "../visibility/drawn-frames.js";
import { hitAt } from "../visibility/hit-testing.js";
import { mainFrame, mainScroller } from "../visibility/main-scroller.js";
import * as ownScrolls from "../visibility/own-scrolls.js";
import { exactOffsetOf, offsetOf, pageScroller, scrollerOf } from "../visibility/scrollers.js";
import * as visualViewport from "../visibility/visual-viewport.js";
import * as refs from "../find/refs.js";
import * as actStart from "./act-start.js";
import { deadlineFrom } from "./actionability.js";
import * as stop from "./stop.js";

/** @typedef {"x" | "y"} Axis */
/** @typedef {ReturnType<typeof watchScroll>} Watch */
/** @typedef {{events: WheelEvent[]}} Wheel  those over the scroller */
/** @type {Record<"up" | "down" | "left" | "right", [Axis, number]>} */
const AXES = { up: ["y", -1], down: ["y", 1], left: ["x", -1], right: ["x", 1] };
const PAGE_SHARE = 0.8;
/** A wheel that does not arrive is waited for at least so long: Chrome may give it to another frame first. */
const WHEEL_MS = 1500;
/** A movement by a wheel that was seen shows within so many frames, and has ended when it has shown in none of as many. */
const STILL_FRAMES = 5;
/** Frames without movement after which a scroll has ended whose end the page has not been given. */
const ENDLESS_FRAMES = 30;
/** Frames within which each scroll ends. A page that still moves then scrolls without an end. */
const MOST_FRAMES = 300;
/** @type {Watch & {axis: Axis, wanted: number, wheel: Wheel, isNamed: boolean} | null} */
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
  const watch = { scroller, stop, before: offsetOf(scroller), isMoving: false };
  const note = (/** @type {Event} */ event) => {
    if (event.isTrusted) watch.isMoving = event.type === "scroll";
  };
  for (const type of ["scroll", "scrollend"]) source.addEventListener(type, note, { signal: stop.signal });
  return watch;
}

/**
 * Waits until a scroller has come to rest. The event of an end alone does not say so: it may be that of an earlier scroll, which
 * comes in the next frame. Frames are counted, not time: of a wheel that was sent, no movement is left after them, however
 * late the machine draws them.
 * @param {Watch} watch @param {number} deadline
 * @param {{isOver?: () => boolean, isAwaited?: () => boolean}} [asks] isOver: whether nothing more is waited for; isAwaited:
 *   whether something is that may move it
 * @returns {Promise<boolean>} false: it still moves
 */
async function comesToRest(watch, deadline, { isOver = () => false, isAwaited = () => false } = {}) {
  const { scroller } = watch;
  let last = exactOffsetOf(scroller);
  const least = () => (watch.isMoving ? ENDLESS_FRAMES : STILL_FRAMES);
  for (let still = 0, frames = 0; still < least() || isAwaited(); frames += 1) {
    if (isOver()) return true;
    if (frames > MOST_FRAMES || !await drawn(deadline)) return false;
    const now = exactOffsetOf(scroller);
    still = now.x === last.x && now.y === last.y ? still + 1 : 0;
    last = now;
  }
  return true;
}

/** Waits for a frame of the page. @param {number} deadline @returns {Promise<boolean>} whether it came before */
async function drawn(deadline) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, Math.max(0, deadline - Date.now()), false); });
  return stop.unless(Promise.race([nextFrame().then(() => true), late])).finally(() => clearTimeout(timer));
}

/**
 * Listens for the wheel over a scroller. What turns over a scroller inside it does not count.
 * @param {Watch} watch @param {Axis} axis
 */
function watchWheel({ scroller, stop }, axis) {
  /** @type {Wheel} */
  const wheel = { events: [] };
  addEventListener("wheel", (event) => {
    const hit = hitAt({ x: event.clientX, y: event.clientY });
    if (!event.isTrusted || scrollerOf(hit, axis) !== scroller) return;
    wheel.events.push(event);
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

/** Says which part of a page was scrolled, where none was named. @param {Element} scroller @param {boolean} isNamed */
const partOf = (scroller, isNamed) => (isNamed || scroller === pageScroller() ? {} : { element: describe(scroller) });

/** @param {TargetArgs | null} target */
const scrollTarget = (target) => (target ? refs.resolve(target.ref) : null);

/** The frame that fills a page in which nothing scrolls. @param {{axis: Axis}} args */
export const scrollFrame = ({ axis }) => {
  const frame = mainFrame(axis);
  return frame && { slot: slotOf(frame), element: describe(frame) };
};

/**
 * The turn of the wheel that scrolls by so much. `mayEnter`: where a frame fills a page in which nothing scrolls, the answer
 * names that frame: its document knows the rest.
 * @param {{target: TargetArgs | null, direction: keyof typeof AXES, amount?: number, mayEnter: boolean}} args
 */
export const scrollPlan = ({ target, direction, amount, mayEnter }) => {
  const [axis, sign] = AXES[direction];
  const el = scrollTarget(target);
  const within = el || !mayEnter ? null : scrollFrame({ axis });
  if (within) return within;
  const scroller = el ? scrollerOf(el, axis) : mainScroller(axis);
  if (el && scroller !== pageScroller()) reveal(scroller, axis);
  const page = axis === "y" ? seenOf(scroller).height : seenOf(scroller).width;
  const distance = sign * (amount ?? Math.round(page * PAGE_SHARE));
  scrolling?.stop.abort();
  const watch = watchScroll(scroller);
  scrolling = Object.assign(watch, { axis, wanted: distance, wheel: watchWheel(watch, axis), isNamed: el !== null });
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
 * @param {{smooth?: boolean, wheel?: boolean, timeout_ms?: number, act?: ActStart}} args  wheel: it was turned
 */
export const scrollSettle = async ({ smooth = false, wheel = true, timeout_ms, act }) => {
  actStart.begin(act);
  const state = /** @type {NonNullable<typeof scrolling>} */ (scrolling);
  scrolling = null;
  const { scroller, axis, wheel: turned } = state;
  const deadline = deadlineFrom(timeout_ms);
  const goal = goalOf(state);
  const missing = () => goal - exactOffsetOf(scroller)[axis];
  const isMissing = () => Math.abs(missing()) >= 1 && !isTaken(turned);
  const isSeen = () => turned.events.length > 0;
  const hasMoved = () => scrolled(state).moved[axis] !== 0;
  const until = Date.now() + WHEEL_MS;
  let rests = !wheel || await comesToRest(state, deadline, {
    isOver: () => isSeen() && !isMissing(), isAwaited: () => !isSeen() && !hasMoved() && Date.now() < until,
  });
  const arrived = isSeen() || hasMoved();
  const behavior = smooth && !document.hidden ? "smooth" : "instant";
  // A movement of the wheel that came even later would be added to that of the script, and is taken back.
  for (let left = wheel ? 2 : 1; left > 0 && rests && isMissing(); left -= 1) {
    scroller.scrollBy({ left: 0, top: 0, [axis === "y" ? "top" : "left"]: missing(), behavior });
    if (wheel || behavior === "smooth") rests = await comesToRest(state, deadline);
  }
  state.stop.abort();
  return { ...scrolled(state), ...partOf(scroller, state.isNamed), ...(wheel && { arrived }) };
};

/**
 * Scrolls to a position, or brings the target into view when no position is given.
 * @param {{target: TargetArgs | null, position?: Partial<Point>, block: ScrollLogicalPosition, smooth: boolean,
 *   timeout_ms?: number, act?: ActStart}} args
 */
export const scroll = async ({ target, position, block, smooth, timeout_ms, act }) => {
  const el = scrollTarget(target);
  const behavior = smooth && !document.hidden ? "smooth" : "instant";
  const scroller = el ? scrollerOf(position ? el : composedParent(el), "y") : mainScroller("y");
  actStart.begin(act);
  const state = watchScroll(scroller);
  if (position) scroller.scrollTo({ left: position.x ?? scroller.scrollLeft, top: position.y ?? scroller.scrollTop, behavior });
  else el?.scrollIntoView({ block, inline: "nearest", behavior });
  if (behavior === "smooth") await comesToRest(state, deadlineFrom(timeout_ms));
  state.stop.abort();
  return { ...scrolled(state), ...partOf(scroller, el !== null) };
};
