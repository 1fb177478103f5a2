/*
 * Sites that pages without an address of their own inherit: an about:blank that a page has opened is written by that page, and so
 * are blobs and data: pages of opaque origins; a frame that goes to a data: address has made what is there. Chrome tells
 * extensions of the opener, not of the origin.
 */
import { FILES, UNKNOWN_SITE, siteOfAddress } from "./site-pattern.js";
import { getOrMake } from "../base/maps.js";
import { persistedByTab, ready } from "../base/state.js";
import { TabMap } from "../base/tabs.js";

/**
 * Tab id → the site of the page that opened it, of local files the whole address, while it shows no address of its own.
 * @type {import("../base/state.js").Persisted<Record<number, string>>}
 */
const creators = persistedByTab("permissions.creators");

/**
 * Tab id → frame id → what it showed before it went to a data: address, as a site or the whole address of a file.
 * @type {import("../base/state.js").Persisted<Record<number, Record<number, string>>>}
 */
const frameMakers = persistedByTab("permissions.frame_makers");
/** Tab → frame → what it shows. @type {TabMap<Map<number, string>>} */
const shownInFrames = new TabMap();

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

/** Makers of data: pages in frames of a tab that the page around them has not made. @param {number} tabId */
export const frameMakersIn = (tabId) => Object.values(frameMakers.get()[tabId] ?? {});

/** @param {string} address */
function keptOf(address) {
  const site = siteOfAddress(address);
  return site === FILES ? address : site;
}

/** @param {number} tabId @param {string} address */
function note(tabId, address) {
  const kept = keptOf(address);
  if (kept !== UNKNOWN_SITE && creators.get()[tabId] !== kept) void creators.put(tabId, kept);
}

/** @param {number} tabId @param {number} frameId @param {string} address of what it shows */
function noteShown(tabId, frameId, address) {
  const kept = keptOf(address);
  if (kept !== UNKNOWN_SITE) getOrMake(shownInFrames, tabId, () => new Map()).set(frameId, kept);
}

/** @param {number} tabId @param {number} frameId @param {string} address that it has gone to */
function noteFrame(tabId, frameId, address) {
  const maker = shownInFrames.get(tabId)?.get(frameId);
  noteShown(tabId, frameId, address);
  const known = frameMakers.get()[tabId] ?? {};
  if (siteOfAddress(address) !== UNKNOWN_SITE) {
    if (known[frameId] === undefined) return;
    delete known[frameId];
    void frameMakers.save();
  } else if (maker !== undefined && /^data:/i.test(address)) void frameMakers.put(tabId, { ...known, [frameId]: maker });
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

// What a frame showed before this worker began is known only while it is still there.
chrome.webNavigation.onBeforeNavigate.addListener(async ({ tabId, frameId, url }) => {
  if (frameId === 0 || !/^data:/i.test(url) || shownInFrames.get(tabId)?.has(frameId)) return;
  const frame = await chrome.webNavigation.getFrame({ tabId, frameId }).catch(() => null);
  if (frame) noteShown(tabId, frameId, frame.url);
});

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId, url }) => {
  await ready;
  if (frameId !== 0) return noteFrame(tabId, frameId, url);
  shownInFrames.delete(tabId);
  if (frameMakers.get()[tabId]) void frameMakers.drop(tabId);
  if (creators.get()[tabId] === undefined || siteOfAddress(url) === UNKNOWN_SITE) return;
  void creators.drop(tabId);
});
