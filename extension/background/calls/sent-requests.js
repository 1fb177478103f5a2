/*
 * Requests that a page sends while one act is observed, as the debugger tells them. Those events come in one line with what the
 * page answers: a request that was sent before an answer is known before it. Chrome's webRequest events have no such order
 * (measured: up to 100 ms late on a busy computer), and where a listener to them is added or removed, Chrome drops the pages that
 * it keeps for going back.
 */
import { ifInTime } from "../base/deadline.js";
import { Signal } from "../base/signal.js";
import { TabMap } from "../base/tabs.js";
import { lend, onEvent } from "../debugger/attachment.js";
import { isHeldFor } from "../debugger/holds.js";
import { mayTell, told } from "../rules/addresses.js";

/** @import { Event, EventParams } from "../debugger/commands" */
/** @typedef {import("../base/protocol-types").Effects} Effects */
/** @typedef {{url: string, method: string, type: string, isPending: boolean, status?: number, error?: string}} Sent */

const CAPTURE = "capture";
const ENABLE_LIMIT_MS = 300;
/** Things of one kind that the reply to an act names. */
export const MAX_NAMED = 8;
const MAX_ADDRESS = 200;
const FIRST_FAILURE = 400;
const CANCELLED = "cancelled by the page";
/** Requests that scripts send; the others are told where they fail. */
const SENT_TYPES = new Set(["XHR", "Fetch", "Ping", "EventSource"]);
/** Requests that a page waits for. */
const AWAITED_TYPES = new Set(["XHR", "Fetch"]);
/** Documents are told as navigations; what the browser asks by itself is not the page's. */
const UNTOLD_TYPES = new Set(["Document", "Preflight"]);

/** @param {Sent} request */
const hasFailed = ({ status = 0, error }) => error !== undefined || status >= FIRST_FAILURE;

/** @param {Sent} request */
const isWorthTelling = (request) => SENT_TYPES.has(request.type) || hasFailed(request);

/** @param {Sent} request */
const isAwaited = ({ isPending, type }) => isPending && AWAITED_TYPES.has(type);

/** Requests of acts that have ended, which a page still waits for; the next act reports those that are answered by then. */
class Unanswered {
  /** @type {Sent[]} */
  answered = [];

  /** @param {number} tabId @param {Map<string, Sent>} waiting */
  constructor(tabId, waiting) {
    this.tabId = tabId;
    this.waiting = waiting;
    this.stop = onEvent(tabId, (...[method, params]) => this.note(method, params));
  }

  /** @param {Event[0]} method @param {object|undefined} params */
  note(method, params) {
    const handle = ENDS[/** @type {keyof typeof ENDS} */ (method)];
    if (!handle) return;
    handle(this.waiting, this.tabId, /** @type {never} */ (params));
    for (const [id, request] of this.waiting) {
      if (request.isPending) continue;
      this.waiting.delete(id);
      if (request.error !== CANCELLED) this.answered.push(request);
    }
    if (!this.waiting.size) this.stop();
  }
}

/** @type {TabMap<Unanswered>} */
const unanswered = new TabMap();

/** Requests of one act in one tab. */
export class SentRequests {
  /** @type {Map<string, Sent>} */
  #sent = new Map();
  #stop = () => {};
  #isListening = false;

  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
    /** @type {Signal<[]>} */
    this.changed = new Signal();
  }

  /** Begins to listen, where the debugger is attached; once. */
  async listen() {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#stop = onEvent(this.tabId, (...[method, params]) => this.#note(method, params));
    // A capture has the domain on for itself, with what it keeps.
    if (isHeldFor(this.tabId, CAPTURE)) return;
    await ifInTime(lend(this.tabId, "requests"), ENABLE_LIMIT_MS);
  }

  close() {
    this.#stop();
    const { tabId } = this;
    const sent = [...this.#sent].filter(([, request]) => isAwaited(request));
    const earlier = unanswered.get(tabId);
    earlier?.stop();
    const left = [...earlier?.waiting ?? [], ...sent].slice(-MAX_NAMED);
    if (left.length) unanswered.set(tabId, new Unanswered(tabId, new Map(left)));
    else unanswered.delete(tabId);
  }

  /** @param {Event[0]} method @param {object|undefined} params */
  #note(method, params) {
    const handle = EVENTS[/** @type {keyof typeof EVENTS} */ (method)];
    if (!handle) return;
    handle(this.#sent, this.tabId, /** @type {never} */ (params));
    this.changed.emit();
  }

  /** Whether requests are heard. */
  get isListening() {
    return this.#isListening;
  }

  /** Number of those that the page still waits for. */
  get pendingCount() {
    return [...this.#sent.values()].filter(isAwaited).length;
  }

  /** Whether scripts have sent one. */
  get hasSent() {
    return [...this.#sent.values()].some(({ type }) => SENT_TYPES.has(type));
  }

  get isPending() {
    return this.pendingCount > 0;
  }

  /** @returns {Pick<Effects, "requests"|"requests_more"|"earlier_requests">} the failed ones first */
  told() {
    const found = [...this.#sent.values()].filter(isWorthTelling);
    const late = unanswered.get(this.tabId)?.answered ?? [];
    const rest = found.length - MAX_NAMED;
    const failedFirst = found.toSorted((one, other) => Number(hasFailed(other)) - Number(hasFailed(one)));
    return {
      requests: found.length ? failedFirst.slice(0, MAX_NAMED).map(toldRequest) : undefined,
      requests_more: rest > 0 ? rest : undefined,
      earlier_requests: late.length ? late.map(toldRequest) : undefined,
    };
  }
}

/** @typedef {Map<string, Sent>} All */
const STARTS = {
  /** @param {All} all @param {number} tabId @param {EventParams<"Network.requestWillBeSent">} params */
  "Network.requestWillBeSent": (all, tabId, { requestId, request: { url, method }, type = "Other", documentURL }) => {
    if (UNTOLD_TYPES.has(type) || !mayTell(documentURL, tabId) || !/^(https?|wss?|file):/.test(url)) return;
    all.set(requestId, { url, method, type, isPending: true });
  },
};
const ENDS = {
  /** @param {All} all @param {number} _ @param {EventParams<"Network.responseReceived">} params */
  "Network.responseReceived": (all, _, { requestId, response: { status } }) =>
    // A body that the page does not read never ends.
    change(all, requestId, { status, isPending: false }),
  /** @param {All} all @param {number} _ @param {EventParams<"Network.loadingFinished">} params */
  "Network.loadingFinished": (all, _, { requestId }) => change(all, requestId, { isPending: false }),
  /** @param {All} all @param {number} _ @param {EventParams<"Network.loadingFailed">} params */
  "Network.loadingFailed": (all, _, { requestId, errorText, canceled, type }) => {
    if (canceled && !SENT_TYPES.has(type)) return void all.delete(requestId);
    // Chrome cancels a body that no script reads, though the request was answered.
    if (canceled && all.get(requestId)?.status !== undefined) return undefined;
    return change(all, requestId, { isPending: false, error: canceled ? CANCELLED : errorText });
  },
};

const EVENTS = { ...STARTS, ...ENDS };

/** @param {All} all @param {string} id @param {Partial<Sent>} news */
function change(all, id, news) {
  const request = all.get(id);
  if (request) Object.assign(request, news);
}

/** Queries and fragments may hold private data. @param {Sent} request */
function toldRequest({ method, url, status, error }) {
  const { url: address, barred } = told({ url });
  const shortened = address.replace(/[?#].*$/s, "").slice(0, MAX_ADDRESS);
  return { method, url: shortened, ...(barred && { barred }), ...(status && { status }), ...(error && { error }) };
}
