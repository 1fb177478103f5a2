/*
 * Trusted pointer input. The page is asked where the element is just before the press, and a guard in the page stops
 * the press when something else would get it.
 */
import { pause } from "../base/deadline.js";
import { said, TabwireError } from "../base/errors.js";
import { call as callPage, callAll, frameOffset } from "../page/content-calls.js";
import { pointAt } from "../page/page-marks.js";
import { holding } from "./typing.js";
import { parseKeys } from "./keys.js";
import { untilReplaced } from "../page/replaced-documents.js";

/** @typedef {import("./attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{frame: {frameId: number, documentId: string}, local: number, ref: string}} Located */

const BUTTON_MASKS = { left: 1, right: 2, middle: 4 };
const SAME_PLACE_PX = 1;
const REPLY_MARGIN_MS = 200;
/** Libraries start a drag from timers: some want the button held for a moment, some want time after the first move. */
const HOLD_MS = 60;
const DRAG_PAUSE_MS = 40;
const NUDGES_PX = [2, 5];
const GONE = new Set(["stale_element_reference", "no_such_frame"]);

/**
 * The moment until which an act may wait for its element.
 * @param {{timeout?: number}} params
 * @param {CallContext} call
 * @returns {number} epoch ms
 */
export function patienceOf({ timeout = 5000 }, call) {
  return Math.min(Date.now() + timeout, call.deadline - REPLY_MARGIN_MS);
}

/**
 * Waits in the page until the element is fit for the act.
 * @param {CallContext} call
 * @param {Located} where
 * @param {{checks: string[], force?: boolean, until: number}} options
 * @param {string} [name] the function of the page
 * @returns {Promise<{point: Point, description: string, viewport: {width: number, height: number}, beyond?: "user"|"dialog"|"native"}>}
 */
export function prepare(call, { frame, local }, { checks, force = false, until }, name = "actionability.prepare") {
  const timeout_ms = Math.max(0, until - Date.now());
  return callPage(call.tab.id, frame, name, { target: { ref: local }, checks, force, timeout_ms }, call);
}

/**
 * A point of a frame's viewport as the debugger wants it: in CSS pixels of the top viewport, whatever the zoom.
 * @param {CallContext} call
 * @param {number} frameId
 * @param {Point} point
 * @returns {Promise<Point>}
 */
export async function toTopPoint(call, frameId, point) {
  const { x, y, scale } = await frameOffset(call.tab.id, frameId, call);
  const at = { x: x + point.x * scale, y: y + point.y * scale };
  pointAt(call.tab.id, at);
  return at;
}

function mouseEvent(type, { x, y }, extra = {}) {
  return { type, x, y, pointerType: /** @type {const} */ ("mouse"), ...extra };
}

/**
 * Moves the pointer.
 * @param {Send} send
 * @param {Point} at
 * @param {{buttons?: number, modifiers?: number, button?: string}} [held]
 */
export function move(send, at, held = {}) {
  return send("Input.dispatchMouseEvent", mouseEvent("mouseMoved", at, { button: "none", buttons: 0, ...held }));
}

/**
 * Moves the pointer and waits until the page has been told. Chrome holds a move back until the next frame unless an event
 * of another kind follows: the release of no button, which no page sees.
 * @param {Send} send
 * @param {Point} at
 * @param {number} bits the modifiers
 */
async function arrive(send, at, bits) {
  const nothing = mouseEvent("mouseReleased", at, { button: "none", buttons: 0, modifiers: bits });
  await Promise.all([move(send, at, { modifiers: bits }), send("Input.dispatchMouseEvent", nothing)]);
}

/**
 * Presses and releases a button, `count` times. All of it is sent at once: a button cannot stay down behind a dialog that
 * a press opens.
 * @param {Send} send
 * @param {Point} at
 * @param {{button?: string, count?: number, bits?: number}} options
 */
async function press(send, at, { button = "left", count = 1, bits = 0 }) {
  const sent = [];
  for (let clickCount = 1; clickCount <= count; clickCount += 1) {
    const event = { button, clickCount, modifiers: bits };
    sent.push(send("Input.dispatchMouseEvent", mouseEvent("mousePressed", at, { ...event, buttons: BUTTON_MASKS[button] })));
    sent.push(send("Input.dispatchMouseEvent", mouseEvent("mouseReleased", at, { ...event, buttons: 0 })));
  }
  await Promise.all(sent);
}

const keysOf = (modifiers = []) => modifiers.map((name) => parseKeys(name, false).stroke);

/**
 * Clicks a point whatever is there.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Point} at
 * @param {{button?: string, count?: number, modifiers?: string[]}} options
 */
export function clickPoint(send, call, at, { button, count, modifiers }) {
  return holding(send, keysOf(modifiers), async (bits) => {
    if (button === "right") await callAll(call.tab.id, "input.keepMenuClosed", {}, call);
    await arrive(send, at, bits);
    await press(send, at, { button, count, bits });
  });
}

/** Whether two points are one to a pointer. @param {Point} a @param {Point} [b] */
export const isNear = (a, b) => Boolean(b) && Math.abs(a.x - b.x) <= SAME_PLACE_PX && Math.abs(a.y - b.y) <= SAME_PLACE_PX;

/** Sets the guard for the next press: in the element's frame, and in the others against a press that lands there. */
async function arm(call, { frame, local }) {
  if (frame.frameId !== 0) await callAll(call.tab.id, "input.arm", { target: null }, call);
  return callPage(call.tab.id, frame, "input.arm", { target: { ref: local } }, call);
}

/** What the guards of all frames saw. Throws once the frame of the element has another document. */
async function askFrames(call, { frameId }) {
  const listening = new AbortController();
  const left = untilReplaced(call.tab.id, frameId, listening.signal)
    .then(() => { throw new TabwireError("stale_element_reference", "the frame was replaced by a navigation; take a new snapshot", { cause: "navigated" }); });
  left.catch(() => {});
  try {
    return await Promise.race([callAll(call.tab.id, "input.verdict", {}, call), left]);
  } finally {
    listening.abort();
  }
}

/**
 * What the guard saw; a page that left has taken the press. The last word of an act brings its count along.
 * @param {CallContext} call
 * @param {Located} where
 * @param {boolean} [isLast]
 */
async function verdict(call, { frame }, isLast = false) {
  const { effects } = call;
  try {
    if (frame.frameId === 0) {
      const { counted, ...seen } = await callPage(call.tab.id, frame, "input.verdict", { ends: isLast && Boolean(effects?.hasOneFrame) }, call);
      if (counted) effects.counted = counted;
      return seen;
    }
    const answers = await askFrames(call, frame);
    const blocked = answers.find(({ value }) => value?.blocked_by);
    return blocked ? blocked.value : { blocked_by: null };
  } catch (error) {
    if (GONE.has(error.code) && (!effects?.onset || await effects.onset.hasBegunSoon())) return { blocked_by: null };
    throw error;
  }
}

/**
 * @param {string} description of the element
 * @param {string} cover what got, or would have got, the press
 */
export function intercepted(description, cover) {
  return new TabwireError("element_click_intercepted",
    `${said(description)} did not get the click: ${said(cover)} did, and the click was stopped. Close or move what covers it, or use force`);
}

/** Where to press, with the guard set. What changes from here on, as by the pointer's coming, the guard sees. */
async function guardedPlace(call, where, options) {
  if (where.frame.frameId === 0) {
    const { point, description } = await prepare(call, where, options, "input.aim");
    return { at: point, description };
  }
  for (;;) {
    const { point, description } = await prepare(call, where, options);
    const at = await toTopPoint(call, where.frame.frameId, point);
    const armed = await arm(call, where);
    if (isNear(point, armed.point) && isNear(at, await toTopPoint(call, where.frame.frameId, armed.point))) return { at, description };
    if (Date.now() < options.until) continue;
    await verdict(call, where);
    throw new TabwireError("timeout", `${said(description)} keeps moving. Use force to click all the same`);
  }
}

/** Where to press whatever is there. */
async function place(call, where, options) {
  const { point, description } = await prepare(call, where, options);
  return { at: await toTopPoint(call, where.frame.frameId, point), description };
}

/**
 * Clicks an element with trusted events.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Located} where
 * @param {{button?: string, count?: number, modifiers?: string[], force?: boolean, until: number, checks?: string[], isLast?: boolean}} options
 *   isLast: nothing of the act follows the click
 */
export function clickElement(send, call, where, options) {
  const checks = options.checks ?? ["visible", "enabled", "stable", "receives"];
  return holding(send, keysOf(options.modifiers), async (bits) => {
    for (;;) {
      const { at, description } = await (options.force ? place : guardedPlace)(call, where, { ...options, checks });
      if (options.force && options.button === "right") await callAll(call.tab.id, "input.keepMenuClosed", {}, call);
      await arrive(send, at, bits);
      if (!options.force) await callPage(call.tab.id, where.frame, "input.arrived", {}, call);
      await press(send, at, { ...options, bits });
      if (options.force) return { element: description };
      const { blocked_by: cover } = await verdict(call, where, options.isLast);
      if (!cover) return { element: description };
      if (Date.now() >= options.until) throw intercepted(description, cover);
    }
  });
}

/**
 * Moves the pointer onto an element.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Located} where
 * @param {{until: number}} options
 */
export async function hoverElement(send, call, where, { until }) {
  const { point, description } = await prepare(call, where, { checks: ["visible", "stable", "receives"], until });
  await move(send, await toTopPoint(call, where.frame.frameId, point));
  return { element: description };
}

/** The point `px` further on the way. */
function beyond(from, to, px) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x + ((to.x - from.x) / length) * px, y: to.y + ((to.y - from.y) / length) * px };
}

/**
 * Drags from one point to another.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Point} from
 * @param {() => Promise<Point>} findTarget asked when the button is down: the page may scroll or make room
 * @param {{steps: number, past?: number}} options past: px beyond the point and back, before the button is released
 */
export async function drag(send, call, from, findTarget, { steps, past = 0 }) {
  const held = { button: "left", buttons: 1 };
  await move(send, from);
  await send("Input.dispatchMouseEvent", mouseEvent("mousePressed", from, { ...held, clickCount: 1 }));
  let last = from;
  try {
    await pause(HOLD_MS, call.signal);
    // The browser starts a drag at the source, so that must still be under the pointer when the page scrolls to the target.
    for (const px of NUDGES_PX) await move(send, { x: from.x + px, y: from.y + px }, held);
    const to = await findTarget();
    for (let step = 1; step <= Math.max(2, steps); step += 1) {
      const share = step / Math.max(2, steps);
      last = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await move(send, last, held);
      if (step === 1) await pause(DRAG_PAUSE_MS, call.signal);
    }
    if (past) await move(send, beyond(from, to, past), held);
    // Sorted lists measure anew in a timer after they have made room.
    await pause(DRAG_PAUSE_MS, call.signal);
    await move(send, last, held);
  } catch (error) {
    if (call.signal.aborted) {
      // Let go where it was taken: nothing is dropped on the way.
      last = from;
      await send("Input.cancelDragging").catch(() => {});
    }
    throw error;
  } finally {
    await send("Input.dispatchMouseEvent", mouseEvent("mouseReleased", last, { button: "left", buttons: 0, clickCount: 1 }));
  }
}

/**
 * Turns the wheel.
 * @param {Send} send
 * @param {Point} at
 * @param {{dx: number, dy: number}} delta
 */
export function turnWheel(send, at, { dx, dy }) {
  return send("Input.dispatchMouseEvent", mouseEvent("mouseWheel", at, { deltaX: dx, deltaY: dy }));
}

