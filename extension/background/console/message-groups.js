/** Console messages for a list: equal ones are one group. */

/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** @typedef {{first: Entry, last: Entry, count: number}} Group  of equal messages, wherever they stand */

/**
 * Groups of equal messages, in the order in which each was said first.
 * @param {Entry[]} entries the oldest first
 * @returns {Group[]}
 */
export function groupsOf(entries) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const entry of entries) {
    const { level, kind, text, source } = entry;
    const key = JSON.stringify([level, kind, text, source]);
    const group = groups.get(key);
    if (!group) groups.set(key, { first: entry, last: entry, count: 1 });
    else Object.assign(group, { last: entry, count: group.count + 1 });
  }
  return [...groups.values()];
}
