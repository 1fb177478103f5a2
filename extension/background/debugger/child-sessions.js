/*
 * The parts of a tab that have debugger sessions of their own: frames of other sites, workers. Who is interested follows
 * a tab; each part is prepared before it runs, now and as new ones come, also by the next service worker.
 */
import { attachmentsKnown } from "./attachment.js";
import { takenBy } from "./blocked-page.js";
import { persisted, ready } from "../base/state.js";

/**
 * A part of a tab. parentFrameId: the frame that it is in, or that has made it; parentSession: the one that has reported it
 * @typedef {{type: string, targetId: string, parentFrameId?: string, parentSession?: string}} Child
 */
/** @import { EventHandlers, EventName, Send } from "./commands" */
/**
 * @typedef {object} Follower
 * @property {(tabId: number) => boolean} wants  whether it follows the tab; state must be `ready`
 * @property {(send: Send, child: Child, tabId: number, sessionId: string) => Promise<unknown>} prepare
 */

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
const NO_AUTO_ATTACH = { ...AUTO_ATTACH, autoAttach: false };

/** Tab id → session id → what it is. */
const known = persisted("children.sessions", /** @type {Record<number, Record<string, Child>>} */ ({}));
/** @type {Follower[]} */
const followers = [];

/**
 * Declares who may follow tabs; once, when its module is loaded.
 * @param {Follower} follower
 */
export function declareFollower(follower) {
  followers.push(follower);
}

/**
 * Whether somebody follows the tab: auto-attach is on then and must stay on.
 * @param {number} tabId
 */
export const isFollowed = (tabId) => followers.some(({ wants }) => wants(tabId));

/**
 * The sessions of a tab's children.
 * @param {number} tabId
 * @returns {Array<[string, Child]>}
 */
export const childrenOf = (tabId) => Object.entries(known.get()[tabId] ?? {});

/**
 * The sessions that a session has reported, and those that these have reported in turn.
 * @param {number} tabId @param {string} sessionId @returns {string[]}
 */
export function sessionsBelow(tabId, sessionId) {
  const own = childrenOf(tabId).filter(([, { parentSession }]) => parentSession === sessionId).map(([id]) => id);
  return own.flatMap((id) => [id, ...sessionsBelow(tabId, id)]);
}

/**
 * Commands of a child.
 * @param {number} tabId
 * @param {string|undefined} sessionId undefined: the tab's own session
 * @returns {Send}
 */
export const senderOf = (tabId, sessionId) => (method, ...[params]) =>
  chrome.debugger.sendCommand({ tabId, ...(sessionId && { sessionId }) }, method, params ?? {});

/**
 * Call after a follower began to want a tab: attaches to its children and prepares them.
 * @param {number} tabId
 * @param {Send} send
 */
export async function followChildren(tabId, send) {
  await Promise.all(childrenOf(tabId).map(([sessionId, child]) => prepare(tabId, sessionId, child)));
  await takenBy(tabId, send("Target.setAutoAttach", AUTO_ATTACH));
}

/**
 * Runs `work` for every child session; one that is gone does not matter.
 * @param {number} tabId
 * @param {(send: Send, child: Child) => Promise<unknown>} work
 */
export async function inChildren(tabId, work) {
  await Promise.allSettled(childrenOf(tabId).map(([sessionId, child]) => work(senderOf(tabId, sessionId), child)));
}

/**
 * Call after a follower has lost interest: lets the children go when nobody else wants them.
 * @param {number} tabId
 * @param {Send} send
 */
export async function leaveChildren(tabId, send) {
  if (isFollowed(tabId)) return;
  await send("Target.setAutoAttach", NO_AUTO_ATTACH).catch(() => {});
}

/** @param {number} tabId @param {string} sessionId @param {Child} child */
async function prepare(tabId, sessionId, child) {
  const send = senderOf(tabId, sessionId);
  // The commands are sent at once, in order, so that a waiting target is let go in any case.
  const wanting = followers.filter(({ wants }) => wants(tabId));
  const prepared = wanting.map((follower) => follower.prepare(send, child, tabId, sessionId));
  const nested = send("Target.setAutoAttach", AUTO_ATTACH);
  const started = send("Runtime.runIfWaitingForDebugger");
  await Promise.allSettled([...prepared, nested, started]);
}

/** @type {EventHandlers<[tabId: number, parentSession: string|undefined], void>} */
const EVENTS = {
  "Target.attachedToTarget": (tabId, parentSession, { sessionId, targetInfo: { type, targetId, parentFrameId } }) => {
    const child = { type, targetId, ...(parentFrameId && { parentFrameId }), ...(parentSession && { parentSession }) };
    (known.get()[tabId] ??= {})[sessionId] = child;
    if (!isFollowed(tabId)) return;
    void known.save();
    void prepare(tabId, sessionId, child);
  },
  "Target.detachedFromTarget": (tabId, _, { sessionId }) => {
    if (!known.get()[tabId]?.[sessionId]) return;
    // Chrome does not report the ends of the sessions below it.
    for (const gone of [...sessionsBelow(tabId, sessionId), sessionId]) delete known.get()[tabId][gone];
    if (!isFollowed(tabId)) return;
    void known.save();
  },
};

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  const handle = EVENTS[/** @type {EventName} */ (method)];
  if (tabId === undefined || !handle) return;
  await ready;
  handle(tabId, sessionId, /** @type {never} */ (params));
});

chrome.debugger.onDetach.addListener(async ({ tabId }) => {
  await ready;
  void known.drop(/** @type {number} */ (tabId));
});

/** Prepares the targets that came up while no worker was there: they would wait for ever. */
attachmentsKnown.then(() => {
  for (const tabId of Object.keys(known.get()).map(Number)) {
    if (!isFollowed(tabId)) continue;
    for (const [sessionId, child] of childrenOf(tabId)) void prepare(tabId, sessionId, child);
  }
});
