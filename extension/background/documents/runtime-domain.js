/*
 * The Runtime domain of a tab, which several parts of work switch on at the same time: who ends last switches it off. The log of
 * the console keeps it on for longer than a call.
 */
import { countUse } from "../base/maps.js";
import { CONSOLE_HOLD, isHeldFor } from "../debugger/holds.js";

/** @import { Send } from "../debugger/commands" */

/** Tab → parts of work that follow its execution contexts now. @type {Map<number, number>} */
const uses = new Map();

/**
 * Keeps the Runtime domain on in a tab.
 * @param {number} tabId
 * @returns {() => boolean} call it when the use is over: true where the domain must be switched off now
 */
export function useRuntime(tabId) {
  const leave = countUse(uses, tabId);
  let isOver = false;
  return () => {
    if (isOver) return false;
    isOver = true;
    return !leave() && !isHeldFor(tabId, CONSOLE_HOLD);
  };
}

/** Whether the Runtime domain of a tab is in use, besides the log of the console. @param {number} tabId */
export const isRuntimeUsed = (tabId) => uses.has(tabId);

/**
 * Runs `work` while the Runtime domain is on.
 * @template T
 * @param {number} tabId @param {Send} send commands of the tab's own session @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withRuntime(tabId, send, work) {
  const leave = useRuntime(tabId);
  try {
    await send("Runtime.enable");
    return await work();
  } finally {
    if (leave()) await send("Runtime.disable").catch(() => {});
  }
}
