/*
 * The person stops everything, or pauses it. Stop ends the calls of all clients, wherever they are just now, and pauses; a
 * pause lets the calls under way come to their end and refuses everything new. Both end what looks on or stays in force
 * between calls: recordings, captures, routes, emulations. Only the person resumes, in the extension: nothing that comes over
 * the wire does. A pause outlives the worker and the browser.
 */
import { within } from "../base/deadline.js";
import { Signal } from "../base/signal.js";
import { TabwireError } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";
import { answerUi } from "../base/ui-requests.js";

/** @typedef {{cause: "stopped"|"paused", since: number}} Pause  since: epoch ms */
/** @typedef {{pause: Pause|null, stoppedAt: number}} Stored  stoppedAt: epoch ms of the last stop */

const KEY = "stop";
const COMMAND = "stop";
/** The person is told how many calls were ended; one that does not end is not waited for. */
const ANSWER_MS = 1000;

/** @type {Stored} */
let state = { pause: null, stoppedAt: 0 };
/** @type {Signal<[stop: TabwireError]>} */
const stopped = new Signal();
/** @type {Signal<[]>} */
const pausing = new Signal();
/** @type {Signal<[]>} */
const changed = new Signal();

/** Whether the person has paused everything, after `pauseKnown`. */
export let isPaused = false;

/** Resolves when it is known whether a pause of before goes on. Whoever asks for it awaits this first. */
export const pauseKnown = chrome.storage.local.get(KEY).then((stored) => {
  if (stored[KEY] && !state.pause) keep(stored[KEY]);
});

/** The pause there is, if any. @returns {Pause|null} */
export const currentPause = () => state.pause;

/**
 * Calls a listener in the moment of a stop, in the same turn for all, with the error that calls under way are aborted with: end
 * what goes on. What the listener returns is awaited before the person is told that everything has ended.
 */
export const onStop = stopped.add;
/** Calls a listener as a pause begins, that of a stop too: end what goes on between calls. What it returns is awaited as well. */
export const onPause = pausing.add;
/** Calls a listener after each pause, stop and resumption. */
export const onPauseChange = changed.add;

const RESUME = "Only they can resume, in the extension's window in the browser (its button in the toolbar)";
const ENDED = "Recordings, captures, routes and emulations have ended";

/**
 * Throws stopped_by_user while the person has paused everything. Call it after `pauseKnown`.
 * @param {string} method
 */
export function assertRunning(method) {
  const { pause } = state;
  if (!pause || METHODS[method]?.always) return;
  const { cause, since } = pause;
  throw new TabwireError(
    "stopped_by_user",
    `the person at the browser has ${cause === "stopped" ? "stopped everything" : "paused Tabwire"}: ${method} was refused ` +
    `and nothing was done. ` +
      `${RESUME}; do not try again by yourself, but tell them what you want to do, and ask. ${ENDED}`,
    { cause: "paused", since, begun: false },
  );
}

/** @typedef {"nothing"|"not begun"|"begun"|"unknown"} Progress  nothing: it was only reading */

/** @type {Record<Progress, {says: string, begun: boolean|"unknown"}>} */
const PROGRESS = {
  nothing: { says: "it was only reading: it has changed nothing", begun: false },
  "not begun": { says: "it had not begun: nothing of it was done, and it will not happen later", begun: false },
  begun: { says: "it had begun and was cut short: it may be half done, or done", begun: true },
  unknown: { says: "it was just about to begin: it may or may not have happened", begun: "unknown" },
};

/**
 * What a call that a stop has ended says.
 * @param {string} method
 * @param {Progress} progress
 * @param {{tabId: number, url: string, title: string}|null} now  where its tab is
 */
export function stoppedError(method, progress, now) {
  const { says, begun } = PROGRESS[progress];
  const sight = now ? ` Tab ${now.tabId} now shows ${now.url.slice(0, 300)}.` : "";
  return new TabwireError(
    "stopped_by_user",
    `the person at the browser stopped everything while ${method} was under way; ${says}.${sight} Do not repeat it: ask them ` +
    `how to go on. ` +
      `All calls are refused until they resume. ${RESUME}. ${ENDED}`,
    { cause: "stopped", begun, method, ...(now && { now }) },
  );
}

/** @param {Stored} next */
function keep(next) {
  state = next;
  isPaused = next.pause !== null;
}

/** @param {Stored} next @returns {Promise<void>} resolves when it would survive the browser */
function change(next) {
  keep(next);
  changed.emit();
  return chrome.storage.local.set({ [KEY]: next });
}

const toldOf = () => ({ paused: state.pause !== null, ...state.pause });

/** @param {unknown[]} works */
const allEnded = (works) => within(Promise.allSettled(works), ANSWER_MS);

async function stop() {
  const began = performance.now();
  const at = Date.now();
  // Nothing new from here on, before anything is ended.
  const stored = change({ pause: { cause: "stopped", since: at }, stoppedAt: at });
  const ended = new TabwireError("stopped_by_user", "the person at the browser stopped everything");
  await Promise.all([stored, pauseKnown, allEnded([...stopped.emit(ended), ...pausing.emit()])]);
  return { ...toldOf(), ms: Math.round(performance.now() - began) };
}

async function pause() {
  await pauseKnown;
  if (state.pause) return toldOf();
  const stored = change({ ...state, pause: { cause: "paused", since: Date.now() } });
  await Promise.all([stored, allEnded(pausing.emit())]);
  return toldOf();
}

async function resume() {
  await pauseKnown;
  await change({ ...state, pause: null });
  return toldOf();
}

/*
 * Requests of the extension's own pages, each answered with {paused: boolean, cause?: "stopped"|"paused", since?: epoch ms}:
 * - {type: "stop"}: ends everything under way for all clients and pauses; `ms` in the answer says how long that took.
 * - {type: "pause"}: refuses everything new; calls under way end by themselves. No change when it is stopped already.
 * - {type: "resume"}: the one way on.
 * - {type: "pauseState"}: how it stands.
 */
answerUi({
  stop,
  pause,
  resume,
  async pauseState() {
    await pauseKnown;
    return toldOf();
  },
});

chrome.commands?.onCommand.addListener((command) => {
  if (command === COMMAND) void stop();
});

// A page that was frozen in the midst of an act asks before it goes on: it may have missed a stop.
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  const since = message?.tabwireStillWanted;
  if (sender.id !== chrome.runtime.id || typeof since !== "number") return false;
  pauseKnown.then(() => sendResponse({ stopped: state.stoppedAt >= since }));
  return true;
});
