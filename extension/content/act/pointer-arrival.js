/*
 * Proof that a hovering pointer has come: the page's own event of it at the target, or that the target is hovered, as where the
 * pointer was there before.
 */
import { accepts, covers, hitAt } from "../visibility/hit-testing.js";
import * as visualViewport from "../visibility/visual-viewport.js";
import { breathe, heldElement, pointerTarget, prepare } from "./actionability.js";
import * as effects from "./effects.js";
import * as stop from "./stop.js";

const COMING = ["pointerover", "pointermove", "mouseover", "mousemove"];
/** A worker that has died asks no more. */
const LIFETIME_MS = 8000;
const LATE_MS = 1000;
/** Events of a mouse have whole pixels. */
const SAME_PLACE_PX = 1;

/**
 * el: the target, or null for whatever is at the place; isElsewhere: whether an event of the pointer was last seen elsewhere;
 * came: resolves with whether one was seen at the target
 * @typedef {{el: Element | null, place: Point, hasCome: boolean, isElsewhere: boolean, came: PromiseWithResolvers<boolean>,
 *   stop: AbortController}} Awaited
 */
/** @type {Awaited | null} */
let awaited = null;

/** @param {Awaited} state @param {MouseEvent} event */
function isThere({ el, place }, event) {
  const at = { x: event.clientX, y: event.clientY };
  // Inside closed shadow trees the window does not see the target of an event.
  if (el) return event.composedPath().includes(el) || accepts(el, hitAt(at));
  return Math.abs(at.x - place.x) <= SAME_PLACE_PX && Math.abs(at.y - place.y) <= SAME_PLACE_PX;
}

/** @param {Element | null} el @param {Point} place */
function listen(el, place) {
  awaited?.stop.abort();
  const stop = new AbortController();
  /** @type {Awaited} */
  const state = { el, place, hasCome: false, isElsewhere: false, came: Promise.withResolvers(), stop };
  const timer = setTimeout(() => stop.abort(), LIFETIME_MS);
  stop.signal.addEventListener("abort", () => {
    clearTimeout(timer);
    state.came.resolve(false);
  });
  const look = (/** @type {MouseEvent} */ event) => {
    if (!event.isTrusted) return;
    state.isElsewhere = !isThere(state, event);
    if (state.isElsewhere) return;
    state.hasCome = true;
    state.came.resolve(true);
  };
  const options = { capture: true, passive: true, signal: stop.signal };
  for (const type of COMING) addEventListener(type, (event) => look(/** @type {MouseEvent} */ (event)), options);
  awaited = state;
}

/** The element at a point may be larger than the point: the pointer may hover it elsewhere. @param {Awaited} state */
const isHovered = ({ el, place, isElsewhere }) =>
  (el ? el.matches(":hover") : !isElsewhere && hitAt(place)?.matches(":hover")) ?? false;

/**
 * @param {Awaited | null} state
 * @returns {{came: boolean, cover?: string | null}} cover: what is in the target's place
 */
function arrival(state) {
  if (!state) return { came: false };
  const { el, place, stop } = state;
  // An answer may come too late, and the same is asked again.
  state.hasCome ||= isHovered(state);
  stop.abort();
  return state.hasCome ? { came: true } : { came: false, cover: el?.isConnected ? covers(el, place) : null };
}

/** Measures the point to hover and listens for the pointer, in one call. @param {PointerRequest} request */
export const aim = async (request) => {
  const prepared = await prepare(request);
  if (prepared.point) listen(pointerTarget(heldElement(request.target)), prepared.point);
  return prepared;
};

/** Listens for the pointer at a point. @param {{point: Point}} args */
export const listenAt = ({ point }) => {
  listen(null, point);
  return visualViewport.shown();
};

/**
 * Tells whether the pointer has come, to a target that is still there. Chrome may say that a page was given a move before the
 * page is.
 * @param {{target?: TargetArgs}} args
 */
export const tellComing = async ({ target }) => {
  await breathe();
  if (awaited && !awaited.hasCome && !isHovered(awaited)) {
    const late = new Promise((resolve) => { setTimeout(resolve, LATE_MS); });
    await stop.unless(Promise.race([awaited.came.promise, late]));
  }
  const told = arrival(awaited);
  if (target && !told.came) heldElement(target);
  return told;
};

/**
 * Tells it by itself as soon as the page has seen the pointer come.
 * @param {{ends: boolean}} args  ends: the act is over then, and what it changed is told as well
 */
export const coming = async ({ ends }) => {
  const state = awaited;
  if (!await state?.came.promise) return {};
  // The listeners of the page come first.
  await breathe();
  if (!state || awaited !== state) return {};
  return { told: arrival(state), ...(ends && { counted: await effects.counted() }) };
};
