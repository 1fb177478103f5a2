/** Watch on one request for what the browser knows and fetch does not tell: redirection, cookies, the name of a failure. */
import { unlessAborted, within } from "../base/deadline.js";
import { withoutFragment } from "../base/url.js";

/** @typedef {"onBeforeRequest"|"onSendHeaders"|"onHeadersReceived"} NameBefore until the answer begins */
/** @typedef {NameBefore|"onBeforeRedirect"|"onResponseStarted"|"onErrorOccurred"} Name */
/** @typedef {{[N in Name]: Parameters<Parameters<typeof chrome.webRequest[N]["addListener"]>[0]>[0]}} Details */
/** @typedef {{url: string, status: number, status_text: string, headers: Record<string, string>}} Head */
/**
 * @typedef {object} RequestWatch
 * @property {Set<string>} cookies  names of those that were set
 * @property {() => boolean} isPersonal  whether cookies or a login went along, or it was not seen what did
 * @property {(signal: AbortSignal) => Promise<Head>} headers  of the first answer
 * @property {(signal: AbortSignal) => Promise<{status: number, to: string}>} redirected  where the answer leads on to
 * @property {(limit: number) => Promise<unknown>} answered  all that was heard of it up to the answer is told; a cached one may
 * never say so
 * @property {(limit: number) => Promise<string|undefined>} failure  as Chrome names it
 * @property {() => void} close
 */

const FILTER = { urls: ["<all_urls>"], tabId: chrome.tabs.TAB_ID_NONE };
/** Events that are watched. Chrome tells cookies only with extraHeaders. */
const EVENTS = /** @type {[name: Name, extra?: string[]][]} */ ([
  ["onBeforeRequest"], ["onSendHeaders", ["requestHeaders", "extraHeaders"]],
  ["onHeadersReceived", ["responseHeaders", "extraHeaders"]], ["onBeforeRedirect"],
  ["onResponseStarted"], ["onErrorOccurred"],
]);

/**
 * Watches the request whose address ends in the fragment `mark`: that is not sent.
 * @param {string} mark
 * @returns {RequestWatch}
 */
export function watchRequest(mark) {
  /** @type {string|undefined} */
  let requestId;
  const first = /** @type {PromiseWithResolvers<Head>} */ (Promise.withResolvers());
  const started = Promise.withResolvers();
  const failed = /** @type {PromiseWithResolvers<string>} */ (Promise.withResolvers());
  const onward = /** @type {PromiseWithResolvers<{status: number, to: string}>} */ (Promise.withResolvers());
  /** @type {Set<string>} */
  const cookies = new Set();
  let isPersonal = true;

  /** @type {{[N in Name]: (details: Details[N]) => void}} */
  const on = {
    onBeforeRequest: () => {},
    onSendHeaders: ({ requestHeaders = [] }) => {
      isPersonal = requestHeaders.some(({ name }) => /^(cookie|authorization)$/i.test(name));
    },
    onHeadersReceived: (details) => {
      const head = headOf(details);
      for (const { name, value } of details.responseHeaders ?? [])
        if (value !== undefined && /^set-cookie$/i.test(name)) cookies.add(value.split("=")[0].trim());
      first.resolve(head);
    },
    onBeforeRedirect: ({ statusCode, redirectUrl }) => onward.resolve({ status: statusCode, to: withoutFragment(redirectUrl) }),
    onResponseStarted: () => started.resolve(undefined),
    onErrorOccurred: ({ error }) => failed.resolve(error),
  };
  const stops = EVENTS.map(([name, extra]) => listen(name, extra, (details) => {
    if (details.url.endsWith(`#${mark}`)) requestId ??= details.requestId;
    if (details.requestId === requestId) on[name](/** @type {never} */ (details));
  }));
  return {
    cookies,
    isPersonal: () => isPersonal,
    headers: (signal) => unlessAborted(first.promise, signal),
    redirected: (signal) => unlessAborted(onward.promise, signal),
    answered: (limit) => within(started.promise, limit),
    failure: (limit) => within(failed.promise, limit),
    close: () => stops.forEach((stop) => stop()),
  };
}

/** @typedef {(details: Details[Name]) => void} Listener */
/** @param {Name} name @param {string[]|undefined} extra @param {Listener} listener @returns {() => void} */
function listen(name, extra, listener) {
  // Each event has a type of its own.
  const event =
    /** @type {{addListener: (heard: Listener, ...rest: unknown[]) => void, removeListener: (heard: Listener) => void}} */ (
      /** @type {unknown} */ (chrome.webRequest[name])
    );
  /** @type {Listener} */
  const heard = (details) => void listener(details);
  event.addListener(heard, FILTER, ...(extra ? [extra] : []));
  return () => event.removeListener(heard);
}

/** @param {Details["onHeadersReceived"]} details @returns {Head} */
function headOf({ url, statusCode, statusLine, responseHeaders = [] }) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { name, value } of responseHeaders) {
    const key = name.toLowerCase();
    if (key === "set-cookie") continue;
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value ?? "";
  }
  return { url: withoutFragment(url), status: statusCode, status_text: /^\S+ \d+ (.*)$/.exec(statusLine)?.[1] ?? "", headers };
}

