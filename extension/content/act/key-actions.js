/* Default actions of the browser for keys that move the caret, the value of a control or the page, for keys by DOM events. */
import { elementsMatching, giveFocus } from "../dom/flat-tree.js";
import { scrollerOf } from "../visibility/scrollers.js";
import { fireEdit, isEditable } from "./edits.js";

/** key → [direction, how far, how far with Control] @type {Record<string, [string, string, string]>} */
const CARET = {
  ArrowLeft: ["backward", "character", "word"], ArrowRight: ["forward", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"], ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"], End: ["forward", "lineboundary", "documentboundary"],
};
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
const PAGE_SHARE = 0.875;
const LINE_PX = 40;
/** key → [share of the view, px] @type {Record<string, [number, number]>} */
const SCROLLS = {
  PageDown: [PAGE_SHARE, 0], PageUp: [-PAGE_SHARE, 0], " ": [PAGE_SHARE, 0], ArrowDown: [0, LINE_PX], ArrowUp: [0, -LINE_PX],
  End: [0, Number.MAX_SAFE_INTEGER], Home: [0, -Number.MAX_SAFE_INTEGER],
};

/** @typedef {(el: HTMLElement, stroke: KeyStroke, held: string[]) => void} Action */

/** Direction in which a key moves through a list: unlike with values, downwards is forwards. @param {KeyStroke} stroke */
const listStep = ({ key }) => -STEPS[key] * (/Up|Down/.test(key) ? 1 : -1);

/** @type {Action} */
function moveCaret(_, { key }, held) {
  const [direction, near, far] = CARET[key];
  const isFar = held.some((name) => name !== "Shift");
  getSelection()?.modify(held.includes("Shift") ? "extend" : "move", direction, isFar ? far : near);
}

/** @type {Action} */
function stepValue(el, { key }) {
  const input = /** @type {HTMLInputElement} */ (el);
  const before = input.value;
  if (STEPS[key] > 0) input.stepUp();
  else input.stepDown();
  if (input.value !== before) fireEdit(input);
}

/** @type {Action} */
function stepOption(el, stroke) {
  const list = /** @type {HTMLSelectElement} */ (el);
  const options = [...list.options].filter((option) => !option.disabled && !option.closest("optgroup")?.disabled);
  const next = options[options.indexOf(list.selectedOptions[0]) + listStep(stroke)];
  if (!next || list.multiple) return;
  next.selected = true;
  fireEdit(list);
}

/** @type {Action} */
function stepRadio(el, stroke) {
  const radio = /** @type {HTMLInputElement} */ (el);
  const root = radio.form ?? radio.getRootNode();
  const all = [.../** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input[type=radio]"))];
  const group = all.filter((one) => one.name === radio.name && one.form === radio.form && !one.disabled);
  const next = group[(group.indexOf(radio) + listStep(stroke) + group.length) % group.length];
  giveFocus(next);
  next.click();
}

/** @type {Action} */
function scrollPage(el, { key }) {
  const scroller = scrollerOf(el, "y");
  const [share, px] = SCROLLS[key];
  scroller.scrollBy({ top: share * scroller.clientHeight + px, behavior: "instant" });
}

function closeTopmost() {
  const open = [...document.querySelectorAll("dialog:modal, :popover-open:not([popover=manual])")].at(-1);
  if (open instanceof HTMLDialogElement && open.matches(":modal")) (open.requestClose ?? open.close).call(open);
  else if (open instanceof HTMLElement) open.hidePopover();
}

/** [which elements, which keys, what happens]; the first that fits is it */
const ACTIONS = /** @type {Array<[(el: HTMLElement) => boolean, object, Action]>} */ ([
  [() => true, { Escape: true }, closeTopmost],
  [(el) => el.matches("input[type=range]"), STEPS, stepValue],
  [(el) => el.matches("input[type=number]"), { ArrowUp: 1, ArrowDown: -1 }, stepValue],
  [(el) => el.matches("input[type=radio]"), STEPS, stepRadio],
  [(el) => el.localName === "select", STEPS, stepOption],
  [isEditable, CARET, moveCaret],
  [(el) => !isEditable(el) && !el.matches("button, summary, select, input"), SCROLLS, scrollPage],
]);

/**
 * Do what a key does by itself.
 * @param {HTMLElement} el the focused element
 * @param {KeyStroke} stroke
 * @param {string[]} held modifiers
 * @returns {boolean} whether it is such a key
 */
export function run(el, stroke, held) {
  const found = ACTIONS.find(([fits, keys]) => stroke.key in keys && fits(el));
  if (!found) return false;
  found[2](el, stroke, held);
  return true;
}

/**
 * Does what an access key is for: its control gets the focus, a button or a link is clicked.
 * @param {KeyStroke} stroke
 * @returns {boolean} whether it is one of an element
 */
export function runAccessKey({ key }) {
  const wanted = key.toLowerCase();
  const all = /** @type {HTMLElement[]} */ (elementsMatching(document, "[accesskey]"));
  const el = all.find((one) => one.accessKey.toLowerCase() === wanted);
  if (!el) return false;
  const control = el.localName === "label" ? /** @type {HTMLLabelElement} */ (el).control ?? el : el;
  giveFocus(control);
  if (!isEditable(control)) control.click();
  return true;
}
