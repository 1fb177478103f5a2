/*
 * Leases of tabs. A client's first act in a tab leases it: others read there as they like, but their acts are refused with the
 * holder's name. A lease ends with its client, with its tab, after long disuse, or when the user says so.
 */
import { isAttachedClient, onClientGone, releaseForAbsent } from "../base/clients.js";
import { Signal } from "../base/signal.js";
import { onTabClosed, onTabReplaced } from "../base/tabs.js";
import { notPermitted, TabwireError } from "../base/errors.js";
import { allHolders, dropHolder, holder, introduce, labelOf, noteOwnGroup } from "./lease-holders.js";
import { persistedByTab, ready } from "../base/state.js";

/** @typedef {import("../../types").Client} Client */
/**
 * @typedef {{clientId: string, since: number, used: number, groupId?: number, isOwn?: boolean}} Lease  times in epoch ms;
 * groupId: the group we put the tab in; isOwn: the client opened the tab
 */

/** A client whose connection was lost with the worker comes back within this, or not at all. */
const RETURN_MS = 6_000;
/** Writing the time of use at every call would cost more than it is worth. */
const USE_STEP_MS = 60_000;

/** Tab id → who may act there. @type {import("../base/state.js").Persisted<Record<number, Lease>>} */
const leased = persistedByTab("leases.tabs");
/** Tab id → the clients the user took it from. @type {import("../base/state.js").Persisted<Record<number, string[]>>} */
const revoked = persistedByTab("leases.revoked");

/** Tab → what an act there is refused with while its person has it. @type {Map<number, () => TabwireError>} */
let keptForPerson = new Map();
/** @type {Signal<[tabId: number, clientId: string]>} */
const used = new Signal();
/** @type {Signal<[tabId: number, lease: Lease]>} */
const ended = new Signal();
/** @type {Signal<[tabId: number, clientId: string]>} */
const withdrawn = new Signal();
/** @type {Signal<[]>} */
const changed = new Signal();

/** Calls a listener when a client acts in a tab that it holds and that is in no group. */
export const onLeaseUsed = used.add;
/** Calls a listener when a lease is over, and not by the user. */
export const onLeaseEnded = ended.add;
/** Calls a listener when the user takes a tab from a client: end what goes on there for it. */
export const onRevoked = withdrawn.add;
/** Calls a listener when a tab has got another holder, or none. */
export const onLeasesChanged = changed.add;

/**
 * @param {number} tabId
 * @returns {Lease | undefined}
 */
export const leaseOf = (tabId) => leased.get()[tabId];

/**
 * The other client that holds a tab, by name.
 * @param {number} tabId
 * @param {Client} client who asks
 * @returns {string | undefined}
 */
export function holderFor(tabId, client) {
  const lease = leased.get()[tabId];
  return lease && lease.clientId !== client.id ? labelOf(lease.clientId) : undefined;
}

/**
 * Every lease, for people to see.
 * @returns {Array<{tabId: number, clientId: string, client: string, since: number}>} since: epoch ms
 */
export const leases = () => Object.entries(leased.get())
  .map(([tabId, { clientId, since }]) => ({ tabId: Number(tabId), clientId, client: labelOf(clientId), since }));

/**
 * Says in which tabs no client may act, because their person has them.
 * @param {Map<number, () => TabwireError>} refusals by tab
 */
export function keepForPerson(refusals) {
  keptForPerson = refusals;
}

/**
 * Throws when a client may not act in one of these tabs: tab_leased (by another one, or by the person at the browser), or
 * permission_denied where the user said so.
 * @param {readonly number[]} tabIds
 * @param {Client} client
 */
export function assertFree(tabIds, client) {
  const kept = tabIds.find((tabId) => keptForPerson.has(tabId));
  if (kept !== undefined) throw keptForPerson.get(kept)?.();
  for (const tabId of tabIds) {
    const lease = leased.get()[tabId];
    if (lease && lease.clientId !== client.id) throw leasedError(tabId, lease);
    if (revoked.get()[tabId]?.includes(client.id)) throw revokedError(tabId, client);
  }
}

/** @param {number} tabId @param {Lease} lease */
function leasedError(tabId, { clientId, since, groupId }) {
  const name = labelOf(clientId);
  const plea = groupId === undefined ? "" : `, or ask the user to move tab ${tabId} out of the tab group "${name}"`;
  return new TabwireError("tab_leased",
    `tab ${tabId} is leased by "${name}", and only that client acts there; nothing was done. ` +
    `You may read the tab; to act, open one of your own with tab_new${plea}`, { tabId, holder: name, since });
}

/** @param {number} tabId @param {Client} client */
const revokedError = (tabId, { id, name }) =>
  notPermitted(
    `the user took tab ${tabId} out of your tab group "${holder(id) ? labelOf(id) : name}"; nothing was done. You may read ` +
    `the tab; ` +
      "work in another one (tab_new), or ask the user to move it back into your group",
    { tabId },
  );

/**
 * Leases tabs to a client that is about to act in them: all or none. Throws like `assertFree`, in the same turn.
 * @param {readonly number[]} tabIds
 * @param {Client} client
 * @param {{isShown?: boolean}} [options] isShown: false for tabs that will be closed
 * @returns {Promise<unknown>} resolves when the leases would survive the worker
 */
export function take(tabIds, client, { isShown = true } = {}) {
  assertFree(tabIds, client);
  if (!tabIds.length) return Promise.resolve();
  const fresh = tabIds.filter((tabId) => !leased.get()[tabId]);
  if (fresh.length) introduce(client);
  for (const tabId of fresh) leased.get()[tabId] = { clientId: client.id, since: Date.now(), used: Date.now() };
  const stored = fresh.length ? save() : Promise.resolve();
  for (const tabId of tabIds) {
    noteUse(tabId, client);
    // A browser that a client has started for itself shows no groups: nobody looks for the tabs of others there.
    if (isShown && !client.launched && leased.get()[tabId].groupId === undefined) stored.then(() => used.emit(tabId, client.id));
  }
  return stored;
}

/**
 * A tab that a client has just opened is its own before anybody else can act there.
 * @param {number} tabId
 * @param {Client} client
 */
export function takeOpened(tabId, client) {
  if (!isAttachedClient(client.id)) return;
  const stored = take([tabId], client);
  leased.get()[tabId].isOwn = true;
  void Promise.all([stored, save()]);
}

/**
 * Whether a client has opened a tab, and has it still.
 * @param {number} tabId
 * @param {Client} client
 */
export function isOpenedBy(tabId, client) {
  const lease = leased.get()[tabId];
  return lease?.clientId === client.id && Boolean(lease.isOwn);
}

/**
 * Notes that the holder of a tab uses it.
 * @param {number} tabId
 * @param {Client} client
 */
export function noteUse(tabId, client) {
  const lease = leased.get()[tabId];
  if (lease?.clientId !== client.id || Date.now() - lease.used < USE_STEP_MS) return;
  lease.used = Date.now();
  void leased.save();
}

/**
 * Notes that a tab is now in a group of ours.
 * @param {number} tabId
 * @param {string} clientId whose group it is
 * @param {number} groupId
 */
export function noteGroup(tabId, clientId, groupId) {
  leased.get()[tabId].groupId = groupId;
  return Promise.all([noteOwnGroup(clientId, groupId), save()]);
}

/**
 * The user put a tab into a client's group: it is that client's, whoever had it.
 * @param {number} tabId
 * @param {string} clientId
 * @param {number} groupId
 */
export function grant(tabId, clientId, groupId) {
  const lease = leased.get()[tabId];
  if (lease?.clientId === clientId && lease.groupId === groupId) return;
  if (lease && lease.clientId !== clientId) withdraw(tabId, lease.clientId);
  keepRevoked(tabId, (id) => id !== clientId);
  const now = Date.now();
  leased.get()[tabId] = lease?.clientId === clientId ? { ...lease, groupId } : { clientId, since: now, used: now, groupId };
  void save();
}

/**
 * The user gives a tab to a client: it is that client's, whoever had it, and goes into its group.
 * @param {number} tabId
 * @param {string} clientId
 */
export function give(tabId, clientId) {
  const lease = leased.get()[tabId];
  if (lease?.clientId === clientId) return;
  if (lease) withdraw(tabId, lease.clientId);
  forgive(tabId, clientId);
  leased.get()[tabId] = { clientId, since: Date.now(), used: Date.now() };
  void save();
  used.emit(tabId, clientId);
}

/**
 * The user took a tab away from the client that holds it: its acts there are refused until the user gives it back.
 * @param {number} tabId
 */
export function revoke(tabId) {
  const lease = leased.get()[tabId];
  if (!lease) return;
  withdraw(tabId, lease.clientId);
  void save();
}

/**
 * Tabs that the user took from clients, for people to see.
 * @returns {Array<{tabId: number, clientId: string, client: string}>}
 */
export const revocations = () => Object.entries(revoked.get())
  .flatMap(([tabId, clients]) => clients.map((clientId) => ({ tabId: Number(tabId), clientId, client: labelOf(clientId) })));

/**
 * The user lets a client act again in a tab that they took from it; it leases it with its next act, as any other.
 * @param {number} tabId
 * @param {string} clientId
 */
export function forgive(tabId, clientId) {
  keepRevoked(tabId, (id) => id !== clientId);
  void save();
}

/** Forgets from which other clients the user took a tab. @param {number} tabId @param {(clientId: string) => boolean} isKept */
function keepRevoked(tabId, isKept) {
  const left = (revoked.get()[tabId] ?? []).filter(isKept);
  if (left.length) revoked.get()[tabId] = left;
  else delete revoked.get()[tabId];
}

/** @param {number} tabId @param {string} clientId */
function withdraw(tabId, clientId) {
  revoked.get()[tabId] = [...new Set([...(revoked.get()[tabId] ?? []), clientId])];
  delete leased.get()[tabId];
  withdrawn.emit(tabId, clientId);
}

/**
 * A leased tab is in no group any more although its client keeps it.
 * @param {number} tabId
 */
export function leaveGroup(tabId) {
  delete leased.get()[tabId]?.groupId;
  void leased.save();
}

function save() {
  changed.emit();
  return Promise.all([leased.save(), revoked.save()]).catch(warn);
}

const warn = (/** @type {unknown} */ error) => console.warn("tabwire: the leases could not be stored", error);

/** @param {(lease: Lease) => boolean} isOver */
function endWhere(isOver) {
  const over = Object.entries(leased.get()).filter(([, lease]) => isOver(lease));
  for (const [tabId, lease] of over) {
    delete leased.get()[Number(tabId)];
    ended.emit(Number(tabId), lease);
  }
  return over.length > 0;
}

/**
 * Ends the leases that were not used for long.
 * @param {number} oldest epoch ms of the last use that still counts
 */
export function endUnused(oldest) {
  if (endWhere(({ used }) => used < oldest)) void save();
}

/** @param {string} clientId */
function endAll(clientId) {
  endWhere((lease) => lease.clientId === clientId);
  dropHolder(clientId);
}

/** Ends what is held for clients that have left, and forgets what the user took from them. */
function endAbsent() {
  for (const clientId of allHolders()) if (!isAttachedClient(clientId)) endAll(clientId);
  for (const tabId of Object.keys(revoked.get())) keepRevoked(Number(tabId), isAttachedClient);
  void save();
}

/** The leases of a tab that has closed, or has another id, are brought up to date by then. */
const noteTabs = () => ready.then(() => changed.emit());

onClientGone(({ id }) => {
  endAll(id);
  void save();
});
// A client that only lost its connection comes back as the one whose tab the user took.
releaseForAbsent(RETURN_MS, endAbsent);
onTabClosed(noteTabs);
onTabReplaced(noteTabs);
