/*
 * Sites of addresses, patterns that stand for sites, the sites that are never touched, and the pages in which Chrome lets no
 * extension work. Pure: no browser API.
 */
import { said, TabwireError } from "../base/errors.js";
import {
  CREDENTIAL_HOSTS, LINK_LOCAL, LOOPBACK, OLD_STORE, OWN_ADDRESSES, SCHEMES, STORES, THIS_COMPUTER,
} from "../base/known-addresses.js";
import { EXTENSION_ID } from "../base/protocol.js";

/** Site of an address that does not say whose page it is: about:blank, data:, a blob of an opaque origin. */
export const UNKNOWN_SITE = "null";
/** Site of all files of the computer. */
export const FILES = "file://";
/** Site of the extension's pages. */
const OWN_SITE = `chrome-extension://${EXTENSION_ID}`;
const OWN_PAGE = "one of Tabwire's own pages, which are for the user";

const WEB = new Set(["http:", "https:", "ws:", "wss:"]);
const SECURE = /** @type {Record<string, string>} */ ({ "ws:": "http:", "wss:": "https:" });
/** Longest forms of what has an IPv4 address in its last 32 bits: mapped, compatible, NAT64, 6to4 comes first. */
const EMBEDDED_V4 = /^(?:::ffff:|::|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/;
const LABELS = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * A host as rules compare it: lower case, punycode, no dot at its end, an IPv6 address that means an IPv4 one as that.
 * @param {string} hostname as URL gives it: an IPv4 address in any notation is dotted there
 * @returns {string}
 */
function plainHost(hostname) {
  const host = hostname.toLowerCase().replace(/\.+$/, "");
  if (!host.startsWith("[")) return host;
  const embedded = EMBEDDED_V4.exec(host.slice(1, -1));
  if (!embedded) return host;
  const [high, low] = embedded.slice(1).map((part) => parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** A host as rules compare it: all addresses of this computer are one. @param {string} hostname as URL gives it */
function ruledHost(hostname) {
  const host = plainHost(hostname);
  return OWN_ADDRESSES.test(host) ? THIS_COMPUTER : host;
}

/** Sites of addresses that were asked for: each call asks for the same few several times. @type {Map<string, string>} */
const sites = new Map();
const MAX_SITES = 200;
const MAX_KEPT_ADDRESS = 2_000;

/**
 * The site of an address: its origin; for pages without one their scheme, as in `file://`; UNKNOWN_SITE where the address
 * does not say.
 * @param {string} address
 * @returns {string}
 */
export function siteOfAddress(address) {
  const known = sites.get(address);
  if (known !== undefined) return known;
  const site = parsedSite(address);
  if (sites.size >= MAX_SITES) sites.clear();
  if (address.length <= MAX_KEPT_ADDRESS) sites.set(address, site);
  return site;
}

/** @param {string} address @returns {string} */
function parsedSite(address) {
  if (!URL.canParse(address)) return UNKNOWN_SITE;
  const url = new URL(address);
  if (WEB.has(url.protocol)) return siteOfUrl(url);
  if (url.protocol === "blob:" || url.protocol === "filesystem:") return siteOfAddress(url.pathname);
  if (url.protocol === "view-source:") return `view-source:${siteOfAddress(address.slice("view-source:".length))}`;
  if (["about:", "data:", "javascript:"].includes(url.protocol)) return UNKNOWN_SITE;
  return url.protocol === "file:" ? FILES : `${url.protocol}//${url.host}`;
}

/** @param {URL} url @returns {string} */
function siteOfUrl({ protocol, hostname, port }) {
  const scheme = SECURE[protocol] ?? protocol;
  return `${scheme}//${plainHost(hostname)}${port ? `:${port}` : ""}`;
}

/**
 * Whether an address is that of a file in a folder, or below it. Dots are resolved by URL; what else stands for a separator or an
 * end is no part of a name.
 * @param {string} address
 * @param {string} folder an absolute path, with / or \\ between its parts
 * @returns {boolean}
 */
export function isFileBelow(address, folder) {
  if (!folder || !URL.canParse(address)) return false;
  const { protocol, host, pathname } = new URL(address);
  if (protocol !== "file:" || host || /%(2f|5c|00)/i.test(pathname)) return false;
  const plain = folder.replaceAll("\\", "/").replace(/\/+$/, "");
  const top = plain.startsWith("/") ? plain : `/${plain}`;
  try {
    const path = decodeURIComponent(pathname);
    return plain === "" || path === top || path.startsWith(`${top}/`);
  } catch {
    return false;
  }
}

/**
 * @typedef {object} Pattern
 * @property {string} text how it is kept and shown
 * @property {string} key the same for all patterns that stand for the same sites
 * @property {number} weight the more specific, the more
 * @property {(site: string) => boolean} matches
 */

/** @param {string} host @returns {string|null} */
function normalHost(host) {
  if (!URL.canParse(`http://${host}/`)) return null;
  const url = new URL(`http://${host}/`);
  return url.username || url.port || url.pathname !== "/" || url.search || url.hash ? null : plainHost(url.hostname);
}

/**
 * Whether a host is that of a pattern. Names below localhost lead to this computer, too.
 * @param {string} host @param {string} of
 */
const isHostOf = (host, of) => host === of || (of === THIS_COMPUTER && host.endsWith(`.${THIS_COMPUTER}`));

/** A name below localhost is more specific than this computer. @param {string} host */
const nameWeight = (host) => Number(host !== THIS_COMPUTER);

const labels = (/** @type {string} */ host) => (/^[\d.]+$|^\[/.test(host) ? 1 : host.split(".").length);
const portOf = (/** @type {URL} */ { protocol, port }) =>
  port || (protocol === "https:" ? "443" : protocol === "http:" ? "80" : "");

/** @param {(url: URL) => boolean} test @returns {(site: string) => boolean} */
const onWeb = (test) => (site) => /^https?:/.test(site) && URL.canParse(site) && test(new URL(site));

/** `*` alone stands for every site. @param {string} host @returns {Pattern|null} */
function below(host) {
  if (!host || !LABELS.test(normalHost(host) ?? "")) return null;
  const parent = /** @type {string} */ (normalHost(host));
  return {
    text: `*.${parent}`, key: `*.${parent}`, weight: labels(parent) * 10 + 1,
    matches: onWeb(({ hostname }) => plainHost(hostname).endsWith(`.${parent}`)),
  };
}

/** @param {string} text @returns {Pattern|null} */
function exactOrigin(text) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.pathname !== "/" || url.search || url.hash) return null;
  const { protocol, port } = url;
  const host = ruledHost(url.hostname);
  return {
    text: siteOfUrl(url), key: `${protocol}//${host}${port ? `:${port}` : ""}`, weight: 10_000 + nameWeight(host),
    matches: onWeb((other) => other.protocol === protocol && other.port === port && isHostOf(ruledHost(other.hostname), host)),
  };
}

/** @param {string} text @returns {Pattern|null} */
function hostWithPort(text) {
  const found = /^(.+):(\d{1,5})$/.exec(text);
  const name = found && normalHost(found[1]);
  if (!found || !name) return null;
  const port = String(Number(found[2]));
  if (port === "0" || Number(port) > 65_535) return null;
  const host = ruledHost(name);
  return {
    text: `${name}:${port}`,
    key: `${host}:${port}`,
    weight: 5_000 + nameWeight(host),
    matches: onWeb((url) => isHostOf(ruledHost(url.hostname), host) && portOf(url) === port),
  };
}

/** @param {string} text @returns {Pattern|null} */
function hostAndBelow(text) {
  const own = normalHost(text);
  if (!own) return null;
  const host = ruledHost(own);
  const isBelow = (/** @type {string} */ name) =>
    name === host || (labels(host) > 0 && LABELS.test(host) && name.endsWith(`.${host}`));
  return { text: own, key: host, weight: labels(host) * 10, matches: onWeb(({ hostname }) => isBelow(ruledHost(hostname))) };
}

/**
 * Reads a pattern: `example.com` (with its subdomains), `*.corp` (what lies below it), `https://example.com:8443` (that origin),
 * `localhost:8000` (that host and port), `file://` (local files), `*` (every site without another rule).
 * @param {string} written
 * @returns {Pattern|null} null when it is none
 */
export function sitePattern(written) {
  const text = written.trim().toLowerCase();
  if (text === "*") return { text, key: text, weight: 0, matches: () => true };
  if (/^file:(\/\/\/?)?$/.test(text)) return { text: FILES, key: FILES, weight: 10_000, matches: (site) => site === FILES };
  if (/[\s/@?#]/.test(text.replace(/^https?:\/\//, "").replace(/\/$/, ""))) return null;
  if (/^https?:\/\//.test(text)) return exactOrigin(text);
  if (text.startsWith("*.")) return below(text.slice(2));
  if (text.includes("*") || text.includes("://") || text.endsWith("/")) return null;
  return /[^\]:]:\d+$|\]:\d+$/.test(text) ? hostWithPort(text) : hostAndBelow(text);
}

/**
 * A site in words for people and models: its host, with a port that is not the usual one.
 * @param {string} site
 * @returns {string}
 */
export function siteName(site) {
  if (site === FILES) return "local files";
  if (site === UNKNOWN_SITE) return "a page without an address";
  return /^https?:/.test(site) && URL.canParse(site) ? new URL(site).host : site;
}

/**
 * The list for people to read: what is never touched, and by what it is known.
 * @returns {Array<{what: string, sites: string[]}>}
 */
export function neverListed() {
  /** @type {Map<string, string[]>} */
  const listed = new Map();
  for (const [scheme, { access, what }] of Object.entries(SCHEMES))
    if (access === "barred" || access === "shown") listed.set(what, [...(listed.get(what) ?? []), scheme]);
  listed.set("the extension store", [...STORES, OLD_STORE.join("")]);
  listed.set("an address where machines in a cloud get their credentials", [...CREDENTIAL_HOSTS, "169.254.*", "[fe80::…]"]);
  listed.set("a port of Tabwire's own bridges", ["its port on this computer"]);
  return [...listed].map(([what, sites]) => ({ what, sites }));
}

/**
 * Description of a site that is never allowed; null for any other site.
 * @param {string} site as siteOfAddress gives it
 * @param {{ports?: Iterable<number>, address?: string}} [own] ports: of this computer's bridges; address: an address of the
 *   site, where more of it counts than the origin
 * @returns {{what: string, isShown: boolean}|null} isShown: the user may be shown it
 */
export function neverAllowed(site, { ports = [], address = "" } = {}) {
  const scheme = site.slice(0, site.indexOf(":") + 1);
  const { access, what = "" } = SCHEMES[scheme] ?? {};
  if (site === OWN_SITE) return { what: OWN_PAGE, isShown: false };
  if (access === "barred" || access === "shown") return { what, isShown: access === "shown" };
  if (access !== "web" || !URL.canParse(site)) return null;
  const url = new URL(site);
  const host = plainHost(url.hostname);
  if (STORES.includes(host) || (host === OLD_STORE[0] && isBelow(address, OLD_STORE[1])))
    return { what: "the extension store", isShown: true };
  if (CREDENTIAL_HOSTS.includes(host) || LINK_LOCAL.test(host))
    return { what: "an address where machines in a cloud get their credentials", isShown: false };
  const port = Number(url.port || (scheme === "https:" ? 443 : 80));
  if (LOOPBACK.test(host) && [...ports].includes(port)) return { what: "a port of Tabwire's own bridges", isShown: false };
  return null;
}

/** @param {string} address @param {string} path */
const isBelow = (address, path) => URL.canParse(address) && `${new URL(address).pathname}/`.startsWith(`${path}/`);

/**
 * @param {string} url
 * @returns {string | null} what kind of page this is when extensions cannot work in it
 */
export function restriction(url) {
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url);
    if (protocol === "https:" && (hostname === STORES[0] || (hostname === OLD_STORE[0] && isBelow(url, OLD_STORE[1]))))
      return "the extension store";
  }
  if (siteOfAddress(url) === OWN_SITE) return OWN_PAGE;
  return SCHEMES[url.slice(0, url.indexOf(":") + 1)]?.what || null;
}

/**
 * Throws restricted_page when extensions cannot read or change the page of this tab.
 * @param {chrome.tabs.Tab} tab
 */
export function assertScriptable(tab) {
  const url = tab.url || tab.pendingUrl || "";
  const kind = restriction(url);
  if (!kind) return;
  throw new TabwireError("restricted_page",
    `tab ${tab.id} shows ${said(url.slice(0, 200))}, ${kind}: extensions cannot work there; ` +
    "call navigate with an http or https address, or open a tab with tab_new", { url: url.slice(0, 2000) });
}
