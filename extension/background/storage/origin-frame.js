/*
 * The local storage of an origin that no tab shows, without a tab: an offscreen page of the extension frames a cheap
 * address of it. Chrome gives frames of sites the extension may access their own first-party storage. The frame runs no
 * script of the site, the request carries no cookies and the answer sets none.
 */
import { unlessAborted } from "../base/deadline.js";
import { TabwireError, timedOut, unsupported } from "../base/errors.js";
import { persisted, ready } from "../base/state.js";
import { makeQueue } from "../base/turns.js";

const PAGE = "extension/offscreen/origin-frame.html";
const SCRIPT_ID = "tabwire-origin-frame";
const FILE = "extension/injected/origin-frame.js";
/** Session rules of other files have other numbers. */
const RULE_ID = 17_880_000;
const LOAD_LIMIT_MS = 8_000;
/** The frame's script and the page's load event come from two processes. */
const ORDER_MS = 500;
/** Paths that are cheap to load; an error without a body has no document, so there is a second path. */
const PATHS = ["/robots.txt", "/"];

/** Whether a frame may have been left behind by a worker that died. */
const isOpen = persisted("origin-frame.open", false);

/** @typedef {import("../../types").CallContext} CallContext */
/**
 * @typedef {{origin: string, json?: string, restored?: number, missing?: number, cause?: string}} Stored  what
 * content/base/storage.js reads or has restored
 */
/** @typedef {{result: Stored, error?: {code: string, message: string, data?: Record<string, unknown>}}} Reply  one of the two */
/** @typedef {{origin: string, resolve: (port: chrome.runtime.Port) => void, loaded: () => void}} Expected */
/** @type {Expected|null} */
let expected = null;
/** Turns to use the only offscreen page of an extension: later callers wait, also for what a worker that died has left. */
const inTurn = makeQueue(ready.then(() => (isOpen.get() ? tidy() : undefined)));

/** @param {string} origin @returns {chrome.declarativeNetRequest.Rule} */
const ruleFor = (origin) => ({
  id: RULE_ID,
  priority: 1,
  action: {
    type: "modifyHeaders",
    requestHeaders: [{ header: "cookie", operation: "remove" }],
    responseHeaders: [
      ...["x-frame-options", "set-cookie", "clear-site-data", "cross-origin-resource-policy"].map((header) => ({
        header,
        operation: /** @type {const} */ ("remove"),
      })),
      { header: "content-security-policy", operation: "set", value: "default-src 'none'" },
    ],
  },
  condition: {
    tabIds: [chrome.tabs.TAB_ID_NONE],
    initiatorDomains: [chrome.runtime.id],
    resourceTypes: ["sub_frame"],
    requestDomains: [new URL(origin).hostname.replace(/^\[|\]$/g, "")],
  },
});

/**
 * Runs a content function in a document of an origin that nobody sees.
 * @param {string} origin
 * @param {string} name of an operation: see content/base/storage.js
 * @param {object} args
 * @param {CallContext} call
 * @returns {Promise<Stored>}
 */
export function callInOrigin(origin, name, args, call) {
  const asked = inTurn(() => {
    call.signal.throwIfAborted();
    return openAndAsk(origin, name, args, call);
  });
  return unlessAborted(asked, call.signal);
}

/** @param {string} origin @param {string} name @param {object} args @param {CallContext} call */
async function openAndAsk(origin, name, args, call) {
  const limit = AbortSignal.any([call.signal, AbortSignal.timeout(LOAD_LIMIT_MS)]);
  try {
    await prepare(origin);
    for (const path of PATHS) {
      const port = await load(origin, path, limit);
      if (port) return await ask(port, name, args, limit);
    }
  } catch (error) {
    throw limit.aborted && !call.signal.aborted
      ? timedOut(`${origin} did not answer within ${LOAD_LIMIT_MS} ms; open it in a tab and try again`)
      : error;
  } finally {
    await tidy();
  }
  throw new TabwireError(
    "navigation_failed",
    `no document of ${origin} could be loaded: it does not answer, answers without content, or redirects to another origin; ` +
    `open it in a tab and try again`,
  );
}

/** @param {string} origin */
async function prepare(origin) {
  await tidy();
  await isOpen.set(true);
  const { protocol, hostname } = new URL(origin);
  await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [RULE_ID], addRules: [ruleFor(origin)] });
  await chrome.scripting.registerContentScripts([
    {
      id: SCRIPT_ID, js: [FILE], matches: [`${protocol}//${hostname}/*`], allFrames: true,
      runAt: "document_start", persistAcrossSessions: false,
    },
  ]);
}

/**
 * @param {string} origin @param {string} path @param {AbortSignal} signal
 * @returns {Promise<chrome.runtime.Port|null>} null when a document of another origin came, or none
 */
async function load(origin, path, signal) {
  await closePage();
  /** @type {Promise<chrome.runtime.Port|null>} */
  const arrival = new Promise((resolve) => {
    expected = { origin, resolve, loaded: () => setTimeout(resolve, ORDER_MS, null) };
  });
  try {
    const opened = chrome.offscreen.createDocument({
      url: `${PAGE}#${encodeURIComponent(origin + path)}`,
      reasons: ["IFRAME_SCRIPTING"],
      justification: "Reads or restores what a site has stored",
    });
    await unlessAborted(opened, signal);
    return await unlessAborted(arrival, signal);
  } finally {
    expected = null;
  }
}

/** @param {chrome.runtime.Port} port @param {string} name @param {object} args @param {AbortSignal} signal */
function ask(port, name, args, signal) {
  /** @type {Promise<Stored>} */
  const answer = new Promise((resolve, reject) => {
    port.onMessage.addListener((/** @type {Reply} */ { error, result }) => {
      if (error) reject(new TabwireError(error.code, error.message, error.data));
      else resolve(result);
    });
    port.onDisconnect.addListener(() =>
      reject(new TabwireError("frame_unreachable", "the document of this origin went away while it was read; try again")),
    );
    port.postMessage({ id: 1, name, args });
  });
  return unlessAborted(answer, signal);
}

async function closePage() {
  const [open] = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (!open) return;
  if (!open.documentUrl?.includes(PAGE)) {
    throw unsupported("the extension's one invisible page is in use for something else; open this origin in a tab and try again");
  }
  await chrome.offscreen.closeDocument().catch(() => {});
}

/** Leaves nothing behind; what fails here is done when the next frame is opened. */
async function tidy() {
  const ended = await Promise.allSettled([
    closePage(),
    chrome.scripting.unregisterContentScripts({ ids: [SCRIPT_ID] }),
    chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [RULE_ID] }),
  ]);
  if (ended[0].status === "fulfilled") await isOpen.set(false);
}

/** @param {chrome.runtime.Port} port */
function accept(port) {
  const { name, sender } = port;
  if (!expected || sender?.id !== chrome.runtime.id || sender.tab) return;
  if (name === "tabwire-origin-frame" && sender.origin === expected.origin) expected.resolve(port);
  if (name === "tabwire-origin-page") port.onMessage.addListener(expected.loaded);
}

chrome.runtime.onConnect.addListener(accept);
