/*
 * Keys by DOM events, for when the debugger cannot be had. Synthetic key events run the page's handlers but have none of
 * the browser's own effects, so the usual ones (text, Enter, Tab, deleting, select all) are carried out here.
 */
import { codedError } from "../../base/errors.js";
import { describe, named } from "../../dom/element-summaries.js";
import { composedContains as contains, giveFocus, isPage, shadowRootOf } from "../../dom/flat-tree.js";
import { FRAMES, slotOf } from "../../dom/frames.js";
import { labelledControl } from "../../visibility/hit-testing.js";
import * as refs from "../../find/refs.js";
import * as actStart from "../act-start.js";
import { breathe, deadlineFrom, ready } from "../actionability.js";
import { announceEdit, caretTo, caretToEnd, endEdit, fireInput, isEditable, takesText } from "../edits.js";
import { codeInput, editableWithin, editingHost, putText } from "../filling.js";
import * as keyActions from "./key-actions.js";
import * as sensitiveFields from "../sensitive-fields.js";
import * as stop from "../stop.js";
import { focused, isTabbable, moveByTab } from "./tab-order.js";

const IMPLICIT_SUBMIT = "input:not([type=button], [type=reset], [type=file], [type=hidden], [type=image], [type=submit])";
// https://html.spec.whatwg.org/#implicit-submission: without a submit button, a second field of these prevents it.
const BLOCKS_SUBMIT = "input:not([type=checkbox], [type=radio], [type=button], [type=reset], [type=file], [type=hidden], "
  + "[type=color], [type=range])";
/** Part of a box that a field has which the box is drawn around. */
const FIELD_SHARE = 0.5;
const CLICKED_BY_ENTER = "button, summary, a[href], input:is([type=button], [type=submit], [type=reset], [type=image])";
const CLICKED_BY_SPACE = "button, summary, input:is([type=button], [type=submit], [type=reset], [type=checkbox], [type=radio])";

/** @param {Element} el @param {string} type @param {KeyStroke} stroke @param {string[]} held @param {number} [charCode] */
function fire(el, type, { key, code, keyCode, location }, held, charCode = 0) {
  const event = new KeyboardEvent(type, {
    bubbles: true, cancelable: true, composed: true, view: window, key, code, location, charCode,
    keyCode: charCode || keyCode, which: charCode || keyCode,
    ctrlKey: held.includes("Control"), shiftKey: held.includes("Shift"),
    altKey: held.includes("Alt"), metaKey: held.includes("Meta"),
  });
  return el.dispatchEvent(event);
}

/**
 * Puts text where the caret is, as an edit of the user: `beforeinput` first, then the browser's own editing.
 * @param {Element} el the focused element @param {string} text
 */
const insertText = (el, text) => announceEdit(el, "insertText", text) && document.execCommand("insertText", false, text);

/** @param {HTMLFormElement} form @returns {HTMLButtonElement | undefined} */
function submitOf(form) {
  const controls = /** @type {HTMLButtonElement[]} */ ([...form.elements]);
  return controls.find((el) => el.matches("button:not([type]), [type=submit], [type=image]"));
}

/** Whether keys edit the text of an element. @param {HTMLElement} el */
const isWritten = (el) => isEditable(el) && takesText(el);

/** @param {HTMLElement} el @param {string[]} held modifiers */
function breakLine(el, held) {
  const isPlain = !el.isContentEditable || editingHost(el).contentEditable === "plaintext-only";
  const inputType = isPlain || held.includes("Shift") ? "insertLineBreak" : "insertParagraph";
  return announceEdit(el, inputType) && document.execCommand(inputType);
}

/** @param {HTMLElement} el @param {string[]} held modifiers */
function pressEnter(el, held) {
  if (el.matches(CLICKED_BY_ENTER)) return el.click();
  if ((el.matches("textarea") && isEditable(el)) || el.isContentEditable) return breakLine(el, held);
  if (!el.matches(IMPLICIT_SUBMIT)) return undefined;
  // Chrome announces the line that a field does not take, and submits whatever the page says to that.
  if (isWritten(el)) announceEdit(el, "insertLineBreak");
  endEdit(/** @type {HTMLInputElement} */ (el));
  const { form } = /** @type {HTMLInputElement} */ (el);
  if (!form) return undefined;
  const button = submitOf(form);
  if (button) return button.disabled ? undefined : button.click();
  return [...form.elements].filter((one) => one.matches(BLOCKS_SUBMIT)).length > 1 ? undefined : form.requestSubmit();
}

/** Delete the selection, or one character, as an edit of the user. @param {HTMLElement} el @param {boolean} forward */
function deleteText(el, forward) {
  if (!isWritten(el)) return;
  const isAllowed = announceEdit(el, forward ? "deleteContentForward" : "deleteContentBackward");
  if (isAllowed) document.execCommand(forward ? "forwardDelete" : "delete");
}

/**
 * Deletes the selection, or the word at the caret.
 * @param {HTMLElement} el @param {boolean} forward
 */
function deleteWord(el, forward) {
  const selection = getSelection();
  const inputType = forward ? "deleteWordForward" : "deleteWordBackward";
  if (!isWritten(el) || !announceEdit(el, inputType)) return;
  const { selectionStart: from, selectionEnd: to } = /** @type {HTMLInputElement} */ (el);
  if (el.matches("input, textarea") ? from === to : selection?.isCollapsed) {
    selection?.modify("extend", forward ? "forward" : "backward", "word");
  }
  // The command's own event names the deletion of a selection.
  const instead = new AbortController();
  addEventListener("input", (event) => event.stopImmediatePropagation(), { capture: true, signal: instead.signal });
  const isDone = document.execCommand(forward ? "forwardDelete" : "delete");
  instead.abort();
  if (isDone) fireInput(el, "input", { inputType });
}

/** The way of a Tab that has left this document; the worker follows it. @type {import("./tab-order.js").Way | null} */
let way = null;

/** @type {Record<string, (el: HTMLElement, held: string[]) => unknown>} */
const DEFAULT_ACTIONS = {
  Enter: pressEnter,
  Tab: (_, held) => { way = moveByTab(focused(), held.includes("Shift")); },
  Backspace: (el) => deleteText(el, false),
  Delete: (el) => deleteText(el, true),
};
const DELETES = /^(Backspace|Delete)$/;
const PICKED = ":is([type=date], [type=month], [type=week], [type=time], [type=datetime-local])";
const OPENS = /^(Enter| |F4)$/;
/**
 * Keys whose effect scripts cannot bring about: the control, the keys, their effect, the tool to use instead.
 * @type {Array<[string, RegExp, string, string]>}
 */
const BEYOND = [
  ["select:not([multiple], [size]), select[size='1']:not([multiple])", OPENS, "open its list", "select"],
  [`input${PICKED}`, /^(\w|Arrow\w+|Backspace|Delete)$/, "change a part of its value", "fill"],
  ["input[type=color]", OPENS, "open its picker", "fill"],
  ["input[type=file]", OPENS, "open the file chooser", "upload"],
];

/** @param {Element} el @param {KeyStroke} stroke @returns {Beyond | null} */
function beyond(el, { key }) {
  const found = BEYOND.find(([where, keys]) => el.matches(where) && keys.test(key));
  return found ? { key: key === " " ? "Space" : key, effect: found[2], instead: found[3] } : null;
}

/** @type {Record<string, string>} */
const SHORTCUTS = { a: "selectAll", c: "copy", x: "cut", v: "paste", z: "undo", y: "redo" };

/** @param {HTMLElement} el @param {KeyStroke} stroke @param {string[]} held modifiers */
function runDefault(el, stroke, held) {
  const shortcut = held.some((name) => name === "Control" || name === "Meta") ? SHORTCUTS[stroke.key.toLowerCase()] : null;
  if (shortcut) return document.execCommand(shortcut);
  if (held.includes("Alt") && keyActions.runAccessKey(stroke)) return undefined;
  if (keyActions.run(el, stroke, held)) return undefined;
  if (held.join() === "Control" && DELETES.test(stroke.key)) return deleteWord(el, stroke.key === "Delete");
  if (held.some((name) => name !== "Shift")) return undefined;
  if (DEFAULT_ACTIONS[stroke.key]) return DEFAULT_ACTIONS[stroke.key](el, held);
  if (stroke.text && isWritten(el)) return insertText(el, stroke.text);
  return undefined;
}

/** @typedef {{key: string, effect: string, instead: string}} Beyond what the browser would do for a key, and no script can */

/**
 * A key goes down: keydown, keypress for keys that write, the default action.
 * @param {KeyStroke} key
 * @param {string[]} held modifiers
 * @returns {{goesOn: boolean, lacking: Beyond | null}} goesOn: the page did not keep the key from its default action
 */
function strokeDown(key, held) {
  const el = focused();
  const isSilent = held.some((name) => name !== "Shift") || (key.key === "Enter" && el.matches("a[href], area[href]"));
  const written = isSilent ? undefined : key.text?.codePointAt(0);
  const goesOn = fire(el, "keydown", key, held) && (written === undefined || fire(el, "keypress", key, held, written));
  const lacking = goesOn ? beyond(focused(), key) : null;
  if (goesOn && !lacking) runDefault(focused(), key, held);
  return { goesOn, lacking };
}

/** A key comes up; Space clicks then. @param {KeyStroke} key @param {string[]} held modifiers @param {boolean} goesOn */
function strokeUp(key, held, goesOn) {
  const now = focused();
  const isClicked = fire(now, "keyup", key, held) && goesOn && key.key === " " && now.matches(CLICKED_BY_SPACE);
  if (isClicked) now.click();
}

/** @param {KeyStroke} key @param {string[]} held modifiers @returns {Beyond | null} */
function stroke(key, held) {
  const { goesOn, lacking } = strokeDown(key, held);
  strokeUp(key, held, goesOn);
  return lacking;
}

/** Presses modifiers, and gives what lets them go. @param {KeyStroke[]} modifiers */
function holdDown(modifiers) {
  /** @type {string[]} */
  const held = [];
  for (const modifier of modifiers) {
    held.push(modifier.key);
    fire(focused(), "keydown", modifier, held);
  }
  const letGo = () => {
    for (const modifier of [...modifiers].reverse()) {
      held.pop();
      fire(focused(), "keyup", modifier, held);
    }
  };
  return { held, letGo };
}

/** @param {KeyStroke[]} modifiers @param {KeyStroke} key @returns {Beyond | null} */
function pressHeld(modifiers, key) {
  const { held, letGo } = holdDown(modifiers);
  const lacking = stroke(key, held);
  letGo();
  return lacking;
}

/**
 * Presses a key that stays down for a while, and comes up also at a stop.
 * @param {KeyStroke[]} modifiers @param {KeyStroke} key @param {number} ms
 */
async function pressFor(modifiers, key, ms) {
  const { held, letGo } = holdDown(modifiers);
  const { goesOn, lacking } = strokeDown(key, held);
  try {
    await stop.unless(new Promise((resolve) => { setTimeout(resolve, ms); }));
  } finally {
    strokeUp(key, held, goesOn);
    letGo();
  }
  return lacking;
}

/**
 * Does an act of several steps, and says what the browser would have done for the last key that no script can serve. Steps that
 * are left when a key has led out of the document are for the one that it leads to.
 * @template Step
 * @param {ActStart | undefined} act @param {Step[]} steps @param {(step: Step) => Beyond | null | void} run
 */
async function inSteps(act, steps, run) {
  actStart.begin(act);
  way = null;
  /** @type {Beyond | null} */
  let lacking = null;
  let left = steps.length;
  for (; left > 0 && !way; left -= 1) {
    await stop.step(() => { lacking = run(steps[steps.length - left]) ?? lacking; }, breathe);
  }
  return outcome(lacking, left);
}

/** @param {Beyond | null} lacking @param {number} left steps */
const outcome = (lacking, left) => ({ focus: describe(focused()), lacking, ...(way === null ? {} : { way, left }) });

/** @param {{modifiers: KeyStroke[], stroke: KeyStroke, repeat: number, hold?: number, act?: ActStart}} args  hold: ms */
export const press = async ({ modifiers, stroke: key, repeat, hold = 0, act }) => {
  if (!hold) return inSteps(act, Array(repeat).fill(key), (each) => pressHeld(modifiers, each));
  actStart.begin(act);
  /** @type {Beyond | null} */
  let lacking = null;
  let left = repeat;
  way = null;
  for (; left > 0 && !way; left -= 1) lacking = await pressFor(modifiers, key, hold) ?? lacking;
  return outcome(lacking, left);
};

/** @param {{strokes: Array<{stroke: KeyStroke, shift: boolean} | {insert: string}>, act?: ActStart}} args */
export const typeKeys = ({ strokes, act }) => inSteps(act, strokes, (each) => {
  if (!("insert" in each)) return stroke(each.stroke, each.shift ? ["Shift"] : []);
  return void insertText(focused(), each.insert);
});

/**
 * Puts a text at the caret of a text area at once, which would take minutes by keys.
 * @param {{text: string, act?: ActStart}} args
 */
export const insertAtOnce = ({ text: given, act }) => {
  const el = focused();
  if (!(el instanceof HTMLTextAreaElement) || !isEditable(el)) return { declined: true };
  actStart.begin(act);
  const text = given.replace(/\r\n?/g, "\n");
  const edit = { inputType: "insertText", data: text };
  if (!announceEdit(el, edit.inputType, text)) return {};
  const { selectionStart: from, selectionEnd: to, value } = el;
  putText(el, value.slice(0, from) + text + value.slice(to), edit);
  caretTo(/** @type {HTMLElement & HTMLInputElement} */ (/** @type {unknown} */ (el)), from + text.length);
  return {};
};

/** Whether an element can have the focus itself. @param {HTMLElement} el */
const takesFocus = (el) => el.isContentEditable
  || ((el.tabIndex >= 0 || el.hasAttribute("tabindex")) && !el.matches(":is(a, area):not([href], [tabindex])"));

/** @param {Element} el */
const area = (el) => el.clientWidth * el.clientHeight;

/** Whether a box shows little more than a field in it. @param {HTMLElement} box @param {Element} field */
const isDrawnAround = (box, field) => shadowRootOf(box) !== null || area(field) >= area(box) * FIELD_SHARE;

/**
 * The element that keys for another one are for: itself, a label's control, the field that a box is drawn around. A button or a
 * link in a box is never meant by the box.
 * @param {HTMLElement} el
 */
function keyTargetOf(el) {
  if (takesFocus(el) || isPage(el)) return el;
  const control = labelledControl(el) ?? codeInput(el);
  if (control) return control;
  const inside = editableWithin(el).filter(isTabbable);
  return inside.length === 1 && isDrawnAround(el, inside[0]) ? inside[0] : el;
}

/** The page gets its keys where the focus is in this document, or at its body. */
function focusPage() {
  const had = focused();
  if (FRAMES.has(had.localName)) had.blur();
  if (!document.hasFocus() && window !== window.top) window.focus();
}

/** Gives the focus to an element, or to what has had it in an element that takes none. @param {HTMLElement} el */
function focusTarget(el) {
  const had = focused();
  const host = el.isContentEditable && !isPage(el) ? editingHost(el) : el;
  // An editable page is the active element of its document before it has the focus.
  const isNew = isPage(el) && !document.hasFocus();
  giveFocus(!takesFocus(el) && contains(el, had) ? had : host);
  const now = focused();
  if (host !== el && now === host) return caretToEnd(el);
  if (!contains(el, now)) {
    const message = `${named(el)} does not take the focus. Give the field itself, or click it first`;
    throw codedError("element_not_interactable", message);
  }
  return now !== had || isNew ? caretToEnd(now) : undefined;
}

/**
 * The note on what gets keys instead of the element that was asked for.
 * @param {HTMLElement} asked @param {HTMLElement} now @param {boolean} types whether they write a text
 */
function noteOn(asked, now, types) {
  if (isPage(asked) && isPage(now)) return types && !takesText(now) ? "no field has the focus: the page itself got the keys" : "";
  return now === asked ? "" : `the keys went to ${named(now)}`;
}

/** Refuses a text that would press, follow or tick what has the focus, or get lost. @param {HTMLElement} now */
function assertTakesText(now) {
  if (takesText(now)) return;
  const found = isPage(now) ? "nothing has the focus" : `${named(now)} has the focus and takes no text`;
  const next = "Nothing was typed. Give the selector of a field; body as selector sends the keys to the page itself";
  throw codedError("element_not_interactable", `${found}. ${next}`);
}

/**
 * Reports what has the focus in this document, for keys. `enters`: the document gets the focus, if another one has it.
 * @param {{types: boolean, enters: boolean}} args types: the keys write a text, which must not get lost
 */
export const holder = ({ types, enters }) => {
  if (enters && !document.hasFocus()) window.focus();
  const now = focused();
  const slot = slotOf(now);
  if (slot !== null) return { element: describe(now), slot };
  if (types) assertTakesText(now);
  // An editable page has no caret yet where the focus has only been given to its frame, and would take no text.
  if (now.isContentEditable && !getSelection()?.rangeCount) caretToEnd(now);
  return {};
};

/**
 * Focus an element (no click), with the caret at the end where it had none. The note names what gets the keys instead.
 * @param {{target: TargetArgs, types?: boolean, timeout_ms?: number, allowed?: string[]}} args types: the keys write a text
 */
export const focus = async ({ target, types = false, timeout_ms, allowed }) => {
  const asked = /** @type {HTMLElement} */ (refs.resolve(target.ref));
  const el = keyTargetOf(asked);
  if (isPage(el) && !takesFocus(el)) focusPage();
  else {
    await ready(el, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
    focusTarget(el);
  }
  const now = focused();
  sensitiveFields.assertOpen(now, allowed);
  const slot = slotOf(now);
  if (types && slot === null && !isPage(asked)) assertTakesText(now);
  const note = noteOn(asked, now, types);
  return { element: describe(asked), ...(note && { note }), ...(slot !== null && { slot }) };
};
