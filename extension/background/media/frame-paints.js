/*
 * Frames that other processes draw: their first picture, and the one after a change of the page's layout, comes later than that
 * of the page around them. Until then Chrome's pictures are white there, or show what was there before.
 */
import { ifInTime } from "../base/deadline.js";
import { webOriginOf } from "../base/url.js";

/** A frame that is not drawn (turned off by a style, far outside) answers nothing and is waited for no longer. */
const PAINT_LIMIT_MS = 1_000;

/**
 * The frames of a tab that may be drawn by other processes than its page.
 * @param {{id: number, url?: string}} tab
 * @returns {Promise<number[]>} their ids
 */
export async function foreignFrames({ id: tabId, url }) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const isForeign = (/** @type {{frameId: number, url: string}} */ frame) =>
    frame.frameId && webOriginOf(frame.url) !== webOriginOf(url ?? "");
  return frames.filter(isForeign).map(({ frameId }) => frameId);
}

/**
 * Waits until frames have been drawn as they are now, as far as they are in view. The tab must be one that Chrome draws.
 * @param {number} tabId @param {number[]} frameIds
 */
export async function painted(tabId, frameIds) {
  const waits = frameIds.map((frameId) =>
    chrome.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, func: untilPainted, injectImmediately: true }));
  await ifInTime(Promise.allSettled(waits), PAINT_LIMIT_MS);
}

/**
 * Runs in a frame. An observer reports after a frame has been drawn, and reports of one out of view, too. When the second one
 * does, the first drawing has been handed to the compositor.
 * @returns {Promise<void>}
 */
const untilPainted = () => new Promise((resolve) => {
  const root = document.documentElement;
  if (!root || !innerWidth || !innerHeight) return resolve();
  const observed = (/** @type {() => void} */ then) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      then();
    });
    observer.observe(root);
  };
  observed(() => observed(resolve));
});
