/*
 * Pages whose process is gone. Chrome has no event for that: a tab in use loses its Port, and a debugger is told.
 */
import { isCrashed } from "./targets.js";

/** @type {Array<(tabId: number) => void>} */
const listeners = [];

/**
 * Calls `listener` when the page of a tab in use has crashed.
 * @param {(tabId: number) => void} listener
 */
export function onCrash(listener) {
  listeners.push(listener);
}

/**
 * Looks whether a tab crashed, as there is reason to think.
 * @param {number} tabId
 */
export async function checkCrash(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (tab && isCrashed(tab)) for (const listener of listeners) listener(tabId);
}

chrome.debugger.onEvent.addListener(({ tabId }, method) => {
  if (method === "Inspector.targetCrashed" && tabId !== undefined) void checkCrash(tabId);
});
