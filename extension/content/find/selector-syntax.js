/*
 * Meaning of a written selector: semantic (role: text: label: …), a line of a snapshot, a bare text, XPath or CSS. What no page
 * could match is refused here, so that nobody waits for it.
 */
import { codedError } from "../base/errors.js";
import { HTML_NS, SVG_NS } from "../dom/flat-tree.js";
import { PLAIN_HTML, ROLES, SYNONYMS } from "../dom/role-tables.js";
import { likeness, pairsOf } from "../dom/text.js";

/** Roles of host languages that ARIA has no word for. */
const HOST_ROLES = new Set(["summary", ...Object.values(PLAIN_HTML)]);
const MIN_LIKENESS = 0.5;
const STRATEGIES = ["role", "text", "label", "placeholder", "alt", "title", "testid"];
// With "=" as Playwright writes them.
const SEMANTIC = new RegExp(`^(${STRATEGIES.join("|")})[:=]([^]*)$`);
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ROLE_PARTS = new RegExp(String.raw`^\s*([\w-]+)(?:\s+(${QUOTED}))?\s*((?:\[[^]*\])?)\s*$`);
const ROLE_FILTER = /\[\s*([\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?:[^/\\]|\\.)+\/[a-z]*|[^\]]*?))?\s*\]/gy;
export const STATE_FILTERS = new Set(["checked", "pressed", "expanded", "selected", "disabled", "level"]);

/** @param {string} text */
export const unquote = (text) => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1).replace(/\\(["'\\])/g, "$1") : text);

/** @type {Lookup<boolean | string>} */
const WRITTEN = { true: true, false: false, mixed: "mixed" };

const mistake = (/** @type {string} */ words) => codedError("invalid_selector", words);

const isRole = (/** @type {string} */ word) => ROLES.has(word) || word in SYNONYMS || HOST_ROLES.has(word);

/**
 * Refuses a role that no element can have: to wait for one would be in vain.
 * @param {string} role in lower case
 */
export function assertRole(role) {
  if (isRole(role)) return;
  const wanted = pairsOf(role);
  const near = [...ROLES].map((name) => ({ name, score: likeness(wanted, pairsOf(name)) }))
    .reduce((best, one) => (one.score > best.score ? one : best));
  const advice = near.score >= MIN_LIKENESS ? `role:${near.name}` : "a role that a snapshot shows, such as role:button";
  throw mistake(`"${role}" is not an ARIA role, so nothing can match it; use ${advice}, text:…, or CSS`);
}

/** @param {string} written @returns {SemanticSelector} */
function parseRole(written) {
  const match = ROLE_PARTS.exec(written);
  if (!match) throw mistake(`"role:${written}" is not a role selector; write role:button or role:button[name="Save"]`);
  const [, role, name, filters] = match;
  assertRole(role.toLowerCase());
  /** @type {SelectorOptions} */
  const options = name === undefined ? {} : { name };
  let end = 0;
  for (const [whole, key, value = "true"] of filters.matchAll(ROLE_FILTER)) {
    end += whole.length;
    if (key === "name") options.name = value;
    else if (key === "level") options.level = Number(unquote(value));
    else if (STATE_FILTERS.has(key)) options[key] = WRITTEN[unquote(value)] ?? unquote(value);
    else throw mistake(`role: has no filter "${key}"; use name, ${[...STATE_FILTERS].join(", ")}`);
  }
  if (end !== filters.length) throw mistake(`"${filters}" is not a list of filters; write them as [name=value]`);
  return { kind: "semantic", strategy: "role", value: role.toLowerCase(), options };
}

const BARE_WORDS = /^[\p{L}\p{N}][^#.[\]>:=*+~"(){}|/\\@,;<]*$/u;
const CUSTOM_ELEMENT = /^[a-z]\P{Lu}*-\P{Lu}*$/u;

/**
 * Whether a word is the name of no element of HTML or SVG, and of no custom one. The page is not asked: a selector means the
 * same in each.
 * @param {string} word
 */
function isNoElement(word) {
  if (CUSTOM_ELEMENT.test(word)) return false;
  const lower = word.toLowerCase();
  try {
    const isOneCase = word === lower || word === word.toUpperCase();
    if (isOneCase && !(document.createElementNS(HTML_NS, lower) instanceof HTMLUnknownElement)) return false;
    return document.createElementNS(SVG_NS, word).constructor === SVGElement;
  } catch {
    return true;
  }
}

/** Words as people read them, one of which is the name of no element: `Sign in`, `Delete`. @param {string} text */
const isText = (text) => BARE_WORDS.test(text) && text.split(/\s+/).some(isNoElement);

/** A line of a snapshot as it stands there: `button "Save"`. @param {string} text */
function isSnapshotLine(text) {
  const [, role, name] = ROLE_PARTS.exec(text) ?? [];
  return name !== undefined && isRole(role);
}

/** Whatever cannot hold a combinator or a colon of its own: strings, attributes, escaped characters. */
const CSS_LITERALS = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]/gs;
const PSEUDO_ELEMENT = /::[\w-]+|:(?:before|after|first-line|first-letter)(?![\w-])/;

/** @param {string} css @returns {Selector} */
function parseCss(css) {
  const plain = css.replace(CSS_LITERALS, "");
  const pseudo = plain.includes(",") ? null : PSEUDO_ELEMENT.exec(plain);
  if (pseudo) throw mistake(`"${css}" matches no element: ${pseudo[0]} is a pseudo-element; name the element that has it`);
  return { kind: "css", value: css };
}

const TEXT_PSEUDO = new RegExp(String.raw`:(?:has-text|contains|text|text-is)\(\s*(${QUOTED}|'(?:[^'\\]|\\.)*'|[^)]*)\s*\)`);

/** The error for CSS that the browser cannot parse, with the way to write what other tools write so. @param {string} css */
export function notCss(css) {
  const text = TEXT_PSEUDO.exec(css);
  if (text) return mistake(`"${css}" is not a valid selector: CSS cannot look for text; use text:${unquote(text[1].trim())}`);
  const reason = "the browser cannot parse it as CSS";
  return mistake(`"${css}" is not a valid selector: ${reason}; use @eN, role:button[name="…"], text:…, CSS or xpath=…`);
}

/**
 * @param {string} selector
 * @returns {Selector}
 */
export function parse(selector) {
  const text = selector.trim();
  if (!text) throw mistake("the selector is empty; use @eN from a snapshot, role:…, text:…, CSS or xpath=…");
  const semantic = SEMANTIC.exec(text);
  if (semantic?.[1] === "role") return parseRole(semantic[2]);
  const strategy = /** @type {Strategy | undefined} */ (semantic?.[1]);
  if (semantic && strategy) return { kind: "semantic", strategy, value: semantic[2].trim(), options: {} };
  if (/^(xpath=|\(*\.?\/\/)/.test(text)) return { kind: "xpath", value: text.replace(/^xpath=/, "") };
  if (isSnapshotLine(text)) return parseRole(text);
  if (isText(text)) return { kind: "semantic", strategy: "text", value: text, options: {} };
  return parseCss(text.replace(/^css=/, ""));
}
