/*
 * The bar in the page that says that it is recorded, with which the person has a test expect something, or ends the recording.
 * It lies in a closed shadow root beside the body, where neither the page nor a snapshot looks; the page gets none of the
 * clicks and keys that are meant for it.
 */
import { worker } from "../base/worker.js";
import * as actUnderWay from "../act/act-under-way.js";
import { openModal, raise } from "./picker.js";

const HOST = "all: initial; position: fixed; inset: auto; margin: 0; border: 0; z-index: 2147483647; display: flex; "
  + "flex-wrap: wrap; align-items: center; gap: 4px; max-width: calc(100vw - 24px); box-sizing: border-box; "
  + "padding: 4px 6px 4px 12px; border-radius: 8px; background: #202124; color: #fff; "
  + "font: 13px/1.4 system-ui, sans-serif; box-shadow: 0 2px 12px rgba(0, 0, 0, .4);";
const CORNERS = [
  "left: 12px; bottom: 12px;", "right: 12px; bottom: 12px;", "right: 12px; top: 12px;", "left: 12px; top: 12px;",
];
const BUTTON = "font: inherit; color: #fff; background: #3c4043; border: 1px solid #5f6368; border-radius: 6px; "
  + "padding: 2px 8px; cursor: pointer;";
const RECORDED = "● Tabwire records your steps in this tab";
const POINTER = [
  "pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "touchstart", "touchend",
];
const KEYS = ["keydown", "keypress", "keyup"];

/**
 * Label → what the worker is told, or where the bar goes. The title says more than fits.
 * @type {Array<{label: string, title: string, wish?: object}>}
 */
const BUTTONS = [
  { label: "Is visible", title: "Point at an element that the test expects to be visible", wish: { assert: "visible" } },
  { label: "Has text", title: "Point at an element whose text the test expects", wish: { assert: "text" } },
  { label: "Has value", title: "Point at a field whose value the test expects", wish: { assert: "value" } },
  { label: "Move", title: "Move this bar to the next corner" },
  { label: "Stop", title: "End the recording", wish: { stop: true } },
];

/** @typedef {{host: HTMLElement, shadow: ShadowRoot, status: HTMLElement, corner: number, modal?: Element}} Bar */
/** @type {Bar | null} */
let bar = null;

/** @returns {Bar} */
function build() {
  const host = document.createElement("tabwire-recorder");
  const shadow = host.attachShadow({ mode: "closed" });
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  status.textContent = RECORDED;
  status.style.cssText = "margin-right: 6px;";
  const buttons = BUTTONS.map(({ label, title }) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: label, title });
    button.style.cssText = BUTTON;
    return button;
  });
  shadow.append(status, ...buttons);
  return { host, shadow, status, corner: 0 };
}

/** @param {Bar} shown */
function place({ host, corner }) {
  host.style.cssText = `${HOST} ${CORNERS[corner % CORNERS.length]}`.replaceAll(";", " !important;");
}

/** @param {Element} element @param {MouseEvent} event */
function isWithin(element, { clientX: x, clientY: y }) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return x >= left && x < right && y >= top && y < bottom;
}

/** A dialog makes what is around it inert: then only the place of a click tells for whom it is. @param {Event} event */
function isForBar(event) {
  if (!bar || !event.isTrusted) return false;
  if (event.composedPath()[0] === bar.host) return true;
  const isByKey = event.type === "click" && /** @type {MouseEvent} */ (event).detail === 0;
  return bar.modal !== undefined && event instanceof MouseEvent && !isByKey && isWithin(bar.host, event);
}

/** @param {Event} event */
function onEvent(event) {
  if (bar && bar.modal !== openModal()) bar.modal = raise(bar.host);
  if (!bar || !isForBar(event)) return;
  event.stopImmediatePropagation();
  // The page's focus stays where it is.
  if (event.type === "mousedown") event.preventDefault();
  // A client's click may come here too.
  if (event.type === "click" && !actUnderWay.isUnderWay()) press(bar, /** @type {MouseEvent} */ (event));
}

/** @param {Bar} shown @param {MouseEvent} event */
function press(shown, event) {
  const buttons = [...shown.shadow.querySelectorAll("button")];
  const isByKey = event.detail === 0;
  const at = buttons.findIndex((button) => (isByKey ? shown.shadow.activeElement === button : isWithin(button, event)));
  if (at < 0) return;
  const { wish } = BUTTONS[at];
  if (wish) {
    // What became of the wish before is no answer to this one.
    shown.status.textContent = RECORDED;
    worker.tell?.({ tabwireRecorder: wish });
    return;
  }
  shown.corner += 1;
  place(shown);
}

/** Shows the bar in this document; the function takes it away. */
export function show() {
  const shown = build();
  bar = shown;
  place(shown);
  document.documentElement.append(shown.host);
  shown.modal = raise(shown.host);
  const listening = new AbortController();
  const options = { capture: true, passive: false, signal: listening.signal };
  for (const type of [...POINTER, ...KEYS]) addEventListener(type, onEvent, options);
  return () => {
    listening.abort();
    shown.host.remove();
    bar = null;
  };
}

/** @param {{text: string}} args what became of a wish; "": nothing more to say */
export const say = ({ text }) => {
  if (bar) bar.status.textContent = text || RECORDED;
  return true;
};
