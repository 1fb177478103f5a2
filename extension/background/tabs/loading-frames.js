/*
 * Frames whose documents have not come yet. Who reads a page waits for those that began a moment ago, and says which ones still
 * load.
 */
import { ifInTime, unlessAborted } from "../base/deadline.js";
import { getOrMake } from "../base/maps.js";
import { documentsBelow } from "../base/navigation-events.js";
import { KeyedSignal } from "../base/signal.js";
import { TabMap } from "../base/tabs.js";

/** @typedef {{parentId: number, began: number}} Load */

/** A frame that takes longer is not waited for. */
const PATIENCE_MS = 2_000;
/** A page may bring in one frame after another. */
const MAX_ROUNDS = 3;

/** Tab → frame → its load. @type {TabMap<Map<number, Load>>} */
const loads = new TabMap();
/** @type {KeyedSignal<number, []>} */
const ended = new KeyedSignal();

chrome.webNavigation.onBeforeNavigate.addListener(({ tabId, frameId, parentFrameId, documentLifecycle }) => {
  if (!frameId || documentLifecycle === "prerender") return;
  getOrMake(loads, tabId, () => new Map()).set(frameId, { parentId: parentFrameId, began: Date.now() });
});

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId, documentLifecycle }) => {
  if (!frameId && documentLifecycle !== "prerender") loads.delete(tabId);
});

/** @param {{tabId: number, frameId: number}} details */
function noteEnd({ tabId, frameId }) {
  if (loads.get(tabId)?.delete(frameId)) ended.emit(tabId);
}
for (const name of /** @type {const} */ (["onDOMContentLoaded", "onCompleted", "onErrorOccurred"]))
  chrome.webNavigation[name].addListener(noteEnd);

/** The frames of a tab that still load. @param {number} tabId @returns {ReadonlyMap<number, Load>} */
export const framesLoading = (tabId) => loads.get(tabId) ?? new Map();

/** Time that is left for the frames that began a moment ago, ms. @param {number} tabId */
const patience = (tabId) =>
  Math.max(0, ...Array.from(framesLoading(tabId).values(), ({ began }) => began + PATIENCE_MS - Date.now()));

/** @param {number} tabId @param {AbortSignal} signal */
async function untilLoaded(tabId, signal) {
  const listening = new AbortController();
  const loaded = new Promise((resolve) => {
    ended.add(tabId, () => { if (!patience(tabId)) resolve(true); }, listening.signal);
  });
  const left = patience(tabId);
  if (left) await unlessAborted(ifInTime(loaded, left), signal).finally(() => listening.abort());
}

/**
 * The result of a reading of all frames of a tab, which is repeated where documents came into them in that time.
 * @template T
 * @param {number} tabId @param {AbortSignal} signal @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function onceFramesLoaded(tabId, signal, read) {
  for (let round = 1; ; round += 1) {
    await untilLoaded(tabId, signal);
    const come = documentsBelow(tabId);
    const result = await read();
    if (round === MAX_ROUNDS || (documentsBelow(tabId) === come && !patience(tabId))) return result;
  }
}
