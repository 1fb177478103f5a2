/* Text that CSS generates: ::before and ::after content, its alternative text, and counters. */
import { cache, composedChildren, innerRules, memo, sheetReader, sheetsOf } from "./flat-tree.js";
import { transformed } from "./text-transform.js";

/** @typedef {{parent: Element | null, value: number}} Counter */
/** Names → counters, the innermost last. @typedef {Lookup<Counter[]>} Counters */
/** Elements → pseudo-elements → names → values. @typedef {Map<Element, Lookup<Lookup<number[]>>>} Counted */

const selectorCache = cache();
const counterCache = cache();

const ANY = "*";
const QUOTATION = "q"; // the one element with generated text in the browser's own style sheet
const PSEUDO = /::?(before|after)\b/i;
// Icon fonts put their glyphs in the private use areas: they mean nothing as text.
const ICON_GLYPHS = /[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/gu;
const WORDLESS = /^(?:none|normal|inherit|initial|unset|revert|["'\s])*$/;
/** Characters of a `content` that are read: the engine takes some stack for each one. */
const MAX_CONTENT = 100_000;

/** @param {string} text */
const decodeEscapes = (text) =>
  text.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex, char) => (hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : char));

/** @param {string} content */
const saysSomething = (content) => !WORDLESS.test(decodeEscapes(content.slice(0, MAX_CONTENT)).replace(ICON_GLYPHS, ""));

// https://drafts.csswg.org/css-nesting/#nest-selector
/** @param {string | undefined} selector @param {string | undefined} parent */
function resolved(selector, parent) {
  if (!parent || !selector) return selector ?? parent;
  return selector.includes("&") ? selector.replaceAll("&", `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

// The elements whose pseudo-elements the selector styles.
/** @param {string} selector */
function hostSelector(selector) {
  if (/:scope|:host|::slotted/.test(selector)) return ANY;
  return selector.replace(/(^|[\s>+~,(])::?(?:before|after)\b/gi, "$1*").replace(/::?(?:before|after)\b/gi, "");
}

// Selectors of the elements whose pseudo-elements get words from these rules.
/** @param {Iterable<AnyCssRule>} rules @param {string | undefined} parent @param {string[]} found */
function collectSelectors(rules, parent, found) {
  for (const rule of rules) {
    const selector = resolved(rule.selectorText, parent);
    const content = rule.style?.content;
    const isGenerating = content && selector && (PSEUDO.test(selector) || parent || content.includes("/"));
    if (isGenerating && saysSomething(content)) found.push(hostSelector(selector));
    collectSelectors(innerRules(rule), selector, found);
  }
  return found;
}

/** Makes a reader of the selectors of a sheet; of one that cannot be read every element is looked at. */
const selectorReader = () => sheetReader((rules) => collectSelectors(rules, undefined, []), [ANY]);
let selectorsOf = selectorReader();

/** @param {string} text */
function isSelector(text) {
  try {
    document.documentElement.matches(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds one selector for all elements of a tree that may have generated words; "" when no rule gives any.
 * @param {ParentNode} root
 */
export function generatingSelector(root) {
  const found = new Set([QUOTATION]);
  for (const selector of sheetsOf(root).flatMap(selectorsOf)) found.add(selector);
  if (found.has(ANY)) return ANY;
  const joined = [...found].join(",");
  return isSelector(joined) ? joined : ANY;
}

/** Forgets the selectors of all rules: scripts change rules in place, of which nothing tells. */
export function forgetRules() {
  selectorsOf = selectorReader();
}

/** Looks at generated text, while somebody notes them. @type {GeneratedText[] | null} */
let noted = null;

/** Notes each look at generated text from now on; null ends that. @param {GeneratedText[] | null} looks */
export function note(looks) {
  noted = looks;
}

/**
 * @template {string | null} T
 * @param {GeneratedText["tell"]} tell @param {Element} element @param {string} part @param {T} text
 */
function told(tell, element, part, text) {
  noted?.push({ tell, element, part, text });
  return text;
}

/** Whether a look would tell the same now. @param {GeneratedText} look */
export const holds = ({ tell, element, part, text }) => tell(element, part) === text;

/** @param {Element} element */
const styleOf = (element) => /** @type {HTMLElement} */ (element).style;

/**
 * Whether the element's pseudo-elements may carry words. Cheap; a yes still has to be looked up.
 * @param {Element} element
 */
export function mayGenerate(element) {
  if (element.hasAttributes() && element.hasAttribute("style") && styleOf(element)?.content) return true;
  const selector = memo(selectorCache, element.getRootNode(), generatingSelector);
  if (selector === QUOTATION) return element.localName === QUOTATION;
  return selector === ANY || element.matches(selector);
}

const COUNTER_PARTS = /** @type {const} */ (["::before", null, "::after"]);

/** @param {string} value @param {number} fallback */
function parseCounters(value, fallback) {
  /** @type {Array<[string, number]>} */
  const changes = [];
  for (const [, name, amount] of value.matchAll(/([^\s()]+)(?:\s+(-?\d+))?/g)) {
    if (name !== "none") changes.push([name, amount === undefined ? fallback : Number(amount)]);
  }
  return changes;
}

/** @param {Counters} state @param {string} name @param {Element | null} parent */
function topCounter(state, name, parent) {
  const stack = (state[name] ??= []);
  if (!stack.length) stack.push({ parent, value: 0 });
  return stack[stack.length - 1];
}

// https://drafts.csswg.org/css-lists-3/#auto-numbering
/** @param {Counters} state @param {CSSStyleDeclaration} style @param {Element | null} parent */
function applyCounters(state, style, parent) {
  for (const [name, value] of parseCounters(style.counterReset, 0)) {
    const stack = (state[name] ??= []);
    if (stack.length && stack[stack.length - 1].parent === parent) stack.pop();
    stack.push({ parent, value });
  }
  for (const [name, amount] of parseCounters(style.counterIncrement, 1)) topCounter(state, name, parent).value += amount;
  for (const [name, value] of parseCounters(style.counterSet, 0)) topCounter(state, name, parent).value = value;
}

/** @param {Counters} state @returns {Lookup<number[]>} */
const valuesOf = (state) =>
  Object.fromEntries(Object.entries(state).map(([name, stack = []]) => [name, stack.map(({ value }) => value)]));

/** @param {Element} element @param {Element | null} parent @param {Counters} state @param {Counted} found */
function visitCounters(element, parent, state, found) {
  const style = getComputedStyle(element);
  if (style.display === "none") return;
  applyCounters(state, style, parent);
  /** @type {Lookup<Lookup<number[]>>} */
  const values = {};
  for (const part of COUNTER_PARTS) {
    if (part === null) {
      for (const child of composedChildren(element)) {
        if (child.nodeType === Node.ELEMENT_NODE) visitCounters(child, element, state, found);
      }
      continue;
    }
    const generated = getComputedStyle(element, part);
    if (generated.content === "none" || generated.content === "normal") continue;
    applyCounters(state, generated, element);
    if (generated.content.includes("counter")) values[part] = valuesOf(state);
  }
  for (const stack of Object.values(state)) while (stack?.length && stack[stack.length - 1].parent === element) stack.pop();
  if (values["::before"] || values["::after"]) found.set(element, values);
}

/** @param {Document} page */
function countPage(page) {
  /** @type {Counted} */
  const found = new Map();
  visitCounters(page.documentElement, null, Object.create(null), found);
  return found;
}

/** @param {number} value */
function alphabetic(value) {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}

const ROMAN = { m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 };
/** @param {number} value */
function roman(value) {
  let rest = value;
  let text = "";
  for (const [digits, size] of Object.entries(ROMAN)) for (; rest >= size; rest -= size) text += digits;
  return text;
}

/** @type {Lookup<(value: number) => string>} */
const COUNTER_STYLES = {
  "lower-alpha": alphabetic, "lower-latin": alphabetic, "lower-roman": roman, none: () => "", disc: () => "•",
  "upper-alpha": (value) => alphabetic(value).toUpperCase(), "upper-latin": (value) => alphabetic(value).toUpperCase(),
  "upper-roman": (value) => roman(value).toUpperCase(),
  "decimal-leading-zero": (value) => String(value).padStart(2, "0"),
};
/** @param {number} value @param {string} style */
const writeCounter = (value, style) => (COUNTER_STYLES[style] ?? String)(value);

/** @param {Element} element @param {string} part @param {string} kind @param {string} argument */
function counterText(element, part, kind, argument) {
  const [name, ...rest] = argument.split(",").map((piece) => piece.trim());
  const values = memo(counterCache, element.ownerDocument, countPage).get(element)?.[part]?.[name] ?? [0];
  if (kind === "counter") return writeCounter(values[values.length - 1], rest[0]);
  const separator = decodeEscapes((rest[0] ?? "").replace(/^["']|["']$/g, ""));
  return values.map((value) => writeCounter(value, rest[1])).join(separator);
}

/** @type {Lookup<string>} */
const QUOTES = { "open-quote": "“", "close-quote": "”" };
const CONTENT_TOKEN = /"((?:[^"\\]|\\.?)*)(?:"|$)|(\/)|([a-z-]+)\(((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*)\)|([a-z-]+)/gi;

// https://drafts.csswg.org/css-content-3/#alt: what follows the slash stands for the content
/** @param {Element} element @param {string} part @param {string} content */
function contentText(element, part, content) {
  let text = "";
  for (const [, string, slash, name, argument, word] of content.slice(0, MAX_CONTENT).matchAll(CONTENT_TOKEN)) {
    if (slash) text = "";
    else if (string !== undefined) text += decodeEscapes(string);
    else if (name === "counter" || name === "counters") text += counterText(element, part, name, argument);
    else if (word) text += QUOTES[word] ?? "";
  }
  return text.replace(ICON_GLYPHS, "");
}

/**
 * The text of a pseudo-element, with spaces around it when it is not inline.
 * @param {Element} element
 * @param {"::before" | "::after"} part
 */
export const generatedText = (element, part) => told(textOfPart, element, part, textOfPart(element, part));

/** @param {Element} element @param {string} part */
function textOfPart(element, part) {
  const style = getComputedStyle(element, part);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "") return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = transformed(contentText(element, part, content), style.textTransform, element);
  return style.display === "inline" && !content.includes(" / ") ? text : ` ${text} `;
}

/**
 * The text that stands for an element whose whole content CSS replaced; null when it did not.
 * @param {Element} element
 * @returns {string | null}
 */
export const replacedText = (element) => told(textInstead, element, "", textInstead(element));

/** @param {Element} element */
function textInstead(element) {
  const content = getComputedStyle(element).content;
  return content.includes(" / ") ? contentText(element, "", content) : null;
}
