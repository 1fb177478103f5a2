/*
 * Target tab of a call. A client works in its current tab: the last one it opened, switched to or acted in. A client without a
 * current tab sees what the user sees: the tab in front (front-tab.js).
 */
import { unlessAborted } from "../base/deadline.js";
import { isCrashed, onTabClosed, onTabReplaced } from "../base/tabs.js";
import { noSuchTab, said, TabwireError } from "../base/errors.js";
import { mayTell } from "../rules/addresses.js";
import { persisted, ready } from "../base/state.js";
import { assertMeant, frontTab, isToReplace, noteOfFocus, noWindowError, obstacleIn } from "./front-tab.js";
import { describeTab } from "./tab-facts.js";
import { assertSeen } from "./tab-sight.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../../types").OpenTab} OpenTab */
/** @typedef {{tabId: number, gone?: string}} Pin  gone: the address of the pinned tab that somebody closed */
/**
 * @typedef {object} TargetOptions
 * @property {boolean} [act] without a pin, the tab the client saw last comes before the one in front
 * @property {string} [page] what the call needs of the page, as METHODS says
 * @property {(note: string) => void} [onNote] gets a note for the client about the tab in front
 */

/** Stands for a tab of an earlier session of the browser. */
const EARLIER = -1;

/** Client id → the tab it works in. */
const pins = persisted("targets.pins", /** @type {Record<string, Pin>} */ ({}));
/** Client id → the tab of its last read without a pin: an act that follows means that page, wherever the user went since. */
const seen = persisted("targets.seen", /** @type {Record<string, number>} */ ({}));
/** Old id → new id of tabs that Chrome replaced (discarding does that). */
const replaced = persisted("targets.replaced", /** @type {Record<string, number>} */ ({}));
/** Tab id → its last address, so that the message about a closed tab can name it. */
const addresses = new Map();

/** Beyond a 32-bit integer `chrome.tabs.get` throws instead of rejecting. */
const MAX_TAB_ID = 2 ** 31 - 1;

/** The address a tab shows or is about to show. @param {chrome.tabs.Tab} tab */
const addressOf = (tab) => tab.url || tab.pendingUrl || "";

/**
 * The tab a call is about. Rejects with no_such_tab when there is none, with permission_denied when the client does not see it.
 * A call that names no tab never means one that extensions cannot touch.
 * @param {{tabId?: number}} params
 * @param {Client} client
 * @param {TargetOptions} [options]
 * @returns {Promise<OpenTab>}
 */
export async function resolveTab(params, client, options) {
  const tab = await meantTab(params, client, options);
  await assertSeen(tab, client);
  return tab;
}

/** @param {{tabId?: number}} params @param {Client} client @param {TargetOptions} [options] */
async function meantTab(params, client, options = {}) {
  await ready;
  if (params.tabId !== undefined) return requireTab(params.tabId, describeTab);
  return await pinnedTab(client) ?? unnamedTab(client, options);
}

/** The tab a client works in, null when it works in none. It is told once of one that somebody closed. @param {Client} client */
async function pinnedTab(client) {
  const pin = pins.get()[client.id];
  return pin ? (pin.gone === undefined && await findTab(pin.tabId, describeTab)) || loseTab(client, pin) : null;
}

/** @param {Client} client @param {TargetOptions} options */
async function unnamedTab(client, { act = false, page = "none", onNote }) {
  const last = act ? seen.get()[client.id] : undefined;
  const known = last === undefined ? null : await findTab(last, describeTab);
  const front = known ? null : await frontTab();
  const tab = known ?? front?.tab;
  if (!tab) throw await noWindowError(client);
  await assertSeen(tab, client);
  await assertMeant(tab, front?.window, client, { effect: act ? "act" : "read", page });
  if (!act && tab.id !== seen.get()[client.id]) seen.put(client.id, tab.id);
  const note = front && onNote ? await noteOfFocus(front, client) : "";
  if (note) onNote?.(note);
  return tab;
}

/**
 * The tab in which a client that names none may open an address: its current one, else the one in front where that is not the
 * user's.
 * @param {Client} client
 * @param {number} [windowId] the window that it names
 * @returns {Promise<OpenTab|null>} null: it needs a tab of its own
 */
export async function tabToReplace(client, windowId) {
  await ready;
  const pinned = windowId === undefined ? await pinnedTab(client) : null;
  if (pinned) return pinned;
  const shown = windowId === undefined ? (await frontTab())?.tab : await shownIn(windowId);
  if (!shown) return null;
  return shown.id === currentTab(client) || isToReplace(shown, client) ? shown : null;
}

/** @param {number} windowId @returns {Promise<OpenTab>} */
async function shownIn(windowId) {
  const [tab] = await chrome.tabs.query({ windowId, active: true });
  if (!tab) throw noSuchTab(`there is no window ${windowId}; call tab_list to see tabs and windows`);
  return /** @type {OpenTab} */ (tab);
}

/**
 * A window of the kind pages live in, so that a tab does not end up in a popup: the one that is named, else that of the client's
 * tab, else the one that was used last.
 * @param {number|undefined} windowId @param {Client} client
 * @returns {Promise<number|undefined>} undefined when none is open
 */
export async function windowForTabs(windowId, client) {
  if (windowId !== undefined) {
    const window = await chrome.windows.get(windowId).catch(() => null);
    if (!window) throw noSuchTab(`there is no window ${windowId}; call tab_list to see tabs and windows`);
    return window.id;
  }
  const current = currentTab(client);
  const tab = current === null ? null : await chrome.tabs.get(current).catch(() => null);
  const own = tab && (await chrome.windows.get(tab.windowId).catch(() => null));
  if (own?.type === "normal") return own.id;
  const focused = await chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => null);
  return focused?.id;
}

/** Whether a client has neither worked in a tab nor seen one. @param {Client} client */
export const hasNoTab = ({ id }) => pins.get()[id] === undefined && seen.get()[id] === undefined;

/**
 * The tab a call without a tabId would work in. Only looks: it changes nothing, and the close of a tab is still reported later.
 * @param {Client} [client] without one: where the user is
 * @returns {Promise<OpenTab | null>} null when that tab is closed, or no window is open; one that cannot be touched is given, too
 */
export async function peekTab(client) {
  await ready;
  const pin = client && pins.get()[client.id];
  if (pin) return pin.gone === undefined ? findTab(pin.tabId) : null;
  const last = client && seen.get()[client.id];
  return (last !== undefined && await findTab(last)) || ((await frontTab())?.tab ?? null);
}

/**
 * The id of the tab that a client works in, or would work in now.
 * @param {Client} client
 * @returns {Promise<number | null>} null where a call has to name one
 */
export async function currentOrFront(client) {
  const own = currentTab(client);
  if (own !== null) return own;
  const tab = (await frontTab())?.tab;
  return tab && !obstacleIn(tab, { effect: "read", page: "none" }) ? tab.id : null;
}

/**
 * @param {number} tabId
 * @param {typeof describeTab} [describe] the default asks Chrome
 * @returns {Promise<OpenTab | null>}
 */
export async function findTab(tabId, describe = (id) => chrome.tabs.get(id)) {
  const current = replaced.get()[tabId] ?? tabId;
  const tab = await describe(current).catch((error) => {
    // Any other failure (a worker that is being stopped) says nothing about the tab.
    if (/^No tab with id/.test(error.message)) return null;
    throw error;
  });
  if (tab) addresses.set(current, addressOf(tab));
  return /** @type {OpenTab | null} */ (tab);
}

/** @param {number} tabId @param {typeof describeTab} [describe] */
async function requireTab(tabId, describe) {
  const tab = Number.isInteger(tabId) && tabId >= 0 && tabId <= MAX_TAB_ID ? await findTab(tabId, describe) : null;
  if (!tab) throw noSuchTab(`there is no tab ${tabId}; call tab_list to see the open tabs`);
  return tab;
}

/**
 * Says once that the client's tab was closed by somebody else; afterwards it works where the user is.
 * @param {Client} client
 * @param {Pin} pin
 * @returns {never}
 */
function loseTab(client, { tabId, gone }) {
  clearCurrentTab(client);
  if (tabId === EARLIER) {
    throw noSuchTab(
      "the browser was restarted, or its extension reloaded: the tab you worked in is not known any more; call tab_list and " +
      "choose a tab",
    );
  }
  const known = gone ?? addresses.get(tabId);
  const address = known && mayTell(known) ? known : "";
  throw noSuchTab(
    `the tab you worked in was closed (tab ${tabId}${address ? `, ${said(address)}` : ""}); call tab_list and choose a tab`);
}

/**
 * Makes a tab the one the client works in from now on.
 * @param {Pick<Client, "id">} client
 * @param {number} tabId
 */
export function setCurrentTab(client, tabId) {
  if (pins.get()[client.id]?.tabId === tabId && pins.get()[client.id].gone === undefined) return;
  pins.put(client.id, { tabId });
}

/**
 * The client works in no particular tab any more (call it before closing its own tab).
 * @param {Client} client
 * @param {number} [tabId] only when this is the current one
 */
export function clearCurrentTab(client, tabId) {
  const pin = pins.get()[client.id];
  if (!pin || (tabId !== undefined && pin.tabId !== tabId)) return;
  pins.drop(client.id);
}

/**
 * The client worked here before the browser was restarted, or the extension reloaded: its tab is not known any more, and it must
 * not go on in whatever tab is in front.
 * @param {Client} client
 */
export function leaveOldSession(client) {
  if (!pins.get()[client.id]) pins.put(client.id, { tabId: EARLIER, gone: "" });
}

/**
 * The tab a client works in, if it has one.
 * @param {Client} client
 * @returns {number | null}
 */
export function currentTab(client) {
  const pin = pins.get()[client.id];
  return pin && pin.gone === undefined ? pin.tabId : null;
}

/** @param {number} tabId */
export const crashError = (tabId) =>
  new TabwireError(
    "page_crashed",
    `the page of tab ${tabId} is gone: it crashed, or the browser has not loaded it since it started; load it (reload)`,
    { tabId },
  );

/**
 * The tab with a document to work in: loads what Chrome discarded to save memory (scripts would silently run in an
 * empty document), waits for the first document of a new tab.
 * @param {OpenTab} tab
 * @param {AbortSignal} signal
 * @returns {Promise<OpenTab>}
 */
export async function withDocument(tab, signal) {
  const tabId = tab.id;
  if (isCrashed(tab)) throw crashError(tabId);
  if (tab.discarded) {
    await Promise.all([nextNavigation("onDOMContentLoaded", tabId, signal), chrome.tabs.reload(tabId)]);
  } else if (!tab.url && tab.pendingUrl) {
    const committed = nextNavigation("onCommitted", tabId, signal);
    const now = await findTab(tabId);
    if (now?.url) committed.catch(() => {});
    else await committed;
  } else {
    return tab;
  }
  return requireTab(tabId);
}

/**
 * @param {"onCommitted" | "onDOMContentLoaded"} stage
 * @param {number} tabId
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function nextNavigation(stage, tabId, signal) {
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve } = Promise.withResolvers();
  const event = chrome.webNavigation[stage];
  /** @param {{tabId: number, frameId: number}} details */
  const listener = (details) => {
    if (details.frameId === 0 && details.tabId === (replaced.get()[tabId] ?? tabId)) resolve();
  };
  event.addListener(listener);
  return unlessAborted(promise, signal).finally(() => event.removeListener(/** @type {never} */ (listener)));
}

/** @param {number} tabId */
async function forgetTab(tabId) {
  await ready;
  for (const pin of Object.values(pins.get())) {
    if (pin.tabId === tabId && pin.gone === undefined) pin.gone = addresses.get(tabId) ?? "";
  }
  for (const [client, seenTab] of Object.entries(seen.get())) if (seenTab === tabId) delete seen.get()[client];
  for (const [old, current] of Object.entries(replaced.get())) if (current === tabId) delete replaced.get()[old];
  addresses.delete(tabId);
  await Promise.all([pins.save(), seen.save(), replaced.save()]);
}

/** @param {number} removed @param {number} added */
async function replaceTab(removed, added) {
  await ready;
  for (const [old, current] of Object.entries(replaced.get())) if (current === removed) replaced.get()[old] = added;
  replaced.get()[removed] = added;
  for (const pin of Object.values(pins.get())) if (pin.tabId === removed) pin.tabId = added;
  for (const [client, tabId] of Object.entries(seen.get())) if (tabId === removed) seen.get()[client] = added;
  await Promise.all([pins.save(), seen.save(), replaced.save()]);
}

onTabClosed(forgetTab);
onTabReplaced(replaceTab);
