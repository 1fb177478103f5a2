/*
 * Presses of the pointer in recorded tabs, by acts or by the user. Listeners in the world of the extension report them: no
 * script of the page can see the listeners, and their report has arrived when a click leads to another page.
 */
import { ownCall } from "../rules/call-parts.js";
import { placeInTop } from "../page/frames.js";
import { ready } from "../base/state.js";

/**
 * A press in CSS px of what the tab shows. ratio: pixels of the screen per px
 * @typedef {{tabId: number, kind: "down"|"up", x: number, y: number, ratio: number, at: number}} Press
 */
/** @typedef {typeof globalThis & {__tabwireTrace?: AbortController}} Traced  the world of the extension in a frame */

const PLACE_LIMIT_MS = 1_500;

/** @type {(press: Press) => void} */
let tell = () => {};
/** @type {(tabId: number) => boolean} */
let isTraced = () => false;
/** Presses in frames whose place is being looked up, by tab. @type {Map<number, Promise<void>>} */
const arriving = new Map();

/**
 * Says which tabs are traced and who is told.
 * @param {(tabId: number) => boolean} traced  asked when the stored state is known
 * @param {(press: Press) => void} listener
 */
export function tracePointer(traced, listener) {
  isTraced = traced;
  tell = listener;
}

/** Listens for presses; runs in every frame of the page. */
function listen() {
  const own = /** @type {Traced} */ (globalThis);
  if (own.__tabwireTrace) return;
  const over = own.__tabwireTrace = new AbortController();
  // A frame does not know at which scale its page is shown, and has a ratio of its own where the page has zoomed it.
  const view = globalThis.self === globalThis.top ? visualViewport : null;
  const kinds = { mousedown: "down", mouseup: "up", drop: "up" };
  for (const [type, kind] of Object.entries(kinds)) {
    addEventListener(type, (event) => {
      const { clientX, clientY } = /** @type {MouseEvent} */ (event);
      if (!chrome.runtime?.id) return over.abort();
      const at = { x: clientX - (view?.offsetLeft ?? 0), y: clientY - (view?.offsetTop ?? 0) };
      chrome.runtime
        .sendMessage({ tabwirePointer: { kind, ...at, ratio: devicePixelRatio * (view?.scale ?? 1) } })
        .catch(() => {});
    }, { capture: true, passive: true, signal: over.signal });
  }
}

function unlisten() {
  const own = /** @type {Traced} */ (globalThis);
  own.__tabwireTrace?.abort();
  delete own.__tabwireTrace;
}

/**
 * Pages that refuse scripts are recorded without their presses.
 * @param {chrome.scripting.InjectionTarget} target @param {() => void} func
 */
const inject = (target, func) =>
  chrome.scripting.executeScript({ target, func, injectImmediately: true }).then(
    () => {},
    () => {},
  );

/** @param {number} tabId */
export const startTrace = (tabId) => inject({ tabId, allFrames: true }, listen);

/** @param {number} tabId */
export const stopTrace = (tabId) => inject({ tabId, allFrames: true }, unlisten);

/**
 * Resolves when the presses that were told have a place.
 * @param {number} tabId
 */
export const pressesKnown = (tabId) => arriving.get(tabId) ?? Promise.resolve();

/** @param {Omit<Press, "tabId"|"at">} press @param {number} tabId @param {number} frameId @param {number} at */
async function arrive({ kind, x, y, ratio }, tabId, frameId, at) {
  if (!frameId) return tell({ tabId, kind, x, y, ratio, at });
  const { at: place, shown } = await placeInTop(tabId, frameId, { x, y }, ownCall("", PLACE_LIMIT_MS));
  tell({ tabId, kind, ...place, ratio: shown.ratio, at });
}

chrome.runtime.onMessage.addListener((message, sender) => {
  const tabId = sender.tab?.id;
  if (!message?.tabwirePointer || sender.id !== chrome.runtime.id || tabId === undefined) return false;
  const at = Date.now();
  // A frame that left before it was found has no place.
  const arrived = pressesKnown(tabId).then(() => ready)
    .then(() => (isTraced(tabId) ? arrive(message.tabwirePointer, tabId, sender.frameId ?? 0, at) : undefined)).catch(() => {});
  arriving.set(tabId, arrived);
  arrived.then(() => arriving.get(tabId) === arrived && arriving.delete(tabId));
  return false;
});

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId }) => {
  await ready;
  if (isTraced(tabId)) inject({ tabId, frameIds: [frameId] }, listen);
});
