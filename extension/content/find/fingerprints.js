/*
 * Fingerprints of elements: what tells an element from others without a selector, kept with each recorded step, so that it is
 * found again on a page that has changed. What is typed into fields is no part of it.
 */
import { cached, composedParent, isOwn } from "../dom/flat-tree.js";
import { nameOf, nameToFind } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { collapse, cut, labelTextsOf, NOT_TEXT, visibleText } from "../dom/text.js";
import { pathsOf, testIdOf } from "./element-identity.js";
import * as itemContext from "./item-context.js";
import * as shownNames from "./shown-names.js";

const MAX_TEXT = 80;
const MAX_BESIDE = 40;
const MAX_ITEM = 80;
const MAX_CLASSES = 8;
const MAX_LEVELS = 4;
const MAX_SIBLINGS = 20;
const MAX_TWINS = 5_000;
/** Elements whose text is what somebody types or chooses. */
const TYPED = "input,textarea,select,[contenteditable]";
const LANDMARKS = new Set("banner complementary contentinfo form main navigation region search dialog alertdialog".split(" "));
const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend,caption,summary";
/** An id or class with such a part was made by a program: another one the next time. */
const MADE = /\d{3,}|[0-9a-f]{8}/i;

/** The end of a text, or its beginning, where it is long. @param {string} text @param {"before"|"after"} side */
const shortened = (text, side) => (side === "before" ? text.slice(-MAX_BESIDE) : text.slice(0, MAX_BESIDE)).trim();

/** Whether a text is partly typed by somebody. Values of fields are no text. @param {Element} element */
const hasEditor = (element) => element.querySelector("[contenteditable]") !== null;

/** @param {Node} node */
function said(node) {
  if (node.nodeType === Node.TEXT_NODE) return collapse(/** @type {Text} */ (node).data);
  if (!(node instanceof Element) || isOwn(node)) return "";
  const isTyped = node.matches(TYPED);
  if (!isTyped && NOT_TEXT.has(node.localName)) return "";
  const written = node.getAttribute("aria-label") ?? node.getAttribute("placeholder") ?? "";
  return (isTyped || hasEditor(node) ? "" : visibleText(node)) || collapse(written);
}

/** The nearest text before or after an element. @param {Element} element @param {"before"|"after"} side */
function beside(element, side) {
  const next = side === "before" ? "previousSibling" : "nextSibling";
  /** @type {Element | null} */
  let at = element;
  for (let level = 0; at && level < MAX_LEVELS && at.localName !== "body"; level += 1, at = composedParent(at)) {
    let left = MAX_SIBLINGS;
    for (let node = /** @type {Node | null} */ (at[next]); node && left > 0; node = node[next], left -= 1) {
      const text = said(node);
      if (text) return shortened(text, side);
    }
  }
  return "";
}

/** The heading under which an element stands. @param {Element} element */
function headingOf(element) {
  for (let at = /** @type {Element | null} */ (element); at && at.localName !== "body"; at = composedParent(at)) {
    let left = MAX_SIBLINGS;
    for (let one = at.previousElementSibling; one && left > 0; one = one.previousElementSibling, left -= 1) {
      const heading = one.matches(HEADINGS) ? one : [...one.querySelectorAll(HEADINGS)].at(-1);
      if (heading) return cut(visibleText(heading), MAX_TEXT);
    }
  }
  return "";
}

/** @param {Element} element */
function landmarkOf(element) {
  for (let at = composedParent(element); at; at = composedParent(at)) {
    const role = shownNames.roleOf(at);
    if (LANDMARKS.has(role)) return cut(`${role} ${collapse(nameOf(at))}`.trim(), MAX_TEXT);
  }
  return "";
}

/** Words of the row, list item or card around an element. @param {Element} element */
export function itemOf(element) {
  const item = itemContext.itemOf(element);
  if (!item || item.element === element || hasEditor(item.element)) return "";
  return cut(collapse(itemContext.chunksOf(item.element).join(" ")), MAX_ITEM);
}

/** @param {Element} element */
const wordsOf = (element) => `${element.getAttribute("aria-label") ?? ""} ${collapse(element.textContent ?? "")}`;

/** Place among the elements that say the same, and their number, where it is not the only one. @param {Element} element */
function turnOf(element) {
  const root = /** @type {Document|ShadowRoot} */ (element.getRootNode());
  const alike = [...root.querySelectorAll(element.localName)].slice(0, MAX_TWINS);
  const own = wordsOf(element);
  const twins = alike.filter((other) => other === element || wordsOf(other) === own);
  if (!twins.includes(element)) return [twins.length, twins.length + 1];
  return twins.length > 1 ? [twins.indexOf(element), twins.length] : undefined;
}

/** Centre in the document, in CSS pixels. @param {Element} element */
export function placeOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + scrollX + width / 2), Math.round(y + scrollY + height / 2)];
}

/** @param {Element} element */
function hrefOf(element) {
  const written = element.getAttribute("href");
  return written ? cut(written.replace(/[?#].*$/, "").replace(/^https?:\/\/[^/]+/, ""), MAX_TEXT) : "";
}

/** @param {Element} element @param {string} name */
const attribute = (element, name) => cut(collapse(element.getAttribute(name) ?? ""), MAX_TEXT);

/** The part that costs little. @param {Element} element @returns {Fingerprint} */
export function outer(element) {
  const role = shownNames.roleOf(element);
  const { id, localName: tag } = element;
  const field = attribute(element, "name");
  return {
    tag, role, name: cut(collapse(nameToFind(element, role)), MAX_TEXT),
    test_id: testIdOf(element)?.value ?? "", id: MADE.test(id) ? "" : id,
    field: MADE.test(field) ? "" : field,
    type: tag === "input" ? /** @type {HTMLInputElement} */ (element).type : "", placeholder: attribute(element, "placeholder"),
    href: hrefOf(element), classes: [...element.classList].filter((name) => !MADE.test(name)).slice(0, MAX_CLASSES),
    frame: window === top ? "" : location.pathname,
  };
}

/** @param {Element} element */
function textOf(element) {
  const isEdited = /** @type {HTMLElement} */ (element).isContentEditable || hasEditor(element);
  if (element.matches(TYPED) || isEdited || secretValues.kindOf(element, nameOf) !== null) return "";
  return cut(visibleText(element), MAX_TEXT);
}

/** @param {Element} element @param {Fingerprint} [known] its `outer` @returns {Fingerprint} */
export function whole(element, known = outer(element)) {
  const [label = ""] = labelTextsOf(element);
  const turn = turnOf(element);
  // In an editor, the texts around are typed as well.
  const around = /** @type {HTMLElement} */ (element).isContentEditable ? {} : {
    heading: headingOf(element), item: itemOf(element), before: beside(element, "before"), after: beside(element, "after"),
  };
  return {
    ...known, text: textOf(element), label: cut(label, MAX_TEXT), landmark: landmarkOf(element), ...around,
    ...(turn && { turn }), place: placeOf(element), path: pathsOf(element).join(" >>> "),
  };
}

/** @param {Fingerprint} all without what is empty; in the top document, the frame is none */
const kept = (all) => /** @type {Fingerprint} */ (Object.fromEntries(Object.entries(all)
  .filter(([key, value]) => key === "frame" || (value !== "" && !(Array.isArray(value) && !value.length)))));

/** @param {Element} element @returns {Fingerprint} */
export const of = (element) => cached(() => kept(whole(element)));
