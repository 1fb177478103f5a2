/*
 * Documents of a tab as the debugger knows them: the document that an execution context is of, and those around it. Rules are
 * asked here for everything that the debugger runs or reports. A script says less than a context: documents that load the same
 * script share it, whatever their sites.
 */
import { makersIn, refusalOf, scriptRefusalOf } from "../rules/permissions.js";
import { FILES, UNKNOWN_SITE, siteOfAddress } from "../rules/site-pattern.js";
import { ifInTime } from "../base/deadline.js";
import { childrenOf, senderOf, sessionsBelow } from "../debugger/child-sessions.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/errors.js").TabwireError} TabwireError */
/** @typedef {string|undefined} Session undefined: the tab's own */
/** @typedef {{sessionId: Session, frameId?: string, origin: string, isDefault: boolean}} Context frameId: none in a worker */
/**
 * A frame and its document.
 * @typedef {object} Frame
 * @property {string|null} url null: it has moved to another process, which has not reported it yet
 * @property {string} [origin] that of the page's own context
 * @property {string} [parentId]
 * @property {Session} sessionId
 * @property {string[]} before addresses of earlier documents of the frame, which may have made this one
 */
/** @typedef {"read"|"act"|"script"} Need script: to run one that the client has written */
/** @import { Event, EventName, EventParams, Protocol, Send } from "../debugger/commands" */

/** A frame in a frame, and so on: more than this is a circle. */
const MAX_DEPTH = 100;
/** @param {string|undefined} address @returns {address is string} */
const isTelling = (address) => address !== undefined && siteOfAddress(address) !== UNKNOWN_SITE;

/** Stands for data: addresses, which are whole pages. */
const DATA = "data:,";

/** @param {string} url */
const kept = (url) => (/^data:/i.test(url) ? DATA : url);

/** @template {EventName} M @typedef {(documents: Documents, params: EventParams<M>, sessionId: Session) => void} Noting */

const EVENTS = /** @satisfies {{[M in EventName]?: Noting<M>}} */ ({
  "Runtime.executionContextCreated": (documents, { context }, sessionId) => documents.noteContext(context, sessionId),
  "Runtime.executionContextDestroyed": (documents, { executionContextId: id }, sessionId) =>
    void documents.contexts.delete(`${sessionId} ${id}`),
  "Runtime.executionContextsCleared": (documents, _, sessionId) => documents.dropContexts(sessionId),
  "Page.frameAttached": (documents, { frameId, parentFrameId: parentId }, sessionId) =>
    void documents.frames.set(frameId, { url: "", parentId, sessionId, before: [] }),
  "Page.frameNavigated": (documents, { frame }, sessionId) => documents.navigated(frame, sessionId),
  "Page.frameDetached": (documents, { frameId, reason }, sessionId) => documents.detached(frameId, reason, sessionId),
  "Target.detachedFromTarget": (documents, { sessionId }) => documents.dropSession(sessionId),
});

/** Whether an event is about documents. @param {string} method @returns {method is keyof typeof EVENTS} */
export const isDocumentEvent = (method) => Object.hasOwn(EVENTS, method);

/** The documents of a tab, as the debugger's events report them. It needs every event from its creation on. */
export class Documents {
  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
    /** Session and number → context. @type {Map<string, Context>} */
    this.contexts = new Map();
    /** @type {Map<string, Frame>} */
    this.frames = new Map();
    /** Session → its answer to what there is, while that is awaited. @type {Map<Session, Promise<void>>} */
    this.asked = new Map();
  }

  /** @param {Event} event */
  note([method, params, sessionId]) {
    if (isDocumentEvent(method)) EVENTS[method](this, /** @type {never} */ (params), sessionId);
  }

  /** @param {Protocol.Runtime.ExecutionContextDescription} context @param {Session} sessionId */
  noteContext({ id, origin, auxData }, sessionId) {
    const frameId = auxData?.frameId;
    const isDefault = auxData?.isDefault !== false;
    this.contexts.set(`${sessionId} ${id}`, { sessionId, origin, isDefault, ...(frameId && { frameId }) });
    const frame = this.frames.get(frameId ?? "");
    if (frame && isDefault) Object.assign(frame, { origin, sessionId });
  }

  /** @param {Session} sessionId */
  dropContexts(sessionId) {
    for (const [key, context] of this.contexts) if (context.sessionId === sessionId) this.contexts.delete(key);
  }

  /**
   * A session has ended, and with it those below, whose ends Chrome does not report. A frame that has moved to another process
   * has the session of that one by then.
   * @param {string} sessionId
   */
  dropSession(sessionId) {
    for (const gone of [sessionId, ...sessionsBelow(this.tabId, sessionId)]) {
      this.dropContexts(gone);
      for (const [id, frame] of this.frames) if (frame.sessionId === gone) this.frames.delete(id);
    }
  }

  /** @param {Protocol.Page.Frame} frame @param {Session} sessionId */
  navigated({ id, parentId, url }, sessionId) {
    if (!parentId && sessionId === undefined) this.frames.clear();
    const last = this.frames.get(id);
    const before = last && !isTelling(url) ? [...last.before, ...ownAddresses(last)].filter(isTelling) : [];
    this.frames.set(id, { url: kept(url), sessionId, before, ...(parentId && { parentId }) });
  }

  /** @param {string} frameId @param {string} reason @param {Session} sessionId */
  detached(frameId, reason, sessionId) {
    const frame = this.frames.get(frameId);
    if (reason !== "swap") this.frames.delete(frameId);
    // The process that it has moved to may have reported it already.
    else if (frame && frame.sessionId === sessionId) Object.assign(frame, { url: null, origin: undefined });
  }

  /**
   * Asks a session for what there is already. The Runtime domain may be on: then Chrome would not report the contexts again.
   * @param {Session} sessionId @param {Send} [send]
   */
  learn(sessionId, send = senderOf(this.tabId, sessionId)) {
    const answered = this.ask(sessionId, send).finally(() => {
      if (this.asked.get(sessionId) === answered) this.asked.delete(sessionId);
    });
    this.asked.set(sessionId, answered);
    return answered;
  }

  /** Resolves when every session that was asked has answered. @param {number} limit ms for one that is busy */
  async learned(limit) {
    await Promise.all([...this.asked.values()].map((answered) => ifInTime(answered, limit)));
  }

  /** @param {Session} sessionId @param {Send} send */
  async ask(sessionId, send) {
    // Sent at once, so that a child that waits for its start is let go in any case. Workers have no frames.
    const [, tree, , enabled] = await Promise.allSettled([
      sessionId === undefined ? undefined : send("Page.enable"), send("Page.getFrameTree"), send("Runtime.disable"),
      send("Runtime.enable"),
    ]);
    if (tree.status === "fulfilled") this.noteTree(tree.value.frameTree, sessionId);
    if (enabled.status === "rejected") throw enabled.reason;
  }

  /** @param {Protocol.Page.FrameTree} tree @param {Session} sessionId */
  noteTree({ frame: { id, parentId, url }, childFrames = [] }, sessionId) {
    const frame = this.frames.get(id);
    // Events of the session are newer than its answers.
    if (!frame || frame.url === null || frame.sessionId !== sessionId) {
      const origin = [...this.contexts.values()].findLast((context) => context.frameId === id && context.isDefault)?.origin;
      this.frames.set(id, { url: kept(url), sessionId, before: [], ...(origin && { origin }), ...(parentId && { parentId }) });
    }
    for (const child of childFrames) this.noteTree(child, sessionId);
  }

  /** Whether a context is not the page's own: that of an extension. @param {Session} sessionId @param {number} contextId */
  isForeign(sessionId, contextId) {
    return this.contexts.get(`${sessionId} ${contextId}`)?.isDefault === false;
  }

  /**
   * Addresses of the document of a context, its own first, and of those around it; null where it is not known.
   * @param {Session} sessionId @param {number} contextId @returns {string[]|null}
   */
  addressesIn(sessionId, contextId) {
    const context = this.contexts.get(`${sessionId} ${contextId}`);
    if (!context) return null;
    if (context.frameId) return this.addressesOf(context.frameId);
    return sessionId === undefined ? null : this.addressesOfWorker(sessionId, context.origin);
  }

  /**
   * Addresses of the document in a frame and of those around it.
   * @param {string} frameId @returns {string[]|null}
   */
  addressesOf(frameId) {
    /** @type {string[]} */
    const found = [];
    let id = /** @type {string|undefined} */ (frameId);
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const frame = id === undefined ? undefined : this.frames.get(id);
      if (!frame || frame.url === null) return null;
      found.push(...ownAddresses(frame), ...(frame.url === DATA && !isTelling(frame.origin) ? makersIn(this.tabId) : []));
      id = frame.parentId ?? this.childOf(frame.sessionId)?.parentFrameId;
      if (id === undefined && frame.sessionId !== undefined) return null;
      if (id === undefined) return isTelling(found.at(-1)) ? found : [...found, ...makersIn(this.tabId)];
    }
    return null;
  }

  /**
   * Addresses of a worker, and of the documents that may have made it.
   * @param {string} sessionId @param {string} address of its script @returns {string[]|null}
   */
  addressesOfWorker(sessionId, address) {
    const { parentFrameId, parentSession, type } = this.childOf(sessionId) ?? {};
    const maker = parentSession === undefined ? undefined : this.workerIn(parentSession);
    const around = maker ? this.addressesOfWorker(maker.sessionId, maker.origin)
      : parentFrameId !== undefined ? this.addressesOf(parentFrameId) : this.addressesAt(siteOfAddress(address));
    return type && around ? [kept(address), ...around] : null;
  }

  /**
   * Addresses of all documents of a session: for what does not say which of them it is of.
   * @param {Session} sessionId @returns {string[]|null}
   */
  addressesInSession(sessionId) {
    const own = [...this.frames].filter(([, frame]) => frame.sessionId === sessionId).map(([id]) => this.addressesOf(id));
    const all = own.length ? own : this.contextsOf(sessionId).map((id) => this.addressesIn(sessionId, id));
    return all.length && !all.includes(null) ? all.flatMap((addresses) => addresses ?? []) : null;
  }

  /** @param {string} sessionId */
  workerIn(sessionId) {
    const context = this.contexts.values().find((one) => one.sessionId === sessionId && !one.frameId);
    return context && { sessionId, origin: context.origin };
  }

  /**
   * Addresses of all documents of a site, which share its workers; of all there are, where a worker does not say whose it is.
   * @param {string} site
   */
  addressesAt(site) {
    const all = [...this.frames.keys()].map((id) => this.addressesOf(id));
    const found = all.filter((addresses) => !addresses || site === UNKNOWN_SITE || siteOfAddress(addresses[0]) === site);
    return found.length && !found.includes(null) ? found.flatMap((addresses) => addresses ?? []) : null;
  }

  /** @param {Session} sessionId */
  childOf(sessionId) {
    return childrenOf(this.tabId).find(([id]) => id === sessionId)?.[1];
  }

  /**
   * The refusal of what is to be done in the document of a context; null where it is allowed.
   * @param {Session} sessionId @param {number} contextId @param {Need} need @param {CallContext} call
   * @returns {TabwireError|null}
   */
  refusalIn(sessionId, contextId, need, call) {
    const addresses = this.addressesIn(sessionId, contextId);
    return need === "script" ? scriptRefusalOf(addresses, call) : refusalOf(addresses, need, call);
  }

  /**
   * Whether all documents of a session may be read.
   * @param {Session} sessionId @param {CallContext} call
   */
  areReadable(sessionId, call) {
    return this.contextsOf(sessionId).every((id) => !this.refusalIn(sessionId, id, "read", call));
  }

  /** Numbers of the contexts of a session. @param {Session} sessionId */
  contextsOf(sessionId) {
    return [...this.contexts].filter(([, context]) => context.sessionId === sessionId).map(([key]) => Number(key.split(" ")[1]));
  }

  /** Whether a context is that of the page that the tab shows. @param {Session} sessionId @param {number} contextId */
  isTop(sessionId, contextId) {
    const { frameId = "" } = this.contexts.get(`${sessionId} ${contextId}`) ?? {};
    return sessionId === undefined && this.frames.get(frameId)?.parentId === undefined;
  }

  /** The frames of a session whose documents may be read. @param {Session} sessionId @param {CallContext} call */
  readableFrames(sessionId, call) {
    const own = [...this.frames].filter(([, frame]) => frame.sessionId === sessionId).map(([id]) => id);
    return own.filter((id) => !refusalOf(this.addressesOf(id), "read", call));
  }

  /**
   * Whether the document of a context may be read, for one reply: each context is decided on once.
   * @param {CallContext} call @returns {(sessionId: Session, contextId: number|undefined) => boolean}
   */
  reading(call) {
    /** @type {Map<string, boolean>} */
    const decided = new Map();
    return (sessionId, contextId = NaN) => {
      const key = `${sessionId} ${contextId}`;
      const known = decided.get(key);
      if (known !== undefined) return known;
      const isAllowed = !this.refusalIn(sessionId, contextId, "read", call);
      decided.set(key, isAllowed);
      return isAllowed;
    };
  }
}

/**
 * Addresses that say whose document a frame has. Rules about files go by their paths, which no origin has; a sandboxed document
 * has no origin, but an address.
 * @param {Frame} frame
 */
function ownAddresses({ origin, url, before }) {
  const own = [origin, url ?? ""].filter(isTelling).filter((one) => one === url || siteOfAddress(one) !== FILES);
  return own.length ? own : [url ?? "", ...before];
}
