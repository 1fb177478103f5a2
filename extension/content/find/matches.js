/* Answers about found elements: for acts (one element, strictly), for the query tool, for locator chains. */
import { codedError } from "../base/errors.js";
import { ALL_CHANGES, cached, composedContains, hasShadows, walkElements } from "../dom/flat-tree.js";
import { FRAMES, framesIn, slotOf, withPath } from "../dom/frames.js";
import { isMadeByFramework } from "../dom/framework-attributes.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import * as states from "../dom/states.js";
import { collapse, cut, likeness, matcher, pairsOf, visibleLines, visibleText } from "../dom/text.js";
import { isAccessibilityHidden, isRendered, isVisible } from "../dom/visibility.js";
import * as refs from "./refs.js";
import { assertRole, parse } from "./selector-syntax.js";
import { placeNames, staying } from "./place-names.js";
import { findAll, preferWhole, shadowRootsIn } from "./selectors.js";
import * as shownNames from "./shown-names.js";

const MAX_CANDIDATES = 6;
const VISUAL_EVENTS = ["transitionend", "animationend", "load", "toggle", "scroll", "resize", "input", "change"];

/**
 * Native controls are often drawn by their label while they are transparent or clipped themselves.
 * @param {Element} element
 */
function isUsable(element) {
  if (isVisible(element)) return true;
  return element.localName === "input" && isRendered(element) &&
    [...(/** @type {HTMLInputElement} */ (element).labels ?? [])].some((label) => isVisible(label));
}

/**
 * Keeps, of several elements, those that are not shut away (aria-hidden or inert behind a dialog), when there are any.
 * @param {Element[]} elements
 */
function preferOpen(elements) {
  if (elements.length < 2) return elements;
  const open = elements.filter((element) => !isAccessibilityHidden(element));
  return staying(open.length ? open : elements);
}

/** @param {Element} element */
function summary(element) {
  const role = shownNames.roleOf(element);
  const name = shownNames.nameOf(element, role);
  const text = name ? "" : cut(visibleText(element), 60);
  return { ref: refs.marker(refs.refFor(element)), role, ...(name ? { name } : {}), ...(text ? { text } : {}) };
}

/** Summaries of elements that one is chosen from. @param {Element[]} elements */
function summaries(elements) {
  const places = placeNames(elements);
  return elements.map((element, at) => ({ ...summary(element), ...(places[at] && { place: places[at] }) }));
}

/**
 * The numbers of found elements, and of those that are shown.
 * @param {Element[]} all @param {Element[]} usable @param {Element[]} shown @param {boolean} [watching]
 */
const numbersOf = (all, usable, shown, watching) => ({
  stamp: watching ? watch() : 0,
  count: all.length,
  usable: usable.length,
  locals: shown.map((element) => refs.refFor(element)),
});

/**
 * The candidates for an act.
 * @param {{selector: string, watching?: boolean}} args watching: `selectors.changed` will be asked next
 */
export function find({ selector, watching }) {
  return cached(() => {
    const parsed = parse(selector);
    const all = findAll(parsed);
    const usable = preferWhole(parsed, preferOpen(all.filter(isUsable)));
    const shown = (usable.length ? usable : all).slice(0, MAX_CANDIDATES);
    return { ...numbersOf(all, usable, shown, watching), candidates: usable.length ? summaries(shown) : [] };
  });
}

/** @typedef {{observer: MutationObserver, listening: AbortController}} Watch */
/**
 * Counts changes of this document, from the first question on.
 * @type {{count: number, watch: Watch | null, roots: WeakSet<Node>, waiting: Set<() => void>}}
 */
const changes = { count: 0, watch: null, roots: new WeakSet(), waiting: new Set() };

function onChange() {
  changes.count += 1;
  for (const resolve of changes.waiting) resolve();
  changes.waiting.clear();
}

/** @param {ParentNode} root @param {Watch} watch */
function observe(root, { observer, listening: { signal } }) {
  if (changes.roots.has(root)) return;
  changes.roots.add(root);
  observer.observe(root, ALL_CHANGES);
  for (const type of VISUAL_EVENTS) root.addEventListener(type, onChange, { capture: true, passive: true, signal });
}

/** Starts the watching. @returns {number} the count to give to `selectors.changed` */
function watch() {
  const watch = (changes.watch ??= { observer: new MutationObserver(onChange), listening: new AbortController() });
  for (const root of [document, ...shadowRootsIn(document)]) observe(root, watch);
  return changes.count;
}

/** Resolves when the document has changed since `stamp`. @param {{stamp: number}} args */
export const changed = ({ stamp }) => {
  if (changes.count !== stamp) return true;
  return new Promise((resolve) => changes.waiting.add(() => resolve(true)));
};

/** Ends the watching when nothing waits any more. */
export const unwatch = () => {
  changes.watch?.observer.disconnect();
  changes.watch?.listening.abort();
  changes.watch = null;
  changes.roots = new WeakSet();
  onChange();
  return true;
};

/** @param {Element} element */
function boundsOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** @param {Element} element */
const isPassword = (element) => element.localName === "input" && /** @type {HTMLInputElement} */ (element).type === "password";

/** @param {Element} element */
const attributesOf = (element) =>
  Object.fromEntries(
    Array.from(element.attributes, ({ name, value }) => [name, value])
      .filter(([name]) => !isMadeByFramework(name)),
  );

/** Longer values, such as data: addresses, are cut where all attributes are given. */
const MAX_ATTRIBUTE = 500;

/** A password is never given out, not even as an attribute. @param {Element} element */
function publicAttributes(element) {
  const attributes = attributesOf(element);
  if (isPassword(element)) delete attributes.value;
  else if (attributes.value) attributes.value = secretValues.veiled(element, attributes.value, nameOf);
  for (const [name, value] of Object.entries(attributes)) {
    if (value.length <= MAX_ATTRIBUTE) continue;
    attributes[name] = `${value.slice(0, MAX_ATTRIBUTE)}… (${value.length.toLocaleString("en")} characters)`;
  }
  return attributes;
}

/** @param {Element} element */
function valueOf(element) {
  if (!["input", "textarea", "select"].includes(element.localName)) return undefined;
  const { type, value } = /** @type {HTMLInputElement} */ (element);
  return type === "password" || type === "file" ? undefined : secretValues.veiled(element, value, nameOf);
}

/** @param {Element} element */
function everything(element) {
  return {
    ref: refs.marker(refs.refFor(element)),
    ...states.describe(element),
    tag: element.localName,
    text: visibleLines(element),
    ...(valueOf(element) === undefined ? {} : { value: valueOf(element) }),
    attributes: publicAttributes(element),
    bounds: boundsOf(element),
    visible: isUsable(element),
  };
}

/** @param {Element} element @param {string} name */
function attributeOf(element, name) {
  if (name === "value" && isPassword(element)) return null;
  const value = element.getAttribute(name);
  return name === "value" && value ? secretValues.veiled(element, value, nameOf) : value;
}

/** @type {Record<string, (element: Element, wanted: {attribute?: string}) => unknown>} */
const ANSWERS = {
  ref: summary,
  count: () => 1,
  text: (element) => visibleLines(element) || shownNames.nameOf(element, shownNames.roleOf(element)),
  bounds: boundsOf,
  all: everything,
  attribute: (element, { attribute = "" }) => attributeOf(element, attribute),
};

/** Whether a match is shown: to assistive technology by role, else to people. @param {Element} element @param {string} [by] */
const isShown = (element, by) =>
  by === "role"
    ? !isAccessibilityHidden(element)
    : isRendered(element) && getComputedStyle(element).visibility === "visible";

/**
 * Positions of the matches among the child frames: their numbers before, between and after the frames.
 * @param {Element[]} elements in document order
 * @returns {Array<number | {slot: number | string}> | null} null: no child frames
 */
function layoutOf(elements) {
  if (!window.length) return null;
  return hasShadows(document) ? layoutByWalk(elements) : layoutByPosition(elements);
}

/** Elements stand in the order of the document. @param {Element[]} elements */
function layoutByPosition(elements) {
  const layout = [];
  let next = 0;
  for (const frame of framesIn(document)) {
    const slot = slotOf(frame);
    if (slot === null) continue;
    const first = next;
    while (next < elements.length && isUpTo(elements[next], frame)) next += 1;
    layout.push(next - first, { slot });
  }
  return [...layout, elements.length - next];
}

/** Whether an element is another one or stands before it. @param {Element} element @param {Element} other */
const isUpTo = (element, other) =>
  element === other || Boolean(element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** @param {Element[]} elements */
function layoutByWalk(elements) {
  const wanted = new Set(elements);
  const layout = [];
  let run = 0;
  for (const element of walkElements(document)) {
    if (wanted.delete(element)) run += 1;
    const slot = FRAMES.has(element.localName) ? slotOf(element) : null;
    if (slot === null) continue;
    layout.push(run, { slot });
    run = 0;
  }
  return [...layout, run + wanted.size];
}

/** Adds where the matches stand, if asked for. @param {object} answer @param {Element[]} elements @param {string} [nonce] */
function arranged(answer, elements, nonce) {
  return nonce ? withPath({ ...answer, count: elements.length, layout: layoutOf(elements) }, nonce) : answer;
}

/**
 * @param {{by: Strategy, value: string, options?: SelectorOptions, return?: string, attribute?: string, nonce?: string}} args
 * @returns {object} `answers`: one per match, in document order; with a nonce also where they stand
 */
export const query = (args) => {
  const { by, value, options = {} } = args;
  return cached(() => {
    /** @type {SemanticSelector} */
    const parsed = {
      kind: "semantic", strategy: by, value: by === "role" ? value.trim().toLowerCase() : value, options: { ...options },
    };
    const found = findAll(parsed).filter((element) => options.include_hidden || isShown(element, by));
    return arranged({ answers: found.map((element) => answerOf(element, args)) }, found, args.nonce);
  });
};

/** @param {Element[]} elements */
const unique = (elements) => [...new Set(elements)];

/** @param {Selector} parsed @param {Element[] | null} [scope] */
function search(parsed, scope) {
  const shown = (/** @type {Element[]} */ elements) => elements.filter((element) => isShown(element, parsed.strategy));
  if (!scope) return shown(findAll(parsed));
  return unique(scope.flatMap((root) => shown(findAll(parsed, root))));
}

/** @typedef {{hasText?: string, hasNotText?: string, has?: string | ChainStep}} FilterOptions */
/** @typedef {{method: string, value?: string, options?: SelectorOptions & FilterOptions}} ChainStep */

/** @param {Element[] | null} scope @param {ChainStep} step */
const bySelector = (scope, step) => search(stepSelector(step), scope);

/** @param {Element[] | null} scope @param {ChainStep} step */
function byRole(scope, step) {
  const value = (step.value ?? "").toLowerCase();
  assertRole(value);
  return bySelector(scope, { ...step, value });
}

/** @param {Element[]} scope @param {{value?: string, options?: FilterOptions}} step */
function filter(scope, { value, options = {} }) {
  const { hasText = value, hasNotText, has } = options;
  const contains = (/** @type {Element} */ element, /** @type {string} */ text) => matcher(text).test(visibleText(element));
  return scope.filter((element) =>
    (hasText === undefined || contains(element, hasText)) &&
    (hasNotText === undefined || !contains(element, hasNotText)) &&
    (has === undefined || search(typeof has === "string" ? parse(has) : stepSelector(has), [element]).length > 0));
}

/** @param {ChainStep} step @returns {Selector} */
const stepSelector = ({ method, value = "", options = {} }) =>
  method === "css" || method === "xpath"
    ? { kind: method, value }
    : { kind: "semantic", strategy: /** @type {Strategy} */ (method), value, options };

/** @param {Element[] | null} scope @param {ChainStep} step */
function within(scope, { value }) {
  if (!value) return scope;
  const around = search(parse(value));
  return scope
    ? scope.filter((element) => around.some((outer) => outer !== element && composedContains(outer, element)))
    : around;
}

/**
 * step → (elements so far, or null at the start) → elements
 * @type {Record<string, {of(scope: Element[] | null, step: ChainStep): Element[] | null}["of"]>}
 */
const STEPS = {
  role: byRole,
  text: bySelector,
  label: bySelector,
  placeholder: bySelector,
  testid: bySelector,
  css: bySelector,
  xpath: bySelector,
  nth: (/** @type {Element[]} */ scope, { value }) => [scope.at(Number(value))].filter((element) => element !== undefined),
  first: (/** @type {Element[]} */ scope) => scope.slice(0, 1),
  last: (/** @type {Element[]} */ scope) => scope.slice(-1),
  filter,
  within,
};

const NEEDS_ELEMENTS = new Set(["nth", "first", "last", "filter"]);

/** @param {{chain: ChainStep[], watching?: boolean, nonce?: string}} args */
export const chain = ({ chain: steps, watching, nonce }) => {
  return cached(() => {
    /** @type {Element[] | null} */
    let scope = null;
    for (const step of steps) {
      if (!scope && NEEDS_ELEMENTS.has(step.method)) {
        throw codedError("invalid_argument", `the chain cannot start with "${step.method}"; start with role, text, label, css …`);
      }
      scope = STEPS[step.method](scope, step);
    }
    const found = scope ?? [];
    const usable = preferOpen(found.filter(isUsable));
    const shown = nonce ? [] : (usable.length ? usable : found).slice(0, MAX_CANDIDATES);
    return arranged({ ...numbersOf(found, usable, shown, watching), candidates: summaries(shown) }, found, nonce);
  });
};

const MAX_LOOKED = 2000;
const MAX_LOOK_MS = 100;
const MAX_NEAREST = 3;
const MIN_LIKENESS = 0.35;
const NEAR_ROLES = new Set((
  "button checkbox combobox heading link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider " +
  "spinbutton switch tab textbox treeitem").split(" "));
const NAMING = ["id", "name", "placeholder", "title", "data-testid"];

/** The words in a selector. @param {string} selector */
function wordsOf(selector) {
  const { kind, value, strategy, options } = parse(selector);
  if (kind !== "semantic") return /["']([^"']+)["'][^"']*$/.exec(value)?.[1] ?? value;
  return strategy === "role" ? options?.name ?? "" : value;
}

/**
 * Controls and headings with a name like what a selector asks for.
 * @param {{selector: string}} args
 */
export const nearest = ({ selector }) => {
  return cached(() => {
    const wanted = pairsOf(collapse(wordsOf(selector)));
    const found = [];
    let looked = 0;
    const until = performance.now() + MAX_LOOK_MS;
    for (const element of walkElements(document)) {
      if (performance.now() > until) break;
      const role = shownNames.roleOf(element);
      if (!NEAR_ROLES.has(role)) continue;
      if (looked === MAX_LOOKED) break;
      looked += 1;
      const texts = [shownNames.nameOf(element, role), ...NAMING.map((name) => element.getAttribute(name) ?? "")];
      const score = Math.max(...texts.map((text) => likeness(wanted, pairsOf(text))));
      if (score >= MIN_LIKENESS && isUsable(element)) found.push({ element, score });
    }
    const best = found.sort((a, b) => b.score - a.score).slice(0, MAX_NEAREST);
    return { candidates: best.map(({ element, score }) => ({ ...summary(element), score })) };
  });
};

/** The answer of `query` for one element. @param {Element} element @param {{return?: string, attribute?: string}} wanted */
export const answerOf = (element, wanted) => ANSWERS[wanted.return ?? "ref"](element, wanted);
