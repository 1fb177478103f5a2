/*
 * Acts in one tab run one after the other, in the order in which they came.
 */
import { unlessAborted } from "../base/deadline.js";

/** @type {Map<number, Promise<void>>} */
const tails = new Map();

/** @param {number} tabId */
export const isBusy = (tabId) => tails.has(tabId);

/**
 * Waits for the earlier acts in a tab.
 * @param {number} tabId
 * @param {AbortSignal} signal gives up waiting; the acts behind still wait for the ones before
 * @returns {Promise<() => void>} call the result when done, whatever happened
 */
export async function enterQueue(tabId, signal) {
  const before = tails.get(tabId);
  /** @type {() => void} */
  let leave = () => {};
  const mine = new Promise((/** @type {(value: void) => void} */ resolve) => { leave = resolve; });
  const tail = before ? before.then(() => mine) : mine;
  tails.set(tabId, tail);
  tail.then(() => { if (tails.get(tabId) === tail) tails.delete(tabId); });
  if (!before) return leave;
  try {
    await unlessAborted(before, signal);
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}
