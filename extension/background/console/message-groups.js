/** Console messages for a list: equal ones are one group. */

/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** @typedef {{first: Entry, last: Entry, count: number}} Group  of equal messages, wherever they stand */

/**
 * Groups of equal messages, in the order in which each was said first.
 * @param {Entry[]} entries the oldest first
 * @returns {Group[]}
 */
export function groupsOf(entries) {
  const alike = Map.groupBy(entries, ({ level, kind, text, source }) => JSON.stringify([level, kind, text, source]));
  return Array.from(alike.values(), (group) => ({ first: group[0], last: group[group.length - 1], count: group.length }));
}
