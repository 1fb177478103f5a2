/*
 * The person stops everything, or one client, or pauses everything. Stop ends the calls of all clients, wherever they are just
 * now, and pauses; a pause lets the calls under way come to their end and refuses everything new. All end what looks on or stays
 * in force between calls: recordings, captures, routes, emulations. Only the person resumes, in the extension: nothing that
 * comes over the wire does. A pause outlives the worker and the browser; the stop of one client lasts as long as that client.
 */
import { within } from "../base/deadline.js";
import { Signal } from "../base/signal.js";
import { TabwireError } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";
import { persisted, persistedByTab, ready } from "../base/state.js";
import { answerUi } from "../base/ui-requests.js";

/** @typedef {{calls: number, clients: string[]}} Ended  calls that a stop ended, and the names of their clients */
/** @typedef {{cause: "stopped"|"paused", since: number, ended?: Ended}} Pause  since: epoch ms */
/** @typedef {{since: number, calls: number}} ClientStop  since: epoch ms; calls: those that it ended */
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
/** @type {Signal<[clientId: string, stop: TabwireError]>} */
const clientStopped = new Signal();
/** @type {Signal<[]>} */
const changed = new Signal();
/** Client id → the person has stopped it alone. An id is that of a process: it comes back with a lost connection. */
const stoppedClients = persisted("stop.clients", /** @type {Record<string, ClientStop>} */ ({}));
/**
 * Tab → epoch ms of the last stop of the client that worked there.
 * @type {import("../base/state.js").Persisted<Record<number, number>>}
 */
const stoppedTabs = persistedByTab("stop.tabs");

/** Resolves when it is known whether a pause of before goes on. Whoever asks for it awaits this first. */
export const pauseKnown = chrome.storage.local.get(KEY).then((stored) => {
  if (stored[KEY] && !state.pause) keep(stored[KEY]);
});

/** The pause there is, if any. @returns {Pause|null} */
export const currentPause = () => state.pause;

/** The stop of one client alone, if any. @param {string} clientId @returns {ClientStop|null} */
export const stopOfClient = (clientId) => stoppedClients.get()[clientId] ?? null;

/**
 * Calls a listener in the moment of a stop, in the same turn for all, with the error that calls under way are aborted with: end
 * what goes on. What the listener returns is awaited before the person is told that everything has ended.
 */
export const onStop = stopped.add;
/** Calls a listener as a pause begins, that of a stop too: end what goes on between calls. What it returns is awaited as well. */
export const onPause = pausing.add;
/**
 * Calls a listener in the moment in which one client is stopped alone: end what goes on for it, and between its calls too. What
 * the listener returns is awaited as well.
 */
export const onClientStop = clientStopped.add;
/** Calls a listener after each pause, stop and resumption. */
export const onPauseChange = changed.add;

/**
 * Notes which calls the stop that goes on just now has ended, for the person.
 * @param {string[]} clients the name of the client of each call
 */
export function noteEnded(clients) {
  const ended = state.pause?.ended;
  if (!ended) return;
  ended.calls += clients.length;
  ended.clients = [...new Set([...ended.clients, ...clients])];
}

/**
 * Notes how many calls the stop of one client has ended, and the tabs it worked in: a page there that was frozen asks later.
 * @param {string} clientId @param {number} calls @param {number[]} tabIds
 */
export function noteEndedOf(clientId, calls, tabIds) {
  const stop = stoppedClients.get()[clientId];
  if (!stop) return;
  stop.calls += calls;
  for (const tabId of tabIds) stoppedTabs.get()[tabId] = Date.now();
}

const RESUME = "Only they can resume, in the extension's window in the browser (its button in the toolbar)";
const ENDED = "Recordings, captures, routes and emulations have ended";

/**
 * Throws stopped_by_user while the person has paused everything, or stopped this client. Call it after `pauseKnown` and `ready`.
 * @param {string} method
 * @param {string} clientId
 */
export function assertRunning(method, clientId) {
  const pause = state.pause ?? stopOfClient(clientId);
  if (!pause || METHODS[method]?.always) return;
  const { since } = pause;
  const did = state.pause ? (state.pause.cause === "stopped" ? "stopped everything" : "paused Tabwire") : "stopped you";
  throw new TabwireError(
    "stopped_by_user",
    `the person at the browser has ${did}: ${method} was refused ` +
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
 * Error for a call that a stop has ended.
 * @param {string} method
 * @param {Progress} progress
 * @param {{tabId: number, url: string, title: string}|null} now  where its tab is
 */
export function stoppedError(method, progress, now) {
  const { says, begun } = PROGRESS[progress];
  const sight = now ? ` Tab ${now.tabId} now shows ${now.url.slice(0, 300)}.` : "";
  return new TabwireError(
    "stopped_by_user",
    `the person at the browser stopped ${state.pause ? "everything" : "you"} while ${method} was under way; ${says}.${sight} ` +
    `Do not repeat it: ask them how to go on. ` +
      `All calls are refused until they resume. ${RESUME}. ${ENDED}`,
    { cause: "stopped", begun, method, ...(now && { now }) },
  );
}

/** @param {Stored} next */
function keep(next) {
  state = next;
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
  // A second press adds to the first one.
  const before = state.pause?.cause === "stopped" ? state.pause : null;
  const ended = before?.ended ?? { calls: 0, clients: [] };
  // New calls are refused from here on, before any running one is ended.
  keep({ pause: { cause: "stopped", since: before?.since ?? at, ended }, stoppedAt: at });
  const stop = new TabwireError("stopped_by_user", "the person at the browser stopped everything");
  const works = [...stopped.emit(stop), ...pausing.emit()];
  await Promise.all([change(state), pauseKnown, allEnded(works)]);
  return { ...toldOf(), ms: Math.round(performance.now() - began) };
}

/** @param {{clientId: string}} client */
async function stopClient({ clientId }) {
  await ready;
  stoppedClients.get()[clientId] ??= { since: Date.now(), calls: 0 };
  const stop = new TabwireError("stopped_by_user", "the person at the browser stopped this client");
  const works = clientStopped.emit(clientId, stop);
  changed.emit();
  await Promise.all([stoppedClients.save(), stoppedTabs.save(), allEnded(works)]);
  return { stop: stopOfClient(clientId) };
}

/** @param {{clientId: string}} client */
async function resumeClient({ clientId }) {
  await ready;
  delete stoppedClients.get()[clientId];
  changed.emit();
  await stoppedClients.save();
  return { stop: null };
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
 * Requests of the extension's own pages, each answered with {paused: boolean, cause?: "stopped"|"paused", since?: epoch ms,
 * ended?: Ended}:
 * - {type: "stop"}: ends everything under way for all clients and pauses; `ms` in the answer says how long that took.
 * - {type: "pause"}: refuses everything new; calls under way end by themselves. No change when it is stopped already.
 * - {type: "resume"}: the one way on.
 * - {type: "pauseState"}: how it stands.
 * For one client: {type: "stopClient", clientId} ends what goes on for it and refuses everything new of it;
 * {type: "resumeClient", clientId} is the one way on. Both answer with {stop: ClientStop|null}.
 */
answerUi({
  stop,
  pause,
  resume,
  stopClient,
  resumeClient,
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
  Promise.all([pauseKnown, ready]).then(() =>
    sendResponse({ stopped: Math.max(state.stoppedAt, stoppedTabs.get()[sender.tab?.id ?? -1] ?? 0) >= since }));
  return true;
});
