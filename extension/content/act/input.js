/* Pointer acts by DOM events, with the order and the fields of a real mouse. */
import { codedError } from "../base/errors.js";
import {
  activeElementDeep, composedClosest as closest, composedContains as contains, dropFocus, giveFocus, lineage,
} from "../dom/flat-tree.js";
import { covers, hasMoved, hitAt } from "../visibility/hit-testing.js";
import { isUnseen, UNSEEN } from "../visibility/unseen-controls.js";
import * as actStart from "./act-start.js";
import { breathe, heldElement, isDisabled, pointerTarget } from "./actionability.js";
import { caretTo, isEditingHost } from "./edits.js";
import * as replacement from "./replacement.js";
import * as stop from "./stop.js";

const BUTTONS = { left: { button: 0, mask: 1 }, middle: { button: 1, mask: 4 }, right: { button: 2, mask: 2 } };
const HOLD_MS = 60;
const DRAG_STEP_MS = 20;
/** @type {Element | null} */
let hovered = null;
/** Types of the events of a press that were fired on its element. @type {Set<string>} */
let pressed = new Set();

/** hold: ms @typedef {{button: keyof typeof BUTTONS, modifiers: string[], hold?: number}} Press */

/** @param {Point} at @param {Partial<Press> & {buttons?: number}} options */
function eventFields(at, { button = "left", modifiers = [], buttons = 0 }) {
  return {
    bubbles: true, cancelable: true, composed: true, view: window, detail: 0,
    clientX: at.x, clientY: at.y, screenX: at.x + screenX, screenY: at.y + screenY,
    button: BUTTONS[button].button, buttons,
    ctrlKey: modifiers.includes("Control"), shiftKey: modifiers.includes("Shift"),
    altKey: modifiers.includes("Alt"), metaKey: modifiers.includes("Meta"),
  };
}

/** @param {Element} el @param {string} type @param {MouseEventInit} fields */
function firePointer(el, type, fields) {
  pressed.add(type);
  const pressure = fields.buttons ? 0.5 : 0;
  const pointer = { pointerId: 1, pointerType: "mouse", isPrimary: true, width: 1, height: 1, pressure };
  return el.dispatchEvent(new PointerEvent(type, { ...fields, ...pointer }));
}

/** @param {Element} el @param {string} type @param {MouseEventInit} fields */
function fireMouse(el, type, fields) {
  pressed.add(type);
  return el.dispatchEvent(new MouseEvent(type, fields));
}

/**
 * Move the (imagined) mouse onto an element: over, enter and move events, with the leaving ones for the last place.
 * @param {Element} el
 * @param {Point} at
 * @param {Partial<Press>} [options]
 */
function moveTo(el, at, options = {}) {
  const fields = { ...eventFields(at, options), button: -1 };
  const mouse = { ...fields, button: 0 };
  const still = { bubbles: false, cancelable: false };
  if (hovered !== el) {
    const left = hovered?.isConnected ? hovered : null;
    if (left) {
      const leaves = () => [...lineage(left)].filter((node) => !contains(node, el));
      firePointer(left, "pointerout", { ...fields, relatedTarget: el });
      for (const node of leaves()) firePointer(node, "pointerleave", { ...fields, ...still, relatedTarget: el });
      fireMouse(left, "mouseout", { ...mouse, relatedTarget: el });
      for (const node of leaves()) fireMouse(node, "mouseleave", { ...mouse, ...still, relatedTarget: el });
    }
    const entered = [...lineage(el)].filter((node) => !left || !contains(node, left)).reverse();
    firePointer(el, "pointerover", { ...fields, relatedTarget: left });
    for (const node of entered) firePointer(node, "pointerenter", { ...fields, ...still, relatedTarget: left });
    fireMouse(el, "mouseover", { ...mouse, relatedTarget: left });
    for (const node of entered) fireMouse(node, "mouseenter", { ...mouse, ...still, relatedTarget: left });
    hovered = el;
  }
  firePointer(el, "pointermove", fields);
  fireMouse(el, "mousemove", mouse);
}

/** Editable areas take the focus of a press although they have no tabindex to show. @param {HTMLElement} el */
function isFocusable(el) {
  if (!("focus" in el)) return false;
  return el.tabIndex >= 0 || el.hasAttribute("tabindex") || el.shadowRoot?.delegatesFocus || isEditingHost(el);
}

/** Focuses the nearest focusable ancestor, or drops the focus, as the browser does on mousedown. @param {Element} el */
function moveFocus(el) {
  for (const node of /** @type {HTMLElement[]} */ ([...lineage(el)])) {
    if (!isFocusable(node) || isDisabled(node)) continue;
    giveFocus(node, { preventScroll: true });
    if (contains(node, activeElementDeep())) return;
  }
  dropFocus();
}

/** Puts the caret under the pointer in the field that a press has given the focus to. @param {Element} el @param {Point} at */
function placeCaret(el, at) {
  const field = activeElementDeep();
  if (!field || !contains(field, el)) return;
  const isField = field.matches("input, textarea");
  if (!isField && !(/** @type {HTMLElement} */ (el).isContentEditable)) return;
  const root = field.getRootNode();
  const place = document.caretPositionFromPoint?.(at.x, at.y, { shadowRoots: root instanceof ShadowRoot ? [root] : [] });
  if (!place || !contains(field, place.offsetNode)) return;
  if (!isField) getSelection()?.collapse(place.offsetNode, place.offset);
  else if (place.offsetNode === field) caretTo(/** @type {HTMLInputElement} */ (field), place.offset);
}

/** @param {Element} el @param {Point} at @param {Press} options @param {number} detail which click of a series this is */
function press(el, at, options, detail) {
  const { button } = options;
  const down = eventFields(at, { ...options, buttons: BUTTONS[button].mask });
  const isOpen = firePointer(el, "pointerdown", down);
  // An element that the page has removed gets no more, as under a real mouse.
  if (!el.isConnected) return isOpen;
  const keepsFocus = isOpen && !fireMouse(el, "mousedown", { ...down, detail });
  if (!keepsFocus) {
    moveFocus(el);
    if (button === "left" && detail === 1 && !options.modifiers.includes("Shift")) placeCaret(el, at);
  }
  if (button === "right") firePointer(el, "contextmenu", down);
  return isOpen;
}

/**
 * @param {Element} el
 * @param {Point} at
 * @param {Press} options
 * @param {number} detail
 * @param {boolean} isOpen whether the page let the pointerdown become mouse events
 */
function release(el, at, options, detail, isOpen) {
  const up = eventFields(at, { ...options, buttons: 0 });
  if (!el.isConnected) return false;
  firePointer(el, "pointerup", up);
  if (isOpen && el.isConnected) fireMouse(el, "mouseup", { ...up, detail });
  if (!el.isConnected || (options.button === "left" && el.matches(":disabled"))) return false;
  firePointer(el, options.button === "left" ? "click" : "auxclick", { ...up, detail });
  return true;
}

/**
 * @param {Element} el @param {Point} at @param {Press & {count: number}} options
 * @returns {Promise<{clicks: number, missed: string | null, got?: string[]}>} missed: why there were fewer than wanted
 */
async function clickAt(el, at, options) {
  pressed = new Set();
  for (let detail = 1; detail <= options.count; detail += 1) {
    const isOpen = press(el, at, options, detail);
    if (options.hold) {
      await stop.unless(rest(options.hold)).catch((error) => {
        release(el, at, options, detail, isOpen);
        throw error;
      });
    }
    const isClick = release(el, at, options, detail, isOpen);
    const why = el.isConnected ? "it is disabled" : "the page removed it, or drew it anew, while it was pressed";
    if (!isClick) return { clicks: detail - 1, missed: why, got: [...pressed] };
    if (detail === 2 && options.button === "left") fireMouse(el, "dblclick", { ...eventFields(at, options), detail });
  }
  return { clicks: options.count, missed: null };
}

/**
 * The innermost element under the point that belongs to the target: events start there, as with a real mouse.
 * @param {Element} el
 * @param {Point} at
 */
function innermost(el, at) {
  const hit = hitAt(at);
  return hit && contains(el, hit) ? hit : el;
}

/** @param {Point} at */
function elementAt(at) {
  const hit = hitAt(at);
  if (!hit) {
    throw codedError("invalid_argument",
      `The point ${at.x}, ${at.y} is outside of the viewport (${innerWidth} x ${innerHeight})`);
  }
  if (hit.matches("iframe, frame, object, embed")) {
    throw codedError("unsupported_operation",
      "The point is inside a frame, which DOM events cannot reach. Give its frameId, or a selector");
  }
  return hit;
}

/**
 * The pointer's coming may change the page: a press that would not reach the target is not made.
 * @param {{target?: TargetArgs, point: Point, verb: "click" | "hover", options?: Partial<Press & {count: number}>,
 *   force?: boolean, act?: ActStart}} args
 */
export const perform = async ({ target, point, verb, options, force = false, act }) => {
  const el = target ? pointerTarget(heldElement(target)) : elementAt(point);
  const hit = () => (target ? innermost(el, point) : el);
  const base = { button: /** @type {const} */ ("left"), modifiers: [], count: 1, ...options };
  const unseen = target && force && isUnseen(el) ? { unseen: UNSEEN } : {};
  if (verb === "click") actStart.assertWanted(act);
  else actStart.begin(act);
  moveTo(hit(), point, base);
  if (verb !== "click") return {};
  const cover = target && !force ? covers(el, point) : null;
  if (cover) {
    const above = hitAt(point);
    if (above) moveTo(above, point, base);
    return { blocked_by: cover, has_moved: hasMoved(el, point) };
  }
  actStart.begin(act);
  const told = await clickAt(hit(), point, base);
  return { ...told, ...unseen, ...(told.missed && target && replacement.remains(target, el)) };
};

/**
 * Fires the events of a press on a control around a change of its value, as those of a drag of its thumb.
 * @param {Element} el @param {() => void} change @param {() => void} end fires the change event, once the button is up
 */
export function pressAround(el, change, end) {
  const { x, y, width, height } = el.getBoundingClientRect();
  const at = { x: x + width / 2, y: y + height / 2 };
  const options = { button: /** @type {const} */ ("left"), modifiers: [] };
  moveTo(el, at, options);
  const isOpen = press(el, at, options, 1);
  change();
  const up = eventFields(at, options);
  if (el.isConnected) firePointer(el, "pointerup", up);
  if (isOpen && el.isConnected) fireMouse(el, "mouseup", { ...up, detail: 1 });
  end();
}

/** @param {Element} el @param {string} type @param {MouseEventInit} fields @param {DataTransfer} transfer */
function fireDrag(el, type, fields, transfer) {
  return !el.dispatchEvent(new DragEvent(type, { ...fields, dataTransfer: transfer }));
}

/** @param {Point} from @param {Point} to @param {number} steps */
function along(from, to, steps) {
  return Array.from({ length: steps }, (_, i) => ({
    x: from.x + ((to.x - from.x) * (i + 1)) / steps,
    y: from.y + ((to.y - from.y) * (i + 1)) / steps,
  }));
}

/** Libraries work in timers between the events of a drag; a hidden page has none that are fast enough. */
const rest = (ms = DRAG_STEP_MS) =>
  (document.hidden && ms <= HOLD_MS ? breathe() : new Promise((resolve) => { setTimeout(resolve, ms); }));

/** @param {Element} el @param {Point} at */
function letGo(el, at) {
  firePointer(el, "pointerup", eventFields(at, {}));
  fireMouse(el, "mouseup", { ...eventFields(at, {}), detail: 1 });
}

/** A point that is passed. pause: ms that the pointer rests there @typedef {Point & {pause?: number}} Passed */

/**
 * Points of the whole way of a drag.
 * @param {Point} from @param {Passed[]} via @param {Point} to @param {number} steps @returns {Passed[]}
 */
function wayOf(from, via, to, steps) {
  /** @type {Passed[]} */
  const stops = [from, ...via, to];
  return stops.slice(1).flatMap(({ x, y, pause }, at) =>
    [...along(stops[at], { x, y }, Math.max(2, steps)), ...(pause ? [{ x, y, pause }] : [])]);
}

/** @param {Element} source @param {Point} from @param {Passed[]} path @param {number} holdAtTarget ms */
async function dragData(source, from, path, holdAtTarget) {
  const transfer = new DataTransfer();
  let over = /** @type {Element | null} */ (null);
  let taker = /** @type {Element | null} */ (null);
  if (fireDrag(source, "dragstart", eventFields(from, {}), transfer)) return false;
  const moveOn = (/** @type {Point} */ at) => {
    const fields = eventFields(at, { buttons: 1 });
    const el = hitAt(at) ?? document.documentElement;
    fireDrag(source, "drag", fields, transfer);
    if (el !== over) {
      fireDrag(el, "dragenter", { ...fields, relatedTarget: over }, transfer);
      if (over) fireDrag(over, "dragleave", { ...fields, relatedTarget: el }, transfer);
      over = el;
    }
    taker = fireDrag(el, "dragover", fields, transfer) ? el : null;
  };
  const to = path[path.length - 1];
  try {
    await rest();
    for (const at of /** @type {Passed[]} */ ([...path, to])) await stop.step(() => moveOn(at), () => rest(at.pause));
    if (holdAtTarget) await stop.step(() => moveOn(to), () => rest(holdAtTarget)).then(() => moveOn(to));
  } catch (error) {
    // A drag that fails is let go where nothing takes it.
    if (over) fireDrag(over, "dragleave", eventFields(from, {}), transfer);
    fireDrag(source, "dragend", eventFields(from, {}), transfer);
    throw error;
  }
  const end = eventFields(to, {});
  if (taker) fireDrag(taker, "drop", end, transfer);
  fireDrag(source, "dragend", end, transfer);
  return true;
}

/** @param {Element} source @param {Point} from @param {Passed[]} path @param {number} holdAtTarget ms */
async function dragPointer(source, from, path, holdAtTarget) {
  const held = { buttons: 1 };
  const moveOn = (/** @type {Point} */ at) => {
    const el = hitAt(at) ?? document.documentElement;
    firePointer(el, "pointermove", { ...eventFields(at, held), button: -1 });
    fireMouse(el, "mousemove", eventFields(at, held));
  };
  const to = path[path.length - 1];
  let last = from;
  try {
    await rest();
    for (const at of /** @type {Passed[]} */ ([...path, to])) await stop.step(() => moveOn(at), () => rest(at.pause));
    if (holdAtTarget) await stop.step(() => moveOn(to), () => rest(holdAtTarget)).then(() => moveOn(to));
    last = to;
  } finally {
    // A drag that is stopped on the way is let go where it began.
    letGo((last === from ? source : hitAt(last)) ?? document.documentElement, last);
  }
}

/** The point `px` beyond `to` on the way from `from`. @param {Point} from @param {Point} to @param {number} px */
function beyond(from, to, px) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x + ((to.x - from.x) / length) * px, y: to.y + ((to.y - from.y) / length) * px };
}

/**
 * @param {{target?: TargetArgs, from: Point, via: Passed[], to: Point, steps: number, past?: number, hold?: number,
 *   hold_at_target?: number, act?: ActStart}} args target: what is dragged, if not whatever is there; via: points it passes;
 *   past: px beyond where it goes, and back; hold, hold_at_target: ms before the first move and before the release
 */
export const drag = async ({ target, from, via, to, steps, past, hold = 0, hold_at_target: holdAtTarget = 0, act }) => {
  const source = elementAt(from);
  const cover = target ? covers(pointerTarget(heldElement(target)), from) : null;
  if (cover) return { blocked_by: cover };
  const path = wayOf(from, via, to, steps);
  if (past) path.push(beyond(via.at(-1) ?? from, to, past), to);
  actStart.begin(act);
  moveTo(source, from);
  press(source, from, { button: "left", modifiers: [] }, 1);
  await stop.unless(rest(Math.max(HOLD_MS, hold))).catch((error) => {
    letGo(source, from);
    throw error;
  });
  const draggable = closest(source, (node) => /** @type {HTMLElement} */ (node).draggable === true);
  if (!draggable || !await dragData(draggable, from, path, holdAtTarget)) await dragPointer(source, from, path, holdAtTarget);
  return { done: true };
};
