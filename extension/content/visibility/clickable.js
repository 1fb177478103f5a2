/*
 * Elements that a user can act on beyond roles: handlers in the markup, focusable or draggable boxes, editors, boxes with a hand
 * cursor, boxes that scroll.
 */
import { innerRules, sheetReader, sheetsOf, SVG_NS } from "../dom/flat-tree.js";
import { keptBy } from "../dom/line-breaks.js";
import { isDetailsSummary, isEditingHost } from "../dom/roles.js";
import { isInLine } from "../dom/text.js";
import { hasEdge } from "./box-edges.js";
import { isCover } from "./covers.js";
import { groundAt, groundOf } from "./grounds.js";
import { boxOf, fadeOf, frameOf, inkOf, isOutsideWindow, isTurned } from "./hidden-text.js";
import { isTinted } from "./letter-paint.js";

const HANDLERS = [
  "click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "keydown", "drop",
];
const HANDLED = HANDLERS.map((type) => `[on${type}]`).join();
const MARKED = `[tabindex],[contenteditable],[draggable],[oncontextmenu],${HANDLED}`;
/** @type {Readonly<MarkedFacts>} */
export const NO_FACTS = Object.freeze({});

/** Native elements a user acts on. */
const NATIVE = new Set([
  "a", "area", "button", "input", "select", "textarea", "summary", "option", "canvas", "video", "audio", "iframe",
]);

/** https://w3c.github.io/aria/#widget_roles and the roles Chrome lets a user act on like them */
export const WIDGETS = new Set([
  "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
  "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
]);

/** @param {Element} element @param {string} tag */
export function isNative(element, tag) {
  if (!NATIVE.has(tag)) return false;
  if (tag === "a" || tag === "area") return element.hasAttribute("href");
  if (tag === "summary") return isDetailsSummary(element);
  return tag !== "input" || /** @type {HTMLInputElement} */ (element).type !== "hidden";
}

const BARE_ANCHOR = new Set(["id", "name", "style", "target", "rel"]);

/**
 * A link that scripts make work: without an address, and more than a place to jump to.
 * @param {Element} element
 * @param {string} tag
 */
export const isScriptLink = (element, tag) =>
  tag === "a" && element.getAttributeNames().some((name) => !BARE_ANCHOR.has(name)) && !element.hasAttribute("href");

/**
 * @param {Element} element with attributes
 * @returns {MarkedFacts}
 */
export function markedFacts(element) {
  if (!element.matches(MARKED)) return NO_FACTS;
  return {
    clickable: element.matches(HANDLED),
    focusable: /** @type {HTMLElement} */ (element).tabIndex >= 0 && element.hasAttribute("tabindex"),
    editable: isEditingHost(element),
    draggable: element.getAttribute("draggable") === "true",
    rightClickable: element.hasAttribute("oncontextmenu"),
  };
}

const SCROLLS = /auto|scroll/;
const CLIPS = /clip/;
/** Elements that the browser draws as one: it cuts all of them off at their edges. */
const DRAWN = new Set("canvas iframe img input select textarea video audio object embed meter progress button".split(" "));
/** @param {Element} element @param {string} tag */
const isBox = (element, tag) => !DRAWN.has(tag) && element.namespaceURI !== SVG_NS;
const CLICKED = new Set(["pointer", "crosshair", "cell"]);
const DRAGGED = /^(move|grab|grabbing|(all-scroll|[a-z]+-resize))$/;
const IN_LINE = /^(inline|contents|ruby)/;
const LAID_OUT = /^(inline-)?(flex|grid)$/;

/** @param {string} cursor */
const handOf = (cursor) => (CLICKED.has(cursor) ? "click" : DRAGGED.test(cursor) ? "drag" : "");

/**
 * Computed style of elements with the same place in the structure (tags and classes from the root down), asked once: a
 * style look-up per element would cost as much as the rest of a snapshot.
 */
export class StylePath {
  display = "";
  /** Opacity of the element together with the boxes around it, 0 to 1; asked when there is text in it. @type {number | null} */
  through = null;
  /** Whether it or a box around it may be painted in another size; asked then as well. @type {boolean | null} */
  turned = null;
  /** Whether it has an edge; asked when it may be a level. @type {boolean | null} */
  bounded = null;
  /** Whether a filter or a blend mode of one of them may change its colours; asked then as well. @type {boolean | null} */
  tint = null;

  /** @param {Element} element @param {string} tag @param {StylePath | null} above */
  constructor(element, tag, above) {
    const style = getComputedStyle(element);
    this.above = above;
    /** Whether it hides what it is laid over. */
    this.isCover = style.position === "absolute" && isCover(style);
    /** The colour that its text stands on; asked when that matters. @type {Colour | null | undefined} */
    this.ground = undefined;
    /** Change of the letters of its text, as `text-transform` says. */
    this.transform = style.textTransform;
    /** White space of its text that is kept: "", "breaks" or "all". */
    this.kept = keptBy(style.whiteSpace);
    const { display } = style;
    /** Mouse action that the cursor promises: "click", "drag" or "". */
    this.hand = handOf(style.cursor);
    this.isScroller = SCROLLS.test(style.overflow);
    /** Whether it is in a fixed box, in which nothing scrolls. */
    this.isFixed = !this.isScroller && (style.position === "fixed" || (above !== null && above.isFixed));
    /** Whether it cuts off what is outside it, and no scrolling brings that back. */
    this.isClip = CLIPS.test(style.overflow) && style.display !== "inline" && isBox(element, tag);
    /** Content is neither painted nor read, though the box is there. */
    this.isSkipped = style.contentVisibility === "hidden";
    /** Whether it has no back: boxes of this place may be turned by attributes that do not count for it. */
    this.isFace = style.backfaceVisibility === "hidden";
    /** A reason why the content may be invisible, or ""; a look at the element decides. */
    this.box = this.boxIn(style, element);
    /** The reason why text directly in it may be invisible; asked when there is some. @type {string | null} */
    this.text = null;
    this.style = style;
    this.display = display === "contents" && above ? above.display : display;
    /** Text on both sides of the element's edges stands apart. */
    this.isApart = !isInLine(tag) || !IN_LINE.test(display) || (above !== null && LAID_OUT.test(above.display));
    this.element = element;
    this.isDrawing = element.namespaceURI === SVG_NS;
    /** Paths of the children by tag, then by class. @type {Map<string, Map<string, StylePath>> | null} */
    this.below = null;
  }

  /** Whether people see where boxes of this place begin and end. */
  get isBounded() {
    return (this.bounded ??= this.isApart && this.display !== "contents" && hasEdge(this.style));
  }

  /** @param {Element} element a child @param {string} tag @param {boolean} hasAttributes */
  step(element, tag, hasAttributes) {
    this.below ??= new Map();
    let byClass = this.below.get(tag);
    if (!byClass) this.below.set(tag, (byClass = new Map()));
    let key = hasAttributes ? keyOf(element) : "";
    if (hasAttributes && (this.isDrawing || tag === "svg")) key += drawnKeyOf(element);
    let next = byClass.get(key);
    if (!next) byClass.set(key, (next = new StylePath(element, tag, this)));
    return next;
  }

  /** @param {Element} element @param {StylePath | null} [above] */
  static of(element, above = null) {
    return new StylePath(element, element.localName, above);
  }

  /** The reason why text directly in an element of this place is invisible; "" when it is visible. @param {Element} element */
  inkOf(element) {
    this.text ??= inkOf(this.element, this.style, this);
    return this.text === "" || element === this.element ? this.text : this.inkAt(element);
  }

  /** The same reason for an element that need not be like the others of this place. @param {Element} element */
  inkAt(element) {
    return inkOf(element, getComputedStyle(element), this.around(element));
  }

  /** @param {Element} frame */
  frameAt(frame) {
    return frameOf(frame, this.around(frame));
  }

  /** @param {Element} element @returns {InkAround} */
  around(element) {
    const fade = fadeOf(getComputedStyle(element)) * (this.above?.fade ?? 1);
    return { fade, isTurned: true, isTinted: true, standsOn: () => groundAt(element) };
  }

  /** The reason why the content of an element of this place is invisible; "" when it is visible. @param {Element} element */
  boxAt(element) {
    if (element === this.element || (this.box === "" && !this.isFace)) return this.box;
    return this.boxIn(getComputedStyle(element), element);
  }

  /** @param {CSSStyleDeclaration} style @param {Element} element */
  boxIn(style, element) {
    const box = boxOf(style, element);
    return box === "" && this.above !== null && this.above.isFixed && isOutsideWindow(element) ? "beyond" : box;
  }

  /** @returns {number} */
  get fade() {
    return (this.through ??= fadeOf(this.style) * (this.above?.fade ?? 1));
  }

  /** @returns {boolean} */
  get isTurned() {
    return (this.turned ??= this.above?.isTurned || isTurned(this.element, this.style));
  }

  /** @returns {boolean} */
  get isTinted() {
    return (this.tint ??= this.above?.isTinted || isTinted(this.style));
  }

  /** @returns {Colour | null} */
  standsOn() {
    if (this.ground === undefined)
      this.ground = this.above ? groundOf(this.style, () => this.above?.standsOn() ?? null) : groundAt(this.element);
    return this.ground;
  }

  /** Whether as much is seen as was found; those above are looked at first. @param {CSSStyleDeclaration} style */
  isAsHidden(style) {
    [this.through, this.turned, this.tint, this.ground] = [null, null, null, undefined];
    if (this.boxIn(style, this.element) !== this.box) return false;
    return this.text === null || inkOf(this.element, style, this) === this.text;
  }

  /** Whether the styles are still those that were found, here and below. */
  holds() {
    /** @type {StylePath[]} */
    const paths = [this];
    for (let path = paths.pop(); path; path = paths.pop()) {
      const style = getComputedStyle(path.element);
      const { cursor, overflow, display, textTransform, whiteSpace } = style;
      if (!path.isAsHidden(style)) return false;
      if (handOf(cursor) !== path.hand || SCROLLS.test(overflow) !== path.isScroller) return false;
      if (textTransform !== path.transform || keptBy(whiteSpace) !== path.kept) return false;
      if (display !== "contents" && display !== path.display) return false;
      for (const byClass of path.below?.values() ?? []) for (const below of byClass.values()) paths.push(below);
    }
    return true;
  }
}

const ID = /#([\w-]+)/g;
/** Ids that style sheets know; null: a sheet cannot be read. @type {Set<string> | null} */
let styledIds = new Set();

/** @param {Iterable<AnyCssRule>} rules @param {Set<string>} found */
function collectIds(rules, found) {
  for (const rule of rules) {
    if (rule.selectorText?.includes("#")) for (const [, id] of rule.selectorText.matchAll(ID)) found.add(id);
    collectIds(innerRules(rule), found);
  }
  return found;
}

const idsOf = sheetReader(/** @returns {Set<string>|null} */ (rules) => collectIds(rules, new Set()), null);

/**
 * Notes the ids that style sheets mention. Elements with other ids, mostly for scripts and labels, need no look of their own.
 * @param {Document | ShadowRoot} root
 */
export function learnIds(root) {
  if (root === document) styledIds = new Set();
  for (const sheet of sheetsOf(root)) {
    const ids = idsOf(sheet);
    if (ids === null) styledIds = null;
    else for (const id of ids) styledIds?.add(id);
  }
}

const OF_ITS_OWN = new RegExp(
  "cursor|overflow|display|content-vis|float|position|opacity|filter|clip|mask|font|color|background|indent|transform|scale|" +
    "translate|rotate|backface|white-space|width|height|blend|zoom|spacing|perspective|fill|stroke",
);
/** Attributes of a drawing that decide whether its letters are seen. */
const PAINTED = ["fill", "fill-opacity", "opacity", "font-size", "stroke", "stroke-opacity", "stroke-width"];
const SCALED = /scale|matrix/;

/** @param {Element} element in a drawing */
function drawnKeyOf(element) {
  const transform = element.getAttribute("transform") ?? "";
  return PAINTED.map((name) => element.getAttribute(name) ?? "").join() + (SCALED.test(transform) ? transform : "");
}

/** @param {Element} element */
function keyOf(element) {
  const names = element.getAttribute("class") ?? "";
  const style = element.getAttribute("style");
  const id = styledIds === null || styledIds.size ? element.getAttribute("id") : null;
  const isOwn = (style !== null && OF_ITS_OWN.test(style)) || (id && (!styledIds || styledIds.has(id)));
  return isOwn ? `${names}#${id};${style}` : names;
}

const CHART_SIDE_PX = 80;

/** Drawings of some size may hold shapes to act on; icons do not. @param {Element} svg */
export function isChart(svg) {
  const { width, height } = svg.getBoundingClientRect();
  return width >= CHART_SIDE_PX && height >= CHART_SIDE_PX;
}

/** Widgets that are no controls: most cells of a grid are read only, and a scroll bar belongs to what it scrolls. */
const NO_CONTROLS = new Set(["gridcell", "scrollbar"]);

/** Selector of what people act on, by its element or role. */
export const CONTROLS = [
  "button, a[href], input:not([type=hidden]), select, textarea, summary, [contenteditable]:not([contenteditable=false])",
  ...[...WIDGETS].filter((role) => !NO_CONTROLS.has(role)).map((role) => `[role=${role}]`),
].join();
