/*
 * State of this browser in one word, the same for badge, popup and side panel.
 */
import { onActivity } from "../calls/activity.js";
import { onQuestions, openQuestions } from "../rules/consent.js";
import { currentPause, onPauseChange, pauseKnown } from "../rules/stop.js";
import { onHandovers, openHandovers } from "../tabs/handovers.js";
import { labelOf } from "../tabs/lease-holders.js";
import { Signal } from "../base/signal.js";
import { ready } from "../base/state.js";
import { clockTime, count } from "../base/text.js";
import { connections, onConnections } from "../wire/connection.js";

/** @typedef {import("../calls/activity.js").Activity} Activity */
/** @typedef {"ready"|"working"|"needs_you"|"paused"|"stopped"|"not_connected"} StateName */
/** @typedef {{name: StateName, words: string, clientId?: string}} BrowserState clientId: the one that works, if it is alone */

/** A client that has ended a call is at work for so much longer: between two calls it thinks. */
const WORKING_MS = 2_000;

/** Call id → whose it is; of calls under way, and of those that ended a moment ago. @type {Map<number, string>} */
const working = new Map();
/** @type {Signal<[state: BrowserState]>} */
const changed = new Signal();
/** Calls a listener when the state is another one. */
export const onBrowserState = changed.add;
let known = "";

/** @returns {BrowserState} */
function look() {
  const pause = currentPause();
  if (pause) {
    const what = pause.cause === "stopped" ? "Stopped" : "Paused";
    return { name: pause.cause, words: `${what} since ${clockTime(pause.since)}` };
  }
  const present = new Set(connections().clients.map(({ id }) => id));
  if (!present.size) return { name: "not_connected", words: "Not connected" };
  if (openQuestions().length + openHandovers().length) return { name: "needs_you", words: "Needs you" };
  const busy = [...new Set(working.values())].filter((id) => present.has(id));
  if (!busy.length) return { name: "ready", words: "Ready" };
  if (busy.length > 1) return { name: "working", words: `${count(busy.length, "program")} working` };
  return { name: "working", words: `${labelOf(busy[0])} is working`, clientId: busy[0] };
}

/** The state of this moment. */
export async function browserState() {
  await Promise.all([pauseKnown, ready]);
  return look();
}

function tell() {
  const state = look();
  const text = JSON.stringify(state);
  if (text === known) return;
  known = text;
  changed.emit(state);
}

onActivity(({ id, clientId, state }) => {
  working.set(id, clientId);
  tell();
  if (state !== "running") setTimeout(() => { working.delete(id); tell(); }, WORKING_MS);
});
for (const subscribe of [onConnections, onHandovers, onPauseChange, onQuestions]) subscribe(tell);
void Promise.all([pauseKnown, ready]).then(tell);
