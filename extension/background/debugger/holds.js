/*
 * Holds on the debugger that last longer than one call: an emulation, a capture, a route. A hold keeps the attachment until it
 * is released, its client has left, or the tab is gone. Holds outlive the service worker, as attachments do.
 */
import { isAttachedClient, releaseForAbsent } from "../base/clients.js";
import { ownCall } from "../rules/call-parts.js";
import { attachmentsKnown, isAttached, keepWhile, letRest, withDebugger } from "./attachment.js";
import { onRevoked } from "../tabs/leases.js";
import { persisted } from "../base/state.js";
import { assertRunning, onClientStop, onPause } from "../rules/stop.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { Caller, Send } from "./commands" */
/** @import { NoteEnd } from "./attachment.js" */
/**
 * @typedef {object} Purpose
 * @property {(tabId: number, send: Send) => Promise<void>} undo  takes back what was set in the tab; the debugger is attached
 * @property {boolean} [isAct]  it changes what the tab does, rather than looking at it: over when the user takes the tab from its
 * client
 * @property {NoteEnd} [ended]  the hold is over: it was released, or the attachment or the tab is gone
 */

/** The hold of the console's log, for those who do without it while it lasts. */
export const CONSOLE_HOLD = "console";
/** A client whose connection was lost comes back within this, or not at all: the bridge waits as long for the browser. */
const RETURN_MS = 7_000;
const UNDO_LIMIT_MS = 5_000;

/** Tab id → purpose → ids of the clients it is for. */
const holds = persisted("debugger.holds", /** @type {Record<number, Record<string, string[]>>} */ ({}));
/** @type {Map<string, Purpose>} */
const purposes = new Map();

/**
 * Declares a purpose; once, when its module is loaded.
 * @param {string} name
 * @param {Purpose} purpose
 */
export function declarePurpose(name, purpose) {
  purposes.set(name, purpose);
}

// Attachments that ended with the worker before have taken along what they were held for.
void attachmentsKnown.then(() => { for (const tabId of heldTabs()) if (!isAttached(tabId)) drop(tabId); });

const heldTabs = () => Object.keys(holds.get()).map(Number);

/**
 * Deals with what an earlier worker held tabs for, where this one knows nothing of it.
 * @param {string} name a declared purpose
 * @param {ReadonlyMap<number, unknown>} known tabs for which it is known
 * @param {(tabId: number) => unknown} deal
 */
export async function onUnknown(name, known, deal) {
  await attachmentsKnown;
  for (const tabId of heldTabs()) if (isHeldFor(tabId, name) && !known.has(tabId)) void deal(tabId);
}

/**
 * Whether a tab is held for a purpose.
 * @param {number} tabId
 * @param {string} name
 */
export const isHeldFor = (tabId, name) => holds.get()[tabId]?.[name] !== undefined;

/**
 * Runs `work` with the debugger attached, and keeps it attached until `release`. When `work` fails nothing is held that was not
 * held before.
 * @template T
 * @param {number} tabId
 * @param {string} name a declared purpose
 * @param {CallContext} call
 * @param {(send: Send) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function hold(tabId, name, call, work) {
  return withDebugger(tabId, call, async (send) => {
    // A call that was under way as the person paused ends by itself, but leaves nothing in force.
    assertRunning(call.method, call.client.id);
    const before = holds.get()[tabId]?.[name];
    (holds.get()[tabId] ??= {})[name] = [...new Set([...(before ?? []), call.client.id])];
    try {
      const result = await work(send);
      await holds.save();
      return result;
    } catch (error) {
      if (before === undefined) remove(tabId, name);
      else holds.get()[tabId][name] = before;
      throw error;
    }
  });
}

/**
 * Ends one client's part in a hold; what it was for is taken back with the last one's.
 * @param {number} tabId
 * @param {string} name
 * @param {Caller} call
 * @returns {Promise<boolean>} false when the client had no part in it
 */
export async function leave(tabId, name, call) {
  const clients = holds.get()[tabId]?.[name] ?? [];
  if (!clients.includes(call.client.id)) return false;
  if (clients.length === 1) return release(tabId, name, call);
  holds.get()[tabId][name] = clients.filter((id) => id !== call.client.id);
  await holds.save();
  return true;
}

/**
 * Takes back what a hold was for, for all of its clients, and lets the debugger go.
 * @param {number} tabId
 * @param {string} name
 * @param {Caller} call
 * @returns {Promise<boolean>} false when the tab was not held for it
 */
export async function release(tabId, name, call) {
  if (!isHeldFor(tabId, name)) return false;
  await withDebugger(tabId, call, (send) => /** @type {Purpose} */ (purposes.get(name)).undo(tabId, send));
  end(tabId, name);
  return true;
}

/** @param {number} tabId @param {string} name */
function end(tabId, name) {
  remove(tabId, name);
  purposes.get(name)?.ended?.(tabId);
  letRest(tabId);
}

/** @param {number} tabId @param {string} name */
function remove(tabId, name) {
  const held = holds.get()[tabId];
  if (!held) return;
  delete held[name];
  if (!Object.keys(held).length) delete holds.get()[tabId];
  void holds.save();
}

/** Drops all holds on a tab whose attachment has ended. @type {NoteEnd} */
function drop(tabId, reason) {
  for (const name of Object.keys(holds.get()[tabId] ?? {})) {
    remove(tabId, name);
    purposes.get(name)?.ended?.(tabId, reason);
  }
}

/** Whether a tab is held for anything. @param {number} tabId */
const isHeld = (tabId) => holds.get()[tabId] !== undefined;

keepWhile({ held: isHeld, ended: drop });

releaseForAbsent(RETURN_MS, () => releaseOf((clientId) => !isAttachedClient(clientId)));

/** Releases what is held for some clients. @param {(clientId: string, tabId: number, name: string) => boolean} isOver */
async function releaseOf(isOver) {
  await attachmentsKnown;
  for (const tabId of heldTabs()) {
    for (const [name, clients] of Object.entries(holds.get()[tabId] ?? {})) {
      for (const clientId of clients.filter((id) => isOver(id, tabId, name))) {
        await leave(tabId, name, ownCall(clientId, UNDO_LIMIT_MS)).catch(() => end(tabId, name));
      }
    }
  }
}

/** The person has paused everything: the browser is theirs as it was. */
async function releaseAll() {
  await attachmentsKnown;
  await Promise.all(heldTabs().flatMap((tabId) => Object.keys(holds.get()[tabId] ?? {})
    .map((name) => release(tabId, name, ownCall("", UNDO_LIMIT_MS)).catch(() => end(tabId, name)))));
}

onPause(releaseAll);
onClientStop((stopped) => releaseOf((clientId) => clientId === stopped));
onRevoked((tabId, clientId) => void releaseOf((holder, held, name) =>
  holder === clientId && held === tabId && Boolean(purposes.get(name)?.isAct)));
