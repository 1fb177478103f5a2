/*
 * Replies that fit into one message. A longer message ends the connection over which it comes: the bridge would ask again, get it
 * again, and in the end could not know whether an act was done.
 */
import { TabwireError, toWire } from "../base/errors.js";
import { MAX_FRAME_BYTES, METHODS } from "../base/protocol.js";
import { cutText, exceedsAsJson } from "../base/text.js";

/** @typedef {import("../../types").Outcome} Outcome */

/** Bytes of an outcome; the rest of the message is its number. */
const MAX_BYTES = MAX_FRAME_BYTES - 1000;
/** Characters of each text in an outcome that is cut: the first with which it fits. */
const LENGTHS = [8_000_000, 400_000, 20_000, 1000];

/** Characters of all texts of a JSON value, and some for each of its other values. @param {unknown} value @returns {number} */
function charsOf(value) {
  if (typeof value === "string") return value.length + 3;
  if (value === null || typeof value !== "object") return 8;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + 1 + charsOf(item), 2);
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + 4 + charsOf(member), 2);
}

/** @param {unknown} value */
const isTooLarge = (value) => exceedsAsJson(value, charsOf(value), MAX_BYTES);

/**
 * A copy whose texts have at most so many characters. A file in base64 is bounded where it is read, and would be
 * broken by a cut.
 * @param {unknown} value @param {number} most @returns {any}
 */
function withShortTexts(value, most) {
  if (typeof value === "string") return value.length > most ? cutText(value, most) : value;
  if (Array.isArray(value)) return value.map((item) => withShortTexts(item, most));
  if (value === null || typeof value !== "object") return value;
  const isFile = /** @type {{base64?: unknown}} */ (value).base64 === true;
  return Object.fromEntries(Object.entries(value).map(([name, member]) =>
    [name, isFile && name === "body" ? member : withShortTexts(member, most)]));
}

/**
 * An outcome that fits into a message. That of an act loses the ends of its longest texts, with a mark that says so: it has
 * happened. A read that is too large fails.
 * @param {Outcome} outcome
 * @param {string} method
 * @returns {Outcome}
 */
export function fitToFrame(outcome, method) {
  if (!isTooLarge(outcome)) return outcome;
  if (outcome.type === "success" && METHODS[method].effect === "read") {
    return failed(outcome, "result_too_large", `the result of ${method} is larger than ${MAX_BYTES} bytes; ask for less`);
  }
  for (const most of LENGTHS) {
    const shorter = withShortTexts(outcome, most);
    if (!isTooLarge(shorter)) return shorter;
  }
  return failed(outcome, "unknown_error",
    `${method} was carried out, but what it gave is larger than ${MAX_BYTES} bytes and is lost; take a snapshot`);
}

/** @param {Outcome} outcome @param {string} code @param {string} message @returns {Outcome} */
const failed = ({ about }, code, message) => ({ type: "error", ...toWire(new TabwireError(code, message)), about });
