/** Scripts of a tab and the sources that they were built from, each with the way to its text. */
import { getOrMake } from "../base/maps.js";
import { decodedMappings, isIgnored } from "../../vendor/trace-mapping.mjs";
import { scriptText } from "./parsed-scripts.js";
import { Positions } from "./positions.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {import("./parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @typedef {import("./source-maps.js").TraceMap} TraceMap */
/** @typedef {import("../base/protocol-types").ListedSource} Listed */
/**
 * @typedef {object} Source
 * @property {Listed} told
 * @property {string} address
 * @property {string} key equal for what is told once
 * @property {Script} script that runs it
 * @property {TraceMap} [map] that leads to it
 * @property {number} above lines of the document before it
 * @property {number} before characters before it in its first line
 * @property {() => Promise<string|undefined>} text
 */

const NO_TEXT = "its map has no text of it";
const OTHER_BUILD = "its source map is of another build: it leads beyond the end of a source";
const LIBRARY = /\/node_modules\//;

/** Lines of a text. @param {string} text */
export const linesOf = (text) => text.split(/\r\n|\n|\r/);

/** Whether a script is the page's own and has an address: not one of an extension, nor evaluated. @param {Script} script */
const isOfPage = ({ url, executionContextAuxData: world }) => url !== "" && world?.isDefault !== false;

/**
 * Positions in the scripts of the page that may be read, and a note on the others.
 * @param {Script[]} scripts @param {KnownDocuments} documents @param {TabCall} call
 */
export async function readablePositions(scripts, documents, call) {
  const positions = await Positions.among(scripts.filter(isOfPage), documents, call);
  const barred = positions.barred?.scripts.length ?? 0;
  return { positions, note: barred ? { barred } : {} };
}

/** Maps that were looked at → whether they lead beyond the end of a source. @type {WeakMap<TraceMap, boolean>} */
const judged = new WeakMap();

/**
 * The scripts in the order in which they began, each followed by its sources; one that runs in several frames is told once.
 * @param {Positions} positions
 * @returns {Promise<Source[]>}
 */
export async function sourcesOf(positions) {
  const found = await Promise.all(positions.scripts.map((script) => withOriginals(script, positions)));
  return [...new Map(found.flat().map((source) => [source.key, source])).values()];
}

/** @param {Script} script @param {Positions} positions @returns {Promise<Source[]>} */
async function withOriginals(script, positions) {
  const { startLine: above, startColumn: before, url, endLine, length, hash } = script;
  const isInline = above > 0 || before > 0;
  const name = positions.short(url) + (isInline ? `:${above + 1}:${before + 1}` : "");
  const isText = script.scriptLanguage !== "WebAssembly";
  const { map, problem } = script.sourceMapURL && isText ? await positions.mapOf(script) : {};
  const isOther = map && leadsAstray(map);
  const why = isText ? (isOther ? OTHER_BUILD : problem) : "it is WebAssembly, which has no text";
  /** @type {Listed} */
  const told = {
    source: name, kind: isInline ? "inline" : "script", lines: endLine - above + 1,
    ...(length !== undefined && { chars: length }), ...(why && { problem: why }),
  };
  const text = async () => (isText ? scriptText(positions.call.tab.id, script) : undefined);
  const originals = map && !isOther ? originalsOf(map, name, script, positions) : [];
  return [{ told, address: url, key: `${name} ${hash}`, script, above, before, text }, ...originals];
}

/** @param {TraceMap} map @param {string} built @param {Script} script @param {Positions} positions @returns {Source[]} */
function originalsOf(map, built, script, positions) {
  return map.resolvedSources.flatMap((/** @type {string|null} */ address, /** @type {number} */ at) => {
    if (!address) return [];
    const text = map.sourcesContent?.[at] ?? undefined;
    /** @type {Listed} */
    const told = {
      source: positions.short(address), kind: "original", built,
      ...(text === undefined ? { problem: NO_TEXT } : { lines: linesOf(text).length, chars: text.length }),
      ...((isIgnored(map, address) || LIBRARY.test(address)) && { library: true }),
    };
    return [{ told, address, key: `${address}\n${text ?? ""}`, script, map, above: 0, before: 0, text: async () => text }];
  });
}

/** Whether a map leads beyond the end of one of its sources: then it is not the map of these texts. @param {TraceMap} map */
const leadsAstray = (map) => getOrMake(judged, map, () => {
  const counts = map.resolvedSources.map((/** @type {unknown} */ _, /** @type {number} */ at) => {
    const text = map.sourcesContent?.[at];
    return typeof text === "string" ? linesOf(text).length : Infinity;
  });
  return decodedMappings(map).some((/** @type {number[][]} */ line) =>
    line.some((segment) => segment.length > 1 && segment[2] >= counts[segment[1]]));
});

/**
 * The sources that a search looks into: a script is left to its sources where all of them have their text.
 * @param {Source[]} sources
 */
export function searchable(sources) {
  const originals = Map.groupBy(sources.filter(({ told }) => told.kind === "original"), ({ told }) => told.built);
  return sources.filter(({ told: { kind, source, problem } }) => {
    if (kind === "original") return !problem;
    const own = originals.get(source);
    return !own?.length || own.some(({ told }) => told.problem);
  });
}
