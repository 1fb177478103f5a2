/**
 * Navigations and tabs as Chrome reports them: waits that end with an event.
 *
 * `watchTab` follows one tab from now on. Its `progress` is a plain record that events update; `until` resolves as soon
 * as a check of that record holds. Nothing here polls.
 */
import { unlessAborted } from "./deadline.js";
import { isExternal, noteArrival, noteExternal } from "./external-addresses.js";
import { KeyedSignal, Signal } from "./signal.js";
import { onTabClosed, TabMap } from "./tabs.js";
import { withoutFragment } from "./url.js";

/**
 * @typedef {object} Progress
 * @property {number} started        main-frame navigations that began since the watch opened
 * @property {{url: string}|null} pending  the one that began and neither committed nor failed
 * @property {number} superseded     begun ones that a later one replaced and whose end is not announced yet
 * @property {number} commits        main-frame documents committed
 * @property {number} sameDocument   fragment and history.pushState changes of the main frame
 * @property {number} frameStarts    navigations that began in subframes
 * @property {number} frameCommits   documents committed in subframes
 * @property {Map<number, FrameNavigation>} frames  the latest navigation of each subframe
 * @property {string|null} url       address of the latest commit or same-document change
 * @property {string|null} documentId  latest committed document
 * @property {boolean} isScripted    no form has asked for the latest committed document
 * @property {boolean} traversal     the latest commit came from back/forward (perhaps a cached document)
 * @property {"none"|"committed"|"domcontentloaded"|"load"} reached  state of the latest committed document
 * @property {{error: string, url: string}|null} failure  last failed navigation that nothing has replaced
 * @property {string} [external]     address it was led to that opens another program
 * @property {boolean} removed
 * @property {{tabId: number, url: string}[]} opened  tabs this one opened
 */

/**
 * isScripted: as for the main frame
 * @typedef {{url: string, isPending: boolean, isScripted?: boolean, error?: string}} FrameNavigation
 */

/** @returns {Progress} */
const freshProgress = () => ({
  started: 0,
  pending: null,
  superseded: 0,
  commits: 0,
  sameDocument: 0,
  frameStarts: 0,
  frameCommits: 0,
  frames: new Map(),
  url: null,
  documentId: null,
  isScripted: false,
  traversal: false,
  reached: "none",
  failure: null,
  removed: false,
  opened: [],
});

const STEPS = ["none", "committed", "domcontentloaded", "load"];

/** @param {Progress["reached"]} reached @param {Progress["reached"]} wanted @returns {boolean} */
export const hasReached = (reached, wanted) => STEPS.indexOf(reached) >= STEPS.indexOf(wanted);

/** @type {Set<Watch>} */
const watches = new Set();

class Watch {
  /** @param {number|null} tabId  null collects every tab until `bind` names one (a tab that is being created) */
  constructor(tabId) {
    this.tabId = tabId;
    this.progress = freshProgress();
    /** @type {[number, (progress: Progress) => void][]} */
    this.unbound = [];
    /** @type {Signal<[]>} */
    this.changed = new Signal();
    watches.add(this);
  }

  /** @param {number} tabId @param {(progress: Progress) => void} change */
  apply(tabId, change) {
    if (this.tabId === null) {
      this.unbound.push([tabId, change]);
      return;
    }
    if (tabId !== this.tabId) return;
    change(this.progress);
    this.changed.emit();
  }

  /** @param {number} tabId */
  bind(tabId) {
    this.tabId = tabId;
    for (const [id, change] of this.unbound.splice(0)) this.apply(id, change);
  }

  /**
   * Resolves with the first truthy value of `check`, looked at now and after every event of the tab.
   * @template T
   * @param {(progress: Progress) => T|undefined|null|false} check
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  until(check, signal) {
    /** @type {PromiseWithResolvers<T>} */
    const { promise, resolve } = Promise.withResolvers();
    const look = () => {
      const value = check(this.progress);
      if (value) resolve(value);
    };
    const stop = this.changed.add(look);
    look();
    return (signal ? unlessAborted(promise, signal) : promise).finally(stop);
  }

  /** Calls a listener after every event of the tab. */
  get onProgress() {
    return this.changed.add;
  }

  close() {
    watches.delete(this);
    this.changed = new Signal();
  }
}

/**
 * Follows a tab from now on; the caller closes the watch.
 * @param {number|null} [tabId]
 * @returns {Watch}
 */
export function watchTab(tabId = null) {
  return new Watch(tabId);
}

/** @param {number} tabId @param {(progress: Progress) => void} change */
function tell(tabId, change) {
  for (const watch of [...watches]) watch.apply(tabId, change);
}

/**
 * Details that the events of chrome.webNavigation carry; each event has some of them.
 * @typedef {object} Details
 * @property {number} tabId
 * @property {number} frameId
 * @property {string} url
 * @property {string} [documentId]
 * @property {string} [documentLifecycle]
 * @property {number} [processId]
 * @property {string} [transitionType]
 * @property {string[]} [transitionQualifiers]
 * @property {string} [error]
 */

/** Tells events of the page now shown from those of a prerendered page, which announces itself when it is activated. */
const isMainFrame = (/** @type {Details} */ details) =>
  details.frameId === 0 && (details.documentLifecycle ?? "active") !== "prerender";

/** Whether a page loads a document without a form for it. Chrome calls a form's navigation of a frame a manual one. */
const isScripted = (/** @type {Details} */ { transitionType = "" }) =>
  transitionType !== "form_submit" && transitionType !== "manual_subframe";

const isTraversal = (/** @type {Details} */ details) => (details.transitionQualifiers ?? []).includes("forward_back");

/** @satisfies {Partial<Record<keyof typeof chrome.webNavigation, (details: Details, progress: Progress) => void>>} */
const LISTENERS = {
  onBeforeNavigate(details, progress) {
    progress.started += 1;
    if (progress.pending) progress.superseded += 1;
    progress.pending = { url: details.url };
    progress.failure = null;
  },
  onCommitted(details, progress) {
    progress.commits += 1;
    progress.pending = null;
    progress.superseded = 0;
    progress.failure = null;
    progress.url = details.url;
    progress.documentId = details.documentId ?? null;
    progress.isScripted = isScripted(details);
    progress.traversal = isTraversal(details);
    progress.reached = "committed";
  },
  onDOMContentLoaded(details, progress) {
    if (progress.documentId && details.documentId !== progress.documentId) return;
    if (!hasReached(progress.reached, "domcontentloaded")) progress.reached = "domcontentloaded";
  },
  onCompleted(details, progress) {
    if (progress.documentId && details.documentId !== progress.documentId) return;
    progress.reached = "load";
  },
  onErrorOccurred(details, progress) {
    // Chrome reports the address of another program as the failure of a navigation that has not begun.
    if (isExternal(details.url)) {
      progress.external = details.url;
      return;
    }
    // Chrome names a process only for a document that was committed and whose loading was cut short: no failed navigation.
    if ((details.processId ?? -1) >= 0) {
      if (details.documentId === progress.documentId) progress.reached = "load";
      return;
    }
    if (progress.superseded > 0 && details.error === "net::ERR_ABORTED") {
      progress.superseded -= 1;
      return;
    }
    progress.pending = null;
    progress.failure = { error: details.error ?? "", url: details.url };
  },
  onHistoryStateUpdated: noteSameDocument,
  onReferenceFragmentUpdated: noteSameDocument,
};

/** The address has changed, and the document stayed. @param {Details} details @param {Progress} progress */
function noteSameDocument({ url }, progress) {
  progress.sameDocument += 1;
  progress.url = url;
}

/** @typedef {keyof typeof LISTENERS} EventName */

/** Events of subframes that are counted. @type {Partial<Record<EventName, "frameStarts"|"frameCommits">>} */
const SUBFRAME_COUNTS = {
  onBeforeNavigate: "frameStarts",
  onCommitted: "frameCommits",
  onHistoryStateUpdated: "frameCommits",
  onReferenceFragmentUpdated: "frameCommits",
};

/** Tab → why the response of its document broke off. @type {TabMap<string>} */
const cutShort = new TabMap();

/** The reason why the response of the document of a tab broke off; none where it has not. @param {number} tabId */
export const cutShortIn = (tabId) => cutShort.get(tabId);

/** @param {EventName} name @param {Details} details @param {Progress} progress */
function noteSubframe(name, details, progress) {
  const { frameId, url, processId, error, documentLifecycle = "active" } = details;
  const { frames } = progress;
  if (!frameId || documentLifecycle === "prerender") return;
  if (isExternal(url)) progress.external = url;
  else if (name === "onCommitted") frames.set(frameId, { url, isPending: false, isScripted: isScripted(details) });
  else if (name in SUBFRAME_COUNTS) frames.set(frameId, { url, isPending: name === "onBeforeNavigate" });
  else if (name === "onErrorOccurred" && (processId ?? -1) < 0) frames.set(frameId, { url, isPending: false, error });
}

/** An answer of a replaced document that was already on its way arrives within this. */
const GRACE_MS = 100;

/** Documents that have come into frames, by tab id. @type {KeyedSignal<number, [frameId: number]>} */
const committed = new KeyedSignal();
/** @type {Signal<[tabId: number, frameId: number, documentId: string|undefined]>} */
const documentCommitted = new Signal();
/** Calls a listener with each document that comes into a frame; not with one that is loaded ahead, before it is shown. */
export const onDocumentCommitted = documentCommitted.add;
/** Tab → number of documents that have come into frames below its top one. @type {TabMap<number>} */
const below = new TabMap();

/**
 * Number of documents that have come into the frames below the top one of a tab, in all.
 * @param {number} tabId
 */
export const documentsBelow = (tabId) => below.get(tabId) ?? 0;

/** Address of the main-frame navigation under way in a tab. @type {TabMap<string>} */
const underWay = new TabMap();
/** Address of the last document of a tab. @type {TabMap<string>} */
const arrived = new TabMap();

/** Changes of these addresses by events of main frames. @type {Partial<Record<EventName, (details: Details) => void>>} */
const DESTINATION_CHANGES = {
  onBeforeNavigate: ({ tabId, url }) => void underWay.set(tabId, url),
  onCommitted({ tabId, url }) {
    noteArrival(tabId, arrived.get(tabId) ?? "", url);
    arrived.set(tabId, url);
    underWay.delete(tabId);
    cutShort.delete(tabId);
  },
  onErrorOccurred({ tabId, processId = -1, error = "" }) {
    underWay.delete(tabId);
    if (processId >= 0) cutShort.set(tabId, error);
  },
};

for (const [key, listener] of Object.entries(LISTENERS)) {
  const name = /** @type {EventName} */ (key);
  const counted = SUBFRAME_COUNTS[name];
  chrome.webNavigation[name].addListener((/** @type {Details} */ details) => {
    if (name === "onErrorOccurred" && isExternal(details.url)) noteExternal(details.tabId, details.url);
    if (name === "onCommitted") committed.emit(details.tabId, details.frameId);
    if (name === "onCommitted" && (details.documentLifecycle ?? "active") !== "prerender")
      documentCommitted.emit(details.tabId, details.frameId, details.documentId);
    if (name === "onCommitted" && details.frameId) below.set(details.tabId, documentsBelow(details.tabId) + 1);
    if (isMainFrame(details)) DESTINATION_CHANGES[name]?.(details);
    if (watches.size === 0) return;
    if (isMainFrame(details)) tell(details.tabId, (progress) => listener(details, progress));
    else tell(details.tabId, (progress) => {
      if (counted) progress[counted] += 1;
      noteSubframe(name, details, progress);
    });
  });
}

onTabClosed((tabId) => tell(tabId, (progress) => (progress.removed = true)));

/** @param {number} openerId @param {number} tabId @param {string} url */
function noteOpened(openerId, tabId, url) {
  if (isExternal(url)) noteExternal(openerId, url);
  tell(openerId, (progress) => {
    // Chrome closes the tab that it has opened for such an address.
    if (isExternal(url)) {
      progress.external = url;
      progress.opened = progress.opened.filter((tab) => tab.tabId !== tabId);
      return;
    }
    const known = progress.opened.find((tab) => tab.tabId === tabId);
    if (known) known.url = url || known.url;
    else progress.opened.push({ tabId, url });
  });
}

chrome.tabs.onCreated.addListener((tab) => {
  if (tab.openerTabId !== undefined && tab.id !== undefined) {
    noteOpened(tab.openerTabId, tab.id, tab.pendingUrl || tab.url || "");
  }
});

chrome.webNavigation.onCreatedNavigationTarget.addListener((details) => {
  noteOpened(details.sourceTabId, details.tabId, details.url);
});

/**
 * Resolves a moment after the document of a frame was replaced; otherwise never. A document that is kept for going back (the
 * back/forward cache) is frozen with the promises of its scripts, and Chrome never answers those.
 * @param {number} tabId
 * @param {number} frameId
 * @param {AbortSignal} signal ends the watch
 * @returns {Promise<void>}
 */
export function untilReplaced(tabId, frameId, signal) {
  return new Promise((resolve) => {
    committed.add(tabId, (changed) => {
      // A new top document takes all frames with it.
      if (changed === 0 || changed === frameId) setTimeout(resolve, GRACE_MS);
    }, signal);
  });
}

/**
 * Settles like `work`, or rejects with the error of `replaced` once the document of a frame was replaced: Chrome never gives the
 * answers of that one.
 * @template T
 * @param {number} tabId @param {number} frameId @param {Promise<T>} work @param {() => Error} replaced
 * @returns {Promise<T>}
 */
export async function unlessReplaced(tabId, frameId, work, replaced) {
  const listening = new AbortController();
  const left = untilReplaced(tabId, frameId, listening.signal).then(() => { throw replaced(); });
  left.catch(() => {});
  try {
    return await Promise.race([work, left]);
  } finally {
    listening.abort();
  }
}

chrome.webRequest.onBeforeRedirect.addListener(({ tabId, redirectUrl }) => void underWay.set(tabId, redirectUrl), {
  urls: ["<all_urls>"],
  types: ["main_frame"],
});

/**
 * The addresses a tab has, or may have in a moment, known without a question: trusted input goes to whatever document is there
 * when it arrives, so it is not given to a tab that a navigation, or a redirection of one, is about to take to another site.
 * @param {number} tabId
 * @returns {string[]}
 */
export const destinationsOf = (tabId) => [arrived.get(tabId), underWay.get(tabId)].filter((url) => url !== undefined);

/**
 * Whether an address is the one that a tab is on its way to.
 * @param {number} tabId @param {string} url without its fragment
 */
export const isUnderWay = (tabId, url) => withoutFragment(underWay.get(tabId) ?? "") === url;
