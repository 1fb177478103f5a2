/*
 * The elements that a selector finds: semantic (role: text: label: …), CSS through shadow roots, XPath.
 */
import { codedError } from "../base/errors.js";
import { cached, elementsMatching, hasShadows, isOwn, shadowRootOf } from "../dom/flat-tree.js";
import { nameToFind } from "../dom/names.js";
import { ROLES } from "../dom/role-tables.js";
import { hasRole, roleOf, selectorOf } from "../dom/roles.js";
import { statesOf } from "../dom/states.js";
import { collapse, labelTextsOf, matcher, visibleText } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import { descriptions } from "./descriptions.js";
import { notCss, STATE_FILTERS, unquote } from "./selector-syntax.js";
import * as shownNames from "./shown-names.js";
import { byText } from "./text-search.js";

/** Finds every shadow root under a node, outer ones first. @param {ParentNode} root @returns {ShadowRoot[]} */
export function shadowRootsIn(root) {
  /** @type {ShadowRoot[]} */
  const found = [];
  if (!hasShadows(root)) return found;
  const visit = (/** @type {ParentNode} */ node) => {
    const own = node.nodeType === Node.ELEMENT_NODE ? shadowRootOf(/** @type {Element} */ (node)) : null;
    if (own) enter(own);
    for (const element of node.querySelectorAll("*")) {
      const inner = shadowRootOf(element);
      if (inner) enter(inner);
    }
  };
  const enter = (/** @type {ShadowRoot} */ shadow) => {
    found.push(shadow);
    visit(shadow);
  };
  visit(root);
  return found;
}

/** @param {ParentNode} root @param {string} css */
function queryIn(root, css) {
  try {
    return [...root.querySelectorAll(css)];
  } catch {
    throw notCss(css);
  }
}

/**
 * Cuts of a complex selector at each descendant combinator: [selector of the host, selector inside it].
 * @param {string} css
 */
function cuts(css) {
  if (/[,"'\\]/.test(css)) return [];
  const found = [];
  let nesting = 0;
  for (let index = 1; index < css.length - 1; index += 1) {
    if (/[[(]/.test(css[index])) nesting += 1;
    if (/[\])]/.test(css[index])) nesting -= 1;
    if (nesting || css[index] !== " " || /[>+~\s]/.test(css[index - 1]) || /[>+~\s]/.test(css[index + 1])) continue;
    found.push([css.slice(0, index), css.slice(index + 1)]);
  }
  return found;
}

/** @param {string} css @param {ParentNode} root @returns {Element[]} */
function byCss(css, root) {
  const plain = css.replace(/\s*>>>?\s*/g, " ").trim();
  const found = new Set(queryIn(root, plain));
  const shadows = shadowRootsIn(root);
  if (!shadows.length) return [...found];
  for (const shadow of shadows) for (const element of queryIn(shadow, plain)) found.add(element);
  for (const [outer, inner] of cuts(plain)) {
    for (const host of byCss(outer, root)) {
      for (const shadow of shadowRootsIn(host)) for (const element of queryIn(shadow, inner)) found.add(element);
    }
  }
  return [...found];
}

/** @param {string} xpath @param {ParentNode} root */
function byXpath(xpath, root) {
  try {
    const result = document.evaluate(xpath, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const nodes = Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index));
    return nodes.map((node) => (node?.nodeType === Node.ELEMENT_NODE ? /** @type {Element} */ (node) : node?.parentElement))
      .filter((element) => element !== null && element !== undefined);
  } catch (error) {
    throw codedError("invalid_selector",
      `"${xpath}" is not a valid XPath; correct it, or use another strategy (${/** @type {Error} */ (error).message})`);
  }
}

/**
 * Elements in the flat tree that match a selector; with hidden ones also light children that no slot takes.
 * @param {ParentNode} root
 * @param {string} css
 * @param {SelectorOptions} [options]
 */
const elementsIn = (root, css, { include_hidden: all } = {}) =>
  (all ? byCss(css, root).filter(isOfPage) : elementsMatching(root, css));

/** @param {Element} element @param {string} role @param {SelectorOptions} options */
function hasStates(element, role, options) {
  const wanted = Object.entries(options).filter(([key]) => STATE_FILTERS.has(key));
  if (!wanted.length) return true;
  const states = statesOf(element, role);
  return wanted.every(([key, value]) => (states[key] ?? (value === false && key !== "level" ? false : undefined)) === value);
}

/**
 * expanded: false is a state of its own: what cannot expand does not have it.
 * @param {Element} element
 * @param {string} role
 * @param {SelectorOptions} options
 */
function hasExpanded(element, role, { expanded }) {
  return expanded === undefined || statesOf(element, role).expanded === expanded;
}

/** @param {SemanticSelector} parsed @param {ParentNode} root */
function byRole(parsed, root) {
  const { value, options } = parsed;
  const name = nameMatcher(options);
  return elementsIn(root, selectorOf(value, root), options).filter((element) => {
    if (!hasRole(element, value)) return false;
    if (!hasStates(element, value, options) || !hasExpanded(element, value, options)) return false;
    return !name || name.test(collapse(nameToFind(element, value)));
  });
}

/**
 * `[name="Save"]` is a part of the name, as in a query: quotes only delimit, and a whole match is preferred later.
 * @param {SelectorOptions} options
 */
function nameMatcher({ name, exact }) {
  return name === undefined ? null : matcher(unquote(name), { exact });
}

/** Text of an attribute. @param {Element} element @param {string} name */
const written = (element, name) => collapse(element.getAttribute(name) ?? "");

/** @param {Element} element */
function labelTexts(element) {
  const referenced = Array.from(element.ariaLabelledByElements ?? [], (label) => collapse(label.textContent));
  return [...labelTextsOf(element), ...referenced, written(element, "aria-label")].filter(Boolean);
}

const TYPED = "input,select,textarea,[role],[contenteditable]";
const LABELABLE = "input,select,textarea,button,meter,output,progress,[aria-label],[aria-labelledby],[role],[contenteditable]";

/** @param {SemanticSelector} parsed @param {ParentNode} root */
function byLabel(parsed, root) {
  const { test } = matcher(parsed.value, parsed.options);
  const all = elementsIn(root, LABELABLE, parsed.options);
  const labelled = all.filter((element) => labelTexts(element).some(test));
  if (labelled.length) return labelled;
  // Snapshots show the text beside a field without a name as its mark.
  const beside = (/** @type {Element} */ element) => descriptions.textBeside(element, roleOf(element) ?? "");
  return all.filter((element) => element.matches(TYPED) && !labelTexts(element).length && test(beside(element)));
}

/** @type {(attribute: string, isExactByDefault?: boolean) => (parsed: SemanticSelector, root: ParentNode) => Element[]} */
const byAttribute = (attribute, isExactByDefault = false) => (parsed, root) => {
  const { test, isExact } = matcher(parsed.value, parsed.options);
  const check = isExactByDefault && !/^\/.*\/[a-z]*$/s.test(parsed.value) ? isExact : test;
  return byCss(`[${attribute}]`, root).filter((element) => check(written(element, attribute)));
};

const FINDERS = {
  role: byRole,
  text: byText,
  label: byLabel,
  placeholder: byAttribute("placeholder"),
  alt: byAttribute("alt"),
  title: byAttribute("title"),
  testid: byAttribute("data-testid", true),
};

/** Texts by which matches are compared when a whole match wins over a part. */
/** @type {Lookup<(element: Element) => string[]>} */
const WHOLE_TEXTS = {
  role: (element) => [collapse(nameToFind(element, roleOf(element)))],
  text: (element) => [visibleText(element)],
  label: labelTexts,
  placeholder: (element) => [written(element, "placeholder")],
  alt: (element) => [written(element, "alt")],
  title: (element) => [written(element, "title")],
};

/**
 * Whole matches, when there are any among the found: `text:Save` means "Save" rather than "Save as".
 * @param {Selector} parsed
 * @param {Element[]} found
 */
export function preferWhole(parsed, found) {
  if (parsed.kind !== "semantic") return found;
  const wanted = parsed.strategy === "role" ? parsed.options.name && unquote(parsed.options.name) : parsed.value;
  const textsOf = WHOLE_TEXTS[parsed.strategy];
  if (!textsOf || found.length < 2 || wanted === undefined) return found;
  const { isExact } = matcher(wanted, parsed.options);
  const whole = found.filter((element) => textsOf(element).some(isExact));
  return whole.length ? whole : found;
}

const isOfPage = (/** @type {Node} */ element) => !isOwn(element);

/**
 * The elements a selector finds, in document order, hidden ones included.
 * @param {Selector} parsed
 * @param {ParentNode} [root]
 * @returns {Element[]}
 */
export function findAll(parsed, root = document) {
  return cached(() => {
    if (parsed.kind !== "semantic") return (parsed.kind === "css" ? byCss : byXpath)(parsed.value, root).filter(isOfPage);
    return FINDERS[parsed.strategy]({ ...parsed, options: { ...parsed.options } }, root);
  });
}

/** Visible elements with exactly this role and name, as refs remember them. @param {string} role @param {string} name */
export function byRoleAndName(role, name) {
  // Frames and media have roles of their own in snapshots.
  const css = ROLES.has(role) ? selectorOf(role, document) : "*";
  return elementsIn(document, css).filter((element) =>
    shownNames.roleOf(element) === role && shownNames.nameOf(element, role) === name && isVisible(element));
}
