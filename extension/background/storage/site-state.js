/*
 * State that an origin keeps in the browser, collected and put back: its cookies, its local storage, and the session storage it
 * has in one tab.
 */
import { originOf, webOriginOf } from "../base/url.js";
import { cookiesFor, restoreCookies } from "./cookie-jar.js";
import { invalid, noSuchTab, said, toTabwireError, unsupported } from "../base/errors.js";
import { callInOrigin } from "./origin-frame.js";
import * as page from "../page/content-calls.js";
import { unobserved } from "../rules/call-parts.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/protocol-types").SavedFailure} Failure */
/** @typedef {import("./origin-frame.js").Stored} Stored */

/** Number of open tabs that are asked before a document is loaded for the purpose. */
const MAX_ASKED = 3;
/** Cookies that are named when they cannot be restored. */
const MAX_FAILURES = 50;
const CHANGED_AT_ONCE = "the page changed these entries at once; close its tab or load again";
/** The storages of a site, and how a document is found that reaches them. */
const STORAGES = /** @type {const} */ ([
  { type: "local", what: "local_storage", ask: inOrigin }, { type: "session", what: "session_storage", ask: inTab },
]);

/**
 * The cookie store of a tab; undefined is that of ordinary windows.
 * @param {chrome.tabs.Tab | null | undefined} tab
 * @returns {Promise<string|undefined>}
 */
export async function storeOf(tab) {
  if (!tab?.incognito) return undefined;
  const stores = await chrome.cookies.getAllCookieStores();
  const store = stores.find(({ tabIds }) => tabIds.includes(/** @type {number} */ (tab.id)));
  if (!store) throw noSuchTab("the incognito window of this tab is gone; call tab_list");
  return store.id;
}

/**
 * @param {string|undefined} wanted
 * @param {chrome.tabs.Tab} tab
 * @returns {URL} an origin that can keep something
 */
function requireSite(wanted, tab) {
  const text = wanted ?? tab.url ?? "";
  const origin = webOriginOf(text);
  if (origin) return new URL(origin);
  throw invalid(
    `tab ${tab.id} shows ${text ? said(text.slice(0, 200)) : "nothing"}, which is no web site; give origins, or open the site ` +
    `in the tab`,
  );
}

/**
 * @param {{origin?: string, local: boolean, session: boolean}} wanted
 * @param {CallContext} call
 * @returns {Promise<import("../base/protocol-types").Result<"storage.collect">>} raw cookies; the storages as JSON text; what
 * could not be had and why
 */
export async function collect({ origin: written, local, session }, call) {
  const tab = /** @type {chrome.tabs.Tab} */ (call.tab);
  const site = requireSite(written, tab);
  const cookies = await cookiesFor(site, await storeOf(tab));
  /** @type {Failure[]} */
  const failed = [];
  const given = { local: local && {}, session: session && {} };
  const read = await inStorages(site.origin, "storage.read", given, failed, call);
  const texts = Object.fromEntries(read.map(({ type, answer }) => [type, answer.json]));
  return { tabId: /** @type {number} */ (tab.id), origin: site.origin, cookies, failed, ...texts };
}

/**
 * @param {{origin: string, cookies: chrome.cookies.Cookie[], local?: string, session?: string}} saved
 * @param {CallContext} call
 */
export async function restore({ origin: written, cookies, local, session }, call) {
  const tab = /** @type {chrome.tabs.Tab} */ (call.tab);
  const { origin } = requireSite(written, tab);
  const jar = await restoreCookies(new URL(origin).hostname, cookies, await storeOf(tab), call.signal);
  /** @type {Failure[]} */
  const failed = jar.failed.slice(0, MAX_FAILURES).map((failure) => ({ what: "cookie", ...failure }));
  const more = jar.failed.length - failed.length;
  if (more) failed.push({ what: "cookie", missing: more, cause: "more cookies were refused, like these" });
  const given = { local: local !== undefined && { json: local }, session: session !== undefined && { json: session } };
  const done = await inStorages(origin, "storage.restore", given, failed, call);
  for (const { what, answer: { missing, cause = CHANGED_AT_ONCE } } of done) if (missing) failed.push({ what, missing, cause });
  return {
    expired: jar.expired,
    restored: { cookies: jar.restored, ...Object.fromEntries(done.map(({ what, answer }) => [what, answer.restored])) },
    failed,
    reload: (await tabsOf(origin, tab)).map(({ id, url = "" }) => ({ tabId: id, url })),
  };
}

/**
 * Calls a storage function for the storages that something is given for.
 * @param {string} origin @param {string} name @param {{local: object|false, session: object|false}} given arguments
 * @param {Failure[]} failed @param {CallContext} call
 * @returns {Promise<Array<{type: "local"|"session", what: string, answer: Stored}>>} those that have answered
 */
async function inStorages(origin, name, given, failed, call) {
  const answers = await Promise.all(STORAGES.map(({ type, what, ask }) =>
    given[type] && orFailure(what, failed, ask(origin, name, { type, ...given[type] }, call))));
  return STORAGES.flatMap(({ type, what }, at) => (answers[at] ? [{ type, what, answer: answers[at] }] : []));
}

/**
 * Notes the failure of one part, so that the others go on.
 * @param {string} what @param {Failure[]} failed @param {Promise<Stored>} work
 */
async function orFailure(what, failed, work) {
  try {
    return await work;
  } catch (error) {
    failed.push({ what, cause: toTabwireError(error).message });
    return undefined;
  }
}

/**
 * The open tabs that show an origin to the same profile, the given one first.
 * @param {string} origin
 * @param {chrome.tabs.Tab} tab
 */
async function tabsOf(origin, { id, incognito }) {
  const tabs = /** @type {import("../../types").OpenTab[]} */ (await chrome.tabs.query({}));
  const same = tabs.filter((other) => originOf(other.url) === origin && other.incognito === incognito);
  return same.sort((a, b) => Number(b.id === id) - Number(a.id === id));
}

/** Reads and writes here must not outlast a dialog: what is observed around an act does not matter. @param {CallContext} call */
const plainly = (call) => unobserved(call);

/**
 * Local storage is the same wherever its origin is the top of a tab.
 * @param {string} origin @param {string} name @param {object} args @param {CallContext} call @returns {Promise<Stored>}
 */
async function inOrigin(origin, name, args, call) {
  const open = (await tabsOf(origin, /** @type {chrome.tabs.Tab} */ (call.tab)))
    .filter(({ discarded }) => !discarded)
    .slice(0, MAX_ASKED);
  for (const { id } of open) {
    const answer = await page.call(/** @type {number} */ (id), { frameId: 0 }, name, args, plainly(call)).catch(() => null);
    // A document may be sandboxed by its server, or have been left since.
    if (answer?.origin === origin) return answer;
  }
  call.signal.throwIfAborted();
  if (call.tab?.incognito)
    throw unsupported(`no incognito tab shows ${said(origin)}; open it in one and try again`);
  return callInOrigin(origin, name, args, call);
}

/**
 * Calls a storage function in the tab itself: session storage belongs to one tab.
 * @param {string} origin @param {string} name @param {object} args @param {CallContext} call @returns {Promise<Stored>}
 */
async function inTab(origin, name, args, call) {
  const { id, url } = /** @type {chrome.tabs.Tab} */ (call.tab);
  if (originOf(url) !== origin) {
    throw unsupported(
      `session storage belongs to one tab, and tab ${id} does not show ${said(origin)}; open it there and try again`,
    );
  }
  const answer = await page.call(/** @type {number} */ (id), { frameId: 0 }, name, args, plainly(call));
  if (answer.origin === origin) return answer;
  throw unsupported(`tab ${id} has left ${said(origin)}; open it there and try again`);
}
