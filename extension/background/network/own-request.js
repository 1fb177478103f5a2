/*
 * Requests of our own, sent by the service worker: it has the browser's cookies (SameSite=Strict ones too), is not bound
 * by CORS, and needs no page that answers. Rules for that one request make it look as the page would have sent it.
 */
import { TabwireError } from "../base/errors.js";
import { watchRequest } from "./request-watch.js";
import { withRequestHeaders } from "./sent-headers.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./request-watch.js").RequestWatch} RequestWatch */
/** @typedef {import("../base/protocol-types").NetworkRequestParams} Params */

/** What fits into one message to the bridge, as base64. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const TEXT_TYPES =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml|javascript|ecmascript|graphql|x-www-form-urlencoded|yaml|toml|sql)\b|image\/svg\+xml|multipart\/)/i;
/** The name of what went wrong comes a little after the failure. */
const CAUSE_LIMIT_MS = 300;
/** So long may news of an answer that is here already be on their way. */
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
    throw new TabwireError(
      "invalid_argument",
      `"${written.slice(0, 200)}" is not an address${base ? "" : ", and the tab shows no web page it could be relative to"}; ` +
      `give a whole http or https URL`,
    );
  }
  if (!/^https?:$/.test(url.protocol))
    throw new TabwireError("invalid_argument", `only http and https can be requested, not ${url.protocol}`);
  url.hash = "";
  return url;
}

/**
 * Sends a request and reads its answer.
 * @param {URL} url
 * @param {Params} params
 * @param {chrome.tabs.Tab} tab  whose page it stands for
 * @param {CallContext} call
 */
export async function sendRequest(url, params, tab, call) {
  const mark = `tabwire-${crypto.randomUUID()}`;
  const watch = watchRequest(mark);
  const late = new TabwireError(
    "timeout",
    `${url.href} gave no whole answer within ${params.timeout} ms; try again with more timeout`,
  );
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late), Math.max(1, params.timeout));
  const signal = AbortSignal.any([call.signal, limit.signal]);
  try {
    return await withRequestHeaders({ url, mark, tab, headers: params.headers, method: params.method }, (headers) =>
      exchange(`${url.href}#${mark}`, params, headers, watch, signal));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    watch.close();
  }
}

/**
 * @param {string} address @param {Params} params @param {Record<string, string>} headers @param {RequestWatch} watch
 * @param {AbortSignal} signal
 */
async function exchange(address, params, headers, watch, signal) {
  const { method } = params;
  const began = performance.now();
  /** @type {RequestInit} */
  const options = {
    method, headers, body: bodyOf(params, headers), signal, credentials: "include",
    redirect: params.follow_redirects ? "follow" : "manual",
  };
  const response = await fetch(address, options).catch((error) => fail(error, address, watch, signal));
  const seen = response.type === "opaqueredirect" ? await redirection(watch, signal) : answer(response);
  const body = response.type === "opaqueredirect" ? {} : await readBody(response, signal);
  // Chrome tells of redirections and cookies on another way than fetch: the last may come after the body.
  if (response.type !== "opaqueredirect") await watch.answered(HEARD_LIMIT_MS);
  return { ...seen, ...told(watch), ...body, duration_ms: Math.round(performance.now() - began) };
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
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return data.append(name, new Blob([bytes], { type }), file);
}

/**
 * @param {Error} error @param {string} address @param {RequestWatch} watch @param {AbortSignal} signal @returns {Promise<never>}
 */
async function fail(error, address, watch, signal) {
  if (signal.aborted) throw signal.reason;
  const cause = (await watch.failure(CAUSE_LIMIT_MS)) ?? error.message;
  throw new TabwireError("unknown_error",
    `no answer from ${address.replace(/#.*/, "")}: ${cause}; check the address and whether the server runs`, { cause });
}

/**
 * Of an answer that is a redirection fetch tells nothing; the browser does.
 * @param {RequestWatch} watch @param {AbortSignal} signal
 */
async function redirection(watch, signal) {
  const seen = await watch.headers(signal);
  return { url: seen.url, redirected: false, status: seen.status, status_text: seen.status_text, headers: seen.headers };
}

const answer = (/** @type {Response} */ response) => ({
  url: response.url,
  redirected: response.redirected,
  status: response.status,
  status_text: response.statusText,
  headers: Object.fromEntries(response.headers),
});

/** @param {RequestWatch} watch */
function told({ redirects, cookies }) {
  return { ...(redirects.length && { redirects }), ...(cookies.size && { cookies_set: [...cookies] }) };
}

/** @param {Response} response @param {AbortSignal} signal */
async function readBody(response, signal) {
  const { bytes, isCut } = await read(response, signal);
  const note = isCut ? { truncated: true, note: `the body is longer than ${MAX_BODY_BYTES} bytes and was cut there` } : {};
  const type = response.headers.get("content-type") ?? "";
  const text = textOf(bytes, type);
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

/** @param {Uint8Array} bytes @param {string} type @returns {string|null} null for what is no text */
function textOf(bytes, type) {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  const isText = TEXT_TYPES.test(type);
  if (type && !isText && !/^application\/octet-stream/i.test(type)) return bytes.length ? null : "";
  try {
    const text = new TextDecoder(charset, { fatal: !isText }).decode(bytes);
    return isText || !text.includes("\0") ? text : null;
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
