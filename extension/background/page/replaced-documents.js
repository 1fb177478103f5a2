/*
 * Documents that are replaced while the worker waits for them. One that is kept for going back (the back/forward cache) is
 * frozen with the promises of its scripts, and Chrome never answers those, so whoever waits for a frame has to hear of
 * the new document.
 */

/** An answer that was already on its way arrives within this. */
const GRACE_MS = 100;

/** @type {Set<{tabId: number, frameId: number, replaced: () => void}>} */
const waiting = new Set();

/**
 * Resolves a moment after the document of a frame was replaced; otherwise never.
 * @param {number} tabId
 * @param {number} frameId
 * @param {AbortSignal} signal ends the watch
 * @returns {Promise<void>}
 */
export function untilReplaced(tabId, frameId, signal) {
  return new Promise((resolve) => {
    const entry = { tabId, frameId, replaced: () => setTimeout(resolve, GRACE_MS) };
    waiting.add(entry);
    signal.addEventListener("abort", () => waiting.delete(entry), { once: true });
  });
}

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId }) => {
  for (const entry of waiting) {
    // A new top document takes all frames with it.
    if (entry.tabId === tabId && (frameId === 0 || frameId === entry.frameId)) entry.replaced();
  }
});
