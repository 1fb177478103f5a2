/*
 * The debugger's Network events as one entry per request; each step of a redirection is a request. Ids are unique in a
 * browser, and the events of one request may come from several sessions: a frame's document is asked for by its parent.
 */
import { getOrMake } from "../base/maps.js";
import { MAX_TOLD } from "../base/protocol.js";
import { cutText } from "../base/text.js";
import { REDACTED, redact } from "../rules/redaction.js";
import { strikeOut, strikeText } from "../rules/secret-values.js";
import { requestPattern } from "./url-pattern.js";

/**
 * @typedef {{include_bodies: boolean, sanitize: boolean, filter?: {url_pattern?: string, resource_types?: string[], methods?:
 * string[]}}} CaptureOptions
 */
/** @import { EventHandlers, EventParams, EventName, Protocol } from "../debugger/commands" */
/** @typedef {Record<string, string>} Headers */
/** @typedef {Pick<Entry, "request_headers"|"response_headers"|"status">} Raw  told apart from its request */
/** @typedef {"sent"|"received"} Kind */
/**
 * @typedef {object} Entry
 * @property {number} n
 * @property {string} id
 * @property {string} url
 * @property {string} method
 * @property {string} type
 * @property {number} started  epoch ms
 * @property {number} [at]  on the debugger's clock, s
 * @property {boolean} [done]
 * @property {boolean} [has_sent]
 * @property {boolean} [has_received]
 * @property {Headers} [request_headers]
 * @property {string} [post_data]
 * @property {string} [initiator]
 * @property {string} [document_url]
 * @property {string} [frame]
 * @property {number} [status]
 * @property {string} [status_text]
 * @property {string} [mime_type]
 * @property {string} [protocol]
 * @property {number} [headers_size]
 * @property {string} [server]
 * @property {string} [cache]
 * @property {Record<string, number>} [timing]
 * @property {Headers} [response_headers]
 * @property {string} [redirect_to]
 * @property {number} [transferred]
 * @property {number} [duration_ms]
 * @property {number} [size]
 * @property {{type: "send"|"receive", time: number, opcode: number, data: string}[]} [messages]
 * @property {number} [messages_dropped]
 * @property {string} [error]
 * @property {boolean} [canceled]
 */

const MAX_ENTRIES = 5_000;
const MAX_POST_CHARS = 20_000;
const MAX_ADDRESS = 5 * MAX_TOLD;
const MAX_DATA = 200;
/** Most messages kept of one WebSocket or event stream. */
const MAX_MESSAGES = 200;
const MAX_MESSAGE_CHARS = 2_000;
/** Headers of requests that were not seen to begin. */
const MAX_EARLY = 500;

const NAMED_TYPES = new Set(["document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "websocket"]);
const SECRET_HEADERS = /^(cookie|set-cookie|authorization|proxy-authorization)$/i;
const ms = (/** @type {number} */ seconds) => Math.round(seconds * 1e6) / 1e3;

export class Entries {
  /**
   * @param {CaptureOptions} options
   * @param {Entry[]} [known]  what an earlier worker has noted
   */
  constructor(options, known = []) {
    this.options = options;
    this.all = known;
    this.dropped = 0;
    this.matches = options.filter?.url_pattern ? requestPattern(options.filter.url_pattern).matches : () => true;
    /** The latest entry of each request. @type {Map<string, Entry>} */
    this.open = new Map(known.map((entry) => [entry.id, entry]));
    /** Headers as sent and as received, which may be told before the request is. @type {Map<string, Record<Kind, Raw[]>>} */
    this.early = new Map();
  }

  /**
   * @param {string} method
   * @param {object|undefined} params
   * @returns {Entry[]} those that changed and are worth storing
   */
  note(method, params) {
    return NOTES[/** @type {EventName} */ (method)]?.(this, /** @type {never} */ (params)) ?? [];
  }

  /** @param {string} id @param {Omit<Entry, "n"|"id">} facts */
  begin(id, facts) {
    if (!this.isWanted(facts)) return null;
    if (this.all.length >= MAX_ENTRIES) {
      this.dropped += 1;
      return null;
    }
    const entry = { n: this.all.length + 1, id, ...facts };
    this.all.push(entry);
    this.open.set(id, entry);
    return entry;
  }

  /** @param {Omit<Entry, "n"|"id">} facts */
  isWanted({ url, type, method }) {
    const { resource_types: types, methods } = this.options.filter ?? {};
    const named = NAMED_TYPES.has(type) ? type : "other";
    return this.matches(url.replace(/#.*$/s, "")) && (!types?.length || types.includes(named)) &&
      (!methods?.length || methods.some((one) => one.toUpperCase() === method));
  }

  /** Applies `change` to the latest entry of a request. @param {string} id @param {(entry: Entry) => Partial<Entry>} change */
  update(id, change) {
    const entry = this.open.get(id);
    if (!entry || entry.done) return [];
    Object.assign(entry, change(entry));
    return [entry];
  }

  /** @param {Headers} headers */
  clean(headers) {
    return this.options.sanitize ? strikeOut(cleanHeaders(headers)).value : headers;
  }

  /** @param {string} text @returns {string} */
  cleanText(text) {
    return this.options.sanitize ? redact(strikeText(text)).value : text;
  }

  /** Strikes what is known by now of the pages' secrets. @returns {Entry[]} those that have changed */
  strike() {
    if (!this.options.sanitize) return [];
    return this.all.filter((entry) => {
      const { value, redacted } = strikeOut(entry);
      if (redacted) Object.assign(entry, value);
      return redacted > 0;
    });
  }

  /** An address; of one that holds its document, the beginning. @param {string} url @returns {string} */
  cleanAddress(url) {
    const limit = url.startsWith("data:") ? MAX_DATA : MAX_ADDRESS;
    return url.length > limit ? cutText(this.cleanText(url.slice(0, 2 * limit)), limit, url.length) : this.cleanText(url);
  }

  /**
   * Headers beyond those the page may see come in an order of their own, once for each step of a request.
   * @param {string} id @param {Kind} kind @param {Raw} facts
   */
  extra(id, kind, facts) {
    const entry = this.open.get(id);
    if (entry && !entry[`has_${kind}`]) {
      Object.assign(entry, facts, { [`has_${kind}`]: true });
      return [entry];
    }
    if (this.early.size >= MAX_EARLY) this.early.clear();
    getOrMake(this.early, id, () => ({ sent: [], received: [] }))[kind].push(facts);
    return [];
  }

  /** @param {Entry} entry */
  takeEarly(entry) {
    const waiting = this.early.get(entry.id);
    for (const kind of /** @type {const} */ (["sent", "received"])) {
      const facts = waiting?.[kind].shift();
      if (facts) Object.assign(entry, facts, { [`has_${kind}`]: true });
    }
    if (waiting && !waiting.sent.length && !waiting.received.length) this.early.delete(entry.id);
  }
}

/** Headers without their secrets. @param {Headers} headers @returns {Headers} */
export function cleanHeaders(headers) {
  const clean = redact(headers).value;
  for (const [name, value] of Object.entries(headers)) {
    if (SECRET_HEADERS.test(name)) clean[name] = /cookie/i.test(name) ? cleanCookies(name, value) : REDACTED;
  }
  return clean;
}

/** Masks the values of cookies; names and attributes stay. @param {string} name @param {string} value */
function cleanCookies(name, value) {
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${REDACTED}`);
  return value.split("\n").map((one) => one.replace(/^([^=;]*)=[^;]*/, `$1=${REDACTED}`)).join("\n");
}

const typeOf = (/** @type {string|undefined} */ type) => (type ?? "Other").toLowerCase();

/** @param {Entries} entries @param {EventParams<"Network.requestWillBeSent">} params */
function begun(entries, { requestId, request, wallTime, timestamp, type, initiator, documentURL, frameId }) {
  // Chrome's own page about a failure is nothing that the site has asked for.
  if (documentURL?.startsWith("chrome-error:")) return [];
  const post = request.postData?.slice(0, MAX_POST_CHARS);
  const entry = entries.begin(requestId, {
    url: entries.cleanAddress(request.url),
    method: request.method,
    type: typeOf(type),
    started: Math.round(wallTime * 1e3),
    at: timestamp,
    request_headers: entries.clean(request.headers),
    ...(post !== undefined && { post_data: entries.cleanText(post) }),
    ...(initiator?.type && {
      initiator: initiator.url ? `${initiator.type} ${entries.cleanAddress(initiator.url)}` : initiator.type,
    }),
    document_url: entries.cleanAddress(documentURL),
    frame: frameId,
  });
  if (entry) entries.takeEarly(entry);
  return entry ? [entry] : [];
}

/** Fields of a response that came from a cache → the name of the cache. */
const CACHES = /** @type {const} */ ([
  ["fromServiceWorker", "service worker"], ["fromPrefetchCache", "prefetch"], ["fromDiskCache", "disk"],
]);

/** @param {Entries} entries @param {Protocol.Network.Response} response */
function answered(entries, response) {
  const { status, statusText, headers, mimeType, protocol, remoteIPAddress, remotePort, timing, encodedDataLength } = response;
  const cache = CACHES.find(([isFrom]) => response[isFrom])?.[1];
  return {
    status,
    status_text: statusText,
    mime_type: mimeType,
    protocol,
    headers_size: encodedDataLength,
    ...(remoteIPAddress && { server: `${remoteIPAddress}:${remotePort}` }),
    ...(cache && { cache }),
    ...(timing && { timing: /** @type {Record<string, number>} */ ({ ...timing }) }),
    response_headers: entries.clean(headers),
  };
}

/** Keeps what came with the more complete headers. @param {Entry} entry @param {ReturnType<typeof answered>} facts */
const withRaw = (entry, facts) =>
  entry.has_received ? { ...facts, response_headers: entry.response_headers, status: entry.status ?? facts.status } : facts;

/** @param {Entries} entries @param {EventParams<"Network.requestWillBeSent">} params */
function sendAgain(entries, params) {
  const { requestId, redirectResponse, timestamp, request } = params;
  if (!redirectResponse) return begun(entries, params);
  const before = entries.update(requestId, (entry) => ({
    ...withRaw(entry, answered(entries, redirectResponse)),
    redirect_to: entries.cleanText(request.url),
    transferred: redirectResponse.encodedDataLength,
    ...finish(entry, timestamp),
  }));
  return [...before, ...begun(entries, params)];
}

/** A socket may close before it was asked for. @param {Entry} entry @param {number} timestamp */
const finish = ({ at }, timestamp) => ({ ...(at !== undefined && { duration_ms: ms(timestamp - at) }), done: true });

/**
 * @param {Entries} entries @param {boolean} sent
 * @param {Omit<EventParams<"Network.webSocketFrameSent">, "response"> & {response: {opcode: number, payloadData: string}}} params
 */
function message(entries, sent, { requestId, timestamp, response: { opcode, payloadData } }) {
  return entries.update(requestId, (entry) => {
    const messages = entry.messages ?? [];
    if (messages.length >= MAX_MESSAGES) return { messages_dropped: (entry.messages_dropped ?? 0) + 1 };
    const data =
      opcode === 1 ? entries.cleanText(payloadData.slice(0, MAX_MESSAGE_CHARS)) : payloadData.slice(0, MAX_MESSAGE_CHARS);
    messages.push({
      type: sent ? "send" : "receive", time: entry.started / 1e3 + timestamp - (entry.at ?? timestamp), opcode, data,
    });
    return { messages };
  });
}

/** @param {EventParams<"Network.loadingFailed">} params */
function cause({ errorText, blockedReason, corsErrorStatus, canceled }) {
  const why = corsErrorStatus?.corsError ?? blockedReason;
  return { error: why ? `${errorText} (${why})` : errorText, ...(canceled && { canceled: true }) };
}

/**
 * Event → what it says; the entries that changed and are worth storing.
 * @type {EventHandlers<[entries: Entries], Entry[]|undefined>}
 */
const NOTES = {
  "Network.requestWillBeSent": sendAgain,
  "Network.requestWillBeSentExtraInfo": (entries, { requestId, headers }) =>
    entries.extra(requestId, "sent", { request_headers: entries.clean(headers) }),
  "Network.responseReceivedExtraInfo": (entries, { requestId, headers, statusCode }) =>
    entries.extra(requestId, "received", { response_headers: entries.clean(headers), status: statusCode }),
  "Network.responseReceived": (entries, { requestId, response, type }) =>
    entries.update(requestId, (entry) => ({ ...withRaw(entry, answered(entries, response)), type: typeOf(type) })),
  "Network.requestServedFromCache": (entries, { requestId }) => void entries.update(requestId, () => ({ cache: "memory" })),
  "Network.dataReceived": (entries, { requestId, dataLength }) =>
    void entries.update(requestId, (entry) => ({ size: (entry.size ?? 0) + dataLength })),
  "Network.loadingFinished": (entries, { requestId, timestamp, encodedDataLength }) =>
    entries.update(requestId, (entry) => ({ ...finish(entry, timestamp), transferred: encodedDataLength })),
  "Network.loadingFailed": (entries, params) =>
    entries.update(params.requestId, (entry) => ({ ...finish(entry, params.timestamp), ...cause(params) })),
  "Network.webSocketCreated": (entries, { requestId, url, initiator }) => {
    const type = "websocket";
    const entry = entries.begin(requestId, {
      url: entries.cleanText(url), method: "GET", type, started: Date.now(), initiator: initiator?.type,
    });
    return entry ? [entry] : [];
  },
  "Network.webSocketWillSendHandshakeRequest": (entries, { requestId, request, wallTime, timestamp }) =>
    entries.update(requestId, () => ({
      request_headers: entries.clean(request.headers), started: Math.round(wallTime * 1e3), at: timestamp,
    })),
  "Network.webSocketHandshakeResponseReceived": (entries, { requestId, response: { status, statusText, headers } }) =>
    entries.update(requestId, () => ({ status, status_text: statusText, response_headers: entries.clean(headers) })),
  "Network.webSocketFrameSent": (entries, params) => message(entries, true, params),
  "Network.webSocketFrameReceived": (entries, params) => message(entries, false, params),
  "Network.webSocketFrameError": (entries, { requestId, errorMessage }) =>
    entries.update(requestId, () => ({ error: errorMessage })),
  "Network.eventSourceMessageReceived": (entries, { requestId, timestamp, data }) =>
    message(entries, false, { requestId, timestamp, response: { opcode: 1, payloadData: data } }),
  "Network.webSocketClosed": (entries, { requestId, timestamp }) =>
    entries.update(requestId, (entry) => finish(entry, timestamp)),
};
