/* Boxes, lists and focus. */
import { codedError, pageText } from "../base/errors.js";
import { describe, named } from "../dom/element-summaries.js";
import {
  activeElementDeep, composedClosest as closest, composedContains as contains, giveFocus, walkElements,
} from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import { record } from "../dom/role-tables.js";
import { visibleText } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import { labelledControl, meantBy, point } from "../visibility/hit-testing.js";
import * as elementIdentity from "../find/element-identity.js";
import { elementOf, refFor, resolve } from "../find/refs.js";
import * as actStart from "./act-start.js";
import { breathe, deadlineFrom, faceOf, heldElement, holdPlace, isRedrawn, nextChange, ready } from "./actionability.js";
import { needsDebugger } from "./activation.js";
import { described } from "../changes/text-changes.js";
import { fireEdit } from "./edits.js";
import { squeeze } from "./filling.js";
import * as replacement from "./replacement.js";

/** @typedef {{value?: string | string[], label?: string | string[], index?: number | number[]}} Choice one of them */

const SUBMITS = "button:not([type=button], [type=reset]), input[type=submit], input[type=image]";
/** @typedef {"text" | "box" | "radio" | "list" | "files" | "around" | "other"} FieldKind  around: with a box in or around it */

/** Time that a list may take to get others than those it has. */
const OTHERS_MS = 1000;
/** Time that a page may take to show a choice that it has taken back at first. */
const KEPT_MS = 500;
/** Time that a box may take to tell a state that it has not told before. */
const UNTOLD_MS = 300;
const CHECKABLE_ROLES = new Set(["checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"]);

/** @param {Element} el */
function isCheckable(el) {
  return el.matches("input[type=checkbox], input[type=radio]") || CHECKABLE_ROLES.has(el.getAttribute("role") ?? "");
}

/** Some pages tell the state of their boxes as that of a button. @param {Element} el */
const isToggle = (el) => el.hasAttribute("aria-pressed");

/** Box that an element is, labels, stands in or has alone in it. @param {Element} el @returns {Element | null} */
function checkableNear(el) {
  if (isCheckable(el) || isToggle(el)) return el;
  const control = labelledControl(el);
  if (control && isCheckable(control)) return control;
  for (const isOne of [isCheckable, isToggle]) {
    const outer = closest(el, isOne);
    const inside = [...walkElements(el)].filter(isOne);
    if (outer || inside.length === 1) return outer ?? inside[0];
  }
  return null;
}

/** @param {Element} el */
function checkableOf(el) {
  const found = checkableNear(el);
  if (found) return found;
  throw codedError("invalid_element_state", `${named(el)} is not a checkbox, switch, radio or toggle button. Use click`);
}

/** @typedef {boolean | "mixed" | null} Checked  null: the page does not tell */

/** @type {Lookup<boolean | "mixed">} */
const TOLD = record({ true: true, false: false, mixed: "mixed" });

/**
 * @param {Element} el
 * @param {Checked} [before] a page that has told a state and tells none any more means that it is off
 * @returns {Checked}
 */
function checkedOf(el, before = null) {
  const { indeterminate, checked } = /** @type {HTMLInputElement} */ (el);
  if (el.matches("input")) return indeterminate ? "mixed" : checked;
  const state = el.getAttribute("aria-checked") ?? el.getAttribute("aria-pressed");
  return TOLD[state ?? ""] ?? (before === null ? null : false);
}

/** @param {Element} el */
const isRadio = (el) => /** @type {HTMLInputElement} */ (el).type === "radio" || /radio$/.test(el.getAttribute("role") ?? "");

/** @param {{target: TargetArgs, want: boolean}} args */
export const checkState = ({ target, want }) => {
  const el = checkableOf(resolve(target.ref));
  const checked = checkedOf(el);
  if (!want && checked !== false && isRadio(el)) {
    throw codedError("invalid_element_state",
      `${named(el)} is a radio button: it cannot be unchecked. Check another one of its group`);
  }
  return { ref: refFor(el), checked, name: nameOf(el), element: describe(el) };
};

/**
 * Wait, by events, until the box is in the wanted state, or has another name where it tells no state. One between two states
 * has taken its click when it is in either.
 * @param {{target: TargetArgs, want: boolean, before: Checked, name: string, timeout_ms?: number}} args
 */
export const awaitChecked = async ({ target, want, before, name, timeout_ms }) => {
  const el = heldElement(target);
  const isDone = () => {
    const checked = checkedOf(el, before);
    if (checked === null) return nameOf(el) !== name;
    return checked === want || (before === "mixed" && checked !== before);
  };
  const deadline = deadlineFrom(before === null ? Math.min(UNTOLD_MS, timeout_ms ?? UNTOLD_MS) : timeout_ms);
  for (let look = 0; look < 4 && !isDone(); look += 1) await breathe();
  while (!isDone() && el.isConnected && await nextChange(el, null, deadline));
  // Throws once it has left the page: what it shows then tells nothing.
  const now = heldElement(target);
  return { checked: checkedOf(now, before), name: nameOf(now) };
};

/** @param {HTMLOptionElement} option */
const labelOf = (option) => squeeze(option.label || option.text);

/** @param {Element | null | undefined} node @returns {node is HTMLSelectElement} */
const isSelect = (node) => node?.localName === "select";

/** @param {Element} el */
function selectOf(el) {
  const isOption = el.localName === "option" || el.localName === "optgroup";
  const list = meantBy((isOption && el.closest("select")) || el, isSelect);
  if (list) return list;
  throw codedError("invalid_element_state",
    `${named(el)} is not a select element. Click it to open its list, then click the option`);
}

/** @param {HTMLOptionElement[]} options @param {keyof Choice} kind @param {string | number} wanted */
function findOption(options, kind, wanted) {
  if (kind === "index") return options[Number(wanted)];
  const exact = kind === "value" && options.find((option) => option.value === wanted);
  return exact || options.find((option) => labelOf(option) === squeeze(String(wanted)));
}

/**
 * The names in a choice: some clients write a list as a string of JSON, which names no option.
 * @param {HTMLOptionElement[]} options @param {keyof Choice} kind @param {string | number | Array<string | number>} given
 */
function listed(options, kind, given) {
  if (typeof given !== "string" || !/^\s*\[.*\]\s*$/s.test(given) || findOption(options, kind, given)) return given;
  try {
    const names = JSON.parse(given);
    return names.every((/** @type {unknown} */ name) => typeof name === "string") ? names : given;
  } catch {
    return given;
  }
}

/** @param {HTMLSelectElement} list @param {Choice} choice */
function findOptions(list, { value, label, index }) {
  const kind = value !== undefined ? "value" : label !== undefined ? "label" : "index";
  const options = [...list.options];
  const names = [listed(options, kind, value ?? label ?? index ?? [])].flat();
  const found = names.map((name) => findOption(options, kind, name));
  return { found: found.filter((option) => option !== undefined), missing: names.filter((_, at) => !found[at]), kind };
}

/** @param {HTMLSelectElement} list */
const offeredBy = (list) => [...list.options].map(({ value, text }) => `${value} ${text}`).join("\n");

/**
 * Options may still be on their way. A list that has some is waited for less, until it gets others.
 * @param {HTMLSelectElement} list @param {Choice} choice @param {number} deadline
 */
async function awaitOptions(list, choice, deadline) {
  for (let limit = deadline, offered = ""; ;) {
    const wanted = findOptions(list, choice);
    const now = offeredBy(list);
    if (now !== offered) limit = Math.min(deadline, list.length > 1 ? Date.now() + OTHERS_MS : deadline);
    offered = now;
    if (!wanted.missing.length || !await nextChange(list, null, limit)) return wanted;
  }
}

/** @param {HTMLSelectElement} list @param {HTMLOptionElement[]} found */
function assertSelectable(list, found) {
  if (found.length > 1 && !list.multiple) {
    throw codedError("invalid_argument", `${named(list)} takes one option, not ${found.length}`);
  }
  if (!found.length && !list.multiple) {
    throw codedError("invalid_argument", `${named(list)} always has an option: name one. Only a list of several can be emptied`);
  }
  const disabled = found.find((option) => option.disabled || option.closest("optgroup")?.disabled);
  if (disabled) throw codedError("element_not_interactable",
    `the option ${pageText(`"${labelOf(disabled)}"`)} is disabled; choose another one, or wait until the page enables it`);
}

/** @param {TargetArgs} target @param {HTMLSelectElement} list */
function focusList(target, list) {
  holdPlace(target, list);
  // A list that stands behind a widget opens it when focused.
  if (point(list)) giveFocus(list, { preventScroll: true });
  if (!isRedrawn(target, list)) return;
  throw codedError("stale_element_reference",
    `${named(list)} was replaced when it got the focus; take a new snapshot`, { cause: "replaced" });
}

/** @param {HTMLSelectElement} list @param {HTMLOptionElement[]} found */
function setOptions(list, found) {
  const before = [...list.selectedOptions];
  const isSame = before.length === found.length && found.every((option) => option.selected);
  if (isSame) return false;
  if (list.multiple) for (const option of list.options) option.selected = found.includes(option);
  else found[0].selected = true;
  fireEdit(list);
  return true;
}

/** @param {Choice & {target: TargetArgs, timeout_ms?: number, may_decline?: boolean, act?: ActStart}} args */
export const select = async ({ target, timeout_ms, may_decline = false, act, ...choice }) => {
  const list = selectOf(resolve(target.ref));
  const deadline = deadlineFrom(timeout_ms);
  await ready(list, { checks: ["visible", "enabled"], deadline });
  if (may_decline && needsDebugger(list)) return { declined: true };
  // A list may load its options as it gets the focus.
  if (findOptions(list, choice).missing.length) focusList(target, list);
  const wanted = await awaitOptions(list, choice, deadline);
  if (wanted.missing.length) {
    const offered = [...list.options].slice(0, 30).map((option) => `"${labelOf(option)}" (${option.value})`).join(", ");
    const missing = wanted.missing.map((each) => JSON.stringify(each)).join(", ");
    throw codedError("no_such_element",
      `${named(list)} has no option with ${wanted.kind} ${missing}. It has: ${pageText(offered)}`);
  }
  assertSelectable(list, wanted.found);
  actStart.begin(act);
  focusList(target, list);
  const face = faceOf(list);
  const changed = setOptions(list, wanted.found);
  await untilKept(list, wanted.found);
  const chosen = shownChoice(target, list, wanted.found);
  const unseen = face && await unseenChoice(face, wanted.found);
  return { ...chosen, changed, ...(unseen && { note: chosen.note ? `${chosen.note}. ${unseen}` : unseen }) };
};

/**
 * Pages that keep the state of their lists take a choice back first, and show it once they have noted it.
 * @param {HTMLSelectElement} list @param {HTMLOptionElement[]} found
 */
async function untilKept(list, found) {
  const limit = Date.now() + KEPT_MS;
  const isTakenBack = () => list.isConnected && found.some((option) => option.isConnected && !option.selected);
  await breathe();
  while (isTakenBack() && await nextChange(list, null, limit));
}

/**
 * Note where the widget in whose place a list stands does not show the choice.
 * @param {Element} face @param {HTMLOptionElement[]} found
 */
async function unseenChoice(face, found) {
  const limit = Date.now() + KEPT_MS;
  const isShown = () => {
    const text = visibleText(face).toLowerCase();
    return found.every((option) => text.includes(labelOf(option).toLowerCase()));
  };
  while (!isShown() && face.isConnected && await nextChange(face, null, limit));
  return isShown() || !face.isConnected ? "" : `people do not see this list but ${named(face)} in its place, which does not ` +
    "show the choice. Click that, then the option";
}

/** @param {HTMLOptionElement[]} options */
const labelsOf = (options) => pageText(options.map((option) => `"${labelOf(option)}"`).join(", ") || "nothing");

/**
 * The choice as the page shows it in the end, in the list that it has drawn in the place of the first one, where it has.
 * @param {TargetArgs} target @param {HTMLSelectElement} list @param {HTMLOptionElement[]} found
 */
function shownChoice(target, list, found) {
  const shown = list.isConnected ? list : replacement.successor(target);
  if (!isSelect(shown)) return { note: "the page removed the list as the option was chosen. Look at what it made of it" };
  const selected = [...shown.selectedOptions];
  const isKept = found.every((option) => selected.includes(option));
  if (!isKept && found.every((option) => option.isConnected))
    throw codedError("invalid_element_state", `the page did not keep the choice; selected is now ${labelsOf(selected)}`);
  const isLike = isKept || selected.map(labelOf).join("\n") === found.map(labelOf).join("\n");
  const note = isLike ? {} : { note: `the page drew the list anew; selected is now ${labelsOf(selected)}` };
  return { selected: selected.map((option) => option.value), labels: selected.map(labelOf), ...note };
}

/**
 * State of a list or a box after its act, also of one that the page has drawn in its place; none where that is not known.
 * @param {{target: TargetArgs}} args
 */
export const finalState = ({ target }) => {
  const el = elementOf(target.ref) ?? replacement.successor(target);
  const list = el && meantBy(el.closest("select") ?? el, isSelect);
  if (list) {
    const chosen = [...list.selectedOptions];
    return { element: describe(list), selected: chosen.map((option) => option.value), labels: chosen.map(labelOf) };
  }
  return el && checkableNear(el) ? { element: describe(el), checked: checkedOf(el) } : null;
};

/** @param {{target: TargetArgs, timeout_ms?: number, act?: ActStart}} args */
export const focus = async ({ target, timeout_ms, act }) => {
  const el = /** @type {HTMLElement} */ (resolve(target.ref));
  await ready(el, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
  actStart.begin(act);
  const had = new AbortController();
  el.addEventListener("focus", () => had.abort(), { capture: true, signal: had.signal });
  giveFocus(el);
  const wasFocused = had.signal.aborted;
  had.abort();
  if (!contains(el, activeElementDeep())) {
    if (wasFocused) return { element: describe(el), note: "it had the focus, but the page moved it on" };
    throw codedError("element_not_interactable", `${named(el)} cannot take the focus. Focus the field or button itself`);
  }
  return { element: describe(el) };
};

/** @param {Element} el @returns {FieldKind} */
function fieldKindOf(el) {
  const control = el.matches("input, select, textarea, option") ? el : labelledControl(el) ?? el;
  if (control.matches("input[type=file]")) return "files";
  if (control.matches("select, option")) return "list";
  if (isCheckable(control) || isToggle(control)) return isRadio(control) ? "radio" : "box";
  if (control.matches("input, textarea") || /** @type {HTMLElement} */ (control).isContentEditable) return "text";
  return checkableNear(el) ? "around" : "other";
}

/**
 * The kinds of the fields of a form, with what the log is told of each. The error of one that is gone says which it is.
 * @param {{refs: number[]}} args
 */
export const kinds = ({ refs }) => refs.map((ref, at) => {
  try {
    const el = resolve(ref);
    return { kind: fieldKindOf(el), element: describe(el), target: elementIdentity.describe(ref) };
  } catch (thrown) {
    const error = /** @type {Partial<ContentError>} */ (thrown);
    throw codedError(error.code ?? "unknown_error", error.message ?? String(thrown), { ...error.data, at });
  }
});

/**
 * The button that submits the form of a field: the first one that people see, as the Enter key takes it.
 * @param {{target: TargetArgs}} args
 */
export const submitter = ({ target }) => {
  const el = /** @type {HTMLInputElement} */ (resolve(target.ref));
  const form = el.form ?? closest(el, (outer) => outer.localName === "form");
  const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
  // The button is asked for its form, not the form for its buttons: a field may have the name of a property of its form.
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll(SUBMITS));
  const button = form && [...buttons].find((one) => one.form === form && isVisible(one));
  return button ? { ref: refFor(button), name: described(button) } : { enters: el.localName === "input" };
};

/**
 * Choose an option of a closed list, which has no place to click.
 * @param {{target: TargetArgs, timeout_ms?: number, act?: ActStart}} args
 */
export const chooseOption = async ({ target, timeout_ms, act }) => {
  const option = /** @type {HTMLOptionElement} */ (heldElement(target));
  const list = /** @type {HTMLSelectElement} */ (option.closest("select"));
  await ready(list, { checks: ["visible", "enabled"], deadline: deadlineFrom(timeout_ms) });
  assertSelectable(list, [option]);
  actStart.begin(act);
  focusList(target, list);
  setOptions(list, [option]);
  await breathe();
  const selected = [...list.selectedOptions].map((one) => one.value);
  return { element: describe(list), selected, note: "the list is closed: the option was selected without a click" };
};

/**
 * Clicks a box by script, which has no place to press.
 * @param {{target: TargetArgs, timeout_ms?: number, act?: ActStart}} args
 */
export const clickHidden = async ({ target, timeout_ms, act }) => {
  const box = heldElement(target);
  await ready(box, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
  actStart.begin(act);
  box.click();
  return { element: describe(box), note: "its label is all link or button: the box itself was clicked by script" };
};
