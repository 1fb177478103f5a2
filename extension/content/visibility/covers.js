/*
 * Text under opaque boxes that are laid over it. Only boxes that a walk has found to be positioned and opaque are looked at, and
 * around each only what its rectangle meets.
 */
import { composedClosest, composedContains, composedParent } from "../dom/flat-tree.js";
import { roleOf } from "../dom/roles.js";
import { allIn, parse } from "./colours.js";
import { overlap } from "./grounds.js";
import { scrolls } from "./scrollers.js";

const LEAST_PX = 8;
const SLACK_PX = 1;
/** Limit of rectangles that are asked for in one snapshot. */
const MAX_LOOKS = 4000;
const SCROLLS = /auto|scroll/;
/** Paint order of boxes in the flow: they lie under all positioned boxes. */
const IN_FLOW = -0.5;

/**
 * Whether absolute boxes of a style hide what is under them; a fixed one would do so only until the page is scrolled.
 * @param {CSSStyleDeclaration} style
 */
export function isCover(style) {
  if (style.opacity !== "1" || style.visibility !== "visible") return false;
  if (parse(style.backgroundColor)[3] <= 0.95 && !isOpaque(style.backgroundImage)) return false;
  return style.clipPath === "none" && style.maskImage === "none" && style.filter === "none";
}

/** @param {string} image */
function isOpaque(image) {
  const colours = image === "none" || image.includes("url(") ? [] : allIn(image);
  return colours.length > 0 && colours.every((colour) => colour[3] > 0.95);
}

/** @param {Element} element */
function levelOf(element) {
  const { position, zIndex, opacity, transform, filter } = getComputedStyle(element);
  if (position === "static" && opacity === "1" && transform === "none" && filter === "none") return IN_FLOW;
  return zIndex === "auto" ? 0 : Number(zIndex);
}

/** @param {DOMRect} inner @param {DOMRect} outer */
const isWithin = (inner, outer) =>
  inner.left >= outer.left - SLACK_PX &&
  inner.right <= outer.right + SLACK_PX &&
  inner.top >= outer.top - SLACK_PX &&
  inner.bottom <= outer.bottom + SLACK_PX;

/** Finds the elements whose own text is covered, all of it. */
class Search {
  /** @type {Set<Element>} */
  found = new Set();
  looks = 0;
  range = document.createRange();

  /** @param {HTMLElement} cover */
  lookUnder(cover) {
    const box = cover.getBoundingClientRect();
    if (box.width < LEAST_PX || box.height < LEAST_PX) return;
    const around = cover.offsetParent ?? document.body;
    if (around) this.descend(around, cover, box, IN_FLOW, levelOf(cover));
  }

  /**
   * @param {Element} element
   * @param {Element} cover
   * @param {DOMRect} box of the cover
   * @param {number} level where the element is painted, as seen from where the search began
   * @param {number} above where the cover is
   */
  descend(element, cover, box, level, above) {
    if (this.looks > MAX_LOOKS) return;
    const isUnder = level < above || (level === above && isBefore(element, cover));
    if (isUnder && this.isTextWithin(element, box)) this.found.add(element);
    for (const child of element.children) {
      if (child === cover) continue;
      this.looks += 1;
      if (!overlap(child.getBoundingClientRect(), box)) continue;
      if (SCROLLS.test(getComputedStyle(child).overflow) && scrolls(child)) continue;
      this.descend(child, cover, box, level === IN_FLOW ? levelOf(child) : level, above);
    }
  }

  /** Whether an element has text of its own, and all of it is in a box. @param {Element} element @param {DOMRect} box */
  isTextWithin(element, box) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ""));
    this.looks += texts.length;
    return texts.length > 0 && texts.every((text) => {
      this.range.selectNodeContents(text);
      return isWithin(this.range.getBoundingClientRect(), box);
    });
  }
}

const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea,[role=combobox],[role=button],[tabindex='0']";
/** A box around a field is that of the widget while it is not much taller than the field. */
const [FIELD_PX, WIDGET_FIELDS] = [24, 2.5];

/**
 * Whether `hit` is what a combobox shows over its field (a placeholder, its choice): a press there is for the box around both.
 * @param {Element} field
 * @param {Element} hit
 */
export function isFaceOf(field, hit) {
  if (field.localName !== "input" || roleOf(field) !== "combobox") return false;
  const widget = composedClosest(composedParent(field), (node) => composedContains(node, hit));
  if (!widget || composedClosest(hit, (node) => node === widget || node.matches(CONTROLS)) !== widget) return false;
  const box = widget.getBoundingClientRect();
  const height = Math.max(field.getBoundingClientRect().height, FIELD_PX);
  return box.height <= height * WIDGET_FIELDS && isWithin(hit.getBoundingClientRect(), box);
}

/** @param {Element} element @param {Element} other */
const isBefore = (element, other) =>
  Boolean(element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Elements whose own text nobody sees under these boxes. @param {Iterable<Element>} covers */
export function under(covers) {
  const search = new Search();
  for (const cover of covers) if (cover instanceof HTMLElement) search.lookUnder(cover);
  return search.found;
}
