/*
 * Words about a press. After a page has got a pointerdown nothing is pressed again. A press without a click is therefore
 * reported with the events that its element got, the place where the element is now, and the next step.
 */
import { publishNumber } from "../page/refs.js";
import { tabIdOf } from "../page/element-lookup.js";
import { said, TabwireError } from "../base/errors.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/**
 * clicks: those that the element got; missed: why not all; got: types of the events that it got; now: where it is, in the
 * viewport of its frame; successor: number of the element that is there instead
 * @typedef {{clicks: number, missed: string|null, got?: string[], now?: Point, successor?: number}} Missed
 */

const notClicked = (/** @type {string} */ message, /** @type {Record<string, unknown>} */ data = {}) =>
  new TabwireError("element_click_intercepted", message, data);

/** @param {string} description of an element that no guard saw get the press */
export const unseen = (description) => notClicked(
  `the button was pressed at the place of ${said(description)}, but the press was not seen to arrive there: the page took it ` +
  `first, or a frame that extensions cannot look into. Look at the page before you try again`, { unseen: true });

/**
 * @param {string} description of the element
 * @param {string} cover what would have got a press that was stopped
 * @param {string} why the page has heard the press all the same
 */
export const heard = (description, cover, why) => notClicked(
  `${said(description)} did not get the click: ${said(cover)} was in its place, and the click was stopped. It was not made ` +
  `again, because ${why}. Look at the page before you try again`);

/**
 * An element that something else was over, or that moved, when the pointer had come: it was not pressed.
 * @param {string} description
 * @param {{blocked_by: string|null, has_moved?: boolean}} arrival
 */
export const unpressed = (description, { blocked_by: cover, has_moved: hasMoved }) => notClicked(hasMoved
  ? `${said(description)} was not pressed: the page moves it away as the pointer comes. Look at the page, or click a point`
  : `${said(description)} was not pressed: ${said(cover ?? "")} was over it as the pointer came. Close or move what covers it`);

/** @param {string} element @param {string} obstacle */
export const unreachable = (element, obstacle) => `a press cannot reach ${said(element)}: ${obstacle}`;

/** @param {string[]} types */
const listed = (types) => [types.slice(0, -1).join(", "), ...types.slice(-1)].filter(Boolean).join(" and ") || "nothing";

/** @param {Point} now @param {number} frameId @param {string} [successor] */
const placed = ({ x, y }, frameId, successor) =>
  `${successor ? `${successor} is in its place now,` : "It is now"} at ${x}, ${y}${frameId ? " of its frame" : ""}. `;

/**
 * Words about a press that came to no click, or to fewer than wanted: done is no more than it was.
 * @param {CallContext} call @param {Located} where @param {Missed} missed
 * @returns {Promise<{done?: string, note?: string}>}
 */
export async function withoutClick(call, { ref, frame }, { clicks, missed, got = [], now, successor: local }) {
  if (!missed) return {};
  if (clicks) {
    const reached = clicks === 1 ? "one click" : `${clicks} clicks`;
    const note = `no double click reached it, only ${reached}: ${missed}. Look at the page before you go on`;
    return { done: "Clicked without a double click", note };
  }
  const { documentId, frameId } = frame;
  const successor = local === undefined ? undefined : await publishNumber(tabIdOf(call), documentId, frameId, local);
  const note = `no click reached it, though the press did: ${missed}. It got ${listed(got)} but no click, and was not pressed ` +
    `again. ${now ? placed(now, frameId, successor) : ""}Look at the page` +
    (now ? `: if it has not done what you want, click ${successor ?? ref}` : " before you go on");
  return { done: "Pressed without a click", note };
}

/** @param {number} reached @param {string} cover */
const stoppedHalfway = (reached, cover) => ({
  done: reached === 1 ? "Clicked once" : `Clicked ${reached} times`,
  note: `only ${reached === 1 ? "the first press" : `${reached} presses`} reached it: ${said(cover)} was in its place then, ` +
    `and the next press was stopped`,
});

/**
 * Words about a press that has reached its element.
 * @param {CallContext} call @param {Located} where
 * @param {Missed & {reached: number}} told
 * @param {string|null} cover what has got another part of it
 */
export async function outcomeOf(call, where, told, cover) {
  if (!cover) return withoutClick(call, where, told);
  // The button may come up over something else than it went down on: that is no click.
  if (told.clicks >= told.reached) return stoppedHalfway(told.reached, cover);
  return withoutClick(call, where, { ...told, missed: `${said(cover)} was in its place when the button was released` });
}
