/*
 * Acts of clients in tabs: those in one tab run one after the other, in the order in which they came; the latest ones, and what
 * an act
 * that has ended has done.
 */
import { unlessAborted } from "./deadline.js";
import { KeyedSignal } from "./signal.js";
import { TabMap } from "./tabs.js";

/** @typedef {import("./protocol-types").AnyParams} AnyParams */
/** @typedef {import("./protocol-types").AnyResult} AnyResult */
/** @typedef {import("./protocol-types").Effects} Effects */

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
  const { promise: mine, resolve: leave } = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers());
  const tail = before ? before.then(() => mine) : mine;
  tails.set(tabId, tail);
  tail.then(() => { if (tails.get(tabId) === tail) tails.delete(tabId); });
  if (before) await unlessAborted(before, signal).catch((error) => { leave(); throw error; });
  return leave;
}

/**
 * The latest act of each client in each tab, the latest last.
 * @type {Map<string, {tabId: number, client: string, at: number}>}
 */
const latest = new Map();

/** The latest act of each client in each tab, the latest first. */
export const latestActs = () => [...latest.values()].reverse();

/** @param {number} tabId */
export function forgetActsIn(tabId) {
  for (const [name, act] of latest) if (act.tabId === tabId) latest.delete(name);
}

/** The act that ended last in each tab. @type {TabMap<{method: string, at: number}>} */
const lastEnded = new TabMap();

/** @param {number} tabId @param {string} method */
export const noteEnd = (tabId, method) => void lastEnded.set(tabId, { method, at: Date.now() });

/** @param {number} tabId */
export const lastEndIn = (tabId) => lastEnded.get(tabId);

/** @param {string} client @param {number} tabId */
export function noteAct(client, tabId) {
  const name = `${tabId} ${client}`;
  latest.delete(name);
  latest.set(name, { tabId, client, at: Date.now() });
}

/**
 * @typedef {{tab: import("../../types").OpenTab, method: string, params: AnyParams, result: AnyResult, effects: Effects}}
 * EndedAct
 */

/**
 * Acts that did not fail, by tab. An act is answered, and the next one in its tab begins, when the listeners have ended.
 * @type {KeyedSignal<number, [act: EndedAct]>}
 */
export const actEnded = new KeyedSignal();
