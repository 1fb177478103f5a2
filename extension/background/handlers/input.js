/* Pointer, keyboard, scrolling, files: chooses between trusted input and DOM events, and reports which was used. */
import { pause } from "../base/deadline.js";
import { TabwireError } from "../base/errors.js";
import { locate } from "../page/element-lookup.js";
import { uploadByChooser, withoutChooser } from "../debugger/file-chooser.js";
import { parseKeys, strokesOfText } from "../debugger/keys.js";
import { isGone } from "../calls/outcome.js";
import { call as callPage, coverOfFrame, perform } from "../page/content-calls.js";
import { clickElement, clickPoint, drag, hoverElement, intercepted, isNear, move, patienceOf, prepare, toTopPoint, turnWheel } from "../debugger/pointer.js";
import { assertField } from "../rules/permissions.js";
import { pointAt } from "../page/page-marks.js";
import { act } from "../debugger/trusted-input.js";
import { isMac, pressKeys, typeText } from "../debugger/typing.js";

/** @typedef {import("../../types").CallContext} CallContext */

/** Lists that are sorted by hand make room when the middle of an item has been passed. */
const PAST_MIDDLE_PX = 4;
/** A press that something else would get is tried again after so long. */
const RETRY_MS = 20;
const POINTER_CHECKS = {
  click: ["visible", "enabled", "stable", "receives"],
  hover: ["visible", "stable", "receives"],
};

const withRef = (where, result) => (where ? { ref: where.ref, ...result } : result);

/** A function of the page that looks at a located element. */
function inPage(call, where, name, args) {
  return callPage(call.tab.id, where.frame, name, { target: { ref: where.local }, ...args }, call);
}

/** A function of the page that acts on a located element. */
function actInPage(call, where, name, args) {
  return perform(call.tab.id, where.frame, name, { target: { ref: where.local }, ...args }, call);
}

/**
 * Fires DOM events in the page.
 * @param {CallContext} call
 * @param {import("../page/content-calls.js").FrameTarget} frame
 * @param {string} name of a function of the page
 * @param {object} args
 */
async function performInPage(call, frame, name, args) {
  if (call.effects) call.effects.isFiring = call.effects.hasFired = true;
  try {
    return await perform(call.tab.id, frame, name, args, call);
  } catch (error) {
    // The page it led to has taken its place.
    const onset = call.effects?.onset;
    if (isGone(error) && onset?.isAtOnce && await onset.hasBegunSoon()) return {};
    throw error;
  } finally {
    if (call.effects) call.effects.isFiring = false;
  }
}

const BEYOND_EVENTS = {
  user: "what this click asks for (a window, a file chooser, full screen, the clipboard) browsers give to users only, and DOM events do not count: use serve --input auto",
  native: "the browser itself does what this click is for, and not for DOM events: use serve --input auto",
};

/** The page says that DOM events would not do what this click is for. */
class BeyondEvents extends Error {}

/**
 * One try: what would have got the press in the place of the element, if anything.
 * @param {boolean} mayDecline throws BeyondEvents, before anything is done, where DOM events are known not to be enough
 */
async function tryOnElement(call, where, verb, options, mayDecline) {
  const { button, count, modifiers, force } = options;
  const { point, description, beyond } = await prepare(call, where, { checks: POINTER_CHECKS[verb], ...options }, "input.prepareEvents");
  if (beyond && mayDecline) throw new BeyondEvents();
  const { frameId } = where.frame;
  const { cover, at } = force ? { cover: null } : await coverOfFrame(call.tab.id, frameId, point, call);
  if (at) pointAt(call.tab.id, at);
  const { blocked_by: blocked = cover } = cover ? {} : await performInPage(call, where.frame, "input.perform",
    { target: { ref: where.local }, point, verb, force, options: { button, count, modifiers } });
  return { description, beyond, blocked };
}

/** @param {boolean} [mayDecline] */
async function performOnElement(call, where, verb, options, mayDecline = false) {
  for (;;) {
    const { description, beyond, blocked } = await tryOnElement(call, where, verb, options, mayDecline);
    if (!blocked) {
      const note = call.client.input === "dom" ? BEYOND_EVENTS[beyond] : undefined;
      return note ? { element: description, note } : { element: description };
    }
    if (Date.now() >= options.until) throw intercepted(description, blocked);
    await pause(RETRY_MS, call.signal);
  }
}

async function clickWithoutChooser(send, call, work) {
  const { result, chooser } = await withoutChooser(send, call, work);
  return chooser ? { ...result, note: "it opened a file chooser, which was closed. Use upload on this element" } : { ...result };
}

/**
 * Clicks a located element in the mode of the call; the forms use it too.
 * @param {CallContext} call
 * @param {import("../debugger/pointer.js").Located} where
 * @param {{button?: string, count?: number, modifiers?: string[], force?: boolean, until: number, isLast?: boolean}} options
 */
export function clickLocated(call, where, options) {
  const isPlain = (options.button ?? "left") === "left" && (options.count ?? 1) === 1 && !options.modifiers?.length;
  const trusted = (send) => clickWithoutChooser(send, call, (ready) => clickElement(ready, call, where, options));
  const dom = () => performOnElement(call, where, "click", options);
  const mayUpgrade = isPlain && call.client.input === "auto";
  return act(call, { needsTrusted: !isPlain, trusted, dom: () => performOnElement(call, where, "click", options, mayUpgrade) }).catch((error) => {
    if (!(error instanceof BeyondEvents)) throw error;
    return act(call, { needsTrusted: true, trusted, dom });
  });
}

async function performAtPoint(call, params, verb, options) {
  const frame = { frameId: params.frameId ?? 0 };
  await performInPage(call, frame, "input.perform", { point: params.coordinates, verb, options });
  return {};
}

/** The options of a closed list are shown in snapshots; a click on one means to choose it. */
async function chooseOption(error, call, where, { until }) {
  if (!error.data?.closed_list) throw error;
  return { input: "dom", ...await actInPage(call, where, "forms.chooseOption", { timeout_ms: until - Date.now() }) };
}

async function click(params, call, { button = "left", count = 1 }) {
  const { selector, coordinates, modifiers, force, frameId = 0 } = params;
  const options = { button, count, modifiers, force, until: patienceOf(params, call) };
  if (selector !== undefined) {
    const where = await locate(selector, params, call);
    return withRef(where, await clickLocated(call, where, { ...options, isLast: true }).catch((error) => chooseOption(error, call, where, options)));
  }
  return act(call, {
    needsTrusted: true,
    trusted: async (send) => {
      const at = await toTopPoint(call, frameId, coordinates);
      return clickWithoutChooser(send, call, (ready) => clickPoint(ready, call, at, options));
    },
    dom: () => performAtPoint(call, params, "click", { button, count, modifiers }),
  });
}

async function hover(params, call) {
  const { selector, coordinates, frameId = 0 } = params;
  const until = patienceOf(params, call);
  const where = selector === undefined ? null : await locate(selector, params, call);
  return withRef(where, await act(call, {
    needsTrusted: true,
    trusted: async (send) => {
      if (where) return hoverElement(send, call, where, { until });
      await move(send, await toTopPoint(call, frameId, coordinates));
      return {};
    },
    dom: async () => {
      const reply = await (where ? performOnElement(call, where, "hover", { until }) : performAtPoint(call, params, "hover", {}));
      return { note: "styles of :hover do not follow DOM events", ...reply };
    },
  }));
}

/** Focuses the element to type into; without a selector the keys go to what has the focus. */
async function focusFirst(params, call) {
  if (params.selector === undefined) return null;
  const where = await locate(params.selector, params, call);
  return where;
}

const frameOf = (where, params) => where?.frame ?? { frameId: params.frameId ?? 0 };

/** Keys that put nothing into a field. */
const LEAVING_KEYS = /^((Control|Shift|Alt|Meta|ControlOrMeta)\+)*(Tab|Escape)$/;

/** Keys without a target go to whatever has the focus: where that is a sensitive field, the owner is asked. */
async function assertFocused(call) {
  const focused = call.effects?.focused ?? [];
  const top = focused.find(({ frameId }) => frameId === 0);
  const inFrames = top?.focus_kind === "frame" ? focused.filter(({ frameId, focus_kind: kind }) => frameId && kind !== "frame") : [];
  for (const { focus_kind: kind, origin, address } of top && top.focus_kind !== "frame" ? [top] : inFrames) {
    await assertField(call, { kind, origin, address, field: "the field that has the focus" });
  }
}

async function withKeys(params, call, { trusted, domName, domArgs }) {
  const where = await focusFirst(params, call);
  if (!where && !LEAVING_KEYS.test(params.key ?? "")) await assertFocused(call);
  const focus = () => (where ? inPage(call, where, "keyboard.focus", { timeout_ms: patienceOf(params, call) - Date.now() }) : {});
  return withRef(where, await act(call, {
    needsTrusted: true,
    trusted: async (send) => ({ ...await focus(), ...await trusted(send) }),
    dom: async () => {
      await focus();
      await performInPage(call, frameOf(where, params), domName, domArgs());
      return {};
    },
  }));
}

async function press(params, call) {
  const keys = parseKeys(params.key, await isMac());
  const { repeat = 1, delay = 0 } = params;
  return withKeys(params, call, {
    trusted: async (send) => {
      for (let n = 0; n < repeat; n += 1) {
        if (n) await pause(delay, call.signal);
        await pressKeys(send, keys, call);
      }
      return {};
    },
    domName: "keyboard.press",
    domArgs: () => ({ ...keys, repeat }),
  });
}

function type(params, call) {
  const { text, delay = 50 } = params;
  return withKeys(params, call, {
    trusted: async (send) => {
      const shortened = await typeText(send, text, delay, call);
      return shortened.delay === undefined ? {} : { note: `typed with ${shortened.delay} ms between keys to end in time` };
    },
    domName: "keyboard.type",
    domArgs: () => ({ strokes: strokesOfText(text) }),
  });
}

/** One end of a drag: an element or a point of the frame. */
async function dragEnd(selector, coordinates, params, call) {
  if (selector !== undefined) return { where: await locate(selector, params, call) };
  if (!coordinates) throw new TabwireError("invalid_argument", "a drag needs a source and a target, each as a selector or as coordinates");
  return { point: coordinates, frameId: params.frameId ?? 0 };
}

async function placeOf(call, end, until) {
  if (!end.where) return end.point;
  return (await prepare(call, end.where, { checks: ["visible", "stable", "receives"], until })).point;
}

/** Whatever lies on the target may have been dropped there before: only the source has to be free. */
async function bringNear(call, end, until) {
  if (!end.where) return;
  await prepare(call, end.where, { checks: ["visible", "stable"], until });
  await targetPlace(call, end);
}

/** The target may be covered while it is dragged to: by what is dragged, or by a veil that takes the drop. */
async function targetPlace(call, end) {
  if (!end.where) return end.point;
  return (await prepare(call, end.where, { checks: ["receives"], force: true, until: 0 })).point;
}

const topPlace = async (call, end, point) => toTopPoint(call, end.where?.frame.frameId ?? end.frameId ?? 0, point);

/** Where the source is with the pointer on it: what the pointer has left may have closed and let the page move up. */
async function arriveAt(send, call, end, until) {
  let at = await topPlace(call, end, await placeOf(call, end, until));
  while (end.where) {
    await move(send, at);
    const now = await topPlace(call, end, await placeOf(call, end, until));
    if (isNear(at, now) || Date.now() >= until) return now;
    at = now;
  }
  return at;
}

async function dragAndDrop(params, call) {
  const until = patienceOf(params, call);
  const source = await dragEnd(params.source, params.source_coordinates, params, call);
  const target = await dragEnd(params.target, params.target_coordinates, params, call);
  const steps = params.steps ?? 10;
  const past = target.where ? PAST_MIDDLE_PX : 0;
  const result = await act(call, {
    needsTrusted: true,
    trusted: async (send) => {
      // Bring the target near first, so that nothing has to scroll under a held button if both fit.
      await bringNear(call, target, until);
      const from = await arriveAt(send, call, source, until);
      await drag(send, call, from, async () => topPlace(call, target, await targetPlace(call, target)), { steps, past });
      return {};
    },
    dom: async () => {
      if (source.where && target.where && source.where.frame.frameId !== target.where.frame.frameId) {
        throw new TabwireError("unsupported_operation", "DOM events cannot drag between frames, and the debugger could not be used");
      }
      await bringNear(call, target, until);
      const from = await placeOf(call, source, until);
      const to = await targetPlace(call, target);
      await performInPage(call, frameOf(source.where ?? target.where, params), "input.drag", { from, to, steps, past });
      return {};
    },
  });
  return { ...withRef(source.where, result), ...(target.where ? { target: target.where.ref } : {}) };
}

/** Scrolls by a distance: with the wheel where that reaches the scroller, by script where it does not. */
async function scrollBy(params, call, frame, where) {
  const target = where ? { ref: where.local } : null;
  const { direction, amount, smooth } = params;
  const planned = () => callPage(call.tab.id, frame, "input.scrollPlan", { target, direction, amount }, call);
  const settle = (wheel) => perform(call.tab.id, frame, "input.scrollSettle", { smooth, wheel }, call);
  return act(call, {
    needsTrusted: !smooth,
    trusted: async (send) => {
      const { point, ...delta } = await planned();
      if (!point || smooth) return settle(false);
      const frameId = where?.frame.frameId ?? params.frameId ?? 0;
      await turnWheel(send, await toTopPoint(call, frameId, point), delta);
      return settle(true);
    },
    dom: async () => {
      await planned();
      return settle(false);
    },
  });
}

async function scroll(params, call) {
  const where = params.selector === undefined ? null : await locate(params.selector, params, call);
  const frame = frameOf(where, params);
  if (params.direction && !params.into_view) return withRef(where, await scrollBy(params, call, frame, where));
  const { position, block = "center", smooth = false } = params;
  const args = { target: where ? { ref: where.local } : null, position: params.into_view ? undefined : position, block, smooth };
  if (!where && !position) throw new TabwireError("invalid_argument", "scroll needs a direction, a position, or a selector to bring into view");
  return withRef(where, { input: "dom", ...await perform(call.tab.id, frame, "input.scroll", args, call) });
}

async function upload(params, call) {
  const where = await locate(params.selector, params, call);
  const { files } = params;
  const until = patienceOf(params, call);
  const direct = await actInPage(call, where, "input.upload", { files, timeout_ms: until - Date.now() });
  if (!direct.declined) return withRef(where, { input: "dom", ...direct });
  const drop = () => actInPage(call, where, "input.dropFiles", { files });
  return withRef(where, await act(call, {
    needsTrusted: true,
    trusted: async (send) => await uploadByChooser(send, call, where, files, until) ?? drop(),
    dom: drop,
  }));
}

/** @type {import("../../types").Handlers<"input">} */
export const handlers = {
  "input.click": (params, call) => click(params, call, { button: params.button, count: params.click_count }),
  "input.dblclick": (params, call) => click(params, call, { count: 2 }),
  "input.hover": hover,
  "input.type": type,
  "input.press": press,
  "input.drag": dragAndDrop,
  "input.scroll": scroll,
  "input.upload": upload,
};
