/* Wording of one element on its line of a snapshot: states, value, bounds. */
import { referencedElements } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as roleTables from "../dom/role-tables.js";
import { roleOf } from "../dom/roles.js";
import * as secretValues from "../dom/secret-values.js";
import * as ariaStates from "../dom/states.js";
import { collapse, cut, printable, quote, shownValue, visibleText } from "../dom/text.js";
import { isRendered } from "../dom/visibility.js";
import * as shownNames from "../find/shown-names.js";
import { iconHint } from "./element-descriptions.js";

const CAPTIONS = roleTables.set("legend caption figcaption");

/** @typedef {(value: string | number | boolean | undefined) => string} Word */

/** @type {(word: string) => Word} */
const yes = (word) => (value) => (value === true ? ` [${word}]` : value === false ? "" : ` [${word}=${value}]`);
/** @type {(word: string) => Word} */
const both = (word) => (value) => (value === true ? ` [${word}]` : ` [${word}=${value}]`);
/** @type {(word: string) => Word} */
const always = (word) => (value) => ` [${word}=${value}]`;

/** Wordings of states in the order of the line. Every state has one wording; a state that is missing here is not shown. */
const STATES = Object.entries({
  level: always("level"),
  checked: yes("checked"),
  disabled: yes("disabled"),
  expanded: both("expanded"),
  selected: yes("selected"),
  pressed: yes("pressed"),
  required: yes("required"),
  readonly: yes("readonly"),
  invalid: yes("invalid"),
  current: yes("current"),
  modal: yes("modal"),
});

const WORDED = new Set([...STATES.map(([key]) => key), "placeholder"]);
const WORDED_RANGE = new Set([...WORDED, "valuetext", "valuenow"]);

/** Roles of which states are asked even where no attribute hints at one. */
const STATEFUL = new Set([
  "alertdialog",
  "button",
  "checkbox",
  "combobox",
  "dialog",
  "heading",
  "listbox",
  "menuitemcheckbox",
  "menuitemradio",
  "meter",
  "option",
  "progressbar",
  "radio",
  "scrollbar",
  "searchbox",
  "slider",
  "spinbutton",
  "summary",
  "switch",
  "tab",
  "textbox",
  "treeitem",
]);
/** States of the other roles come only from these attributes (or inherited disabling): they are asked where one is there. */
const ARIA_STATES =
  "[aria-selected],[aria-expanded],[aria-current],[aria-disabled],[aria-checked],[aria-pressed]," +
  "[aria-level],[aria-modal],[aria-invalid],[aria-required]";
export const NONE = Object.freeze({ words: "", states: Object.freeze({}) });
const PLAIN_HEADINGS = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, { words: ` [level=${level}]`, states: NONE.states }]),
);
export const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);
const SECRET = new Set(["password", "hidden"]);
/** Fields that take only one way of writing. */
const TYPED = new Set(["date", "time", "month", "week", "datetime-local", "color", "file"]);
const NO_VALUE = new Set(["checkbox", "radio", "submit", "button", "reset", "image", "file"]);

/** @param {States} states */
function isEmpty(states) {
  for (const _ in states) return false;
  return true;
}

/**
 * @param {Element} element
 * @param {string} tag
 * @param {string} role
 * @param {string} name
 * @returns {WordedStates}
 */
export function statesOf(element, tag, role, name) {
  const plain = STATEFUL.has(role) ? (role === "heading" ? PLAIN_HEADINGS[tag] : undefined) : NONE;
  if (plain !== undefined && !(element.hasAttributes() && element.matches(ARIA_STATES))) return plain;
  const states = ariaStates.statesOf(element, role, RANGES.has(role) ? WORDED_RANGE : WORDED);
  if (isEmpty(states) && tag !== "input") return NONE;
  let words = "";
  if (tag === "select") delete states.expanded;
  for (const [key, word] of STATES) if (states[key] !== undefined) words += word(states[key]);
  const placeholder = states.placeholder && collapse(states.placeholder);
  if (placeholder && placeholder !== name) words += ` [placeholder=${quote(printable(placeholder))}]`;
  if (tag === "input" && element instanceof HTMLInputElement && TYPED.has(element.type)) words += ` [type=${element.type}]`;
  return { words, states };
}

/** @param {HTMLInputElement} element */
const inputValue = (element) => {
  const type = element.type;
  if (SECRET.has(type)) return "";
  if (type === "file") return [...(element.files ?? [])].map((file) => file.name).join(", ");
  return NO_VALUE.has(type) ? "" : element.value;
};

/** @param {HTMLSelectElement} element */
const selectValue = (element) => (element.multiple || element.size > 1 ? "" : element.selectedOptions[0]?.label ?? "");

/** @type {ElementRules<string>} */
const VALUES = {
  input: inputValue,
  textarea: (/** @type {HTMLTextAreaElement} */ element) => element.value,
  select: selectValue,
};

/**
 * Value of a field; a secret shows only that it is there, a password field not even that.
 * @param {Element} element
 * @param {string} tag
 * @param {string} role
 * @param {States} states
 * @returns {string}
 */
export function valueOf(element, tag, role, states) {
  const read = VALUES[tag];
  const own = read && (secretValues.withheld(element) || read(element));
  if (own) return secretValues.veiled(element, own, nameOf);
  if (!RANGES.has(role) || tag === "input") return "";
  return String(states.valuetext ?? states.valuenow ?? "");
}

/** [box=x,y,width,height]; the worker shifts it from this frame's viewport to the top one's. @param {Element} element */
export function boxOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return ` [box=\uE002${[x, y, width, height].map(Math.round).join(",")}\uE003]`;
}

/** @param {Element} element */
export function isBoxless(element) {
  const { width, height } = element.getBoundingClientRect();
  return (width === 0 || height === 0) && !element.firstElementChild;
}

const PICTURED = new Set(["cell", "gridcell", "columnheader", "rowheader", "listitem"]);
const LETTER = /\p{L}/u;
const MAX_WORDS = 80;

/** The icon that is all there is in a cell or item. @param {Element} element @param {string} role */
export const pictureOf = (element, role) =>
  PICTURED.has(role) && element.firstElementChild !== null ? iconHint(element) : "";

/**
 * The words that a person reads on an element that is named by its content, where its name is given apart and says
 * something else.
 * @param {Element} element @param {string} name @param {boolean} withText  texts have lines
 */
export function otherwise(element, name, withText) {
  if (!element.hasAttribute("aria-label") && !element.hasAttribute("aria-labelledby")) return "";
  if (withText && element.localName !== "input") return "";
  const text = cut(printable(shownValue(element) || visibleText(element)), MAX_WORDS);
  return !LETTER.test(text) || name.toLowerCase().includes(text.toLowerCase()) ? "" : text;
}

/** @param {Element} element */
export function frameUrl(element) {
  const url = element.getAttribute("src") ?? element.getAttribute("data") ?? "";
  return url && !/^(about|blob|data|javascript):/.test(url) ? ` [url=${cut(printable(url), 100)}]` : "";
}

/** Name of the control that a label is for. @param {HTMLLabelElement} label */
function labelled({ control }) {
  if (!control || !isRendered(control)) return "";
  return shownNames.nameOf(control, roleOf(control));
}

/**
 * Text of an element that is on another line already: that of a label on its control's, of a caption on its box's.
 * @param {Element} element @param {string} tag @param {SnapshotPlace} place
 */
export function coverOf(element, tag, place) {
  if (tag === "label") return labelled(/** @type {HTMLLabelElement} */ (element));
  return CAPTIONS.has(tag) ? place.above?.name ?? "" : "";
}

const MAX_REASON = 160;

/**
 * The message of an invalid field, where the text of the page is not shown.
 * @param {Element} element @param {string} words its states
 */
export function reasonOf(element, words) {
  if (!words.includes("[invalid")) return "";
  const targets = ["aria-errormessage", "aria-describedby"].flatMap((name) => referencedElements(element, name));
  const texts = [...new Set(targets)].filter(isRendered).map((target) => printable(target.textContent ?? "")).filter(Boolean);
  const text = texts.join(" ") || printable(/** @type {HTMLInputElement} */ (element).validationMessage ?? "");
  return text ? ` [message=${quote(cut(text, MAX_REASON))}]` : "";
}
