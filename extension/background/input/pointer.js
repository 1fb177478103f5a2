/*
 * Trusted pointer input. The page is asked where the element is just before the press, and a guard in the page stops
 * the press when something else would get it.
 */
import { callAll } from "../page/content-calls.js";
import { placeInShown, placeInTop } from "../page/frames.js";
import { whileDrawn } from "./drawn-tab.js";
import { howHeard } from "./heard-presses.js";
import { heard, outcomeOf, unpressed, unreachable, unseen } from "./press-outcome.js";
import { armFrame, armFramesBelow, isAlone, toldMeanwhile, verdict, verdictOn } from "./press-verdict.js";
import { goOnWith, onRedrawn } from "./replaced-target.js";
import { frameIn } from "./key-holder.js";
import { inPage, intercepted, locate, prepare, PRESS_CHECKS, tabIdOf, timeLeft } from "../page/element-lookup.js";
import { said, TabwireError, timedOut } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { pause, within } from "../base/deadline.js";
import { holding } from "./typing.js";
import { lend, onEvent } from "../debugger/attachment.js";
import { parseKeys } from "./keys.js";
import { pointAt } from "../page/page-marks.js";
import { isHeadless } from "../tabs/tab-facts.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {import("./dom-input.js").Press} Press */
/** @typedef {Press & {force?: boolean, until: number, isLast?: boolean}} ElementPress  isLast: the click ends the act */
/**
 * point: the same in the frame; slot: of the frame whose document gets the press
 * @typedef {{at: Point, point: Point, description: string, obstacle?: string, slot?: number|string}} Place
 */
/** @typedef {import("../page/element-lookup.js").PrepareOptions} PrepareOptions */

/** @type {Record<string, number>} */
const BUTTON_MASKS = { left: 1, right: 2, middle: 4 };
const SAME_PLACE_PX = 1;
/** Frames of other processes scroll one after the other. */
const SCROLL_MS = 500;
/** Chrome gives the pointer to the right frame within so long after frames were scrolled. */
export const ROUTING_MS = 250;
/** A machine that draws late gives it to the right frame, at a place where that frame was, for longer. */
const REDRAWING_MS = 2000;
/** Time kept back from the wait for a file chooser: what comes instead, and the answer. */
const CHOOSER_RESERVE_MS = 400;
export const SCROLL_PAUSE_MS = 10;
export const AIM = { name: "input.aim", checks: PRESS_CHECKS };
const KEPT_NOTE = "the browser's own controls took the press, of which the page hears nothing: look at what it changed";
const CHOOSER_NOTE = "it opened a file chooser, which was closed. Use upload on this element";

/**
 * A point of a frame's viewport as the debugger wants it: in CSS pixels of what the tab shows, whatever the zoom.
 * @param {CallContext} call
 * @param {number} frameId
 * @param {Point} point
 * @returns {Promise<Point>}
 */
export async function toTopPoint(call, frameId, point) {
  const { at, inPage } = await placeInTop(tabIdOf(call), frameId, point, call);
  pointAt(tabIdOf(call), inPage);
  return at;
}

/** @param {CallContext} call @param {Located} where @param {import("../page/element-lookup.js").Prepared} prepared */
const placeOf = (call, { frame: { frameId } }, { point, shown }) =>
  (frameId ? placeInTop(tabIdOf(call), frameId, point, call) : placeInShown(point, shown));

/**
 * An element fit for an act, and its place in what the tab shows. An element of a frame sees no more than that frame, so the
 * frames around it may have to be scrolled to it, and no event tells when frames of other processes have done so in a hidden tab.
 * @param {CallContext} call @param {Located} where @param {PrepareOptions} options
 * @param {string} [name] the function of the page
 * @returns {Promise<Place>}
 */
export async function preparePlace(call, where, options, name) {
  const limit = Math.max(options.until, Date.now() + SCROLL_MS);
  for (let { reveals } = options; ; reveals = true) {
    const prepared = await prepare(call, where, { ...options, reveals }, name);
    const { at, inPage, isInView } = await placeOf(call, where, prepared);
    pointAt(tabIdOf(call), inPage);
    if (isInView) return { ...prepared, at };
    if (Date.now() >= limit) {
      if (options.force) return { obstacle: "it is outside of the viewport", ...prepared, at };
      throw new TabwireError("element_not_interactable",
        `${said(prepared.description)} is outside of the viewport and cannot be scrolled into it; ` +
          "scroll the element around it first");
    }
    if (reveals) await pause(SCROLL_PAUSE_MS, call.signal);
  }
}

/**
 * @param {Send} send
 * @param {import("devtools-protocol").Protocol.Input.DispatchMouseEventRequest["type"]} type
 * @param {Point} at
 * @param {object} [extra]
 */
export const dispatchMouse = (send, type, { x, y }, extra) =>
  send("Input.dispatchMouseEvent", { type, x, y, pointerType: "mouse", ...extra });

/**
 * Moves the pointer.
 * @param {Send} send
 * @param {Point} at
 * @param {{buttons?: number, modifiers?: number, button?: string}} [held]
 */
export const move = (send, at, held) => dispatchMouse(send, "mouseMoved", at, { button: "none", buttons: 0, ...held });

/**
 * Moves the pointer and waits until the page has been told. Chrome holds a move back until the next frame unless an event
 * of another kind follows: the release of no button, which no page sees.
 * @param {Send} send
 * @param {Point} at
 * @param {number} bits the modifiers
 */
export async function arrive(send, at, bits) {
  const nothing = { button: "none", buttons: 0, modifiers: bits };
  await Promise.all([move(send, at, nothing), dispatchMouse(send, "mouseReleased", at, nothing)]);
}

/**
 * Presses and releases a button, `count` times. All of it is sent at once: a button cannot stay down behind a dialog that
 * a press opens. One that is held is released in any case.
 * @param {Send} send
 * @param {Point} at
 * @param {{button?: string, count?: number, hold?: number, bits: number, signal: AbortSignal}} options  hold: ms
 */
async function press(send, at, { button = "left", count = 1, hold = 0, bits, signal }) {
  const sent = [];
  for (let clickCount = 1; clickCount <= count; clickCount += 1) {
    const event = { button, clickCount, modifiers: bits };
    const down = dispatchMouse(send, "mousePressed", at, { ...event, buttons: BUTTON_MASKS[button] });
    sent.push(down);
    try {
      if (hold) await down.then(() => pause(hold, signal));
    } finally {
      sent.push(dispatchMouse(send, "mouseReleased", at, { ...event, buttons: 0 }));
    }
  }
  await Promise.all(sent);
}

/**
 * Holds the modifiers of a press while it is done.
 * @template T
 * @param {Send} send @param {string[]|undefined} modifiers @param {(bits: number) => Promise<T>} work
 * @returns {Promise<T>}
 */
const withModifiers = (send, modifiers, work) =>
  (modifiers?.length ? holding(send, modifiers.map((name) => parseKeys(name, false).stroke), work) : work(0));

/**
 * Keeps file choosers away: in a browser without a window, where no person could open or answer one, until the attachment rests;
 * elsewhere until `rest` is called.
 * @param {number} tabId @param {Send} send
 */
function keepChoosersAway(tabId, send) {
  if (isHeadless) return { kept: lend(tabId, "chooser", send), rest: () => {} };
  const set = (/** @type {boolean} */ enabled) => send("Page.setInterceptFileChooserDialog", { enabled });
  return { kept: set(true), rest: () => void set(false).catch(() => {}) };
}

/**
 * Keeps the browser's file chooser away while `work` runs: nobody could answer it.
 * @template T
 * @param {Send} send
 * @param {CallContext} call
 * @param {(send: Send) => Promise<T>} work gets commands that wait until the browser is ready for it
 * @param {number} [wait] ms for a chooser that the page opens late, as far as the call has them
 * @returns {Promise<{result: T, chooser: any}>} chooser: what the browser told about it, or null
 */
export async function withoutChooser(send, call, work, wait = 0) {
  /** @type {any} */
  let caught = null;
  let stop = () => {};
  const opened = new Promise((resolve) => {
    stop = onEvent(tabIdOf(call), (...[method, params]) =>
      method === "Page.fileChooserOpened" && resolve((caught = params)));
  });
  const { kept, rest } = keepChoosersAway(tabIdOf(call), send);
  try {
    const sendOnceKept = /** @type {Send} */ (async (method, ...params) => { await kept; return send(method, ...params); });
    const [result] = await Promise.all([work(sendOnceKept), kept]);
    if (wait && !caught) await within(opened, Math.max(0, Math.min(wait, call.remaining() - CHOOSER_RESERVE_MS)));
    return { result, chooser: caught };
  } finally {
    stop();
    rest();
  }
}

/**
 * Clicks a point whatever is there.
 * @param {Send} send
 * @param {CallContext} call
 * @param {{frameId: number, point: Point, options: Press}} what
 */
export async function clickPoint(send, call, { frameId, point, options }) {
  const at = await toTopPoint(call, frameId, point);
  const { chooser } = await withoutChooser(send, call, (ready) => withModifiers(ready, options.modifiers, async (bits) => {
    if (options.button && options.button !== "left") await callAll(tabIdOf(call), "input.withholdNative", {}, call);
    await whileDrawn(ready, call, async () => {
      await arrive(ready, at, bits);
      await press(ready, at, { ...options, bits, signal: call.signal });
    });
  }));
  return chooser ? { note: CHOOSER_NOTE } : {};
}

/** Whether two points are one to a pointer. @param {Point} a @param {Point} [b] */
export const isNear = (a, b) => b !== undefined && Math.abs(a.x - b.x) <= SAME_PLACE_PX && Math.abs(a.y - b.y) <= SAME_PLACE_PX;

/**
 * Finds the place to press and sets the guard, which sees all changes from here on, such as those that the pointer causes.
 * @param {CallContext} call @param {Located} where @param {PrepareOptions} options @returns {Promise<Place>}
 */
async function guardedPlace(call, where, options) {
  if (where.frame.frameId === 0) {
    const { point, shown, ...prepared } = await prepare(call, where, options, AIM.name);
    return { at: placeInShown(point, shown).at, point, ...prepared };
  }
  for (;;) {
    const { at, point, ...prepared } = await preparePlace(call, where, options);
    if (prepared.obstacle) return { at, point, ...prepared };
    const armed = await armFrame(call, where);
    const now = armed.point && (await toTopPoint(call, where.frame.frameId, armed.point));
    const isStill = now && isNear(point, armed.point) && isNear(at, now);
    if (isStill || (now && options.force)) return { at: now, point: armed.point, ...prepared };
    if (options.force) return { at, point, ...prepared, obstacle: "it keeps moving" };
    if (Date.now() < options.until) continue;
    await verdict(call, where);
    throw timedOut(`${said(prepared.description)} keeps moving. Look at the page, or click it by coordinates`);
  }
}

/**
 * blocked_by: what is over the element; has_come: whether its document has seen the pointer come there; is_elsewhere: whether it
 * has seen it elsewhere alone
 * @typedef {{blocked_by: string|null, has_moved?: boolean, has_come?: boolean, is_elsewhere?: boolean}} Arrival
 */

/**
 * Moves the pointer to a guarded place, and sets the guards of the frames around the element's own meanwhile.
 * @param {Send} send @param {CallContext} call @param {Located} where @param {Place} place @param {number} bits
 * @returns {Promise<Arrival>}
 */
async function arriveGuarded(send, call, where, { at, point }, bits) {
  const step = () => Promise.all([arrive(send, at, bits), armFramesBelow(call, where)]);
  const ask = () => inPage(call, where, "input.arrived", { point });
  const told = await toldMeanwhile(call, where, { name: "input.arriving", args: { target: { ref: where.local }, point } }, step);
  /** @type {Arrival} */
  let arrival = told ?? await ask();
  // Right after frames were scrolled, shown or hidden Chrome gives the pointer to another frame, and would give it the press.
  const began = isAlone(call) ? 0 : Date.now();
  const limit = () => began + (arrival.is_elsewhere ? REDRAWING_MS : ROUTING_MS);
  while (!arrival.blocked_by && arrival.has_come === false && Date.now() < limit()) {
    await pause(SCROLL_PAUSE_MS, call.signal);
    await arrive(send, at, bits);
    arrival = await ask();
  }
  // A second arrival tells the browser what is under the pointer now: the pointer has left an element that moved away.
  if (arrival.blocked_by) await arrive(send, at, bits);
  return arrival;
}

/**
 * Presses on an element, once: it is aimed at again only as long as the page has heard no press. `declined`: why none can reach
 * an element that is to be pressed without checks. `done`: where the press came to no click.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Located} where brought up to date when the page draws the element anew
 * @param {ElementPress} options
 * @returns {Promise<{element: string, ref?: string, note?: string, done?: string, declined?: string}>}
 */
export const pressElement = (send, call, where, options) =>
  withModifiers(send, options.modifiers, (bits) => onRedrawn(call, where, options.until, async (aimed) => {
    for (let reveals = false; ; reveals = where.frame.frameId !== 0) {
      const result = await pressOnce(send, call, where, { ...options, bits, aimed, reveals });
      if (result) return result;
    }
  }));

/**
 * @param {Send} send @param {CallContext} call @param {Located} where
 * @param {ElementPress & {bits: number, aimed: () => void, reveals: boolean}} options  reveals: scrolls to the element first
 * @returns {Promise<{element: string, note?: string, done?: string, declined?: string}|null>} null: the page heard no press
 */
async function pressOnce(send, call, where, options) {
  const { force, reveals, until, bits, aimed, count } = options;
  const place = await guardedPlace(call, where, { checks: AIM.checks, force, reveals, atWord: count === 2, until });
  const { description: element, obstacle } = place;
  aimed();
  if (obstacle) return { element, declined: unreachable(element, obstacle) };
  if (place.slot !== undefined) return pressInFrame(send, call, where, place, options);
  await call.observation?.starts;
  const arrival = await arriveGuarded(send, call, where, place, bits);
  if (arrival.blocked_by) {
    await verdict(call, where);
    return unheard(element, arrival.blocked_by, options, unpressed(element, arrival));
  }
  const pressed = () => press(send, place.at, { ...options, bits, signal: call.signal });
  const { is_kept: isKept, ...seen } = await verdictOn(call, where, options, pressed);
  const { blocked_by: cover, stops = [], replaced_by: successor, ...told } = seen;
  if (successor !== undefined) await goOnWith(call, where, successor);
  if (told.reached) return { element, ...await outcomeOf(call, where, told, cover) };
  if (isKept) return { element, note: KEPT_NOTE };
  if (!cover) throw unseen(element);
  const why = await howHeard(send, call, stops);
  if (why) throw heard(element, cover, why);
  return unheard(element, cover, options, intercepted(element, cover));
}

/**
 * Presses on the document in a frame element, which gets the press instead of the element itself.
 * @param {Send} send @param {CallContext} call @param {Located} where @param {Place} place
 * @param {ElementPress & {bits: number, aimed: () => void}} options
 * @returns {ReturnType<typeof pressOnce>}
 */
async function pressInFrame(send, call, where, { description: element, slot = 0 }, options) {
  const inner = await frameIn(call, where.frame, slot);
  if (!inner) {
    throw new TabwireError("frame_unreachable",
      `the document in ${said(element)} cannot be reached, so a press there could not be seen. Give coordinates`);
  }
  const page = await locate("html", { frameId: inner.frameId, timeout: timeLeft(options.until) }, call);
  const result = await pressOnce(send, call, page, { ...options, reveals: true });
  return result && { ...result, element };
}

/**
 * The result of a press of which the page has heard nothing: null while there is time to aim again.
 * @param {string} element @param {string} cover what got in the way @param {ElementPress} options
 * @param {TabwireError} error for the end of the time
 */
function unheard(element, cover, { force, until }, error) {
  if (force) return { element, declined: unreachable(element, `${said(cover)} got in its way`) };
  if (Date.now() >= until) throw error;
  return null;
}

/**
 * Clicks an element with trusted events.
 * @param {Send} send
 * @param {CallContext} call
 * @param {{where: Located, options: ElementPress}} what
 */
export async function clickElement(send, call, { where, options }) {
  const { result, chooser } = await withoutChooser(send, call, (ready) => pressElement(ready, call, where, options));
  return chooser ? { ...result, note: joinNotes(result.note, CHOOSER_NOTE) } : result;
}
