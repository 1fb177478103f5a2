/*
 * Requests of our own, sent by the service worker: it has the browser's cookies (SameSite=Strict ones too), is not bound
 * by CORS, and needs no page that answers. Rules for that one request make it look as the page would have sent it.
 */
import { fromBase64, toBase64 } from "../debugger/base64.js";
import { adviceFor, invalid, notPermitted, said, TabwireError, timedOut } from "../base/errors.js";
import { MAX_FRAME_BYTES } from "../base/protocol.js";
import { exceedsAsJson } from "../base/text.js";
import { watchRequest } from "./request-watch.js";
import { isRuled, withRequestHeaders } from "./sent-headers.js";
import { UNTOLD, denied, mayTell, needOf, objection } from "../rules/addresses.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./request-watch.js").RequestWatch} RequestWatch */
/** @typedef {import("../base/protocol-types").NetworkRequestParams} Params */

/** Largest body that fits into one message to the bridge, as base64. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A text of escapes alone has six times its bytes as JSON. One that would not fit into a message travels as base64. */
const MAX_JSON_BYTES = MAX_FRAME_BYTES * 3 / 4;
const TEXT_TYPES =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml|javascript|ecmascript|graphql|x-www-form-urlencoded|yaml|toml|sql)\b|image\/svg\+xml|multipart\/)/i;
/** Failures after which no server has heard of a request. The others may come after it was sent. */
const UNREACHED = /NAME_NOT_RESOLVED|CONNECTION_REFUSED|UNSAFE_PORT|ADDRESS_|INTERNET_DISCONNECTED|PROXY_CONNECTION|CERT|SSL|BLOCKED/;
/** Limit of redirections in browsers. */
const MAX_REDIRECTS = 20;
/** The name of what went wrong comes a little after the failure. */
const CAUSE_LIMIT_MS = 300;
/** Time after an answer in which Chrome's events about it may still come. */
const HEARD_LIMIT_MS = 1000;

/**
 * The address of a request: relative to the page, or as people write it.
 * @param {string} written
 * @param {chrome.tabs.Tab} tab
 */
export function addressIn(written, tab) {
  const base = /^https?:/.test(tab.url ?? "") ? tab.url : undefined;
  const bare =
    /^(localhost|[\w-]+(\.[\w-]+)+|\[[\da-f:]+\])(:\d+)?([/?#]|$)/i.test(written) && !base ? `http://${written}` : written;
  const url = URL.canParse(bare, base) ? new URL(bare, base) : null;
  if (!url) {
    throw invalid(
      `"${written.slice(0, 200)}" is not an address${base ? "" : ", and the tab shows no web page it could be relative to"}; ` +
      `give a whole http or https URL`,
    );
  }
  if (!/^https?:$/.test(url.protocol))
    throw invalid(`only http and https can be requested, not ${url.protocol}`);
  url.hash = "";
  return url;
}

/** @typedef {{size: number, body: string, base64?: boolean, truncated?: boolean, note?: string}} Body */
/** @typedef {import("./request-watch.js").Head & Partial<Body>} Answer */
/** @typedef {{answer?: Answer, onward?: {status: number, to: string}}} Sent */
/** @typedef {{url: string, status: number}} Step  of a redirection: what led on */
/**
 * @typedef {object} Sending a request on its way
 * @property {URL} url
 * @property {Params} params
 * @property {chrome.tabs.Tab} tab whose page it stands for
 * @property {CallContext} call
 * @property {AbortSignal} signal
 * @property {Set<string>} cookies names of those that were set
 * @property {Set<string>} personal  addresses to which cookies or a login went
 * @property {boolean} isAnonymous neither cookies nor anything of the page goes along
 * @property {(response: Response, signal: AbortSignal) => Promise<Body>} read
 */
/** @typedef {Partial<Pick<Sending, "isAnonymous"|"read">>} Way */

/**
 * Sends a request and reads its answer. Redirections are followed here, one by one: each is judged before it is sent.
 * @param {URL} url
 * @param {Params} params
 * @param {chrome.tabs.Tab} tab  whose page it stands for
 * @param {CallContext} call
 * @param {Way} [way]
 */
export async function sendRequest(url, params, tab, call, { isAnonymous = false, read = readBody } = {}) {
  const late = needOf(params.method) === "read"
    ? timedOut(`${url.href} gave no whole answer within ${params.timeout} ms; try again with more timeout`)
    : new TabwireError("outcome_unknown",
      `${url.href} gave no whole answer within ${params.timeout} ms, and the server may have done what the ${params.method} ` +
        "asks for; look before you send it again", { method: "network.request" });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late), Math.max(1, params.timeout));
  const signal = AbortSignal.any([call.signal, limit.signal]);
  const began = performance.now();
  try {
    const heard = { cookies: new Set(), personal: new Set() };
    const answered = await followed({ url, params, tab, call, signal, isAnonymous, read, ...heard });
    return { ...answered, duration_ms: Math.round(performance.now() - began) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Sending} sending */
async function followed(sending) {
  /** @type {Step[]} */
  const redirects = [];
  for (let step = sending; ;) {
    const { answer, onward } = await sent(step);
    if (!onward) {
      const steps = {
        redirected: redirects.length > 0, ...(redirects.length && { redirects }), cookies_sent: step.personal.size > 0,
      };
      return { .../** @type {Answer} */ (answer), ...steps, ...(step.cookies.size && { cookies_set: [...step.cookies] }) };
    }
    redirects.push({ url: step.url.href, status: onward.status });
    if (redirects.length > MAX_REDIRECTS)
      throw new TabwireError("unknown_error",
        `${sending.url.href} redirects more than ${MAX_REDIRECTS} times; its cookies may need to be cleared`);
    step = { ...step, ...nextStep(step, onward.status, new URL(onward.to)) };
  }
}

/**
 * Follows a redirection as browsers do (Fetch, "HTTP-redirect fetch"): some answers ask for another method. Headers that may hold
 * a password are for one host.
 * @param {Sending} step @param {number} status @param {URL} url
 */
function nextStep({ url: from, params, call }, status, url) {
  const { method } = params;
  const becomesGet = status === 303 ? !/^(GET|HEAD)$/.test(method) : /^30[12]$/.test(String(status)) && method === "POST";
  const { body, json, form_data, ...bodiless } = params;
  const next = becomesGet ? { ...bodiless, method: /** @type {const} */ ("GET") } : params;
  assertMayFollow(url, next.method, call);
  const headers = Object.entries(params.headers ?? {}).filter(([name]) =>
    (from.origin === url.origin || !/^authorization$/i.test(name)) && (from.hostname === url.hostname || !isRuled(name)) &&
    !(becomesGet && /^content-/i.test(name)));
  return { url, params: { ...next, headers: Object.fromEntries(headers) } };
}

/**
 * Refuses a redirection that the rules do not allow. The person is not asked in the middle of a request.
 * @param {URL} url @param {string} method @param {CallContext} call
 */
function assertMayFollow(url, method, { onlyOrigins }) {
  const against = objection(url.href, needOf(method));
  if (against) throw denied(against, url.href);
  if (!/^https?:$/.test(url.protocol) || (onlyOrigins && !onlyOrigins.includes(url.origin)))
    throw notPermitted(`the answer redirects to ${said(url.origin)}, where this call may not go; it was not followed. ` +
        "Open that address in a tab instead", { reason: "redirected" });
}

/** Sends one step and returns its answer, or the address of its redirection. @param {Sending} sending @returns {Promise<Sent>} */
async function sent(sending) {
  const { url, params: { headers, method }, tab } = sending;
  const mark = `tabwire-${crypto.randomUUID()}`;
  const watch = watchRequest(mark);
  // Chrome takes the calls of a worker in their order: once it has answered this one, it tells the watch of requests.
  await chrome.runtime.getPlatformInfo();
  const send = (/** @type {Record<string, string>} */ own) => exchange(`${url.href}#${mark}`, sending, own, watch);
  try {
    return await (sending.isAnonymous ? send({}) : withRequestHeaders({ url, mark, tab, headers, method }, send));
  } finally {
    for (const name of watch.cookies) sending.cookies.add(name);
    if (watch.isPersonal()) sending.personal.add(url.href);
    watch.close();
  }
}

/**
 * @param {string} address @param {Sending} sending @param {Record<string, string>} headers @param {RequestWatch} watch
 * @returns {Promise<Sent>}
 */
async function exchange(address, { params, signal, isAnonymous, read: readWhole }, headers, watch) {
  /** @type {RequestInit} */
  const options = {
    method: params.method, headers, body: bodyOf(params, headers), signal, redirect: "manual",
    credentials: isAnonymous ? "omit" : "include",
  };
  const response = await fetch(address, options).catch((error) => fail(error, address, watch, signal));
  if (response.type === "opaqueredirect")
    return params.follow_redirects ? { onward: await watch.redirected(signal) } : { answer: await redirection(watch, signal) };
  const body = await readWhole(response, signal);
  // Chrome tells of cookies on another way than fetch: the last may come after the body.
  await watch.answered(HEARD_LIMIT_MS);
  return { answer: { ...headOf(response), ...body } };
}

/** @param {Params} params @param {Record<string, string>} headers */
function bodyOf({ body, json, form_data: form }, headers) {
  if (json !== undefined) {
    if (!Object.keys(headers).some((name) => /^content-type$/i.test(name))) headers["Content-Type"] = "application/json";
    return JSON.stringify(json);
  }
  if (form === undefined) return body;
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) append(data, name, one);
  return data;
}

/** @param {FormData} data @param {string} name @param {unknown} value */
function append(data, name, value) {
  if (value === null || typeof value !== "object") return data.append(name, String(value ?? ""));
  const { base64, name: file, mime_type: type } = /** @type {{base64: string, name: string, mime_type?: string}} */ (value);
  return data.append(name, new Blob([fromBase64(base64)], { type }), file);
}

/**
 * @param {Error} error @param {string} address @param {RequestWatch} watch @param {AbortSignal} signal @returns {Promise<never>}
 */
async function fail(error, address, watch, signal) {
  if (signal.aborted) throw signal.reason;
  const cause = (await watch.failure(CAUSE_LIMIT_MS)) ?? error.message;
  const url = address.replace(/#.*/, "");
  if (UNREACHED.test(cause)) throw new TabwireError("navigation_failed", `${url}: ${cause}; ${adviceFor(cause)}`, { cause });
  throw new TabwireError("unknown_error",
    `no answer from ${url}: ${cause}; check the address and whether the server runs`, { cause });
}

/**
 * Reads a redirection from the browser's events: fetch tells nothing of it.
 * @param {RequestWatch} watch @param {AbortSignal} signal
 */
async function redirection(watch, signal) {
  const { headers, ...seen } = await watch.headers(signal);
  const { location } = headers;
  const isTold = location === undefined || mayTell(URL.canParse(location, seen.url) ? new URL(location, seen.url).href : "");
  return { ...seen, headers: isTold ? headers : { ...headers, location: UNTOLD } };
}

const headOf = (/** @type {Response} */ response) => ({
  url: response.url,
  status: response.status,
  status_text: response.statusText,
  headers: Object.fromEntries(response.headers),
});

/**
 * A body as it is, for `sendRequest`.
 * @param {Response} response @param {AbortSignal} signal @returns {Promise<Body>}
 */
export async function readRaw(response, signal) {
  const { bytes, isCut } = await read(response, signal);
  return { size: bytes.length, base64: true, body: toBase64(bytes), ...(isCut && { truncated: true }) };
}

/** @param {Response} response @param {AbortSignal} signal @returns {Promise<Body>} */
async function readBody(response, signal) {
  const { bytes, isCut } = await read(response, signal);
  const note = isCut ? { truncated: true, note: `the body is longer than ${MAX_BODY_BYTES} bytes and was cut there` } : {};
  const type = response.headers.get("content-type") ?? "";
  const decoded = textOf(bytes, type);
  const text = decoded !== null && exceedsAsJson(decoded, decoded.length, MAX_JSON_BYTES) ? null : decoded;
  return { size: bytes.length, ...(text === null ? { base64: true, body: toBase64(bytes) } : { body: text }), ...note };
}

/** @param {Response} response @param {AbortSignal} signal */
async function read(response, signal) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for await (const whole of response.body ?? []) {
    signal.throwIfAborted();
    const chunk = whole.subarray(0, MAX_BODY_BYTES - size);
    chunks.push(chunk);
    size += chunk.length;
    if (size === MAX_BODY_BYTES) break;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, isCut: size === MAX_BODY_BYTES };
}

/** The charset that the first bytes of a text say, which wins over its header. @param {Uint8Array} bytes */
function markedCharset([first, second, third]) {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** @param {Uint8Array} bytes @param {string} type @returns {string|null} null for what is no text */
function textOf(bytes, type) {
  const isText = TEXT_TYPES.test(type);
  const charset = (isText && markedCharset(bytes)) || (/charset="?([\w:.-]+)/i.exec(type)?.[1] ?? "utf-8");
  if (type && !isText && !/^application\/octet-stream/i.test(type)) return bytes.length ? null : "";
  try {
    const text = new TextDecoder(charset, { fatal: !isText }).decode(bytes);
    return isText || !text.includes("\0") ? text : null;
  } catch {
    return null;
  }
}
