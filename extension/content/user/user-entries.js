/*
 * Entries of the user while the tab is theirs: the worker gets the fields by name, and the typed text, so that it can strike
 * that out of its answers. Snapshots of this document withhold the text while it is still in its field.
 */
import { worker } from "../base/worker.js";
import { fieldOf, textOf } from "../dom/fields.js";
import * as names from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { collapse, cut } from "../dom/text.js";
import * as shownNames from "../find/shown-names.js";

const MAX_NAME = 80;

/** @type {AbortController | null} */
let listening = null;
let numbers = 0;
/** @type {WeakMap<Element, number>} */
const numberOf = new WeakMap();

/** @param {HTMLElement} field */
function nameOf(field) {
  const { name, id } = /** @type {HTMLInputElement} */ (field);
  return cut(collapse(names.nameOf(field) || name || id || shownNames.roleOf(field)), MAX_NAME);
}

/** @param {Event} event */
function note(event) {
  const field = fieldOf(event);
  if (!field) return;
  const name = nameOf(field);
  const isSecret = secretValues.kindOf(field, name) !== null;
  // Password managers dispatch events of their own, which are not trusted.
  if (event.isTrusted || isSecret) keep(field, name, isSecret);
}

/** @param {HTMLElement} field @param {string} name @param {boolean} [isSecret] */
function keep(field, name, isSecret = secretValues.kindOf(field, name) !== null) {
  if (!numberOf.has(field)) numberOf.set(field, (numbers += 1));
  const text = textOf(field);
  if (text !== null) secretValues.noteTyped(field, text);
  worker.tell?.({ tabwireFilled: { field: numberOf.get(field), name, secret: isSecret, text } });
}

/** Notes text that was typed before this script came. */
function noteEarlier() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input, textarea"))) {
    const text = textOf(field);
    if (text && text !== field.defaultValue) keep(field, nameOf(field));
  }
}

/** @param {{isFresh?: boolean}} args isFresh: the person has had the page from its beginning */
export const watch = ({ isFresh }) => {
  if (listening) return true;
  if (isFresh) noteEarlier();
  listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const type of ["input", "change"]) addEventListener(type, note, options);
  return true;
};
export const rest = () => {
  listening?.abort();
  listening = null;
  return true;
};
