/** Places in scripts that run, as places in the sources that they were built from. */
import { getOrMake } from "../base/maps.js";
import { isIgnored, sourceContentFor } from "../../vendor/trace-mapping.mjs";
import { webOriginOf } from "../base/url.js";
import { UNTOLD, mayTell } from "../rules/addresses.js";
import { excerptOf, originalOf, scriptOf } from "./mapped-places.js";
import { scriptText } from "./parsed-scripts.js";
import { divided } from "./readable-scripts.js";
import { sourceMapOf } from "./source-maps.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/stack-frames.js").StackFrame} StackFrame */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {import("./parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @typedef {import("../base/protocol-types").StackFrame} ToldFrame */
/** @typedef {import("../base/protocol-types").SourceExcerpt} SourceExcerpt */
/** @typedef {{map: NonNullable<import("./source-maps.js").Loaded["map"]>, source: string, line: number}} Found  line: from 1 */
/** @typedef {{frame: StackFrame, told: ToldFrame, script?: Script, found?: Found}} Placed */

const MAX_ADDRESS = 300;
const MAX_PROBLEMS = 5;

/** @param {{scriptId?: string, session?: string}} script */
const keyOf = ({ scriptId, session }) => `${session} ${scriptId}`;

/** Positions of one call: each map is loaded once, and each problem told once. */
export class Positions {
  /**
   * Positions in the scripts of documents that may be read; those of others have no place.
   * @param {Script[]} scripts @param {KnownDocuments} documents @param {TabCall} call
   */
  static async among(scripts, documents, call) {
    const { readable, barred } = await divided(scripts, documents, call);
    return new Positions(readable, call, { scripts: barred, documents });
  }

  /** @param {Script[]} scripts @param {TabCall} call @param {{scripts: Script[], documents: KnownDocuments}} [barred] */
  constructor(scripts, call, barred) {
    this.scripts = scripts;
    this.barred = barred;
    this.call = call;
    this.home = webOriginOf(call.tab.url ?? "");
    /** @type {Map<Script, ReturnType<typeof sourceMapOf>>} */
    this.maps = new Map();
    /** Address of a script → why its places are not mapped. @type {Map<string, string>} */
    this.problems = new Map();
  }

  /** An address as it is told: without the origin of the page, query and fragment. @param {string} address */
  short(address) {
    const whole = /^(https?|file):/.test(address) ? address.replace(/[?#].*$/s, "") : address;
    const isHere = this.home && whole.startsWith(`${this.home}/`);
    return (isHere ? whole.slice(/** @type {string} */ (this.home).length) : whole).slice(0, MAX_ADDRESS) || "(no address)";
  }

  /** Adds a script: it runs in a document that may be read. @param {{scriptId: string, session: string|undefined}} one */
  allow(one) {
    const shared = this.barred?.scripts.filter((script) => keyOf(script) === keyOf(one)) ?? [];
    this.scripts = [...this.scripts, ...shared];
    if (this.barred) this.barred.scripts = this.barred.scripts.filter((script) => !shared.includes(script));
  }

  /** Whether a frame is of a document that may not be read. @param {StackFrame} frame */
  isBarred(frame) {
    const { barred } = this;
    if (!barred || frame.scriptId === undefined || this.scripts.some((script) => keyOf(script) === keyOf(frame))) return false;
    // The engine lists no scripts that are over.
    return barred.scripts.some((script) => keyOf(script) === keyOf(frame)) || !mayTell(frame.url) ||
      !barred.documents.areReadable(frame.session, this.call);
  }

  /** @param {StackFrame} frame @returns {Promise<Placed>} */
  async place(frame) {
    const { name, url, line, column, after } = frame;
    if (this.isBarred(frame)) return { frame, told: { place: UNTOLD, ...(after && { after }) } };
    const built = `${this.short(url)}:${line + 1}:${column + 1}`;
    /** @type {Placed} */
    const placed = { frame, told: { ...(name && { name }), place: built, ...(after && { after }) } };
    const script = scriptOf(this.scripts, frame);
    if (!script) return placed;
    placed.script = script;
    const { map, problem } = await this.mapOf(script);
    if (!map) return this.unplaced(placed, /** @type {string} */ (problem));
    const found = originalOf(map, script, frame);
    if (!found) return this.unplaced(placed, `its source map has no place for ${line + 1}:${column + 1}`);
    const text = sourceContentFor(map, found.source);
    if (typeof text === "string" && found.line > text.split("\n").length)
      return this.unplaced(placed, "its source map is of another build: it leads beyond the end of a source");
    placed.found = { map, source: found.source, line: found.line };
    const isLibrary = isIgnored(map, found.source) || /\/node_modules\//.test(found.source);
    const place = `${this.short(found.source)}:${found.line}:${found.column}`;
    placed.told = { ...placed.told, place, built, ...(isLibrary && { library: true }) };
    return placed;
  }

  /** @param {Script} script */
  mapOf(script) {
    return getOrMake(this.maps, script, () => sourceMapOf(script, this.call));
  }

  /** @param {Placed} placed @param {string} problem */
  unplaced(placed, problem) {
    if (placed.script?.sourceMapURL) this.problems.set(this.short(placed.script.url), problem);
    return placed;
  }

  /** @returns {string[]} */
  get notes() {
    const told = [...this.problems].map(([script, problem]) => `${script} is not mapped: ${problem}`);
    const more = told.length - MAX_PROBLEMS;
    return more > 0 ? [...told.slice(0, MAX_PROBLEMS), `${more} more scripts are not mapped`] : told;
  }

  /**
   * The lines around a place, from the source in the map; of a script without one, what it has there.
   * @param {Placed} placed
   * @returns {Promise<SourceExcerpt|undefined>}
   */
  async excerpt({ frame, told, script, found }) {
    if (found) {
      const text = sourceContentFor(found.map, found.source);
      return typeof text === "string" ? excerptOf(text, { line: found.line }, this.short(found.source)) : undefined;
    }
    if (!script) return undefined;
    const text = await scriptText(this.call.tab.id, script);
    const isFirst = frame.line === script.startLine;
    const at = { line: frame.line - script.startLine + 1, column: isFirst ? frame.column - script.startColumn : frame.column };
    return excerptOf(text, at, told.place.replace(/:\d+:\d+$/, ""), script.startLine);
  }
}
