/* Waits of a call for news of its tab, which come as events. */
import { unlessAborted, within } from "../base/deadline.js";
import { noSuchTab } from "../base/errors.js";
import { onTabClosed } from "../base/tabs.js";

/** Longest wait, where none is said. */
const NEWS_MS = 20_000;
/** Time kept for the answer. */
const RESERVE_MS = 500;

/**
 * Waits that all together end at the limit of a call, and fail when its tab is closed.
 * @param {{timeout?: number}} params @param {import("../../types").TabCall} call
 * @returns {(listen: (heard: () => void) => () => void) => Promise<boolean>} false: there were none in time
 */
export function untilNews({ timeout = NEWS_MS }, call) {
  const until = Date.now() + Math.min(timeout, call.remaining() - RESERVE_MS);
  return async (listen) => {
    const left = until - Date.now();
    if (left <= 0) return false;
    const { promise, resolve, reject } = Promise.withResolvers();
    const stops = [listen(() => resolve(true)), onTabClosed((tabId) => { if (tabId === call.tab.id) reject(closed()); })];
    try {
      return Boolean(await within(unlessAborted(promise, call.signal), left));
    } finally {
      for (const stop of stops) stop();
    }
  };
}

const closed = () => noSuchTab("the tab was closed, and nothing more comes from it; call tab_list");
