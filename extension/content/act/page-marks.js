/*
 * Marks of an act in the tab where it happens: a light frame, a marker at the place of the act, its title. They lie in one
 * element beside the body, in a closed shadow root, take no events and no room, and are invisible to all reads of the
 * extension. They go away by themselves soon after the act, and for good with their page.
 */
import { setOwn } from "../dom/flat-tree.js";

/** Time for which the marks stay after the end of an act. */
const QUIET_MS = 2_500;
/** Time limit for an act of which no end is heard, because its page or the worker was held up. */
const LIMIT_MS = 45_000;
const POINT_MS = 1_500;
const SHEET = `
  :host { all: initial !important; position: fixed !important; inset: 0 !important; display: block !important;
    contain: strict !important; z-index: 2147483647 !important; pointer-events: none !important; user-select: none !important;
    color-scheme: light dark !important; }
  .frame { position: absolute; inset: 0; box-sizing: border-box; border: 2px solid var(--client, #c2560a);
    outline: 3px solid color-mix(in srgb, var(--client, #f27828) 35%, transparent); outline-offset: -5px; }
  .title { position: absolute; right: 10px; bottom: 10px; max-width: min(60%, 420px); padding: 3px 9px; border-radius: 6px;
    overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font: 500 12px/1.5 system-ui, sans-serif;
    color: #fff; background: var(--client, #7a3302); }
  .point { position: absolute; left: 0; top: 0; width: 20px; height: 20px; margin: -10px 0 0 -10px; box-sizing: border-box;
    border-radius: 50%; border: 3px solid var(--client, #c2560a); box-shadow: 0 0 0 1px #fff, inset 0 0 0 1px #fff; }
  [hidden] { display: none; }
  @media print { :host { display: none !important; } }`;

/** The frame and the pointer that are to be seen. @type {{title: string, colour?: string, at: Point | null} | null} */
let act = null;
/** @type {{host: HTMLElement, title: HTMLElement, point: HTMLElement} | null} */
let drawn = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pointTimer;
let isDue = false;
let isNew = false;
/** @type {MessageChannel | null} */
let later = null;

const layer = (/** @type {string} */ name) => Object.assign(document.createElement("div"), { className: name });

/** Frames, XML, and pages that are not shown yet are left as they are. */
function hasPlace() {
  const root = document.documentElement;
  if (/** @type {Document & {prerendering?: boolean}} */ (document).prerendering) return false;
  return window === top && root instanceof HTMLHtmlElement && document.body instanceof HTMLBodyElement;
}

function build() {
  const host = document.createElement("tabwire-signs");
  host.setAttribute("aria-hidden", "true");
  const shadow = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  shadow.adoptedStyleSheets = [sheet];
  const [title, point] = [layer("title"), layer("point")];
  point.hidden = true;
  shadow.append(layer("frame"), point, title);
  return { host, title, point };
}

/** A page that has removed the signs gets them again with the next act, and not before. */
function draw() {
  isDue = false;
  if (!act) return;
  drawn ??= build();
  const { host, title, point: mark } = drawn;
  if (title.textContent !== act.title) title.textContent = act.title;
  if (act.colour) host.style.setProperty("--client", act.colour);
  mark.hidden = !act.at;
  if (act.at) mark.style.translate = `${act.at.x}px ${act.at.y}px`;
  if (!isNew || host.isConnected) return;
  isNew = false;
  setOwn(host);
  document.documentElement?.append(host);
}

function drawSoon() {
  if (isDue) return;
  isDue = true;
  // Drawing runs in a task of its own, so that measuring does not wait for it. Timers of hidden pages are too slow.
  if (!later) {
    later = new MessageChannel();
    later.port1.onmessage = draw;
  }
  later.port2.postMessage(null);
}

/** @param {number} ms */
function leaveAfter(ms) {
  clearTimeout(timer);
  if (act) timer = setTimeout(hide, ms);
}

/**
 * Shows the marks of an act that begins.
 * @param {{title: string, colour?: string}} begun
 */
export function show({ title, colour }) {
  if (!hasPlace()) return;
  act = { title, colour, at: null };
  isNew = true;
  leaveAfter(LIMIT_MS);
  drawSoon();
}

/**
 * Marks the place of the act.
 * @param {Point | null} at
 */
export function point(at) {
  if (!act) return;
  act.at = at;
  clearTimeout(pointTimer);
  if (at) pointTimer = setTimeout(point, POINT_MS, null);
  drawSoon();
}

/** @param {{at: Point | null}} args */
export const pointAt = ({ at }) => point(at);

/** Marks an element that an act is about. @param {Element} element */
export function pointTo(element) {
  if (!act) return;
  const { x, y, width, height } = element.getBoundingClientRect();
  point({ x: x + width / 2, y: y + height / 2 });
}

/** Removes the marks a while after the act has ended. */
export const rest = () => leaveAfter(QUIET_MS);

/** @returns {boolean} whether there was something to see */
export function hide() {
  if (!act) return false;
  act = null;
  clearTimeout(timer);
  clearTimeout(pointTimer);
  drawn?.host.remove();
  setOwn(null);
  return true;
}

/** Removes the marks with the page: one that is kept for going back comes back without them. */
export const listen = () => addEventListener("pagehide", hide);
