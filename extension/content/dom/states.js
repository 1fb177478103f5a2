/* States and properties: only those that the role supports and that apply to the element. */
import { cache, cached, composedClosest, composedParent, memo } from "./flat-tree.js";
import * as names from "./names.js";
import { descriptionOf, nameOf, tidy } from "./names.js";
import { record, set } from "./role-tables.js";
import { isFocusable, roleOf } from "./roles.js";
import { isAccessibilityHidden } from "./visibility.js";

const disabledCache = cache();
const disablingCache = cache();
const gridCache = cache();

/** @param {Element} element @param {string} name */
const has = (element, name) => element.hasAttribute(name);
/** @param {Element} element @param {string} name */
const token = (element, name) => element.getAttribute(name)?.trim().toLowerCase() ?? "";
/** @param {Element} element @param {string} name */
const isTrue = (element, name) => token(element, name) === "true";
/** @param {Element} element */
const tag = (element) => element.localName;
/** @param {Element} element @param {Set<string>} types */
const isInput = (element, types) => tag(element) === "input" && types.has(/** @type {HTMLInputElement} */ (element).type);

const CHECK_INPUTS = set("checkbox radio");
const CHECKABLE = set("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");
const CHECKED_BY_DEFAULT = set("checkbox menuitemcheckbox menuitemradio radio switch");
const TWO_STATE = set("radio menuitemradio switch");

/** @param {Element} element @param {string} role */
function checked(element, role) {
  if (isInput(element, CHECK_INPUTS)) {
    const { indeterminate, checked: isOn } = /** @type {HTMLInputElement} */ (element);
    return indeterminate ? "mixed" : isOn;
  }
  if (!CHECKABLE.has(role)) return undefined;
  const value = token(element, "aria-checked");
  if (value === "true") return true;
  if (value === "mixed") return TWO_STATE.has(role) ? false : "mixed";
  return value === "false" || CHECKED_BY_DEFAULT.has(role) ? false : undefined;
}

/** @type {Lookup<boolean | "mixed">} */
const TRISTATE = record({ true: true, false: false, mixed: "mixed" });

/** @param {Element} element */
const pressed = (element) => TRISTATE[token(element, "aria-pressed")];

/** The yes or no of an attribute that knows no "mixed". @param {Element} element @param {string} name */
function flag(element, name) {
  const value = TRISTATE[token(element, name)];
  return value === "mixed" ? undefined : value;
}

const EXPANDABLE = set(`
  application button checkbox columnheader combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row
  rowheader switch tab treeitem summary doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** @param {Element} element */
function popoverOf(element) {
  if (tag(element) !== "button" && tag(element) !== "input") return null;
  const button = /** @type {HTMLButtonElement} */ (element);
  const popover = has(element, "popovertarget") && button.popoverTargetElement;
  if (popover) return popover;
  return has(element, "commandfor") && /popover$/.test(token(element, "command")) ? button.commandForElement : null;
}

/** @param {Element} popover */
const isPopoverOpen = (popover) => has(popover, "popover") && popover.matches(":popover-open");

/** @param {Element} element */
function nativeExpanded(element) {
  if (tag(element) === "summary") return has(/** @type {Element} */ (element.parentElement), "open");
  const select = /** @type {HTMLSelectElement} */ (element);
  if (tag(element) === "select" && !select.multiple && select.size <= 1) return element.matches(":open");
  const popover = popoverOf(element);
  return popover ? isPopoverOpen(popover) : undefined;
}

/** @param {Element} element @param {string} role */
function expanded(element, role) {
  if (!EXPANDABLE.has(role)) return undefined;
  return flag(element, "aria-expanded") ?? nativeExpanded(element) ?? (role === "combobox" ? false : undefined);
}

const SELECTABLE = set("columnheader gridcell option row rowheader tab treeitem");

/** @param {Element} element @param {string} role */
function selected(element, role) {
  if (tag(element) === "option" && role === "option") return /** @type {HTMLOptionElement} */ (element).selected;
  return SELECTABLE.has(role) ? flag(element, "aria-selected") : undefined;
}

// https://w3c.github.io/aria/#aria-disabled applies to descendants that can be operated
const DISABLEABLE = set(`
  application button checkbox columnheader combobox grid gridcell group link listbox menu menubar menuitem
  menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox separator slider spinbutton
  switch tab tablist textbox toolbar tree treegrid treeitem summary`);

/** @param {Element} element */
const isAriaDisabled = (element) => isTrue(element, "aria-disabled");

// Spares the walk up for the many trees without the attribute.
/** @param {ParentNode} root @returns {boolean} */
function mayDisable(root) {
  const { host } = /** @type {ShadowRoot} */ (root);
  return root.querySelector("[aria-disabled]") !== null || Boolean(host && mayDisable(host.getRootNode()));
}

/** @param {Element} element @returns {boolean} */
function isDisabledWithin(element) {
  if (isAriaDisabled(element)) return true;
  const parent = composedParent(element);
  return parent !== null && memo(disabledCache, parent, isDisabledWithin);
}

const NATIVE_DISABLEABLE = set("button fieldset input optgroup option select textarea");
const NATIVE_OR_DISABLEABLE = new Set([...DISABLEABLE, ...NATIVE_DISABLEABLE]);

/** @param {Element} element @param {string} role */
function disabled(element, role) {
  if (NATIVE_DISABLEABLE.has(tag(element)) && element.matches(":disabled")) return true;
  if (token(element, "aria-disabled") !== "") return isAriaDisabled(element) ? true : undefined;
  if (!DISABLEABLE.has(role) || !memo(disablingCache, element.getRootNode(), mayDisable)) return undefined;
  return memo(disabledCache, element, isDisabledWithin) ? true : undefined;
}

const READONLY_ROLES = set(`
  checkbox columnheader combobox grid gridcell listbox menuitemcheckbox menuitemradio radiogroup rowheader searchbox
  slider spinbutton switch textbox treegrid`);
const TEXT_TAGS = set("input textarea");
const CELLS = set("columnheader gridcell rowheader");
const GRIDS = set("grid treegrid");

/** @param {Element | null} element */
const gridOf = (element) => composedClosest(element, (ancestor) => GRIDS.has(roleOf(ancestor)));

/** @param {Element} element @param {string} role */
function readonly(element, role) {
  const input = /** @type {HTMLInputElement} */ (element);
  if (TEXT_TAGS.has(tag(element)) && has(element, "readonly")) return input.readOnly || undefined;
  if (!READONLY_ROLES.has(role)) return undefined;
  const value = token(element, "aria-readonly");
  if (value === "true") return true;
  if (value === "false" || !CELLS.has(role)) return undefined;
  const grid = memo(gridCache, composedParent(element), gridOf);
  return grid && isTrue(grid, "aria-readonly") ? true : undefined;
}

const REQUIRABLE = set(`
  checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree radio
  button`);
const NATIVE_REQUIRABLE = set("input select textarea");

/** @param {Element} element @param {string} role */
function required(element, role) {
  const input = /** @type {HTMLInputElement} */ (element);
  if (NATIVE_REQUIRABLE.has(tag(element)) && has(element, "required") && input.required) return true;
  return REQUIRABLE.has(role) && isTrue(element, "aria-required") ? true : undefined;
}

/** @type {Lookup<string>} */
const INVALID_WORDS = { grammar: "grammar", spelling: "spelling", "": undefined, false: undefined };

/** @param {Element} element */
function invalid(element) {
  if (has(element, "aria-invalid")) {
    const value = token(element, "aria-invalid");
    return value in INVALID_WORDS ? INVALID_WORDS[value] : true;
  }
  return NATIVE_REQUIRABLE.has(tag(element)) && element.matches(":user-invalid") ? true : undefined;
}

const POPUPS = record({ true: "menu", menu: "menu", listbox: "listbox", tree: "tree", grid: "grid", dialog: "dialog" });
/** @param {Element} element @param {string} role */
function haspopup(element, role) {
  const value = token(element, "aria-haspopup");
  if (role === "combobox") return value === "true" ? "true" : value === "false" ? undefined : POPUPS[value] ?? "listbox";
  return POPUPS[value];
}

const LEVELLED = set("heading listitem row treeitem comment");
const HEADING = /^h([1-6])$/;

/** @param {Element} element @param {string} role */
const countAncestors = (element, role) => {
  let level = 1;
  for (let group = composedParent(element); group; group = composedParent(group)) {
    const groupRole = roleOf(group);
    if (groupRole === "group") level += 1;
    if (groupRole === role) break;
  }
  return level;
};

/** @param {Element} element @param {string} role */
function level(element, role) {
  if (!LEVELLED.has(role)) return undefined;
  const own = Number.parseInt(element.getAttribute("aria-level") ?? "", 10);
  if (own > 0) return own;
  if (role === "treeitem") return countAncestors(element, "tree");
  if (role !== "heading") return undefined;
  return Number(HEADING.exec(tag(element))?.[1] ?? 2);
}

const CURRENT = set("page step location date time");

/** @param {Element} element */
function current(element) {
  const value = token(element, "aria-current");
  if (value === "" || value === "false" || value === "undefined") return undefined;
  return CURRENT.has(value) ? value : true;
}

const DIALOGS = set("dialog alertdialog");
/** @param {Element} element */
const isModal = (element) => isTrue(element, "aria-modal") || (tag(element) === "dialog" && element.matches(":modal"));
/** @param {Element} element */
const modal = (element) => isModal(element) || undefined;

const EDITS_TEXT = set("textbox searchbox");
/** @param {Element} element @param {string} role */
function multiline(element, role) {
  if (tag(element) === "textarea") return true;
  if (!EDITS_TEXT.has(role)) return undefined;
  if (has(element, "aria-multiline")) return isTrue(element, "aria-multiline") || undefined;
  const editor = /** @type {HTMLElement} */ (element);
  return role === "textbox" && tag(element) !== "input" && editor.isContentEditable ? true : undefined;
}

const MULTISELECT = set("grid listbox tablist tree treegrid");
/** @param {Element} element */
function multiselectable(element) {
  const select = /** @type {HTMLSelectElement} */ (element);
  return (tag(element) === "select" ? select.multiple : isTrue(element, "aria-multiselectable")) || undefined;
}

// https://w3c.github.io/aria/#aria-orientation
const ORIENTED = set("listbox menu menubar radiogroup scrollbar separator slider tablist toolbar tree treegrid");

/** @param {Element} element @param {string} role */
function orientation(element, role) {
  const value = ORIENTED.has(role) ? token(element, "aria-orientation") : "";
  return value === "vertical" || value === "horizontal" ? value : undefined;
}

const RANGES = set("meter progressbar scrollbar separator slider spinbutton");
const NATIVE_RANGES = set("input meter progress");
/** @param {string | null} text */
function number(text) {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
}

/** @param {Element} element @param {string} role */
const isRange = (element, role) => RANGES.has(role) && (role !== "separator" || isFocusable(element));
// A focusable separator and the sliders have a range even when the author gives none.
const BOUNDED = set("meter progressbar scrollbar separator slider");
const DEFAULT_BOUNDS = { min: 0, max: 100 };

/** @param {Element} element @param {"min" | "max"} side */
function nativeBound(element, side) {
  const own = number(element.getAttribute(side));
  const input = /** @type {HTMLInputElement} */ (element);
  if (tag(element) === "input") return own ?? (input.type === "range" ? DEFAULT_BOUNDS[side] : undefined);
  const range = /** @type {HTMLMeterElement} */ (element);
  if (tag(element) === "progress") return side === "min" ? 0 : range.max;
  return tag(element) === "meter" ? range[side] : undefined;
}

/** @param {Element} element @param {string} role @param {"min" | "max"} side */
function bound(element, role, side) {
  if (!isRange(element, role)) return undefined;
  const own = number(element.getAttribute(`aria-value${side}`));
  if (own !== undefined) return own;
  if (NATIVE_RANGES.has(tag(element))) return nativeBound(element, side);
  return BOUNDED.has(role) ? DEFAULT_BOUNDS[side] : undefined;
}

/** @param {Element} element */
function nativeValue(element) {
  const progress = /** @type {HTMLProgressElement} */ (element);
  if (tag(element) === "progress") return progress.position < 0 ? undefined : progress.value;
  return number(String(progress.value));
}

// https://w3c.github.io/aria/#authorErrorDefaultValuesTable
/** @param {Element} element @param {string} role */
function valuenow(element, role) {
  if (!isRange(element, role)) return undefined;
  if (NATIVE_RANGES.has(tag(element))) return nativeValue(element);
  const own = number(element.getAttribute("aria-valuenow"));
  if (own !== undefined) return own;
  if (role === "spinbutton") return 0;
  if (role === "progressbar" || role === "meter") return undefined;
  const [min = 0, max = 0] = [bound(element, role, "min"), bound(element, role, "max")];
  return min + (max - min) / 2;
}

const VALUED_TEXT = set("textbox searchbox combobox");
const PASSWORD = set("password");

/** @param {Element} element @param {string} role */
function valuetext(element, role) {
  if (isRange(element, role)) return element.getAttribute("aria-valuetext") || undefined;
  if (!VALUED_TEXT.has(role) || isInput(element, PASSWORD)) return undefined;
  return names.valueOf(element, role) || undefined;
}

/** @param {Element} element */
const placeholder = (element) =>
  (TEXT_TAGS.has(tag(element)) && element.getAttribute("placeholder")) || element.getAttribute("aria-placeholder") || undefined;

const SORTS = set("ascending descending other");
/** @type {(name: string, words: Set<string>) => (element: Element) => string | undefined} */
const word = (name, words) => (element) => (words.has(token(element, name)) ? token(element, name) : undefined);
const HEADERS = set("columnheader rowheader");

/** @param {string} name */
const positive = (name) => (/** @type {Element} */ element) => {
  const value = Number.parseInt(element.getAttribute(name) ?? "", 10);
  return value > 0 ? value : undefined;
};

const COUNTED = set("article listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem comment");

/** @param {Element} element */
const roledescription = (element) => tidy(element.getAttribute("aria-roledescription") ?? "") || undefined;
const NAMED_ROLES = { has: (/** @type {string} */ role) => role !== "generic" && role !== "none" };
const ANY_ROLE = { has: () => true };
const NO_ROLE = new Set();
/** @type {(side: "min" | "max") => Rule} */
const range = (side) => ({ roles: RANGES, read: (element, role) => bound(element, role, side) });

// roles and tags: where the state can apply; always: those of them that can have it without an ARIA attribute.
/** @typedef {{has(word: string): boolean}} Words */
/** @typedef {string | number | boolean | undefined} Value */
/** @typedef {{roles: Words, tags?: Words, always?: Words, read(element: Element, role: string): Value | null}} Rule */
/** @type {Record<string, Rule>} */
const RULES = {
  checked: { roles: CHECKABLE, tags: set("input"), always: ANY_ROLE, read: checked },
  pressed: { roles: set("button"), read: pressed },
  expanded: { roles: EXPANDABLE, always: set("button combobox input select summary"), read: expanded },
  selected: { roles: SELECTABLE, always: set("option"), read: selected },
  disabled: { roles: ANY_ROLE, always: NATIVE_OR_DISABLEABLE, read: disabled },
  readonly: { roles: READONLY_ROLES, tags: NATIVE_REQUIRABLE, always: CELLS, read: readonly },
  required: { roles: REQUIRABLE, tags: NATIVE_REQUIRABLE, read: required },
  invalid: { roles: ANY_ROLE, read: invalid },
  haspopup: { roles: ANY_ROLE, always: set("combobox"), read: haspopup },
  level: { roles: LEVELLED, always: set("heading treeitem"), read: level },
  modal: { roles: DIALOGS, always: DIALOGS, read: modal },
  multiline: { roles: EDITS_TEXT, tags: set("textarea"), always: set("textarea textbox"), read: multiline },
  multiselectable: { roles: MULTISELECT, tags: set("select"), read: multiselectable },
  orientation: { roles: ORIENTED, read: orientation },
  valuemin: { ...range("min"), always: ANY_ROLE },
  valuemax: { ...range("max"), always: ANY_ROLE },
  valuenow: { roles: RANGES, always: ANY_ROLE, read: valuenow },
  valuetext: { roles: set([...RANGES, ...VALUED_TEXT].join(" ")), always: ANY_ROLE, read: valuetext },
  placeholder: { roles: VALUED_TEXT, tags: TEXT_TAGS, read: placeholder },
  current: { roles: ANY_ROLE, read: current },
  roledescription: { roles: NAMED_ROLES, read: roledescription },
  busy: { roles: ANY_ROLE, read: (element) => isTrue(element, "aria-busy") || undefined },
  sort: { roles: HEADERS, read: word("aria-sort", SORTS) },
  autocomplete: { roles: VALUED_TEXT, read: word("aria-autocomplete", set("inline list both")) },
  live: { roles: ANY_ROLE, read: word("aria-live", set("polite assertive")) },
  keyshortcuts: { roles: ANY_ROLE, read: (element) => element.getAttribute("aria-keyshortcuts") || undefined },
  posinset: { roles: COUNTED, read: positive("aria-posinset") },
  setsize: { roles: COUNTED, read: positive("aria-setsize") },
};

/** @type {string[]} */
const NO_NAMES = [];
/** States that attributes of a native control say besides ARIA. */
const NATIVE_STATES = set("readonly required invalid multiline multiselectable placeholder");
const EVERY = null;
/** @returns {TraversalCache} one that stays open */
const openCache = () => ({ map: new Map() });
/** Plans by the wanted states, native tag and role. */
const plans = openCache();

/** @param {Set<string> | null} wanted @param {string} native @param {string} role */
function makePlan(wanted, native, role) {
  const possible = Object.entries(RULES).filter(([, rule]) => rule.roles.has(role) || (rule.tags ?? NO_ROLE).has(native));
  const all = possible.filter(([name]) => wanted === EVERY || wanted.has(name));
  /** @param {[string, Rule]} entry */
  const isAlways = ([, { always = NO_ROLE }]) => always.has(role) || always.has(native);
  return { always: all.filter(isAlways), native: all.filter((entry) => isAlways(entry) || NATIVE_STATES.has(entry[0])), all };
}

/** @param {Set<string> | null} wanted @param {string} native @param {string} role */
function planFor(wanted, native, role) {
  const byRole = memo(memo(plans, wanted, openCache), native, openCache);
  return memo(byRole, role, () => makePlan(wanted, native, role));
}

/** @param {string} name */
const isAria = (name) => name.startsWith("aria-");

/**
 * States and properties that apply, by their ARIA name without the prefix; false only where it says something.
 * @param {Element} element
 * @param {string} [role]
 * @param {Set<string> | null} [wanted] only these: a look at a state takes time
 * @returns {States}
 */
export function statesOf(element, role = roleOf(element), wanted = EVERY) {
  const native = NATIVE_DISABLEABLE.has(tag(element)) ? tag(element) : "";
  const plan = planFor(wanted, native, role);
  /** @type {States} */
  const states = {};
  const names = element.hasAttributes() ? element.getAttributeNames() : NO_NAMES;
  for (const [name, rule] of names.some(isAria) ? plan.all : native !== "" && names.length ? plan.native : plan.always) {
    const value = rule.read(element, role);
    if (value !== undefined && value !== null) states[name] = value;
  }
  return states;
}

/** @param {Element} element */
function describeOpen(element) {
  const isHidden = isAccessibilityHidden(element);
  const role = isHidden ? "none" : roleOf(element);
  const description = descriptionOf(element);
  return {
    role,
    name: nameOf(element),
    ...(description ? { description } : {}),
    states: { ...statesOf(element), ...(isHidden ? { hidden: true } : {}) },
  };
}

/**
 * Describes an element as assistive technology would be told about it. A hidden element has no role.
 * @param {Element} element
 * @returns {{role: string, name: string, description?: string, states: States}}
 */
export function describe(element) {
  return cached(() => describeOpen(element));
}
