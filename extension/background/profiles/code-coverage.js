/** Code that was used over a run: functions and blocks of scripts, rules of style sheets. */
import { ifInTime, within } from "../base/deadline.js";
import { TabwireError } from "../base/errors.js";
import { onEvent } from "../debugger/attachment.js";
import { asScripts } from "../elements/styles.js";
import { leaveOut } from "../rules/addresses.js";
import { Positions } from "../sources/positions.js";
import { rulesOf } from "./style-rules.js";
import { bySource, lengthOf, lineStarts, positionOf, unusedFunctions, usedRanges } from "./used-ranges.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./code-runs.js").Part} Part */
/** @typedef {import("./code-profile.js").Known} Known */
/** @typedef {import("./used-ranges.js").Range} Range */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../base/protocol-types").Coverage} Coverage */
/** @typedef {import("../base/protocol-types").CoveredFile} File */
/** @typedef {import("../base/protocol-types").UnusedCode} Unused */
/** @import { Protocol, Send } from "../debugger/commands" */
/** @typedef {Protocol.Profiler.ScriptCoverage} ScriptCoverage */
/** @typedef {{text: string, script: Script, used: Range[], whole: Range[]}} Text  whole: what is counted of it */
/** @typedef {{text: string, used: Set<number>, script: Script}} Sheet */
/** @typedef {Pick<Coverage, "script_used"|"script_total"|"style_used"|"style_total">} Totals */
/**
 * @typedef {{files: File[], functions: Unused[], rules: Unused[], totals: Totals, moreFunctions: number, moreRules: number}} Read
 */

const BUSY = "the page is busy and does not say what ran, and the run is lost; start again when it answers";
const LIMIT_MS = 20_000;
const CHILD_LIMIT_MS = 5_000;
/** Unused functions and rules whose places are looked up, the largest ones. */
const MAX_PLACED = 300;

/** @param {import("./code-runs.js").CodeRun<any>} run @param {Part[]} parts @param {TabCall} call */
export async function readCoverage(run, parts, call) {
  const late = () => { throw new TabwireError("timeout", BUSY); };
  const taken = await Promise.all(parts.filter(({ isNewEngine }) => isNewEngine).map(async ({ session, send }) => {
    const asked = send("Profiler.takePreciseCoverage").then(({ result }) => result);
    const result = session === undefined ? await within(asked, LIMIT_MS, late) : await ifInTime(asked, CHILD_LIMIT_MS);
    return { session, result };
  }));
  const sheets = await Promise.all(parts.filter(({ hasStyles }) => hasStyles).map((part) => {
    const read = sheetsOf(part, run, call);
    return part.session === undefined ? read : ifInTime(read, CHILD_LIMIT_MS);
  }));
  const left = sheets.reduce((sum, one) => sum + (one?.barred ?? 0), 0);
  return async (/** @type {Known} */ known) => {
    const { scripts, early } = await scriptTexts(taken, known);
    const styles = sheets.flatMap((one) => one?.kept ?? []);
    const notes = early ? [`${early} scripts ran before the run began: what they used by then counts as unused, and functions ` +
      "of theirs that never ran are not listed; start, reload, act and stop to know all of it"] : [];
    return { found: { coverage: await measured(scripts, styles, known, call) }, notes, barred: left };
  };
}

/**
 * The style sheets of a part with the rules that were used.
 * @param {Part} part @param {import("./code-runs.js").CodeRun<any>} run @param {TabCall} call
 */
async function sheetsOf({ send, session }, run, call) {
  const { ruleUsage } = await send("CSS.stopRuleUsageTracking").catch(() => ({ ruleUsage: [] }));
  /** @type {Map<string, Set<number>>} */
  const used = new Map();
  for (const one of [...ruleUsage, ...(run.usedRules.get(session) ?? [])])
    if (one.used) used.set(one.styleSheetId, (used.get(one.styleSheetId) ?? new Set()).add(one.startOffset));
  /** @type {Map<string, Protocol.CSS.CSSStyleSheetHeader>} */
  const headers = new Map();
  const stop = onEvent(call.tab.id, (method, params, from) => {
    if (method === "CSS.styleSheetAdded" && from === session && params.header.origin === "regular")
      headers.set(params.header.styleSheetId, params.header);
  });
  // A domain that is on already tells no style sheets.
  await send("CSS.disable");
  await send("CSS.enable").finally(stop);
  const addresses = await addressesOf(send);
  const { kept, note } = leaveOut([...headers.values()], ({ frameId, sourceURL: own }) => [...(addresses.get(frameId) ?? []), own]);
  const scripts = await asScripts({ send, session }, new Map(kept.map((header) => [header.styleSheetId, header])));
  const read = await Promise.all(scripts.map(async (script) => {
    const { text } = await send("CSS.getStyleSheetText", { styleSheetId: script.scriptId });
    return { text, used: used.get(script.scriptId) ?? new Set(), script };
  }));
  return { kept: read, barred: note.barred ?? 0 };
}

/** Frame → address and origin of its document. @param {Send} send */
async function addressesOf(send) {
  /** @type {Map<string, string[]>} */
  const addresses = new Map();
  const { frameTree } = await send("Page.getFrameTree");
  const open = [frameTree];
  for (let tree = open.pop(); tree; tree = open.pop()) {
    const { id, url, securityOrigin } = tree.frame;
    addresses.set(id, [url, ...(/^https?:/.test(securityOrigin) ? [securityOrigin] : [])]);
    open.push(...(tree.childFrames ?? []));
  }
  return addresses;
}

/**
 * Texts of the page's scripts, with what ran. An engine tells nothing of scripts of which nothing has run.
 * @param {Array<{session: string|undefined, result?: ScriptCoverage[]}>} taken @param {Known} known
 */
async function scriptTexts(taken, { places }) {
  const find = (/** @type {Script} */ { scriptId, session, url }) =>
    taken.find((one) => one.session === session)?.result?.find((one) => one.scriptId === scriptId) ??
    taken.flatMap(({ result }) => result ?? []).find((one) => one.scriptId === scriptId && one.url === url);
  let early = 0;
  const told = places.positions.scripts.filter(({ url, scriptLanguage }) => url !== "" && scriptLanguage !== "WebAssembly");
  const scripts = await Promise.all(told.map(async (script) => {
    const text = await places.textOf(script);
    const functions = find(script)?.functions ?? [];
    // The whole of a script is its first function.
    const isWhole = functions.some(({ functionName, ranges: [{ startOffset, endOffset }] }) =>
      functionName === "" && startOffset === 0 && endOffset >= text.length);
    if (!isWhole) early += 1;
    const whole = [{ start: 0, end: text.length }];
    return { text, script, used: usedRanges(functions), whole, unused: unusedFunctions(functions) };
  }));
  return { scripts, early };
}

/**
 * @param {Array<Text & {unused: Array<Range & {name: string}>}>} scripts @param {Sheet[]} sheets @param {Known} known
 * @param {TabCall} call
 * @returns {Promise<Read>}
 */
async function measured(scripts, sheets, { places }, call) {
  const styles = new Positions(sheets.map(({ script }) => script), call);
  const sheetTexts = sheets.map(({ text, used, script }) => {
    const rules = rulesOf(text);
    const starts = [...used];
    const isUsed = (/** @type {Range} */ { start, end }) => starts.some((one) => one >= start && one < end);
    return { text, script, whole: rules, used: rules.filter(isUsed), unused: rules.filter((rule) => !isUsed(rule)) };
  });
  const files = (await Promise.all([
    ...scripts.map((one) => filesOf(one, "script", places.positions)), ...sheetTexts.map((one) => filesOf(one, "style", styles)),
  ])).flat();
  const functions = largest(scripts.flatMap((text) => text.unused.map((one) => ({ ...one, text }))));
  const rules = largest(sheetTexts.flatMap((text) => text.unused.map((one) => ({ ...one, name: one.selector, text }))));
  return {
    files: merged(files), totals: totalsOf(scripts, sheetTexts),
    functions: await Promise.all(functions.told.map(async ({ text, start, end, name }) => {
      const { scriptId, session, url } = text.script;
      const at = placeIn(text, start);
      const { name: written, place = "", built } = await places.told({
        functionName: name, url, scriptId, session, lineNumber: at.line, columnNumber: at.column,
      });
      return { name: written, place, ...(built && { built }), chars: end - start };
    })),
    rules: await Promise.all(rules.told.map(async ({ text, start, end, name }) => {
      const { scriptId, session, url } = text.script;
      const { told: { place, built } } = await styles.place({ name: "", url, scriptId, session, ...placeIn(text, start) });
      return { name, place, ...(built && { built }), chars: end - start };
    })),
    moreFunctions: functions.more, moreRules: rules.more,
  };
}

/** Place of a character in its document. @param {Text} text @param {number} offset */
function placeIn({ text, script: { startLine, startColumn } }, offset) {
  const { line, column } = positionOf(lineStarts(text), offset);
  return { line: line + startLine, column: line ? column : column + startColumn };
}

/** @template {Range} Piece @param {Piece[]} pieces */
function largest(pieces) {
  const sorted = pieces.sort((one, other) => other.end - other.start - (one.end - one.start));
  return { told: sorted.slice(0, MAX_PLACED), more: Math.max(0, sorted.length - MAX_PLACED) };
}

/**
 * The files of a text: those that its map names, or itself.
 * @param {Text} text @param {File["kind"]} kind @param {Positions} positions @returns {Promise<File[]>}
 */
async function filesOf({ text, script, used, whole }, kind, positions) {
  const { url, startLine, startColumn, sourceMapURL } = script;
  const isInline = startLine > 0 || startColumn > 0;
  const name = (url ? positions.short(url) : "(made by a script)") + (isInline ? `:${startLine + 1}:${startColumn + 1}` : "");
  const { map } = sourceMapURL ? await positions.mapOf(script) : {};
  const sources = map ? bySource(text, map, used) : new Map();
  if (!sources.size) return [{ source: name, kind, used: lengthOf(used), total: lengthOf(whole) }];
  return [...sources].map(([source, sum]) => ({ source: positions.short(source), kind, ...sum, built: name }));
}

/** A file that several documents have is told once. @param {File[]} files */
function merged(files) {
  /** @type {Map<string, File>} */
  const sums = new Map();
  for (const file of files.filter(({ total }) => total)) {
    const key = `${file.kind} ${file.source} ${file.built}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, used: known.used + file.used, total: known.total + file.total } : file);
  }
  return [...sums.values()].sort((one, other) => other.total - other.used - (one.total - one.used));
}

/** @param {Text[]} scripts @param {Text[]} styles */
function totalsOf(scripts, styles) {
  const sum = (/** @type {Text[]} */ texts, /** @type {"used"|"whole"} */ of) =>
    texts.reduce((all, one) => all + lengthOf(one[of]), 0);
  return {
    script_used: sum(scripts, "used"), script_total: sum(scripts, "whole"), style_used: sum(styles, "used"),
    style_total: sum(styles, "whole"),
  };
}

/** @param {Read} read @param {number} most @returns {Coverage} */
export function toldCoverage({ files, functions, rules, totals, moreFunctions, moreRules }, most) {
  const beyond = (/** @type {unknown[]} */ list, more = 0) => Math.max(0, list.length - most) + more;
  return {
    ...totals, files: files.slice(0, most), functions: functions.slice(0, most), rules: rules.slice(0, most),
    ...(beyond(files) && { more_files: beyond(files) }),
    ...(beyond(functions, moreFunctions) && { more_functions: beyond(functions, moreFunctions) }),
    ...(beyond(rules, moreRules) && { more_rules: beyond(rules, moreRules) }),
  };
}
