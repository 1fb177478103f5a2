/*
 * Input by DOM events, which the content scripts fire in the page.
 */
import { actInPage, patienceOf, prepare, PRESS_CHECKS, tabIdOf, timeLeft } from "../page/element-lookup.js";
import { call as callPage, perform } from "../page/content-calls.js";
import { coverOfFrame } from "../page/frames.js";
import { isGone } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { pause } from "../base/deadline.js";
import { pointAt } from "../page/page-marks.js";
import { followTab, frameIn, keyHolder } from "./key-holder.js";
import { passAlong } from "./pointer-path.js";
import { onRedrawn } from "./replaced-target.js";
import { unpressed, withoutClick } from "./press-outcome.js";
import { endedBy } from "./press-verdict.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/content-calls.js").FrameTarget} FrameTarget */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** hold: ms that the button stays down @typedef {{button?: string, count?: number, hold?: number, modifiers?: string[]}} Press */
/** @typedef {Press & {force?: boolean, until: number}} ElementPress */
/** @typedef {{element?: string, ref?: string, note?: string, done?: string, declined?: true}} Fired */
/** @typedef {{modifiers: object[], stroke: {key: string}}} Keys */
/** @typedef {{where: Located|null, frame: FrameTarget}} Target  where: null for what has the focus, or the whole frame */

/** A longer text is typed into a text area by script. */
const MAX_STROKES = 5000;
/** A press that something else would get is tried again after so long. */
const RETRY_MS = 20;
export const AIM = { name: "input.prepareEvents", checks: PRESS_CHECKS };
const CHECKS = {
  click: AIM.checks,
  hover: ["visible", "stable", "receives"],
};
const BEYOND_EVENTS = {
  user: "what this click asks for (a window, a file chooser, full screen, the clipboard) browsers give to users only, and DOM " +
    "events do not count: use serve --input auto",
  native: "the browser itself does what this click is for, and not for DOM events: use serve --input auto",
  dialog: undefined,
  request: undefined,
};
const NO_HOVER = "styles of :hover do not follow DOM events";

/**
 * Fires DOM events in the page.
 * @param {CallContext} call
 * @param {FrameTarget} frame
 * @param {string} name of a function of the page
 * @param {object} args
 */
export async function fire(call, frame, name, args) {
  const { observation } = call;
  const { actStart } = observation ?? {};
  const work = () => perform(tabIdOf(call), frame, name, args, call).catch(async (error) => {
    // The act has led to another page, which has replaced its own.
    if (isGone(error) && actStart?.isAtOnce && await actStart.hasBegunSoon()) return {};
    throw error;
  });
  return observation ? observation.whileFiring(work) : work();
}

/**
 * Fires the events of a pointer on an element, once it is free.
 * @param {CallContext} call
 * @param {Located} where
 * @param {"click"|"hover"} verb
 * @param {ElementPress & {isLast?: boolean}} options  isLast: the act is over with them
 * @param {boolean} [mayDecline] returns `declined`, before anything is done, where DOM events are known not to be enough
 * @returns {Promise<Fired>}
 */
const onElement = (call, where, verb, options, mayDecline = false) =>
  onRedrawn(call, where, options.until, async (aimed) => {
    for (;;) {
      const result = await fireOnce(call, where, verb, { ...options, aimed, mayDecline });
      if (result) return result;
      await pause(RETRY_MS, call.signal);
    }
  });

/**
 * @param {CallContext} call @param {Located} where @param {"click"|"hover"} verb
 * @param {ElementPress & {aimed: () => void, mayDecline: boolean, isLast?: boolean}} options
 * @returns {Promise<Fired|null>} null: something else would have got the events
 */
async function fireOnce(call, where, verb, { force = false, until, aimed, mayDecline, isLast = false, ...press }) {
  const { frameId } = where.frame;
  const { point, description: element, beyond } = await prepare(
    call, where, { checks: CHECKS[verb], force, until }, AIM.name,
  );
  aimed();
  if (beyond && mayDecline) return { declined: true };
  const { cover, at } =
    force || !frameId ? { cover: null, at: undefined } : await coverOfFrame(tabIdOf(call), frameId, point, call);
  if (at) pointAt(tabIdOf(call), at);
  const args = { target: { ref: where.local }, point, verb, force, options: press };
  const performed = () => fire(call, where.frame, "input.perform", args);
  const { blocked_by: blocked = cover, has_moved, clicks = 0, missed = null, unseen, ...rest } =
    cover ? {} : await (isLast ? endedBy(call, where, performed) : performed());
  if (!blocked) {
    const told = await withoutClick(call, where, { clicks, missed, ...rest });
    const lacking = beyond && call.client.input === "dom" ? BEYOND_EVENTS[beyond] : undefined;
    const notes = [lacking, unseen && `no one can see it: ${unseen}`, told.note].filter(Boolean);
    return { element, ...told, ...(notes.length > 0 && { note: notes.join("; ") }) };
  }
  call.observation?.actStart?.takeBack();
  if (Date.now() >= until) throw unpressed(element, { blocked_by: blocked, has_moved });
  return null;
}

/**
 * @param {CallContext} call
 * @param {{where: Located, options: ElementPress & {isLast?: boolean}}} what
 * @param {boolean} mayDecline
 */
export const clickByEvents = (call, { where, options }, mayDecline) =>
  onElement(call, where, "click", options, mayDecline);

/** @param {CallContext} call @param {{frameId: number, point: Point, options: Press}} what */
export async function clickPointByEvents(call, { frameId, point, options: { button, count, hold, modifiers } }) {
  await fire(call, { frameId }, "input.perform", { point, verb: "click", options: { button, count, hold, modifiers } });
  return {};
}

/**
 * @param {CallContext} call @param {{where: Located|null, frameId: number, point?: Point,
 *   path: import("./pointer-path.js").PassedPoint[], until: number}} what
 */
export async function hoverByEvents(call, { where, frameId, point, path, until }) {
  const frame = where?.frame ?? { frameId };
  const moveTo = (/** @type {Point} */ at) => fire(call, frame, "input.perform", { point: at, verb: "hover", options: {} });
  await passAlong(path, { place: async (at) => at, moveTo, signal: call.signal });
  if (where) return { note: NO_HOVER, ...await onElement(call, where, "hover", { until }) };
  await fire(call, { frameId }, "input.perform", { point, verb: "hover", options: {} });
  return { note: NO_HOVER };
}

/**
 * The result of keys, with what the browser would have done for the last one.
 * @param {{element?: string, note?: string}} focused
 * @param {{lacking?: {key: string, effect: string, instead: string}|null}} fired
 */
const withoutDefault = ({ note, ...focused }, { lacking }) => {
  const untold = lacking
    && `${lacking.key} would ${lacking.effect} here, which cannot be done by DOM events: use ${lacking.instead}`;
  return note || untold ? { ...focused, note: joinNotes(note, untold) } : focused;
};

/**
 * Fires the events of keys where the focus is.
 * @param {CallContext} call @param {Target & {until: number, strokes?: object[]}} what
 * @param {string} name of the function of the page @param {object} args
 */
async function keysByEvents(call, what, name, args) {
  const { frame, ...focused } = await keyHolder(call, what);
  return withoutDefault(focused, await endedBy(call, { frame }, () => fire(call, frame, name, args)));
}

/** @param {CallContext} call @param {Target & {until: number, keys: Keys, repeat: number, hold: number}} what */
export const pressByEvents = (call, { keys, repeat, hold, ...what }) => (keys.stroke.key === "Tab"
  ? throughFrames(call, what, "keyboard.press", repeat, (left) => ({ ...keys, repeat: left, hold }))
  : keysByEvents(call, what, "keyboard.press", { ...keys, repeat, hold }));

/**
 * Fires the events of keys among which is Tab: it may lead into frames and out of them, where the keys that are left go then.
 * @param {CallContext} call @param {Target & {until: number, strokes?: object[]}} what
 * @param {string} name of the function of the page @param {number} count of keys @param {(left: number) => object} args
 */
async function throughFrames(call, what, name, count, args) {
  const { frame, ...focused } = await keyHolder(call, what);
  let fired;
  for (let [at, left] = [frame, count]; left > 0; left = fired.left ?? 0) {
    fired = await fire(call, at, name, args(left));
    if (fired.way) at = await followTab(call, at, fired.way);
  }
  return withoutDefault(focused, fired ?? {});
}

/** @typedef {Target & {until: number, text: string, strokes: Array<{stroke?: {key: string}}>}} Typing */

/**
 * Gives a text area a long text at once.
 * @param {CallContext} call @param {Typing} what
 * @returns {Promise<{input: "dom", element?: string, note: string} | null>} null: it is typed
 */
export async function insertLong(call, { text, ...what }) {
  if (what.strokes.length <= MAX_STROKES) return null;
  const { frame, note, ...focused } = await keyHolder(call, what);
  const { declined, ...result } = await endedBy(call, { frame }, () => fire(call, frame, "keyboard.insertAtOnce", { text }));
  const why = `the ${what.strokes.length} characters were set by script at once, without keys: typing them takes too long`;
  return declined ? null : { ...focused, ...result, input: "dom", note: joinNotes(note, why) };
}

/** @param {CallContext} call @param {Typing} what */
export async function typeByEvents(call, what) {
  const { strokes } = what;
  const set = await insertLong(call, what);
  if (set) return set;
  return strokes.some(({ stroke }) => stroke?.key === "Tab")
    ? throughFrames(call, what, "keyboard.type", strokes.length, (left) => ({ strokes: strokes.slice(-left) }))
    : keysByEvents(call, what, "keyboard.type", { strokes });
}

/**
 * @typedef {Target & {direction: string, amount?: number}} Scroll
 * @typedef {{point?: Point, dx: number, dy: number, shown: import("../page/frames.js").Shown}} ScrollPlan
 */

/**
 * Distance by which the scrolling element has to move, the point where a wheel would reach it, and its document: that of the
 * frame where one fills a page in which nothing scrolls, `element` names it then.
 * @template {Scroll} What
 * @param {CallContext} call @param {What} what @param {string} [element]
 * @returns {Promise<{plan: ScrollPlan, what: What, element?: string}>}
 */
export async function scrollPlan(call, what, element) {
  const { where, frame, direction, amount } = what;
  const planned = (/** @type {boolean} */ mayEnter) => callPage(
    tabIdOf(call), frame, "input.scrollPlan", { target: where && { ref: where.local }, direction, amount, mayEnter }, call);
  const plan = await planned(true);
  if (plan.slot === undefined) return { plan, what, element };
  const inner = await frameIn(call, frame, plan.slot);
  if (!inner) return { plan: await planned(false), what, element };
  const { frameId, documentId } = inner;
  return scrollPlan(call, { ...what, frameId, frame: { frameId, documentId } }, plan.element);
}

/**
 * The document in which a place to scroll to counts: as for a scroll by a distance.
 * @param {CallContext} call @param {FrameTarget} frame @param {"x" | "y"} axis @param {string} [element]
 * @returns {Promise<{frame: FrameTarget, element?: string}>}
 */
export async function scrolledDocument(call, frame, axis, element) {
  const found = await callPage(tabIdOf(call), frame, "input.scrollFrame", { axis }, call);
  const inner = found && await frameIn(call, frame, found.slot);
  if (!inner) return { frame, element };
  const { frameId, documentId } = inner;
  return scrolledDocument(call, { frameId, documentId }, axis, found.element);
}

/**
 * Scrolls as planned, or waits for the wheel to have done it.
 * @param {CallContext} call @param {Target & {smooth: boolean}} what @param {boolean} wheel
 */
export const settleScroll = (call, { frame, smooth }, wheel) =>
  perform(tabIdOf(call), frame, "input.scrollSettle", { smooth, wheel, timeout_ms: timeLeft(patienceOf({}, call)) }, call);

/** @param {CallContext} call @param {Scroll & {smooth: boolean}} what */
export async function scrollByScript(call, what) {
  const { what: inner, element } = await scrollPlan(call, what);
  return { element, ...await settleScroll(call, inner, false) };
}

/** @param {CallContext} call @param {{where: Located, files: object[]}} what */
export const dropFiles = (call, { where, files }) => actInPage(call, where, "input.dropFiles", { files });
