/*
 * Dragging an element or a point to another, with the trusted pointer or by DOM events.
 */
import { between, passAlong } from "./pointer-path.js";
import { dispatchMouse, isNear, move, preparePlace, toTopPoint } from "./pointer.js";
import { fire } from "./dom-input.js";
import { whileDrawn } from "./drawn-tab.js";
import { unseen } from "./press-outcome.js";
import { armFrame, armFramesBelow, verdict } from "./press-verdict.js";
import { intercepted, prepare, tabIdOf } from "../page/element-lookup.js";
import { unsupported } from "../base/errors.js";
import { pause } from "../base/deadline.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {{where: Located|null, point?: Point}} End  an element, or a point */
/** @typedef {import("../page/element-lookup.js").PrepareOptions} PrepareOptions */
/**
 * frameId: of ends that are points; hold, holdAtTarget: ms before the first move and before the release; path: points of the
 * source's frame that it passes
 * @typedef {{source: End, target: End, frameId: number, steps: number, hold: number, holdAtTarget: number, until: number,
 *   path: import("./pointer-path.js").PassedPoint[]}} Drag
 */

/** Libraries start a drag from timers: some want the button held for a moment, some want time after the first move. */
const HOLD_MS = 60;
const DRAG_PAUSE_MS = 40;
const NUDGES_PX = [2, 5];
const SOURCE_CHECKS = ["visible", "stable", "receives"];
/** The target may be covered while it is dragged to: by what is dragged, or by a veil that takes the drop. */
const TARGET = { checks: ["receives"], force: true, until: 0 };
/** Lists that are sorted by hand make room when the middle of an item has been passed. */
const PAST_MIDDLE_PX = 4;

/** Distance that the pointer goes beyond its target and back before the button is released, in px. @param {End} target */
const pastOf = ({ where }) => (where ? PAST_MIDDLE_PX : 0);

const pointOf = (/** @type {End} */ { point }) => /** @type {Point} */ (point);

/**
 * Place of an end in its frame.
 * @param {CallContext} call @param {End} end @param {PrepareOptions} options
 * @returns {Promise<Point>}
 */
const framePoint = async (call, end, options) => (end.where ? (await prepare(call, end.where, options)).point : pointOf(end));

/**
 * Place of an end in the top viewport, once the frames around it show it.
 * @param {CallContext} call @param {End} end @param {number} frameId @param {PrepareOptions} options
 * @returns {Promise<Point>}
 */
const topPoint = async (call, end, frameId, options) =>
  (end.where ? (await preparePlace(call, end.where, options)).at : toTopPoint(call, frameId, pointOf(end)));

/**
 * Brings the target into view. An element that covers it may have been dropped there before: only the source has to be free.
 * @param {CallContext} call
 * @param {Drag} drag
 * @param {typeof preparePlace | typeof prepare} find  in view of the tab, or of its frame
 */
async function bringTargetNear(call, { target, until }, find) {
  if (!target.where) return;
  await prepare(call, target.where, { checks: ["visible", "stable"], until });
  await find(call, target.where, TARGET);
}

/**
 * Finds the source with the pointer on it: an element that the pointer has left may have closed and let the page move up.
 * @param {Send} send @param {CallContext} call @param {Drag} drag
 */
async function arriveAt(send, call, { source, frameId, until }) {
  const find = () => topPoint(call, source, frameId, { checks: SOURCE_CHECKS, until });
  let at = await find();
  while (source.where) {
    await move(send, at);
    const now = await find();
    if (isNear(at, now) || Date.now() >= until) return now;
    at = now;
  }
  return at;
}

/** The point `px` further on the way. @param {Point} from @param {Point} to @param {number} px */
function beyond(from, to, px) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x + ((to.x - from.x) / length) * px, y: to.y + ((to.y - from.y) / length) * px };
}

/**
 * Moves the dragged element to its target.
 * @param {Send} send @param {CallContext} call @param {Drag} drag @param {Point} from
 * @param {(at: Point) => void} arrived told before each step where the pointer is going
 */
async function carry(send, call, { source, target, frameId, steps, hold, holdAtTarget, path }, from, arrived) {
  const held = { button: "left", buttons: 1 };
  await pause(Math.max(HOLD_MS, hold), call.signal);
  // The browser starts a drag at the source, so that must still be under the pointer when the page scrolls to the target.
  // It does so after 3 px of the window, which are more CSS pixels in a page that is zoomed out.
  const zoom = Math.min(1, await chrome.tabs.getZoom(tabIdOf(call)));
  for (const px of NUDGES_PX) await move(send, { x: from.x + px / zoom, y: from.y + px / zoom }, held);
  let isUnderWay = false;
  const moveTo = async (/** @type {Point} */ at) => {
    arrived(at);
    await move(send, at, held);
    if (!isUnderWay) await pause(DRAG_PAUSE_MS, call.signal);
    isUnderWay = true;
  };
  const place = (/** @type {Point} */ point) => toTopPoint(call, source.where?.frame.frameId ?? frameId, point);
  const last = await passAlong(path, { from, place, moveTo, signal: call.signal }) ?? from;
  // Looked for only now: the page may scroll or make room.
  const to = await topPoint(call, target, frameId, TARGET);
  for (const at of between(last, to, Math.max(2, steps))) await moveTo(at);
  const past = pastOf(target);
  if (past) await move(send, beyond(last, to, past), held);
  // Sorted lists measure anew in a timer after they have made room.
  await pause(DRAG_PAUSE_MS, call.signal);
  await move(send, to, held);
  if (!holdAtTarget) return;
  await pause(holdAtTarget, call.signal);
  // What opens under a drag that rests takes the drop only after one more event.
  await move(send, to, held);
}

/** @param {CallContext} call @param {End} source an element */
const describe = async (call, { where }) =>
  (await prepare(call, /** @type {Located} */ (where), { checks: [], force: true, until: 0 })).description;

/**
 * Throws unless the source has got the press.
 * @param {CallContext} call @param {End} source
 */
async function assertTaken(call, { where }) {
  if (!where) return;
  const { reached, blocked_by: cover } = await verdict(call, where, { stays: true });
  if (reached) return;
  const description = await describe(call, { where });
  throw cover ? intercepted(description, cover) : unseen(description);
}

/**
 * Drags with the trusted pointer.
 * @param {Send} send @param {CallContext} call @param {Drag} drag
 */
export const dragByPointer = (send, call, drag) => whileDrawn(send, call, () => dragInTab(send, call, drag));

/** @param {Send} send @param {CallContext} call @param {Drag} drag */
async function dragInTab(send, call, drag) {
  // Bring the target near first, so that nothing has to scroll under a held button if both fit: where a page scrolls away
  // from the pointer, Chrome selects text up to it and scrolls the frame for that.
  await bringTargetNear(call, drag, preparePlace);
  const from = await arriveAt(send, call, drag);
  if (drag.source.where) await armFrame(call, drag.source.where);
  await Promise.all([move(send, from), drag.source.where && armFramesBelow(call, drag.source.where)]);
  await dispatchMouse(send, "mousePressed", from, { button: "left", buttons: 1, clickCount: 1 });
  let last = from;
  try {
    await assertTaken(call, drag.source);
    await carry(send, call, drag, from, (at) => { last = at; });
  } catch (error) {
    if (call.signal.aborted) {
      // Let go where it was taken: nothing is dropped on the way.
      last = from;
      await send("Input.cancelDragging").catch(() => {});
    }
    throw error;
  } finally {
    await dispatchMouse(send, "mouseReleased", last, { button: "left", buttons: 0, clickCount: 1 });
  }
  return {};
}

/**
 * Drags by DOM events.
 * @param {CallContext} call @param {Drag} drag
 */
export async function dragByEvents(call, drag) {
  const { source, target, frameId, steps, hold, holdAtTarget, path, until } = drag;
  if (source.where && target.where && source.where.frame.frameId !== target.where.frame.frameId) {
    throw unsupported("DOM events cannot drag between frames, and the debugger could not be used; drag within one frame");
  }
  await bringTargetNear(call, drag, prepare);
  const from = await framePoint(call, source, { checks: SOURCE_CHECKS, until });
  const to = await framePoint(call, target, TARGET);
  const fields = { from, via: path, to, steps, past: pastOf(target), hold, hold_at_target: holdAtTarget };
  const { blocked_by: cover } = await fire(call, source.where?.frame ?? target.where?.frame ?? { frameId }, "input.drag", {
    ...(source.where && { target: { ref: source.where.local } }), ...fields,
  });
  if (cover) throw intercepted(await describe(call, source), cover);
  return {};
}
