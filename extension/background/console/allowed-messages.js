/** Console messages of documents that may be read. */
import { mayTell } from "../rules/addresses.js";
import { refusalOf } from "../rules/permissions.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../debugger/console-entries.js").Entry} Entry */

/**
 * @param {Entry[]} entries @param {CallContext} call
 * @returns {{kept: Entry[], note: {barred?: number}}} barred: how many were left out
 */
export function allowedOf(entries, call) {
  const kept = entries.filter(({ addresses = null, source = "" }) => !refusalOf(addresses, "read", call) && mayTell(source));
  return { kept, note: kept.length < entries.length ? { barred: entries.length - kept.length } : {} };
}
