/**
 * Watches all frames of a tab (or one) for a condition, across navigations: every document reports what it sees, new
 * documents join, documents that go are left out.
 */
import { unlessAborted, within } from "../base/deadline.js";
import { noSuchTab, TabwireError } from "../base/errors.js";
import { watchTab } from "../base/navigation-events.js";
import { call as callPage, callAll } from "./content-calls.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {{kind: string, [key: string]: unknown}} Condition  see content/changes/wait.js */
/** @typedef {{frames: number, [fact: string]: any}} State what a document sees; frames: how many it holds */

/** Errors that mean: this document is gone or cannot be reached now; another one may come. */
const PASSING = new Set(["stale_element_reference", "no_such_frame", "restricted_page", "navigation_failed", "unknown_error"]);

const MAX_LOSSES = 3;
/** Time that the frames may take to answer after the top document. */
const FRAMES_LIMIT_MS = 300;

class FrameWatch {
  /**
   * @param {number} tabId
   * @param {Condition} condition
   * @param {{frameId?: number}} scope
   * @param {CallContext} call  its signal ends the watch
   */
  constructor(tabId, condition, { frameId }, call) {
    this.tabId = tabId;
    this.condition = condition;
    this.frameId = frameId;
    this.ended = new AbortController();
    this.call = { ...call, signal: AbortSignal.any([call.signal, this.ended.signal]) };
    this.id = crypto.randomUUID();
    /** documentId → its frame and state. @type {Map<string, {frameId: number, state: State}>} */
    this.documents = new Map();
    /** @type {Set<string>} */
    this.asking = new Set();
    /** documentId → how often it stopped answering. @type {Map<string, number>} */
    this.losses = new Map();
    /** @type {TabwireError|null} */
    this.failure = null;
    /** Whether there may be documents that are not followed yet. */
    this.mustJoin = false;
    /** Grows with everything that may change the verdict, so that no change between two looks is missed. */
    this.version = 0;
    this.wake = () => {};
    this.navigation = watchTab(tabId);
    this.navigation.onProgress(() => this.touch(true));
  }

  /** @param {boolean} mustJoin  whether there may be documents that are not followed yet */
  touch(mustJoin) {
    this.version += 1;
    this.mustJoin ||= mustJoin;
    this.wake();
  }

  /**
   * Asks every document that is not followed yet, and follows it from then on. A frame that is busy does not hold up the
   * others.
   */
  async join() {
    const frames = (await chrome.webNavigation.getAllFrames({ tabId: this.tabId })) ?? [];
    const asked = frames.map(({ frameId, documentId }) => this.ask(frameId, documentId));
    const top = frames.findIndex(({ frameId }) => frameId === (this.frameId ?? 0));
    if (this.frameId !== undefined && top < 0) {
      throw new TabwireError("no_such_frame", `there is no frame ${this.frameId} in this tab; take a new snapshot`);
    }
    await asked[top];
    await within(Promise.all([...asked, this.askUnlisted()]), FRAMES_LIMIT_MS);
  }

  /** @param {number} frameId @param {string} documentId */
  async ask(frameId, documentId) {
    if (this.frameId !== undefined && frameId !== this.frameId) return;
    if (this.documents.has(documentId) || this.asking.has(documentId) || (this.losses.get(documentId) ?? 0) >= MAX_LOSSES) return;
    this.asking.add(documentId);
    try {
      const value = await callPage(
        this.tabId, { documentId }, "wait.flip", { id: this.id, condition: this.condition }, this.call,
      );
      this.note(frameId, documentId, value);
    } catch (error) {
      this.lose(documentId, error, frameId);
    } finally {
      this.asking.delete(documentId);
    }
  }

  /** webNavigation leaves out frames of blob: and javascript: addresses; their parents count them. */
  async askUnlisted() {
    if (this.frameId !== undefined) return;
    const states = [...this.documents.values()].map(({ state }) => state);
    const expected = states.reduce((sum, { frames }) => sum + frames, 1);
    if (states.length >= expected) return;
    const answers = await callAll(this.tabId, "wait.flip", { id: this.id, condition: this.condition }, this.call).catch(() => []);
    for (const { frameId, documentId, value } of answers) if (value) this.note(frameId, documentId, value);
  }

  /** @param {number} frameId @param {string} documentId @param {string} value a State as JSON */
  note(frameId, documentId, value) {
    if (this.documents.has(documentId)) return;
    this.documents.set(documentId, { frameId, state: JSON.parse(value) });
    this.touch(false);
    this.follow(documentId, value);
  }

  /**
   * A document that is gone or cannot be reached is left out; one that answers with an error ends the watch.
   * @param {string} documentId @param {TabwireError} error @param {number} [frameId]
   */
  lose(documentId, error, frameId = this.documents.get(documentId)?.frameId) {
    this.documents.delete(documentId);
    this.losses.set(documentId, (this.losses.get(documentId) ?? 0) + 1);
    // A frame that the owner does not allow to read is no part of the wait, unless it is the page itself.
    if (error.code === "permission_denied" && frameId !== (this.frameId ?? 0)) return this.losses.set(documentId, MAX_LOSSES);
    const isOwn = error.data?.cause && !["navigated", "frame_gone"].includes(String(error.data.cause));
    if (isOwn || !PASSING.has(error.code)) this.failure ??= error;
    this.touch(true);
  }

  /** @param {string} documentId @param {string} known */
  async follow(documentId, known) {
    try {
      while (!this.ended.signal.aborted) {
        const args = { id: this.id, condition: this.condition, known };
        known = await callPage(this.tabId, { documentId }, "wait.flip", args, this.call);
        const document = /** @type {{state: State}} */ (this.documents.get(documentId));
        const state = JSON.parse(known);
        const hasOtherFrames = state.frames !== document.state.frames;
        document.state = state;
        this.touch(hasOtherFrames);
      }
    } catch (error) {
      this.lose(documentId, error);
    }
  }

  /** States of the frames now; null while the document in question is being replaced. */
  get states() {
    const seen = [...this.documents.values()];
    const main = this.frameId ?? 0;
    return seen.some(({ frameId }) => frameId === main) ? seen.map(({ state }) => state) : null;
  }

  /** Resolves when something happened since `version`. @param {number} version */
  async change(version) {
    if (this.version !== version) return;
    const { promise, resolve } = Promise.withResolvers();
    this.wake = () => resolve(null);
    await unlessAborted(promise, this.call.signal);
  }

  close() {
    this.ended.abort(new TabwireError("cancelled", "the wait has ended"));
    this.navigation.close();
    const target = { tabId: this.tabId, allFrames: true };
    const func = /** @type {never} */ (
      (/** @type {string} */ id) => Object.hasOwn(globalThis, "__tabwire") && globalThis.__tabwire.call("wait.stop", { id })
    );
    chrome.scripting.executeScript({ target, injectImmediately: true, func, args: [this.id] }).catch(() => {});
  }
}

/**
 * Resolves when the frames' states satisfy `isMet`; follows the tab through navigations.
 * @param {number} tabId
 * @param {Condition} condition
 * @param {{frameId?: number, onStates?: (states: State[]) => void}} scope  `onStates` hears every set of states
 * @param {(states: State[]) => boolean} isMet
 * @param {CallContext} call
 * @returns {Promise<void>}
 */
export async function untilInFrames(tabId, condition, scope, isMet, call) {
  const watch = new FrameWatch(tabId, condition, scope, call);
  try {
    await watch.join();
    for (;;) {
      const { version, states, failure, navigation } = watch;
      if (failure) throw failure;
      if (navigation.progress.removed) throw noSuchTab("the tab was closed during the wait; call tab_list");
      if (states) scope.onStates?.(states);
      if (states && isMet(states)) return;
      if (watch.mustJoin) {
        watch.mustJoin = false;
        await watch.join().catch(passOver);
        watch.version += 1;
      }
      await watch.change(version);
    }
  } finally {
    watch.close();
  }
}

/** A page that is being replaced cannot be asked; its successor announces itself. @param {TabwireError} error */
function passOver(error) {
  if (!PASSING.has(error.code)) throw error;
}
