/*
 * Wishes of the person that the bar in a recorded page tells: to end the recording, or to point at an element of which the test
 * is to expect something.
 */
import { ready } from "../base/state.js";
import { call as callPage } from "../page/content-calls.js";
import { pick } from "../page/picker.js";
import { onPageMessage } from "../tabs/keep-alive.js";
import { finish } from "./recorded-tabs.js";
import { add, isTold, onRecordingEnd, recordingIn, tabsOf, workFor } from "./step-recordings.js";

/** @typedef {import("./step-recordings.js").Recording} Recording */
/** @typedef {import("./step-recordings.js").Told} Told */
/** @typedef {{step: Omit<Told, "key">, problem?: undefined} | {problem: string}} Answer */

const PICK_MS = 120_000;
const SAY_MS = 3_000;
/** Kind of assertion → what the person points at. */
const WANTED = {
  visible: "an element that is visible", text: "an element that has this text", value: "a field that has this value",
};
const DONE = { visible: "Recorded: is visible", text: "Recorded: has this text", value: "Recorded: has this value" };

const BUSY = "Not recorded: you are asked to point at something else already";

/** Tab → ends the pick that is under way in it. @type {Map<number, AbortController>} */
const picks = new Map();

/** @param {Recording} recording @param {number} tabId @param {string} text */
const say = ({ client }, tabId, text) =>
  callPage(tabId, { frameId: 0 }, "steps.say", { text }, workFor(client, SAY_MS)).catch(() => false);

/** @param {Recording} recording @param {number} tabId @param {keyof typeof WANTED} kind */
async function assert(recording, tabId, kind) {
  picks.get(tabId)?.abort();
  const ended = new AbortController();
  picks.set(tabId, ended);
  try {
    const tab = await chrome.tabs.get(tabId);
    const own = { ...workFor(recording.client, PICK_MS), tab };
    const call = { ...own, signal: AbortSignal.any([own.signal, ended.signal]) };
    /** @type {Answer} */
    const answer = await pick({ value: WANTED[kind], timeout: PICK_MS, assert: kind }, /** @type {never} */ (call));
    if (answer.problem !== undefined) return void await say(recording, tabId, answer.problem);
    await add(recording, tabId, { key: `assertion ${crypto.randomUUID()}`, ...answer.step });
    await say(recording, tabId, DONE[kind]);
  } catch (error) {
    // Escape, another wish, or the end of the recording; or a client asks for something as well.
    const isBusy = error?.code === "invalid_element_state" && !ended.signal.aborted;
    if (picks.get(tabId) === ended) await say(recording, tabId, isBusy ? BUSY : "");
  } finally {
    if (picks.get(tabId) === ended) picks.delete(tabId);
  }
}

onPageMessage("tabwireRecorder", async (wish, sender) => {
  const tabId = sender.tab?.id;
  await ready;
  const recording = recordingIn(tabId);
  if (!recording || tabId === undefined) return;
  if (wish.stop) await finish(recording, "the person ended it in the page");
  else if (wish.assert in WANTED && isTold(sender.url, tabId)) await assert(recording, tabId, wish.assert);
});

onRecordingEnd((recording) => { for (const tabId of tabsOf(recording)) picks.get(tabId)?.abort(); });
