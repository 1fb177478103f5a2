/*
 * Functions as they are called and where they stand in the sources. The engine counts a function from its parameters or from its
 * first word; source maps have the name that it was written with at its identifier.
 */
import { getOrMake } from "../base/maps.js";
import { traceSegment } from "../../vendor/trace-mapping.mjs";
import { scriptOf } from "./mapped-places.js";
import { scriptText } from "./parsed-scripts.js";

/** @typedef {import("./positions.js").Positions} Positions */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Pick<Protocol.Runtime.CallFrame, "functionName"|"url"|"scriptId"|"lineNumber"|"columnNumber">} Wanted */
/**
 * A function as it is told. source: its file
 * @typedef {{name: string, place?: string, built?: string, library?: boolean, source?: string}} Told
 */

const MAX_NAME = 120;
export const ANONYMOUS = "(anonymous)";
/** Characters before the parameters in which the name is looked for. */
const BEFORE = 60;
const BETWEEN = /^\s*(?:[=:]\s*)?(?:async\s*)?(?:function\s*\*?\s*)?$/;
const WORDS_BEFORE = /^(?:(?:static|async|get|set|function)\b\s*|\*\s*)*/;

/**
 * Column of the identifier of a function; the one that is given where it has none.
 * @param {string} line @param {number} column where the engine counts it from @param {string} name
 */
function identifierColumn(line, column, name) {
  const own = name.split(".").at(-1) ?? "";
  if (!own) return column;
  const words = WORDS_BEFORE.exec(line.slice(column, column + BEFORE))?.[0].length ?? 0;
  if (line.startsWith(own, column + words)) return column + words;
  const start = Math.max(0, column - BEFORE - own.length);
  const before = line.slice(start, column);
  const at = before.lastIndexOf(own);
  return at >= 0 && BETWEEN.test(before.slice(at + own.length)) ? start + at : column;
}

/** Places of functions, for one reply. */
export class FunctionPlaces {
  /** @param {Positions} positions */
  constructor(positions) {
    this.positions = positions;
    /** @type {Map<Script, Promise<string[]>>} */
    this.lines = new Map();
  }

  /** @param {Script} script */
  linesOf(script) {
    return getOrMake(this.lines, script, async () =>
      (await scriptText(this.positions.call.tab.id, script).catch(() => "")).split("\n"));
  }

  /** @param {Wanted} wanted @returns {Promise<Told>} */
  async told({ functionName, url, scriptId, lineNumber, columnNumber }) {
    const name = functionName.slice(0, MAX_NAME);
    // A process numbers its scripts, and the same number may be another script in another one.
    const script = this.positions.scripts.find((one) => one.scriptId === scriptId && one.url === url) ??
      scriptOf(this.positions.scripts, { name, url, line: lineNumber, column: columnNumber });
    const file = this.positions.short(url);
    if (!script)
      return { name: name || ANONYMOUS, ...(url && { place: `${file}:${lineNumber + 1}:${columnNumber + 1}`, source: file }) };
    const row = lineNumber - script.startLine;
    const before = row === 0 ? script.startColumn : 0;
    const line = (await this.linesOf(script))[row] ?? "";
    const column = identifierColumn(line, columnNumber - before, functionName);
    const { scriptId: id, session } = script;
    const frame = { name, url, line: lineNumber, column: column + before, scriptId: id, session };
    const { told: { place, built, library } } = await this.positions.place(frame);
    return {
      name: (await this.writtenName(script, row, column, name)) || ANONYMOUS, place,
      ...(built && { built }), ...(library && { library }), source: place.replace(/:\d+:\d+$/, ""),
    };
  }

  /** @param {Script} script @param {number} row @param {number} column @param {string} name */
  async writtenName(script, row, column, name) {
    const { map } = await this.positions.mapOf(script);
    const segment = map && traceSegment(map, row, column);
    const written = segment?.length === 5 && segment[0] === column ? map?.names[segment[4]] : undefined;
    return typeof written === "string" ? [...name.split(".").slice(0, -1), written.slice(0, MAX_NAME)].join(".") : name;
  }
}
