/*
 * Pointer, keyboard, scrolling, files. Each act goes one way: its element is located, the input is chosen, the act is done in
 * that way, and the router reports what was observed.
 */
import { actInPage, locate, patienceOf, tabIdOf, timeLeft, TIMEOUT_MS } from "../page/element-lookup.js";
import {
  AIM as EVENTS_AIM, clickByEvents, clickPointByEvents, dropFiles, hoverByEvents, pressByEvents, scrollByScript, scrolledDocument,
  typeByEvents,
} from "../input/dom-input.js";
import { AIM as POINTER_AIM, clickElement, clickPoint } from "../input/pointer.js";
import { hover as hoverByPointer } from "../input/hover.js";
import { scrollByWheel } from "../input/wheel.js";
import { dragByEvents, dragByPointer } from "../input/drag.js";
import { isMac, pressRepeatedly, typeText } from "../input/typing.js";
import { isPaste, parseKeys, strokesOfText } from "../input/keys.js";
import { act, chooseInput, noteInput } from "../input/trusted-input.js";
import { assertField } from "../rules/permissions.js";
import { perform } from "../page/content-calls.js";
import { lastEndIn } from "../base/acts.js";
import { pause } from "../base/deadline.js";
import { invalid } from "../base/errors.js";
import { filesReached, withContent } from "../network/fetched-files.js";
import { uploadFolder } from "../elements/folder-input.js";
import { uploadByChooser } from "../input/file-chooser.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../page/element-lookup.js").Point} Point */
/** @typedef {{frameId?: number, timeout?: number}} Within  the frame to look in, and for how long */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

const CLICK = { trusted: clickElement, dom: clickByEvents };
const POINT_CLICK = { trusted: clickPoint, dom: clickPointByEvents };
const HOVER = { trusted: hoverByPointer, dom: hoverByEvents };
const PRESS = { trusted: pressRepeatedly, dom: pressByEvents };
const TYPE = { trusted: typeText, dom: typeByEvents };
const DRAG = { trusted: dragByPointer, dom: dragByEvents };
const SCROLL = { trusted: scrollByWheel, dom: scrollByScript };
const UPLOAD = { trusted: uploadByChooser, dom: dropFiles };

const withRef = (/** @type {Located|null} */ where, /** @type {object} */ result) =>
  where ? { ref: where.ref, ...result } : result;

/** The element that a method may name. @param {string|undefined} selector @param {Within} params @param {CallContext} call */
const locateIfNamed = async (selector, params, call) => (selector === undefined ? null : locate(selector, params, call));

/**
 * Clicks a located element in the mode of the call; the forms use it too.
 * @param {CallContext} call
 * @param {Located} where
 * @param {import("../input/pointer.js").ElementPress} options
 */
export async function clickLocated(call, where, options) {
  try {
    return await act(call, CLICK, { where, options }, !isPlain(options));
  } catch (error) {
    if (!error.data?.own_click || !isPlain(options)) throw error;
    noteInput(call, "dom");
    return { input: "dom", ...await actInPage(call, where, "forms.clickHidden", { timeout_ms: timeLeft(options.until) }) };
  }
}

/** Whether DOM events may do for a press. @param {import("../input/dom-input.js").Press} press */
const isPlain = ({ button = "left", count = 1, hold = 0, modifiers = [] }) =>
  button === "left" && count === 1 && !hold && !modifiers.length;

/** @param {Params<"input.click">} params @param {CallContext} call */
async function click({ selector, coordinates, button, click_count: count, hold, modifiers, force, ...params }, call) {
  const options = { button, count, hold, modifiers, force, until: patienceOf(params, call) };
  if (selector === undefined)
    return act(call, POINT_CLICK, { frameId: params.frameId ?? 0, point: /** @type {Point} */ (coordinates), options }, true);
  const aim = await chooseInput(call, !isPlain(options)) === "trusted" ? POINTER_AIM : EVENTS_AIM;
  const where = await locate(selector, { ...params, aim: { ...aim, force, at_word: count === 2 } }, call);
  try {
    return { ref: where.ref, ...await clickLocated(call, where, { ...options, isLast: true }) };
  } catch (error) {
    // The options of a closed list are shown in snapshots; a click on one means to choose it.
    if (!error.data?.closed_list) throw error;
    return {
      ref: where.ref,
      input: "dom",
      ...(await actInPage(call, where, "forms.chooseOption", { timeout_ms: timeLeft(options.until) })),
    };
  }
}

/** @param {Params<"input.hover">} params @param {CallContext} call */
async function hover({ selector, coordinates, path = [], ...params }, call) {
  const until = patienceOf(params, call);
  const where = await locateIfNamed(selector, params, call);
  return withRef(where, await act(call, HOVER, { where, frameId: params.frameId ?? 0, point: coordinates, path, until }, true));
}

/** Time that a page has after an act to give the focus to what it has opened. */
const FOCUS_SETTLE_MS = 200;
/** Keys that put nothing into a field. */
const LEAVING_KEYS = /^((Control|Shift|Alt|Meta|ControlOrMeta)\+)*(Tab|Escape)$/;

/**
 * Keys without a target go to whatever has the focus: where that is a sensitive field, the owner is asked.
 * @param {CallContext} call
 */
async function assertFocused(call) {
  /** @type {readonly import("../../types").FocusedField[]} */
  const focused = call.observation?.focused ?? [];
  const top = focused.find(({ frameId }) => frameId === 0);
  const inFrames =
    top?.focus_kind === "frame" ? focused.filter(({ frameId, focus_kind: kind }) => frameId && kind !== "frame") : [];
  for (const { focus_kind: kind, focus_name: name, origin, address } of top && top.focus_kind !== "frame" ? [top] : inFrames) {
    await assertField(call, { kind, origin, address, name });
  }
}

/**
 * Gives keys to an element, or to what has the focus.
 * @template What
 * @param {Within & {selector?: string, key?: string}} params
 * @param {CallContext} call
 * @param {import("../input/trusted-input.js").Ways<import("../input/typing.js").Target & What>} ways
 * @param {What} what
 */
async function giveKeys(params, call, ways, what) {
  const where = await locateIfNamed(params.selector, params, call);
  if (!where && !LEAVING_KEYS.test(params.key ?? "")) await assertFocused(call);
  const frame = where?.frame ?? { frameId: params.frameId ?? 0 };
  return withRef(where, await act(call, ways, { where, frame, until: patienceOf(params, call), ...what }, true));
}

/** @param {Params<"input.press">} params @param {CallContext} call */
const press = async (params, call) => {
  const { repeat, delay, hold } = params;
  return giveKeys(params, call, PRESS, { keys: parseKeys(params.key, await isMac()), repeat, delay, hold });
};

/** A paste tells the page, and the reply, what the person has in the clipboard. @param {Params<"input.press">} params */
press.sensitive = ({ key }) => (isPaste(parseKeys(key, false)) ? ["clipboard"] : []);

/**
 * Waits for the time in which a page may move the focus after an act: what it opens often takes it from a timer, which selects
 * or drops what was typed until then.
 * @param {CallContext} call
 */
async function untilFocusSettles(call) {
  const last = lastEndIn(tabIdOf(call));
  if (!last || /^input\.type$|^forms\./.test(last.method)) return;
  const left = last.at + FOCUS_SETTLE_MS - Date.now();
  if (left > 0) await pause(left, call.signal);
}

/** @param {Params<"input.type">} params @param {CallContext} call */
async function type(params, call) {
  await untilFocusSettles(call);
  return giveKeys(params, call, TYPE, { text: params.text, strokes: strokesOfText(params.text), delay: params.delay });
}

/**
 * Start or end of a drag: an element or a point of the frame.
 * @param {string|undefined} selector @param {Point|undefined} point @param {Within} params @param {CallContext} call
 * @returns {Promise<import("../input/drag.js").End>}
 */
async function dragEnd(selector, point, params, call) {
  if (selector !== undefined) return { where: await locate(selector, params, call) };
  if (!point)
    throw invalid("a drag needs a source and a target, each as a selector or as coordinates");
  return { where: null, point };
}

/** @param {Params<"input.drag">} params @param {CallContext} call */
async function drag(params, call) {
  const until = patienceOf(params, call);
  const source = await dragEnd(params.source, params.source_coordinates, params, call);
  const target = await dragEnd(params.target, params.target_coordinates, params, call);
  const { frameId = 0, steps, hold, hold_at_target: holdAtTarget, path = [] } = params;
  const result = await act(call, DRAG, { source, target, frameId, steps, hold, holdAtTarget, path, until }, true);
  return { ...withRef(source.where, result), ...(target.where ? { target: target.where.ref } : {}) };
}

/** @param {Params<"input.scroll">} params @param {CallContext} call */
async function scroll({ selector, direction, amount, position, into_view: isIntoView, block, smooth, ...params }, call) {
  const where = await locateIfNamed(selector, params, call);
  const frameId = where?.frame.frameId ?? params.frameId ?? 0;
  const frame = where?.frame ?? { frameId };
  if (direction && !isIntoView) {
    return withRef(where, await act(call, SCROLL, { where, frame, frameId, direction, amount, smooth }, !smooth));
  }
  if (!where && !position)
    throw invalid("scroll needs a direction, a position, or a selector to bring into view");
  const args = { target: where && { ref: where.local }, position: isIntoView ? undefined : position, block, smooth };
  const axis = position?.y === undefined ? "x" : "y";
  const { frame: scrolled, ...named } = where ? { frame } : await scrolledDocument(call, frame, axis);
  return withRef(where, { input: "dom", ...named, ...await perform(tabIdOf(call), scrolled, "input.scroll", args, call) });
}

/** @param {Params<"input.upload">} params @param {TabCall} call */
const uploadedFrom = ({ files }, { tab }) => filesReached(files, tab);

/** @param {Params<"input.upload">} params @param {TabCall} call */
async function upload({ selector, files: given, ...params }, call) {
  // The time of an upload is for its files.
  const where = await locate(selector, { ...params, timeout: Math.min(params.timeout, TIMEOUT_MS) }, call);
  const until = patienceOf(params, call);
  if (given.some(({ folder }) => folder))
    return withRef(where, { ...await uploadFolder(where, given, until, call), input: noteInput(call, "trusted") });
  const files = await Promise.all(given.map((file) => withContent(file, call.tab, Math.max(1, until - Date.now()), call)));
  const direct = await actInPage(call, where, "input.upload", { files, timeout_ms: until - Date.now() });
  return withRef(where, direct.declined ? await act(call, UPLOAD, { where, files, until }, true) : { input: "dom", ...direct });
}

/** @param {Params<"input.dblclick">} params @param {CallContext} call */
const dblclick = (params, call) =>
  click({ ...params, button: "left", click_count: 2, hold: 0, force: false, no_wait_after: false }, call);

/** @type {import("../../types").Handlers<"input">} */
export const handlers = {
  "input.click": Object.assign(click, { startsLate: true }),
  "input.dblclick": Object.assign(dblclick, { startsLate: true }),
  "input.hover": hover,
  "input.type": type,
  "input.press": press,
  "input.drag": drag,
  "input.scroll": scroll,
  "input.upload": Object.assign(upload, { reaches: uploadedFrom }),
};
