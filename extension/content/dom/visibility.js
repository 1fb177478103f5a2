/* Tests of elements: rendered, visible, and exposed to assistive technology. */
import { cache, composedChildren, composedParent, memo, tagOf, VISIBLE } from "./flat-tree.js";

const renderedCache = cache();
const hiddenCache = cache();

/** @param {Element} element */
const displayOf = (element) => getComputedStyle(element).display;

// Boxless children of an element that skips its contents are not rendered either.
/** @param {Element} parent @param {Element} child */
function showsContents(parent, child) {
  if (parent.localName === "details" && !parent.hasAttribute("open")) {
    return child === parent.querySelector(":scope > summary");
  }
  return getComputedStyle(parent).contentVisibility !== "hidden";
}

/** @param {Element} element @returns {boolean} */
function isRenderedInParent(element) {
  const parent = composedParent(element);
  if (!parent) return element === element.ownerDocument.documentElement;
  return isRendered(parent) && showsContents(parent, element);
}

/** @param {Element} area */
function isMapInUse(area) {
  const name = area.closest("map")?.getAttribute("name");
  if (!name) return false;
  const image = area.getRootNode().querySelector(`img[usemap="#${CSS.escape(name)}"]`);
  return image !== null && isRendered(image);
}

/** @param {Element} element */
const isOptionRendered = (element) =>
  element.closest("select") !== null && displayOf(element) !== "none" && isRenderedInParent(element);

// Elements without a box that are exposed nevertheless: https://drafts.csswg.org/cssom-view/#dom-element-checkvisibility
/** @type {ElementRules<boolean>} */
const BOXLESS = {
  option: isOptionRendered,
  optgroup: isOptionRendered,
  area: isMapInUse,
};

/** @param {Element} element @returns {boolean} */
function isRenderedWithoutBox(element) {
  const special = BOXLESS[element.localName];
  if (special) return special(element);
  const display = displayOf(element);
  if (display === "contents") return isRenderedInParent(element);
  // Fallback content of a canvas is its accessible content.
  const canvas = display !== "none" && element.closest("canvas");
  return Boolean(canvas) && canvas !== element && isRenderedInParent(element);
}

/** @param {Element} element */
const computeRendered = (element) => element.checkVisibility() || isRenderedWithoutBox(element);

/**
 * Whether the element takes part in rendering (display, content-visibility, closed details, slots).
 * @param {Element} element
 * @returns {boolean}
 */
export function isRendered(element) {
  return memo(renderedCache, element, computeRendered);
}

/** @param {DOMRect} rect */
const hasArea = (rect) => rect.width > 0 && rect.height > 0;

/** @param {Text} text */
function hasVisibleText(text) {
  const range = document.createRange();
  range.selectNodeContents(text);
  return hasArea(range.getBoundingClientRect());
}

/** @param {FlatNode} node @returns {boolean} */
function isVisibleNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return hasVisibleText(node);
  return node.nodeType === Node.ELEMENT_NODE && isVisible(node);
}

/**
 * Whether a person could see the element: it has a box with an area and is not visibility:hidden.
 * @param {Element} element
 * @returns {boolean}
 */
export function isVisible(element) {
  if (element.localName === "option" || element.localName === "optgroup") {
    const select = element.closest("select");
    if (select) return isRendered(element) && isVisible(select);
  }
  if (element.checkVisibility(VISIBLE)) return hasArea(element.getBoundingClientRect());
  if (!isRendered(element)) return false;
  const style = getComputedStyle(element);
  if (style.display !== "contents") return style.visibility === "visible" && element.localName === "area";
  return Array.from(composedChildren(element)).some(isVisibleNode);
}

const PAGE = new Set(["html", "body"]);

// aria-hidden on the page itself would hide everything; browsers ignore it there.
/** @param {Element} element */
export function isMarkedHidden(element) {
  if (!element.hasAttributes()) return false;
  if (element.getAttribute("aria-hidden")?.toLowerCase() === "true") return !PAGE.has(element.localName);
  return element.hasAttribute("inert") && tagOf(element) === element.localName;
}

/** @param {Element} element @returns {boolean} */
function isHiddenByAncestors(element) {
  if (isMarkedHidden(element)) return true;
  const parent = composedParent(element);
  return parent !== null && memo(hiddenCache, parent, isHiddenByAncestors);
}

// Options are shown in a popup of their own, so their visibility property says nothing while it is closed.
/** @param {Element} element */
const isShown = (element) =>
  element.checkVisibility(VISIBLE) ||
  (isRendered(element) && (element.localName === "option" || getComputedStyle(element).visibility === "visible"));

/**
 * Whether the element is hidden by its visibility alone: descendants may show again.
 * @param {Element} element
 */
export function isInvisibleOnly(element) {
  return !isShown(element) && isRendered(element) && !memo(hiddenCache, element, isHiddenByAncestors);
}

/**
 * Whether an element that aria-owns moved elsewhere is hidden: its DOM ancestors no longer count.
 * @param {Element} element
 */
export const isRelocatedHidden = (element) => !isShown(element) || isMarkedHidden(element);

/**
 * Whether the element is kept from assistive technology: not rendered, not visible, aria-hidden or inert
 * (itself or an ancestor in the flat tree). https://w3c.github.io/aria/#tree_exclusion
 * @param {Element} element
 */
export function isAccessibilityHidden(element) {
  return !isShown(element) || memo(hiddenCache, element, isHiddenByAncestors);
}
