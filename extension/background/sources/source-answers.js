/** Answers about the sources of a tab: the list, the hits of a search, lines of one. */
import { invalid } from "../base/errors.js";
import { readablePositions, searchable, sourcesOf } from "./source-list.js";
import { cutHit, cutLine, piecesOf, placesOf, tellableLines } from "./source-lines.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./source-list.js").Source} Source */
/** @typedef {import("./source-lines.js").Place} Place */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {import("./parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @typedef {import("../base/protocol-types").Params<"sources.sources">} Wanted */
/** @typedef {import("../base/protocol-types").SourceHit} Hit */
/** @typedef {(texts: string[]) => Promise<boolean[]>} Test of a regular expression */
/** @typedef {{expression: RegExp, test: Test}} Searched */

/** Characters that one call searches: secrets are taken out of all of them before. */
const MAX_CHARS = 20_000_000;

/**
 * @param {Wanted} wanted
 * @param {Script[]} scripts
 * @param {KnownDocuments} documents
 * @param {Searched|null} searched the regular expression to search for
 * @param {TabCall} call
 */
export async function answerAbout(wanted, scripts, documents, searched, call) {
  const tabId = call.tab.id;
  const { positions, note } = await readablePositions(scripts, documents, call);
  const { url: part, text, source: named } = wanted;
  const all = (await sourcesOf(positions))
    // Queries are not told, so they are not searched either.
    .filter(({ told, address }) => !part || told.source.includes(part) || address.replace(/[?#].*$/s, "").includes(part));
  if (named !== undefined) return { tabId, ...(await linesOfOne(sourceNamed(all, named, wanted.line), wanted, call)), ...note };
  if (text !== undefined || searched) return { tabId, ...(await hitsIn(all, wanted, searched, call)), ...note };
  return { tabId, ...listOf(all, wanted), ...note };
}

/** A page of the list, and the number of those after it. @param {Source[]} all @param {Wanted} wanted */
function listOf(all, { offset, max_lines: most }) {
  const sources = all.slice(offset, offset + most).map(({ told }) => told);
  const more = all.length - offset - sources.length;
  return { total: all.length, sources, ...(more > 0 && { more }) };
}

/** Address of a document, of a script in it. @param {string} source */
const documentOf = (source) => source.replace(/:\d+:\d+$/, "");

/** @param {Source[]} all @param {string} name @param {number} line */
function sourceNamed(all, name, line) {
  const exact = all.filter(({ told: { source, kind, lines = 0 }, above }) => source === name ||
    // Hits in a document have its own lines.
    (kind === "inline" && documentOf(source) === name && line > above && line <= above + lines));
  const found = exact.length ? exact : all.filter(({ told }) => told.source.includes(name));
  if (found.length === 1 || exact.length) return { source: found[found.length - 1], others: exact.length - 1 };
  throw invalid(found.length
    ? `source: ${found.length} sources have this text in their address; give the whole address, as sources lists it`
    : "source: the tab has no such source (any more); call sources without it for those that there are");
}

/** @param {{source: Source, others: number}} chosen @param {Wanted} wanted @param {TabCall} call */
async function linesOfOne({ source: { told, above, before, text }, others }, { line, column, max_lines: most }, call) {
  const content = await text();
  if (content === undefined)
    throw invalid(`source: ${told.problem}; read the script that it was built into`);
  const lines = tellableLines(content, call.secrets === "shown");
  const first = Math.max(0, line - 1 - above);
  const shown = lines.slice(first, first + most).map((one, at) => {
    const from = first + at === 0 ? before : 0;
    return { number: above + first + at + 1, text: cutLine(one, column && Math.max(0, column - 1 - from)) };
  });
  if (!shown.length)
    throw invalid(`line: the source ends at line ${above + lines.length}; give one up to it`);
  const more = lines.length - first - shown.length;
  const notes = [
    ...(others ? [`${others} other sources have this address; the one that came last is shown`] : []),
    ...(told.problem ? [told.problem] : []),
  ];
  return { source: told.source, total: lines.length, lines: shown, ...(more > 0 && { more }), ...(notes.length && { notes }) };
}

/** @param {Source[]} all @param {Wanted} wanted @param {Searched|null} searched @param {TabCall} call */
async function hitsIn(all, wanted, searched, call) {
  const sources = searchable(all);
  /** @type {Hit[]} */
  const hits = [];
  let left = MAX_CHARS;
  let count = 0;
  let total = 0;
  // One after the other: texts of large pages are not held all at once.
  for (const source of sources) {
    call.signal.throwIfAborted();
    const content = await source.text();
    if (content === undefined) continue;
    if (content.length > left) break;
    left -= content.length;
    count += 1;
    // Secrets are taken out before: else a search would tell letter by letter what they are.
    if (!searched && !content.includes(/** @type {string} */ (wanted.text))) continue;
    const lines = tellableLines(content, call.secrets === "shown");
    const places = searched ? await matched(lines, searched) : placesOf(lines, /** @type {string} */ (wanted.text));
    const from = Math.max(0, wanted.offset - total);
    const shown = places.slice(from, from + wanted.max_lines - hits.length);
    hits.push(...shown.map((place) => hitAt(place, source, lines)));
    total += places.length;
  }
  const unread = sources.length - count;
  const notes = unread ? [`${unread} sources were not searched: no text, or too many characters; url limits the search`] : [];
  const more = total - wanted.offset - hits.length;
  return { total, hits, searched: count, ...(more > 0 && { more }), ...(notes.length && { notes }) };
}

/** @param {Place} place @param {Source} source @param {string[]} lines @returns {Hit} */
function hitAt({ line, column }, { told, above, before }, lines) {
  return {
    source: told.kind === "inline" ? documentOf(told.source) : told.source, line: above + line + 1,
    column: column + 1 + (line === 0 ? before : 0), text: cutHit(lines[line], column),
  };
}

/** @param {string[]} lines @param {Searched} searched @returns {Promise<Place[]>} */
async function matched(lines, { expression, test }) {
  const pieces = piecesOf(lines);
  const isMatch = await test(pieces.map(({ text }) => text));
  return pieces.filter((_, at) => isMatch[at])
    .map(({ line, column, text }) => ({ line, column: column + Math.max(0, text.search(expression)) }));
}
