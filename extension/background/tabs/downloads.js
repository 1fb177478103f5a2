/*
 * Downloads and the tabs that asked for them, so that one that began, or ended, before somebody waits for it is known.
 *
 * Chrome does not say which tab a download comes from. A navigation that became a download tells it; for the others (the
 * download attribute, blob: and data: addresses) the referrer does, among the tabs where acts were last.
 */
import { forgetActsIn, latestActs } from "../base/acts.js";
import { urlPattern } from "../base/address.js";
import { ifInTime, unlessAborted } from "../base/deadline.js";
import { Signal } from "../base/signal.js";
import { onTabClosed } from "../base/tabs.js";
import { NO_ORIGIN, originOf, withoutFragment } from "../base/url.js";
import { leaveOut } from "../rules/addresses.js";
import { notPermitted, said, TabwireError } from "../base/errors.js";
import { persistedEntries, ready } from "../base/state.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {chrome.downloads.DownloadItem} Item */
/**
 * @typedef {object} Noted
 * @property {number} id         Chrome's
 * @property {number} at         when it began, epoch milliseconds
 * @property {number[]} tabs     the tab that asked for it, the one that had opened that tab, and so on; empty when unknown
 * @property {string|null} client  whose act was the latest there
 * @property {number} act        when that act began; `at` when none is known
 * @property {string[]} told     clients a wait has told of it
 * @property {string[]} warned   clients that know that a person must decide about it
 */
/** @typedef {{tabId: number, client: string, began: number, matches: (url: string) => boolean, isNamed: boolean}} Question */
/** @typedef {{noted: Noted, item: Item}} Known */

const KEEP_MS = 3_600_000;
const KEEP_COUNT = 100;
/** Downloads of earlier acts count for so long. */
const RECENT_MS = 60_000;
const MAX_ENDED = 20;
const MAX_OTHERS = 5;
const MAX_URL = 500;
/** Time for Chrome to choose a name, as an act has for a file that it sets off. */
const NAME_LIMIT_MS = 500;

const fileNameOf = (/** @type {Pick<Item, "filename">} */ { filename }) => filename.split(/[/\\]/).pop() ?? "";

/** Chrome's danger types of files that nobody has to decide about. */
const HARMLESS = new Set([
  "safe",
  "accepted",
  "allowlistedByPolicy",
  "asyncScanning",
  "asyncLocalPasswordScanning",
  "deepScannedSafe",
  "deepScannedOpenedDangerous",
]);

/** @type {ReturnType<typeof persistedEntries<Noted>>} */
const stored = persistedEntries("download:");
/** Navigations that ended without a page, the latest last. @type {{tabId: number, url: string}[]} */
const ended = [];
/** Tab → the tab it was opened from. @type {Map<number, number>} */
const openers = new Map();
/** A download begins or changes, or a tab is gone. @type {Signal<[]>} */
const changed = new Signal();
/** Tabs in which a call waits for a download, by the signal of the wait. @type {Map<AbortSignal, number>} */
const waits = new Map();

chrome.webNavigation.onErrorOccurred.addListener(({ tabId, url }) => {
  ended.push({ tabId, url });
  if (ended.length > MAX_ENDED) ended.shift();
});
chrome.tabs.onCreated.addListener(({ id, openerTabId }) => {
  if (id !== undefined && openerTabId !== undefined) openers.set(id, openerTabId);
});
onTabClosed((tabId) => {
  forgetActsIn(tabId);
  changed.emit();
});
chrome.downloads.onCreated.addListener((item) => void note(item).then(() => changed.emit()));
chrome.downloads.onChanged.addListener(() => void changed.emit());

/**
 * Adds the names that Chrome chooses for files after it has begun to load them, where it has soon.
 * @param {Array<{id: number, filename?: string}>} downloads brought up to date
 */
export async function nameFiles(downloads) {
  await Promise.all(downloads.map(async (download) => {
    const item = await ifInTime(named(download.id), NAME_LIMIT_MS);
    if (item) Object.assign(download, { filename: fileNameOf(item), path: item.filename });
  }));
}

/** @param {number} id @returns {Promise<Item|undefined>} none where it has ended without one */
async function named(id) {
  for (;;) {
    /** @type {PromiseWithResolvers<void>} */
    const { promise, resolve } = Promise.withResolvers();
    const stop = changed.add(resolve);
    const [item] = await chrome.downloads.search({ id });
    if (!item?.filename && item?.state === "in_progress") await promise;
    stop();
    if (item?.filename || item?.state !== "in_progress") return item;
  }
}

/** @param {Item} item */
async function note(item) {
  const tabs = family(await tabOf(item));
  await ready;
  const at = Date.parse(item.startTime) || Date.now();
  const act = latestActs().find(({ tabId }) => tabs.includes(tabId));
  prune();
  const noted = { id: item.id, at, tabs, client: act?.client ?? null, act: act?.at ?? at, told: [], warned: [] };
  await stored.set(String(item.id), noted).catch(() => {});
}

function prune() {
  const entries = stored.entries();
  const names = entries
    .filter(([, { at }], index) => at < Date.now() - KEEP_MS || index < entries.length - KEEP_COUNT)
    .map(([name]) => name);
  if (names.length) stored.remove(names).catch(() => {});
}

/** @param {number|null} tabId @returns {number[]} the tab and those it comes from */
function family(tabId) {
  /** @type {number[]} */
  const tabs = [];
  for (let at = tabId ?? undefined; at !== undefined && !tabs.includes(at); at = openers.get(at)) tabs.push(at);
  return tabs;
}

/** @param {Item} item @returns {Promise<number|null>} */
async function tabOf({ url, finalUrl, referrer }) {
  const index = ended.findLastIndex((navigation) => navigation.url === finalUrl || navigation.url === url);
  if (index >= 0) return ended.splice(index, 1)[0].tabId;
  const near = [...new Set([...latestActs().map(({ tabId }) => tabId), ...waits.values()])];
  const source = referrer || (url.startsWith("blob:") ? url.slice("blob:".length) : "");
  if (!source) return near[0] ?? null;
  const shown = await Promise.all(near.map(async (tabId) => ({ tabId, urls: await frameUrls(tabId) })));
  const others = await chrome.tabs.query({});
  const all = [
    ...shown,
    ...others.flatMap(({ id, url: shownUrl = "" }) =>
      id === undefined || near.includes(id) ? [] : { tabId: id, urls: [shownUrl] },
    ),
  ];
  const origin = originOf(source);
  /** @type {Array<(found: string) => boolean>} */
  const isSource = [
    (found) => withoutFragment(found) === withoutFragment(source),
    (found) => origin !== NO_ORIGIN && originOf(found) === origin,
  ];
  for (const test of isSource) {
    const found = all.find(({ urls }) => urls.some(test));
    if (found) return found.tabId;
  }
  return null;
}

/** @param {number} tabId */
async function frameUrls(tabId) {
  const frames = await chrome.webNavigation.getAllFrames({ tabId }).catch(() => null);
  return (frames ?? []).map(({ url }) => url);
}

/**
 * Waits until a download of this tab is complete; one that this client's last act here began, or that came shortly before,
 * counts once.
 * @param {{url?: string}} params
 * @param {TabCall} call
 * @param {{seen: () => string|Promise<string>}} wait
 */
export async function untilDownload({ url }, call, wait) {
  await ready;
  const tabId = call.tab.id;
  const matches = url === undefined ? () => true : urlPattern(url, { partly: true });
  const question = { tabId, client: call.client.id, began: Date.now(), matches, isNamed: url !== undefined };
  wait.seen = () => progressOf(question);
  waits.set(call.signal, tabId);
  try {
    for (;;) {
      const change = nextChange(call.signal);
      change.catch(() => {});
      const wanted = await candidates(question);
      const settled = wanted.find((known) => isSettled(known, question));
      if (settled) return await tell(settled, wanted, question);
      await change;
    }
  } finally {
    waits.delete(call.signal);
  }
}

/** @param {AbortSignal} signal @returns {Promise<unknown>} */
function nextChange(signal) {
  const { promise, resolve } = Promise.withResolvers();
  return unlessAborted(promise, signal).finally(changed.add(() => resolve(null)));
}

/** @param {Question} question @returns {Promise<Known[]>} what is known of all downloads of the tab, the earliest first */
async function downloadsOf({ tabId, isNamed, matches }) {
  // Named by its address, one that has no tab (any more) is meant, too.
  const open = isNamed ? new Set((await chrome.tabs.query({})).map(({ id }) => id)) : null;
  const isHere = (/** @type {Noted} */ { tabs }) => tabs.includes(tabId) || (open && !tabs.some((id) => open.has(id)));
  const here = stored.entries().map(([, noted]) => noted).filter(isHere);
  const found = await Promise.all(
    here.map(async (noted) => ({ noted, item: (await chrome.downloads.search({ id: noted.id }))[0] })),
  );
  const there = found.filter(({ item }) => item && [item.url, item.finalUrl, fileNameOf(item)].some(matches));
  return leaveOut(there, ({ item }) => [item.url, item.finalUrl || item.url, item.referrer ?? ""]).kept;
}

/** @param {Question} question @returns {Promise<Known[]>} what the question may mean, the earliest first */
async function candidates(question) {
  const { tabId, client, began, isNamed } = question;
  const mine = (await downloadsOf(question)).filter(
    ({ noted }) => noted.at >= began || noted.client === null || noted.client === client,
  );
  const lastAct =
    latestActs().find((act) => act.tabId === tabId && act.client === client)?.at ??
    Math.max(...mine.map(({ noted }) => noted.act));
  const isOfLastAct = (/** @type {Known} */ { noted }) => noted.act >= lastAct || noted.at >= began;
  const isNews = (/** @type {Known} */ { noted }) => !noted.told.includes(client);
  const isRecent = (/** @type {Known} */ { noted, item }) => noted.at > began - RECENT_MS || item.state === "in_progress";
  const news = mine.filter(isNews);
  const latest = news.filter(isOfLastAct);
  // A client that already knows the downloads of its last act asks for earlier ones.
  const isOpen = isNamed || (!latest.length && mine.some((known) => isOfLastAct(known) && !isNews(known)));
  return isOpen ? news.filter((known) => isOfLastAct(known) || isRecent(known)) : latest;
}

const isHeldBack = (/** @type {Item} */ { danger, state }) => state === "in_progress" && !HARMLESS.has(danger);

/** @param {Known} known @param {Question} question */
const isSettled = ({ item, noted }, { client }) =>
  item.state !== "in_progress" || (isHeldBack(item) && !noted.warned.includes(client));

/** @param {Known} settled @param {Known[]} wanted @param {Question} question */
async function tell({ noted, item }, wanted, { client }) {
  const isWarning = item.state === "in_progress";
  const list = isWarning ? "warned" : "told";
  await stored.set(String(noted.id), { ...noted, [list]: [...noted[list], client] }).catch(() => {});
  if (isWarning) throw heldBack(item);
  if (item.state === "interrupted") throw interrupted(item);
  const others = wanted.filter(({ item: { id } }) => id !== item.id).slice(0, MAX_OTHERS).map((known) => factsOf(known.item));
  return { waited_for: "download", ...factsOf(item), ...(others.length ? { others } : {}) };
}

const short = (/** @type {string} */ url) => (url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url);

/** @param {Item} item */
function factsOf(item) {
  return {
    ...(item.state === "complete" ? { path: item.filename } : {}),
    url: short(item.finalUrl || item.url),
    size: item.fileSize >= 0 ? item.fileSize : item.bytesReceived,
    mime: item.mime,
    state: item.state,
    danger: item.danger,
    ...(item.exists === false && item.state === "complete" ? { deleted: true } : {}),
  };
}

const nameOf = (/** @type {Item} */ item) => fileNameOf(item) || short(item.finalUrl || item.url);
const amountOf = (/** @type {Item} */ { bytesReceived, totalBytes }) =>
  totalBytes > 0 ? `${bytesReceived} of ${totalBytes} bytes` : `${bytesReceived} bytes`;

/** @param {Item} item */
function heldBack(item) {
  return notPermitted(
    `Chrome holds ${said(short(item.finalUrl || item.url))} back (danger: ${item.danger}): a person must keep or discard it ` +
    `in the browser's ` +
      "list of downloads; wait again to wait for that",
    { download: factsOf(item) },
  );
}

/** @param {Item} item */
function interrupted(item) {
  const isOwn = /^USER_/.test(item.error ?? "");
  const what = isOwn ? "was cancelled in the browser" : `failed (${item.error})`;
  const next = isOwn ? "ask before you begin it again" : "repeat the act that began it";
  return new TabwireError(
    isOwn ? "permission_denied" : "navigation_failed",
    `the download ${said(nameOf(item))} ${what} after ${amountOf(item)}; ${next}`,
    { download: { ...factsOf(item), error: item.error } },
  );
}

/** @param {Question} question */
async function progressOf(question) {
  const wanted = await candidates(question);
  if (wanted.length) return wanted.map(({ item }) => stateOf(item)).join("; ");
  const all = await downloadsOf({ ...question, matches: () => true });
  const told = all.filter(({ noted }) => noted.told.includes(question.client)).slice(-MAX_OTHERS);
  const missed = all.filter(({ noted }) => !noted.told.includes(question.client)).slice(-MAX_OTHERS);
  const facts = [
    "none has begun since the last act in this tab",
    ...(told.length ? [`already told: ${said(told.map(({ item }) => item.filename || nameOf(item)).join(", "))}`] : []),
    ...(missed.length
      ? [`others of this tab: ${said(missed.map(({ item }) => short(item.finalUrl || item.url)).join(", "))}`]
      : []),
  ];
  return facts.join("; ");
}

/** @param {Item} item */
function stateOf(item) {
  const where = isHeldBack(item)
    ? ", held back until a person keeps it"
    : item.paused
      ? ", paused"
      : !item.filename
        ? ", it may be asking a person where to save it"
        : "";
  return `${said(nameOf(item))} has ${amountOf(item)}${where}`;
}
