/*
 * Requests of tabs since their navigation, as Chrome tells extensions of them: no debugger, nothing to prepare. They are seen
 * while a client is connected, kept in memory within bounds, and forgotten with their tab. What outlives the worker is their list
 * without headers, of tabs that clients use. Chrome tells neither cookies nor passwords where nobody asks for them.
 */
import { isAnyClientAttached, onClientCame, releaseForAbsent } from "../base/clients.js";
import { within } from "../base/deadline.js";
import { KeyedSignal } from "../base/signal.js";
import { persistedByTab, ready } from "../base/state.js";
import { onTabReplaced, TabMap } from "../base/tabs.js";
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
 * @property {boolean} [unstarted] `started` is when it ended
 * @property {boolean} [untold] Chrome has not told of it: only the page's own timing knows it
 */
/** @typedef {{next: number, list: Seen[], dropped: number}} Kept */
/**
 * open: by Chrome's id; navigation: one under way; document: the one that the tab shows
 * @typedef {Kept & {open: Map<string, Seen>, navigation: Seen|null, document?: string}} Tab
 */

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

/** The tab whose requests came last is the last one. @type {TabMap<Tab>} */
const tabs = new TabMap();
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

/** Notes of facts; they return a step that has ended. @type {{[N in Name]: (tab: Tab, details: Details[N]) => Seen|void}} */
const NOTES = {
  onBeforeRequest(tab, details) {
    const seen = begin(tab, details);
    if (seen.type === "main_frame") tab.navigation = tab.navigation?.id === seen.id ? tab.navigation : seen;
  },
  onSendHeaders: (tab, { requestId, requestHeaders }) => change(tab, requestId, () => ({ sent: toHeaders(requestHeaders) })),
  onBeforeRedirect: (tab, details) =>
    end(tab, details, { ...answerOf(details), redirect_to: details.redirectUrl.slice(0, MAX_ADDRESS) }),
  onResponseStarted: (tab, details) =>
    change(tab, details.requestId, () => ({ answered: details.timeStamp, ...answerOf(details) })),
  onCompleted: (tab, details) => end(tab, details, answerOf(details)),
  onErrorOccurred(tab, details) {
    // The document stays.
    if (tab.navigation?.id === details.requestId) tab.navigation = null;
    return end(tab, details, { error: details.error });
  },
};

/** @param {Details["onResponseStarted"|"onCompleted"|"onBeforeRedirect"]} details @returns {Partial<Seen>} */
function answerOf({ statusCode, fromCache, responseHeaders }) {
  if (!responseHeaders) return { status: statusCode, ...(fromCache && { cached: true }) };
  const received = toHeaders(responseHeaders);
  const [size, type] = [headerOf(received, "content-length"), headerOf(received, "content-type")];
  return {
    status: statusCode, received, ...(fromCache && { cached: true }),
    ...(size && /^\d+$/.test(size) && { size: Number(size) }), ...(type && { mime_type: type.split(";")[0].trim() }),
  };
}

/** Types that are seen from their beginning, with headers. */
const SCRIPTED = ["main_frame", "sub_frame", "xmlhttprequest", "ping", "websocket"];
const { ResourceType } = /** @type {{ResourceType: Record<string, string>}} */ (/** @type {unknown} */ (chrome.webRequest));
/**
 * The other types, of which pages have many: one event each, at the end. Their beginning the page has measured itself. Chrome
 * says which there are: it refuses a listener for a type that it does not know.
 */
const STATIC = Object.values(ResourceType).filter((type) => !SCRIPTED.includes(type));
/** @type {[name: Name, types: string[], extra?: string[]][]} */
const EVENTS = [
  ["onBeforeRequest", SCRIPTED], ["onSendHeaders", SCRIPTED, ["requestHeaders"]],
  ["onResponseStarted", SCRIPTED, ["responseHeaders"]], ["onCompleted", SCRIPTED],
  ["onBeforeRedirect", [...SCRIPTED, ...STATIC], ["responseHeaders"]], ["onErrorOccurred", [...SCRIPTED, ...STATIC]],
  ["onCompleted", STATIC],
];

/** @param {Tab} tab @param {string} id @param {() => Partial<Seen>} facts */
function change(tab, id, facts) {
  const seen = tab.open.get(id);
  if (seen) Object.assign(seen, facts());
}

/** @param {Tab} tab @param {Details["onBeforeRequest"|"onCompleted"|"onBeforeRedirect"|"onErrorOccurred"]} details */
function begin(tab, { requestId, url, method, type, timeStamp, frameId, initiator }) {
  const seen = add(tab, {
    id: requestId, url: url.slice(0, MAX_ADDRESS), method, type, started: timeStamp, frame: frameId,
    ...(initiator && { initiator }),
  });
  tab.open.set(requestId, seen);
  return seen;
}

/**
 * Ends a step. One whose beginning was not seen has begun at an unknown time before.
 * @param {Tab} tab @param {Details["onCompleted"|"onBeforeRedirect"|"onErrorOccurred"]} details @param {Partial<Seen>} facts
 */
function end(tab, details, facts) {
  const seen = tab.open.get(details.requestId) ?? Object.assign(begin(tab, details), { unstarted: true });
  Object.assign(seen, facts, { ended: details.timeStamp });
  tab.open.delete(details.requestId);
  return seen;
}

/**
 * Ended steps of a tab whose requests are followed; asked: when somebody last did, epoch ms.
 * @typedef {{last: number, list: Array<{n: number, seen: Seen}>, asked: number}} Followed
 */
/** @type {TabMap<Followed>} */
const followed = new TabMap();
/** Nobody follows any more who has not asked for so long. */
const FOLLOWED_MS = 60_000;

/** @param {number} tabId @param {Seen} seen */
function noteEnded(tabId, seen) {
  const log = followed.get(tabId);
  if (!log) return;
  if (Date.now() - log.asked > FOLLOWED_MS) return void followed.delete(tabId);
  log.last += 1;
  log.list.push({ n: log.last, seen: { ...seen } });
  if (log.list.length > MAX_PER_TAB) log.list.shift();
  news.emit(tabId);
}

/** Ended steps of a tab from now on, or from when they were first asked for. @param {number} tabId */
export async function endedIn(tabId) {
  await ready;
  const log = followed.get(tabId) ?? { last: 1, list: [], asked: 0 };
  log.asked = Date.now();
  followed.set(tabId, log);
  return log;
}

/** Calls a listener at news of the requests of a tab. @param {number} tabId @param {() => void} listener */
export const onRequests = (tabId, listener) => news.add(tabId, listener);

let isSeeing = false;

/** Time from which on requests are seen, epoch ms. */
let since = Infinity;
/** News of the requests of a tab. @type {KeyedSignal<number, []>} */
const news = new KeyedSignal();

/** Whether a request ends late, which the page before has sent. @param {Tab} tab @param {Details[Name]} details */
const isOfPageBefore = ({ document }, { frameId, type, documentId }) =>
  frameId === 0 && type !== "main_frame" && document !== undefined && documentId !== undefined && documentId !== document;

/** Listeners in the order of the events: the same ones are taken away again. */
const listeners = EVENTS.map(([name]) => (/** @type {Details[Name]} */ details) => {
  if (details.tabId < 0 || !SCHEME.test(details.url)) return;
  const tab = tabOf(details.tabId);
  const isLate = isOfPageBefore(tab, details);
  // The list is of the page now; who follows the requests is told of those of the page before too.
  const noted = isLate ? { ...tab, list: [] } : tab;
  const ended = NOTES[name](noted, /** @type {never} */ (details));
  tab.next = noted.next;
  if (ended) noteEnded(details.tabId, ended);
  if (isLate) return;
  news.emit(details.tabId);
  if (name !== "onSendHeaders") storeSoon(details.tabId);
});

/** The event of a name; each has a type of its own. @param {Name} name */
const eventOf = (name) =>
  /** @type {{addListener: (...rest: unknown[]) => void, removeListener: (heard: unknown) => void}} */ (
    /** @type {unknown} */ (chrome.webRequest[name]));

function see() {
  if (isSeeing) return;
  isSeeing = true;
  since = Date.now();
  EVENTS.forEach(([name, types, extra], at) =>
    eventOf(name).addListener(listeners[at], { urls: ["<all_urls>"], types }, ...(extra ? [extra] : [])));
}

/** Forgets everything when nobody is left who could ask. */
async function look() {
  await ready;
  if (isAnyClientAttached()) return;
  if (isSeeing) EVENTS.forEach(([name], at) => eventOf(name).removeListener(listeners[at]));
  isSeeing = false;
  since = Infinity;
  tabs.clear();
  followed.clear();
  if (Object.keys(stored.get()).length) await stored.set({});
}

onClientCame(async () => {
  // What an earlier worker has seen is known before anything is added to it.
  await ready;
  if (isAnyClientAttached()) see();
});
releaseForAbsent(RETURN_MS, look);

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId, documentId, documentLifecycle = "active" }) => {
  const tab = tabs.get(tabId);
  if (frameId !== 0 || documentLifecycle === "prerender" || !tab) return;
  // A page that comes from the cache of pages, or is empty, has no request of its own. The others are of the page before.
  const own = tab.list.filter(({ id }) => id === tab.navigation?.id);
  tab.list.splice(0, tab.list.length, ...own);
  Object.assign(tab, { dropped: 0, navigation: null, document: documentId });
  storeSoon(tabId);
});

onTabReplaced((removed, added) => {
  const tab = tabs.get(removed);
  if (tab) tabs.set(added, tab);
  tabs.delete(removed);
});

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
