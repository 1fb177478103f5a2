/*
 * Recording a tab: takes the frames, at regular times or after each act, until it is stopped or a limit is reached. What
 * becomes of the frames is the bridge's business.
 */
import { getOrMake } from "../base/maps.js";
import { describeAct } from "./act-descriptions.js";
import { ownCall } from "../rules/call-parts.js";
import { makeQueue } from "../base/turns.js";
import { RECORDING, startCast, stopCast, whileRecast } from "../debugger/casts.js";
import { captureView, settled } from "./screenshot.js";
import { declarePurpose, hold, release } from "../debugger/holds.js";
import { isAttached, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { actEnded } from "../base/acts.js";
import { invalid, notPermitted, TabwireError, timedOut } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { toFrame } from "./frame-picture.js";
import { dropFrames, framesFrom, keepFrame, keptRecordings } from "./frame-store.js";
import { toBase64 } from "../debugger/base64.js";
import { pressesKnown, startTrace, stopTrace, tracePointer } from "./pointer-trace.js";
import {
  activeIn, allRecordings, described, findRecording, newRecording, noRecording, owedAtEnd, recordingsKnown, remove, save,
  takenError,
} from "./tab-recordings.js";
import { mayTell } from "../rules/addresses.js";
import { framesNotToRead } from "../rules/permissions.js";
import { leaveUnmarked, mark, withdrawSigns } from "../page/page-marks.js";
import { onClientStop, onPause } from "../rules/stop.js";
import { resolveTab, withDocument } from "../tabs/targets.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./frame-picture.js").Mark} Mark */
/** @typedef {import("./frame-picture.js").ClickMark} ClickMark */
/** @typedef {import("./tab-recordings.js").Recording} Recording */
/** @typedef {import("../base/protocol-types").MediaRecordParams} Params */

const CAPTURE_LIMIT_MS = 3_000;
const RELEASE_LIMIT_MS = 5_000;
const MAX_BYTES = 300_000_000;
const BATCH_BYTES = 8_000_000;
/** Largest distance between the press and the release of a click; more is a drag. */
const CLICK_PX = 6;
/** Times for which marks are shown at a fixed rate. */
const SHOWN_MS = { click: 700, drag: 1_200, label: 1_500, annotation: 1_500 };
const OVERLAY = /** @type {const} */ ({ click: "click_indicators", drag: "drag_paths", label: "action_labels" });
/** Recordings nobody saved are forgotten after this. */
const FORGET_MS = 10 * 60_000;

/** State of a recording in the live worker. */
class Work {
  constructor() {
    /** Frames are taken one after the other. */
    this.inTurn = makeQueue();
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {import("./picture.js").Encoded|null} */
    this.last = null;
    /** Mark of the place where the button went down. @type {ClickMark|null} */
    this.down = null;
    /** Time of the next frame at a fixed rate, ms after the start. */
    this.due = 0;
    /** Number of frames before it. */
    this.before = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.tick = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.limit = undefined;
    /** Stops listening to acts. */
    this.leave = () => {};
  }
}

/** @type {Map<string, Work>} */
const works = new Map();

/** @param {Recording} recording @returns {Work} */
const workOf = ({ id }) => getOrMake(works, id, () => new Work());

/**
 * Takes a frame when the ones before are done.
 * @param {Recording} recording
 * @returns {Promise<void>}
 */
function takeFrame(recording) {
  const work = workOf(recording);
  return work.inTurn(() => (recording.ended ? undefined : takeNow(recording, work)));
}

/** @param {Recording} recording @param {Work} work @returns {Promise<void>} */
async function takeNow(recording, work) {
  if (isOver(recording)) return end(recording, "max_duration");
  const at = Date.now() - recording.startedAt;
  const picture = await pictureOf(recording, work);
  if (!picture || recording.ended) return;
  await pressesKnown(recording.tabId);
  const { bytes, size } = await toFrame(picture, recording, dueMarks(recording, work));
  if (recording.ended) return;
  try {
    await keepFrame(recording.id, recording.frames, { at, bytes });
  } catch (error) {
    console.error("tabwire: a frame could not be kept", error);
    return end(recording, "storage_full");
  }
  recording.size = size;
  recording.frames += 1;
  recording.bytes += bytes.byteLength;
  await save(recording);
  if (recording.frames >= recording.max_frames) await end(recording, "max_frames");
  else if (recording.bytes >= MAX_BYTES) await end(recording, "max_size");
}

/** @param {Recording} recording */
const isOver = ({ startedAt, max_duration }) => Date.now() - startedAt >= max_duration;

/** A recording leaves out what the tab shows of sites that are not allowed. @param {number} tabId */
async function showsBarred(tabId) {
  const { url = "" } = await chrome.tabs.get(tabId);
  return !mayTell(url, tabId) || (await framesNotToRead(tabId)).length > 0;
}

/**
 * Takes a picture of what the tab shows; returns the last one where nothing new is shown, as behind a dialog.
 * @param {Recording} recording @param {Work} work
 */
async function pictureOf(recording, work) {
  const { tabId } = recording;
  try {
    if (await showsBarred(tabId)) throw notPermitted("what the tab shows must not be read");
    if (pendingDialog(tabId)) throw new TabwireError("dialog_pending", "a dialog is open");
    const picture = await withDebugger(tabId, ownCall(recording.clientId, 2 * CAPTURE_LIMIT_MS), (send) =>
      whileRecast(send, captureView(send, CAPTURE_LIMIT_MS)),
    );
    if (!await showsBarred(tabId)) work.last = picture;
  } catch {
    recording.repeated += 1;
  }
  return work.last;
}

/** The marks of the frame to take. @param {Recording} recording @param {Work} work */
function dueMarks({ mode, overlays }, work) {
  const now = Date.now();
  const isDue = (/** @type {Mark} */ { kind, at }) =>
    mode === "auto_capture" || kind === "annotation" || now - at < SHOWN_MS[kind];
  const due = work.marks.filter((mark) => isDue(mark) && (mark.kind === "annotation" || overlays[OVERLAY[mark.kind]]));
  work.marks = mode === "auto_capture" ? [] : due.filter((mark) => now - mark.at < SHOWN_MS[mark.kind]);
  // A line has room for one text: the newest.
  const texts = new Map(due.filter(({ kind }) => kind === "label" || kind === "annotation").map((mark) => [mark.kind, mark]));
  return [...due.filter(({ kind }) => !texts.has(kind)), ...texts.values()];
}

/** @param {Recording} recording */
function arm(recording) {
  const work = workOf(recording);
  const left = recording.startedAt + recording.max_duration - Date.now();
  work.limit = setTimeout(() => end(recording, "max_duration"), Math.max(0, left));
  if (recording.mode === "fixed_fps") tickOn(recording, work);
}

/**
 * The next full step from now: what was missed while a frame was taken is left out.
 * @param {Recording} recording @param {Work} work
 */
function tickOn(recording, work) {
  const step = 1000 / recording.fps;
  const elapsed = Date.now() - recording.startedAt;
  const next = (Math.floor(elapsed / step) + 1) * step;
  if (work.due) recording.missed += Math.round((next - work.due) / step) - 1;
  work.due = next;
  work.before = recording.frames;
  work.tick = setTimeout(async () => {
    await takeFrame(recording).catch(() => {});
    if (!recording.ended) tickOn(recording, work);
  }, next - elapsed);
}

/** @param {Recording} recording that begins, or goes on in this worker */
function follow(recording) {
  leaveUnmarked(recording.tabId);
  workOf(recording).leave = actEnded.add(recording.tabId, (act) => {
    workOf(recording).marks.push({ kind: "label", text: describeAct(act), at: Date.now() });
    return recording.mode === "auto_capture" ? takeFrame(recording) : undefined;
  });
}

tracePointer((tabId) => activeIn(tabId) !== undefined, ({ tabId, kind, x, y, ratio, at }) => {
  const recording = activeIn(tabId);
  if (!recording) return;
  const work = workOf(recording);
  if (kind === "down") {
    work.down = { kind: "click", x, y, ratio, at };
    work.marks.push(work.down);
    return;
  }
  const { down } = work;
  work.down = null;
  if (!down || Math.hypot(x - down.x, y - down.y) <= CLICK_PX) return;
  work.marks = [...work.marks.filter((mark) => mark !== down), { ...down, kind: "drag", toX: x, toY: y, at }];
});

/** Takes no more frames; the debugger is let go. @param {Recording} recording @param {string} reason */
async function end(recording, reason) {
  if (!finish(recording, reason)) return;
  await release(recording.tabId, RECORDING, ownCall(recording.clientId, RELEASE_LIMIT_MS)).catch(() => {});
}

/** @param {Recording} recording @param {string} reason */
function finish(recording, reason) {
  if (recording.ended) return false;
  recording.ended = reason;
  recording.endedAt = Date.now();
  const work = workOf(recording);
  if (work.due) recording.missed += owedAtEnd(recording, work.due, recording.frames > work.before);
  clearTimeout(work.tick);
  clearTimeout(work.limit);
  work.leave();
  mark(recording.tabId);
  void save(recording);
  void stopTrace(recording.tabId);
  return true;
}

/** @param {string} id */
async function forget(id) {
  works.delete(id);
  await remove(id);
  await dropFrames(id);
}

// A recording that a pause or a stop has ended can still be fetched when the person has resumed.
const endAll = (/** @type {Recording[]} */ recordings) =>
  Promise.all(recordings.map((recording) => end(recording, "stopped_by_user")));
onPause(() => endAll(allRecordings()));
onClientStop((stopped) => endAll(allRecordings().filter(({ clientId }) => clientId === stopped)));

declarePurpose(RECORDING, {
  async undo(tabId, send) {
    await stopCast(send);
    // An active recording was not ended by us: the client has left, and nobody will ask for the frames.
    const recording = activeIn(tabId);
    if (recording && finish(recording, "client_left")) await forget(recording.id);
  },
  ended(tabId, reason) {
    const recording = activeIn(tabId);
    if (recording) finish(recording, reason === "target_closed" ? "tab_closed" : "debugger_detached");
  },
});

/** Drops what nobody can or will ask for. */
async function purge() {
  for (const { id, ended, endedAt } of allRecordings()) if (ended && Date.now() - endedAt > FORGET_MS) await forget(id);
  const known = new Set(allRecordings().map(({ id }) => id));
  for (const id of await keptRecordings()) if (!known.has(id)) await dropFrames(id);
}

/** @param {Recording} recording */
function resume(recording) {
  follow(recording);
  arm(recording);
}

// A worker that was ended goes on with what it recorded.
recordingsKnown.then(() => { for (const recording of allRecordings()) if (!recording.ended) resume(recording); });
chrome.runtime.onStartup.addListener(() => { recordingsKnown.then(purge); });

/** @param {Params} params @param {CallContext & {tab: chrome.tabs.Tab & {id: number}}} call */
async function start(params, call) {
  const { tab } = call;
  const before = allRecordings().findLast(({ tabId }) => tabId === tab.id);
  if (before && !before.ended && before.clientId !== call.client.id) throw takenError(tab.id);
  if (before && before.clientId === call.client.id) {
    throw invalid(before.ended
      ? `the last recording of tab ${tab.id} has ended (${before.ended}) and is not saved: call stop first`
      : `tab ${tab.id} is being recorded; call stop first`);
  }
  await purge();
  const wasAttached = isAttached(tab.id);
  await withdrawSigns(tab.id);
  const recording = newRecording(params, call);
  const work = workOf(recording);
  try {
    await hold(tab.id, RECORDING, call, async (send) => {
      await startCast(send);
      if (!wasAttached) await settled(call);
      follow(recording);
      await save(recording);
      await startTrace(tab.id);
      annotate(recording, params);
      // The film begins with its first picture.
      recording.startedAt = Date.now();
      await takeFrame(recording);
      if (!work.last)
        throw timedOut(
          "the tab gives no picture: its page is blocked by a dialog, or its window is minimised; " +
            "answer the dialog, or show the tab with tab_switch",
        );
    });
  } catch (error) {
    finish(recording, "failed");
    await forget(recording.id);
    throw error;
  }
  if (!recording.ended) arm(recording);
  return described(recording);
}

/** @param {Recording} recording @param {Params} params */
function annotate(recording, { annotation }) {
  if (annotation) workOf(recording).marks.push({ kind: "annotation", text: annotation, at: Date.now() });
}

/** @param {Params} params @param {CallContext} call */
async function captureFrame(params, call) {
  const recording = await wanted(params, call);
  if (recording.ended)
    throw invalid(`the recording has ended (${recording.ended}); call stop to save it`);
  annotate(recording, params);
  await takeFrame(recording);
  return described(recording);
}

/** @param {Params} params @param {CallContext} call */
async function status(params, call) {
  const recording = await findRecording(params, call);
  return recording ? described(recording) : { recording: false };
}

/** @param {Params} params @param {CallContext} call */
async function stop(params, call) {
  const recording = await wanted(params, call);
  await workOf(recording).inTurn(() => {});
  await end(recording, "stopped");
  const { id, frames: count, mode, fps, format, size, ended, startedAt, endedAt, save_path: path } = recording;
  const note = shortcomings(recording);
  return {
    recording: id,
    frames: count,
    mode, fps, format,
    elapsed_ms: endedAt - startedAt,
    ...size,
    ...(path === undefined ? {} : { save_path: path }),
    ...(ended === "stopped" ? {} : { ended: /** @type {string} */ (ended) }),
    ...(note ? { note } : {}),
  };
}

/** @param {Recording} recording */
function shortcomings({ frames: count, repeated, missed, fps }) {
  return joinNotes(
    repeated ? `${repeated} frames repeat the one before, because the tab gave no new picture` : "",
    missed ? `${missed} of ${missed + count} frames were left out: the browser gave fewer than ${fps} pictures a second` : "",
  );
}

/** @param {Params} params @param {CallContext} call @returns {Promise<Recording>} */
async function wanted(params, call) {
  const recording = await findRecording(params, call);
  if (!recording) throw noRecording(params);
  return recording;
}

const ACTIONS = /** @satisfies {Record<Params["action"], (params: Params, call: CallContext) => Promise<object>>} */ ({
  async start(params, call) {
    call.target.aim(await withDocument(await resolveTab(params, call.client, { act: true }), call.signal));
    return start(params, /** @type {Parameters<typeof start>[1]} */ (call));
  },
  stop,
  capture_frame: captureFrame,
  status,
});

export const record = Object.assign(
  (/** @type {Params} */ params, /** @type {CallContext} */ call) => ACTIONS[params.action](params, call),
  { reaches: recorded },
);

/** @param {Params} params @param {CallContext} call @returns {Promise<import("../../types").Reached[]>} */
async function recorded(params, call) {
  if (params.action !== "start") return [];
  const { url = "" } = await resolveTab(params, call.client, { act: true });
  return [{ address: url, effect: "read" }];
}

/** @param {{recording: string, start: number}} params */
export async function frames({ recording, start: first }) {
  const found = await framesFrom(recording, first, BATCH_BYTES);
  if (!found.length) throw new TabwireError("unknown_error", "the frames of this recording are gone; record again");
  return { frames: found.map(({ at, bytes }) => ({ at, data: toBase64(new Uint8Array(bytes)) })) };
}

/** @param {{recording: string}} params */
export async function discard({ recording }) {
  await forget(recording);
  return {};
}
