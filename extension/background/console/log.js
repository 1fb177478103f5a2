/*
 * Console messages of a tab, from all of its frames and workers. Chrome keeps the messages of the current documents and tells
 * them again on request, so a look back needs no buffer. A buffer holds the debugger and goes on collecting across
 * navigations.
 */
import { ifInTime, within } from "../base/deadline.js";
import { childrenOf, declareFollower, followChildren, inChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { isConsoleEvent, toEntry, withArgs } from "../debugger/console-entries.js";
import { onEvent, withDebugger } from "../debugger/attachment.js";
import { Documents, isDocumentEvent } from "../documents/documents.js";
import { CONSOLE_HOLD, declarePurpose, hold, isHeldFor, leave, onUnknown } from "../debugger/holds.js";
import { isRuntimeUsed, useRuntime } from "../documents/runtime-domain.js";
import { onForgetting, strikeText } from "../rules/secret-values.js";
import { timedOut } from "../base/errors.js";
import { countUse } from "../base/maps.js";
import { KeyedSignal } from "../base/signal.js";
import { persistedEntries, ready } from "../base/state.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** @import { Event, Protocol, Send } from "../debugger/commands" */
/** @typedef {import("../debugger/stack-frames.js").ConsoleEvent} ConsoleEvent */
/** @typedef {{session: string|undefined, context: Protocol.Runtime.ExecutionContextDescription}} Context */
/** @typedef {Log} ConsoleLog */
/** @typedef {string|undefined} Session */
/**
 * @typedef {{since: number, last: number, lastDropped: number, dropped: number, droppedUntil: number, entries: Entry[]}} Stored
 */

const CONTEXT = "Runtime.executionContextCreated";
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Chrome itself keeps as many of a document. */
const MAX_ENTRIES = 1000;
const MAX_CHARS = 400_000;
/** Objects of earlier messages are looked at in the page, the newest ones. */
const MAX_LOOKS = 300;
const MAIN_LIMIT_MS = 5_000;
const CHILD_LIMIT_MS = 1_000;

/** Tab → calls that read it now. @type {Map<number, number>} */
const readers = new Map();
/** @type {Map<number, Log>} */
const buffers = new Map();
const stored = /** @type {ReturnType<typeof persistedEntries<Stored>>} */ (persistedEntries("console.buffer:"));
/** @type {KeyedSignal<number, []>} */
const logged = new KeyedSignal();
/** Calls a listener when the buffer of a tab has news, or has ended. */
export const onLogged = logged.add;

/** Entries by key, the oldest first; bounded. */
class Log {
  /**
   * @param {number} tabId
   * @param {boolean} [keepsEvents] whether to keep what Chrome said of each message: its objects live as long as the look
   */
  constructor(tabId, keepsEvents = false) {
    this.documents = new Documents(tabId);
    /** Key → session and context of messages of unknown documents. @type {Map<string, [Session, number|undefined]>} */
    this.unsettled = new Map();
    this.since = Date.now();
    /** Key → event of the message. @type {Map<string, ConsoleEvent>|null} */
    this.events = keepsEvents ? new Map() : null;
    /** Contexts of scripts, those of the extension too. @type {Context[]} */
    this.contexts = [];
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    this.chars = 0;
    /** Number of the newest entry; the first one has 2. */
    this.last = 1;
    /** Number of the newest entry that was dropped. */
    this.lastDropped = 0;
    this.dropped = 0;
    this.droppedUntil = 0;
  }

  /** @param {Event} event */
  note(event) {
    const [method, params, session] = event;
    this.documents.note(event);
    if (method === CONTEXT) return void (this.events && this.contexts.push({ session, context: params.context }));
    if (method === "Runtime.exceptionRevoked") return this.revoke(params.exceptionId, session);
    if (!isConsoleEvent(method)) return;
    const context = contextOfMessage(event);
    const addresses = this.addressesOf(session, context);
    const entry = toEntry(method, params, session, addresses);
    // It was dropped before to make room.
    if (!entry || entry.time <= this.droppedUntil) return;
    if (!addresses && !this.entries.get(entry.key)?.addresses) this.unsettled.set(entry.key, [session, context]);
    if (this.entries.has(entry.key)) return;
    this.put(entry);
    this.events?.set(entry.key, /** @type {ConsoleEvent} */ ([method, params, session]));
    while (this.entries.size > MAX_ENTRIES || this.chars > MAX_CHARS) this.drop();
  }

  /** Reports of the browser itself have no context. @param {string|undefined} session @param {number|undefined} context */
  addressesOf(session, context) {
    return context === undefined ? this.documents.addressesInSession(session) : this.documents.addressesIn(session, context);
  }

  /** Says of earlier messages what documents they are of, as far as that is known by now. */
  settle() {
    for (const [key, [session, context]] of this.unsettled) {
      const [entry, addresses] = [this.entries.get(key), this.addressesOf(session, context)];
      if (entry && !addresses) continue;
      this.unsettled.delete(key);
      if (entry && addresses) this.put({ ...entry, addresses });
    }
  }

  /** @param {Entry} heard */
  put(heard) {
    const known = this.entries.get(heard.key);
    // A message outlives the page that has said it, and what is known of that page.
    const entry = { ...heard, text: strikeText(heard.text), ...(heard.stack && { stack: heard.stack.map(strikeText) }) };
    this.chars += sizeOf(entry) - sizeOf(known);
    entry.n ??= known?.n ?? (this.last += 1);
    this.entries.set(entry.key, entry);
  }

  /** Strikes what is known by now of the pages' secrets. */
  strike() {
    for (const entry of this.entries.values()) this.put(entry);
  }

  drop() {
    const [oldest] = this.entries.values();
    this.remove(oldest);
    this.dropped += 1;
    this.lastDropped = Math.max(this.lastDropped, oldest.n ?? 0);
    this.droppedUntil = Math.max(this.droppedUntil, oldest.time);
  }

  /** @param {Entry} entry */
  remove(entry) {
    this.entries.delete(entry.key);
    this.unsettled.delete(entry.key);
    this.events?.delete(entry.key);
    this.chars -= sizeOf(entry);
  }

  /** Removes the entry of a rejection that was handled later. @param {number} exceptionId @param {string|undefined} session */
  revoke(exceptionId, session) {
    const entry = [...this.entries.values()].find(
      ({ key, kind }) => kind && key.startsWith(`${session ?? ""} `) && key.endsWith(` ${exceptionId}`),
    );
    if (entry) this.remove(entry);
  }

  /** Objects of messages from before come without their members. @param {number} tabId */
  async look(tabId) {
    const open = [...this.entries.values()].filter(({ args }) => args).slice(-MAX_LOOKS);
    await Promise.allSettled(open.map(async (entry) => {
      const args = await Promise.all((entry.args ?? []).map((arg) => previewed(senderOf(tabId, entry.session), arg)));
      if (this.entries.has(entry.key)) this.put(/** @type {Entry} */ (withArgs(entry, args)));
    }));
  }

  /** Entries in the order in which they came. @param {number} number of the last one that is known */
  after(number) {
    return [...this.entries.values()].filter(({ n = 0 }) => n > number).sort((a, b) => (a.n ?? 0) - (b.n ?? 0));
  }

  /** @returns {Entry[]} the oldest first */
  get list() {
    return [...this.entries.values()].sort((a, b) => a.time - b.time);
  }
}

/** The context that a message is of; undefined for reports of the browser. @param {Event} event */
function contextOfMessage([method, params]) {
  if (method === "Runtime.consoleAPICalled") return params.executionContextId;
  return method === "Runtime.exceptionThrown" ? params.exceptionDetails.executionContextId ?? 0 : undefined;
}

/** @param {Entry|undefined} entry */
const sizeOf = (entry) =>
  entry ? entry.text.length + (entry.stack?.join("").length ?? 0) + (entry.source?.length ?? 0) +
    (entry.addresses?.join("").length ?? 0) + entry.key.length + 50 : 0;

/** @param {Send} send @param {Protocol.Runtime.RemoteObject} arg */
async function previewed(send, arg) {
  if (arg.objectId === undefined || arg.preview) return arg;
  const itself = { objectId: arg.objectId, functionDeclaration: "function () { return this; }", generatePreview: true };
  const { result } = await send("Runtime.callFunctionOn", itself);
  return result;
}

const enable = (/** @type {Send} */ send) => Promise.all([send("Runtime.enable"), send("Log.enable")]);

/** Tabs whose buffer is being given up. @type {Set<number>} */
const ending = new Set();

declareFollower({
  wants: (tabId) => (isHeldFor(tabId, CONSOLE_HOLD) && !ending.has(tabId)) || readers.has(tabId),
  // The address of a frame must be known before its scripts run.
  prepare: (send) => Promise.allSettled([send("Page.enable"), enable(send)]),
});

/** Makes Chrome report all messages so far, everywhere in the tab. @param {number} tabId @param {Send} send @param {Log} log */
async function replay(tabId, send, log) {
  // The domain is on already while a script runs in a frame; without a restart Chrome would not tell old messages again.
  const main = Promise.all([log.documents.learn(undefined, send), send("Log.enable")]).then(() => true);
  if (!(await within(main, MAIN_LIMIT_MS))) {
    throw timedOut("the page is busy and does not tell what its console says; try again when it answers");
  }
  await followChildren(tabId, send);
  const asked = new Set();
  for (let next = childrenOf(tabId); next.length; next = childrenOf(tabId).filter(([id]) => !asked.has(id))) {
    for (const [id] of next) asked.add(id);
    // Both commands wait for those that were sent to prepare the child.
    await Promise.all(next.map(([id]) => {
      const sendChild = senderOf(tabId, id);
      const asked = [log.documents.learn(id, sendChild), sendChild("Log.enable"), sendChild("Target.setAutoAttach", AUTO_ATTACH)];
      return ifInTime(Promise.all(asked), CHILD_LIMIT_MS);
    }));
  }
  log.settle();
  await ifInTime(log.look(tabId), CHILD_LIMIT_MS);
}

/** @param {number} tabId @param {Send} send */
async function silence(tabId, send) {
  const isUsed = isRuntimeUsed(tabId);
  const disable = (/** @type {Send} */ one) =>
    Promise.allSettled([isUsed ? undefined : one("Runtime.disable"), one("Log.disable")]);
  const children = inChildren(tabId, (sendChild) => disable(sendChild));
  await ifInTime(Promise.all([disable(send), children]), CHILD_LIMIT_MS);
  await leaveChildren(tabId, send);
}

/**
 * Reads the console messages of a tab's current documents, as far as Chrome keeps them.
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<Log>}
 */
export const lookBack = (tabId, call) => whileTold(tabId, call, new Log(tabId), async (log) => log);

/**
 * Reads them as `lookBack`, and runs `work` while the objects of the messages live: those of children have a session then.
 * @template T
 * @param {number} tabId
 * @param {CallContext} call
 * @param {(log: Log, send: Send) => Promise<T>} work
 * @returns {Promise<T>}
 */
export const lookClosely = (tabId, call, work) => whileTold(tabId, call, new Log(tabId, true), work);

/**
 * @template T
 * @param {number} tabId @param {CallContext} call @param {Log} log @param {(log: Log, send: Send) => Promise<T>} work
 * @returns {Promise<T>}
 */
function whileTold(tabId, call, log, work) {
  return withDebugger(tabId, call, async (send) => {
    const stop = onEvent(tabId, (...event) => log.note(event));
    const [leaveReaders, leaveRuntime] = [countUse(readers, tabId), useRuntime(tabId)];
    try {
      await replay(tabId, send, log);
      return await work(log, send);
    } finally {
      stop();
      leaveRuntime();
      if (!leaveReaders() && !isHeldFor(tabId, CONSOLE_HOLD)) await silence(tabId, send);
    }
  });
}

/**
 * Begins to collect, or takes part in a collection that is under way.
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<Log>}
 */
export function startBuffer(tabId, call) {
  const isRunning = isHeldFor(tabId, CONSOLE_HOLD);
  return hold(tabId, CONSOLE_HOLD, call, async (send) => {
    const log = bufferOf(tabId) ?? new Log(tabId);
    buffers.set(tabId, log);
    if (!isRunning) await replay(tabId, send, log);
    write(tabId);
    return log;
  });
}

/**
 * Ends a client's part; the collection goes with the last one.
 * @param {number} tabId
 * @param {CallContext} call
 */
export const stopBuffer = (tabId, call) => leave(tabId, CONSOLE_HOLD, call);

/**
 * Buffer that collects the console messages of a tab.
 * @param {number} tabId
 * @returns {Log|null}
 */
export function bufferOf(tabId) {
  if (!isHeldFor(tabId, CONSOLE_HOLD)) return null;
  const known = buffers.get(tabId);
  if (known) return known;
  const saved = stored.get(String(tabId));
  if (!saved) return null;
  const { entries, ...numbers } = saved;
  const log = Object.assign(new Log(tabId), numbers);
  for (const entry of entries) log.put(entry);
  buffers.set(tabId, log);
  return log;
}

declarePurpose(CONSOLE_HOLD, {
  async undo(tabId, send) {
    ending.add(tabId);
    if (!readers.has(tabId)) await silence(tabId, send);
  },
  ended(tabId) {
    ending.delete(tabId);
    buffers.delete(tabId);
    void stored.remove([String(tabId)]);
    logged.emit(tabId);
  },
});

// Documents that an earlier worker knew are asked for again.
void onUnknown(CONSOLE_HOLD, new Map(), async (tabId) => {
  const log = bufferOf(tabId);
  if (log) await replay(tabId, senderOf(tabId, undefined), log).catch(() => {});
});

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  const isMessage = isConsoleEvent(method) || method === "Runtime.exceptionRevoked";
  if (tabId === undefined || !(isMessage || isDocumentEvent(method))) return;
  await ready;
  const log = bufferOf(tabId);
  if (!log) return;
  log.note(/** @type {Event} */ ([method, params, sessionId]));
  if (!isMessage) return;
  logged.emit(tabId);
  write(tabId);
});

onForgetting(() => {
  for (const [tabId, log] of buffers) {
    log.strike();
    void write(tabId);
  }
});

/** Tabs whose buffer is being written; true: it has changed since. @type {Map<number, boolean>} */
const writing = new Map();

/** Writes the buffer of a tab through; while that goes on, changes gather for the next time. @param {number} tabId */
async function write(tabId) {
  if (writing.has(tabId)) return void writing.set(tabId, true);
  writing.set(tabId, false);
  const log = buffers.get(tabId);
  if (log) await stored.set(String(tabId), toStored(log)).catch(() => {});
  const hasChanged = writing.get(tabId);
  writing.delete(tabId);
  if (!buffers.has(tabId)) void stored.remove([String(tabId)]);
  else if (hasChanged) void write(tabId);
}

/** @param {Log} log @returns {Stored} */
const toStored = ({ since, last, lastDropped, dropped, droppedUntil, entries }) => ({
  since, last, lastDropped, dropped, droppedUntil,
  entries: [...entries.values()].map(({ args: _, session: __, ...entry }) => entry),
});
