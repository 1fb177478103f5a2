/** Calls of clients as they happen, for all parts of a page that show them. */
import { listen } from "./worker.js";

/** @typedef {import("../../background/calls/activity.js").Activity} Activity */
/** @typedef {(entries: Activity[]) => void} Watcher  entries: the oldest first */

/** @type {Map<number, Activity>} */
let entries = new Map();
/** @type {Watcher[]} */
const watchers = [];

/** @param {{entries?: Activity[], entry?: Activity}} message */
function hear({ entries: all, entry }) {
  if (all) entries = new Map(all.map((one) => [one.id, one]));
  else if (entry) entries.set(entry.id, entry);
  for (const watcher of watchers) watcher([...entries.values()]);
}

/** Calls a watcher as soon as something is known, and at each change. @param {Watcher} watcher */
export function watchActivity(watcher) {
  if (!watchers.length) listen("activity", hear);
  watchers.push(watcher);
}

/** The latest act of a client. @param {string} clientId @returns {Activity|undefined} */
export const latestOf = (clientId) => [...entries.values()].findLast((entry) => entry.clientId === clientId);
