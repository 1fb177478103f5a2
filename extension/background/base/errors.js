/*
 * The one error type of the extension and its way onto the wire. Every message says what happened and what to do next.
 */
import { ERROR_CODES } from "./protocol.js";

/** Meanings of Chrome's own rejections: [pattern, code, what to tell the model]. The first match wins. */
const CHROME_FAILURES = /** @type {Array<[RegExp, string, string]>} */ ([
  [/No tab with id|Tab was closed|tab was closed/, "no_such_tab", "the tab is closed; call tab_list to see the open tabs"],
  [/No window with id|No current window/, "no_such_tab", "the window is closed; call tab_list to see the open tabs"],
  [/No frame with id|frame (with id \d+ )?was removed/i, "no_such_frame", "the frame is gone; take a new snapshot"],
  [/No document with id/, "stale_element_reference", "the page navigated; take a new snapshot"],
  [/showing error page/, "navigation_failed", "the page did not load; navigate again or to another address"],
  [/Cannot access|cannot be scripted|extensions gallery/i, "restricted_page",
    "the browser does not let extensions work in this page; navigate to an ordinary web page or open a tab"],
  [/Invalid value for bounds/, "invalid_argument",
    "such a window would not be on the screen; give it a smaller width and height"],
  [/Tabs cannot be edited right now/, "unsupported_operation", "the user is dragging a tab; try again in a moment"],
]);

/** Characters of our marks, which a page's words do not contain as they are. */
const MARKS = /[\uE000\uE001\uE010\uE011]/g;

const escaped = (/** @type {string} */ mark) => `\\u${mark.charCodeAt(0).toString(16)}`;

/**
 * A page's words inside a sentence of ours, between marks that the bridge turns into a fence.
 * @param {unknown} text
 */
export const said = (text) => `\uE010${String(text).replace(MARKS, escaped)}\uE011`;

/** An error the model is meant to read. */
export class TabwireError extends Error {
  /**
   * @param {string} code one of ERROR_CODES
   * @param {string} message what happened, and what to do next
   * @param {Record<string, unknown>} [data] facts a program can use
   */
  constructor(code, message, data) {
    super(message);
    this.name = "TabwireError";
    this.code = code;
    this.data = data;
  }
}

/** @param {string} message @param {Record<string, unknown>} [data] */
export const invalid = (message, data) => new TabwireError("invalid_argument", message, data);
/** @param {string} message @param {Record<string, unknown>} [data] */
export const unsupported = (message, data) => new TabwireError("unsupported_operation", message, data);
/** @param {string} message @param {Record<string, unknown>} [data] */
export const noSuchTab = (message, data) => new TabwireError("no_such_tab", message, data);
/** @param {string} message @param {Record<string, unknown>} [data] */
export const timedOut = (message, data) => new TabwireError("timeout", message, data);
/** @param {string} message @param {Record<string, unknown>} [data] */
export const notPermitted = (message, data) => new TabwireError("permission_denied", message, data);
/** The document of a frame was replaced by another one. @param {string} message */
export const navigatedAway = (message) => new TabwireError("stale_element_reference", message, { cause: "navigated" });

const GONE = new Set(["stale_element_reference", "no_such_frame"]);

const CHANGED = new Set(["removed", "replaced", "renamed"]);

/**
 * Whether an error says that an element is not in its document any more, or is another one. The document itself is still there.
 * @param {{code?: string, data?: Record<string, unknown>}} error
 */
export const isChangedElement = ({ code, data }) => code === "stale_element_reference" && CHANGED.has(String(data?.cause));

/**
 * Whether an error says that the document of a call does not exist any more.
 * @param {{code?: string, data?: Record<string, unknown>}} error
 */
export const isGone = (error) => GONE.has(error.code ?? "") && !isChangedElement(error);

/**
 * Any thrown value as a TabwireError.
 * @param {unknown} error
 * @returns {TabwireError}
 */
export function toTabwireError(error) {
  if (error instanceof TabwireError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const known = CHROME_FAILURES.find(([pattern]) => pattern.test(text));
  if (known) return new TabwireError(known[1], `${known[2]} (${said(text)})`);
  return new TabwireError("unknown_error",
    text ? said(text) : "the extension failed without a message; take a new snapshot to see what was done");
}

/**
 * Whether Chrome refused something because it is ending this worker.
 * @param {unknown} thrown
 */
export function isWorkerEnding(thrown) {
  const { code, message } = toTabwireError(thrown);
  return code === "unknown_error" && /\bNo SW\b/.test(message);
}

/**
 * Any thrown value as the fields of an error reply; never a stack.
 * @param {unknown} thrown
 * @returns {{error: string, message: string, data?: Record<string, unknown>}}
 */
export function toWire(thrown) {
  const { code, message, data } = toTabwireError(thrown);
  const error = ERROR_CODES.includes(code) ? code : "unknown_error";
  return data ? { error, message, data } : { error, message };
}

/** [part of Chrome's error name, what to do]. The first match wins. */
const ADVICE = /** @type {Array<[string, string]>} */ ([
  ["NAME_NOT_RESOLVED", "no host of this name is known: check the spelling"],
  ["UNSAFE_PORT", "Chrome does not connect to this port: use another one"],
  ["CONNECTION_REFUSED", "nothing listens there: check port and whether the server runs"],
  ["INTERNET_DISCONNECTED", "this computer is offline"],
  ["CERT", "the certificate is not accepted: use an address with a valid one"],
  ["SSL", "no secure connection is possible: try http:// if the site is meant to be reached so"],
  ["TOO_MANY_REDIRECTS", "the site redirects in circles: its cookies may need to be cleared"],
  ["FILE_NOT_FOUND", "there is no such file: check the path"],
  ["BLOCKED", "the browser or an extension blocks this address"],
  ["ABORTED", "the loading was stopped, by the page or the user: try again"],
  ["", "check the address and try again"],
]);

/** @param {string} error as Chrome names it */
export const adviceFor = (error) => ADVICE.find(([part]) => error.includes(part))?.[1];
