/** Storage: cookies, local and session storage, and the steps of saved logins. */
import { toUrl } from "../base/address.js";
import { bareDomain, deleteCookies, findCookies, isAllowed, setCookie, toEntry, toName } from "../storage/cookie-jar.js";
import { invalid, said, TabwireError, unsupported } from "../base/errors.js";
import * as page from "../page/content-calls.js";
import { assertScriptable } from "../rules/site-pattern.js";
import { WHOLE_BROWSER } from "../rules/site-rules.js";
import { collect, restore, storeOf } from "../storage/site-state.js";
import { currentTab, resolveTab, withDocument } from "../tabs/targets.js";
import { unobserved } from "../rules/call-parts.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../../types").Reached} Reached */
/** @typedef {import("../base/protocol-types").CookieAnswer} CookieAnswer */
/** @typedef {chrome.cookies.Cookie} Cookie */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {Params<"storage.cookies">} CookieParams */
/** @typedef {{url?: string, storeId?: string}} Place  where cookies are looked for */

/** Largest list of cookies, in characters; of more cookies only the number is told. */
const LIST_CHARS = 100_000;
const MAX_NAMED = 100;
const DAY_S = 86_400;

/** Cookies have web addresses only. @param {string} url @param {string} whose */
function webAddress(url, whose) {
  if (/^https?:/.test(url)) return url;
  throw invalid(`${whose} is ${url.slice(0, 200) || "empty"}, which has no cookies; give url with an http or https address`);
}

/**
 * The address and the cookie store a call means. Without an address of its own it is about the page of the client's tab.
 * @param {CookieParams} params
 * @param {CallContext} call
 * @param {boolean} takesAnySite whether the call may do without an address
 * @returns {Promise<Place>}
 */
async function placeOf(params, call, takesAnySite) {
  const url = params.url === undefined ? undefined : webAddress(toUrl(params.url), "url");
  if (url !== undefined || takesAnySite) return { url, storeId: await storeOf(await tabInUse(call)) };
  const tab = await resolveTab({}, call.client, { act: true });
  return { url: webAddress(tab.url || tab.pendingUrl || "", `the address of tab ${tab.id}`), storeId: await storeOf(tab) };
}

/** @param {CallContext} call @returns {Promise<chrome.tabs.Tab|undefined>} what other tools would work in, if there is any */
async function tabInUse({ client }) {
  const own = currentTab(client);
  if (own !== null) return chrome.tabs.get(own).catch(() => undefined);
  const [active] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return active;
}

const namesSite = (/** @type {CookieParams} */ { domain, domain_filter }) => domain !== undefined || domain_filter !== undefined;

/** @param {CookieParams} params @param {CallContext} call */
async function find(params, call, takesAnySite = namesSite(params)) {
  const place = await placeOf(params, call, takesAnySite);
  const found = await findCookies({ ...params, url: place.url }, place.storeId);
  const need = READING.includes(params.action) ? "read" : "act";
  const cookies = found.filter((cookie) => isAllowed(cookie, need));
  return { ...place, cookies, barred: cookies.length < found.length ? { barred: found.length - cookies.length } : {} };
}

const READING = ["get", "get_all"];

/**
 * A call is about one site, about all below a domain (each cookie's own site counts, too), or about the whole browser.
 * @param {CookieParams} params
 * @param {CallContext} call
 * @returns {Promise<Reached[]>}
 */
async function cookieSites(params, call) {
  /** @type {Reached["effect"]} */
  const effect = READING.includes(params.action) ? "read" : "act";
  const domain = params.domain ?? params.domain_filter;
  if (domain !== undefined && params.url === undefined) {
    return [{ address: `https://${bareDomain(domain)}/`, effect, isWider: true }];
  }
  const { url } = await placeOf(params, call, params.action === "clear");
  const above = params.action === "set" && domain !== undefined ? [{ address: `https://${bareDomain(domain)}/`, effect, isBeside: true }] : [];
  return [{ address: url ?? WHOLE_BROWSER, effect, isWider: url === undefined || domain !== undefined }, ...above];
}

/** @param {CookieParams} params @param {CallContext} call @returns {Promise<CookieAnswer>} */
async function get(params, call) {
  const { url, cookies, barred } = await find(params, call);
  // Cookies without a partition, which a page of the site itself gets, come first.
  const [first, ...others] = [...cookies].sort((a, b) => Number(Boolean(a.partitionKey)) - Number(Boolean(b.partitionKey)));
  const more = others.length ? { others: others.map(toEntry) } : {};
  return { ...about(url), cookie: first ? toEntry(first) : null, ...more, ...barred };
}

/** @param {CookieParams} params @param {CallContext} call @returns {Promise<CookieAnswer>} */
async function getAll(params, call) {
  const { url, cookies, barred } = await find(params, call);
  let room = LIST_CHARS;
  const shown = cookies.map(toEntry).filter((entry) => (room -= JSON.stringify(entry).length) >= 0);
  const left = cookies.length - shown.length;
  const note = `${left} of ${cookies.length} cookies are left out for their size; ask by name, or for a narrower domain`;
  return { ...about(url), cookies: shown, count: cookies.length, ...barred, ...(left ? { left_out: left, note } : {}) };
}

const about = (/** @type {string|undefined} */ url) => (url ? { url } : {});

/** @param {CookieParams} params @param {CallContext} call @returns {Promise<CookieAnswer>} */
async function set(params, call) {
  const { domain } = params;
  const given = params.url === undefined && domain !== undefined
    ? { ...params, url: `https://${domain.replace(/^\./, "")}/` } : params;
  const { url, storeId } = await placeOf(given, call, false);
  const { before, now } = await setCookie(params, /** @type {string} */ (url), storeId);
  if (!now) return { url, deleted: before !== null, note: "expires lies in the past, so there is no such cookie now" };
  return { url, cookie: toEntry(now), replaced: before !== null, ...remark(params, now) };
}

/** Notes what the browser, or the page, has changed in the cookie. @param {CookieParams} params @param {Cookie} now */
function remark({ value, expires }, now) {
  if (now.value !== value) return { note: "the page has changed the value since" };
  if (expires !== undefined && expires - (now.expirationDate ?? expires) > DAY_S) {
    return { note: "browsers keep a cookie for 400 days at most: expires is earlier than asked for" };
  }
  return {};
}

/** @param {CookieParams} params @param {CallContext} call @returns {Promise<CookieAnswer>} */
async function remove(params, call) {
  const { url, cookies, barred } = await find(params, call);
  const { deleted, left } = await deleteCookies(cookies, call.signal);
  const note = cookies.length ? {} : { note: noneNote(params, url) };
  return { ...about(url), deleted: deleted.map(toName), ...leftOver(left), ...barred, ...note };
}

const noneNote = (/** @type {CookieParams} */ { name }, /** @type {string|undefined} */ url) =>
  `there is no cookie ${JSON.stringify(name)}${url ? ` for ${url}` : ""}; get_all with domain_filter lists those of a site`;

/** @param {CookieParams} params @param {CallContext} call @returns {Promise<CookieAnswer>} */
async function clear(params, call) {
  const { url, cookies, barred } = await find(params, call, true);
  assertOneSite(params, cookies);
  const { deleted, left } = await deleteCookies(cookies, call.signal);
  const named = Array.from(Map.groupBy(deleted, ({ domain }) => domain), ([domain, { length }]) => [domain, length]);
  const counts = Object.fromEntries(named.slice(0, MAX_NAMED));
  return { ...about(url), deleted: deleted.length, domains: counts, ...leftOver(left), ...barred,
    ...(named.length > MAX_NAMED ? { note: `${named.length - MAX_NAMED} more domains are not named` } : {}) };
}

/** Refuses a domain_filter such as "com", which fits many sites. @param {CookieParams} params @param {Cookie[]} cookies */
function assertOneSite({ domain_filter }, cookies) {
  if (domain_filter === undefined || !cookies.length) return;
  const site = bareDomain(domain_filter);
  if (site.includes(".") || cookies.some(({ domain }) => bareDomain(domain) === site)) return;
  throw invalid(`${site} is not a site: ${cookies.length} cookies of many sites would be deleted; `
    + `give domain_filter a domain such as example.${site}`);
}

const LEFT_NOTE = "the browser kept these, or their sites have set them again";
const leftOver = (/** @type {Cookie[]} */ left) =>
  (left.length ? { left: left.slice(0, MAX_NAMED).map(toName), left_note: LEFT_NOTE } : {});

const COOKIE_ACTIONS = { get, get_all: getAll, set, delete: remove, clear };

/** @param {CookieParams} params @param {CallContext} call */
const cookies = async (params, call) => ({ value: await COOKIE_ACTIONS[params.action](params, call) });

/** @param {Params<"storage.items">} params @param {TabCall} call */
async function items(params, call) {
  call.target.aim(await withDocument(call.tab, call.signal));
  assertScriptable(call.tab);
  const { frameId, ...wanted } = params;
  // The effects of an act do not matter here, and a dialog must end the wait.
  const value = await page.call(call.tab.id, { frameId }, "storage.items", wanted, unobserved(call))
    .catch(async (error) => { throw frameId ? await inFrame(error, call.tab.id, frameId) : error; });
  return { value };
}

/**
 * Says what is wrong with the frame, not with the tab, and which frames there are.
 * @param {TabwireError} error @param {number} tabId @param {number} frameId
 */
async function inFrame(error, tabId, frameId) {
  if (error.code === "restricted_page") {
    return unsupported(
      `frame ${frameId} has no storage that can be reached: its address is not one of a web site; choose another frameId`);
  }
  if (error.code !== "no_such_frame") return error;
  const frames = await chrome.webNavigation.getAllFrames({ tabId }) ?? [];
  const named = frames.slice(0, MAX_NAMED).map((frame) => `${frame.frameId} ${frame.url.slice(0, 100)}`);
  return new TabwireError("no_such_frame", `tab ${tabId} has no frame ${frameId}; its frames: ${said(named.join(", "))}`);
}

const ITEM_CHANGES = ["set", "remove", "clear"];

/** @param {Params<"storage.items">} params @param {TabCall} call */
const itemActs = ({ action }, call) => (ITEM_CHANGES.includes(action) ? [call.tab.id] : []);

/** @param {"read"|"act"} effect @returns {(params: {origin?: string}, call: TabCall) => Reached[]} */
const reachesAs = (effect) => ({ origin }, { tab }) => [{ address: origin ?? tab.url ?? "", effect }];

/** @type {import("../../types").Handlers<"storage">} */
export const handlers = {
  "storage.cookies": Object.assign(cookies, { reaches: cookieSites }),
  "storage.items": Object.assign(items, { acts: itemActs, hears: true }),
  "storage.collect": Object.assign(collect, { reaches: reachesAs("read") }),
  "storage.restore": Object.assign(restore, { reaches: reachesAs("act") }),
};
