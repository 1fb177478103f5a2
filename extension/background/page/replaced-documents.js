/*
 * Documents that are replaced while the worker waits for them. One that is kept for going back (the back/forward cache) is
 * frozen with the promises of its scripts, and Chrome never answers those, so whoever waits for a frame has to hear of
 * the new document.
 */
import { KeyedSignal } from "../base/signal.js";

/** An answer that was already on its way arrives within this. */
const GRACE_MS = 100;

/** By tab id. @type {KeyedSignal<number, [frameId: number]>} */
const committed = new KeyedSignal();

/**
 * Resolves a moment after the document of a frame was replaced; otherwise never.
 * @param {number} tabId
 * @param {number} frameId
 * @param {AbortSignal} signal ends the watch
 * @returns {Promise<void>}
 */
export function untilReplaced(tabId, frameId, signal) {
  return new Promise((resolve) => {
    committed.add(tabId, (changed) => {
      // A new top document takes all frames with it.
      if (changed === 0 || changed === frameId) setTimeout(resolve, GRACE_MS);
    }, signal);
  });
}

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId }) => committed.emit(tabId, frameId));
