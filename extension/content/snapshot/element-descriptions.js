/*
 * Descriptions that tell apart elements to act on which have neither a name nor text: words of the page's author, and what is
 * drawn. A description is shown as a mark, because it is no accessible name and no text of the page.
 */
import { SVG_NS } from "../dom/flat-tree.js";
import { collapse, cut as cutAt, printable, quote } from "../dom/text.js";
import { ligaturesIn } from "../find/refs.js";
import { nearestText } from "./nearby-text.js";

const MAX_LENGTH = 40;
const MAX_CLASSES = 3;
/** Words made by a machine or for looks: hashes, counters, units, variants. */
const MEANINGLESS =
  /\d{3,}|^:|[^\w-]|^(css|sc|jss?|svelte|ng|_)-?\w*\d|__\w*_\w{5,}$|^.{1,2}$|^(undefined|null|active|selected|hover|focus|open|show|hidden|disabled|container|wrapper|row|col|flex|grid|block|inline|relative|absolute|clearfix)$/i;
/** Utility classes: one property each. */
const UTILITY =
  /^-?(m|p|w|h|mt|mb|ml|mr|mx|my|pt|pb|pl|pr|px|py|gap|z|top|left|right|bottom|bg|text|font|border|rounded|shadow|items|justify|flex|grid|col|row|size|min|max|inset|space|opacity|transition|duration|cursor|overflow|leading|tracking|d|fs|fw)-/;
const SHAPES = new Set("circle rect ellipse path polygon polyline line g text use image svg".split(" "));
/** Elements that hold an icon and no text. Buttons that look alike share their classes; their icons tell them apart. */
const ICON = "i[class],svg[class],svg[data-icon],svg[data-testid],[class*=icon],[class*=symbol]";
const ICON_NAMES = ["data-icon", "data-lucide", "data-testid"];
/** Attributes from which libraries make tooltips. */
const TOOLTIPS = [
  "data-tooltip", "data-original-title", "data-bs-original-title", "data-tippy-content", "data-tip", "aria-description",
  "mattooltip",
];
/** Size, weight and movement of an icon. */
const LOOK_OF_ICON = /^(xs|sm|md|lg|xl|\d+xl?|\d+|fw|spin|pulse|solid|regular|light|thin|brands|filled|outlined|inline|icon|\w+-?size)$/;
const COLOURED = new Set(["", "inherit", "none", "transparent", "initial", "currentcolor"]);

/** @param {string} text */
const isWord = (text) => /\p{L}{2}/u.test(text) && !MEANINGLESS.test(text);
/** @param {string} text */
const cut = (text) => cutAt(printable(text), MAX_LENGTH);
/** @param {string} key @param {string} value */
const quoted = (key, value) => ` [${key}=${quote(cut(value))}]`;

/** The mark of a title. @param {string} title */
export const titleMark = (title) => quoted("title", title);

/** @param {Element} element */
function classHint(element) {
  const names = (element.getAttribute("class") ?? "").trim().split(/\s+/);
  const telling = names.filter((name) => name && isWord(name) && !UTILITY.test(name));
  return telling.length ? quoted("class", telling.slice(0, MAX_CLASSES).join(" ")) : "";
}

/** @param {Element} element @param {string} name */
const attributeHint = (element, name) => {
  const value = element.getAttribute(name);
  return value && isWord(value) ? quoted(name, value) : "";
};

/** The word an element's own markup has for it alone. @param {Element} element */
const ownHint = (element) =>
  attributeHint(element, "id") || attributeHint(element, "data-testid") || attributeHint(element, "data-action");

const POSITIONS = [["cx", "cy"], ["x", "y"]];

/** Position where an element is drawn, as its attributes say. @param {Element} element */
function positionOf(element) {
  const pair = POSITIONS.find(([x, y]) => element.hasAttribute(x) && element.hasAttribute(y));
  if (!pair) return "";
  const [x, y] = pair.map((name) => Math.round(parseFloat(element.getAttribute(name) ?? "")));
  return Number.isNaN(x + y) ? "" : ` at=${x},${y}`;
}

/** Colour as written; computed colours would be said of every shape. @param {Element} element */
function shapeHint(element) {
  const { style } = /** @type {SVGElement} */ (element);
  const colour = style?.fill || element.getAttribute("fill") || style?.stroke || element.getAttribute("stroke") || "";
  const fill = COLOURED.has(colour.toLowerCase()) || colour.includes("(") ? "" : ` fill=${cut(colour)}`;
  return ` [${element.localName}${positionOf(element)}${fill}]`;
}

const MAX_GROUPS = 3;

/**
 * The one text of the group in which a shape of a drawing stands: a port of a node is told by its node.
 * @param {Element} shape
 */
function groupHint(shape) {
  let group = shape.parentElement;
  for (let left = MAX_GROUPS; left > 0 && group?.localName === "g"; left -= 1, group = group.parentElement) {
    const texts = Array.from(group.querySelectorAll("text"), (text) => collapse(text.textContent)).filter(Boolean);
    if (texts.length) return texts.length > 1 ? "" : ` [near ${quote(cut(texts[0]))}]`;
  }
  return "";
}

/** @param {Element} element */
function colourHint(element) {
  const colour = /** @type {HTMLElement} */ (element).style?.backgroundColor ?? "";
  return COLOURED.has(colour.toLowerCase()) ? "" : ` [background=${cut(colour)}]`;
}

/**
 * The icon that classes name beside the class of its family: `bi bi-x`, `fas fa-trash`.
 * @param {string[]} names
 */
function iconInClasses(names) {
  const families = names.map((name) => (/^fa[a-z]$/.test(name) ? "fa" : name)).sort((a, b) => b.length - a.length);
  for (const family of [...families, "icon"]) {
    const own = names.find((name) => name.startsWith(`${family}-`) && !LOOK_OF_ICON.test(name.slice(family.length + 1)));
    if (own) return own.slice(family.length + 1);
  }
  return "";
}

/** An icon as its own markup calls it. @param {Element} icon */
function iconName(icon) {
  const named = ICON_NAMES.map((name) => icon.getAttribute(name)).find((name) => name && isWord(name));
  const label = icon.getAttribute("aria-label") ?? icon.getAttribute("title") ?? icon.querySelector("title")?.textContent;
  const names = (icon.getAttribute("class") ?? "").trim().split(/\s+/);
  return collapse(label ?? "") || named || [...ligaturesIn(icon)][0] || iconInClasses(names);
}

/** The icon that stands on an element. @param {Element} element */
export function iconHint(element) {
  const use = element.querySelector("use");
  const symbol = (use?.getAttribute("href") ?? use?.getAttribute("xlink:href"))?.split("#")[1];
  if (symbol) return quoted("icon", symbol);
  const icon = element.querySelector(ICON);
  if (!icon?.checkVisibility()) return "";
  const name = iconName(icon);
  return name ? quoted("icon", name) : classHint(icon);
}

/** The picture that stands on an element. @param {Element} element */
function pictureHint(element) {
  const part = element.querySelector("span[class]");
  if (part) return classHint(part);
  const file = element.querySelector("img[src]")?.getAttribute("src")?.split(/[?#]/)[0].split("/").at(-1);
  return file && !file.includes(",") && isWord(file.replace(/\W/g, "")) ? quoted("img", file) : "";
}

/** Text that people read when the pointer rests on a part of an element. @param {Element} element */
const titleIn = (element) =>
  element.querySelector("title")?.textContent ?? element.querySelector("[title]")?.getAttribute("title") ?? "";

/** The text that a library shows as a tooltip. @param {Element} element */
const tooltipOf = (element) => TOOLTIPS.map((name) => element.getAttribute(name)).find((text) => text?.trim()) ?? "";

/** The text beside a button that nothing else describes. @param {Element} element @param {string} tag */
function neighbourHint(element, tag) {
  if (tag !== "button" && element.getAttribute("role") !== "button") return "";
  const text = nearestText(element);
  return text ? ` [near ${quote(printable(text))}]` : "";
}

/**
 * @param {Element} element something to act on, without name and text
 * @param {string} tag
 * @returns {string} marks, or nothing
 */
export function hintOf(element, tag) {
  const title = collapse(element.getAttribute("title") ?? (tooltipOf(element) || titleIn(element)));
  if (title) return titleMark(title);
  if (element.namespaceURI === SVG_NS && SHAPES.has(tag))
    return ownIdHint(element) + shapeHint(element) + groupHint(element);
  const named = attributeHint(element, "name");
  const own = named || ownHint(element) || iconHint(element) || classHint(element);
  return (own || pictureHint(element) || neighbourHint(element, tag)) + colourHint(element);
}

/** @param {Element} element */
const ownIdHint = (element) => attributeHint(element, "id") || classHint(element);
