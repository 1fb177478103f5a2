/** Profiles of the code of a tab: start, stop and status, and the result as it is told. */
import { invalid } from "../base/errors.js";
import { attachmentsKnown, pendingDialog } from "../debugger/attachment.js";
import { dialogError } from "../debugger/blocked-page.js";
import { runIn, startRun, stopRun } from "./code-runs.js";
import { assertRoom, compared, keepRun, keptNames, runsNamed } from "./kept-times.js";
import { readStyles, toldStyles } from "./style-use.js";
import { readTimes, toldTimes } from "./time-profile.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"profiles.code_profile">} Wanted */
/** @typedef {import("../base/protocol-types").CodeProfileResult} Result */
/** @typedef {import("./code-runs.js").CodeRun<Read>} Run */
/** @typedef {{time: import("./time-profile.js").Read} | {styles: import("./style-use.js").Read}} Found */
/** @typedef {Found & {notes: string[], barred: number}} Read */

const NAVIGATED = "the tab was navigated during the run: rules were tracked in the last document alone";

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
    throw invalid("keep and compare are for runs of measure time, and this one is of measure styles; stop it without them");
  const before = compare === undefined ? undefined : [...runsNamed(clientId, compare)];
  if (keep !== undefined) assertRoom(clientId, keep);
  const { isOver } = run;
  const read = await stopRun(run, call);
  const facts = {
    running: false, measure: run.measure, seconds: Math.round(run.seconds * 10) / 10,
    ...(isOver && { ended: `its max_time of ${run.maxTime} s was over` }), ...(read.barred && { barred: read.barred }),
    ...(read.notes.length && { notes: read.notes }),
  };
  if (!("time" in read)) return { ...facts, styles: toldStyles(read.styles, most) };
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
  const { barred, notes, ...found } = run.measure === "time" ? await readTimes(run, call) : await readStyles(run, call);
  const isPartly = run.measure === "styles" && run.navigations > 0;
  return { ...found, barred, notes: [...(isPartly ? [NAVIGATED] : []), ...notes] };
}
