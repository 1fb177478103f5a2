/*
 * Whose page an empty tab is: about:blank that a page has opened is written by that page, and so are blobs and data: pages
 * of opaque origins. Chrome tells extensions of the opener, not of the origin.
 */
import { UNKNOWN_SITE, siteOfAddress } from "./site-pattern.js";
import { persistedByTab, ready } from "../base/state.js";

/**
 * Tab id → the site of the page that opened it, while it shows no address of its own.
 * @type {import("../base/state.js").Persisted<Record<number, string>>}
 */
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
