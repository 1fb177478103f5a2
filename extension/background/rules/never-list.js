/*
 * Sites where nothing is ever read or done, whatever the user or a configuration allows. Data, and a test of a site.
 */
import { plainHost } from "./site-pattern.js";

/** Scheme → what its pages are. Chrome keeps extensions out of most of them; here they are no addresses to go to either. */
const SCHEMES = /** @type {Record<string, string>} */ ({
  "chrome-extension:": "a page of an extension",
  "chrome-search:": "a page of the browser itself",
  "chrome-untrusted:": "a page of the browser itself",
  "devtools:": "the developer tools",
  "isolated-app:": "an installed application",
  "view-source:": "a source view",
});
/** These may be shown to the user, but never be looked into or worked in. */
const SHOWN_SCHEMES = /** @type {Record<string, string>} */ ({
  "brave:": "a page of the browser itself",
  "chrome:": "a page of the browser itself",
  "chrome-error:": "the browser's error page",
  "edge:": "a page of the browser itself",
});
const STORES = new Set(["chromewebstore.google.com", "microsoftedge.microsoft.com", "addons.opera.com"]);
const OLD_STORE = "chrome.google.com";
/** Where machines in clouds are told who they are: the answers hold credentials. */
const METADATA = new Set([
  "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.platformequinix.com",
  "instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com",
  "100.100.100.200", "168.63.129.16", "192.0.0.192", "[fd00:ec2::254]", "[fd20:ce::254]",
]);
/** The link-local networks: the metadata services of nearly all clouds are there, and nothing a browser is used for. */
const LINK_LOCAL = /^169\.254\.\d+\.\d+$|^\[fe[89ab][\da-f]:/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * The list for people to read: what is never touched, and by what it is known.
 * @returns {Array<{what: string, sites: string[]}>}
 */
export function neverListed() {
  /** @type {Map<string, string[]>} */
  const listed = new Map();
  for (const [scheme, what] of Object.entries({ ...SCHEMES, ...SHOWN_SCHEMES })) listed.set(what, [...listed.get(what) ?? [], scheme]);
  listed.set("the extension store", [...STORES, `${OLD_STORE}/webstore`]);
  listed.set("an address where machines in a cloud get their credentials", [...METADATA, "169.254.*", "[fe80::…]"]);
  listed.set("a port of Tabwire's own bridges", ["its port on this computer"]);
  return [...listed].map(([what, sites]) => ({ what, sites }));
}

/**
 * What a site is when it is on the list.
 * @param {string} site as siteOfAddress gives it
 * @param {{ports?: Iterable<number>, address?: string}} [own] ports: of this computer's bridges; address: an address of the
 *   site, where more of it counts than the origin
 * @returns {{what: string, isShown: boolean}|null} isShown: the user may be shown it
 */
export function neverAllowed(site, { ports = [], address = "" } = {}) {
  const scheme = site.slice(0, site.indexOf(":") + 1);
  if (SCHEMES[scheme]) return { what: SCHEMES[scheme], isShown: false };
  if (SHOWN_SCHEMES[scheme]) return { what: SHOWN_SCHEMES[scheme], isShown: true };
  if (!/^https?:$/.test(scheme) || !URL.canParse(site)) return null;
  const url = new URL(site);
  const host = plainHost(url.hostname);
  if (STORES.has(host) || (host === OLD_STORE && /\/webstore(\/|$)/.test(address))) return { what: "the extension store", isShown: true };
  if (METADATA.has(host) || LINK_LOCAL.test(host)) return { what: "an address where machines in a cloud get their credentials", isShown: false };
  const port = Number(url.port || (scheme === "https:" ? 443 : 80));
  if (LOOPBACK.test(host) && [...ports].includes(port)) return { what: "a port of Tabwire's own bridges", isShown: false };
  return null;
}
