/** A look at the documents of a tab, for work that asks about their scripts. */
import { ifInTime } from "../base/deadline.js";
import { onEvent } from "../debugger/attachment.js";
import { childrenOf, senderOf } from "../debugger/child-sessions.js";
import { Documents } from "./documents.js";
import { useRuntime } from "./runtime-domain.js";

/** @import { Send } from "../debugger/commands" */

const LIMIT_MS = 3_000;

/**
 * Runs `work` with the documents of a tab, those of its children that are attached now included.
 * @template T
 * @param {number} tabId @param {Send} send commands of the tab's own session @param {(documents: Documents) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDocuments(tabId, send, work) {
  const documents = new Documents(tabId);
  const stop = onEvent(tabId, (...event) => documents.note(event));
  const leave = useRuntime(tabId);
  const children = childrenOf(tabId).map(([session]) => session);
  try {
    await Promise.all([documents.learn(undefined, send), ...children.map((one) => ifInTime(documents.learn(one), LIMIT_MS))]);
    return await work(documents);
  } finally {
    stop();
    const senders = leave() ? [send, ...children.map((session) => senderOf(tabId, session))] : [];
    await Promise.all(senders.map((one) => ifInTime(one("Runtime.disable"), LIMIT_MS)));
  }
}
