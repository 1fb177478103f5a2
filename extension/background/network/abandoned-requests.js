/*
 * Requests that were paused for a worker that has died: their events went down with it, so nobody answers them. Chrome numbers
 * what it pauses, so they can be let go one by one. Switching the interception off and on would let others past their routes.
 */
import { persisted } from "../base/state.js";
import { senderOf } from "../debugger/child-sessions.js";

/** More than a worker leaves behind, as it answers each in the turn in which it hears of it. */
const MOST = 50;
/** Chrome follows no more redirections; a request has the same number after each, and a count of them behind it. */
const MAX_REDIRECTIONS = 20;

/** Tab id → session id, "" for the tab's own → number of the last request that was answered. */
const answered = persisted("routes.answered", /** @type {Record<number, Record<string, number>>} */ ({}));
/**
 * Tab id and session id → the first request that this worker has answered, and the last one of the worker before.
 * @type {Map<string, {first: number, last: number | undefined}>}
 */
const begun = new Map();

const range = (/** @type {number} */ start, /** @type {number} */ length) => Array.from({ length }, (_, index) => start + index);

const sessionKey = (/** @type {number} */ tabId, /** @type {string} */ sessionId) => `${tabId} ${sessionId}`;

/**
 * Notes that a paused request is being answered. State must be `ready`.
 * @param {number} tabId
 * @param {string|undefined} sessionId
 * @param {string} [requestId]
 */
export function noteAnswered(tabId, sessionId = "", requestId = "") {
  const number = Number(/^interception-job-(\d+)\./.exec(requestId)?.[1]);
  if (!number) return;
  const own = (answered.get()[tabId] ??= {});
  const key = sessionKey(tabId, sessionId);
  if (!begun.has(key)) begun.set(key, { first: number, last: own[sessionId] });
  own[sessionId] = number;
  void answered.save();
}

/** @param {number} tabId */
export function forgetAnswered(tabId) {
  if (answered.get()[tabId]) void answered.drop(tabId);
}

/**
 * Lets go what the worker before has left paused.
 * @param {number} tabId
 * @param {string|undefined} sessionId
 * @returns {Promise<boolean>} false: something may be left that has no known number
 */
export async function continueAbandoned(tabId, sessionId = "") {
  const seen = begun.get(sessionKey(tabId, sessionId));
  const last = seen ? seen.last : answered.get()[tabId]?.[sessionId];
  if (last === undefined) return false;
  const count = seen ? seen.first - last - 1 : MOST;
  if (count > MOST) return false;
  const send = senderOf(tabId, sessionId);
  const tried = range(last + 1, count).flatMap((number) => range(0, seen ? MAX_REDIRECTIONS + 1 : 1).map((redirections) =>
    send("Fetch.continueRequest", { requestId: `interception-job-${number}.${redirections}` }).then(() => true, () => false)));
  const outcomes = await Promise.all(tried);
  return seen !== undefined || outcomes.includes(true);
}
