/** Tabs as people know them, by title; and the way to them. */
import { make, say } from "./elements.js";

/** @param {number} tabId @returns {Promise<chrome.tabs.Tab|null>} null when it is closed */
export const tabOf = (tabId) => chrome.tabs.get(tabId).catch(() => null);

/** @param {chrome.tabs.Tab|null} tab */
export const titleOf = (tab) => tab?.title || tab?.url || "a closed tab";

/** Pages in which programs can work, and that can be recorded. @param {chrome.tabs.Tab|undefined} tab */
export const isUsable = (tab) => /^(https?|file|about):/.test(tab?.url ?? "");

/**
 * Calls a listener with the tab that is looked at: now, and when it is another one or shows another page.
 * @param {(tab: chrome.tabs.Tab|undefined) => void} listener
 */
export function watchFront(listener) {
  const look = async () => {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    listener(tab);
  };
  for (const event of [chrome.tabs.onActivated, chrome.tabs.onUpdated, chrome.tabs.onRemoved, chrome.windows.onFocusChanged])
    event.addListener(/** @type {never} */ (() => void look()));
  void look();
}

/** @param {number} tabId */
export async function bringToFront(tabId) {
  const tab = await chrome.tabs.update(tabId, { active: true }).catch(() => null);
  if (tab?.windowId !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
}

/** A link to a tab, named by its title. @param {number} tabId */
export function tabLink(tabId) {
  const onclick = () => void bringToFront(tabId);
  const link = make("button", { type: "button", className: "link", onclick, data: { go: String(tabId) } });
  void nameTab(link, tabId);
  return link;
}

/** Brings the name of a link up to date. @param {HTMLElement} link @param {number} tabId */
export async function nameTab(link, tabId) {
  say(link, titleOf(await tabOf(tabId)));
}

/** Calls a listener when a tab has another title or address. @param {() => void} listener */
export function watchTitles(listener) {
  chrome.tabs.onUpdated.addListener((_, { title, url }) => {
    if (title !== undefined || url !== undefined) listener();
  });
}
