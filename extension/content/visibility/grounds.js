/* The colour that text is painted on, and boxes that meet. */
import { composedParent } from "../dom/flat-tree.js";
import { allIn, distance, over, parse } from "./colours.js";

/** @type {Colour} */
const WHITE = [255, 255, 255, 1];

/** Colour behind everything; null where the browser may paint it dark. */
export const canvas = () => (/dark/.test(getComputedStyle(document.documentElement).colorScheme) ? null : WHITE);

/**
 * The one colour of a background image, where it has one: a gradient from a colour to itself.
 * @param {string} image
 * @returns {Colour | null}
 */
export function plainColourOf(image) {
  const colours = image.includes("url(") ? [] : allIn(image);
  return colours.length && colours.every((one) => one[3] === 1 && distance(one, colours[0]) === 0) ? colours[0] : null;
}

/**
 * Background colour of an element's text.
 * @param {CSSStyleDeclaration} style of the element
 * @param {() => Colour | null} behind what the element stands on
 * @returns {Colour | null} null: a picture, or nobody knows
 */
export function groundOf(style, behind) {
  const { backgroundImage } = style;
  if (backgroundImage !== "none" && style.backgroundClip !== "text") return plainColourOf(backgroundImage);
  const own = parse(style.backgroundColor);
  if (own[3] === 1) return own;
  const below = behind();
  return below === null || own[3] === 0 ? below : over(own, own[3], below);
}

/** Background colour of an element whose ancestors are not known. @param {Element | null} element @returns {Colour | null} */
export const groundAt = (element) =>
  element === null ? canvas() : groundOf(getComputedStyle(element), () => groundAt(composedParent(element)));

/** @param {DOMRect} one @param {DOMRect} other */
export const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
