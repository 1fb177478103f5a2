/**
 * Debugger commands in one frame of a tab. Chrome's frame ids and the debugger's are unrelated, and a frame of another
 * site lives in another process with a session of its own; a mark left by a content script tells which context it is.
 */
import { countUse, getOrMake } from "../base/maps.js";
import { within } from "../base/deadline.js";
import { childrenOf, isFollowed, senderOf } from "../debugger/child-sessions.js";
import { onEvent } from "../debugger/attachment.js";
import { contextOf } from "../debugger/remote-values.js";
import { Documents } from "./documents.js";
import { useRuntime } from "./runtime-domain.js";
import { TabwireError, toTabwireError } from "../base/errors.js";
import { assertDocument, assertTop } from "../rules/permissions.js";
import { FILES, siteOfAddress } from "../rules/site-pattern.js";
import { webOriginOf } from "../base/url.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { Event, Protocol, Send } from "../debugger/commands" */
/** @typedef {{sessionId: string|undefined, context: Protocol.Runtime.ExecutionContextDescription}} Found */
/**
 * Contexts of a frame: ours, and that of the page's own scripts; with all documents that are known
 * @typedef {{own: Found, page: Found, documents: Documents}} Pair
 */

/** Time that news of a frame may take: seconds on a busy machine. A search that finds the frame does not wait. */
const LATE_MS = 5000;
/** A session that could not be asked yet is asked again. */
const AGAIN_MS = 100;
const ANSWER_MS = 1000;

/**
 * Tab id → number of searches that have its frames attached now: a frame that one detaches is lost for the others.
 * @type {Map<number, number>}
 */
const searches = new Map();

const AUTO_ATTACH = { waitForDebuggerOnStart: false, flatten: true };

/**
 * Limits the wait for an answer: a command sent while a frame changes processes gets none. The tab's own session always answers.
 * @type {<T>(sessionId: string|undefined, answer: Promise<T>) => Promise<T>}
 */
const inTime = (sessionId, answer) =>
  sessionId === undefined
    ? answer
    : within(answer, ANSWER_MS, () => {
        throw new Error("no answer");
      });

/** Collects the execution contexts of a tab while it is open. */
class Contexts {
  /** @param {number} tabId @param {Send} send */
  constructor(tabId, send) {
    this.tabId = tabId;
    this.send = send;
    this.documents = new Documents(tabId);
    /** @type {Found[]} */
    this.found = [];
    /** @type {string[]} */
    this.sessions = [];
    /** Session → the frame it was opened for. @type {Map<string|undefined, string>} */
    this.targets = new Map();
    /** Sessions that tell their contexts. @type {Set<string|undefined>} */
    this.enabled = new Set();
    /** Whether the search has ended and nobody waits for it any more. */
    this.isOver = false;
    /**
     * Session → rejects when the session ends: Chrome leaves its commands without an answer.
     * @type {Map<string, PromiseWithResolvers<never>>}
     */
    this.ends = new Map();
    /** Wakes the search when something new is known. */
    this.wake = () => {};
    // Sessions that somebody else holds open announce themselves no more.
    if (isFollowed(tabId) || searches.has(tabId))
      for (const [sessionId, child] of childrenOf(tabId)) this.noteChild(sessionId, child);
    this.leaveSearches = countUse(searches, tabId);
    /** @type {(() => boolean)|undefined} */
    this.leaveRuntime = undefined;
    this.stop = onEvent(tabId, (...event) => this.note(event));
  }

  /** @param {Event} event */
  note(event) {
    const [method, params, sessionId] = event;
    this.documents.note(event);
    if (method === "Runtime.executionContextCreated") this.found.push({ sessionId, context: params.context });
    else if (method === "Target.attachedToTarget") this.noteChild(params.sessionId, params.targetInfo);
    else if (method === "Target.detachedFromTarget") this.dropChild(params.sessionId);
    else return;
    this.wake();
  }

  /** @param {string} sessionId @param {{type: string, targetId: string}} child */
  noteChild(sessionId, { type, targetId }) {
    if (type !== "iframe" || this.sessions.includes(sessionId)) return;
    this.sessions.push(sessionId);
    this.targets.set(sessionId, targetId);
  }

  /** @param {string} sessionId */
  dropChild(sessionId) {
    this.sessions = this.sessions.filter((id) => id !== sessionId);
    const { promise, reject } = this.endOf(sessionId);
    promise.catch(() => {});
    reject(new Error("Inspected target navigated or closed"));
  }

  /** Rejects, in Chrome's words, when the session ends. @param {string} sessionId */
  endOf(sessionId) {
    return getOrMake(this.ends, sessionId, () => /** @type {PromiseWithResolvers<never>} */ (Promise.withResolvers()));
  }

  /** @param {string|undefined} sessionId undefined: the tab's own @returns {Send} */
  sender(sessionId) {
    if (sessionId === undefined) return this.send;
    const send = senderOf(this.tabId, sessionId);
    return (...command) => Promise
      .race([send(...command), this.endOf(sessionId).promise])
      .catch((error) => { throw toTabwireError(error); });
  }

  /** Frames in frames may be in further processes: the list grows while it is walked. */
  async collect() {
    for (const sessionId of [undefined, ...this.sessions].filter((id) => !this.enabled.has(id))) {
      this.enabled.add(sessionId);
      await inTime(sessionId, this.enable(sessionId)).catch((error) => this.putOff(sessionId, error));
    }
    if (this.sessions.some((id) => !this.enabled.has(id))) await this.collect();
  }

  /**
   * A part that comes or goes just now does not answer: it is asked again while the search goes on.
   * @param {string|undefined} sessionId @param {unknown} error
   */
  putOff(sessionId, error) {
    if (sessionId === undefined) throw error;
    setTimeout(() => {
      this.enabled.delete(sessionId);
      this.wake();
    }, AGAIN_MS);
  }

  /**
   * The page's own context in the frame where `leave` leaves the mark. What Chrome tells of it may come after its answers,
   * and a document that takes the place of the marked one has no mark yet.
   * @param {() => Promise<boolean>} leave  false: the frame has no document at this moment
   * @param {string} mark
   * @returns {Promise<Pair|undefined>}
   */
  async find(leave, mark) {
    this.leaveRuntime = useRuntime(this.tabId);
    // The search itself can hang: a page that goes away answers nothing.
    return within(this.search(leave, mark), LATE_MS).finally(() => (this.isOver = true));
  }

  /** @param {() => Promise<boolean>} leave @param {string} mark @returns {Promise<Pair|undefined>} */
  async search(leave, mark) {
    while (!this.isOver) {
      const news = new Promise((resolve) => (this.wake = () => resolve(null)));
      const isLeft = await leave();
      await this.collect();
      const own = await this.marked(mark);
      const page = own ? this.pageContext(own) : undefined;
      if (own && page) return { own, page, documents: this.documents };
      await (isLeft ? news : within(news, AGAIN_MS));
    }
    return undefined;
  }

  /** @param {string|undefined} sessionId */
  async enable(sessionId) {
    await this.documents.learn(sessionId, this.sender(sessionId));
    await this.attach(sessionId);
  }

  /** Attaches to the frames of other processes. @param {string|undefined} sessionId */
  async attach(sessionId) {
    if (isFollowed(this.tabId)) return;
    await this.sender(sessionId)("Target.setAutoAttach", { autoAttach: true, ...AUTO_ATTACH });
  }

  async release() {
    if (this.leaveSearches() || isFollowed(this.tabId)) return;
    await this.send("Target.setAutoAttach", { autoAttach: false, ...AUTO_ATTACH }).catch(() => {});
  }

  /** @param {string} mark @returns {Promise<Found|null>} our own context in the marked frame */
  async marked(mark) {
    for (const entry of this.found) {
      const { sessionId, context } = entry;
      if (context.auxData?.isDefault || !context.origin.includes(chrome.runtime.id)) continue;
      const options = { expression: "globalThis.__tabwireMark", contextId: context.id, returnByValue: true };
      const answer = await inTime(sessionId, this.sender(sessionId)("Runtime.evaluate", options)).catch(() => null);
      if (answer?.result?.value === mark) return entry;
    }
    return null;
  }

  /** The page's own context in the frame of `entry`. @param {Found} entry */
  pageContext({ sessionId, context }) {
    const { frameId } = context.auxData;
    return this.found.find((other) =>
      other.sessionId === sessionId && other.context.auxData?.isDefault && other.context.auxData.frameId === frameId);
  }

  async close() {
    this.stop();
    await this.release();
    if (!this.leaveRuntime?.()) return;
    const left = isFollowed(this.tabId) || searches.has(this.tabId) ? this.sessions : [];
    await Promise.allSettled([undefined, ...left].map((sessionId) =>
      inTime(sessionId, this.sender(sessionId)("Runtime.disable"))));
  }
}

/** Reads a context's address: the origin of local files does not tell them apart. @param {Send} send @param {number} contextId */
async function pathIn(send, contextId) {
  const asked = { expression: "location.href", contextId, returnByValue: true, silent: true };
  const { result } = await send("Runtime.evaluate", asked);
  return String(result.value);
}

/**
 * The context of the top document, found to be allowed. What is evaluated there does not run in another document that takes
 * its place: `location` is one of the few things a page cannot forge, and a context ends with its document.
 * @param {number} tabId
 * @param {Send} send
 * @param {CallContext} call
 * @returns {Promise<{contextId: number}>}
 */
async function allowedContext(tabId, send, call) {
  const objectGroup = crypto.randomUUID();
  const { result } = await send("Runtime.evaluate", {
    expression: "[location.origin]", generatePreview: true, silent: true, objectGroup,
  });
  void send("Runtime.releaseObjectGroup", { objectGroup }).catch(() => {});
  // It names the page's own context, as long as the document lives.
  const contextId = contextOf(result.objectId);
  const origin = result.preview?.properties?.[0]?.value;
  // A preview cuts long texts, and no origin has such a mark.
  if (!contextId || typeof origin !== "string" || origin.includes("…"))
    throw new TabwireError("frame_unreachable", "the page does not say where it is; load it again");
  await assertTop(call, tabId, siteOfAddress(origin) === FILES ? await pathIn(send, contextId) : origin);
  return { contextId };
}

const ELSEWHERE = `tabwire: another document (${crypto.randomUUID()})`;

/**
 * Whether a statement that bound a script to an origin has stopped it.
 * @param {Protocol.Runtime.EvaluateResponse} evaluation
 */
export const isElsewhere = ({ exceptionDetails }) => exceptionDetails?.exception?.value === ELSEWHERE;

/**
 * A statement that stops a script in a top document of another origin than the one that was found to be allowed: such a script
 * needs no question before it. Null where the address of the tab does not tell an origin.
 * @param {number} tabId @param {CallContext} call
 */
async function boundToOrigin(tabId, call) {
  const origin = webOriginOf(call.tab?.url ?? "");
  if (origin === undefined) return null;
  await assertTop(call, tabId, origin);
  return { guard: `if (location.origin !== ${JSON.stringify(origin)}) throw ${JSON.stringify(ELSEWHERE)}; ` };
}

/**
 * Place where a script is run: in a known context, or wherever the statement `guard` lets it run. isSure: in a known context
 * @typedef {(isSure: boolean) => Promise<{contextId?: number, guard?: string}>} PlaceOf
 */

/**
 * Runs `work` with debugger commands that evaluate in the given frame.
 * @template T
 * @param {number} tabId
 * @param {number} frameId  Chrome's; 0 is the top frame
 * @param {Send} send  commands of the tab's own session
 * @param {(send: Send, placeOf: PlaceOf, sessionId?: string) => Promise<T>} work placeOf: asks the page, which may be busy
 * @param {CallContext} call
 * @returns {Promise<T>}
 */
export async function inFrame(tabId, frameId, send, work, call) {
  if (!frameId)
    return work(send, async (isSure) => (isSure ? null : await boundToOrigin(tabId, call)) ?? allowedContext(tabId, send, call));
  return inContexts(tabId, frameId, send, (sendInFrame, { page }) =>
    work(sendInFrame, async () => ({ contextId: page.context.id }), page.sessionId), call);
}

/**
 * Runs `work` with debugger commands for the process of a frame, and with both contexts of that frame: content scripts and the
 * debugger know the same elements there by names of their own.
 * @template T
 * @param {number} tabId
 * @param {number} frameId  Chrome's
 * @param {Send} send  commands of the tab's own session
 * @param {(send: Send, contexts: Pair) => Promise<T>} work
 * @param {CallContext} call
 * @returns {Promise<T>}
 */
export async function inContexts(tabId, frameId, send, work, call) {
  const mark = crypto.randomUUID();
  const leave = () => assertDocument(tabId, frameId, call, mark)
    .then(() => true, async (error) => {
      // Chrome calls a frame removed, too, while its next document takes over from another process.
      if (/was removed|No document with id/.test(error.message) && (await chrome.webNavigation.getFrame({ tabId, frameId })))
        return false;
      throw toTabwireError(error);
    });
  const contexts = new Contexts(tabId, send);
  try {
    const found = await contexts.find(leave, mark);
    if (!found) {
      throw new TabwireError(
        "frame_unreachable",
        `scripts cannot be run in frame ${frameId}; take a new snapshot and use a frame it shows`,
      );
    }
    return await work(contexts.sender(found.page.sessionId), found);
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
    const done = await Promise.allSettled(
      [undefined, ...contexts.sessions].map((sessionId) =>
        work(contexts.sender(sessionId), contexts.targets.get(sessionId) ?? ""),
      ),
    );
    return done.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value);
  } finally {
    contexts.stop();
    await contexts.release();
  }
}
