/* Text as people see it: white space collapsed, hidden parts left out, icon-font characters dropped. */
import { codedError } from "../base/errors.js";
import { cached, composedChildren, composedParent, labelsOf, VISIBLE } from "./flat-tree.js";
import * as lineBreaks from "./line-breaks.js";
import { shownText } from "./text-transform.js";
import { isRendered } from "./visibility.js";

/** Characters between which a joiner or a non-joiner changes how a word or an emoji is written. */
const SCRIPTS = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr";
const JOINED = `[${SCRIPTS.split(" ").map((script) => `\\p{scx=${script}}`).join("")}` +
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]";
const IDLE_JOINERS = new RegExp(`(?<!${JOINED})[\\u200C\\u200D]|[\\u200C\\u200D](?!${JOINED})`, "gu");
const JOINERS = /[\u200C\u200D]/g;

// Soft hyphens, zero-width characters, marks of direction, tags, and private use (icon fonts; also this extension's own
// markers).
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uE000-\uF8FF\u{E0000}-\u{E0FFF}\u{F0000}-\u{10FFFD}]/gu;
// Invisible characters that honest text has no use for: they turn words around or hide some.
const SMUGGLED = /[\u202A-\u202E\u2061-\u2064\u2066-\u206F\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|[\u200B-\u200F\u2060\uFEFF]{2,}/gu;
/** Found without a repeated group: one remembers each round, and a long text overflows the stack of the engine. */
const UNEVEN = /[^\x20-\x7E]| {2}/;
export const NOT_TEXT = new Set([
  "script", "style", "noscript", "template", "head", "title", "textarea", "select", "iframe", "object", "svg:style",
]);
const INLINE = new Set(
  ("a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time tt u " +
    "var wbr slot").split(" "),
);

/**
 * White space runs become one space; invisible characters go.
 * @param {string} text
 */
export function collapse(text) {
  const trimmed = text.trim();
  if (!UNEVEN.test(trimmed)) return trimmed;
  return text.replace(INVISIBLE, "").replace(IDLE_JOINERS, "").replace(/\s+/g, " ").trim();
}

/** Text as it is compared: few people can type joiners and typographic quotation marks. @param {string} text collapsed */
const typed = (text) => (UNEVEN.test(text)
  ? text.replace(JOINERS, "").replace(/[\u2018-\u201B\u2032]/g, "'").replace(/[\u201C-\u201F\u2033]/g, '"') : text);

/** Number of characters of a text that nobody sees and nobody needs. @param {string} text */
export const smuggledIn = (text) =>
  Array.from(text.match(SMUGGLED) ?? [], (run) => Array.from(run).length).reduce((sum, length) => sum + length, 0);

/** A page cannot print something that looks like a ref. @param {string} text collapsed */
export const harmless = (text) => (text.includes("[ref=") ? text.replaceAll("[ref=", "(ref=") : text);

/** The value of a field of several lines: its white space is what is edited. @param {string} value */
export const keptValue = (value) => harmless(value.replace(INVISIBLE, ""));

/** @param {string} text as it stands in a page */
export const printable = (text) => harmless(collapse(text));

/** The longest name or title on a line of a snapshot: more of one is of no use, and a page may make it endless. */
export const MAX_QUOTED = 10_000;

/** @param {string} text collapsed; as a quoted name @param {number} [limit] @returns {string} */
export function quote(text, limit = MAX_QUOTED) {
  if (text.length > limit) {
    return quote(`${text.slice(0, limit - 100)}… (${text.length.toLocaleString("en-US")} characters)`, Infinity);
  }
  return `"${/["\\[\0-\x1f]/.test(text) ? harmless(lineBreaks.escaped(text.replace(/["\\]/g, "\\$&"))) : text}"`;
}

/** @param {string} text @param {number} limit */
export const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);

/** @param {string} tag whether it runs in the line by itself */
export const isInLine = (tag) => INLINE.has(tag) || tag.includes("-");

/**
 * Whether text on both sides of the element's edges stands apart although no white space is written there.
 * @param {Element} element
 */
export function breaksText(element) {
  if (element.localName === "br") return true;
  if (!isInLine(element.localName)) return true;
  if (!element.hasAttributes() && !element.localName.includes("-")) return false;
  return !/^(inline|contents|ruby)/.test(getComputedStyle(element).display) ||
    /^(inline-)?(flex|grid)$/.test(getComputedStyle(composedParent(element) ?? element).display);
}

/** Text that a field without text content shows. @param {Element} element */
export function shownValue(element) {
  if (element.localName !== "input") return "";
  const input = /** @type {HTMLInputElement} */ (element);
  return /^(submit|button|reset)$/.test(input.type) ? input.value : "";
}

/** @typedef {(element: Element) => boolean} IsSeen whether text directly in an element is seen */

/** Text of a node with marks for the white space that is kept. @param {Text} text @param {Element} element */
function markedText(text, element) {
  const data = shownText(text, element);
  return lineBreaks.isSpaced(data) ? lineBreaks.marked(data, lineBreaks.keptBy(getComputedStyle(element).whiteSpace)) : data;
}

/** Text of a node as it is printed, with such marks. @param {Text} text @param {Element} element */
export const printableLines = (text, element) => harmless(lineBreaks.trimmed(collapse(markedText(text, element))));

/** @param {Element} element @param {boolean} isVisible @param {string[]} parts @param {IsSeen} [isSeen] */
function gather(element, isVisible, parts, isSeen) {
  for (const child of composedChildren(element)) {
    if (child.nodeType === Node.TEXT_NODE) {
      if (isVisible && (!isSeen || isSeen(element))) parts.push(markedText(child, element));
    } else if (child.nodeType === Node.ELEMENT_NODE) gatherElement(child, parts, isSeen);
  }
}

/** @param {Element} element @param {string[]} parts @param {IsSeen} [isSeen] */
function gatherElement(element, parts, isSeen) {
  if (NOT_TEXT.has(element.localName)) return;
  const isVisible = element.checkVisibility(VISIBLE);
  if (!isVisible && !isRendered(element)) return;
  if (element.localName === "br") {
    parts.push(lineBreaks.marked("\n", lineBreaks.keptBy(getComputedStyle(element).whiteSpace)));
    return;
  }
  const apart = breaksText(element);
  if (apart) parts.push(" ");
  const value = shownValue(element);
  if (value) parts.push(value);
  else gather(element, isVisible || getComputedStyle(element).visibility === "visible", parts, isSeen);
  if (apart) parts.push(" ");
}

/**
 * The visible text of an element's subtree, through shadow roots, white space collapsed.
 * @param {Element} element
 * @param {IsSeen} [isSeen] texts of which it is not true are left out as well
 */
export const visibleText = (element, isSeen) => lineBreaks.joined(gathered(element, isSeen));

/** The same with the line breaks and the indentation that the page keeps. @param {Element} element */
export const visibleLines = (element) => lineBreaks.plain(gathered(element));

/** @param {Element} element @param {IsSeen} [isSeen] */
function gathered(element, isSeen) {
  /** @type {string[]} */
  const parts = [];
  cached(() => gatherElement(element, parts, isSeen));
  return lineBreaks.trimmed(collapse(parts.join("")));
}

/**
 * A test for a written pattern: `"Exact"` (quoted), `/re/i`, else a case-insensitive part.
 * @param {string} written
 * @param {{exact?: boolean}} [options] exact: the whole text, case-sensitive
 * @returns {{test: (text: string) => boolean, isExact: (text: string) => boolean, literal: string | null}}  literal: what a
 *   text must have in it, in any case; null for an expression
 */
export function matcher(written, { exact = false } = {}) {
  const regex = exact ? null : /^\/(.+)\/([a-z]*)$/s.exec(written);
  if (regex) return { ...regexMatcher(regex, written), isExact: () => true, literal: null };
  const quoted = exact ? null : /^"(.*)"$/s.exec(written) ?? /^'(.*)'$/s.exec(written);
  const whole = collapse(quoted ? quoted[1].replace(/\\(["'\\])/g, "$1") : written);
  const plain = typed(whole);
  const isExact = (/** @type {string} */ text) => typed(text) === plain;
  const literal = plain.replace(/["']/g, "");
  if (exact || quoted) return { test: isExact, isExact, literal };
  const part = plain.toLowerCase();
  return { test: (text) => typed(text).toLowerCase().includes(part), isExact, literal };
}

/** @param {string[]} match @param {string} written */
function regexMatcher(match, written) {
  const [, source, flags] = match;
  try {
    const regex = new RegExp(source, flags.replace(/[gy]/g, ""));
    return { test: (/** @type {string} */ text) => regex.test(text) };
  } catch (error) {
    throw codedError("invalid_selector", `${written} is not a regular expression: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {Element} element */
export const labelTextsOf = (element) => labelsOf(element).map((label) => collapse(label.textContent));

/** Pairs of neighbouring characters, as far as they are letters or digits. @param {string} text */
export function pairsOf(text) {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim().slice(0, 100);
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

/** @param {Set<string>} one pairs of a text @param {Set<string>} other @returns {number} 0 to 1 */
export function likeness(one, other) {
  if (!one.size || !other.size) return 0;
  return 2 * [...one].filter((pair) => other.has(pair)).length / (one.size + other.size);
}
