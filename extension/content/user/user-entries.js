/*
 * Entries of the person while they have the tab: the worker is told the fields by name, and the typed text, so that it can
 * strike that out of its answers. Snapshots of this document withhold the text for as long as it stands in its field.
 */
globalThis.__tabwire.add("user/user-entries", (tw) => {
const WITHHELD = "[typed by the user]";
const MAX_NAME = 80;
const MAX_TYPED = 4_000;
/** Types of inputs where people choose and do not type: the name alone is told. */
const CHOSEN = new Set(["checkbox", "radio", "file", "range", "color", "submit", "button", "reset", "image", "hidden"]);

/** @type {AbortController | null} */
let listening = null;
let numbers = 0;
/** @type {WeakMap<Element, number>} */
const numberOf = new WeakMap();
/** Text that the person has typed, by field. @type {WeakMap<Element, string>} */
const typed = new WeakMap();

/** @param {EventTarget | null | undefined} target @returns {target is HTMLElement} */
function isField(target) {
  const element = /** @type {HTMLElement | null | undefined} */ (target);
  return ["input", "textarea", "select"].includes(element?.localName ?? "") || Boolean(element?.isContentEditable);
}

/** The window sees only the host of a closed shadow tree. @param {Event} event */
function fieldOf(event) {
  const [first] = event.composedPath();
  if (isField(first)) return first;
  const active = tw.dom.activeElementDeep();
  return isField(active) ? active : null;
}

/** @param {Element} field @returns {string | null} null: it is chosen, not typed */
function textOf(field) {
  const input = /** @type {HTMLInputElement} */ (field);
  const isInput = input.localName === "input";
  if (input.localName === "select" || (isInput && CHOSEN.has(input.type))) return null;
  return String(isInput || input.localName === "textarea" ? input.value : input.innerText).slice(0, MAX_TYPED);
}

/** @param {HTMLElement} field */
function nameOf(field) {
  const { name, id } = /** @type {HTMLInputElement} */ (field);
  return tw.text.cut(tw.text.collapse(tw.names.nameOf(field) || name || id || tw.refs.roleOf(field)), MAX_NAME);
}

/** @param {Event} event */
function note(event) {
  const field = fieldOf(event);
  if (!field) return;
  const name = nameOf(field);
  const isSecret = tw.sensitiveFields.kindOf(field, name) !== null;
  // Password managers dispatch events of their own, which are not trusted.
  if (event.isTrusted || isSecret) keep(field, name, isSecret);
}

/** @param {HTMLElement} field @param {string} name @param {boolean} [isSecret] */
function keep(field, name, isSecret = tw.sensitiveFields.kindOf(field, name) !== null) {
  if (!numberOf.has(field)) numberOf.set(field, (numbers += 1));
  const text = textOf(field);
  if (text !== null) typed.set(field, text);
  tw.tell?.({ tabwireFilled: { field: numberOf.get(field), name, secret: isSecret, text } });
}

/** Notes text that was typed before this script came. */
function noteEarlier() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input, textarea"))) {
    const text = textOf(field);
    if (text && text !== field.defaultValue) keep(field, nameOf(field));
  }
}

/** @param {{isFresh?: boolean}} args isFresh: the person has had the page from its beginning */
tw.commands["person.watch"] = ({ isFresh }) => {
  if (listening) return true;
  if (isFresh) noteEarlier();
  listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const type of ["input", "change"]) addEventListener(type, note, options);
  return true;
};
tw.commands["person.rest"] = () => {
  listening?.abort();
  listening = null;
  return true;
};

/**
 * The text that a snapshot shows in place of a field's value.
 * @param {Element} field
 * @returns {string} "" where the person has typed nothing that still stands there
 */
function withheld(field) {
  const text = typed.get(field);
  return text && text === textOf(field) ? WITHHELD : "";
}

tw.person = { fieldOf, withheld };
});
