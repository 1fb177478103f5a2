/*
 * Text that is laid out and yet no person sees: faded to nothing, clipped to nothing, moved far away, without size, in the colour
 * of what it stands on. It is asked once for each place in the structure, not for each element; what looks suspicious there is
 * looked at again at the element itself.
 */
import { lineage } from "../dom/flat-tree.js";
import { isMaskedOut, isPathEmpty, isRectEmpty } from "./clipping.js";
import { contrast, distance, over, parse } from "./colours.js";
import { canvas, overlap, plainColourOf } from "./grounds.js";
import { blurOf, fillOf, groundOfDrawing, isBehindViewer, isDrawn, scaleOf, tinted } from "./letter-paint.js";
import { isTurnedAway } from "./turned-faces.js";

/** Position where nobody scrolls: menus that wait beside the page are nearer. */
const AWAY_PX = -500;
const FADED = 0.05;
/** Size of the smallest letters that people read. */
const TINY_PX = 4;
/** Share of its own size below which an element is shrunk: letters of the usual sizes are then tiny. */
const SHRUNK = 0.1;
/** Least width and height of a frame in which words can be read, and the usual size of letters there. */
const [TINY_FRAME_PX, FRAME_LETTER_PX] = [4, 16];
/** Spaces between letters, and how far they are blurred, in sizes of the letters: beyond these, they are no words. */
const [HEAPED, SPREAD, BLURRED] = [-0.4, 10, 0.5];
/** Limits of contrast and distance: within both, a person cannot tell letters from their background. */
const LEAST_CONTRAST = 1.1;
const LEAST_DISTANCE = 24;
const CUTS = /hidden|clip/;
const MAX_NEIGHBOURS = 50;
const PICTURES = "img,picture,video,canvas,svg,iframe,object,embed";

const OFFSETS = /** @type {const} */ (["left", "top", "right"]);
const MOVED = /transform|translate|scale/;
const FILTERED = /opacity\(([\d.]+)(%?)\)/g;

/** @param {string} text a computed colour */
const isTransparent = (text) => parse(text)[3] < FADED;

/** Opacity of an element by itself, 0 to 1. @param {CSSStyleDeclaration} style */
export function fadeOf(style) {
  if (isMaskedOut(style)) return 0;
  const { opacity, filter } = style;
  let fade = opacity === "1" ? 1 : parseFloat(opacity);
  if (filter !== "none")
    for (const [, number, unit] of filter.matchAll(FILTERED)) fade *= Math.min(1, Number(number) / (unit ? 100 : 1));
  return fade;
}

/**
 * Whether a style may paint an element in another size. `getComputedStyle` would lay the page out to tell `transform`.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style its own
 */
export const isTurned = (element, { scale, rotate, zoom }) =>
  scale !== "none" || rotate !== "none" || zoom !== "1" || String(element.computedStyleMap().get("transform")) !== "none";

/** Scale at which an element and the boxes around it paint it; 1 is its own size. @param {Element} element */
function sizeOf(element) {
  if (!(element instanceof HTMLElement)) return 1;
  const own = element.offsetWidth * element.offsetHeight;
  if (own === 0) return 1;
  const { width, height } = element.getBoundingClientRect();
  return Math.sqrt((width * height) / own);
}

/**
 * Whether a style moves an element to where nobody scrolls; elements merely scrolled out of a box do not count.
 * @param {CSSStyleDeclaration} style
 */
function isMovedAway({ transform, translate }) {
  if (parseFloat(translate) <= AWAY_PX) return true;
  const numbers = transform === "none" ? undefined : /^matrix\(([^)]*)\)$/.exec(transform)?.[1].split(",").map(Number);
  return numbers !== undefined && (numbers[4] <= AWAY_PX || numbers[5] <= AWAY_PX);
}

/** Whether a page scrolls to the left of where it begins. @param {Element} page */
function scrollsToTheLeft(page) {
  const { direction, writingMode } = getComputedStyle(page);
  return direction === "rtl" || writingMode !== "horizontal-tb";
}

/** Whether a box around an element may bring it into sight by scrolling. @param {Element} element */
function isInScroller(element) {
  for (const at of lineage(element.parentElement)) {
    if (at === document.body) return false;
    if (getComputedStyle(at).overflow !== "visible") return true;
  }
  return false;
}

/** Whether an element in a fixed box is outside the window, into which nothing scrolls it. @param {Element} element */
export function isOutsideWindow(element) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (left === right || top === bottom || innerWidth === 0 || innerHeight === 0) return false;
  return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
}

/**
 * Whether a positioned box lies where no scrolling reaches: outside the window, or above or left of the page.
 * @param {Element} element
 * @param {string} position
 */
function isBeyond(element, position) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (!(element instanceof HTMLElement) || left === right || top === bottom) return false;
  const page = document.scrollingElement;
  const isFixed = position === "fixed";
  if (!isFixed && (top + scrollY >= 0 && left + scrollX >= 0)) return false;
  if (isFixed && left >= 0 && top >= 0 && left < innerWidth && top < innerHeight) return false;
  const around = element.offsetParent;
  if (isFixed && around !== null) return isBeyond(element, "absolute");
  if (around !== null && around !== document.body && around !== page && isInScroller(element)) return false;
  const [across, along] = isFixed ? [0, 0] : [scrollX, scrollY];
  const isRtl = !isFixed && [page, document.body].some((one) => one !== null && scrollsToTheLeft(one));
  const isAbove = Math.max(bottom, top + element.scrollHeight) + along <= 0;
  const isBefore = isAbove || (!isRtl && Math.max(right, left + element.scrollWidth) + across <= 0);
  return isBefore || (isFixed && innerWidth > 0 && innerHeight > 0 && (left >= innerWidth || top >= innerHeight));
}

/**
 * The reason why the content of a box is invisible: "faded", "clipped", "away", "turned", which boxes with a plane besides its
 * plane escape, or "beyond" and "small", which boxes laid out apart escape.
 * @param {CSSStyleDeclaration} style
 * @param {Element} element
 */
export function boxOf(style, element) {
  const { opacity, clipPath, position, overflow } = style;
  if (opacity !== "1" && parseFloat(opacity) < FADED) return "faded";
  if (isTurnedAway(element, style)) return "turned";
  if (clipPath !== "none" && isPathEmpty(clipPath, element)) return "clipped";
  if (position === "absolute" || position === "fixed") {
    if (isRectEmpty(style.clip)) return "clipped";
    if (OFFSETS.some((side) => parseFloat(style[side]) <= AWAY_PX)) return "away";
    if (isBeyond(element, position)) return "beyond";
  }
  // Boxes moved by a class are mostly a row of slides, of which some are in sight.
  if (MOVED.test(element.getAttribute("style") ?? "") && isMovedAway(style)) return "away";
  return overflow !== "visible" &&
    CUTS.test(overflow) &&
    style.display !== "inline" &&
    (element.clientHeight <= 1 || element.clientWidth <= 1)
    ? "small"
    : "";
}

/** Ancestors to where the colour behind the element comes from. @param {Element} element */
function* standsOn(element) {
  for (const at of lineage(element)) {
    yield at;
    if (!isTransparent(getComputedStyle(at).backgroundColor)) return;
  }
}

/**
 * Whether a neighbour of an element is painted under a box, as the ground of a heading often is.
 * @param {Element} element
 * @param {DOMRect} box
 */
function isOnNeighbour(element, box) {
  const neighbours = [...(element.parentElement?.children ?? [])].slice(0, MAX_NEIGHBOURS);
  return neighbours.flatMap((one) => (one === element ? [] : [one, ...Array.from(one.children).slice(0, 1)])).some((one) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    return (backgroundImage !== "none" || !isTransparent(backgroundColor)) && overlap(one.getBoundingClientRect(), box);
  });
}

/**
 * Whether pictures or generated boxes are painted where the element is: its colour says nothing then.
 * @param {Element} element
 */
function isOnPicture(element) {
  const box = element.getBoundingClientRect();
  let last = element;
  for (const at of standsOn(element)) {
    last = at;
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none" && plainColourOf(style.backgroundImage) === null) return true;
    if (at !== document.body && isOnNeighbour(at, box)) return true;
    if (["::before", "::after"].some((part) => getComputedStyle(at, part).content !== "none")) return true;
  }
  return [...last.querySelectorAll(PICTURES)].some(
    (picture) => !picture.contains(element) && overlap(picture.getBoundingClientRect(), box),
  );
}

/** Whether an element is laid over others that are not around it. @param {Element} element */
const isLaidOver = (element) =>
  [...standsOn(element)].some((at) => {
    const { position, backgroundColor } = getComputedStyle(at);
    return /^(fixed|absolute|sticky)$/.test(position) && isTransparent(backgroundColor);
  });

/**
 * Colour under an element that is laid over others; null where that cannot be looked at, or is a picture.
 * @param {Element} element
 * @returns {Colour | null}
 */
function groundUnder(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const stack = root.elementsFromPoint?.(left + width / 2, top + height / 2) ?? [];
  const under = stack.slice(stack.findIndex((one) => element.contains(one)) + 1).filter((one) => !element.contains(one));
  if (under.length === stack.length) return null;
  for (const one of under) {
    if (one.matches(PICTURES)) return null;
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    if (backgroundImage !== "none") return plainColourOf(backgroundImage);
    if (!isTransparent(backgroundColor)) return parse(backgroundColor);
  }
  return canvas();
}

/** Whether letters are visible by something else than their colour. @param {CSSStyleDeclaration} style */
const hasOtherInk = ({ backgroundClip, textShadow, webkitTextStrokeWidth }) =>
  backgroundClip === "text" || textShadow !== "none" || parseFloat(webkitTextStrokeWidth) > 0;

/** @param {Colour} ink @param {number} alpha @param {Colour} ground */
function isNear(ink, alpha, ground) {
  const seen = over(ink, alpha, ground);
  return distance(seen, ground) <= LEAST_DISTANCE && contrast(seen, ground) < LEAST_CONTRAST;
}

/**
 * The reason why the size and place of letters make them invisible; "" when they are visible.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style its own
 * @param {InkAround} around
 */
function shapeOf(element, style, around) {
  const drawn = isDrawn(element);
  const size = drawn ? scaleOf(element) : around.isTurned ? sizeOf(element) : 1;
  if (size < SHRUNK && !drawn) return "shrunk";
  const letter = parseFloat(style.fontSize);
  if (letter * size < TINY_PX) return "tiny";
  if (parseFloat(style.textIndent) <= AWAY_PX) return "away";
  const { letterSpacing } = style;
  const apart = letterSpacing === "normal" ? 0 : parseFloat(letterSpacing) / letter;
  if (apart < HEAPED || apart > SPREAD) return "spread";
  if (around.isTurned && isBehindViewer(element)) return "away";
  return around.isTinted && blurOf(element) > letter * BLURRED ? "blurred" : "";
}

/**
 * The reason why text directly in an element is invisible; "" when it is visible.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style its own
 * @param {InkAround} around
 */
export function inkOf(element, style, around) {
  if (around.fade < FADED) return "faded";
  const shape = shapeOf(element, style, around);
  if (shape !== "") return shape;
  const drawn = isDrawn(element);
  const fill = drawn ? fillOf(style) : parse(style.webkitTextFillColor);
  if (fill === null) return "";
  const alpha = fill[3] * around.fade;
  if (alpha < FADED) return !drawn && hasOtherInk(style) ? "" : "transparent";
  const ground = drawn ? groundOfDrawing(element, around.standsOn()) : around.standsOn();
  if (ground === null || hasOtherInk(style)) return "";
  const [ink, seen] = around.isTinted ? tinted(element, fill, ground) : [fill, ground];
  if (!isNear(ink, alpha, seen)) return "";
  if (isLaidOver(element)) {
    const under = groundUnder(element);
    return under !== null && isNear(ink, alpha, under) ? "blended" : "";
  }
  return isOnPicture(element) ? "" : "blended";
}

/**
 * The reason why no person can read the document in a frame by its size and what is around it; "" when it can be read.
 * @param {Element} frame
 * @param {InkAround} around
 */
export function frameOf(frame, around) {
  const { width, height } = frame.getBoundingClientRect();
  if (Math.min(width, height, frame.clientWidth, frame.clientHeight) < TINY_FRAME_PX) return "small";
  if (around.fade < FADED) return "faded";
  if (around.isTurned && (sizeOf(frame) < SHRUNK || isBehindViewer(frame))) return "shrunk";
  return around.isTinted && blurOf(frame) > FRAME_LETTER_PX * BLURRED ? "blurred" : "";
}
