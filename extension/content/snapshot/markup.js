/* The document as it stands: one element and what is in it, as a flat list of rows in document order. */
import { cached, composedChildren, isOwn, shadowRootOf, VISIBLE } from "../dom/flat-tree.js";
import { isRendered } from "../dom/visibility.js";
import * as refs from "../find/refs.js";
import * as selectorSyntax from "../find/selector-syntax.js";
import { findAll, preferWhole } from "../find/selectors.js";

/** @typedef {[depth: number, text: string]} TextRow */
/**
 * @typedef {[depth: number, tag: string, attributes: Record<string, string>, left: number]} ElementRow  left: elements below
 * that were too deep
 */
/**
 * @typedef {{depth?: number, shown: boolean}} Options  depth: of the deepest elements, 0 is the first; shown: only what is
 * rendered
 */
/** @typedef {{nodes: ArrayLike<Node>, index: number, depth: number, isText: boolean}} Level */

const SHADOW = "#shadow-root";

/** @param {Element} element */
const showsText = (element) => element.checkVisibility(VISIBLE) || getComputedStyle(element).visibility === "visible";

/** @param {Element} element */
const attributesOf = (element) =>
  Object.fromEntries(element.getAttributeNames().map((name) => [name, element.getAttribute(name) ?? ""]));

class Rows {
  /** @param {Options} options */
  constructor({ depth = Infinity, shown }) {
    this.deepest = depth;
    this.shown = shown;
    /** @type {Array<TextRow | ElementRow>} */
    this.list = [];
    // The walk keeps its own stack, because pages nest deeper than calls can.
    /** @type {Level[]} */
    this.stack = [];
  }

  /** @param {Element} root */
  read(root) {
    this.element(root, 0);
    for (let level = this.stack.at(-1); level; level = this.stack.at(-1)) {
      const node = level.nodes[level.index++];
      if (isOwn(node)) continue;
      if (!node) this.stack.pop();
      else if (node.nodeType === Node.ELEMENT_NODE) this.element(/** @type {Element} */ (node), level.depth);
      else if (level.isText && (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE))
        this.list.push([level.depth, node.nodeValue ?? ""]);
    }
    return this.list;
  }

  /** @param {Element} element @param {number} depth */
  element(element, depth) {
    if (depth > this.deepest || (this.shown && !isRendered(element))) return;
    const left = depth === this.deepest ? element.querySelectorAll("*").length - (isOwn(element.lastChild) ? 1 : 0) : 0;
    this.list.push([depth, element.localName, attributesOf(element), left]);
    this.inside(element, depth + 1);
  }

  /** @param {Element} element @param {number} depth */
  inside(element, depth) {
    const isText = !this.shown || showsText(element);
    if (this.shown) {
      this.stack.push({ nodes: composedChildren(element), index: 0, depth, isText });
      return;
    }
    const content = element.localName === "template" ? /** @type {HTMLTemplateElement} */ (element).content : element;
    this.stack.push({ nodes: content.childNodes, index: 0, depth, isText });
    const shadow = shadowRootOf(element);
    if (!shadow || depth > this.deepest) return;
    this.list.push([depth, SHADOW, { mode: shadow.mode }, 0]);
    this.stack.push({ nodes: shadow.childNodes, index: 0, depth: depth + 1, isText });
  }
}

/** Present state of a field, which its attributes do not say; never a password. @param {Element} element */
function stateOf(element) {
  const tag = element.localName;
  const { type, checked, value } = /** @type {HTMLInputElement} */ (element);
  if (tag === "input" && /^(checkbox|radio)$/.test(type)) return { checked };
  if (tag === "option") return { selected: /** @type {HTMLOptionElement} */ (element).selected };
  const isField = tag === "textarea" || tag === "select" || (tag === "input" && !/^(password|file)$/.test(type));
  return isField ? { value } : {};
}

/** The first match, hidden or not. @param {string | undefined} selector @returns {Element | undefined} */
function first(selector) {
  if (selector === undefined) return document.documentElement ?? undefined;
  const parsed = selectorSyntax.parse(selector);
  return preferWhole(parsed, findAll(parsed))[0];
}

/** Result of the latest read that named a snapshot: a client that reads in parts need not be sent the same again. */
let latest = { snapshot: "", rows: "" };

/**
 * An element of this document.
 * @param {{selector?: string, local?: number, snapshot?: string} & Options} args  selector: default is the root; local: the
 * number of
 *   a reference in its place; snapshot: a name for what is read, to be told later that it still is the same
 * @returns {{rows: string, state: object, url: string, title: string} | {unchanged: true} | null} rows: JSON of them; null:
 * nothing matches
 */
export const read = ({ selector, local, snapshot, ...options }) => {
  return cached(() => {
    const element = local === undefined ? first(selector) : refs.resolve(local);
    if (!element) return null;
    const rows = JSON.stringify(new Rows(options).read(element));
    if (snapshot !== undefined) {
      if (latest.snapshot === snapshot && latest.rows === rows) return { unchanged: true };
      latest = { snapshot, rows };
    }
    return { rows, state: stateOf(element), url: location.href, title: document.title };
  });
};
