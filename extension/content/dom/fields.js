/* Fields that take a text or a choice. */
import { activeElementDeep } from "./flat-tree.js";

const MAX_TYPED = 4_000;
/** Types of inputs where people choose and do not type. */
const CHOSEN = new Set(["checkbox", "radio", "file", "range", "color", "submit", "button", "reset", "image", "hidden"]);

/** @param {EventTarget | null | undefined} target @returns {target is HTMLElement} */
function isField(target) {
  const element = /** @type {HTMLElement | null | undefined} */ (target);
  return ["input", "textarea", "select"].includes(element?.localName ?? "") || Boolean(element?.isContentEditable);
}

/** The window sees only the host of a closed shadow tree. @param {Event} event */
export function fieldOf(event) {
  const [first] = event.composedPath();
  if (isField(first)) return first;
  const active = activeElementDeep();
  return isField(active) ? active : null;
}

/** @param {Element} field @returns {string | null} null: it is chosen, not typed */
export function textOf(field) {
  const input = /** @type {HTMLInputElement} */ (field);
  const isInput = input.localName === "input";
  if (input.localName === "select" || (isInput && CHOSEN.has(input.type))) return null;
  return String(isInput || input.localName === "textarea" ? input.value : input.innerText).slice(0, MAX_TYPED);
}
