/*
 * Elements by their visible text. Most parts of a page cannot have a text, because a character of it is nowhere in them: the
 * browser tells that much faster than their visible text is put together.
 */
import { composedChildren, hasShadows } from "../dom/flat-tree.js";
import { isUsed, shownText } from "../dom/text-transform.js";
import { breaksText, collapse, matcher, NOT_TEXT, shownValue } from "../dom/text.js";
import { isRendered } from "../dom/visibility.js";

/** @typedef {(text: Text, element: Element) => string} Read  as the page shows it, or as it is written */

const SPECIAL = /[$()*+.?[\\\]^{|}/]/;
/** Spaces, and marks and modifiers into which another case takes a letter apart. */
const ADDED = /[\s\p{M}\p{Lm}]/u;
/** İ becomes such a letter, with a mark, in another case. */
const FOLDED = /i/i;
/**
 * Letters that `text-transform` makes of other characters: SS of ß, FI of a ligature.
 * https://www.unicode.org/Public/UCD/latest/ucd/SpecialCasing.txt
 */
const MADE = /[afhijklnstwy]/i;

/**
 * The characters of a text that must be somewhere in an element that shows it.
 * @param {string} text @param {boolean} isTransformed whether styles change the case of letters
 */
function neededOf(text, isTransformed) {
  return [...new Set(text)].filter((one) => {
    if (ADDED.test(one)) return false;
    if (one.toLowerCase() === one.toUpperCase()) return true;
    return isTransformed ? /[a-z]/i.test(one) && !MADE.test(one) : !FOLDED.test(one);
  });
}

/** Values of buttons in an element, by the element. @param {ParentNode} root */
function valuesIn(root) {
  /** @type {Map<Node, string>} */
  const values = new Map();
  for (const input of root.querySelectorAll("input")) {
    const value = shownValue(input);
    for (let at = /** @type {Node | null} */ (value ? input : null); at; at = at.parentNode) {
      values.set(at, (values.get(at) ?? "") + value);
    }
  }
  return values;
}

/**
 * Makes a quick question whether an element may have a text in it.
 * @param {string | null} literal the text; null: of any kind @param {ParentNode} root
 * @returns {(element: Element) => boolean}
 */
function possible(literal, root) {
  const always = () => true;
  if (literal === null || hasShadows(root)) return always;
  const needed = neededOf(literal, isUsed(/** @type {Element} */ (root.firstElementChild ?? root)));
  if (!needed.length) return always;
  const has = needed.map((one) => `(?=[^]*${SPECIAL.test(one) ? `\\${one}` : one})`).join("");
  const all = new RegExp(`^${has}`, "iu");
  const values = valuesIn(root);
  return (element) => all.test(element.textContent + (values.get(element) ?? ""));
}

/** Children where there are no shadow roots, which are not asked for then. @param {Node} parent */
const writtenChildren = (parent) => /** @type {FlatNodes} */ (/** @type {unknown} */ (parent.childNodes));

/**
 * Innermost elements whose visible text matches.
 * @param {SemanticSelector} parsed @param {ParentNode} root @param {Read} read
 */
function withText({ value, options }, root, read) {
  const { test, literal } = matcher(value, options);
  const mayHave = possible(literal, root);
  const childrenOf = hasShadows(root) ? composedChildren : writtenChildren;
  const isLeftOut = (/** @type {Element} */ element) =>
    NOT_TEXT.has(element.localName) || (!options.include_hidden && !isRendered(element));
  /** @type {Map<Element, string>} */
  const texts = new Map();
  /** @type {Element[]} */
  const found = [];

  /** @param {Element} element @returns {string} the visible text of what is in it */
  function textIn(element) {
    const known = texts.get(element);
    if (known !== undefined) return known;
    const parts = Array.from(childrenOf(element), (child) => {
      if (child.nodeType === Node.TEXT_NODE) return read(child, element);
      return child.nodeType === Node.ELEMENT_NODE ? textOf(child) : "";
    });
    const text = parts.join("") || shownValue(element);
    texts.set(element, text);
    return text;
  }

  /** @param {Element} element */
  function textOf(element) {
    if (isLeftOut(element)) return "";
    return breaksText(element) ? ` ${textIn(element)} ` : textIn(element);
  }

  /** @param {Element} parent @returns {boolean} whether something inside matched */
  function visitChildren(parent) {
    let isMatched = false;
    for (const child of childrenOf(parent)) {
      if (child.nodeType === Node.ELEMENT_NODE && mayHave(child) && visit(child)) isMatched = true;
    }
    return isMatched;
  }

  /** @param {Element} element @returns {boolean} whether it or something inside matched */
  function visit(element) {
    if (isLeftOut(element)) return false;
    if (visitChildren(element)) return true;
    const text = textIn(element);
    if (!text || !test(collapse(text))) return false;
    found.push(element);
    return true;
  }

  const { body, documentElement } = /** @type {Document} */ (root);
  const start = root.nodeType === Node.ELEMENT_NODE ? /** @type {Element} */ (root) : body ?? documentElement;
  if (root === start) visitChildren(start);
  else if (start) visit(start);
  return found;
}

/** @param {SemanticSelector} parsed @param {ParentNode} root */
export function byText(parsed, root) {
  const found = withText(parsed, root, shownText);
  return found.length || !isUsed(document.documentElement) ? found : withText(parsed, root, ({ data }) => data);
}
