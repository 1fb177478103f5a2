/* Scroll positions, selection and caret before and after an act, and the fields into which something was entered. */
import { activeElementDeep, composedClosest, composedContains, composedParent } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { breaksText, collapse, cut, keptValue, quote } from "../dom/text.js";
import { offsetOf, pageScroller } from "../visibility/scrollers.js";
import * as textChanges from "./text-changes.js";

/** @typedef {{x: number, y: number}} Offset */
/**
 * @typedef {{field: Element | null, value: string, start: number | null, end: number | null, from: Node | null,
 *   fromAt: number, to: Node | null, toAt: number}} Selected
 */

const MAX_TEXT = 100;
const MAX_TOLD = 3;
/** A code of six boxes, and a little more. */
const MAX_FIELDS = 7;
const MAX_ABOVE = 60;
const BOX = /^(checkbox|radio)$/;
const VALUELESS = /^(button|file|hidden|image|reset|submit)$/;

/** Types without a selection of their own have none. @param {Element | null} active @returns {Selected} */
function selected(active) {
  const { value, selectionStart, selectionEnd } = /** @type {HTMLInputElement} */ (active ?? {});
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = getSelection() ?? {};
  return {
    field: active, value: typeof value === "string" ? value : "", start: selectionStart ?? null, end: selectionEnd ?? null,
    from: anchorNode ?? null, fromAt: anchorOffset, to: focusNode ?? null, toAt: focusOffset,
  };
}

/** The line of an editor in which the caret is. */
function currentLine() {
  const node = getSelection()?.focusNode ?? null;
  const inner = node instanceof Element ? node : node?.parentElement;
  const line = composedClosest(inner ?? null, (at) => breaksText(at));
  return collapse(line?.textContent ?? "");
}

/** Content of a field, as it may be told; null: nothing that can be told. @param {HTMLElement} field */
function holds(field) {
  const input = /** @type {HTMLInputElement} */ (field);
  if (field.isContentEditable) return quote(cut(secretValues.withheld(field) || currentLine(), MAX_TEXT));
  if (field.localName === "select")
    return quote(cut(collapse([.../** @type {HTMLSelectElement} */ (/** @type {unknown} */ (field)).selectedOptions]
      .map(({ label }) => label).join(", ")), MAX_TEXT));
  if (field.localName === "input" && BOX.test(input.type)) return null;
  if (typeof input.value !== "string" || VALUELESS.test(input.type)) return null;
  const value = field.localName === "textarea" ? keptValue(input.value) : collapse(input.value);
  return quote(cut(secretValues.withheld(field) || secretValues.veiled(field, value, nameOf), MAX_TEXT));
}

/** State of a document that an act may move. */
export class ViewState {
  constructor() {
    /** Scroller → where it was. @type {Map<Element, Offset | null>} */
    this.offsets = new Map();
    /** @type {Set<Element>} */
    this.entered = new Set();
    const active = activeElementDeep();
    this.selection = selected(active);
    this.watch(pageScroller());
    this.watchAbove(active);
  }

  /** Notes where a scroller is, before it moves. @param {Element} scroller */
  watch(scroller) {
    if (!this.offsets.has(scroller)) this.offsets.set(scroller, offsetOf(scroller));
  }

  /** @param {Element | null} element */
  watchAbove(element) {
    let count = 0;
    for (let at = element; at && count < MAX_ABOVE; at = composedParent(at), count += 1) {
      if (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth) this.watch(at);
    }
  }

  /** @param {Event} event of scrolling */
  noteScroll({ target }) {
    const scroller = target instanceof Element ? target : pageScroller();
    if (!this.offsets.has(scroller)) this.offsets.set(scroller, null);
  }

  /** @param {Event} event of input */
  noteInput(event) {
    const [first] = event.composedPath();
    const active = activeElementDeep();
    // The window sees only the host of a closed shadow tree.
    const field = first instanceof Element && "value" in first ? first : active && first instanceof Element &&
      composedContains(first, active) ? active : first;
    if (field instanceof Element) this.entered.add(field);
  }

  hasScrolled() {
    return this.scrolled().length > 0;
  }

  /** @returns {Array<{element: string, x: number, y: number, dx?: number, dy?: number}>} */
  scrolled() {
    const moved = [];
    for (const [scroller, before] of this.offsets) {
      const now = offsetOf(scroller);
      // A field scrolls along with what is entered.
      if (this.entered.has(scroller) || scroller.localName === "input") continue;
      if (!scroller.isConnected || (before && before.x === now.x && before.y === now.y)) continue;
      const by = before ? { dx: now.x - before.x, dy: now.y - before.y } : {};
      moved.push({ element: scroller === pageScroller() ? "page" : textChanges.described(scroller), ...now, ...by });
    }
    return moved.slice(0, MAX_TOLD);
  }

  /** Editors whose text is told as that of a field. */
  editors() {
    return new Set([...this.entered].filter((field) => /** @type {HTMLElement} */ (field).isContentEditable));
  }

  /** Whether a list or a box is among the fields that were entered or changed. @param {Element[]} changed */
  hasChoice(changed) {
    const isChoice = (/** @type {Element} */ field) =>
      field.localName === "select" || BOX.test(/** @type {HTMLInputElement} */ (field).type);
    return [...this.entered, ...changed].some(isChoice);
  }

  /** @param {Iterable<Element>} changed fields in which a script has put something @returns {string[]} */
  fields(changed) {
    const all = [...new Set([...changed, ...this.entered])];
    const words = all.length > MAX_FIELDS ? [`${all.length - MAX_FIELDS} more fields changed`] : [];
    for (const field of all.slice(-MAX_FIELDS)) {
      const held = field.isConnected ? holds(/** @type {HTMLElement} */ (field)) : null;
      const { type = "", checked } = /** @type {HTMLInputElement} */ (field);
      if (held !== null) words.push(`${textChanges.described(field)} holds ${held}`);
      else if (BOX.test(type)) words.push(`${textChanges.described(field)} ${checked ? "checked" : "unchecked"}`);
    }
    return words;
  }

  /** @returns {string[]} what is selected now, or where the caret has moved to */
  selected() {
    const { selection: was } = this;
    const now = selected(activeElementDeep());
    const isField = now.start !== null && now.end !== null;
    const hasMoved = isField
      ? now.field === was.field && (now.start !== was.start || now.end !== was.end)
      : now.from !== was.from || now.to !== was.to || now.fromAt !== was.fromAt || now.toAt !== was.toAt;
    const isNew = hasMoved || (isField && now.field !== was.field && now.start !== now.end);
    if (!isNew) return [];
    const text = isField ? selectedInField(now) : collapse(String(getSelection() ?? ""));
    if (text) return [`selected: ${quote(cut(text, MAX_TEXT))}`];
    if (now.field !== was.field || now.value !== was.value || this.entered.size) return [];
    if (isField) return [`caret at ${now.end} of ${now.value.length}`];
    const isEditing = /** @type {HTMLElement | null} */ (now.field)?.isContentEditable;
    return isEditing ? [`caret in the line ${quote(cut(currentLine(), MAX_TEXT))}`] : [];
  }
}

/** @param {Selected} selection */
function selectedInField({ field, value, start, end }) {
  const text = value.slice(start ?? 0, end ?? 0);
  if (!text || !field) return "";
  return secretValues.withheld(field) || secretValues.veiled(field, collapse(text), nameOf);
}
