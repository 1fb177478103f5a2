/*
 * Fields that hold what only their owner should give away: passwords, payment details, one-time codes. Text goes into one of
 * them only when the call says that its owner allows that kind; the question is asked here, where the field is. What they hold
 * goes to the worker alone, with each answer of this document, to be struck out of what leaves the browser.
 */
import { codedError } from "../base/errors.js";
import { worker } from "../base/worker.js";
import * as elementSummaries from "../dom/element-summaries.js";
import * as fields from "../dom/fields.js";
import { activeElementDeep, cached, isPage, rootsUnder } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import { FIELDS, keepSecret, kindOf, valueOf, wasSecret } from "../dom/secret-values.js";
import * as refs from "../find/refs.js";

/** Types of inputs that take no typed text. */
const CHOSEN = new Set(["button", "submit", "reset", "checkbox", "radio", "file", "image", "color", "range"]);
const MAX_VALUES = 100;
/** A code that is typed into a field for each of its digits has at least so many. */
const MIN_DIGITS = 4;

/** Values that fields for secrets have held here → the kind of the field. @type {Map<string, string>} */
const values = new Map();
/**
 * Fields that were looked at → what they held and said of themselves.
 * @type {WeakMap<Element, {said: string, kind: string | null, value: string, type: string}>}
 */
const judged = new WeakMap();
const SAYING = ["autocomplete", "id", "name", "placeholder", "aria-label", "style"];
/**
 * Shadow roots and editable boxes, the number of elements when they were looked for, and when they may be looked for again, ms.
 * @type {{elements: number, roots: ShadowRoot[], boxes: Element[], until: number}}
 */
let known = { elements: 0, roots: [], boxes: [], until: 0 };
/** The look for them in a larger page has at most so much of the time: one of so many parts. */
const LOOK_SHARE = 50;
const MAX_SMALL = 2_000;
/** Text that is being typed into such a field. @type {{field: Element, value: string, kind: string} | null} */
let typing = null;

/** The field an element stands for: itself, a label's control, the one field inside a wrapper. @param {Element|null} element */
function fieldOf(element) {
  if (!element || element.matches(FIELDS)) return element;
  const label = element.closest("label");
  if (label?.control) return label.control;
  const inside = element.querySelectorAll(FIELDS);
  return inside.length === 1 ? inside[0] : element;
}

/** @param {CallArgs} [args] */
const target = (args) => (args?.target?.ref === undefined ? null : fieldOf(refs.elementOf(args.target.ref)));
const focus = () => activeElementDeep();
/** Keys for the page go where the focus is. @param {CallArgs} [args] */
const keyTarget = (args) => {
  const element = args?.target?.ref === undefined ? null : refs.elementOf(args.target.ref);
  return isPage(element) ? focus() : fieldOf(element);
};

/** Commands that put text into a field → the field. @type {Record<string, (args?: CallArgs) => Element | null>} */
const ENTERING = {
  "forms.fill": target,
  "forms.startFill": target,
  "forms.select": target,
  "keyboard.focus": keyTarget,
  "keyboard.press": focus,
  "keyboard.type": focus,
};

/**
 * The reason why text must not go into a field yet; null: it may.
 * @param {Element|null} field @param {string[]} [allowed] kinds that its owner allows
 * @returns {ContentError | null} for the worker
 */
function closed(field, allowed) {
  const kind = kindOf(field, nameOf);
  if (!field || !kind || allowed?.includes(kind)) return null;
  return codedError("sensitive", `${elementSummaries.describe(field)} is a field for ${kind}`,
    { kind, origin: self.origin, address: location.href, name: nameOf(field) });
}

/**
 * The reason why a command must not begin yet; null: it may begin.
 * @param {string} name
 * @param {CallArgs} [args]
 */
export const objection = (name, args) => (Object.hasOwn(ENTERING, name) ? closed(ENTERING[name](args), args?.allowed) : null);

/**
 * Throws where a field that got the focus has become one for a secret by that: the text for it is not given to it.
 * @param {Element} field @param {string[]} [allowed]
 */
export function assertOpen(field, allowed) {
  const against = closed(field, allowed);
  if (against) throw codedError(against.code, against.message, { ...against.data, has_focus: true });
}

/**
 * The focused element, for keys that go there without a look: "frame" stands for something in a frame. A name is given for a
 * field for a secret.
 */
export function focused() {
  const element = focus();
  const kind = /^i?frame$/.test(element?.localName ?? "") ? "frame" : kindOf(element, nameOf);
  return { focus_kind: kind, ...(element && kind && kind !== "frame" && { focus_name: nameOf(element) }) };
}

/** @param {string} value @param {string} kind */
function keep(value, kind) {
  values.delete(value);
  values.set(value, kind);
  for (const [oldest] of values) if (values.size > MAX_VALUES) values.delete(oldest);
}

/**
 * Looks for shadow roots and editable boxes. Elements that are there already become hosts and boxes without a sign, so they are
 * looked for each time, but seldom in a large page. Its size decides: the time of one look says little on a busy machine.
 * @param {Iterable<ShadowRoot>} [seen] all roots, where they were looked for just now
 */
function lookAround(seen) {
  const { length } = document.getElementsByTagName("*");
  const began = performance.now();
  if (seen) known.roots = [...seen];
  if (length === known.elements && began < known.until) return;
  const roots = seen ? known.roots : rootsUnder(document);
  const boxes = [document, ...roots].flatMap((root) => [...root.querySelectorAll("[contenteditable]")]);
  const ended = performance.now();
  known = { elements: length, roots, boxes, until: length > MAX_SMALL ? ended + LOOK_SHARE * (ended - began) : 0 };
}

/** Fields that may hold a text. The browser keeps the lists of elements of a name. @returns {Element[]} */
function typedFields() {
  const inputs = [...document.getElementsByTagName("input"), ...document.getElementsByTagName("textarea")];
  const within = known.roots.flatMap((root) => [...root.querySelectorAll("input, textarea")]);
  return [...inputs, ...within, ...known.boxes].filter((field) => !CHOSEN.has(/** @type {HTMLInputElement} */ (field).type));
}

/**
 * The kind as it was found before: of an ordinary field that holds the same, and of one that says the same of itself.
 * @param {Element} field @param {string} value
 */
function kindAgain(field, value) {
  const earlier = judged.get(field);
  const { type } = /** @type {HTMLInputElement} */ (field);
  if (earlier?.kind === null && earlier.value === value && earlier.type === type) return null;
  const said = [type, field.className, ...SAYING.map((name) => field.getAttribute(name))].join("\n");
  const kind = earlier?.said === said && !wasSecret(field) ? earlier.kind : kindOf(field, nameOf);
  judged.set(field, { said, kind, value, type });
  return kind;
}

/** Looks at what all fields for secrets hold. @param {Iterable<ShadowRoot>} [roots] all of the page, where they are known */
export function look(roots) {
  lookAround(roots);
  cached(() => {
    let digits = "";
    for (const field of typedFields()) {
      const value = valueOf(field);
      const kind = value === "" ? null : kindAgain(field, value);
      if (!kind) continue;
      if ([...value].length === 1) digits += value;
      else keep(value, kind);
    }
    if (digits.length >= MIN_DIGITS) keep(digits, "one_time_code");
  });
}

/** The secrets of this document for the worker, with each answer; undefined where it knows of none. */
export function secrets() {
  if (typing && !typing.field.isConnected) endTyping();
  const all = [...values, ...(typing ? [[typing.value, typing.kind]] : [])];
  return all.length ? { origin: self.origin, values: all } : undefined;
}

/** Looks, and tells the worker at once where there is something new. @param {Iterable<ShadowRoot>} roots all of the page */
export function tellAhead(roots) {
  const had = [...values.keys()].join("\n");
  look(roots);
  if ([...values.keys()].join("\n") !== had) worker.tell?.({ tabwireSecrets: secrets() });
}

/** @param {Event} event */
function noteTyping(event) {
  const field = fields.fieldOf(event);
  if (field !== typing?.field) endTyping();
  if (!field) return;
  const value = valueOf(field);
  // A password that is shown stays one while it is edited.
  if (value !== "") keepSecret(field, value);
  const kind = kindOf(field, nameOf);
  if (kind && value !== "") typing = { field, kind, value };
}

/** Typed text is a value when its field is left, or when Enter may send it. */
function endTyping() {
  if (!typing) return;
  const { value, kind } = typing;
  typing = null;
  keep(value, kind);
  worker.tell?.({ tabwireSecrets: secrets() });
}

/** Follows what is typed into fields for secrets. */
export function listen() {
  /** @type {AddEventListenerOptions} */
  const options = { capture: true, passive: true };
  addEventListener("input", noteTyping, options);
  addEventListener("focusout", endTyping, options);
  addEventListener("submit", endTyping, options);
  addEventListener("keydown", (event) => { if (event.key === "Enter") endTyping(); }, options);
}

/** The answer brings along what was found, as each does. */
export const lookNow = () => {
  look();
  return { origin: self.origin };
};
