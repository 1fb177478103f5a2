/*
 * Hovering with the trusted pointer. It is done only when the page has seen the pointer at the target.
 */
import { call as callPage } from "../page/content-calls.js";
import { inPage, tabIdOf } from "../page/element-lookup.js";
import { coverOfFrame, placeInShown, placeInTop } from "../page/frames.js";
import { within } from "../base/deadline.js";
import { isGone, said, TabwireError } from "../base/errors.js";
import { pointAt } from "../page/page-marks.js";
import { arrive, preparePlace, ROUTING_MS, SCROLL_PAUSE_MS, toTopPoint } from "./pointer.js";
import { between, passAlong } from "./pointer-path.js";
import { endsAct, toldMeanwhile } from "./press-verdict.js";
import { onRedrawn } from "./replaced-target.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {{frameId: number, documentId?: string}} Frame */
/** @typedef {{came: boolean, cover?: string|null}} Arrival  cover: what is in the target's place instead */

const CHECKS = ["visible", "stable", "receives"];
const AIM = "pointerArrival.aim";

/**
 * Moves the pointer onto an element or a point.
 * @param {Send} send
 * @param {CallContext} call
 * @param {{where: Located|null, frameId: number, point?: Point, path: import("./pointer-path.js").PassedPoint[],
 *   until: number}} what  path: points of the frame that it passes before
 */
export async function hover(send, call, { where, frameId, point, path, until }) {
  const place = (/** @type {Point} */ one) => toTopPoint(call, where?.frame.frameId ?? frameId, one);
  const moveTo = (/** @type {Point} */ at) => arrive(send, at, 0);
  const began = Date.now();
  const from = await passAlong(path, { place, moveTo, signal: call.signal });
  if (!where) return hoverPoint(send, call, { frameId }, /** @type {Point} */ (point));
  return hoverElement(send, call, where, { from, until: until + Date.now() - began });
}

/** @param {Send} send @param {CallContext} call @param {Located} where @param {{from?: Point, until: number}} options */
const hoverElement = (send, call, where, { from, until }) => onRedrawn(call, where, until, async (aimed) => {
  const { at, point, description } = await preparePlace(call, where, { checks: CHECKS, until }, AIM);
  aimed();
  for (const near of from ? between(from, at).slice(0, -1) : []) await arrive(send, near, 0);
  const question = () => inPage(call, where, "pointerArrival.told");
  const { came, cover } = await arrivalOf(call, where.frame, () => arrive(send, at, 0), question);
  if (came) return { element: description };
  throw unseen(said(description), cover ?? await coverAround(call, where.frame.frameId, point));
});

/** @param {Send} send @param {CallContext} call @param {Frame} frame @param {Point} point */
async function hoverPoint(send, call, frame, point) {
  const tabId = tabIdOf(call);
  const shown = await callPage(tabId, frame, "pointerArrival.listen", { point }, call);
  const { at, inPage: mark } =
    frame.frameId ? await placeInTop(tabId, frame.frameId, point, call) : placeInShown(point, shown);
  pointAt(tabId, mark);
  const question = () => callPage(tabId, frame, "pointerArrival.told", {}, call);
  const { came } = await arrivalOf(call, frame, () => arrive(send, at, 0), question);
  if (came) return {};
  throw unseen(`the point ${point.x}, ${point.y}`, await coverAround(call, frame.frameId, point));
}

/**
 * Moves the pointer and learns whether the page saw it come.
 * @param {CallContext} call @param {Frame} frame @param {() => Promise<void>} move
 * @param {() => Promise<Arrival>} question for a page that does not report by itself
 * @returns {Promise<Arrival>}
 */
async function arrivalOf(call, frame, move, question) {
  const report = { name: "pointerArrival.coming", args: { ends: endsAct(call) } };
  const arrival = await toldMeanwhile(call, { frame }, report, move);
  if (arrival) return arrival;
  try {
    return await (frame.frameId ? moveUntilSettled(call, move, question()) : question());
  } catch (error) {
    // The page has left because the pointer came.
    if (isGone(error) && (!call.observation?.actStart || await call.observation.actStart.hasBegunSoon())) return { came: true };
    throw error;
  }
}

/**
 * Moves the pointer again until the page of a frame has reported it: right after frames were scrolled, Chrome gives the pointer
 * to another frame, and no event says when that ends.
 * @param {CallContext} call @param {() => Promise<void>} move @param {Promise<Arrival>} arrival
 */
async function moveUntilSettled(call, move, arrival) {
  for (const limit = Date.now() + ROUTING_MS; Date.now() < limit;) {
    if (await within(arrival, SCROLL_PAUSE_MS)) break;
    call.signal.throwIfAborted();
    await move();
  }
  return arrival;
}

/**
 * Name of the element that covers a point of a frame in a document around it, if any.
 * @param {CallContext} call @param {number} frameId @param {Point} point
 */
const coverAround = async (call, frameId, point) =>
  (await coverOfFrame(tabIdOf(call), frameId, point, call).catch(() => ({ cover: null }))).cover;

/** @param {string} target @param {string|null} cover */
const unseen = (target, cover) => new TabwireError("element_click_intercepted",
  `the pointer was moved to ${target}, but was not seen to arrive there: ${
    cover ? `${said(cover)} is in the way` : "the page moved, or the pointer came to a frame that extensions cannot look into"
  }. Look at the page before you try again`, { unseen: true });
