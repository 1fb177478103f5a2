/*
 * The outcome of a call that failed. Errors become replies only here.
 */
import { entryOf } from "./act-record.js";
import { atDeadline } from "./outcome.js";
import { causeInTab, unknownOutcome } from "./outcome-after-failure.js";
import { endOfStopped } from "./stopped-calls.js";
import { pause } from "../base/deadline.js";
import { isWorkerEnding, noSuchTab, TabwireError, timedOut, toWire } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";
import { crashError } from "../tabs/targets.js";

/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {import("./running-calls.js").RunningCall} RunningCall */

/** A worker that Chrome is ending has less than this left. */
const LAST_MOMENT_MS = 1000;

/** @param {unknown} thrown @returns {Outcome} */
const failure = (thrown) => ({ type: "error", ...toWire(thrown) });

/**
 * The outcome of an act that was asked for before.
 * @param {{state: string, outcome?: Outcome, entry?: import("./act-record.js").Entry}} known @returns {Promise<Outcome>}
 */
export async function recordedOutcome({ outcome, entry }) {
  return outcome ?? failure(await unknownOutcome(entry, "the browser stopped the extension").catch((error) => error));
}

/**
 * The error that ends a call at its deadline.
 * @param {string} method @param {number} timeout ms @param {RunningCall} running
 */
export function timeoutError(method, timeout, { isAct, hasRun }) {
  if (!isAct) return timedOut(`${method} did not end within ${timeout} ms; call it again with more time`);
  if (hasRun) {
    return new TabwireError("outcome_unknown",
      `${method} did not end within ${timeout} ms, so whether it happened is unknown; take a snapshot to see how far it came ` +
        "before you repeat it",
      { method, timeout_ms: timeout });
  }
  return timedOut(`${method} did not start within ${timeout} ms because its tab was busy; nothing was done: try again`);
}

/**
 * The outcome of a call that has thrown. Never rejects.
 * @param {unknown} thrown
 * @param {string} method
 * @param {RunningCall} running
 * @param {() => Promise<Outcome>} again runs a read once more, in the page that is there now
 * @returns {Promise<Outcome>}
 */
export async function failedOutcome(thrown, method, running, again) {
  const { isStopped } = running;
  // The worker sends no answer while it ends: the bridge asks the next worker, which knows what it may run again.
  if (isWorkerEnding(thrown)) await pause(LAST_MOMENT_MS);
  if (isStopped) return failure(await endOfStopped(method, running));
  return withoutPage(await inTheEnd(thrown, method, running), method, running, again).catch(failure);
}

/** @param {unknown} thrown @param {string} method @param {RunningCall} running */
const inTheEnd = (thrown, method, { signal, call }) =>
  thrown === signal.reason ? atDeadline(thrown, method, call?.observation?.actStart) : thrown;

/**
 * Ends a failed call whose page went away during it: an act that began is never repeated, a read asks the next page.
 * @param {unknown} thrown
 * @param {string} method
 * @param {RunningCall} running
 * @param {() => Promise<Outcome>} again
 * @returns {Promise<Outcome>}
 */
async function withoutPage(thrown, method, { isAct, hasStarted, call, key }, again) {
  const tab = call?.tab;
  const cause = call && METHODS[method]?.page !== "none" ? await causeInTab(thrown, tab) : null;
  if (!call || !tab || !cause) throw thrown;
  if (cause === "closed") throw noSuchTab(`the tab was closed while ${method} was at work; call tab_list to see the open tabs`);
  if (hasStarted)
    throw await unknownOutcome(entryOf(key), cause === "crashed" ? "the page crashed" : "the browser discarded the page");
  if (cause === "crashed") throw crashError(tab.id);
  if (isAct || call.signal.aborted) throw thrown;
  return again();
}
