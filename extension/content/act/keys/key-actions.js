/* Default actions of the browser for keys that move the caret, the value of a control or the page, for keys by DOM events. */
import { elementsMatching, giveFocus } from "../../dom/flat-tree.js";
import { scrollerOf } from "../../visibility/scrollers.js";
import { announceEdit, fireEdit, fireInput, isEditable } from "../edits.js";
import { changeWhenLeft } from "../filling.js";

/** key → [direction, how far, how far with Control] @type {Record<string, [string, string, string]>} */
const CARET = {
  ArrowLeft: ["backward", "character", "word"], ArrowRight: ["forward", "character", "word"],
  ArrowUp: ["backward", "line", "paragraph"], ArrowDown: ["forward", "line", "paragraph"],
  Home: ["backward", "lineboundary", "documentboundary"], End: ["forward", "lineboundary", "documentboundary"],
};
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
/** Options that a key goes on by in a closed list. */
const PAGE_OPTIONS = 3;
/** Letters that come within so long are searched for together. */
const SEARCH_MS = 1000;
const PAGE_SHARE = 0.875;
const LINE_PX = 40;
/** key → [share of the view, px] @type {Record<string, [number, number]>} */
const SCROLLS = {
  PageDown: [PAGE_SHARE, 0], PageUp: [-PAGE_SHARE, 0], " ": [PAGE_SHARE, 0], ArrowDown: [0, LINE_PX], ArrowUp: [0, -LINE_PX],
  End: [0, Number.MAX_SAFE_INTEGER], Home: [0, -Number.MAX_SAFE_INTEGER],
};

/** Keys of ranges and lists. */
const MOVES = { ...STEPS, Home: true, End: true, PageUp: true, PageDown: true };

/** @param {HTMLElement} el */
const valueOf = (el) => /** @type {HTMLInputElement} */ (el).value;

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
  if (!announceEdit(input, "insertText")) return;
  if (STEPS[key] > 0) input.stepUp();
  else input.stepDown();
  if (input.value !== before) fireEdit(input);
}

/** @type {Action} */
function moveRange(el, { key }) {
  const range = /** @type {HTMLInputElement} */ (el);
  const [min, max] = [Number(range.min || 0), Number(range.max || 100)];
  const step = range.step === "any" ? (max - min) / 100 : Number(range.step) || 1;
  // https://html.spec.whatwg.org/#range-state-(type=range): Chrome goes on by a tenth of the whole, in steps.
  const page = Math.max(step, Math.floor((max - min) / 10 / step) * step);
  const by = /** @type {Record<string, number>} */ ({ Home: -Infinity, End: Infinity, PageUp: page, PageDown: -page })[key]
    ?? STEPS[key] * step;
  const before = range.value;
  range.value = String(Math.min(Math.max(Number(before) + by, min), max));
  if (range.value !== before) fireEdit(range);
}

/** @param {HTMLOptionElement} option */
const isOpen = (option) => !option.disabled && !option.closest("optgroup")?.disabled
  && getComputedStyle(option).display !== "none";

/**
 * Lists → the options between which a key with Shift selects.
 * @type {WeakMap<HTMLSelectElement, {anchor: number, active: number}>}
 */
const places = new WeakMap();

/** @param {HTMLSelectElement} list @param {HTMLOptionElement[]} options */
function placeIn(list, options) {
  const known = places.get(list);
  const selected = list.selectedOptions;
  if (known && options[known.active]?.selected) return known;
  const active = options.indexOf(selected[selected.length - 1]);
  return { anchor: active, active };
}

/**
 * Selects an option of a list as a key does: alone, or with Shift in a list of several all from where that began.
 * @param {HTMLSelectElement} list @param {HTMLOptionElement[]} options @param {number} index
 * @param {{isExtended?: boolean, isSilent?: boolean}} [how] isSilent: without an input event
 */
function choose(list, options, index, { isExtended = false, isSilent = false } = {}) {
  const { anchor, active } = placeIn(list, options);
  const from = isExtended && list.multiple && anchor >= 0 ? anchor : index;
  const before = options.filter((option) => option.selected).length;
  const isSame = active === index && before === 1 && from === index;
  places.set(list, { anchor: from, active: index });
  if (isSame) return;
  if (!list.multiple) options[index].selected = true;
  else {
    const chosen = options.slice(Math.min(from, index), Math.max(from, index) + 1);
    for (const option of list.options) option.selected = chosen.includes(option);
  }
  if (isSilent) fireInput(list, "change");
  else fireEdit(list);
}

/** @param {HTMLSelectElement} list */
const isListBox = (list) => list.multiple || list.size > 1;

/** @type {Action} */
function stepOption(el, stroke, held) {
  const list = /** @type {HTMLSelectElement} */ (el);
  if (held.some((name) => name !== "Shift")) return;
  const options = [...list.options].filter(isOpen);
  const { active } = placeIn(list, options);
  const page = isListBox(list) ? Math.max(1, (list.size || 4) - 1) : PAGE_OPTIONS;
  const by = /** @type {Record<string, number>} */ ({ Home: -Infinity, End: Infinity, PageUp: -page, PageDown: page })[stroke.key]
    ?? (isListBox(list) && /Left|Right/.test(stroke.key) ? 0 : listStep(stroke));
  if (!options.length || !by) return;
  const start = active < 0 && by < 0 ? options.length : active;
  choose(list, options, Math.min(Math.max(start + by, 0), options.length - 1), { isExtended: held.includes("Shift") });
}

/** Letters that were typed for a list. @type {{list: Element | null, letters: string, at: number}} */
let search = { list: null, letters: "", at: 0 };

/** Chooses the next option whose text begins with the letters typed. @type {Action} */
function searchOption(el, { text = "" }, held) {
  const list = /** @type {HTMLSelectElement} */ (el);
  if (held.some((name) => name !== "Shift")) return;
  const isOn = search.list === list && Date.now() - search.at < SEARCH_MS;
  search = { list, letters: (isOn ? search.letters : "") + text.toLowerCase(), at: Date.now() };
  const options = [...list.options].filter(isOpen);
  const isOneLetter = [...search.letters].every((letter) => letter === search.letters[0]);
  const wanted = isOneLetter ? search.letters[0] : search.letters;
  const active = Math.max(0, placeIn(list, options).active);
  // One letter goes on to the next option, a word may mean the one that is selected.
  const order = options.map((_, at) => (active + at + (isOneLetter ? 1 : 0)) % options.length);
  const found = order.find((at) => options[at].text.trim().toLowerCase().startsWith(wanted));
  // Chrome fires no input event for letters in a list that is open.
  if (found !== undefined) choose(list, options, found, { isSilent: isListBox(list) });
}

/** @type {Action} */
function emptySearch(el) {
  /** @type {HTMLInputElement} */ (el).value = "";
  fireInput(el, "input");
  changeWhenLeft(el);
  el.dispatchEvent(new Event("search", { bubbles: true }));
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
  [(el) => el.matches("input[type=search]") && isEditable(el) && valueOf(el) !== "", { Escape: true }, emptySearch],
  [() => true, { Escape: true }, closeTopmost],
  [(el) => el.matches("input[type=range]"), MOVES, moveRange],
  [(el) => el.matches("input[type=number]"), { ArrowUp: 1, ArrowDown: -1 }, stepValue],
  [(el) => el.matches("input[type=radio]"), STEPS, stepRadio],
  [(el) => el.localName === "select", MOVES, stepOption],
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
  if (!found && el.localName === "select" && stroke.text && /\S/.test(stroke.text) && !/[\n\r\t]/.test(stroke.text)) {
    searchOption(el, stroke, held);
    return true;
  }
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
