/*
 * Turns a request on the wire into a reply: sends it through the gates, and answers whatever comes of it.
 */
import { lookUp, noteOutcome } from "./act-record.js";
import { activityBegins, activityEnds } from "./activity.js";
import { contextOf } from "./call-context.js";
import { failedOutcome, recordedOutcome, timeoutError } from "./failed-calls.js";
import { runCall, runInside } from "./gates/index.js";
import { outgoing, reply, replyAgain } from "./replies.js";
import { RunningCall } from "./running-calls.js";
import { unlessAborted } from "../base/deadline.js";
import { ready } from "../base/state.js";
import { pauseKnown } from "../rules/stop.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {import("../../types").Request} Request */

/**
 * Runs a request and sends its reply. Never rejects.
 * @param {Request} request
 * @param {Client} client
 */
export async function dispatch(request, client) {
  const running = new RunningCall(request, client);
  await Promise.all([ready, pauseKnown]);
  if (running.isRepeated) return;
  const known = running.isAct ? lookUp(running.key) : null;
  if (known && known.state !== "new") return replyAgain(client, request, await recordedOutcome(known));
  await settle(request, client, running);
}

/**
 * The error boundary: whatever happens becomes an outcome, which is sent.
 * @param {Request} request
 * @param {Client} client
 * @param {RunningCall} running
 */
async function settle(request, client, running) {
  running.begin();
  const call = running.call = contextOf(request, client, {
    signal: running.signal,
    expire: (timeout) => running.abort(timeoutError(request.method, timeout, running)),
    runInside: (outer, method, params) => runInside(outer, running, method, params),
  });
  const run = async (isAgain = false) => successOf(await unlessAborted(runCall(call, running, isAgain), running.signal));
  /** @type {Outcome} */
  let outcome;
  try {
    activityBegins(call);
    outcome = await run();
  } catch (thrown) {
    outcome = await failedOutcome(thrown, request.method, running, () => run(true));
  }
  call.clock.end();
  running.leave();
  outcome = outgoing(outcome, request, call);
  // The client waits for the reply, and not until all is written down.
  reply(client, request.id, outcome);
  if (running.hasStarted) noteOutcome(running.key, outcome);
  activityEnds(call, outcome);
  running.end();
}

/** @param {import("../base/protocol-types").AnyResult} [result] @returns {Outcome} */
const successOf = (result) => ({ type: "success", result: result ?? {} });
