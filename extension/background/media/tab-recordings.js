/*
 * Recordings: what is known of them and which one a call means. They outlive the worker, as their frames do.
 */
import { invalid, TabwireError } from "../base/errors.js";
import { persistedEntries, ready } from "../base/state.js";
import { resolveTab } from "../tabs/targets.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./frame-picture.js").Size} Size */
/**
 * @typedef {object} Recording
 * @property {string} id
 * @property {number} tabId
 * @property {string} clientId
 * @property {"fixed_fps"|"auto_capture"} mode
 * @property {"gif"|"webm"} format
 * @property {number} fps
 * @property {number} max_duration  ms
 * @property {number} max_frames
 * @property {Size} bounds
 * @property {{click_indicators: boolean, drag_paths: boolean, action_labels: boolean}} overlays
 * @property {string} [save_path]
 * @property {number} startedAt  epoch ms
 * @property {number} frames
 * @property {number} bytes
 * @property {number} repeated   frames that show the picture before, because the tab gave none
 * @property {number} missed     frames that were due while another one was taken
 * @property {Size|null} size    of the frames; null before the first
 * @property {string|null} ended why it takes no more frames
 * @property {number} endedAt
 */

const ALL_OVERLAYS = { click_indicators: true, drag_paths: true, action_labels: true };

/** @type {ReturnType<typeof persistedEntries<Recording>>} */
const stored = persistedEntries("recording.");
/** Recordings by id, oldest first. Every act asks for them: a look into the storage would cost. @type {Map<string, Recording>} */
const known = new Map();

/** Resolves when the recordings of an earlier worker are known. */
export const recordingsKnown = ready.then(() => { for (const [id, recording] of stored.entries()) known.set(id, recording); });

/** @returns {Recording[]} oldest first */
export const allRecordings = () => [...known.values()];

/** @param {Recording} recording */
export function save(recording) {
  known.set(recording.id, recording);
  return stored.set(recording.id, recording);
}

/** @param {string} id */
export function remove(id) {
  known.delete(id);
  return stored.remove([id]);
}

/**
 * Frames that a recording at a fixed rate, which has ended, still owed: the last one that was due, where it has none, and those
 * between it and the end.
 * @param {Pick<Recording, "fps"|"max_duration"|"startedAt"|"endedAt">} recording @param {number} due ms after the start
 * @param {boolean} isKept whether it has the last one
 */
export function owedAtEnd({ fps, max_duration, startedAt, endedAt }, due, isKept) {
  // The end may come late; a frame that is due with it is none of the recording's.
  const steps = (Math.min(endedAt - startedAt, max_duration) - due) * fps / 1000;
  return steps > 0 ? Math.ceil(steps) - Number(isKept) : 0;
}

/** @param {number} tabId @returns {Recording|undefined} the one that goes on */
export function activeIn(tabId) {
  for (const recording of known.values()) if (recording.tabId === tabId && !recording.ended) return recording;
  return undefined;
}

/**
 * @param {import("../base/protocol-types").MediaRecordParams} params
 * @param {CallContext} call  its tab is the one to record
 * @returns {Recording}
 */
export function newRecording(params, call) {
  const { mode, format, fps, max_duration, max_frames, width, height } = params;
  return {
    id: crypto.randomUUID(),
    tabId: /** @type {number} */ (call.tab?.id),
    clientId: call.client.id,
    mode, format, fps, max_duration, max_frames,
    bounds: { width, height },
    overlays: params.overlays ?? ALL_OVERLAYS,
    ...(params.save_path === undefined ? {} : { save_path: params.save_path }),
    startedAt: Date.now(),
    frames: 0,
    bytes: 0,
    repeated: 0,
    missed: 0,
    size: null,
    ended: null,
    endedAt: 0,
  };
}

/**
 * The recording a call means: that of the tab it names; else the only one of the client that goes on, or the one of its
 * current tab; else the one that ended last.
 * @param {{tabId?: number}} params
 * @param {CallContext} call
 * @returns {Promise<Recording|null>}
 */
export async function findRecording(params, { client }) {
  if (params.tabId !== undefined) {
    const there = allRecordings().filter(({ tabId }) => tabId === params.tabId);
    const own = there.findLast(({ clientId }) => clientId === client.id);
    if (!own && there.some(({ ended }) => !ended)) throw takenError(params.tabId);
    return own ?? null;
  }
  const own = allRecordings().filter(({ clientId }) => clientId === client.id);
  const active = own.filter(({ ended }) => !ended);
  if (active.length < 2) return active[0] ?? own.sort((a, b) => b.endedAt - a.endedAt)[0] ?? null;
  const tab = await resolveTab({}, client).catch(() => null);
  const here = active.find(({ tabId }) => tabId === tab?.id);
  if (here) return here;
  throw invalid(`the tabs ${active.map(({ tabId }) => tabId).join(", ")} are being recorded; name one with tabId`);
}

/** @param {number} tabId */
export const takenError = (tabId) =>
  new TabwireError("tab_leased", `another client records tab ${tabId}; wait until it has stopped, or record another tab`);

/** @param {{tabId?: number}} params */
export const noRecording = ({ tabId }) => invalid(
  `${tabId === undefined ? "nothing is" : `tab ${tabId} is not`} being recorded; begin with action start`);

/**
 * Description of a recording for a client.
 * @param {Recording} recording
 */
export function described({ ended, endedAt, tabId, mode, format, frames, startedAt, size }) {
  return {
    recording: !ended,
    ...(ended ? { ended, next: "call stop to save it" } : {}),
    tab: tabId,
    mode,
    format,
    frames,
    elapsed_ms: (endedAt || Date.now()) - startedAt,
    ...size,
  };
}
