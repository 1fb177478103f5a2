/**
 * Follows a navigation from its start to the page it ends at: waits for the wanted load state, follows redirects, and tells
 * failures, downloads and answers without a page apart.
 */
import { within } from "../base/deadline.js";
import { NO_DOCUMENT_MS, noDocument, SILENCE, isSilent, untilSilent } from "../debugger/blocked-page.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { handleDialog, leaveOnPurpose, onDialogOpening, pendingDialog } from "../debugger/attachment.js";
import { adviceFor, noSuchTab, said, TabwireError, timedOut } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { mayTell, objectionTo, told } from "../rules/addresses.js";
import { cutShortIn, hasReached, watchTab } from "../base/navigation-events.js";
import { countRequests } from "./network-idle.js";
import { echoPage } from "./page-liveness.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/navigation-events.js").Progress} Progress */
/** @typedef {import("../debugger/attachment.js").Dialog} Dialog */
/** @typedef {{tabId: number, statusCode: number, responseHeaders?: chrome.webRequest.HttpHeaders}} Head */
/** @typedef {"load"|"domcontentloaded"|"networkidle"} LoadState */
/**
 * @typedef {{wait_until?: LoadState, timeout?: number, force?: boolean, loss?: string}} Patience  force: a page that asks to stay
 *   is left; loss: what is to be said when the page is left
 */
/**
 * @typedef {{url: string, title: string, status?: number, download?: {url: string}, dialog?: {type: string, message: string},
 * note?: string}} Landing
 */

const DEFAULT_TIMEOUT_MS = 30_000;
/** Time kept to report a timeout of our own, which knows more than the deadline of the call. */
const REPLY_MARGIN_MS = 150;
/** More than the time after which a page that does not answer is called frozen. */
const ECHO_MS = 1_000;
/** A page that does not answer within this is frozen, as far as reading it goes. */
const READ_LIMIT_MS = 1_000;
/** Less text is a sign of waiting at most: "Loading…". */
const LEAST_TEXT = 20;
const STILL_BARE = "the page has loaded and shows hardly anything yet: its scripts may still be building it. Wait for what you " +
  "expect to see";

/**
 * Whether a page that asks to stay is left: in the user's own browser only when the client says so.
 * @param {{force?: boolean}} params @param {CallContext} call
 */
export const isLeftAnyway = ({ force = false }, { client }) => force || client.launched;

/**
 * Reads data from a page; null when it cannot be read (browser pages, error pages) or does not answer.
 * @template T
 * @template {unknown[]} Args
 * @param {number} tabId
 * @param {(...args: Args) => T} func  runs in the top document
 * @param {Args} [args]
 * @returns {Promise<T|null>}
 */
export async function readPage(tabId, func, args) {
  if (isSilent(tabId)) return null;
  const reading = chrome.scripting
    .executeScript({ target: { tabId }, injectImmediately: true, func: /** @type {never} */ (func), args: args ?? [] })
    .then(([answer]) => answer?.result ?? null, () => null);
  return within(reading, cutShortIn(tabId) === undefined ? READ_LIMIT_MS : NO_DOCUMENT_MS, () => null);
}

/** Navigation of one tab. */
export class Trip {
  /** Id of the tab; TAB_ID_NONE while the tab is being created. @type {number} */
  tabId = chrome.tabs.TAB_ID_NONE;
  /** @type {Promise<Dialog>} */
  dialogOpened = new Promise(() => {});
  /** The document that was asked whether it is restored. @type {string|null|undefined} */
  restoredCheck;

  /** @param {number|null} tabId @param {Patience} patience @param {CallContext} call */
  constructor(tabId, patience, call) {
    this.call = call;
    this.wanted = patience.wait_until ?? "load";
    this.timeout = patience.timeout ?? DEFAULT_TIMEOUT_MS;
    const limit = Math.max(0, Math.min(this.timeout, call.remaining() - REPLY_MARGIN_MS));
    this.signal = AbortSignal.any([call.signal, AbortSignal.timeout(limit)]);
    /** Whether the page that is there answers, asked shortly before the time is over. @type {ReturnType<typeof echoPage>|null} */
    this.echo = null;
    this.asking = setTimeout(() => { this.echo = this.askPage(); }, Math.max(0, limit - ECHO_MS));
    this.watch = watchTab(tabId);
    /** Back and forward may move a subframe alone. */
    this.isMove = false;
    this.closing = new AbortController();
    this.isForced = isLeftAnyway(patience, call);
    this.wasAsked = false;
    this.loss = patience.loss ?? "";
    /** Tab id → head of the latest document response. @type {Map<number, {statusCode: number, attachment: boolean}>} */
    this.answers = new Map();
    this.noteAnswer = (/** @type {Head} */ details) => void this.answers.set(details.tabId, readAnswer(details));
    // The listener hears of every tab: a tab that is being created has no id to filter by.
    chrome.webRequest.onHeadersReceived.addListener(
      this.noteAnswer, { urls: ["<all_urls>"], types: ["main_frame"] }, ["responseHeaders"]);
    if (tabId !== null) this.follow(tabId);
  }

  async askPage() {
    return echoPage(await chrome.tabs.get(this.tabId).catch(() => null));
  }

  get answer() {
    return this.answers.get(this.tabId) ?? null;
  }

  /** Begins to listen to the tab; apart from the constructor because a new tab has no id at first. @param {number} tabId */
  follow(tabId) {
    this.tabId = tabId;
    if (this.watch.tabId === null) this.watch.bind(tabId);
    if (this.wanted === "networkidle") this.network = countRequests(tabId);
    this.dialogOpened = this.watchDialogs();
  }

  /** A page that asks whether to leave is answered yes where the caller has decided. Any other dialog ends the trip. */
  watchDialogs() {
    return new Promise((/** @type {(dialog: Dialog) => void} */ resolve) => {
      onDialogOpening(this.tabId, (dialog) => {
        if (dialog.type !== "beforeunload" || !this.isForced) return resolve(dialog);
        this.wasAsked = true;
        handleDialog(this.tabId, true, undefined, this.call).catch(() => {});
      }, this.closing.signal);
      this.closing.signal.addEventListener("abort", leaveOnPurpose(this.tabId));
    });
  }

  close() {
    clearTimeout(this.asking);
    this.closing.abort();
    this.watch.close();
    this.network?.close();
    chrome.webRequest.onHeadersReceived.removeListener(/** @type {never} */ (this.noteAnswer));
  }
}

/** @param {Head} head */
function readAnswer({ statusCode, responseHeaders = [] }) {
  const disposition = responseHeaders.find(({ name }) => /^content-disposition$/i.test(name))?.value ?? "";
  return { statusCode, attachment: /^\s*attachment/i.test(disposition) };
}

export const MAY_BE_LOST = "what was not saved there may be lost";
export const LEFT_ANYWAY = `the page that was left had asked whether to leave it: ${MAY_BE_LOST}`;
const PAUSED_NOTE = "a breakpoint has paused the page while it loads: call paused";
const ASKS_TO_STAY =
  "the page asks whether to leave it, as one with unsaved changes does, and was not left. dialog with action accept leaves it, " +
  "dismiss stays";

/**
 * Starts a navigation and returns where it ended.
 * @param {number|null} tabId  null when `start` creates the tab; it then calls `trip.follow(id)`
 * @param {(trip: Trip) => Promise<unknown>} start
 * @param {Patience} patience
 * @param {CallContext} call
 * @returns {Promise<Landing>}
 */
export async function travel(tabId, start, patience, call) {
  const trip = new Trip(tabId, patience, call);
  try {
    const started = start(trip);
    // A page that asks to stay holds the script that leaves it.
    started.catch(() => {});
    await Promise.race([started, trip.dialogOpened]);
    const page = await Promise.race([
      arrive(trip), trip.dialogOpened.then((dialog) => withDialog(trip, dialog)), heldUnseen(trip),
    ]);
    return allowed(withLoss(page, trip), trip.tabId);
  } catch (error) {
    throw trip.signal.aborted && !call.signal.aborted ? await lateError(trip) : error;
  } finally {
    trip.close();
  }
}

/**
 * A landing that tells what may be lost with the page that was left.
 * @param {Landing} page @param {Trip} trip
 */
function withLoss(page, { wasAsked, loss, watch }) {
  const told = wasAsked ? LEFT_ANYWAY : watch.progress.commits ? loss : "";
  return told ? { ...page, note: joinNotes(told, page.note) } : page;
}

/**
 * A page that opens a dialog while it loads goes on when that is answered.
 * @param {Trip} trip @param {Dialog} dialog
 * @returns {Promise<Landing>}
 */
async function withDialog({ tabId, call }, { type, message }) {
  call.observation?.noteDialog({ type, message });
  const note = type === "beforeunload" ? ASKS_TO_STAY
    : type === PAUSED ? PAUSED_NOTE
    : `the page opened a dialog (${type}: ${said(`"${message}"`)}) and waits for the answer`;
  return { ...(await currentPage(tabId)), ...(type !== PAUSED && { dialog: { type, message } }), note };
}

/**
 * Detects a dialog that opens while a page loads, where the debugger is not attached: only the silence of the page shows it.
 * @param {Trip} trip
 * @returns {Promise<Landing>}
 */
async function heldUnseen(trip) {
  const { signal } = trip.closing;
  const never = new Promise(() => {});
  const hasPage = await trip.watch.until(({ reached }) => reached !== "none", signal).catch(() => false);
  if (!hasPage) return never;
  const isHeld = await untilSilent(trip.tabId, trip.call, signal).catch((error) => Boolean(error.data?.unanswered));
  if (!isHeld) return never;
  const { dialog, note } = SILENCE;
  return { ...(await currentPage(trip.tabId)), dialog, note: `the page has begun to load. ${note}` };
}

/** @param {Trip} trip @returns {Promise<Landing>} */
async function arrive(trip) {
  for (;;) {
    const outcome = await trip.watch.until((progress) => verdict(progress, trip), trip.signal);
    if (outcome === "removed") throw noSuchTab("the tab was closed while it loaded; call tab_list");
    if (outcome === "failed" && !(await isStillLoading(trip))) return failed(trip);
    if (outcome === "restored") await markRestored(trip);
    if (outcome !== "arrived" || !(await isAtRest(trip))) continue;
    const { commits } = trip.watch.progress;
    const page = await describeArrival(trip);
    // Reading the page took a moment in which a script may have sent it elsewhere.
    if (!trip.watch.progress.pending && trip.watch.progress.commits === commits) return page;
  }
}

/**
 * @param {Progress} progress @param {Trip} trip
 * @returns {"removed"|"failed"|"restored"|"arrived"|null} null while there is something to wait for
 */
function verdict(progress, trip) {
  // Chrome closes a new tab that turned out to be a download.
  if (progress.removed) return progress.failure && trip.answer ? "failed" : "removed";
  if (progress.pending) return null;
  if (progress.failure) return "failed";
  if (progress.commits === 0) return progress.sameDocument || (trip.isMove && progress.frameCommits) ? "arrived" : null;
  const wanted = trip.wanted === "domcontentloaded" ? "domcontentloaded" : "load";
  if (hasReached(progress.reached, wanted)) return "arrived";
  return progress.traversal && progress.reached === "committed" && trip.restoredCheck !== progress.documentId ? "restored" : null;
}

/** A page from the back/forward cache is complete without load events of its own. @param {Trip} trip */
async function markRestored(trip) {
  const { progress } = trip.watch;
  trip.restoredCheck = progress.documentId;
  const state = await readPage(trip.tabId, () => document.readyState);
  if (state === "complete") progress.reached = "load";
}

/** An aborted navigation may have been replaced by another one that is not announced yet. @param {Trip} trip */
async function isStillLoading(trip) {
  const { failure } = trip.watch.progress;
  if (failure?.error !== "net::ERR_ABORTED") return false;
  const tab = await chrome.tabs.get(trip.tabId).catch(() => null);
  if (!trip.watch.progress.failure) return true;
  if (!tab?.pendingUrl || tab.pendingUrl === failure.url) return false;
  await trip.watch.until(({ pending, commits, removed }) => pending || commits || removed, trip.signal);
  return true;
}

/** Idle network where wanted, and no redirect by script under way. @param {Trip} trip */
async function isAtRest(trip) {
  const { watch, network, signal } = trip;
  const commits = watch.progress.commits;
  const left = watch.until((progress) => progress.pending || progress.removed, trip.closing.signal);
  left.catch(() => {});
  if (network) await Promise.race([network.idle(signal), left]);
  const tab = await chrome.tabs.get(trip.tabId).catch(() => null);
  if (tab?.pendingUrl && tab.pendingUrl !== tab.url) {
    await watch.until(({ pending, failure, commits: now, removed }) => pending || failure || now > commits || removed, signal);
  }
  const { pending, commits: now, removed } = watch.progress;
  return !pending && !removed && now === commits;
}

/**
 * A navigation that ended without a page: a download, an empty answer, or a failure.
 * @param {Trip} trip
 * @returns {Promise<Landing>}
 */
async function failed(trip) {
  const failure = /** @type {{error: string, url: string}} */ (trip.watch.progress.failure);
  const { answer } = trip;
  const page = await currentPage(trip.tabId).catch(() => ({ url: "", title: "" }));
  const stayed = `the page stayed at ${said(told(page, trip.tabId).url || "about:blank")}`;
  if (answer && [204, 205].includes(answer.statusCode)) {
    return { ...page, status: answer.statusCode, note: `the server answered ${answer.statusCode} without content; ${stayed}` };
  }
  if (answer && failure.error === "net::ERR_ABORTED") {
    return {
      ...page, status: answer.statusCode, download: { url: failure.url },
      note: `${said(failure.url)} is a download, not a page; ${stayed}`,
    };
  }
  throw new TabwireError("navigation_failed", `${said(failure.url)}: ${failure.error}; ${adviceFor(failure.error)}`, failure);
}

/** @param {number} tabId @returns {Promise<{url: string, title: string}>} */
async function currentPage(tabId) {
  const { url, title } = await shownPage(tabId);
  return { url, title };
}

/**
 * Runs in the page. It is bare while there is nothing to read or to use in it, or only words that end with an ellipsis, and
 * scripts may put something there.
 * @param {number} least characters of text
 */
function readShown(least) {
  const { body, scripts, title } = document;
  const unread = "script, style, noscript, template";
  const things = "a, button, input, select, textarea, img, svg, canvas, video, audio, iframe, frame, object, embed";
  const isLeft = (/** @type {Node} */ { parentElement }) => !parentElement?.closest(unread);
  const hasText = () => {
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    let seen = "";
    while (texts.nextNode() && seen.length < least) {
      if (isLeft(texts.currentNode)) seen += texts.currentNode.nodeValue?.trim() ?? "";
    }
    return seen.length >= least || (seen !== "" && !/(…|\.\.\.)$/.test(seen));
  };
  const isBare = body !== null && scripts.length > 0 && !hasText() && !body.querySelector(things) &&
    ![...body.querySelectorAll("*")].some((one) => one instanceof HTMLElement && chrome.dom.openOrClosedShadowRoot(one));
  return { title, url: location.href, isBare };
}

/** @param {number} tabId @returns {Promise<{url: string, title: string, isBare: boolean, isRead: boolean}>} */
async function shownPage(tabId) {
  const page = pendingDialog(tabId) ? null : await readPage(tabId, readShown, [LEAST_TEXT]);
  const tab = await chrome.tabs.get(tabId);
  const url = tab.url || tab.pendingUrl || "";
  // Another document may have come between the two looks.
  const isSame = page && mayTell(page.url, tabId);
  const title = (isSame ? page.title : null) ?? tab.title ?? "";
  return { url, title, isBare: Boolean(isSame && page.isBare), isRead: page !== null };
}

/**
 * The landing as it may be told: a redirection may have led to a site that is not allowed.
 * @param {Landing} page
 * @param {number} tabId
 * @returns {Landing}
 */
function allowed(page, tabId) {
  const { barred, ...rest } = told(page, tabId);
  if (!barred) return page;
  const why = objectionTo(page.url, tabId);
  return {
    ...rest, ...(rest.dialog && { dialog: { ...rest.dialog, message: "" } }),
    note: `the navigation ended at ${why}; navigate elsewhere`,
  };
}

/** @param {Trip} trip @param {boolean} isBare @param {boolean} isRead @returns {{note?: string}} */
function noteOfArrival({ tabId, watch }, isBare, isRead) {
  const error = watch.progress.commits ? cutShortIn(tabId) : undefined;
  if (error !== undefined && error !== "net::ERR_ABORTED")
    return { note: isRead ? `the response broke off (${error}): the page is not whole` : noDocument(error) };
  return isBare && watch.progress.commits ? { note: STILL_BARE } : {};
}

/** @param {Trip} trip @returns {Promise<Landing>} */
async function describeArrival(trip) {
  const { progress } = trip.watch;
  const { isBare, isRead, ...page } = await shownPage(trip.tabId);
  if (!progress.commits && !progress.sameDocument) return { ...page, note: "a frame inside the page moved; the page stayed" };
  const status = trip.answer && progress.commits ? { status: trip.answer.statusCode } : {};
  return { ...page, ...status, ...noteOfArrival(trip, isBare, isRead) };
}

/** [reached, what that means for somebody who waits] */
const STATES = {
  none: "no answer from the server yet",
  committed: "the page has begun to arrive but is not parsed",
  domcontentloaded: "the page is parsed (domcontentloaded) but something in it still loads",
  load: "the page has loaded but its network is not idle",
};

const WEDGED = "the page that is there does not answer, and Chrome waits for it before it shows another one; close the tab " +
  "(tab_close) and open the address in a new one";
const LATE_ADVICE = "take a snapshot to use what is there, or try again with a longer timeout";

/** A timeout that says how far the page came. @param {Trip} trip */
async function lateError(trip) {
  const { progress } = trip.watch;
  const where = progress.pending?.url ?? progress.url;
  const hasNone = Boolean(progress.pending) || !where;
  const reached = progress.pending ? "none" : progress.reached;
  const waiting = trip.network?.pending().slice(0, 3) ?? [];
  const requests = waiting.length ? ` (waiting for ${said(waiting.join(", "))})` : "";
  const began = where ? `${said(where)} did not reach "${trip.wanted}"` : "no navigation began";
  const isWedged = hasNone && (await trip.echo)?.kind === "frozen";
  const why = isWedged ? WEDGED : `${STATES[hasNone ? "none" : progress.reached]}${requests}; ${LATE_ADVICE}`;
  return timedOut(`${began} within ${trip.timeout} ms: ${why}`, { url: where, reached });
}
