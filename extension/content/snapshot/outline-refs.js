/*
 * CSS selectors as references: each fits exactly one element of its tree, and what it was given out for is remembered, so
 * that it means that element as long as it lives. ` >>> ` leads into a shadow root or the document of a frame.
 */
import { cached, memo, shadowRootOf } from "../dom/flat-tree.js";
import { slotOf } from "../dom/frames.js";
import { collapse } from "../dom/text.js";
import * as refs from "../find/refs.js";

const INTO = " >>> ";
/** Attributes that tell elements apart, the most lasting first. */
const TELLING = [
  "data-testid", "data-test", "data-cy", "name", "href", "for", "type", "placeholder", "aria-label", "alt", "title",
  "value",
];
/** Types that tell nothing. */
const COMMON_TYPES = new Set(["text", "button"]);
/** Inputs that are told apart by name and value together. */
const TWO_PART = new Set(["[type='radio']", "[type='checkbox']"]);
const MAX_VALUE = 80;
const MAX_GIVEN = 20_000;

/** Reference → number of the element it was given out for. @type {Map<string, number>} */
const given = new Map();

/** @param {string} text */
const isPlainName = (text) => /^[a-z_][\w-]*$/i.test(text);
/** Whether people and models can copy a value as it is. @param {string} value */
const isCopied = (value) => value !== "" && value.length <= MAX_VALUE && !/["<]|>>>/.test(value) && collapse(value) === value;
/** @param {string} value */
const quoted = (value) => `'${value.replace(/[\\']/g, "\\$&")}'`;

/** Value of an attribute; in lower case for `type`, which fits in any case. @param {Element} element @param {string} name */
const valueOf = (element, name) => {
  const value = element.getAttribute(name) ?? "";
  return name === "type" ? value.toLowerCase() : value;
};

/** Selectors without a context that fit an element, the best first. @param {Element} element @returns {string[]} */
function simpleSelectors(element) {
  const tag = element.localName;
  if (!isPlainName(tag)) return [];
  if (!element.hasAttributes()) return [tag];
  const found = [];
  const id = element.getAttribute("id") ?? "";
  if (isPlainName(id)) found.push(`${tag}#${id}`);
  else if (isCopied(id)) found.push(`${tag}[id=${quoted(id)}]`);
  const names = new Set([
    ...TELLING,
    ...element.getAttributeNames().filter((name) => name.startsWith("data-") && isPlainName(name)),
  ]);
  const told = [...names]
    .filter(
      (name) =>
        element.hasAttribute(name) &&
        isCopied(valueOf(element, name)) &&
        !(name === "type" && COMMON_TYPES.has(valueOf(element, name))),
    )
    .map((name) => [name, `[${name}=${quoted(valueOf(element, name))}]`]);
  const parts = Object.fromEntries(told);
  if (parts.name && parts.value && TWO_PART.has(parts.type)) found.push(tag + parts.name + parts.value);
  for (const [, part] of told) found.push(tag + part);
  for (const name of (element.getAttribute("class") ?? "").split(/\s+/)) if (isPlainName(name)) found.push(`${tag}.${name}`);
  return [...found, tag];
}

/** Number of elements that each simple selector fits below one node. */
class Census {
  /** @param {ParentNode} top */
  constructor(top) {
    /** @type {Map<string, number>} */
    this.counts = new Map();
    for (const element of top.querySelectorAll("*"))
      for (const each of simpleSelectors(element)) this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
  }

  /** The best selector that fits no other element there. @param {Element} element @returns {string | undefined} */
  only(element) {
    return simpleSelectors(element).find((each) => this.counts.get(each) === 1);
  }
}

/** Gives out references; the DOM must not change meanwhile. */
export class Giver {
  constructor() {
    /** Node → number of elements that each selector fits below it. */
    this.censuses = { map: new Map() };
    /** Element → its selector. */
    this.written = { map: new Map() };
    /** Parent → child → its position among those of its tag. */
    this.steps = { map: new Map() };
    if (given.size > MAX_GIVEN) given.clear();
  }

  /** @param {ParentNode} top */
  census(top) {
    return memo(this.censuses, top, (node) => new Census(node));
  }

  /** @param {Element} element */
  stepOf(element) {
    return memo(this.steps, /** @type {ParentNode} */ (element.parentNode), stepsIn).get(element);
  }

  /** The selector of an element in its own tree. @param {Element} element */
  inTree(element) {
    return memo(this.written, element, (one) => this.write(one));
  }

  /** @param {Element} element @returns {string} */
  write(element) {
    const root = element.getRootNode();
    const census = this.census(root);
    const only = census.only(element);
    if (only) return only;
    const path = [];
    for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
      const anchor = at === element ? undefined : census.only(at);
      if (anchor) return this.below(anchor, at, element) ?? [anchor, ...path].join(" > ");
      path.unshift(this.stepOf(at));
    }
    return [...(root === document ? [] : [":host"]), ...path].join(" > ");
  }

  /** @param {string} anchor @param {Element} top @param {Element} element */
  below(anchor, top, element) {
    const only = this.census(top).only(element);
    return only && `${anchor} ${only}`;
  }

  /**
   * @param {Element} element
   * @returns {string} its reference in this document
   */
  refOf(element) {
    const root = element.getRootNode();
    const inner = this.inTree(element);
    return root instanceof ShadowRoot ? this.refOf(root.host) + INTO + inner : inner;
  }

  /** @param {Element} element @param {number} local the number it is compared by later */
  give(element, local) {
    const ref = this.refOf(element);
    given.set(ref, local);
    return ref;
  }
}

/** @param {ParentNode} parent */
function stepsIn(parent) {
  const counts = new Map();
  const positions = new Map();
  for (const child of parent.children) {
    const tag = child.localName;
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
    positions.set(child, counts.get(tag));
  }
  const step = (/** @type {Element} */ child) => {
    if (!isPlainName(child.localName)) return `:nth-child(${[...parent.children].indexOf(child) + 1})`;
    return counts.get(child.localName) === 1 ? child.localName : `${child.localName}:nth-of-type(${positions.get(child)})`;
  };
  return new Map([...parent.children].map((child) => [child, step(child)]));
}

/** @param {ParentNode} root @param {string} selector */
function onlyIn(root, selector) {
  try {
    const found = root.querySelectorAll(selector);
    return found.length === 1 ? found[0] : null;
  } catch {
    // The text is another kind of selector.
    return null;
  }
}

/**
 * Follows a reference from tree to tree.
 * @param {string[]} parts
 * @returns {{element: Element, rest: string[]} | null} rest: what is in the frame it led to
 */
function follow(parts) {
  /** @type {Document | ShadowRoot | null} */
  let root = document;
  for (const [index, part] of parts.entries()) {
    const element = root && onlyIn(root, part);
    if (!element) return null;
    if (index === parts.length - 1 || slotOf(element) !== null) return { element, rest: parts.slice(index + 1) };
    root = shadowRootOf(element);
  }
  return null;
}

/** The element a reference was given out for; one that has taken its place and reads the same will do. @param {string} ref */
function recall(ref) {
  const local = given.get(ref);
  if (local === undefined) return null;
  try {
    return refs.resolve(local);
  } catch (error) {
    const { data } = /** @type {{data?: {cause: string, candidates: string[]}}} */ (error);
    const now = data?.cause === "replaced" ? follow(ref.split(INTO)) : null;
    if (now && !now.rest.length && data?.candidates.includes(refs.marker(refs.refFor(now.element)))) return now.element;
    throw error;
  }
}

/** @param {string} ref */
function find(ref) {
  const parts = ref.trim().split(/\s*>>>\s*/);
  for (let end = parts.length; end > 0; end -= 1) {
    const element = recall(parts.slice(0, end).join(INTO));
    if (element) return { element, rest: parts.slice(end) };
  }
  return parts.length > 1 ? follow(parts) : null;
}

/**
 * The element of a reference.
 * @param {{ref: string}} args
 * @returns {{local: number} | {slot: number|string, rest: string} | null} slot, rest: it goes on in that frame; null: nothing
 * is known of it
 */
export const findPart = ({ ref }) => cached(() => {
  const found = find(ref);
  if (!found) return null;
  if (!found.rest.length) return { local: refs.refFor(found.element) };
  const slot = slotOf(found.element);
  return slot === null ? null : { slot, rest: found.rest.join(INTO) };
});
