/*
 * Tabs of the person that a client sees: all of them, those of the windows it works in, or only those that it was given or has
 * opened. The others are counted for it, and it hears neither their addresses nor their titles: no call works in them.
 */
import { settings, settingsKnown } from "../base/settings.js";
import { notPermitted } from "../base/errors.js";
import { grantedSight, rulesReady } from "../rules/site-rules.js";
import { leaseOf } from "./leases.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../base/protocol-types").TabSight} TabSight */

/** The person's own word comes before what pairing.json says. @returns {TabSight} */
export const sight = () => settings().tabs ?? grantedSight();

/**
 * @param {Client} client
 * @returns {Promise<(tab: chrome.tabs.Tab) => boolean>} whether it sees a tab, as things are now
 */
export async function sightOf(client) {
  await Promise.all([settingsKnown, rulesReady]);
  const level = sight();
  if (level === "all") return () => true;
  const isOwn = (/** @type {chrome.tabs.Tab} */ { id }) => id !== undefined && leaseOf(id)?.clientId === client.id;
  if (level === "given") return isOwn;
  const windows = await windowsOf(isOwn);
  return ({ windowId }) => windows.has(windowId);
}

/**
 * The windows that have tabs of a client; without any the one that the person has used last.
 * @param {(tab: chrome.tabs.Tab) => boolean} isOwn
 */
async function windowsOf(isOwn) {
  const own = (await chrome.tabs.query({})).filter(isOwn).map(({ windowId }) => windowId);
  if (own.length) return new Set(own);
  const last = await chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => null);
  return new Set([last?.id]);
}

/**
 * Throws permission_denied for a tab that a client does not see.
 * @param {chrome.tabs.Tab} tab
 * @param {Client} client
 */
export async function assertSeen(tab, client) {
  if ((await sightOf(client))(tab)) return;
  const shows = sight() === "given" ? "only the tabs that they give to it, or that it opens" : "only the tabs of one window";
  throw notPermitted(
    `tab ${tab.id} is another tab of the user, who shows a program ${shows}; nothing was read or done there. Work in a tab of ` +
    "your own (tab_new), or ask them to give you theirs: Tabwire's button in the toolbar has \"Use this tab\"",
    { reason: "tab_unseen", tabId: tab.id });
}
