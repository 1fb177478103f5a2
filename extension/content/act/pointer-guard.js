/*
 * The guard of trusted pointer input: between measuring an element and pressing the button the page may change, so the
 * press is let through only when it lands on the element, and counts as done only when it was seen to.
 */
import { pageText } from "../base/errors.js";
import { describe } from "../dom/element-summaries.js";
import { composedClosest } from "../dom/flat-tree.js";
import { accepts, CENTER, covers, hasMoved, hitAt, point, probe } from "../visibility/hit-testing.js";
import * as matches from "../find/matches.js";
import * as refs from "../find/refs.js";
import * as actStart from "./act-start.js";
import { breathe, heldElement, isDisabled, pointerTarget, prepare } from "./actionability.js";
import { closesSomething, prepareEvents } from "./activation.js";
import * as effects from "./effects.js";
import * as replacement from "./replacement.js";

const GUARDED = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "dragstart",
];
/** Long enough for a page that is busy when the press comes; a guard whose worker has died must not keep the person out. */
const LIFETIME_MS = 8000;
const NATIVE_MS = 2000;
const DOWNS = new Set(["pointerdown", "mousedown"]);
/** Events by which the page learns that a press was one on its target. */
const CLICKS = new Set(["click", "auxclick", "contextmenu"]);
/** Media with controls of the browser, which keeps the events of the pointer on them from the page. */
const KEEPS_EVENTS = "audio[controls], video[controls]";
/** A page that is held for longer by what a click has set off, as by a dialog, does not tell of the click by itself. */
const HELD_MS = 50;
/** Events have whole pixels. */
const SAME_PLACE_PX = 1;
/** Places in frames that are turned or shrunk are a little less exact. A frame that has moved is further away. */
const NEAR_PX = 4;
/**
 * begun: whether a button was seen to go down; reached: presses that were let through; isDirect: whether the target itself is
 * on the way of their events, which else are for it by other rules; replacedBy: number of what was pressed in its place; got:
 * types of the events that the target got; clicks, doubles: those by which a page learns of a click; at: the last place;
 * closes: whether the press that was stopped closes something all the same; hasCome, isElsewhere: whether the pointer
 * was seen there since, or elsewhere alone; arrived: whether it has come to the place to press; clicked: when the first click on
 * the target was seen, 0 where not in time
 * @typedef {{listeners: AbortController, el: Element | null, target: TargetArgs | null, seen: boolean, begun: boolean,
 *   reached: number, isDirect: boolean, replacedBy?: number, got: Set<string>, clicks: number, doubles: number,
 *   at: Point | null, last: Event | null, blockedBy: string | null, closes: boolean, timer: number, hasCome: boolean,
 *   isElsewhere: boolean, arrived: PromiseWithResolvers<boolean>, clicked: PromiseWithResolvers<number>}} Guard
 */
/** @type {Guard | null} */
let guard = null;
/** Verdict that the page tells by itself. @type {ReturnType<typeof verdict> | null} */
let telling = null;

function rest() {
  guard?.arrived.resolve(false);
  guard?.clicked.resolve(0);
  guard?.listeners.abort();
  clearTimeout(guard?.timer);
}

/**
 * Whether `hit` has taken the place of an element that the press before it has removed.
 * @param {Element} el @param {Element} hit
 */
function succeeds(el, hit) {
  if (el.isConnected) return false;
  return composedClosest(hit, (node) => node.localName === el.localName && node.id === el.id
    && node.getAttribute("class") === el.getAttribute("class")) !== null;
}

/** Whether an event of the pointer is one at a place. @param {MouseEvent} event @param {Point} place @param {number} [px] */
const isAt = ({ clientX, clientY }, { x, y }, px = SAME_PLACE_PX) => Math.abs(clientX - x) <= px && Math.abs(clientY - y) <= px;

const isElement = (/** @type {EventTarget | undefined} */ node) =>
  /** @type {Node | undefined} */ (node)?.nodeType === Node.ELEMENT_NODE;

/**
 * The element that an event of the pointer is for. What listeners of the page, which may have come first, have laid over the
 * target changes nothing for an event that is on its way to it. Closed shadow trees show the point alone.
 * @param {Element | null} el the target @param {MouseEvent} event
 */
function hitBy(el, event) {
  const [first] = /** @type {Element[]} */ (event.composedPath());
  if (el && isElement(first) && accepts(el, first)) return first;
  return hitAt({ x: event.clientX, y: event.clientY }) ?? first;
}

/**
 * Notes an event on the target. Inside closed shadow trees only the target itself hears of it; above it a page may keep it.
 * @param {Guard} state @param {Event} event
 */
function noteEvent(state, event) {
  const { el, last, reached, isDirect } = state;
  if (!el || event === last || !event.isTrusted) return;
  const [hit] = /** @type {Element[]} */ (event.composedPath());
  const isOn = event.composedPath().includes(el) || isElement(hit)
    && ((!isDirect && accepts(el, hit)) || (reached > 1 && succeeds(el, hit)));
  if (!isOn) return;
  state.last = event;
  state.got.add(event.type);
  if (event.type === "click") state.clicked.resolve(performance.now());
  if (CLICKS.has(event.type)) state.clicks += 1;
  else if (event.type === "dblclick") state.doubles += 1;
}

/** Hears the events of the target on itself, which inside closed shadow trees nobody else does. @param {Guard} state */
function hearTarget(state) {
  const options = { capture: true, passive: true, signal: state.listeners.signal };
  for (const type of GUARDED) state.el?.addEventListener(type, (event) => noteEvent(state, event), options);
}

/**
 * Lets the press go to what the page has drawn in the place of the target since that was aimed at, as an act goes on with it.
 * A press that is on its way to the target has been heard there.
 * @param {Guard} state @param {MouseEvent} event
 */
function followRedrawn(state, event) {
  const { el, target, reached } = state;
  if (!el || !target || el.isConnected || reached || event.composedPath().includes(el)) return;
  const next = replacement.successor(target);
  if (!next) return;
  state.el = pointerTarget(next);
  state.replacedBy = refs.refFor(next);
  hearTarget(state);
}

/**
 * The reason why presses that were let through came to no click; null when they did.
 * @param {Guard} state @param {boolean} isDouble
 */
function missedClick({ el, reached, clicks, doubles, at }, isDouble) {
  if (!el || !reached || (clicks >= reached && (doubles || !isDouble || reached < 2))) return null;
  if (!el.isConnected) return "the page removed it, or drew it anew, while it was pressed";
  if (isDisabled(el)) return "it is disabled";
  if (at && hasMoved(el, at)) return "the page moved it away while it was pressed";
  const cover = at && covers(el, at);
  return cover ? `${pageText(cover)} was in its place when the button was released` : "the page kept the click from it";
}

/**
 * Lets the coming press through only when it lands on `el`; otherwise stops it before the page sees it, but for the listeners
 * that the page had on its window before.
 * @param {TargetArgs | null} target the element of the act
 * @param {Element | null} el the one to press for it
 * @param {Point | null} [place] where it will be pressed
 */
function arm(target, el, place) {
  rest();
  telling = null;
  const listeners = new AbortController();
  /** @type {Guard} */
  const state = {
    listeners, el, target, seen: false, begun: false, reached: 0, isDirect: false, got: new Set(), clicks: 0, doubles: 0,
    at: null, last: null, blockedBy: null, closes: false, timer: setTimeout(rest, LIFETIME_MS), hasCome: false,
    isElsewhere: false, arrived: Promise.withResolvers(), clicked: Promise.withResolvers(),
  };
  const look = (/** @type {MouseEvent} */ event) => {
    followRedrawn(state, event);
    const now = state.el;
    const hit = hitBy(now, event);
    if (now && hit && (accepts(now, hit) || (state.reached && succeeds(now, hit)))) {
      state.reached += 1;
      state.isDirect = event.composedPath().includes(now);
      return;
    }
    state.blockedBy = isElement(hit) ? describe(hit) : "the page";
    state.closes = closesSomething(isElement(hit) ? hit : document.documentElement);
  };
  const check = (/** @type {Event} */ event) => {
    if (!event.isTrusted) return;
    // The check covers each press of a double click: the first may change the page. A page may keep events from this listener.
    if (!state.blockedBy && (!state.seen || event.type === "pointerdown")) look(/** @type {MouseEvent} */ (event));
    state.seen = true;
    state.begun ||= DOWNS.has(event.type);
    state.at = { x: /** @type {MouseEvent} */ (event).clientX, y: /** @type {MouseEvent} */ (event).clientY };
    if (!state.blockedBy) return noteEvent(state, event);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const move = (/** @type {MouseEvent} */ event) => {
    if (!event.isTrusted) return;
    // The person may move the pointer elsewhere afterwards.
    state.hasCome ||= !place || isAt(event, place, NEAR_PX);
    state.isElsewhere = !state.hasCome;
    if (place && isAt(event, place)) state.arrived.resolve(true);
  };
  addEventListener("mousemove", move, { capture: true, passive: true, signal: listeners.signal });
  for (const type of GUARDED) addEventListener(type, check, { capture: true, signal: listeners.signal });
  hearTarget(state);
  actStart.yieldToGuard();
  withholdNative(listeners.signal);
  guard = state;
}

/**
 * Keeps away what the browser does for a press besides the page: a native context menu would stay open with nobody to close
 * it, and the middle button pastes what the person has selected anywhere, where the system does so.
 * @param {AbortSignal} signal
 */
function withholdNative(signal) {
  addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  addEventListener("paste", (event) => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true, signal });
}

export const withholdNativeAWhile = () => {
  withholdNative(AbortSignal.timeout(NATIVE_MS));
  return {};
};

/** @param {{target: TargetArgs|null, below?: boolean}} args null: none may land in this frame; below: not for the top one */
export const armTarget = ({ target, below = false }) => {
  if (below && self === top) return {};
  const el = target ? pointerTarget(heldElement(target)) : null;
  const place = el && point(el);
  arm(target, el, place);
  return { point: place };
};

/** Measures the point to press and guards it, in one call. @param {PointerRequest} request */
export const aim = async (request) => {
  const prepared = await prepare(request);
  if (!prepared.obstacle) arm(request.target, pointerTarget(heldElement(request.target)), prepared.point);
  return prepared;
};

/** Operations by which a press is prepared. */
const PREPARE = { "input.aim": aim, "input.prepareEvents": prepareEvents };

/**
 * Finds the element that a selector means and aims at it as well, where it is the only one and fit for a press now. In a page
 * with frames it may not be the only one. Nothing is scrolled: a page that leaves because of it would take the answer along,
 * and the element would be looked for in the next page.
 * @param {{selector: string, watching?: boolean, aim: Omit<PointerRequest, "target"> & {name: keyof typeof PREPARE}}} args
 */
export const find = async ({ aim: { name, ...request }, ...wanted }) => {
  const found = matches.find(wanted);
  if (found.usable !== 1 || self !== top || window.length) return found;
  const target = { ref: found.locals[0] };
  // Whatever is in the way now is waited for, or told, by the question that follows.
  if (!probe(pointerTarget(heldElement(target)), CENTER, true).point) return found;
  const aimed = await PREPARE[name]({ ...request, target, timeout_ms: 0 }).catch(() => undefined);
  return { ...found, ...(aimed && { aimed: { ...aimed, name } }) };
};

/**
 * Answers after the tasks that the page has queued at the coming of the pointer: a veil put up there counts. So does a frame,
 * which has no guard yet. has_come: whether this document has seen the pointer come there; is_elsewhere: whether it has seen it
 * elsewhere alone.
 * @param {{target: TargetArgs, point: Point}} args
 */
export async function arrived({ target, point: at }) {
  await breathe();
  const el = pointerTarget(heldElement(target));
  const cover = covers(el, at);
  const { hasCome, isElsewhere } = guard ?? {};
  return { blocked_by: cover, has_moved: cover !== null && hasMoved(el, at), has_come: hasCome, is_elsewhere: isElsewhere };
}

/** Tells the same by itself as soon as the page has seen the pointer come. @param {{target: TargetArgs, point: Point}} args */
export const arriving = async (args) => {
  const state = guard;
  if (!await state?.arrived.promise) return {};
  // The listeners of the page come first: what they queue is waited for from then on.
  await breathe();
  const told = await arrived(args);
  return guard === state ? { told } : {};
};

/**
 * ends: unless the press was stopped the act is over, and what it changed is told as well; stays: what was stopped is stopped
 * further; below: not for the top frame; is_double: the presses were to come to a double click
 * @typedef {{ends?: boolean, stays?: boolean, below?: boolean, is_double?: boolean}} VerdictArgs
 */

const NOTHING_SEEN = { seen: false, begun: false, reached: 0, clicks: 0, missed: null, blocked_by: null };

/** @param {VerdictArgs} args @returns {Promise<object & {counted?: object}>} */
async function verdict({ ends = false, stays = false, is_double = false }) {
  if (!guard) return NOTHING_SEEN;
  const state = guard;
  const { seen, begun, reached, got, clicks, closes, blockedBy, target, el, replacedBy } = state;
  const missed = missedClick(state, is_double);
  const remains = missed && target && el ? replacement.remains(target, el) : {};
  if (!stays || !blockedBy) {
    rest();
    guard = null;
  }
  const told = {
    seen, begun, reached, clicks, missed, got: [...got], ...remains, blocked_by: blockedBy, replaced_by: replacedBy,
    ...(!seen && el?.matches(KEEPS_EVENTS) && { is_kept: true }),
    ...(blockedBy && { types: GUARDED, closes }),
  };
  return { ...told, ...(ends && reached && !blockedBy && { counted: await effects.counted() }) };
}

/** @param {VerdictArgs} args */
export const tellVerdict = (args) => {
  if (args.below && self === top) return {};
  return telling ?? verdict(args);
};

/**
 * Tells the verdict on one press as soon as the page has got a click of it; nothing where that does not come, or not simply.
 * @param {VerdictArgs} args
 */
export const clicked = async (args) => {
  const state = guard;
  const seenAt = (await state?.clicked.promise) ?? 0;
  // The listeners of the page come first.
  await breathe();
  if (!seenAt || guard !== state || performance.now() - seenAt > HELD_MS) return {};
  telling = verdict(args);
  const { counted, ...told } = await telling;
  return { told, counted };
};
