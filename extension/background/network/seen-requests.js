/*
 * Requests of tabs since their navigation, as Chrome tells extensions of them: no debugger, nothing to prepare. They are seen
 * while a client is connected, kept in memory within bounds, and forgotten with their tab. What outlives the worker is their list
 * without headers, of tabs that clients use. Chrome tells neither cookies nor passwords where nobody asks for them.
 */
import { isAnyClientAttached, onClientCame, releaseForAbsent } from "../base/clients.js";
import { within } from "../base/deadline.js";
import { KeyedSignal } from "../base/signal.js";
import { persistedByTab, ready } from "../base/state.js";
import { onTabClosed, onTabReplaced } from "../base/tabs.js";
import { usedTabs } from "../tabs/keep-alive.js";

/** @typedef {Record<string, string>} Headers */
/**
 * A step of a request; each redirection is a step. Times are epoch ms.
 * @typedef {object} Seen
 * @property {number} n its number in the tab
 * @property {string} id Chrome's
 * @property {string} url
 * @property {string} method
 * @property {string} type
 * @property {number} started
 * @property {number} frame
 * @property {string} [initiator] origin
 * @property {number} [answered]
 * @property {number} [ended]
 * @property {number} [status]
 * @property {boolean} [cached]
 * @property {number} [size] as the server says it
 * @property {string} [error]
 * @property {string} [redirect_to]
 * @property {string} [mime_type]
 * @property {Headers} [sent]
 * @property {Headers} [received]
 * @property {boolean} [untold] Chrome has not told of it: only the page's own timing knows it
 */
/** @typedef {{next: number, list: Seen[], dropped: number}} Kept */
/** @typedef {Kept & {open: Map<string, Seen>, navigation: Seen|null}} Tab  open: by Chrome's id; navigation: one under way */

/** A client that comes back within this finds the requests since. */
const RETURN_MS = 7_000;
const MAX_PER_TAB = 1_000;
const MAX_TABS = 40;
const MAX_STORED = 200;
const STORE_MS = 3_000;
const MAX_ADDRESS = 2_000;
const MAX_HEADERS = 40;
const MAX_HEADER = 500;
const SCHEME = /^(https?|wss?|ftp|file):/;

/** The tab whose requests came last is the last one. @type {Map<number, Tab>} */
const tabs = new Map();
const stored = /** @type {import("../base/state.js").Persisted<Record<number, Kept>>} */ (persistedByTab("network.seen"));

/** @param {number} tabId @returns {Tab} */
function tabOf(tabId) {
  const { next = 1, dropped = 0, list = [] } = stored.get()[tabId] ?? {};
  const known = tabs.get(tabId) ?? { next, dropped, list: [...list], open: new Map(), navigation: null };
  tabs.delete(tabId);
  tabs.set(tabId, known);
  if (tabs.size > MAX_TABS) tabs.delete(/** @type {number} */ (tabs.keys().next().value));
  return known;
}

/**
 * Adds a request to those of a tab. The oldest ones make room.
 * @param {Tab} tab @param {Omit<Seen, "n">} facts
 */
function add(tab, facts) {
  const seen = { n: tab.next++, ...facts };
  tab.list.push(seen);
  if (tab.list.length > MAX_PER_TAB) {
    const [oldest] = tab.list.splice(0, 1);
    tab.open.delete(oldest.id);
    tab.dropped += 1;
  }
  return seen;
}

/** @param {chrome.webRequest.HttpHeaders|undefined} headers @returns {Headers} */
function toHeaders(headers) {
  /** @type {Headers} */
  const told = {};
  for (const { name, value = "" } of (headers ?? []).slice(0, MAX_HEADERS)) {
    const text = value.length > MAX_HEADER ? `${value.slice(0, MAX_HEADER)}…` : value;
    told[name] = name in told ? `${told[name]}, ${text}` : text;
  }
  return told;
}

/** @param {Headers} headers @param {string} wanted in small letters */
const headerOf = (headers, wanted) => Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

/** @typedef {"onBeforeRequest"|"onSendHeaders"|"onBeforeRedirect"|"onResponseStarted"|"onCompleted"|"onErrorOccurred"} Name */
/** @typedef {{[N in Name]: Parameters<Parameters<typeof chrome.webRequest[N]["addListener"]>[0]>[0]}} Details */

/** @type {{[N in Name]: (tab: Tab, details: Details[N]) => void}} */
const NOTES = {
  onBeforeRequest(tab, { requestId, url, method, type, timeStamp, frameId, initiator }) {
    const seen = add(tab, {
      id: requestId, url: url.slice(0, MAX_ADDRESS), method, type, started: timeStamp, frame: frameId,
      ...(initiator && { initiator }),
    });
    tab.open.set(requestId, seen);
    if (type === "main_frame") tab.navigation = tab.navigation?.id === requestId ? tab.navigation : seen;
  },
  onSendHeaders: (tab, { requestId, requestHeaders }) => change(tab, requestId, () => ({ sent: toHeaders(requestHeaders) })),
  onBeforeRedirect: (tab, { requestId, redirectUrl, statusCode, timeStamp, fromCache, responseHeaders }) =>
    change(tab, requestId, () => ({
      redirect_to: redirectUrl.slice(0, MAX_ADDRESS), status: statusCode, ended: timeStamp, ...(fromCache && { cached: true }),
      received: toHeaders(responseHeaders),
    })),
  onResponseStarted: (tab, details) =>
    change(tab, details.requestId, () => ({ answered: details.timeStamp, ...answerOf(details) })),
  onCompleted: (tab, details) => end(tab, details.requestId, { ended: details.timeStamp, ...answerOf(details) }),
  onErrorOccurred(tab, { requestId, error, timeStamp }) {
    end(tab, requestId, { error, ended: timeStamp });
    // The document stays.
    if (tab.navigation?.id === requestId) tab.navigation = null;
  },
};

/** @param {Details["onResponseStarted"]|Details["onCompleted"]} details @returns {Partial<Seen>} */
function answerOf({ statusCode, fromCache, responseHeaders }) {
  const received = toHeaders(responseHeaders);
  const [size, type] = [headerOf(received, "content-length"), headerOf(received, "content-type")];
  return {
    status: statusCode, received, ...(fromCache && { cached: true }),
    ...(size && /^\d+$/.test(size) && { size: Number(size) }), ...(type && { mime_type: type.split(";")[0].trim() }),
  };
}

/** Types whose headers as sent, and answers that go on, are worth an event each. Pages have many more of the others. */
const SCRIPTED = ["main_frame", "sub_frame", "xmlhttprequest", "ping", "websocket"];
/** @type {[name: Name, extra?: string[], types?: string[]][]} */
const EVENTS = [
  ["onBeforeRequest"], ["onBeforeRedirect", ["responseHeaders"]], ["onCompleted", ["responseHeaders"]], ["onErrorOccurred"],
  ["onSendHeaders", ["requestHeaders"], SCRIPTED], ["onResponseStarted", ["responseHeaders"], SCRIPTED],
];

/** @param {Tab} tab @param {string} id @param {() => Partial<Seen>} facts */
function change(tab, id, facts) {
  const seen = tab.open.get(id);
  if (seen) Object.assign(seen, facts());
}

/** @param {Tab} tab @param {string} id @param {Partial<Seen>} facts */
function end(tab, id, facts) {
  change(tab, id, () => facts);
  tab.open.delete(id);
}

// ---- what is seen -------------------------------------------------------------------------------------------------

let isSeeing = false;

/** Time from which on requests are seen, epoch ms. */
let since = Infinity;
/** News of the requests of a tab. @type {KeyedSignal<number, []>} */
const news = new KeyedSignal();

/** Listeners by event: the same ones are taken away again. */
const listeners = new Map(EVENTS.map(([name]) => [name, (/** @type {Details[Name]} */ details) => {
  if (details.tabId < 0 || !SCHEME.test(details.url)) return;
  NOTES[name](tabOf(details.tabId), /** @type {never} */ (details));
  news.emit(details.tabId);
  if (name !== "onSendHeaders") storeSoon(details.tabId);
}]));

/** The event of a name; each has a type of its own. @param {Name} name */
const eventOf = (name) =>
  /** @type {{addListener: (...rest: unknown[]) => void, removeListener: (heard: unknown) => void}} */ (
    /** @type {unknown} */ (chrome.webRequest[name]));

function see() {
  if (isSeeing) return;
  isSeeing = true;
  since = Date.now();
  for (const [name, extra, types] of EVENTS) {
    eventOf(name).addListener(listeners.get(name), { urls: ["<all_urls>"], ...(types && { types }) }, ...(extra ? [extra] : []));
  }
}

/** Forgets everything when nobody is left who could ask. */
async function look() {
  await ready;
  if (isAnyClientAttached()) return;
  if (isSeeing) for (const [name] of EVENTS) eventOf(name).removeListener(listeners.get(name));
  isSeeing = false;
  since = Infinity;
  tabs.clear();
  if (Object.keys(stored.get()).length) await stored.set({});
}

onClientCame(async () => {
  // What an earlier worker has seen is known before anything is added to it.
  await ready;
  if (isAnyClientAttached()) see();
});
releaseForAbsent(RETURN_MS, look);

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId, documentLifecycle = "active" }) => {
  const tab = tabs.get(tabId);
  if (frameId !== 0 || documentLifecycle === "prerender" || !tab) return;
  // A page that comes from the cache of pages, or is empty, has no request of its own.
  const first = tab.navigation ? tab.list.findIndex(({ id }) => id === tab.navigation?.id) : tab.list.length;
  tab.list.splice(0, Math.max(0, first));
  tab.dropped = 0;
  tab.navigation = null;
  storeSoon(tabId);
});

onTabClosed((tabId) => void tabs.delete(tabId));
onTabReplaced((removed, added) => {
  const tab = tabs.get(removed);
  if (tab) tabs.set(added, tab);
  tabs.delete(removed);
});

// ---- the next worker ----------------------------------------------------------------------------------------------

/** Tabs that are written soon. @type {Set<number>} */
const changed = new Set();
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;

/** @param {number} tabId */
function storeSoon(tabId) {
  changed.add(tabId);
  timer ??= setTimeout(() => void store(), STORE_MS);
}

async function store() {
  timer = undefined;
  const used = new Set(usedTabs());
  const writing = [...changed].filter((tabId) => used.has(tabId));
  changed.clear();
  await write(writing);
}

/** @param {number[]} writing */
async function write(writing) {
  await ready;
  const known = stored.get();
  const there = writing.filter((tabId) => tabs.has(tabId));
  if (!there.length) return;
  for (const tabId of there) {
    const { next, dropped, list } = /** @type {Tab} */ (tabs.get(tabId));
    const rest = Math.max(0, list.length - MAX_STORED);
    known[tabId] = { next, dropped: dropped + rest, list: list.slice(rest).map(({ sent: _, received: __, ...seen }) => seen) };
  }
  await stored.save().catch(() => {});
}

/**
 * Requests of a tab since its navigation.
 * @typedef {object} SeenRequests
 * @property {readonly Seen[]} list
 * @property {number} dropped older ones, to make room
 * @property {number} since requests are seen, epoch ms
 * @property {(facts: Omit<Seen, "n">) => Seen} add
 * @property {() => Promise<void>} keep the numbers that were told are known to the next worker
 * @property {(check: () => boolean, limit: number) => Promise<unknown>} until a check holds, at news, or a time is over
 */

/** @param {number} tabId @returns {Promise<SeenRequests>} */
export async function seenIn(tabId) {
  await ready;
  const tab = tabOf(tabId);
  return {
    list: tab.list, dropped: tab.dropped, since, add: (facts) => add(tab, facts), keep: () => write([tabId]),
    until: (check, limit) => until(tabId, check, limit),
  };
}

/** @param {number} tabId @param {() => boolean} check @param {number} limit ms */
async function until(tabId, check, limit) {
  if (check()) return;
  const { promise, resolve } = Promise.withResolvers();
  const stop = news.add(tabId, () => void (check() && resolve(null)));
  await within(promise, limit);
  stop();
}
