/*
 * Leases as the user sees them: one tab group per client and window, with the client's name and a colour of its own. It works
 * both ways: what the user moves into such a group is that client's, what the user moves out of it no longer is.
 */
import { makeQueue } from "../base/turns.js";
import { holder, labelOf, onRenamed, ownerOf } from "./lease-holders.js";
import { grant, leaseOf, leaveGroup, noteGroup, onLeaseEnded, onLeaseUsed, revoke } from "./leases.js";
import { persisted, ready } from "../base/state.js";

const NO_GROUP = -1;
/** Key in storage.local of the ids of groups that we made: a reload of the extension ends every lease and leaves the groups. */
const MADE = "lease_groups";
const MAX_MADE = 50;

/** Tab id → the group it is to leave because its lease is over. */
const leaving = persisted("leases.leaving", /** @type {Record<number, number>} */ ({}));

/** Changes and looks run one after the other: two first tabs make one group, and our own moves are known as ours. */
const queued = makeQueue(ready);

/** @param {() => Promise<unknown>} work a failure is no one's: the next act in the tab, or the alarm, tries again */
const inTurn = (work) =>
  void queued(work).catch((error) => console.info(`tabwire: a tab group was left as it is: ${error.message}`));

/** @param {number} tabId @param {string} clientId */
const taken = (tabId, clientId) => inTurn(() => place(tabId, clientId));

/** @param {number} tabId @param {string} clientId */
async function place(tabId, clientId) {
  const isHeld = () => leaseOf(tabId)?.clientId === clientId;
  if (!isHeld() || leaseOf(tabId)?.groupId !== undefined) return;
  const tab = await chrome.tabs.get(tabId);
  const home = await groupFor(tab, clientId);
  if (!home || !isHeld()) return;
  const tabIds = /** @type {[number]} */ ([tabId]);
  const groupId = await chrome.tabs.group("id" in home ? { tabIds, groupId: home.id } : { tabIds, createProperties: home });
  delete leaving.get()[tabId];
  if (!isHeld()) return chrome.tabs.ungroup(tabIds);
  await noteGroup(tabId, clientId, groupId);
  if ("id" in home) return;
  await Promise.all([dress(groupId, clientId), noteMade(groupId)]);
}

/** @param {number} groupId */
async function noteMade(groupId) {
  await chrome.storage.local.set({ [MADE]: [...await made(), groupId].slice(-MAX_MADE) });
}

/** @returns {Promise<number[]>} */
const made = async () => (await chrome.storage.local.get(MADE))[MADE] ?? [];

/** Dissolves the groups that this extension made before it was reloaded: they say that somebody works there. */
async function dissolveLeft() {
  const ids = (await made()).filter((id) => !ownerOf(id));
  if (!ids.length) return;
  const tabs = (await chrome.tabs.query({})).filter(({ groupId }) => ids.includes(groupId));
  for (const { id } of tabs) await chrome.tabs.ungroup([/** @type {number} */ (id)]);
  await chrome.storage.local.set({ [MADE]: (await made()).filter((id) => !ids.includes(id)) });
}

/**
 * Finds where to put a tab: a group that is there, or a window to make one in. The window is always named: Chrome would take
 * the tab to the one in front.
 * @param {chrome.tabs.Tab} tab
 * @param {string} clientId
 * @returns {Promise<{id: number} | {windowId: number} | null>} null when it stays where the user has it, or cannot be in a group
 */
async function groupFor({ id, windowId, pinned, groupId }, clientId) {
  const isElsewhere =
    groupId !== NO_GROUP && leaving.get()[/** @type {number} */ (id)] !== groupId && ownerOf(groupId) !== clientId;
  if (pinned || isElsewhere || (await chrome.windows.get(windowId)).type !== "normal") return null;
  const groups = holder(clientId)?.groups ?? [];
  const own = (await chrome.tabGroups.query({ windowId })).find((group) => groups.includes(group.id));
  return own ? { id: own.id } : { windowId };
}

/** @param {number} groupId @param {string} clientId */
async function dress(groupId, clientId) {
  const colour = /** @type {`${chrome.tabGroups.Color}`} */ (holder(clientId)?.colour);
  await chrome.tabGroups.update(groupId, { title: labelOf(clientId), color: colour });
}

/** @param {string} clientId */
function renamed(clientId) {
  inTurn(() => Promise.allSettled((holder(clientId)?.groups ?? []).map((groupId) => dress(groupId, clientId))));
}

/** @param {number} tabId @param {import("./leases.js").Lease} lease */
function ended(tabId, { groupId }) {
  if (groupId === undefined) return;
  void leaving.put(tabId, groupId);
  inTurn(tidy);
}

/** Takes the tabs whose lease is over out of their groups; what cannot be moved just now waits for the next time. */
async function tidy() {
  await Promise.allSettled(Object.entries(leaving.get()).map(async ([key, groupId]) => {
    const tabId = Number(key);
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (tab?.groupId === groupId) await chrome.tabs.ungroup([tabId]);
    delete leaving.get()[tabId];
  }));
  await leaving.save();
}

/** Tries again what Chrome refused before, as it does while the user drags a tab. */
export function tidyGroups() {
  inTurn(async () => {
    if (Object.keys(leaving.get()).length) await tidy();
  });
}

/**
 * Sees where a tab is now, rather than what an event said: dragging tells of places that were only passed.
 * @param {number} tabId
 */
async function look(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (!tab || leaving.get()[tabId] === tab.groupId) return;
  const owner = ownerOf(tab.groupId);
  if (owner) return grant(tabId, owner, tab.groupId);
  const lease = leaseOf(tabId);
  if (lease?.groupId === undefined || lease.groupId === tab.groupId) return;
  // Chrome takes a tab out of its group to pin it.
  if (tab.pinned) leaveGroup(tabId);
  else revoke(tabId);
}

inTurn(dissolveLeft);
onLeaseUsed(taken);
onLeaseEnded(ended);
onRenamed(renamed);
chrome.tabs.onUpdated.addListener((tabId, { groupId }) => {
  if (groupId !== undefined) inTurn(() => look(tabId));
});
// A tab that a leased one opens is in its group from the start.
chrome.tabs.onCreated.addListener(({ id, groupId }) => {
  if (groupId !== NO_GROUP && id !== undefined) inTurn(() => look(id));
});
