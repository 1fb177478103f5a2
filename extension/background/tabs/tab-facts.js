/*
 * Tabs as Chrome last described them, for calls in a row: asking for a tab costs each call a wait. A description is used again
 * while no event has told of its tab and the page of the tab holds a Port, which breaks when the page crashes.
 */
import { onTabClosed, onTabReplaced, TabMap } from "../base/tabs.js";
import { documentOnPort } from "./keep-alive.js";

/** @type {TabMap<chrome.tabs.Tab>} */
const known = new TabMap();
/** Number of the events so far: an answer that one of them has overtaken may be older than that event. */
let events = 0;

/** Forgets a tab of which an event tells. @param {number} tabId */
function forget(tabId) {
  events += 1;
  known.delete(tabId);
}

/** Forgets all tabs: the place of one changes those of others, and so does which one is in front. */
function forgetAll() {
  events += 1;
  known.clear();
}

/**
 * Describes a tab as `chrome.tabs.get` does.
 * @param {number} tabId
 * @returns {Promise<chrome.tabs.Tab>} rejects when there is no such tab
 */
export async function describeTab(tabId) {
  const kept = known.get(tabId);
  if (kept && documentOnPort(tabId) !== undefined) return { ...kept };
  const before = events;
  const tab = await chrome.tabs.get(tabId);
  if (events === before) known.set(tabId, tab);
  return { ...tab };
}

/** Whether the browser has no window, and no person at it. */
export const isHeadless = navigator.userAgent.includes("HeadlessChrome");

/** The window that had the focus last, as long as no event has told of a window. @type {chrome.windows.Window | null} */
let front = null;

function forgetFront() {
  events += 1;
  front = null;
}

/** The focus of a browser with windows moves without an event as well: to tools of the developer, to other programs. */
async function lastFocused() {
  if (front) return front;
  const before = events;
  const window = await chrome.windows.getLastFocused();
  if (isHeadless && events === before) front = window;
  return window;
}

/**
 * Whether the page of a tab is in front, so that it has the focus.
 * @param {number} tabId
 */
export async function isInFront(tabId) {
  const [tab, window] = await Promise.all([describeTab(tabId), lastFocused()]);
  return tab.active && tab.windowId === window.id && window.focused && window.state !== "minimized";
}

/** @param {{tabId: number}} details */
const forgetIts = ({ tabId }) => forget(tabId);

onTabClosed(forgetAll);
onTabReplaced(forgetAll);
chrome.tabs.onActivated.addListener(forgetAll);
chrome.tabs.onAttached.addListener(forgetAll);
chrome.tabs.onCreated.addListener(forgetAll);
chrome.tabs.onDetached.addListener(forgetAll);
chrome.tabs.onHighlighted.addListener(forgetAll);
chrome.tabs.onMoved.addListener(forgetAll);
chrome.tabs.onUpdated.addListener(forget);
chrome.windows.onBoundsChanged.addListener(forgetFront);
chrome.windows.onCreated.addListener(forgetFront);
chrome.windows.onFocusChanged.addListener(forgetFront);
chrome.windows.onRemoved.addListener(forgetFront);
chrome.webNavigation.onBeforeNavigate.addListener(forgetIts);
chrome.webNavigation.onCommitted.addListener(forgetIts);
chrome.webNavigation.onErrorOccurred.addListener(forgetIts);
chrome.webNavigation.onHistoryStateUpdated.addListener(forgetIts);
chrome.webNavigation.onReferenceFragmentUpdated.addListener(forgetIts);
