/** Rules of style sheets that were used over a run: those that matched an element at any time. */
import { ifInTime } from "../base/deadline.js";
import { onEvent, withDebugger } from "../debugger/attachment.js";
import { withDocuments } from "../documents/document-look.js";
import { asScripts } from "../elements/styles.js";
import { mayTell } from "../rules/addresses.js";
import { Positions } from "../sources/positions.js";
import { rulesOf } from "./style-rules.js";
import { bySource, lengthOf, lineStarts, positionOf } from "./used-ranges.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./code-runs.js").Part} Part */
/** @typedef {import("./code-runs.js").CodeRun<any>} CodeRun */
/** @typedef {import("../documents/documents.js").Documents} Documents */
/** @typedef {import("./style-rules.js").Rule} Rule */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../base/protocol-types").StyleUse} StyleUse */
/** @typedef {import("../base/protocol-types").UsedFile} File */
/** @import { Protocol, Send } from "../debugger/commands" */
/** @typedef {{script: Script, text: string, rules: Rule[], used: Rule[], unused: Rule[]}} Sheet */
/** @typedef {Pick<StyleUse, "files"|"rules"|"used"|"total"> & {more: number}} Read  more: rules without a place */

const CHILD_LIMIT_MS = 5_000;
/** Unused rules whose places are looked up, the largest ones. */
const MAX_PLACED = 300;

/** @param {CodeRun} run @param {TabCall} call */
export async function readStyles(run, call) {
  const { tab: { id: tabId } } = call;
  const found = await withDebugger(tabId, call, (send) => withDocuments(tabId, send, (documents) =>
    Promise.all(run.parts.map((part) => {
      const read = sheetsOf(part, run, documents, call);
      return part.session === undefined ? read : ifInTime(read, CHILD_LIMIT_MS);
    }))));
  const sheets = found.flatMap((one) => one?.sheets ?? []);
  const positions = new Positions(sheets.map(({ script }) => script), call);
  const styles = await measured(sheets, positions);
  return { styles, barred: found.reduce((sum, one) => sum + (one?.barred ?? 0), 0), notes: positions.notes };
}

/**
 * The style sheets of a document with the rules that were used.
 * @param {Part} part @param {CodeRun} run @param {Documents} documents @param {TabCall} call
 */
async function sheetsOf({ send, session }, run, documents, call) {
  const { ruleUsage } = await send("CSS.stopRuleUsageTracking").catch(() => ({ ruleUsage: [] }));
  const used = [...ruleUsage, ...(run.usedRules.get(session) ?? [])].filter((one) => one.used);
  const headers = await headersOf(send, session, call);
  const readable = documents.readableFrames(session, call);
  const kept = headers.filter(({ frameId, sourceURL: own }) => readable.includes(frameId) && mayTell(own));
  const scripts = await asScripts({ send, session }, new Map(kept.map((header) => [header.styleSheetId, header])));
  const sheets = await Promise.all(scripts.map(async (script) => {
    const { text } = await send("CSS.getStyleSheetText", { styleSheetId: script.scriptId });
    const starts = used.filter(({ styleSheetId }) => styleSheetId === script.scriptId).map(({ startOffset }) => startOffset);
    const isUsed = (/** @type {Rule} */ { start, end }) => starts.some((one) => one >= start && one < end);
    const rules = rulesOf(text);
    return { script, text, rules, used: rules.filter(isUsed), unused: rules.filter((rule) => !isUsed(rule)) };
  }));
  return { sheets, barred: headers.length - kept.length };
}

/** Style sheets of the page itself. @param {Send} send @param {string|undefined} session @param {TabCall} call */
async function headersOf(send, session, call) {
  /** @type {Map<string, Protocol.CSS.CSSStyleSheetHeader>} */
  const headers = new Map();
  const stop = onEvent(call.tab.id, (method, params, from) => {
    if (method !== "CSS.styleSheetAdded" || from !== session || params.header.origin !== "regular") return;
    headers.set(params.header.styleSheetId, params.header);
  });
  // A domain that is on already tells no style sheets.
  await send("CSS.disable");
  await send("CSS.enable").finally(stop);
  return [...headers.values()];
}

/** @param {Sheet[]} sheets @param {Positions} positions @returns {Promise<Read>} */
async function measured(sheets, positions) {
  const files = (await Promise.all(sheets.map((one) => filesOf(one, positions)))).flat();
  const unused = sheets.flatMap((sheet) => {
    const starts = lineStarts(sheet.text);
    return sheet.unused.map((rule) => ({ ...rule, sheet, starts }));
  }).sort((one, other) => other.end - other.start - (one.end - one.start));
  const rules = await Promise.all(unused.slice(0, MAX_PLACED).map(async ({ sheet: { script }, starts, start, end, selector }) => {
    const { scriptId, session, url, startLine, startColumn } = script;
    const { line, column } = positionOf(starts, start);
    const at = { line: line + startLine, column: line ? column : column + startColumn };
    const { told: { place, built } } = await positions.place({ name: "", url, scriptId, session, ...at });
    return { selector, place, ...(built && { built }), chars: end - start };
  }));
  const sum = (/** @type {"used"|"rules"} */ of) => sheets.reduce((all, one) => all + lengthOf(one[of]), 0);
  return { files: merged(files), rules, used: sum("used"), total: sum("rules"), more: Math.max(0, unused.length - MAX_PLACED) };
}

/**
 * The files of a sheet: those that its map names, or itself.
 * @param {Sheet} sheet @param {Positions} positions @returns {Promise<File[]>}
 */
async function filesOf({ script, text, rules, used }, positions) {
  const { url, startLine, startColumn, sourceMapURL } = script;
  const isInline = startLine > 0 || startColumn > 0;
  const name = (url ? positions.short(url) : "(made by a script)") + (isInline ? `:${startLine + 1}:${startColumn + 1}` : "");
  const { map } = sourceMapURL ? await positions.mapOf(script) : {};
  const sources = map ? bySource(text, map, rules, used) : new Map();
  if (!sources.size) return [{ source: name, used: lengthOf(used), total: lengthOf(rules) }];
  return [...sources].map(([source, sums]) => ({ source: positions.short(source), ...sums, built: name }));
}

/** A file that several documents have is told once. @param {File[]} files */
function merged(files) {
  /** @type {Map<string, File>} */
  const sums = new Map();
  for (const file of files.filter(({ total }) => total)) {
    const key = `${file.source} ${file.built}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, used: known.used + file.used, total: known.total + file.total } : file);
  }
  return [...sums.values()].sort((one, other) => other.total - other.used - (one.total - one.used));
}

/** @param {Read} read @param {number} most @returns {StyleUse} */
export function toldStyles({ files, rules, more, ...totals }, most) {
  const moreFiles = files.length - most;
  const moreRules = rules.length - most;
  return {
    ...totals, files: files.slice(0, most), rules: rules.slice(0, most), ...(moreFiles > 0 && { more_files: moreFiles }),
    ...(moreRules > 0 && { more_rules: moreRules + more }),
  };
}
