/*
 * Colours and sizes of letters after what styles do to them when they are painted: filters, blend modes, perspective, and the
 * fill and the scale of drawings. Asked only where a style has one of these, which is seldom.
 */
import { composedParent, lineage, SVG_NS } from "../dom/flat-tree.js";
import { over, parse } from "./colours.js";
import { groundOf, overlap } from "./grounds.js";

const SHARE = /(brightness|contrast|invert)\(([\d.]+)(%?)\)/g;
const BLUR = /blur\(([\d.]+)px\)/g;
const CHANGES = /brightness|contrast|invert|blur/;
const SHAPES = "rect,path,circle,ellipse,polygon,polyline,image,use,foreignObject";
const PLAIN_SHAPES = /^(rect|path|circle|ellipse|polygon|polyline)$/;
/** Limit of the shapes under a text that are looked at; in a drawing of more, its colour says nothing. */
const MAX_SHAPES = 50;

/** Whether a style changes letters by more than opacity. @param {CSSStyleDeclaration} style */
export const isTinted = ({ filter, mixBlendMode }) => mixBlendMode !== "normal" || (filter !== "none" && CHANGES.test(filter));

/** @type {Record<string, (part: number, share: number) => number>} https://www.w3.org/TR/filter-effects-1/#FilterFunction */
const FILTERS = {
  brightness: (part, share) => part * share,
  contrast: (part, share) => (part - 0.5) * share + 0.5,
  invert: (part, share) => part * (1 - share) + (1 - part) * share,
};

/** @type {Record<string, (top: number, under: number) => number>} https://www.w3.org/TR/compositing-1/#blending */
const BLENDS = {
  multiply: (top, under) => top * under,
  screen: (top, under) => top + under - top * under,
  overlay: (top, under) => BLENDS["hard-light"](under, top),
  darken: Math.min,
  lighten: Math.max,
  "color-dodge": (top, under) => (under === 0 ? 0 : top === 1 ? 1 : under / (1 - top)),
  "color-burn": (top, under) => (under === 1 ? 1 : top === 0 ? 0 : 1 - (1 - under) / top),
  "hard-light": (top, under) => (top <= 0.5 ? 2 * top * under : BLENDS.screen(2 * top - 1, under)),
  difference: (top, under) => Math.abs(top - under),
  exclusion: (top, under) => top + under - 2 * top * under,
  "plus-lighter": (top, under) => top + under,
};
/** Modes that keep how light the ground is: black and white stay. */
const TINTS = /^(hue|saturation|color)$/;

/** @param {Colour} colour @param {(part: number, index: number) => number} change @returns {Colour} */
const changed = (colour, change) => {
  const parts = [0, 1, 2].map((index) => 255 * Math.min(1, Math.max(0, change(colour[index] / 255, index))));
  return [parts[0], parts[1], parts[2], colour[3]];
};

/** @param {Colour} colour @param {string} filter */
function filtered(colour, filter) {
  let seen = colour;
  for (const [, name, number, unit] of filter.matchAll(SHARE))
    seen = changed(seen, (part) => FILTERS[name](part, Number(number) / (unit ? 100 : 1)));
  return seen;
}

/** @param {Colour} top @param {Colour} under @param {string} mode */
function blended(top, under, mode) {
  const blend = BLENDS[mode];
  const [red, green, blue] = under;
  const isExtreme = red === green && green === blue && (red === 0 || red === 255);
  if (blend) return changed(top, (part, index) => blend(part, under[index] / 255));
  return isExtreme && TINTS.test(mode) ? under : top;
}

/** @param {CSSStyleDeclaration} style */
const isGround = ({ backgroundColor, backgroundImage }) => backgroundImage !== "none" || parse(backgroundColor)[3] === 1;

/** @param {CSSStyleDeclaration} style */
const isGroup = ({ opacity, transform, filter, isolation, mixBlendMode, zIndex, position }) =>
  opacity !== "1" || transform !== "none" || filter !== "none" || isolation === "isolate" || mixBlendMode !== "normal" ||
  (zIndex !== "auto" && position !== "static") || position === "fixed" || position === "sticky";

/**
 * The colour that a box is mixed with; null where that is not known, or nothing: Chrome mixes nothing with a bare canvas.
 * @param {Element} element
 * @returns {Colour | null}
 */
function backdropOf(element) {
  for (const at of lineage(element)) {
    if (at === element) continue;
    const style = getComputedStyle(at);
    if (isGround(style)) return groundOf(style, () => null);
    if (isGroup(style)) return null;
  }
  return null;
}

/**
 * Colours of letters and of their ground as they are painted.
 * @param {Element} element
 * @param {Colour} ink opaque
 * @param {Colour} ground
 * @returns {[Colour, Colour]}
 */
export function tinted(element, ink, ground) {
  let [top, under, isInside] = [ink, ground, false];
  for (const at of lineage(element)) {
    const style = getComputedStyle(at);
    isInside ||= isGround(style);
    const { filter, mixBlendMode } = style;
    const backdrop = mixBlendMode === "normal" ? null : backdropOf(at);
    const painted = (/** @type {Colour} */ colour) => {
      const seen = filter === "none" ? colour : filtered(colour, filter);
      return backdrop ? blended(seen, backdrop, mixBlendMode) : seen;
    };
    [top, under] = [painted(top), isInside ? painted(under) : under];
  }
  return [top, under];
}

/** Blur of letters, in CSS pixels. @param {Element} element */
export function blurOf(element) {
  let blur = 0;
  for (const at of lineage(element))
    for (const [, radius] of getComputedStyle(at).filter.matchAll(BLUR)) blur += Number(radius);
  return blur;
}

/** Whether perspective puts an element behind the viewer of the page. @param {Element} element */
export function isBehindViewer(element) {
  for (const at of lineage(element)) {
    const { transform } = getComputedStyle(at);
    const numbers = /^matrix3d\((.*)\)$/.exec(transform)?.[1].split(",").map(Number);
    if (!numbers) continue;
    const above = composedParent(at);
    if (numbers[15] <= 0 || (above !== null && numbers[14] >= parseFloat(getComputedStyle(above).perspective))) return true;
  }
  return false;
}

/** @param {Element} element @returns {element is SVGGraphicsElement} text in a drawing, or a part of it */
export const isDrawn = (element) => element.namespaceURI === SVG_NS && "getScreenCTM" in element;

/** Scale at which a drawing paints a part of it. @param {SVGGraphicsElement} element */
export function scaleOf(element) {
  const matrix = element.getScreenCTM();
  return matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
}

/** @param {string} paint @param {string} opacity @returns {Colour | null} null: a pattern or a gradient */
function paintOf(paint, opacity) {
  if (paint === "none") return [0, 0, 0, 0];
  if (!/^[a-z]+\(/.test(paint) || paint.startsWith("url(")) return null;
  const [red, green, blue, alpha] = parse(paint);
  return [red, green, blue, alpha * parseFloat(opacity)];
}

/** The colour of letters in a drawing; null where it is not one. @param {CSSStyleDeclaration} style @returns {Colour | null} */
export function fillOf({ fill, fillOpacity, stroke, strokeOpacity, strokeWidth }) {
  const outline = paintOf(stroke, strokeOpacity);
  if (outline === null || (outline[3] > 0.05 && parseFloat(strokeWidth) > 0)) return null;
  return paintOf(fill, fillOpacity);
}

/** @param {DOMRect} outer @param {DOMRect} inner */
const isAround = (outer, inner) =>
  outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;

/**
 * The colour under letters in a drawing: of the shapes before them, or behind the drawing.
 * @param {Element} element
 * @param {Colour | null} behind
 * @returns {Colour | null}
 */
export function groundOfDrawing(element, behind) {
  const text = element.closest("text");
  const shapes = element.closest("svg")?.querySelectorAll(SHAPES) ?? [];
  if (!text || shapes.length > MAX_SHAPES) return null;
  const box = element.getBoundingClientRect();
  let ground = behind;
  for (const shape of shapes) {
    if (text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) break;
    const around = shape.getBoundingClientRect();
    if (!overlap(around, box)) continue;
    const { fill, fillOpacity, stroke } = getComputedStyle(shape);
    const isPlain = stroke === "none" && PLAIN_SHAPES.test(shape.localName);
    const paint = isPlain ? paintOf(fill, fillOpacity) : null;
    if (paint === null || !isAround(around, box)) return null;
    ground = paint[3] === 1 ? paint : ground && over(paint, paint[3], ground);
  }
  return ground;
}
