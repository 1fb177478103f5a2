/*
 * Facts of tabs: their end, heard once for the whole worker, and state that ends with its tab.
 */
import { Signal } from "./signal.js";

/** @type {Signal<[tabId: number]>} */
const closed = new Signal();
/** @type {Signal<[removed: number, added: number]>} */
const replaced = new Signal();

chrome.tabs.onRemoved.addListener((tabId) => void closed.emit(tabId));
chrome.tabs.onReplaced.addListener((added, removed) => void replaced.emit(removed, added));

/** Calls a listener with the id of each tab that has closed. */
export const onTabClosed = closed.add;
/** Calls a listener when Chrome gives a tab another id, as it does when it discards one. */
export const onTabReplaced = replaced.add;

/** Chrome says so of a page without a process; one it discarded itself is marked as such. @param {chrome.tabs.Tab} tab */
export const isCrashed = (tab) => tab.status === "unloaded" && !tab.discarded;

/**
 * A map by tab id that forgets tabs as they close.
 * @template T
 * @extends {Map<number, T>}
 */
export class TabMap extends Map {
  constructor() {
    super();
    closed.add((tabId) => this.delete(tabId));
  }
}
