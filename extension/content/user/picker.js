/*
 * A person points at an element. What is drawn lies in a closed shadow root beside the body, where snapshots do not look;
 * the page gets none of the person's clicks and keys meanwhile.
 */
import { activeElementDeep, cached, composedParent } from "../dom/flat-tree.js";
import { framesIn } from "../dom/frames.js";
import { hitAt } from "../visibility/hit-testing.js";
import { answerOf } from "../find/matches.js";
import * as assertions from "./assertions.js";

/** @typedef {{element?: Element, declined?: boolean, ended?: boolean}} Outcome ended: not by the person */
/** @typedef {{token: string, promise: Promise<Outcome>}} Asked */
/**
 * @typedef {Asked & {host: HTMLElement, hit: HTMLElement, box: HTMLElement, banner: HTMLElement, observer: MutationObserver,
 *   resolve: (outcome: Outcome) => void, listening: AbortController, timer: number,
 *   current: Element | null, below: Element[], returns: number, modal?: Element, path?: string}} Picking
 */

const POINTER = [
  "pointerdown", "pointerup", "pointermove", "pointerover", "pointerout", "pointerenter", "pointerleave", "pointercancel",
  "mousedown", "mouseup", "mousemove", "mouseover", "mouseout", "mouseenter", "mouseleave", "click", "dblclick", "auxclick",
  "contextmenu", "touchstart", "touchmove", "touchend", "dragstart",
];
/** Events whose default action is kept: if it were prevented, no click would come. */
const KEPT = /^(touch|pointer)/;
const KEYS = ["keydown", "keypress", "keyup"];
/** Keys a person moves about the page with. */
const MOVING = new Set(["Tab", "PageUp", "PageDown", "Home", "End", "Shift"]);
/** Time for which the end of the click or key that has chosen is kept from the page as well. */
const LINGER_MS = 400;
/** Time after the limit until the pick ends by itself, in case the worker that should end it has died. */
const GRACE_MS = 3_000;
/** Number of times the picker comes back to a page that removes unknown elements. */
const MAX_RETURNS = 20;

const LAYER = "all: initial; position: fixed; inset: 0; margin: 0; border: 0; padding: 0; width: auto; height: auto; "
  + "max-width: none; max-height: none; background: none; overflow: visible; z-index: 2147483647; pointer-events: none; "
  + "display: block;";
const HIT = "position: fixed; inset: 0; pointer-events: auto; cursor: crosshair;";
const BOX = "position: fixed; box-sizing: border-box; pointer-events: none; display: none; border: 2px solid #1a73e8; "
  + "background: rgba(26, 115, 232, .18); outline: 1px solid #fff; border-radius: 2px;";
const BANNER = "position: fixed; left: 50%; top: 12px; transform: translateX(-50%); max-width: min(640px, 90vw); "
  + "padding: 10px 16px; box-sizing: border-box; pointer-events: none; border-radius: 8px; background: #202124; color: #fff; "
  + "white-space: pre-wrap; font: 15px/1.4 system-ui, sans-serif; box-shadow: 0 2px 12px rgba(0, 0, 0, .4);";
const HOW = "Click it, or Tab to it and press Enter. Escape cancels.";

/** The pick under way in this frame. @type {Picking | null} */
let pick = null;
/** The pick before the current one: a quick person chooses before the worker asks for the choice. @type {Asked | null} */
let last = null;
/** Picks that have ended, and whose last events are still kept from the page. */
let lingering = 0;

/** @param {string} css @param {string} [text] */
const layer = (css, text = "") => {
  const element = document.createElement("div");
  element.style.cssText = css;
  element.textContent = text;
  return element;
};

/** @param {{token: string, prompt: string, limit_ms: number, has_banner: boolean}} args */
export const arm = ({ token, prompt, limit_ms, has_banner }) => {
  if (pick) end({ ended: true });
  const host = document.createElement("tabwire-picker");
  host.style.cssText = LAYER.replaceAll(";", " !important;");
  const shadow = host.attachShadow({ mode: "closed" });
  const hit = layer(HIT);
  const box = layer(BOX);
  const banner = layer(BANNER, has_banner ? `Point at: ${prompt}\n${HOW}` : "");
  banner.setAttribute("role", "alert");
  shadow.append(hit, box, ...(has_banner ? [banner] : []));
  /** @type {PromiseWithResolvers<Outcome>} */
  const { promise, resolve } = Promise.withResolvers();
  const listening = new AbortController();
  const timer = setTimeout(() => end({ ended: true }, token), limit_ms + GRACE_MS);
  const observer = new MutationObserver(() => {
    if (!host.isConnected && pick?.host === host && (pick.returns += 1) <= MAX_RETURNS) show(pick);
  });
  pick = { token, host, hit, box, banner, observer, promise, resolve, listening, timer, current: null, below: [], returns: 0 };
  listen(listening.signal);
  show(pick);
  return true;
};

export const openModal = () => [...document.querySelectorAll(":modal")].at(-1);

/** Brings an element of ours into the top layer, over the page's own dialogs. @param {HTMLElement} host */
export function raise(host) {
  host.popover = "manual";
  try {
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
  } catch {
    // If the top layer is not available, the place in the stack has to do.
  }
  return openModal();
}

/** Shows the picker in the top layer, over the page's own dialogs. @param {Picking} now */
function show(now) {
  const { host, observer } = now;
  document.documentElement.append(host);
  observer.observe(document.documentElement, { childList: true });
  now.modal = raise(host);
  cutHoles(now);
}

/** @param {AbortSignal} signal */
function listen(signal) {
  const capture = { capture: true, signal, passive: false };
  // Functions of this pick's own: those of the pick before, which linger, would be the same listeners and go with its signal.
  const pointer = /** @param {MouseEvent} event */ (event) => onPointer(event);
  const key = /** @param {KeyboardEvent} event */ (event) => onKey(event);
  for (const type of POINTER) addEventListener(type, /** @type {EventListener} */ (pointer), capture);
  for (const type of KEYS) addEventListener(type, /** @type {EventListener} */ (key), capture);
  const quiet = { capture: true, signal, passive: true };
  for (const type of ["scroll", "resize"]) addEventListener(type, () => redraw(), quiet);
  addEventListener("focusin", () => highlight(activeElementDeep()), quiet);
  addEventListener("pagehide", () => end({ ended: true }), quiet);
}

/** Withholds a person's event from the page. Events of the page's own scripts do not come here. @param {Event} event */
function withhold(event) {
  event.stopImmediatePropagation();
  if (event.cancelable && !KEPT.test(event.type)) event.preventDefault();
}

/** @param {MouseEvent} event */
function onPointer(event) {
  if (!event.isTrusted) return;
  if (!pick) {
    // The second half of a double click.
    if (event.detail > 1) withhold(event);
    return;
  }
  withhold(event);
  if (event.type === "pointermove") {
    if (pick.modal !== openModal()) show(pick);
    cutHoles(pick);
    highlight(elementAt(pick, event));
  }
  if (event.type === "click" && event.button === 0) choose(elementAt(pick, event));
}

/** The element under the pointer, in closed shadow trees too. @param {Picking} now @param {MouseEvent} event */
function elementAt({ hit }, event) {
  hit.style.pointerEvents = "none";
  const element = hitAt({ x: event.clientX, y: event.clientY });
  hit.style.pointerEvents = "auto";
  return element ?? document.documentElement;
}

/** @type {Record<string, (now: Picking) => void>} */
const KEY_ACTIONS = {
  Escape: () => end({ declined: true }),
  Enter: ({ current }) => { if (current) choose(current); },
  ArrowUp: around,
  ArrowDown: ({ below, current }) => highlight(below.pop() ?? current, true),
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!event.isTrusted || (!pick && event.type === "keydown" && !event.repeat)) return;
  event.stopImmediatePropagation();
  if (MOVING.has(event.key)) return;
  event.preventDefault();
  if (pick && event.type === "keydown") KEY_ACTIONS[event.key]?.(pick);
}

/** Moves the choice from an element to the one around it. @param {Picking} now */
function around({ below, current }) {
  const parent = current && composedParent(current);
  if (!parent) return;
  below.push(current);
  highlight(parent, true);
}

/** @param {Element | null} element @param {boolean} [isStep] */
function highlight(element, isStep = false) {
  if (!pick || !element || element === pick.host) return;
  if (!isStep) pick.below = [];
  pick.current = element;
  redraw();
}

function redraw() {
  if (!pick) return;
  cutHoles(pick);
  const { current, box, banner } = pick;
  if (!current) return;
  const { left, top, width, height } = current.getBoundingClientRect();
  const px = (/** @type {number} */ number) => `${Math.round(number)}px`;
  Object.assign(box.style, { display: "block", left: px(left), top: px(top), width: px(width), height: px(height) });
  const isUnder = top < 80 && top + height < innerHeight / 2;
  Object.assign(banner.style, isUnder ? { top: "auto", bottom: "12px" } : { top: "12px", bottom: "auto" });
}

/** Lets the pointer through over frames, which have pickers of their own. @param {Picking} now */
function cutHoles(now) {
  const boxes = framesIn(document).map((frame) => frame.getBoundingClientRect());
  const rects = boxes.filter(({ width, height }) => width && height);
  const holes = rects.map(({ left, top, right, bottom }) => `M${left} ${top}H${right}V${bottom}H${left}Z`).join("");
  const path = rects.length ? `path(evenodd, "M0 0H${innerWidth}V${innerHeight}H0Z${holes}")` : "none";
  if (now.path !== path) now.hit.style.clipPath = now.path = path;
}

/** @param {Element} element */
const choose = (element) => end({ element });

/** @param {Outcome} outcome @param {string} [token] */
function end(outcome, token) {
  if (!pick || (token && pick.token !== token)) return;
  const { host, observer, listening, timer, resolve } = pick;
  last = { token: pick.token, promise: pick.promise };
  pick = null;
  clearTimeout(timer);
  observer.disconnect();
  host.remove();
  if (outcome.ended) return void (listening.abort(), resolve(outcome));
  lingering += 1;
  setTimeout(() => {
    lingering -= 1;
    listening.abort();
  }, LINGER_MS);
  resolve(outcome);
}

/** Waits for the choice. @param {{token: string, return?: string, attribute?: string, assert?: string}} args */
export const chosen = async ({ token, assert, ...wanted }) => {
  const asked = [pick, last].find((one) => one?.token === token);
  if (!asked) return { ended: true };
  const { element, ...outcome } = await asked.promise;
  if (!element) return outcome;
  return { answer: assert ? assertions.of(element, assert) : cached(() => answerOf(element, wanted)) };
};

/** Hides or shows the picker, so that a screenshot shows the page without it. @param {{hidden: boolean}} args */
export const hide = ({ hidden }) => {
  if (pick) pick.host.style.setProperty("visibility", hidden ? "hidden" : "visible", "important");
  return true;
};

/** Whether an event of the user belongs to a pick, and not to the page. @param {Event} event */
export const takes = (event) => pick !== null || (lingering > 0 && event instanceof UIEvent && event.detail > 1);

/** @param {{token: string}} args */
export const disarm = ({ token }) => end({ ended: true }, token);
