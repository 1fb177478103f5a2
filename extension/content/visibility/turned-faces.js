/* Faces of boxes turned in space, such as cards with a front and a back: one turned away from the viewer is not painted. */
import { composedParent, lineage } from "../dom/flat-tree.js";

/** @type {Record<string, string>} */
const AXES = { x: "1,0,0", y: "0,1,0", z: "0,0,1" };

/** @param {string} rotate a computed value: "none", "45deg", "y 45deg" or "1 1 0 45deg" */
function rotationOf(rotate) {
  if (rotate === "none") return "";
  const parts = rotate.split(" ");
  const angle = parts.pop();
  return `rotate3d(${parts.length > 1 ? parts.join() : AXES[parts[0] ?? "z"]}, ${angle})`;
}

/** @param {CSSStyleDeclaration} style */
const isTransformed = ({ transform, rotate }) => transform !== "none" || rotate !== "none";

/**
 * Whether the boxes in an element are in space with it, rather than drawn on its plane.
 * https://drafts.csswg.org/css-transforms-2/#grouping-property-values
 * @param {Element} element
 */
function keepsDepth(element) {
  const style = getComputedStyle(element);
  return style.transformStyle === "preserve-3d" && /^(visible|clip)( |$)/.test(style.overflow) && style.opacity === "1" &&
    style.filter === "none" && style.clipPath === "none" && style.maskImage === "none" && style.mixBlendMode === "normal" &&
    style.isolation === "auto" && !/paint|strict|content/.test(style.contain);
}

/**
 * Whether an element shows the viewer its back and paints nothing there.
 * https://drafts.csswg.org/css-transforms-2/#backface-visibility-property
 * @param {Element} element
 * @param {CSSStyleDeclaration} style its computed style
 */
export function isTurnedAway(element, style) {
  if (style.backfaceVisibility !== "hidden") return false;
  let matrix = new DOMMatrix();
  for (const at of lineage(element)) {
    if (at !== element && !keepsDepth(at)) break;
    const { transform, rotate } = getComputedStyle(at);
    const turn = `${rotationOf(rotate)} ${transform === "none" ? "" : transform}`.trim();
    if (turn !== "") matrix = new DOMMatrix(turn).multiply(matrix);
  }
  return matrix.inverse().m33 < 0;
}

/**
 * Whether an element in a face that is turned away has a plane besides it, and so is painted if its front is to the viewer.
 * @param {Element} element
 */
export function hasPlane(element) {
  if (!isTransformed(getComputedStyle(element))) return false;
  for (const at of lineage(composedParent(element))) {
    if (!keepsDepth(at)) return false;
    if (getComputedStyle(at).backfaceVisibility === "hidden") return true;
  }
  return false;
}
