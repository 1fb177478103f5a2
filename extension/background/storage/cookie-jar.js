/*
 * The cookies of the browser. `chrome.cookies` answers a set with whatever cookie of that name it finds first, and its
 * remove takes every cookie of a name along; here a cookie is one of name, domain, path and partition, and what happened
 * is read back.
 */
import { invalid } from "../base/errors.js";
import { objection } from "../rules/addresses.js";

/** @typedef {chrome.cookies.Cookie} Cookie */
/** @typedef {chrome.cookies.SameSiteStatus} SameSite */
/** @typedef {Parameters<typeof chrome.cookies.set>[0]} Details */
/**
 * @typedef {{url?: string, name?: string, domain?: string, domain_filter?: string, path?: string, partition_key?: string}} Filter
 */

/** @type {Record<string, SameSite>} */
const SAME_SITE = { Strict: "strict", Lax: "lax", None: "no_restriction" };
const SAME_SITE_NAMES = { strict: "Strict", lax: "Lax", no_restriction: "None", unspecified: "unspecified" };
/** A time that has passed. */
const LONG_AGO_S = 1;
const BATCH = 100;
const OTHER_SITE = "it belongs to another site than the origin, or to one that is not allowed";
const MAX_BYTES = 4096;

/** @template {object} T @param {T} object @returns {T} without the members that are undefined */
const defined = (object) =>
  /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)));

/**
 * A domain as Chrome compares it: lower case, punycode, without the dot.
 * @param {string} domain
 */
export function bareDomain(domain) {
  const text = domain.trim().replace(/^\./, "");
  const url = URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`) : null;
  if (!url?.hostname || url.pathname !== "/" || url.port || url.username) {
    throw invalid(`"${domain.slice(0, 200)}" is not a domain; give one such as example.com`);
  }
  return url.hostname;
}

/** @param {string} written @returns {{topLevelSite: string}} */
function partitionOf(written) {
  const text = /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`;
  if (!URL.canParse(text))
    throw invalid(`partition_key "${written.slice(0, 200)}" is not a site; give one such as https://example.com`);
  return { topLevelSite: new URL(text).origin };
}

/**
 * The cookies a filter describes, partitioned ones among them.
 * @param {Filter} filter domain: exactly this one; domain_filter: it and its subdomains
 * @param {string|undefined} storeId
 * @returns {Promise<Cookie[]>} longest path first
 */
export async function findCookies({ url, name, domain, domain_filter, path, partition_key }, storeId) {
  const exact = domain === undefined ? undefined : bareDomain(domain);
  const area = domain_filter === undefined ? exact : bareDomain(domain_filter);
  const partitionKey = partition_key === undefined ? {} : partitionOf(partition_key);
  const found = await chrome.cookies.getAll(defined({ url, name, domain: area, path, storeId, partitionKey }));
  return exact === undefined ? found : found.filter((cookie) => bare(cookie.domain) === exact);
}

const bare = (/** @type {string} */ domain) => domain.replace(/^\./, "");

/** Identity of a cookie: cookies that differ in any of these parts are different ones. @param {Cookie} cookie */
const identity = ({ name, domain, path, partitionKey }) =>
  JSON.stringify([name, domain, path, partitionKey?.topLevelSite, partitionKey?.hasCrossSiteAncestor]);

/**
 * A cookie as replies tell it.
 * @param {Cookie} cookie
 */
export function toEntry(cookie) {
  const { name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expirationDate, partitionKey } = cookie;
  return {
    name, value, domain, host_only: hostOnly, path, secure, http_only: httpOnly, same_site: SAME_SITE_NAMES[sameSite] ?? sameSite,
    ...(expirationDate === undefined ? { session: true } : { expires: Math.round(expirationDate) }),
    ...(partitionKey ? { partition_key: partitionKey.topLevelSite } : {}),
  };
}

/**
 * Description of a cookie without its value.
 * @param {Cookie} cookie
 */
export function toName({ name, domain, path, partitionKey }) {
  return { name, domain, path, ...(partitionKey ? { partition_key: partitionKey.topLevelSite } : {}) };
}

/**
 * Sets a cookie as the tool describes it.
 * @param {import("../base/protocol-types").StorageCookiesParams} params
 * @param {string} url
 * @param {string|undefined} storeId
 * @returns {Promise<{before: Cookie|null, now: Cookie|null}>} as they were read, before and afterwards
 */
export async function setCookie(params, url, storeId) {
  /** @type {Details} */
  const details = defined({
    url, storeId, name: params.name, value: params.value, path: params.path, secure: params.secure, httpOnly: params.http_only,
    domain: params.domain === undefined ? undefined : bareDomain(params.domain),
    sameSite: SAME_SITE[params.same_site ?? ""],
    expirationDate: params.expires,
    partitionKey: params.partition_key === undefined ? undefined : partitionOf(params.partition_key),
  });
  const before = await current(details);
  try {
    await chrome.cookies.set(details);
  } catch (error) {
    throw await refusal(details, error);
  }
  const now = await current(details);
  const isMeantToLast = details.expirationDate === undefined || details.expirationDate * 1000 > Date.now();
  if (!now && isMeantToLast) throw await refusal(details);
  return { before, now };
}

/** The cookie that `details` would set or replace. @param {Details} details */
async function current({ url, name, domain, path, partitionKey, storeId }) {
  const host = domain ?? new URL(url).hostname;
  const found = await chrome.cookies.getAll(defined({ name, domain: host, path, storeId, partitionKey: partitionKey ?? {} }));
  const same = found.filter((cookie) => bare(cookie.domain) === host && Boolean(cookie.partitionKey) === Boolean(partitionKey));
  // A domain that is an address or a public name stands for its host alone.
  return same.find(({ hostOnly }) => hostOnly === (domain === undefined)) ?? (domain === undefined ? null : same[0] ?? null);
}

const isLoopback = (/** @type {string} */ host) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** @typedef {(details: Details, host: string, isHttp: boolean) => boolean|undefined} Test */
/** @typedef {(details: Details, host: string) => string} Reason */

/** Reasons why Chrome drops a cookie: [test, reason]. The first match wins. */
const REASONS =
  /** @type {Array<[Test, Reason]>} */ ([
    [
      ({ name = "", value = "" }) => /[\0-\x1f\x7f;]/.test(name + value) || name.includes("="),
      () => "a name holds no = and neither name nor value holds ; or control characters: encode them",
    ],
    [({ name, value }) => !name && !value, () => "a cookie needs a name or a value"],
    [
      ({ name = "", value = "" }) => new TextEncoder().encode(name + value).length > MAX_BYTES,
      () => `name and value may have ${MAX_BYTES} bytes together: store less`,
    ],
    [
      ({ domain }, host) => domain !== undefined && host !== domain && !host.endsWith(`.${domain}`),
      ({ domain }, host) =>
        `the domain ${domain} does not cover the host ${host} of url: give an url of that domain, or leave one of the two out`,
    ],
    [
      ({ secure }, host, isHttp) => secure && isHttp && !isLoopback(host),
      (_, host) => `a secure cookie cannot come from an http address: give url https://${host}/`,
    ],
    [
      ({ domain }) => domain !== undefined,
      ({ domain }) => `${domain} may be a public suffix, for which no site can set cookies: give the domain of one site`,
    ],
  ]);

/** @param {Details} details @param {Error} [error] */
async function refusal(details, error) {
  const { hostname, protocol } = new URL(details.url);
  const isHttp = protocol === "http:";
  const known = REASONS.find(([test]) => test(details, hostname, isHttp));
  const rival =
    isHttp &&
    (await chrome.cookies.getAll(defined({ name: details.name, domain: hostname, storeId: details.storeId }))).some(
      ({ secure }) => secure,
    );
  const reason = known ? known[1](details, hostname)
    : rival ? `a secure cookie of this name exists and http may not replace it: give url https://${hostname}/`
    : `${error?.message ?? "the cookie is not there afterwards"} (the user may block cookies of this site)`;
  return invalid(`Chrome refused the cookie ${JSON.stringify(details.name)}; ${reason}`);
}

/**
 * Deletes these cookies and no others.
 * @param {Cookie[]} cookies
 * @param {AbortSignal} signal
 * @returns {Promise<{deleted: Cookie[], left: Cookie[]}>} as they were read afterwards
 */
export async function deleteCookies(cookies, signal) {
  for (let at = 0; at < cookies.length; at += BATCH) {
    signal.throwIfAborted();
    await Promise.all(cookies.slice(at, at + BATCH).map(expire));
  }
  const left = await present(cookies);
  for (const cookie of left) await removeByName(cookie);
  const stubborn = left.length ? new Set((await present(left)).map(identity)) : new Set();
  const isLeft = (/** @type {Cookie} */ cookie) => stubborn.has(identity(cookie));
  return { deleted: cookies.filter((cookie) => !isLeft(cookie)), left: cookies.filter(isLeft) };
}

/** Set with a time that has passed, a cookie goes away and those of its name at other paths stay. @param {Cookie} cookie */
async function expire(cookie) {
  await chrome.cookies.set(detailsOf({ ...cookie, value: "", expirationDate: LONG_AGO_S })).catch(() => {});
}

/** @param {Cookie} cookie */
async function removeByName({ name, domain, path, storeId, partitionKey }) {
  for (const scheme of ["https", "http"]) {
    await chrome.cookies
      .remove(defined({ url: `${scheme}://${bare(domain)}${path}`, name, storeId, partitionKey }))
      .catch(() => {});
  }
}

/** @param {Cookie[]} cookies @returns {Promise<Cookie[]>} those that exist */
async function present(cookies) {
  if (!cookies.length) return [];
  const all = await chrome.cookies.getAll({ storeId: cookies[0].storeId, partitionKey: {} });
  const there = new Set(all.map(identity));
  return cookies.filter((cookie) => there.has(identity(cookie)));
}

/** Details that set this very cookie again. @param {Omit<Cookie, "storeId"> & {storeId?: string}} cookie */
function detailsOf({ name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expirationDate, partitionKey, storeId }) {
  return defined({
    url: `https://${bare(domain)}/`, name, value, path, secure, httpOnly, sameSite, expirationDate, partitionKey, storeId,
    domain: hostOnly ? undefined : bare(domain),
  });
}

/**
 * Every cookie that may be sent to an origin, whatever its path and partition.
 * @param {URL} origin
 * @param {string|undefined} storeId
 * @returns {Promise<Cookie[]>}
 */
export async function cookiesFor({ hostname, protocol }, storeId) {
  const all = await chrome.cookies.getAll(defined({ storeId, partitionKey: {} }));
  const takesSecure = protocol === "https:" || isLoopback(hostname);
  return all.filter((cookie) => (takesSecure || !cookie.secure) && isFor(hostname, cookie) && isAllowed(cookie, "read"));
}

/**
 * Whether a cookie may be read or changed: by its own site, which may lie above the one that it was found for.
 * @param {Pick<Cookie, "domain"|"secure">} cookie @param {import("../rules/addresses.js").Need} need
 */
export const isAllowed = ({ domain, secure }, need) => !objection(`${secure ? "https" : "http"}://${bareDomain(domain)}/`, need);

/** Whether a site would be sent a cookie. @param {string} hostname @param {Cookie} cookie */
const isFor = (hostname, { domain, hostOnly }) =>
  hostname === bare(domain) || (!hostOnly && hostname.endsWith(`.${bare(domain)}`));

/**
 * Sets saved cookies again.
 * @param {string} hostname of the origin they were saved for
 * @param {Cookie[]} cookies as `cookiesFor` gave them
 * @param {string|undefined} storeId where to
 * @param {AbortSignal} signal
 * @returns {Promise<{restored: number, expired: number, failed: Array<ReturnType<typeof toName> & {cause: string}>}>} restored:
 * read back; failed: which and why
 */
export async function restoreCookies(hostname, cookies, storeId, signal) {
  const now = Date.now() / 1000;
  const live = cookies.filter(({ expirationDate }) => expirationDate === undefined || expirationDate > now);
  const ours = live.filter((cookie) => isFor(hostname, cookie) && isAllowed(cookie, "act"));
  const causes = new Map(live.filter((cookie) => !ours.includes(cookie)).map((cookie) => [identity(cookie), OTHER_SITE]));
  for (let at = 0; at < ours.length; at += BATCH) {
    signal.throwIfAborted();
    await Promise.all(ours.slice(at, at + BATCH).map((cookie) =>
      chrome.cookies.set(detailsOf({ ...cookie, storeId })).catch((error) => causes.set(identity(cookie), error.message))));
  }
  const there = new Map(
    (await chrome.cookies.getAll(defined({ storeId, partitionKey: {} }))).map((cookie) => [identity(cookie), cookie.value]),
  );
  const failed = live.filter((cookie) => !ours.includes(cookie) || there.get(identity(cookie)) !== cookie.value)
    .map((cookie) => ({ ...toName(cookie), cause: causes.get(identity(cookie)) ?? "the browser does not keep it" }));
  return { restored: live.length - failed.length, expired: cookies.length - live.length, failed };
}
