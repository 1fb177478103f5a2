/*
 * The selector by which an element is found again, as a person would name it: role and name, label, text, test id, CSS. Each one
 * is resolved at once, and only one that leads back to this very element is taken.
 */
import { nameOf, nameToFind } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { collapse, labelTextsOf, quote, visibleText } from "../dom/text.js";
import * as elementIdentity from "./element-identity.js";
import * as fingerprints from "./fingerprints.js";
import * as matches from "./matches.js";
import * as refs from "./refs.js";
import * as shownNames from "./shown-names.js";

/** A longer name changes with every word that is edited. */
const MAX_NAME = 80;
const MAX_TEXT = 60;
/** Names like these are patterns to the parser of selectors. */
const PATTERN = /^\/.*\/[a-z]*$/s;
const VAGUE = new Set(["", "generic", "none", "presentation", "paragraph", "document", "group", "text"]);
/** Ids that a framework has counted or drawn by lot: another one the next time. */
const MADE = /\d{3,}|^[:_]|[0-9a-f]{8}|^(ember|react|radix|mui|headlessui)/i;

/** @typedef {{by: "role"|"label"|"text"|"testid"|"css", selector: string, said: string}} Locator said: the label or text */

/** @param {string} text */
const isNameable = (text, limit = MAX_NAME) => text !== "" && text.length <= limit && !PATTERN.test(text);

/** Documents that can be looked into from here; a match in one of them makes a selector ambiguous. */
function documents() {
  /** @type {Window[]} */
  const found = [];
  const visit = (/** @type {Window} */ view) => {
    found.push(view);
    for (let at = 0; at < view.length; at += 1) visit(view[at]);
  };
  visit(/** @type {Window} */ (top));
  return found.flatMap((view) => {
    try {
      return view !== window && view.__tabwire ? [view.__tabwire] : [];
    } catch {
      // Another origin.
      return [];
    }
  });
}

/** Number of elements that a selector finds in a document beside this one. @param {PageCalls} calls @param {string} selector */
function countIn(calls, selector) {
  const reply = /** @type {{result?: {count: number}}} */ (calls.call("selectors.find", { selector }));
  return reply.result?.count;
}

/** Whether the selector means this element and no other, in this document and in those beside it. */
function leadsTo(/** @type {Element} */ element, /** @type {string} */ selector) {
  try {
    const { usable, count, locals } = matches.find({ selector });
    const isOnly = usable === 1 || (usable === 0 && count === 1);
    if (!isOnly || refs.elementOf(locals[0]) !== element) return false;
    return documents().every((calls) => countIn(calls, selector) === 0);
  } catch {
    return false;
  }
}

/** @param {Element} element @returns {Generator<Locator>} the best first */
function* named(element) {
  const role = shownNames.roleOf(element);
  const name = collapse(nameToFind(element, role));
  if (!VAGUE.has(role) && isNameable(name)) yield { by: "role", selector: `role:${role}[name=${quote(name)}]`, said: name };
  for (const label of [...labelTextsOf(element), collapse(element.getAttribute("aria-label") ?? "")]) {
    if (isNameable(label)) yield { by: "label", selector: `label:${quote(label)}`, said: label };
  }
  const placeholder = collapse(element.getAttribute("placeholder") ?? "");
  if (isNameable(placeholder)) yield { by: "css", selector: `placeholder:${quote(placeholder)}`, said: "" };
  const text = secretValues.kindOf(element, nameOf) ? "" : visibleText(element);
  if (isNameable(text, MAX_TEXT)) yield { by: "text", selector: `text:${quote(text)}`, said: text };
}

/** @param {Element} element @param {string[]} paths @returns {Generator<Locator>} */
function* written(element, paths) {
  const testId = elementIdentity.testIdOf(element);
  if (testId) yield { by: "testid", selector: `[${testId.attribute}=${JSON.stringify(testId.value)}]`, said: "" };
  const { id } = element;
  if (id && !MADE.test(id)) yield { by: "css", selector: `#${CSS.escape(id)}`, said: "" };
  const field = element.getAttribute("name");
  if (field && !MADE.test(field)) {
    yield { by: "css", selector: `${element.localName}[name=${JSON.stringify(field)}]`, said: "" };
  }
  const role = shownNames.roleOf(element);
  if (!VAGUE.has(role)) yield { by: "css", selector: `role:${role}`, said: "" };
  yield { by: "css", selector: paths.join(" >>> "), said: "" };
}

/**
 * @param {Element} element @param {string[]} paths @param {string} expected text that the test expects of it
 * @returns {Locator[]} the best first
 */
function locators(element, paths, expected) {
  const all = [...named(element), ...written(element, paths)];
  // An element that is found by the very text would never be seen with another one. A path is worse still.
  const isSame = (/** @type {Locator} */ { said }) => said !== "" && said === expected;
  return [...all.slice(0, -1).filter((one) => !isSame(one)), ...all.filter(isSame), ...all.slice(-1)];
}

/**
 * @param {Element} element @param {string} [expected] text that the test expects of it
 * @returns {RecordedTarget} all that finds it again, with the best selector
 */
export function describe(element, expected = "") {
  const identity = /** @type {ElementIdentity} */ (elementIdentity.describe(refs.refFor(element)));
  const best = locators(element, identity.css, expected).find(({ selector }) => leadsTo(element, selector));
  const { by = "css", selector = identity.css.join(" >>> "), said = "" } = best ?? {};
  const { tag, role, name, css, test_id: testId, frame, secret } = identity;
  return {
    tag, selector, css, secret, ...(by === "role" ? { role, name } : { role: "", name: "" }),
    ...(by === "label" && { label: said }), ...(by === "text" && { text: said }),
    ...(by === "testid" && { test_id: testId }), ...(frame !== undefined && { frame }), ...(best ? {} : { unsure: true }),
    fingerprint: fingerprints.of(element),
  };
}
