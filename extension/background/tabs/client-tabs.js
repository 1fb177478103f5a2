/*
 * Tabs that live as long as their client: those it works in unseen, for a moment, and those of the windows it opened behind
 * the user's. The client closes them; those of a client that leaves without are closed here, so that the user finds no tab
 * that nobody opened. A tab that the user has taken from the client is theirs.
 */
import { isAttachedClient, releaseForAbsent } from "../base/clients.js";
import { ifInTime } from "../base/deadline.js";
import { onRevoked } from "./leases.js";
import { persistedByTab, ready } from "../base/state.js";

/** @typedef {import("../../types").Client} Client */

/** A client whose connection was lost with the worker comes back within this, or not at all. */
const RETURN_MS = 6_000;
const ASK_MS = 1_000;

/** Tab id → id of the client that opened it unseen. @type {import("../base/state.js").Persisted<Record<number, string>>} */
const opened = persistedByTab("unseen.tabs");
/** Tab id → client, for tabs in visible windows. @type {import("../base/state.js").Persisted<Record<number, string>>} */
const behind = persistedByTab("unseen.behind");
const STORES = [opened, behind];

/**
 * Opens an empty tab behind the others.
 * @param {number} windowId
 * @param {Client} client
 * @returns {Promise<number>} its id
 */
export async function openUnseen(windowId, client) {
  await ready;
  const tab = await chrome.tabs.create({ url: "about:blank", active: false, windowId });
  const tabId = /** @type {number} */ (tab.id);
  await opened.put(tabId, client.id);
  return tabId;
}

/**
 * Whether a tab is one of these: nobody has worked in its page, so it asks nothing before it closes.
 * @param {number} tabId
 */
export const isUnseen = (tabId) => opened.get()[tabId] !== undefined;

/**
 * Has a tab closed when its client leaves.
 * @param {number} tabId
 * @param {Client} client
 */
export async function closeWithClient(tabId, client) {
  await ready;
  await behind.put(tabId, client.id);
}

/** A page that asks whether to close is its user's to answer: that is not waited for. @param {number} tabId */
const remove = (tabId) => ifInTime(chrome.tabs.remove(tabId), ASK_MS);

async function closeAbsent() {
  await ready;
  for (const store of STORES) {
    const left = Object.entries(store.get()).filter(([, clientId]) => !isAttachedClient(clientId));
    for (const [tabId] of left) {
      delete store.get()[Number(tabId)];
      const all = await chrome.tabs.query({});
      // Chrome itself ends with its last tab.
      if (all.length > 1) await remove(Number(tabId));
    }
    if (left.length) await store.save();
  }
}

/** @param {number} tabId */
async function forget(tabId) {
  await ready;
  for (const store of STORES) if (store.get()[tabId] !== undefined) await store.drop(tabId);
}

releaseForAbsent(RETURN_MS, closeAbsent);
onRevoked(forget);
