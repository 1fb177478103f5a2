/*
 * Source maps (ECMA-426): found at the address that the engine has for a script, fetched under the rules that requests of clients
 * are under, decoded by @jridgewell/trace-mapping. A map that cannot be used is a problem in words, never an error of the call.
 */
import { within } from "../base/deadline.js";
import { LINK_LOCAL, LOOPBACK } from "../base/known-addresses.js";
import { webOriginOf } from "../base/url.js";
import { sendRequest } from "../network/own-request.js";
import { objection } from "../rules/addresses.js";
import { failuresIn, noteFailure } from "./failed-maps.js";
import { FlattenMap } from "../../vendor/trace-mapping.mjs";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {InstanceType<typeof import("../../vendor/trace-mapping.mjs").TraceMap>} TraceMap */
/** @typedef {{map: TraceMap, problem?: undefined} | {map?: undefined, problem: string}} Loaded */

const LIMIT_MS = 8_000;
/** Left of a call when maps are waited for no more. */
const RESERVE_MS = 1_500;
const MAX_MAP_BYTES = 48 * 1024 * 1024;
/** Decoded, each character of mappings takes some 15 bytes of memory. */
const MAX_MAPPINGS = 12_000_000;
const MAX_KEPT_CHARS = 60_000_000;
const BARRED = "it lies on a site that the user does not allow; it was not fetched";
const VERSION = 3;
/** Prefix with which some servers keep JSON from being run as a script. */
const GUARD = /^\)\]\}'[^\n]*\n/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd])/;

/** Maps that were decoded, the one used last at the end. @type {Map<string, {map: TraceMap, chars: number}>} */
const kept = new Map();

/** @param {string} key @param {TraceMap} map @param {number} chars */
function keep(key, map, chars) {
  kept.set(key, { map, chars });
  let sum = 0;
  for (const one of kept.values()) sum += one.chars;
  for (const [old, one] of kept) {
    if (sum <= MAX_KEPT_CHARS || old === key) break;
    kept.delete(old);
    sum -= one.chars;
  }
}

/**
 * The source map of a script, decoded.
 * @param {Script} script
 * @param {TabCall} call
 * @returns {Promise<Loaded>}
 */
export async function sourceMapOf(script, call) {
  const { sourceMapURL: written, hash } = script;
  if (!written) return { problem: "it names no source map" };
  const page = call.tab.url ?? "";
  const base = URL.canParse(script.url) && !/^(data|blob):/.test(script.url) ? script.url : page;
  const url = URL.canParse(written, base) ? new URL(written, base) : null;
  if (!url) return { problem: "the address of its source map cannot be read" };
  const key = `${call.tab.incognito} ${hash} ${url.href}`;
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const problem = failuresIn(call.tab.id).get(key);
  return problem === undefined ? load(key, url, base, call) : { problem };
}

/** @param {string} key @param {URL} url @param {string} base of inline maps @param {TabCall} call @returns {Promise<Loaded>} */
async function load(key, url, base, call) {
  const failures = failuresIn(call.tab.id);
  const limit = Math.max(1, Math.min(LIMIT_MS, call.remaining() - RESERVE_MS));
  try {
    const text = await within(textOf(url, call), limit, () => { throw new Late("it did not come in time"); });
    const map = decoded(text, url.protocol === "data:" ? base : url.href);
    keep(key, map, text.length);
    return { map };
  } catch (error) {
    call.signal.throwIfAborted();
    const name = url.protocol === "data:" ? "its inline source map" : `its source map ${shown(url)}`;
    const problem = `${error.isUntold ? "its source map" : name}: ${error.message}`;
    // The rules may change before a reload, and a call with more time waits longer.
    if (!error.isUntold && !(error instanceof Late && limit < LIMIT_MS)) noteFailure(failures, key, problem);
    return { problem };
  }
}

/** @param {URL} url */
const shown = (url) => url.href.replace(/[?#].*$/s, "").slice(0, 200);

/** Reason why a map cannot be used. */
class Unusable extends Error {
  /** @param {string} message @param {boolean} [isUntold] its address is not told */
  constructor(message, isUntold = false) {
    super(message);
    this.isUntold = isUntold;
  }
}

class Late extends Unusable {}

/** @param {URL} url @param {TabCall} call @returns {Promise<string>} */
async function textOf(url, call) {
  if (url.protocol === "data:") return inlineText(url.href);
  if (!/^https?:$/.test(url.protocol))
    throw new Unusable(`source maps are read inline and over http and https, not at ${url.protocol} addresses`);
  assertFetchable(url, call);
  const isOwn = url.origin === webOriginOf(call.tab.url ?? "") && !call.tab.incognito;
  const params = { url: url.href, method: /** @type {const} */ ("GET"), timeout: LIMIT_MS, follow_redirects: true };
  // A page says where its map lies: another site is not asked in the name of the person.
  const answer = await sendRequest(url, params, call.tab, call, { isAnonymous: !isOwn, read: readText }).catch((error) => {
    throw error.code === "permission_denied" ? new Unusable(BARRED, true) : error;
  });
  if (answer.status >= 400) throw new Unusable(`the server answered ${answer.status}`);
  if (answer.truncated) throw new Unusable(`it is larger than ${MAX_MAP_BYTES / 2 ** 20} MB`);
  return answer.body ?? "";
}

/** @param {string} address */
function inlineText(address) {
  const [, type, body] = /^data:([^,]*),([^]*)$/.exec(address) ?? [];
  if (body === undefined) throw new Unusable("it is no data: address");
  if (body.length > MAX_MAP_BYTES) throw new Unusable(`it is larger than ${MAX_MAP_BYTES / 2 ** 20} MB`);
  const text = decodeURIComponent(body);
  if (!/;base64$/i.test(type)) return text;
  return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
}

/**
 * Refuses addresses that the rules bar, and those of the local network to pages from elsewhere, as Chrome does. The person is not
 * asked for a map.
 * @param {URL} url @param {TabCall} call
 */
function assertFetchable(url, { tab, onlyOrigins }) {
  if (objection(url.href, "read"))
    throw new Unusable(BARRED, true);
  if (onlyOrigins && !onlyOrigins.includes(url.origin))
    throw new Unusable("it lies outside the origins of this client; it was not fetched", true);
  const isLocal = (/** @type {string} */ host) => LOOPBACK.test(host) || LINK_LOCAL.test(host) || PRIVATE.test(host);
  const page = URL.canParse(tab.url ?? "") ? new URL(tab.url ?? "") : null;
  if (isLocal(url.hostname) && !(page && isLocal(page.hostname)))
    throw new Unusable("it lies in the local network, which the page comes from outside of; it was not fetched");
}

/** @param {Response} response @param {AbortSignal} signal @returns {Promise<import("../network/own-request.js").Body>} */
async function readText(response, signal) {
  const decoder = new TextDecoder();
  let size = 0;
  let body = "";
  for await (const chunk of response.body ?? []) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > MAX_MAP_BYTES) return { size, body: "", truncated: true };
    body += decoder.decode(chunk, { stream: true });
  }
  return { size, body: body + decoder.decode() };
}

/** @param {string} text @param {string} address that its sources are relative to @returns {TraceMap} */
function decoded(text, address) {
  /** @type {any} */
  let map;
  try {
    map = JSON.parse(text.replace(GUARD, ""));
  } catch {
    throw new Unusable(/^\s*</.test(text) ? "the server answered with a page, not with a map" : "it is no JSON");
  }
  if (map?.version !== VERSION) throw new Unusable("it is no source map of version 3");
  const sections = Array.isArray(map.sections) ? map.sections.map((/** @type {any} */ section) => section?.map) : [map];
  if (!sections.every((/** @type {any} */ one) => typeof one?.mappings === "string" && Array.isArray(one.sources)))
    throw new Unusable("it has no mappings and sources, or sections that lie elsewhere");
  const chars = sections.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.mappings.length, 0);
  if (chars > MAX_MAPPINGS) throw new Unusable(`its mappings are too long (${chars} characters; the limit is ${MAX_MAPPINGS})`);
  try {
    return /** @type {TraceMap} */ (FlattenMap(map, address));
  } catch (error) {
    throw new Unusable(`it cannot be decoded (${error.message})`);
  }
}
