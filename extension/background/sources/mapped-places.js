/** Places of scripts in the sources they were built from, and the lines there: what needs neither browser nor page. */
import { originalPositionFor } from "../../vendor/trace-mapping.mjs";

/** @typedef {import("../debugger/stack-frames.js").StackFrame} StackFrame */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {import("../base/protocol-types").SourceExcerpt} SourceExcerpt */

/** Lines told before and after the one that is meant. */
const AROUND = 2;
const MAX_LINE = 160;
/** Characters of a long line that are told before and after a place. */
const MAX_BESIDE = 80;

/** Whether a place is in a script. @param {Script} script @param {{line: number, column: number}} place */
export const holds = ({ startLine, startColumn, endLine, endColumn }, { line, column }) =>
  (line > startLine || (line === startLine && column >= startColumn)) &&
  (line < endLine || (line === endLine && column <= endColumn));

/**
 * The script of a frame: by its id where that is known, else the latest one at the address and place. A document has several.
 * @param {Script[]} scripts
 * @param {StackFrame} frame
 * @returns {Script|undefined}
 */
export function scriptOf(scripts, frame) {
  const { scriptId, session, url } = frame;
  return scripts.find((script) => scriptId !== undefined && script.scriptId === scriptId && script.session === session) ??
    scripts.findLast((script) => url !== "" && script.url === url && holds(script, frame));
}

/**
 * The place in a source, by the map of a script; null where the map has none.
 * @param {import("./source-maps.js").TraceMap} map
 * @param {Script} script
 * @param {StackFrame} frame
 */
export function originalOf(map, { startLine, startColumn }, { line, column }) {
  // A script in a document is counted from where it begins there, and its map is not.
  const own = { line: line - startLine + 1, column: Math.max(0, line === startLine ? column - startColumn : column) };
  const { source, line: row, column: at, name } = originalPositionFor(map, own);
  return source && row ? { source, line: row, column: (at ?? 0) + 1, name: name ?? undefined } : null;
}

/**
 * The lines of a text around a place; of a long line, as scripts without a map have, what is beside the place.
 * @param {string} text
 * @param {{line: number, column?: number}} at from 1 and 0
 * @param {string} source what the text is called
 * @param {number} [above] lines of the document before it
 * @returns {SourceExcerpt}
 */
export function excerptOf(text, { line, column }, source, above = 0) {
  const first = Math.max(1, line - AROUND);
  const all = text.split("\n");
  const long = all[line - 1] ?? "";
  if (column !== undefined && long.length > MAX_LINE) {
    const start = Math.max(0, column - MAX_BESIDE);
    const told = `${start ? "…" : ""}${long.slice(start, column)}«here»${long.slice(column, column + MAX_BESIDE)}…`;
    return { source, line: above + line, lines: [{ number: above + line, text: told }] };
  }
  const lines = all.slice(first - 1, line + AROUND);
  const told = lines.map((one, at) => ({ number: above + first + at, text: one.replace(/\r$/, "").slice(0, MAX_LINE) }));
  return { source, line: above + line, lines: told };
}
