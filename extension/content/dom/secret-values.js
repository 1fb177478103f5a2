/*
 * Values that a page shows its user and that go to no client: passwords, payment details, one-time codes, and the text that the
 * user typed while the page was theirs. The caller supplies the names of fields: names hold values of fields themselves.
 */
import { textOf } from "./fields.js";

export const FIELDS = "input, textarea, select, [contenteditable]";
/** Kind → autofill tokens that say so. */
const TOKENS = {
  payment: /(^|\s)cc-[a-z-]+/,
  one_time_code: /(^|\s)one-time-code(\s|$)/,
  password: /(^|\s)(current|new)-password(\s|$)/,
};
/** Kind → names, ids, labels of fields that do not say so to the browser. */
const NAMES = {
  payment:
    /card.?(num|no\b)|credit.?card|debit.?card|(^|[^a-z])(cvv|cvc|csc)2?([^a-z]|$)|security.?code|(^|[^a-z])iban([^a-z]|$)/i,
  one_time_code: /(^|[^a-z])(otp|totp|2fa|mfa)([^a-z]|$)|one.?time.?(code|pass)|verification.?code|passcode/i,
  password: /passw|passphrase|(^|[^a-z])pin([^a-z]|$)/i,
};

/** @param {Record<string, RegExp>} table @param {(shape: RegExp) => boolean} test */
const firstOf = (table, test) => Object.keys(table).find((kind) => test(table[kind])) ?? null;

/** Fields that were for a secret, with their kind and content then. @type {WeakMap<Element, {kind: string, value: string}>} */
const before = new WeakMap();
/** Stand-in for a secret, which shows people only that there is one. */
const VEIL = "••••••";
const WITHHELD = "[typed by the user]";
const MAX_CHARS = 4_000;
/** Text that the user has typed unseen, by field. @type {WeakMap<Element, string>} */
const typed = new WeakMap();

/**
 * The accessible name of a field, where it is known already, or else the function that tells it.
 * @typedef {string | ((field: Element) => string)} Naming
 */

/** @param {Element} field */
export function valueOf(field) {
  const isField = field.localName === "input" || field.localName === "textarea";
  return (isField ? /** @type {HTMLInputElement} */ (field).value : field.textContent ?? "").slice(0, MAX_CHARS);
}

/**
 * Kind of secret that a field is for: its content is never reported, and text goes in only where its owner allows it. One that
 * shows what it held as a password stays one for as long as it holds that.
 * @param {Element|null|undefined} field
 * @param {Naming} name its accessible name, or the function that tells it
 * @returns {string|null} "password", "payment" or "one_time_code"
 */
export function kindOf(field, name) {
  if (!field?.matches?.(FIELDS)) return null;
  const kind = kindNow(field, name);
  const was = before.get(field);
  if (kind) before.set(field, { kind, value: valueOf(field) });
  else if (was?.value && was.value === valueOf(field)) return was.kind;
  return kind;
}

/** @param {Element} field @param {Naming} name @returns {string|null} */
function kindNow(field, name) {
  const autocomplete = (field.getAttribute("autocomplete") ?? "").toLowerCase();
  const said = firstOf(TOKENS, (token) => token.test(autocomplete));
  if (said) return said;
  const isInput = field instanceof HTMLInputElement;
  if (
    isInput &&
    ["button", "submit", "reset", "checkbox", "radio", "file", "image", "color", "range", "search"].includes(field.type)
  )
    return null;
  // Texts that name the field where people and programs look.
  const called = typeof name === "string" ? name : name(field);
  const words = [field.id, field.getAttribute("name"), field.getAttribute("placeholder"), called]
    .filter(Boolean)
    .join("\n");
  const named = firstOf(NAMES, (shape) => shape.test(words));
  if (isInput && field.type === "password") return named ?? "password";
  if (named) return named;
  const veil = getComputedStyle(field).getPropertyValue("-webkit-text-security");
  return veil !== "" && veil !== "none" ? "password" : null;
}

/** Whether a field was for a secret when it was last asked about. @param {Element} field */
export const wasSecret = (field) => before.has(field);

/**
 * A field that was for a secret, and held one, is for that with another content as well.
 * @param {Element} field @param {string} value
 */
export function keepSecret(field, value) {
  const was = before.get(field);
  if (was?.value) before.set(field, { ...was, value });
}

/**
 * The value of a field, or a stand-in when the value is a secret.
 * @param {Element} element
 * @param {string} value
 * @param {Naming} name
 */
export function veiled(element, value, name) {
  const isField = value !== "" && (element.localName === "input" || element.localName === "textarea");
  return isField && kindOf(element, name) ? VEIL : value;
}

/** Notes text that the user has typed while the page was theirs. @param {Element} field @param {string} text */
export const noteTyped = (field, text) => void typed.set(field, text);

/**
 * The text that a snapshot shows in place of a field's value.
 * @param {Element} field
 * @returns {string} "" where the user has typed nothing that is still in it
 */
export function withheld(field) {
  const text = typed.get(field);
  return text && text === textOf(field) ? WITHHELD : "";
}
