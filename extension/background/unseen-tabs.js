/*
 * Tabs that a client works in unseen, for a moment. The client closes them; those of a client that leaves without are
 * closed here, so that the user finds no tab that nobody opened.
 */
import { isAttachedClient } from "./router.js";
import { onClientGone, persisted, ready } from "./state.js";

/** @typedef {import("../types").Client} Client */

/** A client whose connection was lost with the worker comes back within this, or not at all. */
const RETURN_MS = 6_000;

/** Tab id → whose it is. */
const opened = persisted("unseen.tabs", /** @type {Record<number, string>} */ ({}));

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
  opened.get()[tabId] = client.id;
  await opened.save();
  return tabId;
}

async function closeAbsent() {
  await ready;
  for (const [tabId, clientId] of Object.entries(opened.get())) {
    if (isAttachedClient(clientId)) continue;
    const all = await chrome.tabs.query({});
    // With its last tab Chrome itself ends.
    if (all.length > 1) await chrome.tabs.remove(Number(tabId)).catch(() => {});
    delete opened.get()[Number(tabId)];
  }
  await opened.save();
}

/** @param {number} tabId @param {number} [successor] */
async function forget(tabId, successor) {
  await ready;
  const clientId = opened.get()[tabId];
  if (clientId === undefined) return;
  delete opened.get()[tabId];
  if (successor !== undefined) opened.get()[successor] = clientId;
  await opened.save();
}

// A worker that was stopped meanwhile has missed who left.
ready.then(() => setTimeout(closeAbsent, RETURN_MS));
onClientGone(() => setTimeout(closeAbsent, RETURN_MS));
chrome.tabs.onRemoved.addListener((tabId) => void forget(tabId));
chrome.tabs.onReplaced.addListener((added, removed) => void forget(removed, added));
