/*
 * Where each tab is on its way to, known without a question: trusted input goes to whatever document is there when it
 * arrives, so it is not given to a tab that a navigation, or a redirection of one, is about to take to another site.
 */

import { TabMap } from "../base/tabs.js";
import { withoutFragment } from "../base/url.js";

/** Tab id → address of the main-frame navigation under way. @type {TabMap<string>} */
const underWay = new TabMap();
/** Tab id → address of the last document. @type {TabMap<string>} */
const arrived = new TabMap();

/**
 * The addresses a tab has, or may have in a moment, as far as they were heard of.
 * @param {number} tabId
 * @returns {string[]}
 */
export const destinationsOf = (tabId) => [arrived.get(tabId), underWay.get(tabId)].filter((url) => url !== undefined);

/**
 * Whether an address is the one that a tab is on its way to.
 * @param {number} tabId @param {string} url without its fragment
 */
export const isUnderWay = (tabId, url) => withoutFragment(underWay.get(tabId) ?? "") === url;

/** A prerendered page announces itself when it is shown. @param {{frameId: number, documentLifecycle?: string}} details */
const isMain = ({ frameId, documentLifecycle }) => frameId === 0 && documentLifecycle !== "prerender";

chrome.webNavigation.onBeforeNavigate.addListener((details) => {
  if (isMain(details)) underWay.set(details.tabId, details.url);
});
chrome.webRequest.onBeforeRedirect.addListener(({ tabId, redirectUrl }) => void underWay.set(tabId, redirectUrl), { urls: ["<all_urls>"], types: ["main_frame"] });
chrome.webNavigation.onCommitted.addListener((details) => {
  if (!isMain(details)) return;
  arrived.set(details.tabId, details.url);
  underWay.delete(details.tabId);
});
chrome.webNavigation.onErrorOccurred.addListener((details) => {
  if (isMain(details)) underWay.delete(details.tabId);
});
