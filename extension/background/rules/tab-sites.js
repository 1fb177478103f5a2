/*
 * Whose page a tab shows, and where each tab is on its way to.
 */
import { persistedByTab, ready } from "../base/state.js";
import { UNKNOWN_SITE, siteOfAddress } from "./site-pattern.js";
import { TabMap } from "../base/tabs.js";
import { withoutFragment } from "../base/url.js";

// ---- whose page an empty tab is --------------------------------------------------------------------------------------
//
// about:blank that a page has opened is written by that page, and so are blobs and data: pages of opaque origins. Chrome tells
// extensions of the opener, not of the origin.

/** Tab id → the site of the page that opened it, while it shows no address of its own. @type {import("../base/state.js").Persisted<Record<number, string>>} */
const creators = persistedByTab("permissions.creators");

/**
 * The site of a tab, as far as its address or its opener say it.
 * @param {chrome.tabs.Tab} tab
 * @returns {string}
 */
export function siteOfTab(tab) {
  const site = siteOfAddress(tab.url || tab.pendingUrl || "");
  return site === UNKNOWN_SITE ? siteOfCreator(/** @type {number} */ (tab.id)) : site;
}

/** @param {number} tabId @returns {string} UNKNOWN_SITE where no page has opened the tab */
export const siteOfCreator = (tabId) => creators.get()[tabId] ?? UNKNOWN_SITE;

/** @param {number} tabId @param {string} site */
function note(tabId, site) {
  if (site === UNKNOWN_SITE || creators.get()[tabId] === site) return;
  creators.get()[tabId] = site;
  void creators.save();
}

chrome.tabs.onCreated.addListener(async ({ id, openerTabId }) => {
  if (id === undefined || openerTabId === undefined) return;
  const opener = chrome.tabs.get(openerTabId).catch(() => null);
  await ready;
  const tab = await opener;
  if (tab && creators.get()[id] === undefined) note(id, siteOfTab(tab));
});

chrome.webNavigation.onCreatedNavigationTarget.addListener(async ({ sourceTabId, sourceFrameId, tabId }) => {
  const source = chrome.webNavigation.getFrame({ tabId: sourceTabId, frameId: sourceFrameId }).catch(() => null);
  await ready;
  note(tabId, siteOfAddress((await source)?.url ?? ""));
});

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId, url }) => {
  await ready;
  if (frameId !== 0 || creators.get()[tabId] === undefined || siteOfAddress(url) === UNKNOWN_SITE) return;
  delete creators.get()[tabId];
  void creators.save();
});

// ---- where a tab is on its way to ------------------------------------------------------------------------------------
//
// Known without a question: trusted input goes to whatever document is there when it arrives, so it is not given to a tab that
// a navigation, or a redirection of one, is about to take to another site.

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
