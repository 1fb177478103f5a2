/** Choice of the console messages that a client is told: of sites that it may read, by level and pattern, a page of them. */
import { allowedOf } from "./allowed-messages.js";
import { bufferOf } from "./log.js";
import { groupsOf } from "./message-groups.js";
import { numbersOf } from "./message-numbers.js";
import { expressionOf } from "./report.js";
import { matches } from "./text-pattern.js";
import { invalid } from "../base/errors.js";
import { redact } from "../rules/redaction.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** @typedef {import("./message-groups.js").Group} Group */
/** @typedef {Awaited<ReturnType<typeof readable>>} Readable */
/** @typedef {{level?: string[], pattern?: string, max_messages: number, before?: number}} Wanted */

/**
 * The groups of messages of a tab that may be told.
 * @param {import("./log.js").ConsoleLog} log
 * @param {boolean} withEarlier also those of earlier documents that a buffer has kept
 * @param {TabCall} call
 */
export async function readable(log, withEarlier, call) {
  const tabId = call.tab.id;
  const earlier = withEarlier ? (bufferOf(tabId)?.list ?? []).filter(({ key }) => !log.entries.has(key)) : [];
  const all = [...earlier, ...log.list].sort((a, b) => a.time - b.time);
  const numberOf = await numbersOf(tabId, all);
  const { kept, note } = allowedOf(all, call);
  return { groups: groupsOf(kept), numberOf, note };
}

/**
 * The group of a message.
 * @param {Readable} messages @param {number} id
 */
export function groupWith({ groups, numberOf }, id) {
  const found = groups.find(({ first, last }) => numberOf(first) === id || numberOf(last) === id);
  if (found) return found;
  throw invalid(`there is no message ${id} (any more); call console_messages for those of the documents that the tab shows now`);
}

const isError = (/** @type {Group} */ { first: { level } }) => level === "error";

/**
 * The page of messages that is wanted: the newest ones, or those before a number.
 * @param {Readable} messages @param {Wanted} wanted @param {TabCall} call
 */
export async function chosen({ groups, numberOf }, wanted, call) {
  const { level, pattern, max_messages: most, before } = wanted;
  const ofLevel = groups.filter(({ first }) => !level || level.includes(first.level));
  const expression = expressionOf({ pattern });
  const texts = expression ? ofLevel.map(({ first }) => redact(first.text).value) : [];
  const isMatch = expression ? await matches(expression, texts, call.tab.id, call) : null;
  const found = isMatch ? ofLevel.filter((_, at) => isMatch[at]) : ofLevel;
  const until = before === undefined ? found.length : found.findIndex(({ first }) => numberOf(first) === before);
  if (until < 0)
    throw invalid(`before: no message ${before} is in this list; leave it out for the newest ones`);
  const shown = found.slice(Math.max(0, until - most), until);
  const older = until - shown.length;
  return { shown, total: found.length, errors: found.filter(isError).length, ...(older && { older }) };
}
