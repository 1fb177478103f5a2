/*
 * Text as `text-transform` shows it, which is what people read and what Chrome has in its accessibility tree. Most documents
 * transform nothing: their style sheets are looked through once, and no style is asked of an element.
 */
import { cache, innerRules, memo, sheetReader, sheetsOf } from "./flat-tree.js";
import { isRendered } from "./visibility.js";

const IN_LINE = /^(inline|contents|ruby)/;
/** Letters that begin a word, as Chrome finds words: https://drafts.csswg.org/css-text-3/#valdef-text-transform-capitalize */
const FIRST_LETTERS = /(?<![\p{L}\p{M}\p{N}_])(?<![\p{L}\p{M}\p{N}_]['’])\p{Ll}/gu;
const STARTS_SMALL = /^\p{Ll}/u;
const IN_WORD = /[\p{L}\p{M}\p{N}_]['’]?$/u;
/** Languages whose letters have another case mapping. */
const OWN_MAPPING = /^(tr|az|lt|el)\b/i;

const usedCache = cache();

/** @param {Iterable<AnyCssRule>} rules @returns {boolean} */
function haveTransforms(rules) {
  for (const rule of rules) {
    const value = rule.style?.textTransform;
    if (value && value !== "none") return true;
    if (haveTransforms(innerRules(rule))) return true;
  }
  return false;
}

const hasTransforms = sheetReader(haveTransforms, true);

/** Whether a style of a tree, or one around it, may transform text. @param {ParentNode} root @returns {boolean} */
function isUsedIn(root) {
  return sheetsOf(root).some(hasTransforms) || root.querySelector("[style*=text-transform]") !== null ||
    (root instanceof ShadowRoot && isUsed(root.host));
}

/** @param {Element} element @returns {boolean} */
export const isUsed = (element) => memo(usedCache, element.getRootNode(), isUsedIn);

/** Text that stands before a text node in its line. @param {Text} text */
function textBefore(text) {
  for (let node = /** @type {Node | null} */ (text); node; node = node.parentNode) {
    const { previousSibling: previous, parentElement: parent } = node;
    if (previous) return isInLine(previous) ? previous.textContent ?? "" : "";
    if (!parent || !isInLine(parent)) return "";
  }
  return "";
}

/** @param {Node} node */
const isInLine = (node) => !(node instanceof Element) || IN_LINE.test(getComputedStyle(node).display);

/** @param {string} data @param {Text} [text] the node that it is in */
function capitalized(data, text) {
  const shown = data.replace(FIRST_LETTERS, (letter) => letter.toUpperCase());
  return text && STARTS_SMALL.test(data) && IN_WORD.test(textBefore(text)) ? data[0] + shown.slice(1) : shown;
}

/**
 * Text as a value of `text-transform` shows it.
 * @param {string} data
 * @param {string} value computed
 * @param {Element} element in which it stands
 * @param {Text} [text] the node that it is in
 */
export function transformed(data, value, element, text) {
  if (value === "none" || value === "") return data;
  if (value === "capitalize") return capitalized(data, text);
  const language = OWN_MAPPING.exec(element.closest("[lang]")?.getAttribute("lang") ?? "")?.[1] ?? "und";
  if (value === "uppercase") return data.toLocaleUpperCase(language);
  return value === "lowercase" ? data.toLocaleLowerCase(language) : data;
}

/**
 * Text of a node as an element shows it; as it is written where it is not rendered.
 * @param {Text} text @param {Element} element
 */
export function shownText(text, element) {
  const { data } = text;
  if (!isUsed(element)) return data;
  const value = getComputedStyle(element).textTransform;
  // The list of a select is drawn by the system.
  return value === "none" || element.localName === "option" || !isRendered(element)
    ? data : transformed(data, value, element, text);
}
