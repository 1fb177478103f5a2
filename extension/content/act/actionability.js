import { codedError, pageText } from "../base/errors.js";
import { hop } from "../base/turns.js";
import { describe, named } from "../dom/element-summaries.js";
import { ALL_CHANGES, composedClosest as closest, lineage } from "../dom/flat-tree.js";
import { FRAMES, slotOf } from "../dom/frames.js";
import * as visibility from "../dom/visibility.js";
import {
  aim, boxes, CENTER, covers, hitAt, isWithoutView, point, probe, reveal, revealWord, SPREAD, takesNoClicks,
  wordIn,
} from "../visibility/hit-testing.js";
import { freePlaces } from "../visibility/label-places.js";
import { isUnseen, UNSEEN } from "../visibility/unseen-controls.js";
import * as visualViewport from "../visibility/visual-viewport.js";
import * as refs from "../find/refs.js";
import * as pageMarks from "./page-marks.js";
import * as stop from "./stop.js";

/** @typedef {{code: string, message: string, cover?: Element, isMoving?: boolean}} Problem */
/** @typedef {{searched?: boolean, point?: Point}} Search what a look for a point of an element has come to */

const WAKE_EVENTS = ["transitionend", "animationend", "resize", "load", "toggle"];
const PAINT_ONLY = new RegExp("^(opacity|color|background|border.*color|boxShadow|outline|filter|fill|stroke|textDecoration|"
  + "visibility|caretColor|accentColor|cursor|backdropFilter)", "i");
/** Code editors, which take their text in a box that nobody sees. */
const CODE_EDITOR = ".CodeMirror, .monaco-editor, .ace_editor";
const CODE_INPUT = ".CodeMirror textarea, .ace_editor textarea, .monaco-editor textarea, .monaco-editor .native-edit-context";
const CODE_TEXT = ".CodeMirror-lines, .ace_content, .view-lines";
const TAKES_FOCUS = "[role=combobox], [role=listbox], [aria-haspopup], [tabindex], input";
const KEYFRAME_FIELDS = new Set(["offset", "computedOffset", "easing", "composite"]);

/** Lets other tasks of the page run. Rejects when a stop came meanwhile. */
export async function breathe() {
  const signal = stop.signal();
  await hop();
  signal.throwIfAborted();
}

const isInert = (/** @type {Element} */ el) => closest(el, (node) => node.hasAttribute("inert")) !== null;

/** The reason why a press at `at` does not reach `el`; null when it does. @param {Element} el @param {Point} at */
function obstacleTo(el, at) {
  const cover = covers(el, at);
  if (!cover) return null;
  if (!isVisible(el)) return "it is not visible";
  if (isInert(el)) return "it is inert";
  if (takesNoClicks(el)) return "it takes no clicks (pointer-events: none)";
  return hitAt(at) ? `it is covered by ${pageText(cover)}` : "it is outside of the viewport";
}

/** An element without a box of its own is seen by its content. @param {Element} el */
function isVisible(el) {
  if (!boxes(el).length) return false;
  return visibility.isVisible(el) || el.checkVisibility({ visibilityProperty: true });
}

/** @param {Element} el */
export function isDisabled(el) {
  const control = closest(el, (node) => node.matches("button, input, select, textarea, option, optgroup"));
  if (control?.matches(":disabled") && (control === el || control.localName === "button")) return true;
  return closest(el, (node) => node.getAttribute("aria-disabled") === "true") !== null;
}

/** @param {Element} el */
export function isReadonly(el) {
  if (el.matches("input, textarea") && /** @type {HTMLInputElement} */ (el).readOnly) return true;
  return closest(el, (node) => node.getAttribute("aria-readonly") === "true") === el;
}

/** @param {Animation} animation */
function movesLayout({ effect, playState }) {
  if (playState !== "running" || !effect || !Number.isFinite(effect.getComputedTiming().endTime)) return false;
  return /** @type {KeyframeEffect} */ (effect).getKeyframes().some((frame) =>
    Object.keys(frame).some((name) => !KEYFRAME_FIELDS.has(name) && !PAINT_ONLY.test(name)));
}

/** @param {Element} el */
const movingAnimations = (el) => [...lineage(el)].flatMap((node) => node.getAnimations().filter(movesLayout));

/** Settles when `work` does, at the latest at the deadline. @param {number} deadline @param {Promise<unknown>} work */
function within(deadline, work) {
  let timer = 0;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, Math.max(0, deadline - Date.now())); });
  return Promise.race([work.catch(() => {}), late]).finally(() => clearTimeout(timer));
}

/**
 * Resolves true when the element keeps its place; animations do not run in a hidden page, so they are not awaited there.
 * @param {Element} el
 * @param {number} deadline
 */
async function settle(el, deadline) {
  const moving = document.hidden ? [] : movingAnimations(el);
  if (moving.length) await stop.unless(within(deadline, Promise.all(moving.map((a) => a.finished))));
  const before = el.getBoundingClientRect();
  await breathe();
  const after = el.getBoundingClientRect();
  return /** @type {const} */ (["x", "y", "width", "height"]).every((side) => before[side] === after[side]);
}

/** @param {Element} el */
const rootsOf = (el) => [document, ...Array.from(lineage(el), (node) => node.getRootNode())];

/** Number of times this document was left. A document that was kept for going back must not go on with an earlier act. */
let departures = 0;

/** Notes when this document is left. */
export function listen() {
  addEventListener("pagehide", () => { departures += 1; });
}

const left = () => codedError("stale_element_reference", "the page was left. Take a new snapshot", { cause: "navigated" });

/**
 * Resolves true at the next change of the page that may matter to `el`, false at the deadline. Rejects at a stop.
 * @param {Element} el
 * @param {Element | null | undefined} cover
 * @param {number} deadline
 * @returns {Promise<boolean>}
 */
export function nextChange(el, cover, deadline) {
  const before = departures;
  const halted = stop.signal();
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = (/** @type {boolean} */ changed) => {
      if (stop.signal.aborted) return;
      stop.abort();
      observer.disconnect();
      clearTimeout(timer);
      if (halted.aborted) reject(halted.reason);
      else if (departures === before) resolve(changed);
      else reject(left());
    };
    const wake = () => breathe().then(() => finish(true), () => finish(false));
    halted.addEventListener("abort", () => finish(false), { signal: stop.signal });
    const observer = new MutationObserver(wake);
    for (const root of new Set([...rootsOf(el), ...(cover ? rootsOf(cover) : [])])) observer.observe(root, ALL_CHANGES);
    for (const type of WAKE_EVENTS) addEventListener(type, wake, { capture: true, signal: stop.signal });
    for (const animation of document.getAnimations().filter(movesLayout).slice(0, 50)) animation.finished.then(wake, wake);
    const timer = setTimeout(() => finish(false), Math.max(0, deadline - Date.now()));
  });
}

/** @param {Element} el @param {string} why @param {string} [code] @returns {Problem} */
const unfit = (el, why, code = "element_not_interactable") => ({ code, message: `${named(el)} ${why}` });

/** @type {Record<string, (el: Element, state: Search) => Problem | null>} */
const CHECKS = {
  visible: (el) => (isVisible(el) ? null
    : unfit(el, `is not visible${isUnseen(el) ? `: ${UNSEEN}` : ""}. Take a new snapshot, or open what hides it first`)),
  enabled: (el) => (isDisabled(el) ? unfit(el, "is disabled. Do first what the page asks for to enable it") : null),
  editable: (el) => (isReadonly(el) ? unfit(el, "is read-only", "element_not_editable") : null),
  receives: (el, state) => {
    const { point: at, cover } = aim(el, !state.searched);
    state.searched = true;
    state.point = at;
    if (at) return null;
    if (isWithoutView()) {
      state.point = forcedPoint(el);
      return null;
    }
    if (isInert(el)) return unfit(el, "is inert: it takes no events");
    if (takesNoClicks(el)) return unfit(el, "takes no clicks (pointer-events: none): it is probably switched off");
    if (isUnseen(el)) return unfit(el, `cannot be seen by anyone: ${UNSEEN}. Act on what the page shows instead`);
    if (!cover) return unfit(el, "is outside of the viewport and cannot be scrolled into it");
    const why = `is covered by ${named(cover)}. Close or move what covers it`;
    return { ...unfit(el, why, "element_click_intercepted"), cover };
  },
};

/** @param {Element} el @returns {Problem} */
const unstable = (el) => (
  { ...unfit(el, "keeps moving. Look at the page, or act on it by coordinates", "timeout"), isMoving: true });

/** @param {Element} el */
function gone(el) {
  const message = `${named(el)} was removed from the page. Take a new snapshot`;
  return codedError("stale_element_reference", message, { cause: "removed" });
}

/** @param {Element} el @param {Check[]} checks @param {Search} state */
function firstProblem(el, checks, state) {
  if (!el.isConnected) throw gone(el);
  for (const [name, check] of Object.entries(CHECKS)) {
    const problem = checks.includes(/** @type {Check} */ (name)) ? check(el, state) : null;
    if (problem) return problem;
  }
  return null;
}

/**
 * Wait, by events, until an element is fit to be acted on.
 * @param {Element} el
 * @param {{checks: Check[], force?: boolean, deadline: number}} options
 * @returns {Promise<{point?: Point}>}
 */
export async function ready(el, { checks, force = false, deadline }) {
  if (force) {
    if (!el.isConnected) throw gone(el);
    return { point: checks.includes("receives") ? forcedPoint(el) : undefined };
  }
  const state = /** @type {Search} */ ({});
  const began = departures;
  for (let waiting = true; ;) {
    const problem = firstProblem(el, checks.filter((name) => name !== "receives"), state)
      ?? (checks.includes("stable") && !await settle(el, deadline) ? unstable(el) : null)
      ?? firstProblem(el, checks.filter((name) => name === "receives"), state);
    if (departures !== began) throw left();
    if (!problem) {
      if (state.point) pageMarks.point(state.point);
      else pageMarks.pointTo(el);
      return { point: state.point };
    }
    if (!waiting) throw codedError(problem.code, problem.message);
    if (problem.isMoving) waiting = Date.now() < deadline;
    else waiting = await nextChange(el, problem.cover, deadline);
  }
}

/** @param {Element} el */
function forcedPoint(el) {
  const at = point(el);
  if (at) return at;
  const box = boxes(el)[0] ?? el.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Element} el */
function isTiny(el) {
  const { width, height } = el.getBoundingClientRect();
  return width <= 1 || height <= 1;
}

/** Whether an element is tiny, transparent or clipped, as widgets hide the list they were made from. @param {Element} el */
function isPutAway(el) {
  const { opacity, clip } = getComputedStyle(el);
  if (opacity === "0" || clip !== "auto" || isTiny(el)) return true;
  return closest(el.parentElement, (node) => isTiny(node) && getComputedStyle(node).overflow !== "visible") !== null;
}

/** Box that a widget shows in place of the list it was made from: the next one that takes the focus. @param {Element} list */
function widgetOf(list) {
  if (!isPutAway(list)) return null;
  for (const next of [list.nextElementSibling, list.parentElement?.nextElementSibling]) {
    const box = next && isVisible(next) && (next.matches(TAKES_FOCUS) ? next : next.querySelector(TAKES_FOCUS));
    if (box && isVisible(box)) return box;
  }
  return null;
}

/** Element that people see instead of a list which can itself be neither seen nor clicked. @param {Element} list */
export function faceOf(list) {
  if (!isPutAway(list)) return null;
  const { point: at, cover } = probe(list, SPREAD, false);
  return widgetOf(list) ?? (at || cover?.matches("html, body") ? null : cover ?? null);
}

/** Label to press in place of a control, one with a free place if there is any. @param {Element} control */
function visibleLabel(control) {
  const labels = [.../** @type {HTMLInputElement} */ (control).labels ?? []].filter(isVisible);
  return labels.find((label) => freePlaces(label).length) ?? labels[0];
}

/** Visible stand-ins of controls that cannot be seen themselves. */
const STAND_INS = /** @type {Array<[string, (control: Element) => Element | null | undefined]>} */ ([
  ["input[type=checkbox], input[type=radio], input[type=file]", visibleLabel],
  [CODE_INPUT, (input) => input.closest(CODE_EDITOR)?.querySelector(CODE_TEXT)],
  ["select", widgetOf],
]);

/**
 * The element a pointer act should aim at: the visible stand-in of a form control that is itself not to be seen.
 * @param {Element} el
 */
export function pointerTarget(el) {
  const standIn = STAND_INS.find(([controls]) => el.matches(controls))?.[1];
  if (!standIn || (isVisible(el) && probe(el, CENTER, false).point)) return el;
  const label = standIn(el);
  if (!label || (probe(el, SPREAD, false).point && getComputedStyle(el).opacity !== "0")) return el;
  return label;
}

/** Refuses a press on a label that would go to a link or button in it. @param {Element} el @param {Element} aimed its label */
function assertOwnPlace(el, aimed) {
  if (aimed === el || !el.matches("input") || freePlaces(aimed).length) return;
  const message = `${named(el)} is not visible, and a press on its label would go to a link or button in it`;
  throw codedError("element_not_interactable", message, { own_click: true });
}

/** @type {{ref: number, el: HTMLElement, box?: DOMRect} | null} box: where it was when it was fit for the act */
let held = null;

/**
 * The element of an act, proved once: hovering or clicking may rename it before the act has ended.
 * @param {TargetArgs} target
 */
export function hold(target) {
  const el = /** @type {HTMLElement} */ (refs.resolve(target.ref));
  held = { ref: target.ref, el };
  return el;
}

/** The element an earlier step of the same act was proved to mean. @param {TargetArgs} target */
export function heldElement(target) {
  return held?.ref === target.ref && held.el.isConnected ? held.el : hold(target);
}

/** Box of the element of an act at the moment when it was fit for the act. @param {TargetArgs} target */
export const heldBox = ({ ref }) => (held?.ref === ref ? held.box : undefined);

/** Notes where the element of an act is, before the act gives it the focus. @param {TargetArgs} target @param {Element} el */
export function holdPlace(target, el) {
  hold(target);
  if (held) held.box = el.getBoundingClientRect();
}

/**
 * Whether a page has redrawn the target of an act as it got the focus. Throws when the element that the act names was
 * redrawn: the worker goes on with what has taken its place.
 * @param {TargetArgs} target @param {Element} el the element, or the field in it
 */
export function isRedrawn(target, el) {
  if (el.isConnected) return false;
  try {
    refs.resolve(target.ref);
  } catch (error) {
    const { code, message, data } = /** @type {ContentError} */ (error);
    throw codedError(code, message, { ...data, redrawn: true });
  }
  return true;
}

/** The frame's clock: a deadline from a duration given by the caller. @param {number} [timeoutMs] */
export function deadlineFrom(timeoutMs) {
  return Date.now() + Math.max(0, timeoutMs ?? 5000);
}

/**
 * Position of the frame whose document gets a press at `at`: that of the element itself, or in the middle of a framed page.
 * @param {Element} el @param {Point} at
 */
function frameAt(el, at) {
  const hit = hitAt(at);
  const isOwn = hit === el || (self !== top && el === document.documentElement);
  return hit && isOwn && FRAMES.has(hit.localName) ? slotOf(hit) : null;
}

/** Whether an element is an editor, or a part of one: two clicks select a word there. @param {Element} el */
const isEdited = (el) => /** @type {HTMLElement} */ (el).isContentEditable || el.closest(CODE_EDITOR) !== null;

/** A point of a word of an editor, which is moved into view where no word is. @param {Element} el */
function aimAtWord(el) {
  const at = wordIn(el);
  if (!at) revealWord(el);
  return at ?? wordIn(el);
}

/** @param {PointerRequest} request @returns {Promise<PreparedTarget>} */
export async function prepare({ target, checks, force, reveals, at_word, timeout_ms }) {
  const el = hold(target);
  const deadline = deadlineFrom(timeout_ms);
  const list = el.localName === "option" && !boxes(el).length && el.closest("select");
  if (list) {
    const message = `${named(el)} is in a closed list. Use select on ${named(list)}`;
    throw codedError("element_not_interactable", message, { closed_list: true });
  }
  const aimed = pointerTarget(el);
  // Disabled is a state of the control, not of the label that stands in for it.
  if (aimed !== el) await ready(el, { checks: checks.filter((c) => c === "enabled"), force, deadline });
  assertOwnPlace(el, aimed);
  if (reveals) reveal(aimed, "center");
  const { point: middle } = await ready(aimed, { checks, force, deadline });
  const at = (at_word && isEdited(aimed) && aimAtWord(aimed)) || middle;
  if (held?.el === el) held.box = aimed.getBoundingClientRect();
  const obstacle = force && at ? obstacleTo(aimed, at) : null;
  const slot = at ? frameAt(aimed, at) : null;
  const found = { ...(obstacle && { obstacle }), ...(slot !== null && { slot }) };
  return { point: at, description: describe(el), ...found, shown: visualViewport.shown() };
}
