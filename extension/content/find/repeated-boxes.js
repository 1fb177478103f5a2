/*
 * Boxes that repeat: a row among peers of one shape, as cards and lists without semantics are built. The parts of a page's frame
 * (an application and the box for its dialogs, header, main and footer) stand beside each other as well, but are no rows: the
 * words in one of them say nothing about which element is meant.
 */
import { cache, memo } from "../dom/flat-tree.js";

const SPACE = /\s/;
/** Peers besides the box itself: with the same ends, or built exactly alike. */
const ENOUGH_PEERS = 2;
const ENOUGH_TWINS = 1;
/** Dividers and rows of another build may stand between: so many siblings are looked at in each direction. */
const REACH = 6;
const DIRECTIONS = /** @type {const} */ (["nextElementSibling", "previousElementSibling"]);
const MAX_ELEMENTS = 120;
const FRAME_PARTS = "main,nav,[role=main],[role=navigation],[role=menubar],[role=application]";
const TOO_LARGE = 0;
/** A shape is a hash of 32 bits, and in the lowest of its digits the count of elements. */
const COUNTS = 256;
const SPREAD = 0x9e3779b1;
const LAST_WORD = /[_:.-]?[^_:.-]*$/;
const NUMBER = /\d+$/;

const buildCache = cache();
const sizeCache = cache();
const shapeCache = cache();
const peersCache = cache();
const partsCache = cache();

/** The first class tells the kind of a box: later ones are mostly states ("row", "row active"). @param {Element} element */
function kindOf(element) {
  const names = element.hasAttributes() ? element.getAttribute("class") : null;
  return names === null ? "" : SPACE.test(names) ? names.trim().split(SPACE, 1)[0] : names;
}

/** @param {Element} element @param {Element | null} sibling @returns {sibling is Element} */
const isTwin = (element, sibling) =>
  sibling !== null && sibling.localName === element.localName && kindOf(sibling) === kindOf(element);

/** Whether a box of its kind stands beside it. @param {Element} element */
export const hasTwin = (element) =>
  isTwin(element, element.nextElementSibling) || isTwin(element, element.previousElementSibling);

/** Tag → a number for it. @type {Map<string, number>} */
const tags = new Map();

/** @param {string} tag */
function numberOf(tag) {
  let number = tags.get(tag);
  if (number === undefined) tags.set(tag, (number = Math.imul(tags.size + 1, SPREAD)));
  return number;
}

/**
 * The tags in a box in their order and depth as one number; TOO_LARGE for more than a row holds.
 * @param {Element} element
 * @param {number} [depth] below the box
 * @returns {number}
 */
function computeShape(element, depth = 0) {
  if (depth > MAX_ELEMENTS) return TOO_LARGE;
  let shape = numberOf(element.localName);
  let count = 1;
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (!child.firstElementChild) {
      shape = Math.imul(shape, SPREAD) ^ numberOf(child.localName);
      count += 1;
    } else {
      const inner = computeShape(child, depth + 1);
      if (inner === TOO_LARGE) return TOO_LARGE;
      shape = Math.imul(shape, SPREAD) ^ Math.trunc(inner / COUNTS);
      count += inner % COUNTS;
    }
    if (count > MAX_ELEMENTS) return TOO_LARGE;
  }
  return (shape >>> 0) * COUNTS + count;
}

/** @param {Element} element @returns {number} */
const shapeOf = (element) => memo(shapeCache, element, computeShape);

/** @param {Element} element */
const computeTooLarge = (element) => element.getElementsByTagName("*")[MAX_ELEMENTS - 1] !== undefined;

/** Whether it holds more than a row does. @param {Element} element */
const isTooLarge = (element) => memo(sizeCache, element, computeTooLarge);

/** An id without what numbers it among its like ("user-Ann", "row_7", "ember12"). @param {Element} element */
function stemOf(element) {
  // A form's `id` may be a field of that name.
  const id = element.getAttribute("id");
  if (!id) return "";
  const stem = id.replace(LAST_WORD, "");
  return stem === "" ? id.replace(NUMBER, "") : stem;
}

/** @param {Element | null} child */
const endOf = (child) => (child === null ? "" : `${child.localName}.${kindOf(child)}`);

/** @param {Element} element */
const computeBuild = (element) => ({
  kind: kindOf(element),
  stem: stemOf(element),
  first: endOf(element.firstElementChild),
});

/**
 * A box as its neighbours compare it.
 * @param {Element} element
 * @returns {{kind: string, stem: string, first: string}}
 */
const buildOf = (element) => memo(buildCache, element, computeBuild);

/**
 * Whether two boxes have a class of their own and the same ends; a badge or a message may stand between.
 * @param {Element} element
 * @param {Element} sibling
 */
function hasSameEnds(element, sibling) {
  const one = buildOf(element);
  const other = buildOf(sibling);
  if (one.kind === "" || one.kind !== other.kind || one.stem !== other.stem) return false;
  return one.first === other.first || endOf(element.lastElementChild) === endOf(sibling.lastElementChild);
}

/** Whether the same tags are in two boxes. @param {Element} one @param {Element} other */
const hasSameShape = (one, other) =>
  kindOf(one) === kindOf(other) && shapeOf(other) !== TOO_LARGE && shapeOf(other) === shapeOf(one);

/**
 * Whether enough boxes beside an element are built like it.
 * @param {Element} element
 * @param {(one: Element, other: Element) => boolean} isAlike
 * @param {number} enough
 */
function hasPeers(element, isAlike, enough) {
  const tag = element.localName;
  for (const towards of DIRECTIONS) {
    let sibling = element[towards];
    for (let left = REACH; sibling && left > 0; left -= 1) {
      const isPeer = sibling.localName === tag && isAlike(element, sibling) && !isTooLarge(sibling);
      if (isPeer && --enough === 0) return true;
      sibling = sibling[towards];
    }
  }
  return false;
}

/** @param {Element} element */
const holdsFramePart = (element) => element.querySelector(FRAME_PARTS) !== null;

/** Rows of one parent are asked about together. @param {Element} element */
const isFramePart = (element) =>
  (!element.parentElement || memo(partsCache, element.parentElement, holdsFramePart)) && holdsFramePart(element);

/** @param {Element} element */
const isRow = (element) =>
  // The ends first: to tell shapes apart costs a look at every element.
  hasPeers(element, hasSameEnds, ENOUGH_PEERS) || hasPeers(element, hasSameShape, ENOUGH_TWINS);

/** @param {Element} element */
const computeRepeated = (element) => !isTooLarge(element) && isRow(element) && !isFramePart(element);

/**
 * Whether a box that has a twin is a row among peers: three or more of one shape, or two built exactly alike.
 * @param {Element} element
 */
export const isRepeated = (element) => element.firstElementChild !== null && memo(peersCache, element, computeRepeated);
