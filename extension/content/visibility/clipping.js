/* Visible part of a box after clipping and masks. A shape is looked at only where a style has one, which is seldom. */
import { allIn } from "./colours.js";

const LEAST_PX = 2;
const LENGTH = /(-?[\d.]+)(%|px)?/g;

/** Lengths of a shape in pixels, horizontal and vertical ones by turns. @param {string} text @param {number[]} sides */
const pairs = (text, sides) =>
  [...text.matchAll(LENGTH)].map(([, number, unit], index) => Number(number) * (unit === "%" ? sides[index % 2] / 100 : 1));

/** @param {string} text @param {number} width @param {number} height */
function insetLeft(text, width, height) {
  const given = [...text.split("round")[0].matchAll(LENGTH)].slice(0, 4);
  const [top = 0, right = top, bottom = top, left = right] = given.map(([, number, unit], index) =>
    unit === "%" ? (Number(number) * (index % 2 ? width : height)) / 100 : Number(number),
  );
  return [width - left - right, height - top - bottom];
}

/** @param {string} text @param {number} width @param {number} height */
function ovalLeft(text, width, height) {
  const [radii, centre] = text.split(" at ");
  const numbers = pairs(radii, [width, height]);
  if (!numbers.length || !/^[\d.%px ]+$/.test(radii.trim())) return [width, height];
  const [x, y] = centre ? pairs(centre, [width, height]) : [width / 2, height / 2];
  const [across, along] = [numbers[0], numbers[1] ?? numbers[0]];
  return [Math.min(width, x + across) - Math.max(0, x - across), Math.min(height, y + along) - Math.max(0, y - along)];
}

/** @param {number[]} points @param {number} width @param {number} height */
function spanLeft(points, width, height) {
  const across = points.filter((_, index) => index % 2 === 0);
  const along = points.filter((_, index) => index % 2 === 1);
  return [
    Math.min(width, Math.max(...across)) - Math.max(0, Math.min(...across)),
    Math.min(height, Math.max(...along)) - Math.max(0, Math.min(...along)),
  ];
}

/** Width and height of what a shape leaves. @param {string} clipPath @param {number} width @param {number} height */
function left(clipPath, width, height) {
  const [, kind, text] = /^([a-z]+)\((.*)\)/.exec(clipPath) ?? ["", "", ""];
  if (kind === "inset") return insetLeft(text, width, height);
  if (kind === "circle" || kind === "ellipse") return ovalLeft(text, width, height);
  if (kind === "polygon") return spanLeft(pairs(text.replace(/^(nonzero|evenodd),/, ""), [width, height]), width, height);
  if (kind === "path" && /^[^a-z]*["'][MLZ\d\s,.-]*["']$/i.test(text)) return spanLeft(pairs(text, [0, 0]), width, height);
  return [width, height];
}

/** @param {string} clipPath @param {Element} element */
export function isPathEmpty(clipPath, element) {
  if (clipPath === "none" || !clipPath.includes("(")) return false;
  const { width, height } = element.getBoundingClientRect();
  return left(clipPath, width, height).some((side) => !(side >= LEAST_PX));
}

/** The `clip` of CSS 2, of positioned boxes only. @param {string} clip */
export function isRectEmpty(clip) {
  if (!clip.startsWith("rect(")) return false;
  const [top, right, bottom, leftEdge] = clip.slice(5, -1).split(/,? /).map(parseFloat);
  return right - leftEdge < LEAST_PX || bottom - top < LEAST_PX;
}

/** @param {CSSStyleDeclaration} style */
export function isMaskedOut(style) {
  const { maskImage } = style;
  if (maskImage === "none") return false;
  if (/no-repeat/.test(style.maskRepeat) && /(^| )0(px|%)?( |,|$)/.test(style.maskSize)) return true;
  if (maskImage.includes("url(")) return false;
  const colours = allIn(maskImage);
  return colours.length > 0 && colours.every((colour) => colour[3] < 0.05);
}
