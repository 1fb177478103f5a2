/*
 * Documents that are replaced while the worker waits for them. Chrome may never answer a script whose promise was still
 * pending in the old document, so whoever waits for a frame has to hear of the new one.
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
