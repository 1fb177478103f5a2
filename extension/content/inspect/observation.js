/* Properties of an element that an act on it may change: where it leads, whether it is on, whether it holds a text. */
import { activeElementDeep } from "../dom/flat-tree.js";
import * as refs from "../find/refs.js";

const STATES = ["aria-checked", "aria-pressed", "aria-expanded", "aria-selected"];
const NO_TEXT = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

/** The control of the label around an element, or the element itself. @param {Element} element @returns {Element} */
const controlOf = (element) => element.closest("label")?.control ?? element;

/** @param {Element} element */
function stateOf(element) {
  const control = /** @type {HTMLInputElement} */ (controlOf(element));
  const details = element.closest("summary")?.parentElement;
  const attributes = STATES.filter((name) => control.hasAttribute(name)).map((name) => [name, control.getAttribute(name)]);
  return {
    ...Object.fromEntries(attributes),
    ...(/^(checkbox|radio)$/.test(control.type ?? "") && control.localName === "input" && { checked: control.checked }),
    ...(details?.localName === "details" && { open: /** @type {HTMLDetailsElement} */ (details).open }),
  };
}

/** The text in a field; null for an element that is no field. @param {Element} element @returns {string | null} */
function contentOf(element) {
  const { localName, type, value, isContentEditable } = /** @type {HTMLInputElement} */ (element);
  if (localName === "textarea" || (localName === "input" && !NO_TEXT.test(type))) return value;
  return isContentEditable ? (/** @type {HTMLElement} */ (element).innerText ?? element.textContent ?? "") : null;
}

/** @param {Element} element */
function hrefOf(element) {
  const link = /** @type {HTMLAnchorElement | null} */ (element.closest("a[href], area[href]"));
  return typeof link?.href === "string" ? link.href : undefined;
}

/**
 * An element of this document.
 * @param {{local: number, text?: string}} args  local: the number of its reference; text: whether it holds this is told
 * @returns {{tag: string, href?: string, state: object, length?: number, holds?: boolean, focused?: boolean}}
 *   href: of the link it is or is in; length, holds, focused: of a field, which itself does not leave the page
 */
export const describe = ({ local, text }) => {
  const element = refs.resolve(local);
  const href = hrefOf(element);
  const content = contentOf(controlOf(element));
  return {
    tag: element.localName,
    ...(href !== undefined && { href }),
    state: stateOf(element),
    ...(content !== null && {
      length: content.length,
      focused: activeElementDeep() === controlOf(element),
      ...(text !== undefined && { holds: content.includes(text) }),
    }),
  };
};
