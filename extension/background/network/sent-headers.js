/*
 * Headers that fetch does not let a worker send (Cookie, Origin, Referer, User-Agent …): rules for one request, known by
 * the mark in its address, that are gone when it has been answered.
 */
import { invalid } from "../base/errors.js";
import { RuleIds, setHeaders } from "./session-rules.js";

const ids = new RuleIds(17_900_000);

/** The connection's own business: another value would break the request, or be replaced without a word. */
const REFUSED =
  /^(connection|content-length|host|keep-alive|te|trailer|transfer-encoding|upgrade|expect|http2-settings|proxy-.+)$/i;
/** Headers that fetch drops without a word, and those it would add to. */
const BY_RULE =
  /^(accept-charset|accept-encoding|access-control-.+|cookie2?|date|dnt|origin|referer|sec-.+|set-cookie|user-agent|via)$/i;
/** Whether a header is for the host of the address alone. @param {string} name */
export const isRuled = (name) => BY_RULE.test(name);
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** @typedef {{url: URL, mark: string, tab: chrome.tabs.Tab, headers?: Record<string, unknown>, method: string}} Sending */
/** @typedef {chrome.declarativeNetRequest.ModifyHeaderInfo} HeaderRule */
/** @typedef {chrome.cookies.CookiePartitionKey} PartitionKey */

/**
 * Runs `send` with the headers of the page and of the caller in force.
 * @template T
 * @param {Sending} sending
 * @param {(headers: Record<string, string>) => Promise<T>} send  takes those that fetch sends itself
 * @returns {Promise<T>}
 */
export async function withRequestHeaders(sending, send) {
  const { own, ruled } = sorted(sending.headers ?? {});
  await ids.cleaned;
  const jar = await jarOf(sending.tab);
  const choosesCookies = ruled.some(({ header }) => /^cookie$/i.test(header));
  const cookies = choosesCookies ? [] : await partitionedCookies(sending.url, jar);
  const rules = [
    ruleFor(sending, [...fromPage(sending, jar), ...cookies], 1, null),
    ruleFor(sending, ruled, 2, sending.url.hostname),
  ].filter((rule) => rule !== null);
  const remove = await setHeaders(rules);
  try {
    return await send(own);
  } finally {
    if (jar) await bringHome(sending.url, jar).catch(() => {});
    void remove().catch(() => {});
  }
}

/** @param {Record<string, unknown>} headers */
function sorted(headers) {
  // A plain object keeps the case of the names, which some servers look at.
  /** @type {Record<string, string>} */
  const own = {};
  /** @type {HeaderRule[]} */
  const ruled = [];
  for (const [name, given] of Object.entries(headers)) {
    if (REFUSED.test(name)) throw invalid(`header ${name} is set by the connection and cannot be chosen; drop it`);
    const value = [given].flat().join(", ");
    try {
      new Headers([[name, value]]);
    } catch {
      throw invalid(`"${name}: ${value.slice(0, 100)}" is no header; check its characters`);
    }
    if (BY_RULE.test(name)) ruled.push({ header: name, operation: "set", value });
    else own[name] = value;
  }
  return { own, ruled };
}

/**
 * @param {Sending} sending @param {HeaderRule[]} requestHeaders @param {number} priority @param {string|null} host
 * @returns {chrome.declarativeNetRequest.Rule|null}
 */
function ruleFor({ mark }, requestHeaders, priority, host) {
  if (!requestHeaders.length) return null;
  const id = ids.take();
  const condition = { tabIds: [chrome.tabs.TAB_ID_NONE], initiatorDomains: [chrome.runtime.id], urlFilter: `#${mark}|` };
  // Headers of the caller may hold a password: a redirection to another host does not take them along.
  const scope = host === null ? {} : { requestDomains: [host.replace(/^\[|\]$/g, "")] };
  return { id, priority, action: { type: "modifyHeaders", requestHeaders }, condition: { ...condition, ...scope } };
}

/**
 * Header rules that make a request look like the page's own: servers that check where a request comes from refuse an extension's.
 * @param {Sending} sending @param {PartitionKey|undefined} jar @returns {HeaderRule[]}
 */
function fromPage({ url, tab, method }, jar) {
  const page = tab.url && /^https?:/.test(tab.url) ? new URL(tab.url) : null;
  /** @type {(header: string, value: string) => HeaderRule} */
  const set = (header, value) => ({ header, operation: "set", value });
  if (!page) return [{ header: "Origin", operation: "remove" }];
  const isSame = page.origin === url.origin;
  const needsOrigin = !isSame || !SAFE_METHODS.has(method);
  return [
    needsOrigin ? set("Origin", page.origin) : { header: "Origin", operation: "remove" },
    ...(page.protocol === "https:" && url.protocol === "http:"
      ? []
      : [set("Referer", isSame ? withoutSecrets(page) : `${page.origin}/`)]),
    set("Sec-Fetch-Site", isSame ? "same-origin" : isSameSite(url, jar) ? "same-site" : "cross-site"),
  ];
}

/** @param {URL} page */
function withoutSecrets(page) {
  const { origin, pathname, search } = page;
  return origin + pathname + search;
}

/**
 * @param {chrome.tabs.Tab} tab
 * @returns {Promise<PartitionKey|undefined>} undefined where the page has none, or Chrome is too old to tell
 */
async function jarOf(tab) {
  try {
    const { partitionKey } = await chrome.cookies.getPartitionKey({ tabId: tab.id, frameId: 0 });
    return partitionKey;
  } catch {
    return undefined;
  }
}

/** @param {URL} url @param {PartitionKey|undefined} jar */
function isSameSite(url, jar) {
  const site = jar?.topLevelSite ? new URL(jar.topLevelSite) : null;
  return (
    site !== null &&
    site.protocol === url.protocol &&
    (url.hostname === site.hostname || url.hostname.endsWith(`.${site.hostname}`))
  );
}

/**
 * Cookies that belong to the page's own jar (CHIPS): Chrome gives an extension the common one only.
 * @param {URL} url @param {PartitionKey|undefined} partitionKey @returns {Promise<HeaderRule[]>}
 */
async function partitionedCookies(url, partitionKey) {
  if (!partitionKey) return [];
  const cookies = await chrome.cookies.getAll({ url: url.href, partitionKey });
  const own = cookies.filter((cookie) => cookie.partitionKey).map(({ name, value }) => `${name}=${value}`);
  return own.length ? [{ header: "Cookie", operation: "append", value: own.join("; ") }] : [];
}

/**
 * Partitioned cookies of the answer are in the extension's jar: they belong into the page's.
 * @param {URL} url @param {PartitionKey} partitionKey
 */
async function bringHome(url, partitionKey) {
  const strayKey = { topLevelSite: location.origin, hasCrossSiteAncestor: true };
  const strays = await chrome.cookies.getAll({ url: url.href, partitionKey: strayKey });
  for (const cookie of strays.filter(({ partitionKey: key }) => key?.topLevelSite?.startsWith("chrome-extension:"))) {
    const { hostOnly, session, domain, partitionKey: from, ...kept } = cookie;
    const address = `${url.protocol}//${domain.replace(/^\./, "")}${cookie.path}`;
    await chrome.cookies.set({ ...kept, url: address, partitionKey, ...(hostOnly ? {} : { domain }) });
    await chrome.cookies.remove({ url: address, name: cookie.name, partitionKey: from });
  }
}
