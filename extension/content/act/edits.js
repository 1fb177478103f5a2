/* Edits of fields: the events around them, and the caret. */
import { isPage } from "../dom/flat-tree.js";

const CHOSEN = "input:is([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], "
  + "[type=color], [type=range])";
const PRESSED = `button, a, area, summary, dialog, body, html, ${CHOSEN}, :is([role=button], [role=link], [role=checkbox], `
  + "[role=switch], [role=radio], [role=tab])";
/** Widgets that choose by the letters that are typed. */
const SEARCHED = "[role=combobox], [aria-haspopup]";

/** @param {HTMLElement} el */
export function isEditable(el) {
  const { readOnly, disabled } = /** @type {HTMLInputElement} */ (el);
  return el.isContentEditable || (el.matches("input, textarea") && !readOnly && !disabled);
}

/**
 * Whether typed letters are for an element: a field, a list, or a widget of which only the page knows what it does with them.
 * @param {HTMLElement} el
 */
export const takesText = (el) => el.matches(SEARCHED) || el.isContentEditable
  || (el.matches("input, textarea") ? isEditable(el) && !el.matches(CHOSEN) : !el.matches(PRESSED));

/**
 * Tells the page of an edit that is about to be made, as the browser does before one of the user.
 * @param {Element} el the focused element @param {string} inputType @param {string | null} [data]
 * @returns {boolean} false when the page refuses it
 */
export function announceEdit(el, inputType, data = null) {
  noteEdit(el);
  return el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data }));
}

/** Fields that keys have edited → what they held before, until they tell of the change. @type {WeakMap<Element, string>} */
const edited = new WeakMap();

/** @param {Element} el */
function noteEdit(el) {
  if (!el.matches("input") || edited.has(el)) return;
  edited.set(el, /** @type {HTMLInputElement} */ (el).value);
  const told = new AbortController();
  const forget = () => {
    edited.delete(el);
    told.abort();
  };
  for (const type of ["change", "blur"]) el.addEventListener(type, forget, { capture: true, signal: told.signal });
}

/**
 * Enter ends the editing of a field as leaving it does. The browser does not know that its change was told, and would tell
 * it again when the field is left: https://html.spec.whatwg.org/#event-input-change
 * @param {HTMLInputElement} el
 */
export function endEdit(el) {
  const before = edited.get(el);
  const { value } = el;
  if (before === undefined || before === value) return;
  el.dispatchEvent(new Event("change", { bubbles: true }));
  const left = new AbortController();
  addEventListener("change", (event) => {
    if (event.isTrusted && event.composedPath()[0] === el && el.value === value) event.stopImmediatePropagation();
  }, { capture: true, signal: left.signal });
  el.addEventListener("blur", () => left.abort(), { capture: true, signal: left.signal });
}

/** The outermost editable element, which is where the focus goes. @param {HTMLElement} el */
export function isEditingHost(el) {
  return el.isContentEditable && !el.parentElement?.isContentEditable;
}

/**
 * Fires an event of input. Edits of text come as InputEvent; lists, pickers and files fire plain events.
 * @param {Element} el
 * @param {string} type
 * @param {InputEventInit} [edit]
 */
export function fireInput(el, type, edit) {
  const fields = { bubbles: true, composed: type !== "change" };
  return el.dispatchEvent(edit ? new InputEvent(type, { ...fields, ...edit }) : new Event(type, fields));
}

/** Tells of an edit that was made at once. @param {Element} el */
export function fireEdit(el) {
  fireInput(el, "input");
  fireInput(el, "change");
}

/** Put the caret behind the text of a field. @param {HTMLElement} el */
export function caretToEnd(el) {
  if (el.matches("input, textarea")) {
    const field = /** @type {HTMLInputElement} */ (el);
    // Types without a selection, such as email and number, have no position to set.
    if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
  } else if (el.isContentEditable) {
    const selection = getSelection();
    selection?.selectAllChildren(el);
    selection?.collapseToEnd();
    // A page may end with a script, behind which there is no place for a caret.
    if (isPage(el)) selection?.modify("move", "backward", "documentboundary");
    if (isPage(el)) selection?.modify("move", "forward", "documentboundary");
  }
}

/**
 * Put the caret of a focused field behind its first `offset` characters.
 * @param {HTMLInputElement} field
 * @param {number} offset
 */
export function caretTo(field, offset) {
  if (field.selectionStart !== null) return field.setSelectionRange(offset, offset);
  // The types without a selection of their own follow the one of the page.
  const selection = getSelection();
  selection?.modify("move", "backward", "lineboundary");
  for (let n = 0; n < offset; n += 1) selection?.modify("move", "forward", "character");
  return undefined;
}
