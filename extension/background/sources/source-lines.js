/** Lines of sources as they may be told: without secrets, long ones cut around a column, and the places of a text in them. */
import { REDACTED, redact } from "../rules/redaction.js";
import { linesOf } from "./source-list.js";

/** @typedef {{line: number, column: number}} Place both from 0, in the lines of the text */

const MAX_LINE = 200;
/** Characters of a long line that are told before and after a column that was asked for. */
const MAX_BESIDE = 400;
/** A regular expression searches longer lines, as scripts without a map have them, statement by statement. */
const MAX_PIECE = 1_000;

/**
 * Lines without secrets. A secret may be longer than a line: the numbers of the lines stay.
 * @param {string} text @param {boolean} isShown whether secrets are told
 */
export function tellableLines(text, isShown) {
  const all = linesOf(text);
  if (isShown) return all;
  const clean = linesOf(redact(text).value);
  if (clean.length === all.length) return clean;
  const least = Math.min(clean.length, all.length);
  let head = 0;
  while (head < least && clean[head] === all[head]) head += 1;
  let tail = 0;
  while (tail < least - head && clean[clean.length - 1 - tail] === all[all.length - 1 - tail]) tail += 1;
  return all.map((line, at) => (at < head || at >= all.length - tail ? line : REDACTED));
}

/** A line, around a column where it is long. @param {string} line @param {number} [column] from 0 @param {number} [beside] */
export function cutLine(line, column, beside = MAX_BESIDE) {
  if (line.length <= MAX_LINE) return line;
  if (column === undefined) return `${line.slice(0, MAX_LINE)}…`;
  const start = Math.max(0, Math.min(column, line.length) - beside);
  const end = Math.min(line.length, column + beside);
  return `${start ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

/** A hit in a list. @param {string} line @param {number} column */
export const cutHit = (line, column) => cutLine(line, column, MAX_LINE / 2).trim();

/** Places of a text, each time that it occurs. @param {string[]} lines @param {string} text @returns {Place[]} */
export function placesOf(lines, text) {
  return lines.flatMap((content, line) => {
    const found = [];
    for (let column = content.indexOf(text); column >= 0; column = content.indexOf(text, column + text.length))
      found.push({ line, column });
    return found;
  });
}

/**
 * Lines in pieces, for an expression that is tested: long ones end behind statements.
 * @param {string[]} lines @returns {Array<Place & {text: string}>}
 */
export function piecesOf(lines) {
  return lines.flatMap((content, line) => {
    const pieces = [];
    for (let column = 0; column < content.length || column === 0;) {
      const rest = content.slice(column, column + MAX_PIECE);
      const isLast = column + rest.length >= content.length;
      const last = isLast ? -1 : Math.max(...[";", "}", "{", ","].map((end) => rest.lastIndexOf(end)));
      const text = last > 0 ? rest.slice(0, last + 1) : rest;
      pieces.push({ line, column, text });
      column += text.length || 1;
    }
    return pieces;
  });
}
