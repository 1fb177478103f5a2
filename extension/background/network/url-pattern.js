/*
 * Patterns of the requests that a route or a capture is about. `*` stays within one part of a path, `**` crosses slashes, `?` is
 * a question mark; /regex/ is searched anywhere. A pattern without a scheme may begin anywhere, and without any `*` it may also
 * end anywhere. A pattern without `?` says nothing about the query.
 */
import { getOrMake } from "../base/maps.js";
import { escapeRegExp, isRegExpWithStar, writtenRegExp } from "../base/address.js";
import { invalid } from "../base/errors.js";

const toExpression = (/** @type {string} */ text) =>
  text
    .split(/(\*\*+|\*)/)
    .map((part) => GLOBS[part] ?? (part.startsWith("**") ? ".*" : escapeRegExp(part)))
    .join("");
/** @type {Record<string, string>} */
const GLOBS = { "*": "[^/]*", "**": ".*" };

/** "https:", "*:", "http*:" or a leading `**` say where the URL begins. */
const HAS_START = /^(\*\*|[a-z*][a-z*+.-]*:)/i;

/**
 * @typedef {{matches: (url: string) => boolean, candidates: string}} UrlPattern  candidates: the same or more, as the debugger
 * writes it
 */

/** @type {Map<string, UrlPattern>} */
const compiled = new Map();
const KEPT = 200;

/**
 * @param {string} pattern
 * @returns {UrlPattern}
 */
export const requestPattern = (pattern) => getOrMake(compiled, pattern, () => {
  if (compiled.size >= KEPT) compiled.clear();
  return compile(pattern.trim());
});

/** @param {string} text @returns {UrlPattern} */
function compile(text) {
  if (!text)
    throw invalid("url_pattern is empty; give an address, a pattern such as **/api/*, or /regex/");
  const written = isRegExpWithStar(text) ? writtenRegExp(text) : null;
  if (written) return { matches: (url) => written.test(url), candidates: "*" };
  if (!text.includes("*") && !HAS_START.test(text))
    return { matches: (url) => url.includes(text), candidates: `*${debuggerGlob(text)}*` };
  const whole = HAS_START.test(text) ? text : `**${text}`;
  const expression = new RegExp(`^${toExpression(whole)}$`, "s");
  const takesAnyQuery = !text.includes("?");
  const matches = (/** @type {string} */ url) =>
    expression.test(url) ||
    (takesAnyQuery && expression.test(url.replace(/[?#].*$/s, ""))) ||
    (!text.includes("*") && expression.test(url.replace(/\/$/, "")));
  return { matches, candidates: `${debuggerGlob(whole)}*` };
}

/** Turns text into a pattern of the debugger, where `*` is anything and `?` any one character: such a pattern matches no less. */
const debuggerGlob = (/** @type {string} */ text) => text.replace(/\\/g, "\\\\").replace(/\*+/g, "*");
