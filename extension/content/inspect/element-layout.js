/*
 * Layout of an element: its box, what it is placed in and painted with, and why it is not seen. The element and those around it
 * are held for the worker, which asks the debugger about them.
 */
import * as elementSummaries from "../dom/element-summaries.js";
import { composedParent, lineage } from "../dom/flat-tree.js";
import { isPathEmpty } from "../visibility/clipping.js";
import { probe, SPREAD, takesNoClicks } from "../visibility/hit-testing.js";
import * as refs from "../find/refs.js";
import { tagged } from "./named-elements.js";

const MAX_AROUND = 60;
const SIDES = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]);
const FADED = 0.05;
const CONTAINERS = /** @type {const} */ (
  ["transform", "translate", "rotate", "scale", "perspective", "filter", "backdropFilter"]);
const CONTAINS = /\b(layout|paint|strict|content)\b/;
const CUTS = /hidden|clip|auto|scroll/;

const round = (/** @type {number} */ px) => Math.round(px * 100) / 100;

/** An element, then those around it in the flat tree, the nearest first. @param {Element} element */
const chainOf = (element) => [...lineage(element)].slice(0, MAX_AROUND);

/** Widths on the four sides, as CSS writes them. @param {(side: typeof SIDES[number]) => string} valueOf */
function sides(valueOf) {
  const [top, right, bottom, left] = SIDES.map((side) => valueOf(side));
  if (left !== right) return [top, right, bottom, left].join(" ");
  return top !== bottom ? [top, right, bottom].join(" ") : top !== right ? `${top} ${right}` : top;
}

/** @param {Element} element @param {CSSStyleDeclaration} style */
function boxOf(element, style) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const of = (/** @type {string} */ name) => Reflect.get(style, name);
  return {
    x: round(x), y: round(y), width: round(width), height: round(height), display: style.display, position: style.position,
    sizing: style.boxSizing, margin: sides((side) => of(`margin${side}`)), border: sides((side) => of(`border${side}Width`)),
    padding: sides((side) => of(`padding${side}`)),
  };
}

/** Pairs of a name and a value that make a box contain fixed ones. @param {CSSStyleDeclaration} style */
function containerOf(style) {
  for (const name of CONTAINERS)
    if (style[name] !== "none" && style[name] !== "") return `${kebab(name)}: ${style[name]}`;
  if (CONTAINS.test(style.contain)) return `contain: ${style.contain}`;
  return /transform|perspective|filter/.test(style.willChange) ? `will-change: ${style.willChange}` : null;
}

const kebab = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The box that percentages and offsets of an element go by, and why it is that one. @param {Element[]} chain */
function containingBlockOf([element, ...around]) {
  const { position } = getComputedStyle(element);
  const isFixed = position === "fixed";
  for (const outer of around) {
    const style = getComputedStyle(outer);
    const why = position !== "absolute" && !isFixed
      ? (/^(inline|contents|none)$/.test(style.display) ? null : `display: ${style.display}`)
      : containerOf(style) ?? (!isFixed && style.position !== "static" ? `position: ${style.position}` : null);
    if (why) return { element: tagged(outer), why };
  }
  return { element: isFixed ? "the viewport" : "the initial containing block", why: `position: ${position}` };
}

/** The reason why an element begins a stacking context of its own; null where it does not. @param {Element} element */
function stacksBy(element) {
  const style = getComputedStyle(element);
  if (element === document.documentElement) return "the root";
  if (element.matches(":modal, :popover-open")) return "in the top layer";
  if (/fixed|sticky/.test(style.position)) return `position: ${style.position}`;
  const parent = composedParent(element);
  const isItem = parent !== null && /flex|grid/.test(getComputedStyle(parent).display);
  if (style.zIndex !== "auto" && (style.position !== "static" || isItem)) return `z-index: ${style.zIndex}`;
  if (Number(style.opacity) < 1) return `opacity: ${style.opacity}`;
  if (style.mixBlendMode !== "normal") return `mix-blend-mode: ${style.mixBlendMode}`;
  if (style.isolation === "isolate") return "isolation: isolate";
  if (style.clipPath !== "none") return `clip-path: ${style.clipPath}`;
  if (style.maskImage !== "none") return "mask-image";
  const willStack = /opacity|z-index|top|left|position/.test(style.willChange);
  return containerOf(style) ?? (willStack ? `will-change: ${style.willChange}` : null);
}

/** @param {Element[]} chain */
function stackingOf(chain) {
  for (const element of chain) {
    const why = stacksBy(element);
    if (why) return { element: element === chain[0] ? "the element itself" : tagged(element), why };
  }
  return { element: "the root", why: "the root" };
}

/**
 * Reasons by the style of one element of the chain, which hide it and all in it.
 * @param {Element} element @param {boolean} isItself
 */
function hiddenBy(element, isItself) {
  const style = getComputedStyle(element);
  const on = isItself ? "" : ` on ${tagged(element)}`;
  const reasons = [];
  const marked = element.hasAttribute("hidden") ? " (it has the attribute hidden)" : "";
  if (style.display === "none") reasons.push(`display: none${on}${marked}`);
  if (Number(style.opacity) < FADED) reasons.push(`opacity: ${style.opacity}${on}`);
  if (!isItself && style.contentVisibility === "hidden") reasons.push(`content-visibility: hidden${on}`);
  if (!isItself && element.matches("details:not([open])")) reasons.push(`it is in closed ${tagged(element)}`);
  if (isPathEmpty(style.clipPath, element)) reasons.push(`clip-path: ${style.clipPath}${on}`);
  return reasons;
}

/** The element that an invisible one has its visibility from. @param {Element[]} chain */
function visibilityReason(chain) {
  const { visibility } = getComputedStyle(chain[0]);
  if (visibility === "visible") return [];
  const isSame = (/** @type {Element} */ one) => getComputedStyle(one).visibility === visibility;
  const last = chain.findLastIndex((_, at) => chain.slice(0, at + 1).every(isSame));
  return [`visibility: ${visibility}${last > 0 ? `, inherited from ${tagged(chain[last])}` : ""}`];
}

/** The ancestor that cuts off all of an element. @param {Element[]} chain */
function cutBy([element, ...around]) {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height || getComputedStyle(element).position === "fixed") return [];
  for (const outer of around) {
    if (outer === document.body || outer === document.documentElement) break;
    const { overflowX, overflowY } = getComputedStyle(outer);
    if (!CUTS.test(overflowX) && !CUTS.test(overflowY)) continue;
    const edge = outer.getBoundingClientRect();
    const isOut = box.right <= edge.left || box.left >= edge.right || box.bottom <= edge.top || box.top >= edge.bottom;
    if (!isOut) continue;
    const isScrolled = /auto|scroll/.test(`${overflowX} ${overflowY}`);
    return [`${isScrolled ? "scrolled out of" : "cut off by"} ${tagged(outer)} (overflow: ${overflowX} ${overflowY})`];
  }
  return [];
}

/** Reasons why nobody sees the element now; empty where nothing hides it. @param {Element[]} chain */
function reasonsOf(chain) {
  const [element] = chain;
  const reasons = [...chain.flatMap((one, at) => hiddenBy(one, at === 0)), ...visibilityReason(chain)];
  if (!element.checkVisibility() && !reasons.length)
    reasons.push("it has no box (display: contents, or something around it is not rendered)");
  const { width, height, right, bottom } = element.getBoundingClientRect();
  if (reasons.length === 0 && !(width && height)) reasons.push(`its box is empty (${round(width)} × ${round(height)} px)`);
  const isAway = right + scrollX <= 0 || bottom + scrollY <= 0;
  if (!reasons.length && isAway) reasons.push("it lies left of or above the page");
  reasons.push(...cutBy(chain));
  return reasons;
}

/** The element that gets a press instead of this one, where that is in view. @param {Element} element */
function coverOf(element) {
  const { point, cover } = probe(element, SPREAD, false);
  return point || !cover || cover === element ? {} : { covered_by: tagged(cover) };
}

/** @param {Element} element */
function animated(element) {
  const running = element.getAnimations().filter(({ playState, effect }) => effect && playState !== "idle");
  const names = running.flatMap(({ effect }) =>
    /** @type {KeyframeEffect} */ (effect).getKeyframes().flatMap((frame) => Object.keys(frame)));
  return [...new Set(names.map(kebab))].filter((name) => !/^(offset|computed-offset|easing|composite)$/.test(name));
}

/** @param {{target: TargetArgs}} asked */
export const layout = ({ target }) => {
  const element = refs.resolve(target.ref);
  const chain = chainOf(element);
  globalThis.__tabwireElements = new Map(chain.entries());
  const style = getComputedStyle(element);
  const outer = element instanceof HTMLElement ? element.offsetParent : null;
  return {
    element: `${refs.marker(target.ref)} ${elementSummaries.describe(element)}`,
    chain: chain.map(tagged), box: boxOf(element, style),
    flow: `${style.writingMode} ${style.direction}`, animated: animated(element), containing_block: containingBlockOf(chain),
    ...(outer && { offset_parent: tagged(outer) }), stacking_context: stackingOf(chain), z_index: style.zIndex,
    hidden: reasonsOf(chain), ...coverOf(element), ...(takesNoClicks(element) && { takes_no_clicks: true }),
  };
};
