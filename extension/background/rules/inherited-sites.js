/*
 * Sites that empty tabs inherit: an about:blank that a page has opened is written by that page, and so are blobs and data: pages
 * of opaque origins. Chrome tells extensions of the opener, not of the origin.
 */
import { FILES, UNKNOWN_SITE, siteOfAddress } from "./site-pattern.js";
import { persistedByTab, ready } from "../base/state.js";

/**
 * Tab id → the site of the page that opened it, of local files the whole address, while it shows no address of its own.
 * @type {import("../base/state.js").Persisted<Record<number, string>>}
 */
const creators = persistedByTab("permissions.creators");

/**
 * The address of a tab, or that of its opener where its own does not say whose page it is.
 * @param {chrome.tabs.Tab} tab
 * @returns {string}
 */
export function addressOfTab(tab) {
  const address = tab.url || tab.pendingUrl || "";
  return siteOfAddress(address) === UNKNOWN_SITE ? addressOfCreator(/** @type {number} */ (tab.id)) : address;
}

/** @param {number} tabId @returns {string} UNKNOWN_SITE where no page has opened the tab */
export const addressOfCreator = (tabId) => creators.get()[tabId] ?? UNKNOWN_SITE;

/** @param {number} tabId @param {string} address */
function note(tabId, address) {
  const site = siteOfAddress(address);
  const kept = site === FILES ? address : site;
  if (site !== UNKNOWN_SITE && creators.get()[tabId] !== kept) void creators.put(tabId, kept);
}

chrome.tabs.onCreated.addListener(async ({ id, openerTabId }) => {
  if (id === undefined || openerTabId === undefined) return;
  const opener = chrome.tabs.get(openerTabId).catch(() => null);
  await ready;
  const tab = await opener;
  if (tab && creators.get()[id] === undefined) note(id, addressOfTab(tab));
});

chrome.webNavigation.onCreatedNavigationTarget.addListener(async ({ sourceTabId, sourceFrameId, tabId }) => {
  const source = chrome.webNavigation.getFrame({ tabId: sourceTabId, frameId: sourceFrameId }).catch(() => null);
  await ready;
  note(tabId, (await source)?.url ?? "");
});

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId, url }) => {
  await ready;
  if (frameId !== 0 || creators.get()[tabId] === undefined || siteOfAddress(url) === UNKNOWN_SITE) return;
  void creators.drop(tabId);
});
