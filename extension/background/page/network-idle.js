/**
 * Counts the requests of one tab while somebody waits for its network to be idle, and no longer.
 *
 * Requests that were under way before the count began are unknown to it: start it before the navigation.
 */
import { unlessAborted, within } from "../base/deadline.js";

/** Time without any request that counts as idle. */
const IDLE_MS = 500;

/** Connections that stay open by design, and pings that nobody waits for. */
const UNCOUNTED_TYPES = new Set(["websocket", "webtransport", "ping", "csp_report", "media"]);
const ENDING_EVENTS = /** @type {const} */ (["onCompleted", "onErrorOccurred"]);

/** @param {chrome.webRequest.HttpHeaders|undefined} headers @returns {boolean} a server-sent event stream never completes */
const isEventStream = (headers) =>
  (headers ?? []).some(({ name, value }) => /^content-type$/i.test(name) && /^text\/event-stream/i.test(value ?? ""));

/**
 * @typedef {object} NetworkCount
 * @property {(signal: AbortSignal) => Promise<void>} idle  resolves after IDLE_MS without a request
 * @property {() => string[]} pending  addresses still loading
 * @property {() => void} close
 */

/**
 * Starts counting the requests of a tab.
 * @param {number} tabId
 * @returns {NetworkCount}
 */
export function countRequests(tabId) {
  /** @type {Map<string, string>} */
  const open = new Map();
  let quietSince = Date.now();
  let noteChange = () => {};

  const change = (/** @type {() => void} */ edit) => {
    const wasOpen = open.size > 0;
    edit();
    if (wasOpen || open.size > 0) quietSince = Date.now();
    noteChange();
  };
  const begin = (/** @type {{requestId: string, url: string, type: string}} */ { requestId, url, type }) => {
    if (!UNCOUNTED_TYPES.has(type)) change(() => open.set(requestId, url));
    return undefined;
  };
  const end = (/** @type {{requestId: string}} */ { requestId }) => {
    if (open.has(requestId)) change(() => open.delete(requestId));
    return undefined;
  };
  const head = (/** @type {{requestId: string, responseHeaders?: chrome.webRequest.HttpHeaders}} */ details) =>
    isEventStream(details.responseHeaders) ? end(details) : undefined;

  const filter = { urls: ["<all_urls>"], tabId };
  chrome.webRequest.onBeforeRequest.addListener(begin, filter);
  chrome.webRequest.onHeadersReceived.addListener(head, filter, ["responseHeaders"]);
  for (const event of ENDING_EVENTS) chrome.webRequest[event].addListener(/** @type {never} */ (end), filter);

  return {
    pending: () => [...open.values()],
    idle: (signal) =>
      idle(
        signal, () => (open.size ? Infinity : quietSince + IDLE_MS - Date.now()), (look) => (noteChange = look),
      ),
    close() {
      noteChange = () => {};
      chrome.webRequest.onBeforeRequest.removeListener(/** @type {never} */ (begin));
      chrome.webRequest.onHeadersReceived.removeListener(/** @type {never} */ (head));
      for (const event of ENDING_EVENTS) chrome.webRequest[event].removeListener(/** @type {never} */ (end));
    },
  };
}

/**
 * @param {AbortSignal} signal
 * @param {() => number} untilIdle  ms until the quiet time is over; Infinity while something loads
 * @param {(look: () => void) => void} onChange
 * @returns {Promise<void>}
 */
async function idle(signal, untilIdle, onChange) {
  signal.throwIfAborted();
  try {
    for (let left = untilIdle(); left > 0; left = untilIdle()) {
      const { promise, resolve } = Promise.withResolvers();
      onChange(() => resolve(null));
      await unlessAborted(left === Infinity ? promise : within(promise, left), signal);
    }
  } finally {
    onChange(() => {});
  }
}
