/*
 * Tabs whose scripts a breakpoint may pause. The Debugger domain stays on in them: who uses it there for one call takes the
 * scripts that are known, and leaves it as it is. A paused page answers nobody, as one with a dialog.
 */
import { said, TabwireError } from "../base/errors.js";

/** @import { EventParams } from "./commands" */
/**
 * A script. isAlone: it was compiled while the debugger was on, which has the engine compile it again for each document
 * @typedef {EventParams<"Debugger.scriptParsed"> & {session: string|undefined, isAlone: boolean}} KnownScript
 */
/** @typedef {{type: "paused", message: string}} Pause  message: where */
/** @typedef {import("../../types").CallContext} CallContext */
/**
 * The documents of a tab and what may be read of them, as `Documents` knows them.
 * @typedef {object} KnownDocuments
 * @property {(call: CallContext) => (sessionId: string|undefined, contextId: number|undefined) => boolean} reading
 * @property {(sessionId: string|undefined, call: CallContext) => boolean} areReadable
 * @property {(sessionId: string|undefined, call: CallContext) => string[]} readableFrames
 * @property {(limit: number) => Promise<void>} learned
 */
/**
 * The breakpoints of a tab.
 * @typedef {object} Keeper
 * @property {KnownScript[]} scripts
 * @property {KnownDocuments} documents
 * @property {Pause|null} pause
 * @property {() => () => void} leave lets the page run on while it is left; call the result when that is over
 */

/** Type of a pause where it stands among dialogs. */
export const PAUSED = "paused";

/** @type {Map<number, Keeper>} */
const keepers = new Map();
/** Tabs in which a script of a client is being paused, to be ended. @type {Set<number>} */
const ending = new Set();

/** @param {number} tabId @param {Keeper|null} keeper null: its breakpoints are gone */
export function setKeeper(tabId, keeper) {
  if (keeper) keepers.set(tabId, keeper);
  else keepers.delete(tabId);
}

/** The breakpoints of a tab, if it has any. @param {number} tabId */
export const keeperOf = (tabId) => keepers.get(tabId);

/** The pause that holds the page of a tab. @param {number} tabId @returns {Pause|null} */
export const pauseOf = (tabId) => keepers.get(tabId)?.pause ?? null;

/**
 * Runs `work`, which pauses scripts only to end them.
 * @template T
 * @param {number} tabId @param {() => Promise<T>} work
 */
export async function whileEnding(tabId, work) {
  ending.add(tabId);
  return work().finally(() => ending.delete(tabId));
}

/** Whether a pause that begins now is a part of ending a script. @param {number} tabId */
export const isEnding = (tabId) => ending.has(tabId);

/**
 * Runs `work`, which leaves the pages of these tabs: a paused one runs on, and pauses no more until it is left.
 * @template T
 * @param {readonly number[]} tabIds @param {() => Promise<T>} work
 */
export function whileLeaving(tabIds, work) {
  const ends = tabIds.flatMap((tabId) => keepers.get(tabId)?.leave() ?? []);
  return work().finally(() => { for (const end of ends) end(); });
}

const WAY_OUT = "paused shows where and why; paused with action resume lets it run on (or step_over, step_into, step_out)";

/** The page of a call is paused. @param {{message: string}} pause */
export const pausedError = ({ message: place }) => new TabwireError(
  "page_paused", `a breakpoint has paused the page at ${said(place)}, and it answers nobody until it runs on; ${WAY_OUT}`,
  { place });
