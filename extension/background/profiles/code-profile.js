/** Profiles of the code of a tab: start, stop and status, and the result as it is told. */
import { TabwireError } from "../base/errors.js";
import { lookClosely } from "../console/log.js";
import { attachmentsKnown, pendingDialog } from "../debugger/attachment.js";
import { dialogError } from "../debugger/blocked-page.js";
import { leaveOut } from "../rules/addresses.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { readCoverage, toldCoverage } from "./code-coverage.js";
import { runIn, startRun, stopRun } from "./code-runs.js";
import { FunctionPlaces } from "./function-places.js";
import { assertRoom, compared, keepRun, keptNames, runsNamed } from "./kept-times.js";
import { readTimes, toldTimes } from "./time-profile.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"performance.code_profile">} Wanted */
/** @typedef {import("../base/protocol-types").CodeProfileResult} Result */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("./code-runs.js").CodeRun<Read>} Run */
/** @typedef {{time: import("./time-profile.js").Read} | {coverage: import("./code-coverage.js").Read}} Found */
/** @typedef {Found & {notes: string[], barred: number}} Read */
/**
 * Scripts that may be told. others: those of extensions
 * @typedef {{places: FunctionPlaces, others: Script[], barred: Script[]}} Known
 */

const invalid = (/** @type {string} */ message) => new TabwireError("invalid_argument", message);

/** @param {Wanted} wanted @param {TabCall} call @returns {Promise<Result>} */
export async function codeProfile(wanted, call) {
  await attachmentsKnown;
  const dialog = pendingDialog(call.tab.id);
  if (dialog && wanted.action !== "status") throw dialogError(dialog);
  const told = await { start, stop, status }[wanted.action](wanted, call);
  const kept = keptNames(call.client.id);
  return { tabId: call.tab.id, url: call.tab.url ?? "", ...told, ...(kept.length && { kept }) };
}

/** @param {Run} run */
const secondsOf = ({ began }) => Math.round((Date.now() - began) / 100) / 10;

/** @param {Run} run */
const stateOf = (run) => ({ running: true, measure: run.measure, seconds: secondsOf(run), max_time: run.maxTime });

/** @param {Wanted} wanted @param {TabCall} call */
async function start(wanted, call) {
  const { run } = runIn(call);
  if (run && !run.isOver) throw invalid(`a run of measure ${run.measure} lasts in this tab; stop it first`);
  return stateOf(await startRun(wanted, call, readResult));
}

/** @param {Wanted} _ @param {TabCall} call */
async function status(_, call) {
  const { run, ended } = runIn(call);
  if (!run) return { running: false, ...(ended && { ended }) };
  return run.isOver ? { running: false, measure: run.measure, ended: limitOf(run) } : stateOf(run);
}

/** @param {Run} run */
const limitOf = (run) => `its max_time of ${run.maxTime} s was over; stop tells its result`;

/** @param {Wanted} wanted @param {TabCall} call */
async function stop({ keep, compare, max_rows: most }, call) {
  const { run, ended } = runIn(call);
  if (!run) throw invalid(`no run lasts in this tab${ended ? ` (${ended})` : ""}; call code_profile with action start first`);
  const clientId = call.client.id;
  if (run.measure !== "time" && (keep !== undefined || compare !== undefined))
    throw invalid("keep and compare are for runs of measure time, and this one is of measure coverage; stop it without them");
  const before = compare === undefined ? undefined : [...runsNamed(clientId, compare)];
  if (keep !== undefined) assertRoom(clientId, keep);
  const { isOver } = run;
  const read = await stopRun(run, call);
  const notes = [...read.notes];
  const facts = {
    running: false, measure: run.measure, seconds: Math.round(run.seconds * 10) / 10,
    ...(isOver && { ended: `its max_time of ${run.maxTime} s was over` }), ...(read.barred && { barred: read.barred }),
    ...(notes.length && { notes }),
  };
  if (!("time" in read)) return { ...facts, coverage: toldCoverage(read.coverage, most) };
  const { kept: own } = read.time;
  const comparison = before && { name: /** @type {string} */ (compare), ...changesTold(compared(own, before), most) };
  if (keep !== undefined) await keepRun(clientId, keep, own);
  return { ...facts, time: toldTimes(read.time, most), ...(comparison && { comparison }) };
}

/** @param {ReturnType<typeof compared>} found @param {number} most */
function changesTold({ changed, ...totals }, most) {
  const slower = changed.filter((one) => one.now_ms > one.before_ms);
  const faster = changed.filter((one) => one.now_ms < one.before_ms);
  const more = Math.max(0, slower.length - most) + Math.max(0, faster.length - most);
  return { ...totals, slower: slower.slice(0, most), faster: faster.slice(0, most), ...(more && { more }) };
}

/** @param {Run} run @param {TabCall} call @returns {Promise<Read>} */
async function readResult(run, call) {
  const { tabId } = run;
  const parts = await run.parts();
  const finish = run.measure === "time" ? await readTimes(run, parts) : await readCoverage(run, parts, call);
  return lookClosely(tabId, call, (log, send) => withScripts(tabId, send, async (scripts) => {
    const { siteOf, ...known } = knownScripts(scripts, log.origins, call);
    const found = await finish(known, siteOf);
    const notes = [...notesOf(run), ...found.notes, ...known.places.positions.notes];
    return { ...found.found, notes, barred: known.barred.length + found.barred };
  }));
}

/** @param {Run} run */
function notesOf({ navigations, gone, measure }) {
  const what = `what the documents before ${measure === "time" ? "took" : "used"} is lost`;
  return [
    ...(navigations ? [`the tab was navigated during the run, and measured since then: ${what}`] : []),
    ...(gone ? [`${gone} frames or workers went during the run, and what they did is not counted`] : []),
  ];
}

/**
 * The scripts of the page, and those that are not told.
 * @param {Script[]} scripts @param {Map<string, string>} origins @param {TabCall} call
 */
function knownScripts(scripts, origins, call) {
  const siteOf = (/** @type {Script} */ { session, executionContextId, url }) => {
    const origin = origins.get(`${session} ${executionContextId}`) ?? "";
    if (/^https?:/.test(origin)) return origin;
    return session === undefined ? call.tab.url ?? url : /^https?:/.test(url) ? url : undefined;
  };
  const isOther = (/** @type {Script} */ { executionContextAuxData: world, url }) => world?.isDefault === false || /^chrome-extension:/.test(url);
  const others = scripts.filter(isOther);
  const own = scripts.filter((script) => !isOther(script));
  const { kept } = leaveOut(own.filter((script) => siteOf(script) !== undefined), (script) => [siteOf(script) ?? "", script.url]);
  const barred = own.filter((script) => !kept.includes(script));
  return { places: new FunctionPlaces(new Positions(kept, call)), others, barred, siteOf };
}
