/*
 * Source maps that a tab could not get. They are not asked for again before a document of the tab is loaded.
 */
import { getOrMake } from "../base/maps.js";
import { TabMap } from "../base/tabs.js";

/** A page can name maps without end. */
const MAX_FAILURES = 1_000;

/** Tab → map → problem. @type {TabMap<Map<string, string>>} */
const failures = new TabMap();

chrome.webNavigation.onCommitted.addListener(({ tabId }) => void failures.delete(tabId));

/**
 * The failures of the documents that a tab has now. Keep it during a request: one of an earlier document is not noted for its
 * successor.
 * @param {number} tabId
 */
export const failuresIn = (tabId) => getOrMake(failures, tabId, () => new Map());

/** @param {Map<string, string>} known @param {string} key @param {string} problem */
export function noteFailure(known, key, problem) {
  if (known.size >= MAX_FAILURES) known.clear();
  known.set(key, `${problem}; it is asked for again after a reload`);
}
