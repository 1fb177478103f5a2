/*
 * record_steps: what the person does in a tab becomes a list of steps, which the bridge writes as a test.
 * locate_step: the element of such a step is found again.
 */
import { PERSON } from "../base/clients.js";
import { invalid, TabwireError } from "../base/errors.js";
import { unlessAborted, within } from "../base/deadline.js";
import { ready } from "../base/state.js";
import { end, onSteps, recordingIn, recordingOf, stepsAfter } from "../steps/step-recordings.js";
import "../steps/bar-wishes.js";
import "../steps/person-recording.js";
import { findAgain } from "../steps/found-again.js";
import { finish, record } from "../steps/recorded-tabs.js";
import { resolveTab } from "../tabs/targets.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../steps/step-recordings.js").Recording} Recording */
/** @typedef {import("../base/protocol-types").Params<"steps.record">} Params */

/** Time kept for the answer. */
const RESERVE_MS = 500;
/** A step that is that old is not replaced any more by what belongs to it, such as the second half of a double click. */
const SETTLED_MS = 700;
const STOPPED = "stopped by its client";
const NO_DIALOGS = "dialogs are not recorded: another debugger (DevTools or an extension) holds this tab";

/** @param {Params} params @param {CallContext} call */
async function start(params, call) {
  const tab = await resolveTab(params, call.client);
  const other = recordingIn(tab.id);
  if (other) throw takenError(tab.id, other, call);
  const { recording, hasDialogs } = await record(tab, call);
  return { ...told(recording, recording.last), ...(hasDialogs ? {} : { note: NO_DIALOGS }) };
}

/** @param {number} tabId @param {Recording} other @param {CallContext} call */
function takenError(tabId, { client }, call) {
  if (client.id === call.client.id) {
    return new TabwireError("invalid_element_state",
      `the steps in tab ${tabId} are recorded already; end that with action stop first`);
  }
  const who = client.id === PERSON.id ? "the person at the browser" : "another client";
  return new TabwireError("tab_leased",
    `${who} records the steps in tab ${tabId}; wait until that has ended, or take another tab`);
}

/** @param {CallContext} call @returns {Recording} */
function own({ client }) {
  const recording = recordingOf(client);
  if (recording) return recording;
  throw invalid("no steps are being recorded; begin with action start");
}

/** @param {Recording} recording @param {number} after */
const told = (recording, after) => ({
  tabId: recording.tabId, recording: !recording.ended, steps: stepsAfter(recording, after),
  ...(recording.ended && { ended: recording.ended }),
});

/** Waits for a step that stays. @param {Params} params @param {CallContext} call */
async function read({ after, timeout }, call) {
  const recording = own(call);
  const limit = Math.max(0, Math.min(timeout, call.remaining() - RESERVE_MS));
  const over = AbortSignal.any([call.signal, AbortSignal.timeout(limit)]);
  while (!over.aborted && !recording.ended && !isNewsSettled(recording, after)) {
    const { promise, resolve } = Promise.withResolvers();
    const stop = onSteps((other) => { if (other.client.id === recording.client.id) resolve(null); });
    const isWaitingToSettle = recording.last > after;
    await unlessAborted(isWaitingToSettle ? within(promise, SETTLED_MS) : promise, over).catch(() => {});
    stop();
  }
  // A reader that has withdrawn its call is gone: nobody would end the recording.
  if (call.signal.aborted) await end(recording, "the call that waited for steps was withdrawn");
  call.signal.throwIfAborted();
  return told(recording, after);
}

/** @param {Recording} recording @param {number} after */
function isNewsSettled({ steps, last }, after) {
  const newest = steps.at(-1);
  return last > after && newest !== undefined && Date.now() - newest.at >= SETTLED_MS;
}

/** @param {Params} params @param {CallContext} call */
async function stop(params, call) {
  const recording = own(call);
  await finish(recording, STOPPED);
  // It is kept until the next one begins, or its client is gone: a test that was not saved can be asked for again.
  const { ended, ...rest } = told(recording, 0);
  return { ...rest, ...(ended && ended !== STOPPED && { ended }) };
}

const ACTIONS = { start, read, stop };

/** @param {Params} params @param {CallContext} call */
async function recordSteps(params, call) {
  await ready;
  return ACTIONS[params.action](params, call);
}

/** The person is asked when a recording begins; what it has is its client's. @param {Params} params */
const sensitive = ({ action }) => (action === "start" ? ["steps"] : []);

/** @type {import("../../types").Handlers<"steps">} */
export const handlers = { "steps.record": Object.assign(recordSteps, { sensitive }), "steps.locate": findAgain };
