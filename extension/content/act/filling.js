/* Text into fields: which element takes it, how, and what the field holds afterwards. */
import { codedError, pageText } from "../base/errors.js";
import { describe, named } from "../dom/element-summaries.js";
import { activeElementDeep, composedContains as contains, giveFocus, walkElements } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { labelledControl } from "../visibility/hit-testing.js";
import { isUnseen, UNSEEN } from "../visibility/unseen-controls.js";
import * as refs from "../find/refs.js";
import * as actStart from "./act-start.js";
import { breathe, deadlineFrom, holdPlace, isDisabled, isReadonly, isRedrawn, nextChange, ready } from "./actionability.js";
import { needsDebugger } from "./activation.js";
import { announceEdit, caretToEnd, fireEdit, fireInput } from "./edits.js";
import * as effects from "./effects.js";
import { pressAround } from "./input.js";
import * as sensitiveFields from "./sensitive-fields.js";

/** @typedef {"text" | "value" | "rich" | "code"} Kind */
/**
 * @typedef {{target: TargetArgs, value: string, clear: boolean, force?: boolean, timeout_ms?: number, may_decline?: boolean,
 *   prepares?: boolean, act?: ActStart, allowed?: string[]}} FillArgs
 */
/**
 * @typedef {object} Plan
 * @property {string} before what the field holds
 * @property {string} expected what it holds in the end
 * @property {boolean} isTail whether `expected` is only the end of that
 * @property {string} text what is put in
 * @property {boolean} clear whether that replaces the old text
 */
/** @typedef {Plan & {field: HTMLElement, kind: Kind}} Filling */

const TEXT_TYPES = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
const VALUE_TYPES = new Set(["date", "month", "week", "time", "datetime-local", "color", "range"]);
/** @type {Record<string, string>} */
const OTHER_TOOLS = {
  checkbox: "check or uncheck", radio: "check", file: "upload", submit: "click", button: "click", reset: "click", image: "click",
};
/** Editors that keep their text outside of the DOM: only their own select-all key selects it. */
const CODE_EDITORS = ".CodeMirror, .monaco-editor, .cm-editor, .ace_editor";
/** Code editors that add brackets and indents of their own to what is typed, but not to what is pasted. */
const PASTED_INTO = ".monaco-editor";
const SELECT_ALL = { key: "a", code: "KeyA", keyCode: 65 };
const TO_END = { mac: { key: "ArrowDown", code: "ArrowDown", keyCode: 40 }, other: { key: "End", code: "End", keyCode: 35 } };
/** The end of a key that an input method has taken, with which it writes a text: many pages look at their fields only then. */
const WRITTEN = { bubbles: true, cancelable: true, composed: true, key: "Unidentified", keyCode: 229, which: 229 };
/** A page that is held for longer by what a text has set off, as by a dialog, does not tell of it by itself. */
const HELD_MS = 50;
const [SHOWN_CHARS, DRAWN_MS] = [500, 300];
/** The browser inserts line by line, for a script each with its events, and takes the longer the more there are. */
const MAX_LINES = { trusted: 1000, dom: 100 };
const CODE_INPUT = "textarea, .cm-content, .native-edit-context";
const CODE_LINES = ".CodeMirror-line, .view-line, .cm-line, .ace_line";
const EDITABLE = "input, textarea, [contenteditable]:not([contenteditable=false])";
/** @type {Record<string, string>} */
const FORMATS = {
  date: "2024-02-29", month: "2024-02", week: "2024-W09", time: "13:30", "datetime-local": "2024-02-29T13:30",
  color: "#ff8800", range: "a number within min, max and step",
};

/** Elements in `el` that take a text. @param {Element} el */
export function editableWithin(el) {
  return /** @type {HTMLElement[]} */ ([...walkElements(el)]).filter((node) => node.matches(EDITABLE) && kindOf(node)
    && !(node.isContentEditable && node.parentElement?.isContentEditable));
}

/** The type of an input; that of a textarea or button is its own word. @param {Element} el */
const typeOf = (el) => /** @type {HTMLInputElement} */ (el).type;

/** The element that takes the keys of the code editor around `el`. @param {Element} el */
export const codeInput = (el) => /** @type {HTMLElement | null} */ (el.closest(CODE_EDITORS)?.querySelector(CODE_INPUT) ?? null);

/** A field of a panel in a code editor, such as its search. Monaco has one for input methods. @param {Element} el */
const isPanelField = (el) => el.matches("input, textarea:not([readonly])") && codeInput(el) !== el;

/** @param {HTMLElement} el @returns {Kind | null} */
function kindOf(el) {
  if (el.closest(CODE_EDITORS) && !isPanelField(el)) return "code";
  if (el.matches("textarea")) return "text";
  if (el.matches("input")) return TEXT_TYPES.has(typeOf(el)) ? "text" : VALUE_TYPES.has(typeOf(el)) ? "value" : null;
  return el.isContentEditable ? "rich" : null;
}

/** @param {Element} el */
function notEditable(el) {
  const byKeys = /^(slider|spinbutton|scrollbar)$/.test(el.getAttribute("role") ?? "");
  const other = byKeys ? "press (ArrowRight, ArrowLeft) or drag" : OTHER_TOOLS[typeOf(el)];
  const tool = el.localName === "select" ? "select" : other;
  return codedError("element_not_editable",
    `${named(el)} takes no text. ${tool ? `Use ${tool} instead` : "Give an input, textarea or editable element"}`);
}

/**
 * The field to fill: the element, its label's control, or the one editable element inside it.
 * @param {HTMLElement} el
 * @returns {HTMLElement}
 */
function fieldOf(el) {
  const inner = isPanelField(el) ? null : codeInput(el);
  if (inner) return inner;
  if (kindOf(el)) return editingHost(el);
  if (el.matches("input, select, button")) throw notEditable(el);
  const control = labelledControl(el);
  if (control && kindOf(control)) return control;
  const inside = editableWithin(el);
  if (inside.length === 1) return fieldOf(inside[0]);
  throw notEditable(el);
}

/** @param {HTMLElement} el */
export function editingHost(el) {
  if (!el.isContentEditable) return el;
  let host = el;
  while (host.parentElement?.isContentEditable && !host.hasAttribute("contenteditable")) host = host.parentElement;
  return host;
}

/** @param {string} text */
export function squeeze(text) {
  return text.replace(/[\u200B\uFEFF]/g, "").replace(/\s+/g, " ").trim();
}

/** The text that was written into an editor, without the hints and buttons that it shows inside. @param {HTMLElement} el */
function writtenIn(el) {
  const fixed = /** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll("[contenteditable=false]"));
  const extras = [...fixed].filter((node) => !node.parentElement?.closest("[contenteditable=false]"));
  return extras.reduce((text, extra) => text.replace(extra.innerText, ""), el.innerText);
}

/** @param {HTMLElement} el */
const valueOf = (el) => /** @type {HTMLInputElement} */ (el).value;

/** @param {HTMLElement} el @param {Kind} kind */
function textOf(el, kind) {
  if (kind === "text" || kind === "value") return valueOf(el);
  const editor = kind === "code" ? el.closest(CODE_EDITORS) : null;
  if (!editor) return writtenIn(el);
  return [...editor.querySelectorAll(CODE_LINES)].map((line) => line.textContent).join("\n");
}

/** The text that the field would hold if it took `value` as it is. @param {Element} el @param {string} value */
function expectedIn(el, value) {
  return el.localName === "textarea" ? value.replace(/\r\n?/g, "\n") : value.replace(/[\r\n]/g, "");
}

/** @param {Filling} filled */
function holds({ field, kind, expected, isTail }) {
  const now = textOf(field, kind);
  if (kind === "text") return now === expected;
  // Editors lay text out in blocks; long ones show only a part. Compare the words.
  const [shown, wanted] = [squeeze(now).replace(/ /g, ""), squeeze(expected).replace(/ /g, "")];
  if (shown === wanted || (isTail && shown.endsWith(wanted))) return true;
  return kind === "code" && shown.length > 0 && wanted.startsWith(shown) && shown.length > wanted.length / 4;
}

/** @param {Filling} filled */
function outcome(filled) {
  const { field, kind, expected, before } = filled;
  const value = textOf(field, kind);
  // The content of a field for a secret is not told, not even in its own reply.
  const isHidden = typeOf(field) === "password" || secretValues.kindOf(field, nameOf) !== null;
  const shown = isHidden ? undefined : value;
  if (holds(filled)) return { value: shown };
  if (isDisabled(field)) {
    throw codedError("element_not_interactable",
      `the page disabled ${named(field)} when it got the focus. Take a new snapshot: something has probably opened`);
  }
  const isRefused = value === before || (value === "" && expected !== "");
  const start = value.slice(0, SHOWN_CHARS);
  const held = isHidden ? `${value.length} characters` : JSON.stringify(value.length > SHOWN_CHARS ? `${start}…` : value);
  if (isRefused || kind !== "text") {
    throw codedError("invalid_element_state",
      `${named(field)} did not take the text: it now holds ${pageText(held)}. The text was given once, and is not given in ` +
      "another way by itself. Look at the field, then use type for what is missing", isHidden ? undefined : { value: start });
  }
  return { value: shown, note: `the page changed the text: the field now holds ${pageText(held)}` };
}

/** A value set by script is no edit for the browser: it fires no change when the field is left. @param {Element} el */
export function changeWhenLeft(el) {
  if (!document.hasFocus() || activeElementDeep() !== el) return fireInput(el, "change");
  const done = new AbortController();
  el.addEventListener("change", () => done.abort(), { once: true, signal: done.signal });
  el.addEventListener("blur", () => {
    done.abort();
    fireInput(el, "change");
  }, { once: true, capture: true, signal: done.signal });
  return undefined;
}

/** @param {string} type @param {string} asked @param {string} got */
function sameValue(type, asked, got) {
  if (type === "range") return Number(asked) === Number(got);
  if (type === "color") return asked.toLowerCase() === got;
  return got === asked || (got !== "" && got.startsWith(asked)) || (asked.startsWith(got) && got !== "");
}

/** @param {HTMLInputElement} el @param {string} value */
function unheld(el, value) {
  const message = `${named(el)} (type ${el.type}) cannot hold "${value}". Write it like ${FORMATS[el.type]}`;
  return codedError("invalid_argument", message);
}

/**
 * Sets a range as a drag of its thumb does: many pages take the value only when the pointer lets it go.
 * @param {HTMLInputElement} el @param {string} asked
 */
function setRange(el, asked) {
  const before = el.value;
  el.value = asked;
  const got = el.value;
  el.value = before;
  if (!sameValue(el.type, asked, got)) throw unheld(el, asked);
  if (got === before) return { done: true, value: got };
  pressAround(el, () => {
    el.value = got;
    fireInput(el, "input");
  }, () => fireInput(el, "change"));
  return { done: true, value: el.value };
}

/** @param {HTMLInputElement} el @param {string} value */
function setValue(el, value) {
  const before = el.value;
  const asked = value.trim();
  if (el.type === "range" && Number.isFinite(Number(asked))) return setRange(el, asked);
  el.value = asked;
  if (asked !== "" && !sameValue(el.type, asked, el.value)) {
    el.value = before;
    throw unheld(el, value);
  }
  if (el.value !== before) fireEdit(el);
  return { done: true, value: el.value };
}

/** @param {FillArgs} args */
async function fillTarget({ target, force, timeout_ms }) {
  const field = fieldOf(/** @type {HTMLElement} */ (refs.resolve(target.ref)));
  const kind = /** @type {Kind} */ (kindOf(field));
  /** @type {Check[]} */
  const checks = kind === "code" ? ["enabled"] : ["visible", "enabled", "editable"];
  await ready(field, { checks, force, deadline: deadlineFrom(timeout_ms) });
  return { field, kind };
}

/**
 * Number of lines of a text that the browser would take too long to insert; 0 of another one.
 * @param {Filling} filled @param {boolean} [prepares] whether the debugger inserts it
 */
function linesTooMany({ kind, text }, prepares) {
  const lines = kind === "text" ? text.split("\n").length : 0;
  return lines > (prepares ? MAX_LINES.trusted : MAX_LINES.dom) ? lines : 0;
}

/** @param {number} lines @param {{value?: string, note?: string}} result */
function withLongNote(lines, { note, ...rest }) {
  const why = `the ${lines} lines were set by script at once, because the browser takes too long to insert so many`;
  return { ...rest, note: note ? `${why}. ${note}` : why };
}

/** Types without a caret, such as email and number, have no selection that a script can see. @param {HTMLElement} field */
const hasCaret = (field) => /** @type {HTMLInputElement} */ (field).selectionStart !== null;

/** @param {Filling} filled */
function select({ field, kind, clear }) {
  if (kind === "code") return;
  if (!clear && (kind !== "text" || hasCaret(field))) caretToEnd(field);
  else if (kind === "text") /** @type {HTMLInputElement} */ (field).select();
  else if (kind === "rich") selectRich(field);
}

/**
 * Code editors listen to the key of their own command; where the caret is in the DOM means nothing to them.
 * @param {Filling} filled
 */
function selectByKey({ field, clear }) {
  const isMac = /mac/i.test(navigator.platform);
  const key = clear ? SELECT_ALL : isMac ? TO_END.mac : TO_END.other;
  const held = { ctrlKey: !isMac, metaKey: isMac, which: key.keyCode };
  field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, composed: true, ...key, ...held }));
}

/** @param {HTMLElement} field */
function selectRich(field) {
  document.execCommand("selectAll");
  const selection = getSelection();
  if (selection?.rangeCount && contains(field, selection.anchorNode)) return;
  selection?.selectAllChildren(field);
}

/** @param {HTMLElement} field @param {Kind} kind @param {FillArgs} args @returns {Plan} */
function plan(field, kind, { value, clear }) {
  const before = textOf(field, kind);
  const appends = !clear && before !== "";
  const whole = appends ? before + value : value;
  // Types without a caret (email, number) are refilled with old and new text together.
  const isWhole = appends && kind === "text" && !hasCaret(field);
  const expected = kind === "text" ? expectedIn(field, whole) : whole;
  // A code editor that shows nothing may not have drawn its text yet.
  const isTail = kind === "code" && !clear && !appends;
  return { before, expected, isTail, text: isWhole ? whole : value, clear: clear || isWhole || (!appends && !isTail) };
}

/** @param {Filling} planned */
function assertNumber({ field, kind, expected }) {
  if (kind !== "text" || typeOf(field) !== "number") return;
  if (expected.trim() === "" || Number.isFinite(Number(expected.trim()))) return;
  throw codedError("invalid_argument", `${named(field)} (type number) cannot hold "${expected}". Give a number`);
}

/** @param {HTMLElement} field */
const takesNoTyping = (field) => isDisabled(field) || isReadonly(field) || !field.checkVisibility({ visibilityProperty: true });

/** The value of a field that nobody could type into, set by script. @param {Filling} planned @param {FillArgs} args */
function setForced(planned, { act }) {
  actStart.begin(act);
  setText(planned.field, planned.expected);
  return { done: true, forced: true, ...outcome(planned) };
}

/**
 * Gives the focus to a field, or to the one that the page draws in its place for that.
 * @param {FillArgs} args @param {HTMLElement} field
 * @returns {HTMLElement} that one
 */
function focused({ target, allowed }, field) {
  holdPlace(target, field);
  giveFocus(field, { preventScroll: true });
  const now = isRedrawn(target, field) ? fieldOf(/** @type {HTMLElement} */ (refs.resolve(target.ref))) : field;
  if (now !== field) giveFocus(now, { preventScroll: true });
  sensitiveFields.assertOpen(now, allowed);
  return now;
}

/** The filling that has been started in this document. @type {Filling | null} */
let filling = null;

const started = () => /** @type {Filling} */ (filling);

/**
 * Make the field ready for text from the debugger: focused, its old text selected. Values are set right here.
 * @param {FillArgs} args
 * @returns {Promise<{done?: boolean, value?: string, declined?: boolean, prepared?: boolean, kind?: Kind, text?: string,
 *   by_key?: "select" | "append", is_pasted?: boolean, forced?: boolean, note?: string}>} by_key: how the caret of a code editor
 *   gets where the text goes; is_pasted: whether the text is pasted there; forced: a field that takes no typing was set by script
 */
export async function start(args) {
  const { field, kind } = await fillTarget(args);
  if (kind === "value") {
    actStart.begin(args.act);
    const now = /** @type {HTMLInputElement} */ (focused(args, field));
    return setValue(now, args.value);
  }
  if (args.may_decline && needsDebugger(field)) return { declined: true };
  const planned = { field, kind, ...plan(field, kind, args) };
  assertNumber(planned);
  if (args.force && kind === "text" && takesNoTyping(field)) return setForced(planned, args);
  if (args.prepares) actStart.assertWanted(args.act);
  else actStart.begin(args.act);
  field.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  planned.field = focused(args, field);
  if (!contains(planned.field, activeElementDeep())) {
    throw codedError("element_not_interactable", `${named(planned.field)} does not take the focus. Click it first`);
  }
  select(planned);
  filling = planned;
  const lines = args.prepares ? linesTooMany(planned, true) : 0;
  if (lines) {
    actStart.begin(args.act);
    setText(planned.field, planned.expected);
    return { done: true, ...withLongNote(lines, outcome(planned)) };
  }
  if (args.prepares) awaitWritten();
  // An editor learns of the new selection from an event that comes in a later task.
  if (kind === "rich") await breathe().then(breathe);
  const { before, text, clear } = planned;
  const by_key = kind === "code" ? (clear ? "select" : "append") : undefined;
  const is_pasted = text !== "" && planned.field.closest(PASTED_INTO) !== null && kind === "code";
  return { done: text === "" && before === "" && kind !== "code", prepared: args.prepares, kind, text, by_key, is_pasted };
}

/** Whether the text is there; editors that draw it in the next frame show it a moment later. */
async function comesToHold() {
  const filled = started();
  const deadline = Date.now() + DRAWN_MS;
  for (let look = 0; look < 4 && !holds(filled); look += 1) await breathe();
  while (filled.field.isConnected && !holds(filled) && await nextChange(filled.field, null, deadline));
  return holds(filled);
}

/** Resolves with the time when the key has come up that ends a text from the debugger; with 0 when that is not awaited. */
let written = Promise.resolve(0);
let writing = new AbortController();

/** Begins to wait for that key. */
function awaitWritten() {
  writing.abort();
  const { signal } = writing = new AbortController();
  written = new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(0));
    const seen = (/** @type {KeyboardEvent} */ event) =>
      event.isTrusted && event.key === WRITTEN.key && resolve(performance.now());
    addEventListener("keyup", seen, { capture: true, passive: true, signal });
  });
}

/**
 * Tells the end of a fill as soon as the page has got the key that ends the text; nothing where that does not come, or where
 * the field does not simply hold the text then.
 * @param {{ends: boolean}} args  ends: the act is over then, and what it changed is told as well
 */
export const tellFilled = async ({ ends }) => {
  const filled = filling;
  const seenAt = await written;
  // The listeners of the page come first.
  await breathe();
  if (!seenAt || filling !== filled || performance.now() - seenAt > HELD_MS) return {};
  if (!filled?.field.isConnected || !holds(filled)) return {};
  return { told: await end(), counted: ends ? await effects.counted() : undefined };
};

export async function end() {
  writing.abort();
  const filled = started();
  if (filled.kind !== "text") await comesToHold();
  if (!filled.field.isConnected) return { note: "the field was replaced while it was filled; take a new snapshot" };
  const { note, ...result } = outcome(filled);
  const notes = [note, unseenNote(filled.field)].filter(Boolean).join("; ");
  return { element: describe(filled.field), ...result, ...(notes && { note: notes }) };
}

/** @param {HTMLElement} field */
const unseenNote = (field) => (isUnseen(field) ? `no one can see this field: ${UNSEEN}` : "");

/** Replaces the selection by paste. */
async function pasteText() {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", started().text);
  const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData });
  (activeElementDeep() ?? started().field).dispatchEvent(paste);
  await breathe();
  return {};
}

/**
 * Sets a text by script, with the events of the edit.
 * @param {HTMLElement} field @param {string} expected @param {InputEventInit} edit
 */
export function putText(field, expected, edit) {
  /** @type {HTMLInputElement} */ (field).value = expected;
  fireInput(field, "input", edit);
  changeWhenLeft(field);
}

/** @param {HTMLElement} field @param {string} expected */
function setText(field, expected) {
  const edit = { inputType: "insertReplacementText", data: expected };
  if (fireInput(field, "beforeinput", { ...edit, cancelable: true })) putText(field, expected, edit);
}

/**
 * Edits like a user where the browser can (undo and the native change event are kept), else sets the value. The page learns of
 * the edit once; where it refuses that, or resets the text, nothing else is tried.
 * @param {Filling} filled
 */
function editText(filled) {
  const { field, kind, text, expected } = filled;
  if (linesTooMany(filled)) return setText(field, expected);
  const edit = text === "" ? { inputType: "deleteContentBackward" } : { inputType: "insertText", data: text };
  if (!announceEdit(field, edit.inputType, edit.data)) return undefined;
  const isEdited = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  return isEdited || kind !== "text" ? undefined : putText(field, expected, edit);
}

/** Gives the text to the field that has been made ready, in the one way that is for it. @param {boolean} [isPasted] */
async function giveText(isPasted) {
  // The page may have switched it off when it got the focus.
  if (isDisabled(started().field)) return;
  if (started().kind === "code") selectByKey(started());
  await (isPasted ? breathe().then(pasteText) : editText(started()));
  activeElementDeep()?.dispatchEvent(new KeyboardEvent("keyup", WRITTEN));
  await breathe();
}

/** @param {FillArgs} args */
export const fill = async (args) => {
  const begun = await start(args);
  if (begun.declined) return begun;
  if (begun.forced) return begun;
  if (begun.done) return { value: begun.value ?? "" };
  await giveText(begun.is_pasted);
  const lines = linesTooMany(started());
  return lines ? withLongNote(lines, await end()) : end();
};
/** @param {{act?: ActStart}} args */
export const pasteFill = ({ act }) => {
  actStart.begin(act);
  return pasteText();
};
