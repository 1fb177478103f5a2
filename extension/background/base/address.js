/**
 * Addresses as people write them: a URL with its scheme left out, a pattern that stands for many URLs.
 */
import { invalid } from "./errors.js";
import { SCHEMES } from "./known-addresses.js";

const LOCAL_HOST =
  /^(localhost|[^/:]+\.localhost|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|0\.0\.0\.0|\[[0-9a-f:]+\]|[^/:.]+\.(local|test|internal))$/i;
/** host, optional port, rest */
const BARE_HOST = /^((?:\[[0-9a-f:]+\]|[^\s/:?#@]+))(:\d{1,5})?([/?#].*)?$/iu;

/** @param {string} text @returns {string|null} the scheme with its colon; "localhost:8000" has none */
function schemeOf(text) {
  const match = /^([a-z][a-z0-9+.-]*:)(.*)$/is.exec(text);
  if (!match) return null;
  const [, scheme, rest] = match;
  if (rest.startsWith("//")) return scheme.toLowerCase();
  return /^\d{1,5}([/?#]|$)/.test(rest) && !SCHEMES[scheme.toLowerCase()] ? null : scheme.toLowerCase();
}

/**
 * A URL Chrome can open, from what the caller wrote: `example.com` → https, `localhost:8000` → http.
 * @param {string} written
 * @returns {string}
 */
export function toUrl(written) {
  const text = written.trim();
  if (!text) throw invalid("url is empty; give the address of a page, such as https://example.com");
  const scheme = schemeOf(text);
  if (/^javascript:/i.test(text)) {
    throw invalid("javascript: addresses are not opened; run the code with evaluate instead");
  }
  if (scheme && !SCHEMES[scheme]) {
    throw invalid(`${scheme} addresses open another program, not a page; give an http, https, file, data or about address`);
  }
  return parsed(scheme ? text : withScheme(text), written);
}

/** @param {string} text */
function withScheme(text) {
  if (text.startsWith("/")) throw invalid(`"${text}" has no host; give the whole address, or file://${text} for a local file`);
  const match = BARE_HOST.exec(text);
  const isHost = match && (match[1].includes(".") || match[2] || LOCAL_HOST.test(match[1]));
  if (!isHost) throw invalid(`"${text.slice(0, 200)}" is not an address; give a URL such as https://example.com`);
  const isLocal = LOCAL_HOST.test(match[1]) || (match[2] && !match[1].includes("."));
  return `${isLocal ? "http" : "https"}://${text}`;
}

/** @param {string} url @param {string} written */
function parsed(url, written) {
  try {
    return new URL(url).href;
  } catch {
    throw invalid(`"${written.slice(0, 200)}" is not a valid URL; check its host and port`);
  }
}

/** A text as a part of a regular expression. @param {string} text */
export const escapeRegExp = (text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

/**
 * A regular expression written as /source/flags, or null when `text` is not written so.
 * @param {string} text
 * @returns {RegExp|null}
 */
export function writtenRegExp(text) {
  const match = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  if (!match) return null;
  try {
    // g and y make test() remember its position.
    return new RegExp(match[1], match[2].replace(/[gy]/g, ""));
  } catch (error) {
    throw invalid(`${text} is not a valid regular expression: ${error.message}`);
  }
}

/**
 * A test for URLs. `/regex/flags` is searched anywhere; `*` (and `**`) stands for any characters and the pattern must
 * then cover the whole URL, or path, query and fragment when it begins with "/"; text without `*` must equal the URL or,
 * where `partly` says so, be contained in it.
 * @param {string} pattern
 * @param {{partly?: boolean}} [options]
 * @returns {(url: string) => boolean}
 */
export function urlPattern(pattern, { partly = false } = {}) {
  const text = pattern.trim();
  if (!text) throw invalid("url is empty; give an address, a pattern with *, or /regex/");
  if (!text.includes("*")) {
    const expression = writtenRegExp(text);
    if (expression) return (url) => expression.test(url);
    return (url) => url === text || trimmed(url) === trimmed(text) || (partly && url.includes(text));
  }
  const expression = isRegExpWithStar(text) ? writtenRegExp(text) : null;
  if (expression) return (url) => expression.test(url);
  const glob = new RegExp(`^${text.split(/\*+/).map(escapeRegExp).join(".*")}$`, "s");
  return (url) => glob.test(url) || (text.startsWith("/") && glob.test(pathOf(url)));
}

// "/a.*b/" is a regular expression; "/shop/*" and a star between two slashes are patterns.
export const isRegExpWithStar = (/** @type {string} */ text) => /^\/.+\/[dgimsuvy]*$/s.test(text) && !/(^|\/)\*+(\/|$)/.test(text);

/** Chrome shows https://example.com as https://example.com/. */
const trimmed = (/** @type {string} */ url) => url.replace(/\/$/, "");

/** @param {string} url */
function pathOf(url) {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}
