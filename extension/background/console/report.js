/** Report on a tab's console for a client: filtered, without secrets, the newest messages within a budget. */
import { allowedOf } from "./allowed-messages.js";
import { compiled, matches } from "./text-pattern.js";
import { redact } from "../rules/redaction.js";
import { persistedByTab } from "../base/state.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/**
 * @typedef {{level?: string[], pattern?: string, include_exceptions: boolean, max_messages: number, clear_after_read: boolean}}
 * Wanted
 */
/** @typedef {import("../base/protocol-types").ConsoleMessage} Message */

const MAX_BYTES = 300_000;

/**
 * Tab id → client id → what is as old as this has been cleared for that client, epoch ms.
 * @type {import("../base/state.js").Persisted<Record<number, Record<string, number>>>}
 */
const cleared = persistedByTab("console.cleared");

/**
 * Hides from a client what its tab's console has said so far; other clients go on seeing it.
 * @param {CallContext} call
 * @param {number} until epoch ms
 */
export async function clearFor({ tab, client }, until) {
  (cleared.get()[/** @type {number} */ (tab?.id)] ??= {})[client.id] = until;
  await cleared.save();
}

/** Compiles the pattern of a request; throws when it is not a regular expression. @param {{pattern?: string}} wanted */
export const expressionOf = ({ pattern }) => (pattern === undefined ? null : compiled(pattern));

/**
 * @param {Entry[]} entries  the oldest first
 * @param {Wanted} params
 * @param {CallContext} call
 * @returns {Promise<{messages: Message[], left_out?: number, barred?: number, redacted?: number, note?: string}>}
 */
export async function tell(entries, params, call) {
  const { found, fresh, redacted, note } = await chosen(entries, params, call);
  if (params.clear_after_read && fresh.length)
    await clearFor(
      call,
      fresh.reduce((latest, { time }) => Math.max(latest, time), 0),
    );
  return { ...newest(folded(found), params.max_messages), ...note, ...(redacted ? { redacted } : {}) };
}

/**
 * @param {Entry[]} entries @param {Pick<Wanted, "level"|"pattern"|"include_exceptions">} params @param {CallContext} call
 */
async function chosen(entries, params, call) {
  const since = cleared.get()[/** @type {number} */ (call.tab?.id)]?.[call.client.id] ?? 0;
  const { kept: allowed, note } = allowedOf(entries, call);
  const fresh = allowed.filter(({ time }) => time > since);
  const wanted = fresh.filter(
    ({ level, kind }) => (params.include_exceptions || !kind) && (!params.level || params.level.includes(level)),
  );
  const { value: messages, redacted } = redact(wanted.map(toMessage));
  return { found: await matching(messages, expressionOf(params), call), fresh, redacted, note };
}

/**
 * Each of some messages, as far as it is wanted: none is left out for their number, and equal ones stay apart.
 * @param {Entry[]} entries @param {Pick<Wanted, "level"|"pattern"|"include_exceptions">} params @param {CallContext} call
 */
export async function tellEach(entries, params, call) {
  const { found, redacted, note } = await chosen(entries, params, call);
  return { messages: found, ...note, ...(redacted ? { redacted } : {}) };
}

/** @param {Entry} entry @returns {Message} */
const toMessage = ({ level, kind, text, source, stack, time }) => ({
  level,
  ...(kind ? { kind } : {}),
  text,
  ...(source ? { source } : {}),
  ...(stack?.length ? { stack } : {}),
  time: new Date(time).toISOString(),
});

/** @param {Message[]} messages @param {RegExp|null} expression @param {CallContext} call */
async function matching(messages, expression, call) {
  if (!expression) return messages;
  const isMatch = await matches(expression, messages.map(({ text }) => text), /** @type {number} */ (call.tab?.id), call);
  return messages.filter((_, at) => isMatch[at]);
}

/** Merges equal messages that follow each other into one. @param {Message[]} messages */
function folded(messages) {
  /** @type {Message[]} */
  const told = [];
  for (const message of messages) {
    const last = told.at(-1);
    if (last && last.text === message.text && last.level === message.level && last.source === message.source) {
      last.repeated = (last.repeated ?? 1) + 1;
      last.time = message.time;
    } else told.push(message);
  }
  return told;
}

/** @param {Message[]} messages @param {number} count */
function newest(messages, count) {
  const encoder = new TextEncoder();
  /** @type {Message[]} */
  const kept = [];
  let bytes = 0;
  for (const message of messages.slice(-count).reverse()) {
    bytes += encoder.encode(JSON.stringify(message)).length;
    if (bytes > MAX_BYTES && kept.length) break;
    kept.push(message);
  }
  const left = messages.length - kept.length;
  const reason = kept.length < Math.min(count, messages.length) ? "they are too long for one reply" : "raise max_messages";
  const note = left
    ? { left_out: left, note: `${left} older messages were left out: ${reason}, or narrow them by level or pattern` }
    : {};
  return { messages: kept.reverse(), ...note };
}
