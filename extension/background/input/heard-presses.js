/*
 * Presses that a guard has stopped: whether the page may have heard them all the same. Listeners that a page has put on its
 * window before the guard come first, and a press beside an open popover or dialog closes that without any listener.
 */
import { ifInTime } from "../base/deadline.js";
import { inFrame } from "../documents/execution-context.js";
import { tabIdOf } from "../page/element-lookup.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/**
 * A guard that has stopped a press. types: of the events that it guards; closes: whether the press closed something of the page
 * by itself
 * @typedef {{frameId: number, types: string[], closes: boolean}} Stop
 */

/** A page that does not tell its listeners in time may have some. */
const LIMIT_MS = 1500;

/**
 * Whether the page of a frame has listeners that come before every guard. A listener that has removed itself as it heard the
 * press hears no second one.
 * @param {Send} send @param {CallContext} call @param {Stop} stop
 */
const listensFirst = (send, call, { frameId, types }) => inFrame(tabIdOf(call), frameId, send, async (sendInFrame, contextOf) => {
  const objectGroup = crypto.randomUUID();
  const asked = { expression: "window", objectGroup, silent: true, ...await contextOf(true) };
  const { result } = await sendInFrame("Runtime.evaluate", asked);
  const { listeners } = await sendInFrame("DOMDebugger.getEventListeners", { objectId: result.objectId ?? "" });
  void sendInFrame("Runtime.releaseObjectGroup", { objectGroup }).catch(() => {});
  return listeners.some(({ type, useCapture }) => useCapture && types.includes(type));
}, call);

/**
 * The reason why a page has heard a press, or may have, although its guards have stopped it.
 * @param {Send} send @param {CallContext} call @param {Stop[]} stops
 * @returns {Promise<string>} "" when it is known that it has not
 */
export async function howHeard(send, call, stops) {
  if (stops.some(({ closes }) => closes)) return "the page heard the press: it closed an open popover or dialog";
  const asked = stops.map((stop) => ifInTime(listensFirst(send, call, stop), LIMIT_MS));
  const answers = await Promise.all(asked);
  if (answers.includes(true)) return "a listener on the window of the page heard the press before it was stopped";
  return answers.every((isFirst) => isFirst === false) ? "" : "it is not known whether the page heard the press";
}
