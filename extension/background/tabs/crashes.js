/*
 * Pages whose process is gone. Chrome has no event for that: a tab in use loses its Port, and a debugger is told.
 */
import { Signal } from "../base/signal.js";
import { isCrashed } from "../base/tabs.js";

/** @type {Signal<[tabId: number]>} */
const crashed = new Signal();
/** Calls a listener when the page of a tab in use has crashed. */
export const onCrash = crashed.add;

/**
 * Looks whether a tab crashed, as there is reason to think.
 * @param {number} tabId
 */
export async function checkCrash(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (tab && isCrashed(tab)) crashed.emit(tabId);
}

chrome.debugger.onEvent.addListener(({ tabId }, method) => {
  if (method === "Inspector.targetCrashed" && tabId !== undefined) void checkCrash(tabId);
});
