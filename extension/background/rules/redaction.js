/** Secrets in values of the page, by the name they are stored under and by their shape (secret-shapes.js); overlong texts. */
import { METHODS } from "../base/protocol.js";
import { cutText } from "../base/text.js";
import { CARDS, CARD_NUMBER, MASK, NAME, PAIRS, PAIR_HINT, SHAPES, UNMASKED } from "./secret-shapes.js";

/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {{redacted: number, bound?: number, isShown?: boolean}} Count bound: characters of a text that are told */

export const REDACTED = MASK;

/** Most characters of each text of a failure. */
const MAX_FAILURE = 8000;
/** Read beyond the bound for secrets, so that none is cut in two and its first half told. */
const BEYOND = 2000;

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

/** A text as it may be told. @param {string} text @param {Count} count */
function tellText(text, count) {
  const { bound = Infinity } = count;
  const isLong = text.length > bound;
  const start = isLong ? text.slice(0, bound + BEYOND) : text;
  const clean = count.isShown ? start : redactText(start, count);
  return isLong ? cutText(clean, bound, text.length) : clean;
}

/** @param {unknown} value @param {Count} count @returns {unknown} */
function clean(value, count) {
  if (typeof value === "string") return tellText(value, count);
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
  if (count.isShown || typeof member !== "string" || member === "" || !((isEntry && name === "value") || isSecretName(name)))
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
 * An outcome as it may be told: without secrets, unless they were asked for or the method sees to it itself, and with long texts
 * cut, because an act that has happened must not fail for the length of a title.
 * @param {Outcome} outcome
 * @param {import("../../types").Request} request
 * @returns {Outcome}
 */
export function fitToTell(outcome, { method, secrets }) {
  const isSuccess = outcome.type === "success";
  const bound = isSuccess ? METHODS[method]?.bound : MAX_FAILURE;
  const isShown = secrets !== undefined || (isSuccess && UNMASKED.has(method));
  const { about, ...told } = outcome;
  const count = { redacted: 0, bound, isShown };
  const value = isShown && !bound ? told : /** @type {typeof told} */ (clean(told, count));
  if (count.redacted && value.type === "success") value.result.redacted = count.redacted + (value.result.redacted ?? 0);
  const place = about && { about: clean(about, { redacted: 0, bound: MAX_FAILURE, isShown: true }) };
  return /** @type {Outcome} */ ({ ...value, ...place });
}

/**
 * The text of document.cookie: names stay, every value goes.
 * @param {string} text
 */
export function redactCookies(text) {
  return text.replace(/=[^;]+/g, `=${REDACTED}`);
}
