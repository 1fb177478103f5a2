/*
 * Texts of others, made fit to be shown to people.
 */

/** Marks and directions that would let a text pose as another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** @param {string} text @param {number} [limit] characters that are kept */
export const visibleText = (text, limit) => text.replace(INVISIBLE, " ").trim().slice(0, limit);

/** The mark at the end of a text that was cut. @param {number} length of the whole text */
const cutMark = (length) => `… (${length.toLocaleString("en-US")} characters)`;

/**
 * The beginning of a text that is too long to be told, with a mark that says so.
 * @param {string} text
 * @param {number} limit characters that are kept
 * @param {number} [length] of the whole text, where this is a part of it
 */
export function cutText(text, limit, length = text.length) {
  const kept = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  // A page's words stand between two marks (`said`), of which the second may be cut off.
  const close = kept.lastIndexOf("\uE010") > kept.lastIndexOf("\uE011") ? "\uE011" : "";
  return `${kept}${close}${cutMark(length)}`;
}

/**
 * A value of a page that has at most so many bytes, as text or as JSON; the beginning of that text of one that has more.
 * @template T
 * @param {T} value JSON
 * @param {number} limit bytes
 * @returns {{value: T|string, cut?: {bytes: number, length: number, kept: number}}} length: characters of the whole text
 */
export function cutValue(value, limit) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return { value };
  const kept = new TextDecoder().decode(bytes.subarray(0, limit)).replace(/\uFFFD$/, "");
  return { value: kept, cut: { bytes: bytes.length, length: text.length, kept: limit } };
}

/** Bytes of the longest escape of one character in JSON. */
const ESCAPE_BYTES = 6;

/**
 * Whether a value has more than so many bytes as JSON. It is measured only where it may have.
 * @param {unknown} value JSON @param {number} chars characters of all its texts @param {number} limit bytes
 */
export const exceedsAsJson = (value, chars, limit) =>
  chars * ESCAPE_BYTES > limit && new TextEncoder().encode(JSON.stringify(value)).length > limit;

/** @param {number} number @param {string} noun whose plural ends in s */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** The hour and minute of a moment, as its person reads them. @param {number} at epoch ms */
export const clockTime = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Name of a client as people read it. @param {{name: string}} client */
export const clientName = ({ name }) => visibleText(name, 60) || "a client without a name";

/** Several notes as one; those that are empty or missing count for nothing. @param {Array<string|null|undefined>} notes */
export const joinNotes = (...notes) => notes.filter(Boolean).join("; ");

/** The place of a fact in the words of an act; several names, separated by slashes, stand for the first fact that is known. */
const FACT = /\{([\w/]+)\}/g;

/**
 * The first of several sentences (`|` between them) whose facts are all known, with those facts.
 * @param {string} sentences
 * @param {(names: string) => string} valueOf "" for what is not known
 * @returns {string|undefined}
 */
export function sentenceOf(sentences, valueOf) {
  const isKnown = (/** @type {string} */ text) => [...text.matchAll(FACT)].every(([, names]) => valueOf(names));
  return sentences.split("|").find(isKnown)?.replace(FACT, (_, names) => valueOf(names));
}
