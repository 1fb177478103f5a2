/** Places for breakpoints: statements of the scripts that run, found by a line of a source or by a text in it. */
import { getOrMake } from "../base/maps.js";
import { decodedMappings } from "../../vendor/trace-mapping.mjs";
import { invalid } from "../base/errors.js";
import { senderOf } from "../debugger/child-sessions.js";
import { originalOf } from "../sources/mapped-places.js";
import { linesOf, searchable } from "../sources/source-list.js";
import { cutHit, placesOf, tellableLines } from "../sources/source-lines.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../sources/source-list.js").Source} Source */
/**
 * A statement; line and column from 0 in its script; at: its column in the source, from 1
 * @typedef {{line: number, column: number, at: number}} Statement
 */
/** @typedef {{source: Source, line: number, statement: Statement, text: string}} Place  line: from 1, in the source */

/** Lines around the one that was asked for in which a statement is looked for. */
const AROUND = 40;
/** Hits of a text that are tried. */
const MAX_HITS = 20;
const MAX_CANDIDATES = 6;
/** Characters of a line from which on it is a minified one. */
const LONG_LINE = 500;

/** @param {string} source */
const documentOf = (source) => source.replace(/:\d+:\d+$/, "");

/**
 * The sources of a name: whole, or a part of it that only one has.
 * @param {Source[]} all @param {string} name
 */
function sourcesNamed(all, name) {
  const exact = all.filter(({ told: { source, kind } }) => source === name || (kind === "inline" && documentOf(source) === name));
  if (exact.length) return exact;
  const part = all.filter(({ told }) => told.source.includes(name));
  const names = [...new Set(part.map(({ told }) => (told.kind === "inline" ? documentOf(told.source) : told.source)))];
  if (names.length === 1) return part;
  if (names.length)
    throw invalid(`source: ${names.length} sources have this in their address: ${listed(names)}; give one of them`);
  const own = all.map(({ told }) => told.source);
  const base = name.split("/").at(-1) ?? name;
  const isAlike = (/** @type {string} */ one) =>
    one.toLowerCase().includes(base.toLowerCase()) || one.split("/").at(-1)?.slice(0, 4) === base.slice(0, 4);
  const told = listed(own.some(isAlike) ? own.filter(isAlike) : own) || "none";
  throw invalid(`source: the tab has no source ${name}; it has ${told}; call sources for all of them`);
}

/** @param {string[]} names */
const listed = (names) => names.slice(0, MAX_CANDIDATES).join(", ") + (names.length > MAX_CANDIDATES ? ", …" : "");

/**
 * The statement at a line.
 * @param {Source[]} all @param {{source: string, line: number, column?: number}} wanted @param {TabCall} call
 * @returns {Promise<Place>}
 */
export async function placeAtLine(all, { source: name, line, column }, call) {
  const named = sourcesNamed(all, name);
  for (const source of named.toReversed()) {
    const found = await statementsAt(source, line, call);
    if (found.length) return placed(source, line, chosen(found, column), call);
  }
  const near = await nearest(named, line, call);
  const ends = Math.max(...named.map(({ above, told: { lines = 0 } }) => above + lines));
  const why = line > ends ? `it ends at line ${ends}` : `line ${line} holds no statement that runs`;
  throw invalid(`line: ${why}; ${near ? `the nearest line that can hold a breakpoint is ${near}`
    : "sources shows its lines: give one with a statement"}`);
}

/** @param {Source[]} named @param {number} line @param {TabCall} call */
async function nearest(named, line, call) {
  for (let step = 1; step <= AROUND; step += 1) {
    for (const near of [line + step, line - step]) {
      for (const source of named) if (near > 0 && (await statementsAt(source, near, call)).length) return near;
    }
  }
  return undefined;
}

/**
 * The first statement with a text.
 * @param {Source[]} all @param {{text: string, source?: string}} wanted @param {TabCall} call
 * @returns {Promise<Place>}
 */
export async function placeOfText(all, { text, source: name }, call) {
  let hits = 0;
  for (const source of name === undefined ? searchable(all) : sourcesNamed(all, name)) {
    const content = await source.text();
    if (!content?.includes(text)) continue;
    for (const { line, column } of placesOf(tellableLines(content, call.secrets === "shown"), text).slice(0, MAX_HITS)) {
      hits += 1;
      const number = source.above + line + 1;
      const found = await statementsAt(source, number, call);
      const at = column + 1 + (line === 0 ? source.before : 0);
      if (found.length) return placed(source, number, chosen(found, at), call, column);
    }
  }
  throw invalid(hits
    ? "text: it is in no line with a statement that runs; sources with text shows where it is: give source and line"
    : "text: no source of the tab has it; call sources with text or pattern to search them");
}

/** @param {Statement[]} found @param {number} [column] from 1 */
const chosen = (found, column) => (column === undefined ? found[0] : found.findLast(({ at }) => at <= column) ?? found[0]);

/**
 * @param {Source} source @param {number} line @param {Statement} statement @param {TabCall} call @param {number} [column]
 * @returns {Promise<Place>}
 */
async function placed(source, line, statement, call, column = statement.at - 1) {
  const content = (await source.text()) ?? "";
  const text = tellableLines(content, call.secrets === "shown")[line - 1 - source.above] ?? "";
  return { source, line, statement, text: cutHit(text, column) };
}

/** Note on a line that has many statements. @param {Place} place */
export async function noteOn({ source, line, statement }) {
  const content = await source.text();
  const length = content === undefined ? 0 : linesOf(content)[line - 1 - source.above]?.length ?? 0;
  const why = source.told.problem ? `it has no usable source map (${source.told.problem})` : "it has no source map";
  if (length <= LONG_LINE) return [];
  const note = `line ${line} has ${length} characters, and ${why}: the breakpoint is at column ${statement.at}`;
  return [`${note}; text or column chooses another`];
}

/**
 * The statements of a line, as the engine can stop at them.
 * @param {Source} source @param {number} line from 1 @param {TabCall} call
 * @returns {Promise<Statement[]>}
 */
async function statementsAt(source, line, call) {
  const { script, map, address } = source;
  const send = senderOf(call.tab.id, script.session);
  const ask = async (/** @type {number} */ row, /** @type {number} */ from, /** @type {number|undefined} */ to) => {
    const start = { scriptId: script.scriptId, lineNumber: row, columnNumber: from };
    const end = { ...start, ...(to === undefined ? { lineNumber: row + 1, columnNumber: 0 } : { columnNumber: to }) };
    const { locations } = await send("Debugger.getPossibleBreakpoints", { start, end }).catch(() => ({ locations: [] }));
    return locations.map(({ lineNumber, columnNumber = 0 }) => ({ line: lineNumber, column: columnNumber }));
  };
  if (!map) {
    if (line - 1 < script.startLine || line - 1 > script.endLine) return [];
    const found = await ask(line - 1, line - 1 === script.startLine ? script.startColumn : 0, undefined);
    return found.filter((one) => one.line === line - 1).map((one) => ({ ...one, at: one.column + 1 }));
  }
  const rows = rowsOf(map, address).get(line - 1) ?? new Map();
  const found = await Promise.all([...rows].map(([row, { from, to }]) => {
    const shift = row === 0 ? script.startColumn : 0;
    return ask(row + script.startLine, from + shift, to === undefined ? undefined : to + shift);
  }));
  return found.flat().flatMap((one) => {
    const original = originalOf(map, script, { name: "", url: "", ...one });
    return original?.source === address && original.line === line ? [{ ...one, at: original.column }] : [];
  }).sort((one, other) => one.at - other.at || one.line - other.line || one.column - other.column);
}

/**
 * Line of a source → line of the script → its columns there
 * @typedef {Map<number, Map<number, {from: number, to: number|undefined}>>} Rows
 */
/** @type {WeakMap<object, Map<string, Rows>>} */
const known = new WeakMap();

/** @param {NonNullable<Source["map"]>} map @param {string} address @returns {Rows} */
const rowsOf = (map, address) => getOrMake(getOrMake(known, map, () => new Map()), address, () => readRows(map, address));

/** @param {NonNullable<Source["map"]>} map @param {string} address */
function readRows(map, address) {
  /** @type {Rows} */
  const rows = new Map();
  const number = map.resolvedSources.indexOf(address);
  for (const [row, segments] of /** @type {number[][][]} */ (decodedMappings(map)).entries()) {
    for (const [at, segment] of segments.entries()) {
      if (segment.length < 2 || segment[1] !== number) continue;
      const ofLine = getOrMake(rows, segment[2], () => new Map());
      ofLine.set(row, { from: ofLine.get(row)?.from ?? segment[0], to: segments[at + 1]?.[0] });
    }
  }
  return rows;
}
