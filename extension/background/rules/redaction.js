/** Secrets in values of the page, by the name they are stored under and by their shape (secret-shapes.js). */
import { CARDS, CARD_NUMBER, MASK, NAME, PAIRS, PAIR_HINT, SHAPES, UNMASKED } from "./secret-shapes.js";

/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {{redacted: number}} Count */

export const REDACTED = MASK;

const isSecretName = (/** @type {string} */ name) => NAME.test(name) || NAME.test(name.toLowerCase());

/** Luhn's check, for numbers that an issuer could have given. @param {string} text */
function isCard(text) {
  const digits = text.replace(/\D/g, "");
  if (!CARDS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) || new Set(digits).size < 2)
    return false;
  const sum = Array.from(digits).reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** @param {string} text @param {Count} count */
function redactText(text, count) {
  const hide = (/** @type {string} */ what) => {
    count.redacted += 1;
    return what;
  };
  let clean = text;
  for (const [shape, hints, kept] of SHAPES) {
    if (!hints.some((hint) => clean.includes(hint))) continue;
    clean = clean.replace(shape, (_, /** @type {string} */ word) =>
      hide((kept === "" ? "" : kept.replace("$1", () => word)) + MASK),
    );
  }
  clean = clean.replace(CARD_NUMBER, (/** @type {string} */ found) => (isCard(found) ? hide(MASK) : found));
  if (!PAIR_HINT.test(clean)) return clean;
  for (const pair of PAIRS) clean = redactPairs(clean, pair, hide);
  return clean;
}

/**
 * A value may hold pairs of its own.
 * @param {string} text
 * @param {RegExp} pair
 * @param {(what: string) => string} hide
 * @returns {string}
 */
function redactPairs(text, pair, hide) {
  return text.replace(pair, (match, name, between, quote, value) => {
    if (value === "" || value.startsWith(MASK.slice(0, -1))) return match;
    if (isSecretName(name)) return hide(`${name}${between}${quote}${MASK}`);
    return PAIR_HINT.test(value) ? `${name}${between}${quote}${redactPairs(value, pair, hide)}` : match;
  });
}

/** @param {unknown} value @param {Count} count @returns {unknown} */
function clean(value, count) {
  if (typeof value === "string") return redactText(value, count);
  if (Array.isArray(value)) return value.map((item) => clean(item, count));
  if (value === null || typeof value !== "object") return value;
  const { name: own, key, http_only: isHidden } = /** @type {Record<string, unknown>} */ (value);
  const called = own ?? key;
  const isEntry = typeof called === "string" && (isHidden === true || isSecretName(called));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanMember(name, member, isEntry, count)]));
}

/**
 * @param {string} name @param {unknown} member @param {boolean} isEntry of a store, under a name that says it is a secret
 * @param {Count} count
 * @returns {unknown}
 */
function cleanMember(name, member, isEntry, count) {
  if (typeof member !== "string" || member === "" || !((isEntry && name === "value") || isSecretName(name)))
    return clean(member, count);
  count.redacted += 1;
  return REDACTED;
}

/**
 * A copy of a JSON value without its secrets.
 * @template T
 * @param {T} value
 * @returns {{value: T, redacted: number}} of the same shape: only texts differ
 */
export function redact(value) {
  const count = { redacted: 0 };
  return { value: /** @type {T} */ (clean(value, count)), redacted: count.redacted };
}

/**
 * An outcome without secrets, unless they were asked for, or the method sees to it itself.
 * @param {Outcome} outcome
 * @param {import("../../types").Request} request
 * @returns {Outcome}
 */
export function masked(outcome, { method, secrets }) {
  if (secrets === "shown" || (outcome.type === "success" && UNMASKED.has(method))) return outcome;
  const { about, ...told } = outcome;
  const { value, redacted } = redact(told);
  if (!redacted) return outcome;
  if (value.type === "success") value.result.redacted = redacted + (value.result.redacted ?? 0);
  return { ...value, ...(about && { about }) };
}

/**
 * The text of document.cookie: names stay, every value goes.
 * @param {string} text
 */
export function redactCookies(text) {
  return text.replace(/=[^;]+/g, `=${REDACTED}`);
}
