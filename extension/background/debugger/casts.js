/*
 * Casts of tabs that are not shown: Chrome draws them only while it casts them. Nothing but the drawing is wanted.
 */
import { isHeldFor } from "./holds.js";

/** @import { Send } from "./commands" */

/** The purpose for which a tab that is recorded is held; it is cast all the time. */
export const RECORDING = "recording";
/** Small pictures of a cast that is never acknowledged: Chrome sends two, and mostly goes on drawing after that. */
const CAST = { format: /** @type {const} */ ("jpeg"), quality: 1, maxWidth: 16, maxHeight: 16 };

/** Longer than a picture takes while Chrome draws. */
const RECAST_MS = 250;

/** Tab id → how much is under way that needs its cast. @type {Map<number, number>} */
const users = new Map();

/** Lets Chrome draw a tab that is not shown. @param {Send} send */
export const startCast = (send) => send("Page.startScreencast", CAST);

/** @param {Send} send */
export const stopCast = (send) => send("Page.stopScreencast").catch(() => {});

/**
 * Does something while Chrome draws a tab.
 * @template T
 * @param {number} tabId
 * @param {Send} send
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileCast(tabId, send, work) {
  const count = (/** @type {number} */ by) => (users.get(tabId) ?? 0) + by;
  users.set(tabId, count(1));
  try {
    await startCast(send);
    return await work();
  } finally {
    const left = count(-1);
    if (left) users.set(tabId, left);
    else users.delete(tabId);
    if (!left && !isHeldFor(tabId, RECORDING)) await stopCast(send);
  }
}

/**
 * Waits for a picture of a tab that is cast. After the two pictures of the cast Chrome may stop drawing, or another user of
 * the debugger may have ended the cast, and the picture would never come: the cast is restarted until it does.
 * @template T
 * @param {Send} send @param {Promise<T>} awaited
 * @returns {Promise<T>}
 */
export async function whileRecast(send, awaited) {
  const isOver = awaited.then(() => true, () => true);
  const later = () => new Promise((resolve) => { setTimeout(resolve, RECAST_MS, false); });
  while (!(await Promise.race([isOver, later()]))) {
    await stopCast(send);
    await startCast(send);
  }
  return awaited;
}
