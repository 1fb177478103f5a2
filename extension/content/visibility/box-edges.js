/* Edges by which people see that some controls belong together: those of cards, menus, tool bars and drop areas. */
import { parse } from "./colours.js";

const CONTROLS =
  "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=menuitem],[role=tab]," +
  "[tabindex],[onclick],[draggable=true],[contenteditable]";
const SIDES = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]);
const OUT_OF_FLOW = /^(absolute|fixed)$/;
/** Alpha of a colour that people see. */
const SEEN = 0.05;

/** @param {CSSStyleDeclaration} style @param {typeof SIDES[number]} side */
const hasBorder = (style, side) =>
  style[`border${side}Style`] !== "none" && parseFloat(style[`border${side}Width`]) > 0 &&
  parse(style[`border${side}Color`])[3] > SEEN;

/** @param {CSSStyleDeclaration} style */
const isRounded = (style) => parseFloat(style.borderTopLeftRadius) > 0 && parse(style.backgroundColor)[3] > SEEN;

/** Whether boxes of a style have an edge, or are laid over the page. @param {CSSStyleDeclaration} style */
export const hasEdge = (style) =>
  OUT_OF_FLOW.test(style.position) || style.boxShadow !== "none" || isRounded(style) ||
  SIDES.filter((side) => hasBorder(style, side)).length > 2;

/** Whether more than one control may be in a box. @param {Element} element */
export const holdsControls = (element) => element.querySelectorAll(CONTROLS).length > 1;
