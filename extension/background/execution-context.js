/**
 * Debugger commands in one frame of a tab. Chrome's frame ids and the debugger's are unrelated, and a frame of another
 * site lives in another process with a session of its own; a mark left by a content script tells which context it is.
 */
import { childrenOf, isFollowed } from "./child-sessions.js";
import { CONSOLE_HOLD } from "./console-log.js";
import { onEvent } from "./debugger.js";
import { isHeldFor } from "./debugger-holds.js";
import { TabwireError, toTabwireError } from "./errors.js";

/** @typedef {(method: string, params?: object) => Promise<any>} Send */

/** So long may news of a frame be on their way. */
const LATE_MS = 500;

const AUTO_ATTACH = { waitForDebuggerOnStart: false, flatten: true };

/** Runs in the isolated world of the wanted frame. */
const leaveMark = (mark) => void (globalThis.__tabwireMark = mark);

/** Collects the execution contexts of a tab while it is open. */
class Contexts {
  constructor(tabId, send) {
    this.tabId = tabId;
    this.send = send;
    /** @type {{sessionId: string|undefined, context: any}[]} */
    this.found = [];
    /** @type {string[]} */
    this.sessions = [];
    /** Session → the frame it was opened for. @type {Map<string|undefined, string>} */
    this.targets = new Map();
    /** Sessions that tell their contexts. @type {Set<string|undefined>} */
    this.enabled = new Set();
    /** Something new is known. */
    this.wake = () => {};
    // Sessions that a route or a capture holds open announce themselves no more.
    if (isFollowed(tabId)) for (const [sessionId, child] of childrenOf(tabId)) this.noteChild(sessionId, child);
    this.stop = onEvent(tabId, (method, params, sessionId) => this.note(method, params, sessionId));
  }

  note(method, params, sessionId) {
    if (method === "Runtime.executionContextCreated") this.found.push({ sessionId, context: params.context });
    else if (method === "Target.attachedToTarget") this.noteChild(params.sessionId, params.targetInfo);
    else return;
    this.wake();
  }

  noteChild(sessionId, { type, targetId }) {
    if (type !== "iframe" || this.sessions.includes(sessionId)) return;
    this.sessions.push(sessionId);
    this.targets.set(sessionId, targetId);
  }

  /** @returns {Send} commands of a session; undefined is the tab's own */
  sender(sessionId) {
    if (sessionId === undefined) return this.send;
    return (method, params = {}) => chrome.debugger.sendCommand({ tabId: this.tabId, sessionId }, method, params);
  }

  /** Frames in frames may be in further processes: the list grows while it is walked. */
  async collect() {
    for (const sessionId of [undefined, ...this.sessions].filter((id) => !this.enabled.has(id))) {
      this.enabled.add(sessionId);
      await this.enable(sessionId).catch((error) => { if (sessionId === undefined) throw error; });
    }
    if (this.sessions.some((id) => !this.enabled.has(id))) await this.collect();
  }

  /**
   * The page's own context in the marked frame. On a busy machine what Chrome tells of it may come after its answers.
   * @returns {Promise<{sessionId: string|undefined, context: any}|undefined>}
   */
  async find(mark) {
    for (const end = Date.now() + LATE_MS; ;) {
      const news = new Promise((resolve) => (this.wake = () => resolve(null)));
      await this.collect();
      const own = await this.marked(mark);
      const page = own ? this.pageContext(own) : undefined;
      const left = end - Date.now();
      if (page || left <= 0) return page;
      await Promise.race([news, new Promise((resolve) => setTimeout(resolve, left))]);
    }
  }

  async enable(sessionId) {
    const send = this.sender(sessionId);
    // Where it is on already, for another call or for the console, the contexts would not be told again.
    await send("Runtime.disable");
    await send("Runtime.enable");
    await this.attach(sessionId);
  }

  /** Attaches to the frames of other processes. */
  async attach(sessionId) {
    if (isFollowed(this.tabId)) return;
    await this.sender(sessionId)("Target.setAutoAttach", { autoAttach: true, ...AUTO_ATTACH });
  }

  async release() {
    if (isFollowed(this.tabId)) return;
    await this.send("Target.setAutoAttach", { autoAttach: false, ...AUTO_ATTACH }).catch(() => {});
  }

  /** @returns {Promise<{sessionId: string|undefined, context: any}|null>} our own context in the marked frame */
  async marked(mark) {
    for (const entry of this.found) {
      const { sessionId, context } = entry;
      if (context.auxData?.isDefault || !context.origin.includes(chrome.runtime.id)) continue;
      const options = { expression: "globalThis.__tabwireMark", contextId: context.id, returnByValue: true };
      const answer = await this.sender(sessionId)("Runtime.evaluate", options).catch(() => null);
      if (answer?.result?.value === mark) return entry;
    }
    return null;
  }

  /** The page's own context in the frame of `entry`. */
  pageContext({ sessionId, context }) {
    const { frameId } = context.auxData;
    return this.found.find((other) =>
      other.sessionId === sessionId && other.context.auxData?.isDefault && other.context.auxData.frameId === frameId);
  }

  async close() {
    this.stop();
    await this.release();
    if (isHeldFor(this.tabId, CONSOLE_HOLD)) return;
    const left = isFollowed(this.tabId) ? this.sessions : [];
    await Promise.allSettled([undefined, ...left].map((sessionId) => this.sender(sessionId)("Runtime.disable")));
  }
}

/**
 * Runs `work` with debugger commands that evaluate in the given frame.
 * @template T
 * @param {number} tabId
 * @param {number} frameId  Chrome's; 0 is the top frame
 * @param {Send} send  commands of the tab's own session
 * @param {(send: Send, context: {contextId?: number}, sessionId?: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inFrame(tabId, frameId, send, work) {
  if (!frameId) return work(send, {});
  const mark = crypto.randomUUID();
  await chrome.scripting
    .executeScript({ target: { tabId, frameIds: [frameId] }, injectImmediately: true, func: leaveMark, args: [mark] })
    .catch((error) => { throw toTabwireError(error); });
  const contexts = new Contexts(tabId, send);
  try {
    const page = await contexts.find(mark);
    if (!page) {
      throw new TabwireError("frame_unreachable", `scripts cannot be run in frame ${frameId}; take a new snapshot and use a frame it shows`);
    }
    return await work(contexts.sender(page.sessionId), { contextId: page.context.id }, page.sessionId);
  } finally {
    await contexts.close();
  }
}

/**
 * Runs `work` once for the tab's own process and once for every process that holds frames of it. One that fails does not
 * fail the others.
 * @template T
 * @param {number} tabId
 * @param {Send} send  commands of the tab's own session
 * @param {(send: Send, process: string) => Promise<T>} work  process: "" is the tab's own
 * @returns {Promise<T[]>}
 */
export async function inEachProcess(tabId, send, work) {
  const contexts = new Contexts(tabId, send);
  try {
    await contexts.attach(undefined);
    for (const sessionId of contexts.sessions) await contexts.attach(sessionId).catch(() => {});
    const done = await Promise.allSettled([undefined, ...contexts.sessions].map((sessionId) => work(contexts.sender(sessionId), contexts.targets.get(sessionId) ?? "")));
    return done.filter(({ status }) => status === "fulfilled").map((outcome) => /** @type {any} */ (outcome).value);
  } finally {
    contexts.stop();
    await contexts.release();
  }
}
