/*
 * Steps of a recording that expect something of an element. Each is tried at once: one that does not hold when it is recorded
 * would fail in every test.
 */
import { visibleText } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import * as bestLocator from "../find/best-locator.js";
import * as conditions from "../changes/wait.js";
import { isSecret } from "./recorded-secrets.js";

/** A longer text changes with every word that is edited. */
const MAX_TEXT = 500;
const PATTERN = /^\/.+\/[a-z]*$/s;
const CHOSEN = new Set(["checkbox", "radio", "file"]);

/** @typedef {{text?: string, value?: string}} Expected */

/** A text that would be taken for a pattern, as the pattern of it. @param {string} text */
const written = (text) => (PATTERN.test(text) ? `/^${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$/` : text);

/** @param {Element} element @returns {Expected | string} what is wrong with it */
function textOf(element) {
  const text = visibleText(element);
  if (!text) return "it has no text of its own";
  if (text.length > MAX_TEXT) return `its text is longer than ${MAX_TEXT} characters; point at a part of it`;
  return { text: written(text) };
}

/** @param {Element} field @returns {Expected | string} what is wrong with it */
function valueOf(field) {
  if (isSecret(field)) return "its value is a secret, which is not recorded";
  const value = conditions.valueOf(field);
  const isChosen = field.localName === "input" && CHOSEN.has(/** @type {HTMLInputElement} */ (field).type);
  return value === undefined || isChosen ? "it has no value that was typed or chosen from a list" : { value };
}

/** @type {Record<string, (element: Element) => Expected | string>} */
const EXPECTED = {
  visible: (element) => (isVisible(element) ? {} : "it is not visible"),
  text: textOf,
  value: valueOf,
};

/** @param {Element} element @param {string} kind a key of EXPECTED */
export function of(element, kind) {
  if (/^tabwire-/.test(element.localName)) return { problem: "this is Tabwire's own bar; point at something in the page" };
  const meant = (kind === "value" && element.closest("label")?.control) || element;
  const expected = EXPECTED[kind](meant);
  if (typeof expected === "string") return { problem: `Not recorded: ${expected}` };
  const target = bestLocator.describe(meant, expected.text);
  if (target.unsure) return { problem: "Not recorded: nothing tells this element from others; point at one around it" };
  if (!conditions.isMet(target.selector, expected)) {
    return { problem: "Not recorded: it changed while you pointed at it, or nobody can see it" };
  }
  return { step: { kind: "assertion", method: "wait.until", params: { for: "selector", ...expected }, target } };
}
