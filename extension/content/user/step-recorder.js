/*
 * The steps of a person in this document, told to the worker one by one as they happen, so that none is lost when a click leads
 * away. Only trusted input counts, and none that comes while a client acts. Typing is one step for each field: its value replaces
 * the one told before. What is typed into a field for a secret never leaves the page.
 */
import { worker } from "../base/worker.js";
import { fieldOf } from "../dom/fields.js";
import { activeElementDeep, composedClosest, composedContains } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { CONTROLS } from "../visibility/clickable.js";
import { hitAt } from "../visibility/hit-testing.js";
import * as bestLocator from "../find/best-locator.js";
import * as actUnderWay from "../act/act-under-way.js";
import * as picker from "./picker.js";
import { isSecret } from "./recorded-secrets.js";
import * as recorderBar from "./recorder-bar.js";

const MAX_VALUE = 10_000;
const MODIFIERS = /** @type {const} */ ([
  ["Control", "ctrlKey"], ["Shift", "shiftKey"], ["Alt", "altKey"], ["Meta", "metaKey"],
]);
/** Types of inputs whose value is chosen: their change is the step, and no click. */
const CHOSEN = new Set(["checkbox", "radio", "file"]);
const BUTTONS = new Set(["button", "submit", "reset", "image"]);
const NAMED_KEY = /^(Enter|Escape|Tab|Arrow\w+|Home|End|Page\w+|Delete|Backspace|Insert| |F\d+)$/;
/** Keys that only edit, or move the caret in a field: the field's value tells what came of them. */
const EDITING = /^(ArrowLeft|ArrowRight|Home|End|Page\w+|Delete|Backspace|Insert| )$/;
const EDITING_LETTER = /^[acvxyz]$/i;
const LINE = new Set(["insertLineBreak", "insertParagraph"]);

/** @type {AbortController | null} */
let listening = null;
let numbers = 0;
/** @type {WeakMap<Element, number>} */
const numberOf = new WeakMap();
/** Values that were told. @type {WeakMap<Element, string>} */
const told = new WeakMap();
/** @typedef {{element: Element, target: RecordedTarget}} Pressed */
/** Element under the pointer when a button went down, before the page reacts. @type {Pressed | null} */
let pressed = null;
/** Keys of the last steps that were clicks. @type {string[]} */
let clicks = [];
let lastPress = "";

/**
 * A step, with the keys of those that it replaces.
 * @typedef {{key: string, method: string, params?: object, target?: RecordedTarget, variable?: string,
 *   replaces?: string[]}} Told
 */

/** @param {Told} step */
const tell = ({ params = {}, ...step }) => worker.tell?.({ tabwireStep: { ...step, params } });

/** @param {Element} element */
function numberFor(element) {
  const known = numberOf.get(element) ?? (numbers += 1);
  numberOf.set(element, known);
  return known;
}

/** @param {Event} event */
const isPersons = (event) => event.isTrusted && !actUnderWay.isUnderWay() && !picker.takes(event);

/** The window sees only the host of a closed shadow tree. @param {MouseEvent} event */
function innermost(event) {
  const [first] = event.composedPath();
  const hit = hitAt({ x: event.clientX, y: event.clientY });
  const origin = first instanceof Element ? first : document.documentElement;
  return hit && composedContains(origin, hit) ? hit : origin;
}

/** The control that a person means who presses something in it. @param {Element} element */
const meant = (element) => composedClosest(element, (one) => one.matches(CONTROLS)) ?? element;

/** @param {Element} element */
const typeOf = (element) => (element.localName === "input" ? /** @type {HTMLInputElement} */ (element).type : "");

/** @param {Element | null | undefined} element */
function isTyped(element) {
  if (!element) return false;
  if (element.localName === "textarea" || /** @type {HTMLElement} */ (element).isContentEditable) return true;
  return element.localName === "input" && !CHOSEN.has(typeOf(element)) && !BUTTONS.has(typeOf(element));
}

/** The element whose value a step tells: a field, or the host of edited text. @param {Element} element */
function hostOf(element) {
  if (!/** @type {HTMLElement} */ (element).isContentEditable) return element;
  let host = element;
  for (let at = element.parentElement; at?.isContentEditable; at = at.parentElement) host = at;
  return host;
}

/** Whether its own change tells what a click has done. @param {Element} element */
function tellsChange(element) {
  const isControl = element.matches(CONTROLS);
  const control = (isControl ? null : element.closest("label")?.control) ?? element;
  if (control !== element && isTyped(control)) return true;
  return CHOSEN.has(typeOf(control)) || control.localName === "select" || element.localName === "option";
}

/** @param {MouseEvent} event */
function onDown(event) {
  if (!isPersons(event)) return;
  const element = meant(innermost(event));
  pressed = { element, target: bestLocator.describe(element) };
}

/** Element and description of a click: as it was when the button went down. @param {MouseEvent} event */
function clicked(event) {
  const element = meant(innermost(event));
  if (pressed && (pressed.element === element || !pressed.element.isConnected)) return pressed;
  return { element, target: bestLocator.describe(element) };
}

/** @param {MouseEvent | KeyboardEvent} event */
const modifiersOf = (event) => MODIFIERS.filter(([, flag]) => event[flag]).map(([name]) => name);

/** @param {MouseEvent} event */
function onClick(event) {
  // Without a pointer: a key or a label has set it off, which is a step of its own.
  if (!isPersons(event) || event.detail === 0) return;
  const { element, target } = clicked(event);
  if (tellsChange(element)) return;
  const modifiers = modifiersOf(event);
  const button = /** @type {const} */ (["left", "middle", "right"])[event.button];
  const params = { ...(button === "left" ? {} : { button }), ...(modifiers.length && { modifiers }) };
  if (isTyped(element) && button === "left") {
    return void tell({ key: focusKey(hostOf(element)), method: "input.click", params, target });
  }
  const key = `click ${(numbers += 1)}`;
  clicks = [...clicks, key].slice(-2);
  tell({ key, method: "input.click", params, target });
}

/** @param {MouseEvent} event */
function onDoubleClick(event) {
  if (!isPersons(event)) return;
  const { element, target } = clicked(event);
  if (tellsChange(element) || isTyped(element)) return;
  tell({ key: `double ${(numbers += 1)}`, method: "input.dblclick", target, replaces: clicks });
}

/** Key of the click that put the caret into a field. @param {Element} field */
const focusKey = (field) => `focus ${numberFor(field)}`;

/** Name for a secret, which the bridge makes that of an environment variable. @param {Element} field */
function variableOf(field) {
  const { name, id } = /** @type {HTMLInputElement} */ (field);
  const words = name || id || nameOf(field) || secretValues.kindOf(field, nameOf) || "secret";
  const plain = words.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "").toUpperCase();
  return (plain || "SECRET").slice(0, 40);
}

/** @param {Element} field */
function valueOf(field) {
  const { isContentEditable: isText, innerText } = /** @type {HTMLElement} */ (field);
  return (isText ? innerText.replace(/\n$/, "") : /** @type {HTMLInputElement} */ (field).value).slice(0, MAX_VALUE);
}

/** @param {InputEvent | Event} event */
function onInput(event) {
  const found = isPersons(event) && fieldOf(event);
  if (!found) return;
  const field = hostOf(found);
  const isChange = event.type === "change";
  // Its input has told the same before, unless the browser has filled it.
  if (isTyped(field) && isChange && told.get(field) === valueOf(field)) return;
  if (isTyped(field)) tellValue(field, LINE.has(/** @type {InputEvent} */ (event).inputType) ? [lastPress] : []);
  else if (isChange) tellChoice(field);
}

/** @param {Element} field @param {string[]} pressed key of the press of Enter that has only begun a line */
function tellValue(field, pressed) {
  const value = valueOf(field);
  told.set(field, value);
  const isHidden = isSecret(field);
  const target = bestLocator.describe(field);
  const step = { key: `fill ${numberFor(field)}`, method: "forms.fill", target, replaces: [...pressed, focusKey(field)] };
  tell(isHidden ? { ...step, variable: variableOf(field) } : { ...step, params: { value } });
}

/** @param {Element} field */
function tellChoice(field) {
  const key = `choice ${(numbers += 1)}`;
  const target = bestLocator.describe(field);
  if (field instanceof HTMLSelectElement) {
    const values = [...field.selectedOptions].map(({ value }) => value);
    const sent = { key: `select ${numberFor(field)}`, method: "forms.select", target };
    if (isSecret(field)) return void tell({ ...sent, variable: variableOf(field) });
    return void tell({ ...sent, params: { value: field.multiple ? values : values[0] } });
  }
  const input = /** @type {HTMLInputElement} */ (field);
  if (input.type === "file") {
    // A click that opened Chrome's own window is no step: nothing can press anything there.
    const files = [...input.files ?? []].map(({ name }) => name);
    return void tell({ key, method: "input.upload", target, params: { files }, replaces: clicks });
  }
  if (CHOSEN.has(input.type)) tell({ key, method: input.checked ? "forms.check" : "forms.uncheck", target });
}

/**
 * @param {KeyboardEvent} event @param {Element | null} focus
 * @returns {string} the pressed key with what is held; "" where it only edits a value
 */
function combinationOf(event, focus) {
  const { key } = event;
  const held = modifiersOf(event);
  const isShortcut = held.some((name) => name !== "Shift") && !event.getModifierState("AltGraph");
  const isText = isTyped(focus);
  if (key.length === 1 && key !== " ") {
    if (!isShortcut || (isText && EDITING_LETTER.test(key))) return "";
    return [...held, key.toLowerCase()].join("+");
  }
  if (!NAMED_KEY.test(key) || (!isText && focus && tellsChange(focus) && !/^(Enter|Escape|Tab|F\d+)$/.test(key))) return "";
  const isLong = isText && focus?.localName !== "input";
  if (isText && !isShortcut && (EDITING.test(key) || (isLong && /^Arrow/.test(key)))) return "";
  return [...held, key === " " ? "Space" : key].join("+");
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!isPersons(event) || event.isComposing) return;
  const active = activeElementDeep();
  const focus = active === document.body || active === document.documentElement ? null : active;
  const key = combinationOf(event, focus);
  if (!key || /^i?frame$/.test(focus?.localName ?? "")) return;
  const field = focus && hostOf(focus);
  lastPress = `press ${(numbers += 1)}`;
  const where = field ? { target: bestLocator.describe(field), replaces: [focusKey(field)] } : {};
  tell({ key: lastPress, method: "input.press", params: { key }, ...where });
}

/** @param {{hasMark: boolean}} args hasMark: this is the top document */
export const watch = ({ hasMark }) => {
  if (listening) return true;
  listening = new AbortController();
  // It comes first: what is meant for the bar is no step.
  if (hasMark && window === top) listening.signal.addEventListener("abort", recorderBar.show());
  const options = { capture: true, passive: true, signal: listening.signal };
  const listen = (/** @type {string} */ type, /** @type {(event: never) => void} */ listener) =>
    addEventListener(type, /** @type {EventListener} */ (listener), options);
  listen("pointerdown", onDown);
  listen("click", onClick);
  listen("dblclick", onDoubleClick);
  listen("auxclick", onClick);
  listen("input", onInput);
  listen("change", onInput);
  listen("keydown", onKey);
  return true;
};

export const rest = () => {
  listening?.abort();
  listening = null;
  return true;
};
