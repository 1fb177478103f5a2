/* Boxes of an element, and the points at which it takes the events of a pointer. */
import { describe } from "../dom/element-summaries.js";
import {
  composedClosest as closest, composedContains as contains, composedParent, shadowRootOf, walkElements,
} from "../dom/flat-tree.js";
import { isFaceOf } from "./covers.js";
import { controlPressedBy, freePlaces, GRID, isTaken } from "./label-places.js";
import * as ownScrolls from "./own-scrolls.js";
import * as visualViewport from "./visual-viewport.js";

export const CENTER = [[0.5, 0.5]];
export const SPREAD = [
  ...CENTER, [0.5, 0.25], [0.5, 0.75], [0.25, 0.5], [0.75, 0.5],
  [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9],
];
const OUTLINE = [0.125, 0.375, 0.625, 0.875];
const MAX_SHAPES = 8;
/** Limit of the words that are looked at for one in view. */
const MAX_WORDS = 500;
const WORD = /[\p{L}\p{N}_]+/gu;
const BUTTONS = "button, a[href], [role=button], [role=link], [role=menuitem]";

/** @param {Element} el @returns {HTMLElement | null | undefined} the control of the label around it */
export function labelledControl(el) {
  return /** @type {HTMLLabelElement | null} */ (closest(el, (node) => node.localName === "label"))?.control;
}

/**
 * The element of a kind that `el` stands for: itself, the control of its label, or the only one inside it.
 * @template {Element} Kind
 * @param {Element} el
 * @param {(node: Element | null | undefined) => node is Kind} isKind
 */
export function meantBy(el, isKind) {
  if (isKind(el)) return el;
  const control = labelledControl(el);
  if (isKind(control)) return control;
  const inside = [...walkElements(el)].filter(isKind);
  return inside.length === 1 ? inside[0] : null;
}

/** @param {Element} area */
function areaBoxes(area) {
  const map = area.closest("map");
  const image = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
  const coords = (area.getAttribute("coords") ?? "").split(",").map(Number);
  if (!image || coords.length < 3) return image ? [image.getBoundingClientRect()] : [];
  const origin = image.getBoundingClientRect();
  if (coords.length === 3) {
    const [x, y, r] = coords;
    return [new DOMRect(origin.x + x - r, origin.y + y - r, 2 * r, 2 * r)];
  }
  const xs = coords.filter((_, i) => i % 2 === 0);
  const ys = coords.filter((_, i) => i % 2 === 1);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [new DOMRect(origin.x + left, origin.y + top, Math.max(...xs) - left, Math.max(...ys) - top)];
}

/** The boxes of an element in its frame's viewport; those of its content when it has none of its own. @param {Element} el */
export function boxes(el) {
  if (el.localName === "area") return areaBoxes(el);
  const solid = (/** @type {DOMRectList} */ rects) => [...rects].filter((r) => r.width > 0 && r.height > 0);
  const own = solid(el.getClientRects());
  if (own.length) return own;
  const range = document.createRange();
  range.selectNodeContents(el);
  return solid(range.getClientRects());
}

/** Whether all boxes of an element are elsewhere than at a point. @param {Element} el @param {Point} point */
export function hasMoved(el, { x, y }) {
  const taken = boxes(el);
  return taken.length > 0
    && !taken.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
}

/** The deepest element at a point, looking into open and closed shadow trees. @param {Point} point */
export function hitAt(point) {
  /** @type {Element | null} */
  let hit = null;
  for (let root = /** @type {Document | ShadowRoot | null} */ (document); root; root = shadowRootOf(hit)) {
    const inner = root.elementFromPoint(point.x, point.y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
  return hit;
}

export const takesNoClicks = (/** @type {Element} */ el) => getComputedStyle(el).pointerEvents === "none";

/** Whether an event on `hit` is an event for `el`. @param {Element} el @param {Element | null} hit */
export function accepts(el, hit) {
  if (!hit) return false;
  // A label that is all link has no better place to press.
  if (contains(el, hit)) return !isTaken(el, hit) || !freePlaces(el).length;
  if (controlPressedBy(hit) === el) return true;
  if (el.localName === "option" && hit === el.closest("select")) return true;
  if (getComputedStyle(el).display === "contents") return contains(hit, el);
  if (isFaceOf(el, hit)) return true;
  // A click through an icon means the next box around it, but not the whole page; a button that takes none is switched off.
  return takesNoClicks(el) && !el.matches(BUTTONS) && !hit.matches("html, body")
    && hit === closest(composedParent(el), (node) => !takesNoClicks(node));
}

/** @param {DOMRect} rect */
function clipToViewport(rect) {
  const { x, y, width, height } = visualViewport.shown();
  const left = Math.max(rect.left, x);
  const top = Math.max(rect.top, y);
  const right = Math.min(rect.right, x + width);
  const bottom = Math.min(rect.bottom, y + height);
  return right - left >= 1 && bottom - top >= 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
}

/** The first words of an element with their places. @param {Element} el @returns {Generator<{text: Node, box: DOMRect}>} */
function* wordsIn(el) {
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let words = 0;
  for (let text = texts.nextNode(); text && words < MAX_WORDS; text = texts.nextNode()) {
    for (const { index, 0: word } of (text.nodeValue ?? "").matchAll(WORD)) {
      if ((words += 1) > MAX_WORDS) break;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      yield { text, box: range.getBoundingClientRect() };
    }
  }
}

/**
 * The middle of the first word in an element that is in view and takes events; null where there is none.
 * @param {Element} el
 */
export function wordIn(el) {
  for (const { box } of wordsIn(el)) {
    const seen = clipToViewport(box);
    const at = seen && { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
    if (at && accepts(el, hitAt(at))) return at;
  }
  return null;
}

/**
 * Moves the view to the first word of what an element shows: of a pinched page it may show another part of a long line.
 * @param {Element} el
 */
export function revealWord(el) {
  const { top, bottom } = el.getBoundingClientRect();
  for (const { text, box } of wordsIn(el)) {
    if (box.bottom <= top || box.top >= bottom) continue;
    const inline = box.left < visualViewport.shown().x ? "start" : "end";
    text.parentElement?.scrollIntoView({ block: "nearest", inline, behavior: "instant" });
    return;
  }
}

/** @param {Point} at */
function isShown({ x, y }) {
  const { x: left, y: top, width, height } = visualViewport.shown();
  return x >= left && y >= top && x < left + width && y < top + height;
}

/**
 * Find a point of the element that takes events: {point} or {cover} or {} (nothing of it is in the viewport).
 * @param {Element} el
 * @param {number[][]} spread where to look in each box, as shares of its width and height
 * @param {boolean} wholeOnly
 * @returns {{point?: Point, cover?: Element}}
 */
export function probe(el, spread, wholeOnly) {
  /** @type {Element | undefined} */
  let cover;
  for (const box of boxes(el)) {
    const seen = clipToViewport(box);
    if (!seen || (wholeOnly && seen.width * seen.height < box.width * box.height * 0.5)) continue;
    for (const [fx, fy] of spread) {
      const point = { x: seen.x + seen.width * fx, y: seen.y + seen.height * fy };
      const hit = hitAt(point);
      if (accepts(el, hit)) return { point };
      cover ??= hit ?? undefined;
    }
  }
  const free = cover && contains(el, cover) ? freePlaces(el).find((at) => isShown(at) && accepts(el, hitAt(at))) : undefined;
  return free ? { point: free } : { cover };
}

/**
 * A point on the line of a drawing that takes events: what is not filled takes none within.
 * @param {Element} el
 * @returns {Point | undefined}
 */
function probeOutline(el) {
  if (!(el instanceof SVGElement)) return undefined;
  const shapes = el instanceof SVGGeometryElement ? [el]
    : [...el.querySelectorAll("*")].filter((shape) => shape instanceof SVGGeometryElement).slice(0, MAX_SHAPES);
  for (const shape of shapes) {
    const [length, matrix] = [shape.getTotalLength(), shape.getScreenCTM()];
    for (const share of matrix ? OUTLINE : []) {
      const { x, y } = shape.getPointAtLength(length * share).matrixTransform(matrix ?? undefined);
      if (accepts(el, hitAt({ x, y }))) return { x, y };
    }
  }
  return undefined;
}

/** @param {Element} el @param {ScrollLogicalPosition} block */
export function reveal(el, block) {
  const boxed = el.getClientRects().length || !el.firstElementChild ? el : el.firstElementChild;
  ownScrolls.announce(boxed);
  boxed.scrollIntoView({ block, inline: block === "center" ? "center" : "nearest", behavior: "instant" });
}

/**
 * A point that takes events, scrolling as little as needed; sticky bars are dodged by other alignments.
 * @param {Element} el
 * @param {boolean} maySearch
 */
export function aim(el, maySearch) {
  const still = probe(el, CENTER, true);
  if (still.point) return still;
  if (!maySearch && still.cover) return probe(el, SPREAD, false);
  /** @type {ReturnType<typeof probe>} */
  let best = {};
  for (const block of /** @type {const} */ (["center", "end", "start"])) {
    reveal(el, block);
    const found = probe(el, SPREAD, false);
    if (found.point) return found;
    if (!best.cover) best = found;
  }
  reveal(el, "center");
  const outlined = best.cover && probeOutline(el);
  if (outlined) return { point: outlined };
  return best.cover ? probe(el, GRID, false) : best;
}

/** A clickable point of the element in its frame's viewport, or null. @param {Element} el */
export function point(el) {
  return aim(el, true).point ?? null;
}

/** Chrome gives a tab that it has loaded again after discarding it no size until it is shown: nothing can be over anything. */
export const isWithoutView = () => innerWidth === 0 && innerHeight === 0 && parent === self;

/** Names what takes the events at `at` instead of `el`; null when `el` itself does. @param {Element} el @param {Point} at */
export function covers(el, at) {
  const hit = hitAt(at);
  return accepts(el, hit) || isWithoutView() ? null : hit ? describe(hit) : "nothing (the point is outside of the page)";
}

/** Whether something else has the middle of an element in view. @param {Element} el */
export const isCovered = (el) => probe(el, CENTER, false).cover !== undefined;
