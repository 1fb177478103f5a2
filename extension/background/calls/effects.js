/**
 * Observed effects of an act. There are no fixed waits: after it one round trip through the page lets its queued tasks run, and
 * only a navigation that has begun is waited for. "Nothing happened" (`none`) is an answer.
 */
import { actEnded } from "../base/acts.js";
import { ifInTime } from "../base/deadline.js";
import { isGone } from "../base/errors.js";
import { Signal } from "../base/signal.js";
import { TabMap } from "../base/tabs.js";
import { SILENCE } from "../debugger/blocked-page.js";
import { isAttached, onDialogAnswered, onDialogOpening, pendingDialog } from "../debugger/attachment.js";
import { hasReached, watchTab } from "../base/navigation-events.js";
import { isInputChosen, PAUSE_MS, startActing, waitForPerson } from "./act-conditions.js";
import { ActStart } from "./act-start.js";
import { fileTold, framesTold, untilQuiet } from "./late-effects.js";
import { MAX_NAMED, SentRequests } from "./sent-requests.js";
import { ERRORS, watchErrors } from "../page/error-watch.js";
import { placeWatchers } from "../page/injected-script.js";
import { publish } from "../page/refs.js";
import { assertArrived, assertBegun, assertDoneIn, INTERRUPTED_NOTE, replacedUnder, ranOut } from "./outcome.js";
import { callAll, callWithDocument } from "../page/content-calls.js";
import { objectionTo, told } from "../rules/addresses.js";
import { METHODS } from "../base/protocol.js";
import { signsFor } from "../page/page-marks.js";
import { lookInTime } from "../page/secret-fields.js";
import { nameFiles } from "../tabs/downloads.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { keepsOrder } from "../tabs/page-scripts.js";
import { findTab } from "../tabs/targets.js";

/** Time kept for the reply when a navigation outlasts the call. */
const REPLY_MARGIN_MS = 250;
/** A page of which a frame does not answer within this is acted on without counting its DOM changes. */
const BEGIN_LIMIT_MS = 300;
/** Limit where the answer also decides about the input: Chrome shows a bar over the person's page for a debugger. */
const WEIGH_LIMIT_MS = 2_000;
/** Time that the page may take to run the tasks that the act has queued, and then the time for its frames. */
const END_LIMIT_MS = 2_000;
const FRAMES_END_LIMIT_MS = 100;
/** Most dialogs that are reported of a page that opens them in a loop. */
const MAX_ANSWERED = 10;
const MAX_ANSWERED_TEXT = 500;

/** A click that was to enter a field has done so. */
const FIELD = /^(textbox|searchbox|combobox|spinbutton)\b/;

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").AnyResult} AnyResult */
/** @typedef {import("../base/protocol-types").Effects} Effects */
/**
 * Counts of a document, as effects.js of the page tells them.
 * @typedef {{url?: string, urlBefore?: string, title?: string, titleBefore?: string, mutations?: number, events?: number, focus?:
 * string, changes?: string[], fields?: string[], errors?: string[], scrolled?: NonNullable<Effects["scrolled"]>}} Counted
 */
/** @typedef {Counted & {frameId: number, documentId: string}} FrameCounted */

/** @type {Signal<[item: chrome.downloads.DownloadItem]>} */
const downloadBegun = new Signal();
chrome.downloads.onCreated.addListener((item) => void downloadBegun.emit(item));

/** Tab → the documents whose counts stay open with the dialog that the act has opened. @type {TabMap<string[]>} */
const interrupted = new TabMap();

/** Collects what happens around one act. */
export class EffectsRecorder {
  /** @param {TabCall} call */
  constructor(call) {
    const { tab } = call;
    this.tab = tab;
    this.call = call;
    this.watch = watchTab(tab.id);
    /** @type {{type: string, message: string}|null} */
    this.dialog = null;
    /** @type {{id: number, url: string, filename?: string}[]} */
    this.downloads = [];
    this.downloadBegun = downloadBegun;
    this.requests = new SentRequests(tab.id);
    /** Documents that count, the top one first. @type {string[]} */
    this.begun = [];
    /**
     * Documents in which a sensitive field, or a frame, has the focus.
     * @type {Array<{frameId: number, focus_kind: string, focus_name: string, origin: string, address: string}>}
     */
    this.focused = [];
    /** Counts of the only document, when the act itself has brought them along. @type {Counted|null} */
    this.counted = null;
    /**
     * Parts of the result that are told even when a dialog keeps the act from ending.
     * @type {{ref?: string, input?: "dom"|"trusted", fields?: import("../base/protocol-types").FilledField[]}}
     */
    this.known = {};
    /** Whether DOM events are being fired, which may open a dialog that nothing reports. */
    this.isFiring = false;
    this.hasFired = false;
    /** Whether scripts of the page may do what the debugger is needed for: true until its frames have said no. */
    this.mayNeedDebugger = true;
    /** Resolves when the act may change something: it is in the record, observed, and no other work is in its way. */
    this.starts = Promise.resolve();
    /** The same, where the act may be sent to the page behind the question that observes it. @type {Promise<unknown>|null} */
    this.recorded = null;
    /** Lets go of the debugger that was attached for the act. */
    this.rest = () => {};
    /** Sign that the person was at work in the page a moment ago. @type {{since: number, active: string}|null} */
    this.presence = null;
    /** The tab as it is after the act, as far as it was looked at. @type {chrome.tabs.Tab|null} */
    this.now = null;
    this.ended = new AbortController();
    downloadBegun.add((item) => this.downloads.push({ id: item.id, url: item.finalUrl || item.url }), this.ended.signal);
    /** A dialog from before is not this act's; calls into the page then fail because of it. */
    this.isBlocked = pendingDialog(tab.id) !== null;
    /** Acts that need nothing of the page report an outcome of their own. */
    this.observesPage = METHODS[call.method].page !== "none";
    /** Whether the effects of the act that had opened the dialog count as effects of the answer. */
    this.resumes = METHODS[call.method].resumes;
    /** Whether an answer has let the page run on. */
    this.hasAnswered = false;
    /** Dialogs answered as soon as they opened. @type {import("../base/protocol-types").AnsweredDialog[]} */
    this.answered = [];
    this.answers = 0;
    this.dialogOpened = this.watchDialogs();
    /** Progress of the act; null for acts that do more than give input to the page. */
    this.actStart = METHODS[call.method].page === "scripts" ? new ActStart(call.acting ?? call.method, call.params) : null;
  }

  /** The question of a page that is being left on purpose is answered where it is left. */
  watchDialogs() {
    return new Promise((/** @type {(dialog: import("../debugger/attachment.js").Dialog) => void} */ resolve) => {
      onDialogOpening(this.tab.id, (dialog) => {
        if (dialog.type === "beforeunload" && !this.observesPage && !this.resumes) return;
        this.dialog ??= dialog;
        resolve(dialog);
      }, this.ended.signal);
      onDialogAnswered(this.tab.id, ({ type, message }, { accept, text }) => {
        this.answers += 1;
        if (this.answers <= MAX_ANSWERED)
          this.answered.push({ type, message: message.slice(0, MAX_ANSWERED_TEXT), answer: accept ? "accept" : "dismiss", text });
      }, this.ended.signal);
    });
  }

  /**
   * Withdraws the act when a dialog came before it.
   * @param {import("../debugger/attachment.js").Dialog} [dialog] none: the page is silent
   * @param {string} [method]
   */
  assertBegun(dialog, method = this.call.method) {
    return assertBegun({ method, tab: this.tab }, this.actStart, dialog);
  }

  /** Whether one call into the page can end the count. */
  get hasOneFrame() {
    return this.begun.length === 1;
  }

  /** Reads take part in no act: this context makes calls into the page end when a dialog opens. */
  get reading() {
    return { ...this.call, effects: null };
  }

  get timeLeft() {
    return Math.max(0, this.call.remaining() - REPLY_MARGIN_MS);
  }

  /** The wait for a started navigation, bounded by the call. */
  get patience() {
    return AbortSignal.any([this.call.signal, AbortSignal.timeout(this.timeLeft)]);
  }

  /** Whether a navigation was given up as one is that turns out to be a download, which Chrome tells of a little later. */
  get expectsDownload() {
    const { failure, frames } = this.watch.progress;
    const ends = [failure, ...frames.values()];
    return this.downloads.length < ends.filter((end) => end?.error === "net::ERR_ABORTED").length;
  }

  asked = /** @type {Promise<unknown>|undefined} the question that begins the act */ (undefined);
  begin = async () => { this.begun = await begin(this); };
  /** Changes of the page while the person was asked are not effects of the act. */
  beginAgain = () => this.begin().then(() => waitForPerson(this));

  close() {
    this.rest();
    this.watch.close();
    this.requests.close();
    this.actStart?.close();
    this.ended.abort();
  }
}

/**
 * Begins to observe an act, for `reportEffects`. The page is asked first: it answers while the record is written.
 * @param {TabCall} call
 * @param {() => Promise<unknown>} note writes the act into the record; resolves when the act may run
 * @param {boolean} startsLate whether the act may look at its page meanwhile, and waits for `starts` itself
 */
export async function beginEffects(call, note, startsLate) {
  const recorder = new EffectsRecorder(call);
  const [begun, started] = [recorder.begin(), note()];
  recorder.starts = startActing(recorder, begun, started);
  recorder.starts.catch(() => {});
  if (startsLate && call.client.launched && !recorder.isBlocked && keepsOrder(call.tab.id)) recorder.recorded = started;
  else await recorder.starts.catch((error) => { recorder.close(); throw error; });
  if (!recorder.isBlocked || recorder.resumes) call.effects = recorder;
  return recorder;
}

/**
 * Reports what an act caused.
 * @param {EffectsRecorder} recorder
 * @param {Promise<AnyResult>} running the act
 * @returns {Promise<{result: AnyResult, effects: Effects}>}
 */
export async function reportEffects(recorder, running) {
  const { tab, call } = recorder;
  try {
    const result = await outcomeOf(recorder, running);
    const frames = noteInterruption(recorder) || !(recorder.observesPage || recorder.resumes) ? [] : await afterAct(recorder);
    if (recorder.watch.progress.commits || recorder.watch.progress.removed) await assertArrived(recorder);
    const now = await tabNow(recorder);
    await nameOpened(recorder);
    await nameFiles(recorder.downloads);
    const effects = describe(recorder, now, frames);
    await Promise.allSettled(actEnded.emit(tab.id, { tab, method: call.method, params: call.params, result, effects }));
    return { result: withAdvice(result, effects, call), effects };
  } finally {
    recorder.close();
  }
}

/**
 * An act that opens a dialog has ended, although the page does not answer while it is open; so has one that closes its tab.
 * @param {EffectsRecorder} recorder @param {Promise<AnyResult>} work @returns {Promise<AnyResult>}
 */
async function outcomeOf(recorder, work) {
  const running = work.catch((error) => outcomeOfError(error, recorder));
  running.catch(() => {});
  // A navigation tells itself what a dialog means for it.
  const dialog = recorder.observesPage ? [recorder.dialogOpened.then(() => lastWord(recorder, running))] : [];
  const result = await Promise.race([running, ...dialog]);
  return { ...recorder.known, ...result };
}

/**
 * The act may hear of the dialog too and say more; what waits for the page will not answer.
 * @param {EffectsRecorder} recorder @param {Promise<AnyResult>} running
 */
async function lastWord(recorder, running) {
  const { tab, actStart } = recorder;
  await recorder.assertBegun(recorder.dialog ?? undefined);
  const note = !actStart || actStart.isAtOnce ? {} : { note: INTERRUPTED_NOTE };
  return Promise.race([running.catch(() => note), chrome.tabs.get(tab.id).then(() => note, () => note)]);
}

/**
 * Errors that are outcomes: the tab is closed, or the page has gone or does not respond.
 * @param {import("../base/errors.js").TabwireError} error @param {EffectsRecorder} recorder
 * @returns {Promise<AnyResult>}
 */
async function outcomeOfError(error, recorder) {
  if (!recorder.resumes && error.data?.unanswered && (recorder.actStart || recorder.begun.length || recorder.hasFired)) {
    await recorder.assertBegun();
    recorder.dialog = SILENCE.dialog;
    return { note: SILENCE.note };
  }
  if (isGone(error) && recorder.actStart?.isOffered) return replacedUnder(recorder.call, recorder.actStart, error);
  // A tab that Chrome discards gets another id.
  const isClosed = error.code === "no_such_tab" && !(await findTab(recorder.tab.id));
  if (!isClosed) throw await ranOut(recorder.call, recorder.actStart, error);
  await assertDoneIn(recorder);
  recorder.watch.progress.removed = true;
  return {};
}

/** @param {EffectsRecorder} recorder @returns {Promise<FrameCounted[]>} what the frames counted, top frame first */
async function afterAct(recorder) {
  const { watch, call } = recorder;
  const left = watch.until((progress) => progress.pending || progress.commits > 0 || progress.removed, recorder.ended.signal);
  left.catch(() => {});
  const look = () => Promise.race([endInPage(recorder), left, recorder.dialogOpened])
    .then((answer) => (Array.isArray(answer) ? answer : []));
  const began = Date.now();
  const frames = await look();
  recorder.now = await knownToBrowser(recorder);
  const looked = { hasSigns: call.isLook || frames.some(hasSigns), lookMs: Date.now() - began };
  if (await settleNavigation(recorder)) recorder.now = null;
  else if (!call.params.no_wait_after && (await untilQuiet(recorder, looked))) {
    recorder.counted = recorder.now = null;
    const later = await look();
    await settleNavigation(recorder);
    return later.length ? later : frames;
  }
  return frames;
}

/** Whether a document shows more than that what was pressed has the focus. @param {FrameCounted} counted */
const hasSigns = ({ mutations, events, focus = "", errors, scrolled, changes, url, urlBefore, title, titleBefore }) =>
  Boolean(mutations || events || errors?.length || scrolled?.length || changes?.length) || FIELD.test(focus) ||
  url !== urlBefore || title !== titleBefore;

/** @param {EffectsRecorder} recorder @returns {boolean} whether a dialog keeps the page from going on */
function noteInterruption(recorder) {
  const { tab, resumes, begun } = recorder;
  if (resumes) recorder.dialog ??= pendingDialog(tab.id);
  if (recorder.dialog && begun.length) interrupted.set(tab.id, begun);
  else if (!pendingDialog(tab.id)) interrupted.delete(tab.id);
  return recorder.dialog !== null;
}

/** @param {EffectsRecorder} recorder */
async function begin(recorder) {
  if (recorder.resumes) return interrupted.get(recorder.tab.id) ?? [];
  if (!recorder.observesPage) return [];
  const { actStart, call, tab } = recorder;
  const pause = actStart && !call.client.launched ? PAUSE_MS : 0;
  const weighs = isInputChosen(recorder);
  const takesKeys = /^(keys|any)$/.test(METHODS[call.method].input ?? "");
  const asked = { sign: actStart?.sign, shows: signsFor(call), weighs, pause, errors: ERRORS, takesKeys, runs: call.hears };
  const listening = isAttached(tab.id) && !recorder.isBlocked ? recorder.requests.listen() : undefined;
  const asking = recorder.asked = callAll(tab.id, "effects.begin", asked, recorder.reading);
  const limit = weighs ? WEIGH_LIMIT_MS : BEGIN_LIMIT_MS;
  const answers = await (call.hears ? lookInTime(call, asking, limit) : ifInTime(asking, limit));
  await listening;
  const unheard = (answers ?? []).filter(({ value }) => value?.isUnheard).map(({ documentId }) => documentId);
  if (unheard.length) await ifInTime(placeWatchers(tab.id, unheard, watchErrors, ERRORS), BEGIN_LIMIT_MS);
  recorder.focused = (answers ?? [])
    .filter(({ value }) => value?.focus_kind)
    .map(({ frameId, value }) => ({ frameId, ...value }));
  recorder.mayNeedDebugger = !answers || answers.some(({ value }) => value?.calls);
  recorder.presence = answers?.find(({ value }) => value?.since !== undefined)?.value ?? null;
  const begun = (answers ?? []).filter(({ error }) => !error).map(({ documentId }) => documentId);
  if (actStart) actStart.isWatched = begun.length > 0;
  return begun;
}

/** @param {EffectsRecorder} recorder @returns {Promise<FrameCounted[]>} a frame that does not answer does not hold up the act */
async function endInPage(recorder) {
  const { tab, begun, timeLeft, counted } = recorder;
  const [top, ...others] = begun;
  if (counted) return withRefs(tab.id, [{ frameId: 0, documentId: top, ...counted }]);
  if (!top) return [];
  const framesEnd = others.length ? end(recorder, others) : Promise.resolve([]);
  const topEnd = await ifInTime(end(recorder, [top]), Math.min(END_LIMIT_MS, timeLeft));
  return withRefs(tab.id, [...(topEnd ?? []), ...((await ifInTime(framesEnd, FRAMES_END_LIMIT_MS)) ?? [])]);
}

/**
 * Gives references to the elements that are named. A document that does not watch any more has nothing to tell.
 * @param {number} tabId @param {FrameCounted[]} answers
 */
async function withRefs(tabId, answers) {
  const frames = answers.filter(({ mutations }) => mutations !== undefined);
  for (const frame of frames) {
    const { frameId, documentId, changes = [] } = frame;
    frame.changes = await Promise.all(changes.map((text) => publish(tabId, documentId, frameId, text)));
  }
  return frames;
}

/** @param {EffectsRecorder} recorder @param {string[]} documentIds @returns {Promise<FrameCounted[]>} */
async function end({ tab, reading }, documentIds) {
  const asked = documentIds.map((documentId) => callWithDocument(tab.id, { documentId }, "effects.end", {}, reading));
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? { ...answer.value, ...answer.value.value } : []));
}

/**
 * A navigation the browser has accepted but not announced yet shows as pendingUrl.
 * @param {EffectsRecorder} recorder
 * @returns {Promise<chrome.tabs.Tab|null>} the tab, unless it has moved on since
 */
async function knownToBrowser({ tab, watch, patience }) {
  const now = await chrome.tabs.get(tab.id).catch(() => null);
  if (!now?.pendingUrl || now.pendingUrl === tab.pendingUrl) return now;
  await watch.until(({ started, commits, removed }) => started || commits || removed, patience).catch(() => {});
  return null;
}

/**
 * Waits for a navigation that has begun until its document is parsed, or it fails, or a dialog opens.
 * @param {EffectsRecorder} recorder
 * @returns {Promise<boolean>} whether there is one
 */
async function settleNavigation(recorder) {
  const { watch, call } = recorder;
  const { pending, commits } = watch.progress;
  if (!pending && !commits) return false;
  if (call.params.no_wait_after) return true;
  const settled = watch.until(
    (progress) =>
      progress.removed || (!progress.pending && (progress.failure || hasReached(progress.reached, "domcontentloaded"))),
    recorder.patience,
  );
  settled.catch(() => {});
  await Promise.race([settled, recorder.dialogOpened]).catch(() => {});
  return true;
}

/** @param {EffectsRecorder} recorder @returns {Promise<chrome.tabs.Tab|null>} null when the tab is gone */
async function tabNow({ now, tab }) {
  return now ?? chrome.tabs.get(tab.id).catch(() => null);
}

/** New tabs get their address with their first navigation, after their creation. @param {EffectsRecorder} recorder */
async function nameOpened({ watch }) {
  for (const tab of watch.progress.opened) {
    const opened = await chrome.tabs.get(tab.tabId).catch(() => null);
    if (opened) tab.url = opened.pendingUrl || opened.url || tab.url;
  }
}

/**
 * @param {EffectsRecorder} recorder
 * @param {chrome.tabs.Tab|null} now  null when the tab is gone
 * @param {FrameCounted[]} frames
 * @returns {Effects} the effects of the contract; keys without news are absent
 */
function describe(recorder, now, frames) {
  const { tab, watch, dialog, downloads } = recorder;
  const { progress } = watch;
  /** @type {Counted} */
  const top = frames.find(({ frameId }) => frameId === 0) ?? {};
  const stayed = progress.commits === 0;
  const shown = {
    url: (stayed && top.url) || now?.url || tab.url || "",
    title: (stayed ? top.title : undefined) ?? now?.title ?? tab.title ?? "",
  };
  const { url, title, barred } = told(shown, tab.id);
  const before = told({ url: top.urlBefore ?? tab.url ?? "", title: top.titleBefore ?? tab.title ?? "" }, tab.id);
  /** @type {Effects} */
  const effects = {
    barred: barred && `it led to ${objectionTo(shown.url, tab.id)}`,
    url: url !== before.url ? { from: before.url, to: url } : undefined,
    title: title !== before.title ? { from: before.title, to: title } : undefined,
    navigated: progress.commits > 0 || undefined,
    loading: progress.pending ? told(progress.pending).url : undefined,
    navigation_error: progress.failure && !downloads.length ? progress.failure.error : undefined,
    new_tabs: progress.opened.length ? progress.opened.map((opened) => told(opened, opened.tabId)) : undefined,
    closed: progress.removed || undefined,
    paused: dialog?.type === PAUSED ? (barred ? "" : dialog.message) : undefined,
    dialog: dialog && dialog.type !== PAUSED ? { type: dialog.type, message: barred ? "" : dialog.message } : undefined,
    answered: recorder.answers ? recorder.answered : undefined,
    answered_more: recorder.answers > MAX_ANSWERED ? recorder.answers - MAX_ANSWERED : undefined,
    unwatched: (recorder.hasAnswered && !frames.length && !dialog && !progress.commits && !progress.removed) || undefined,
    unobserved: isUnobserved(recorder, frames) || undefined,
    downloads: downloads.length ? downloads.map(fileTold) : undefined,
    frames: framesTold(progress, tab.id),
    ...recorder.requests.told(),
    scrolled: inAll(frames, ({ scrolled }) => scrolled),
    errors: inAll(frames, ({ errors }) => errors),
    changes: inAll(frames, ({ changes }) => changes),
    fields: inAll(frames, ({ fields }) => fields),
    focus: focusOf(frames),
    mutations: frames.reduce((sum, { mutations = 0 }) => sum + mutations, 0) || undefined,
    events: frames.reduce((sum, { events = 0 }) => sum + events, 0) || undefined,
  };
  const seen = Object.fromEntries(Object.entries(effects).filter(([, value]) => value !== undefined));
  return Object.keys(seen).length ? seen : { none: true };
}

/**
 * Whether the page was too busy to say what changed, which is not the same as that nothing did.
 * @param {EffectsRecorder} recorder @param {FrameCounted[]} frames
 */
function isUnobserved({ observesPage, resumes, dialog, hasAnswered, watch }, frames) {
  const { commits, pending, removed, failure } = watch.progress;
  const isTold = dialog || hasAnswered || commits || pending || removed || failure;
  const hasCounted = frames.some(({ frameId, mutations }) => frameId === 0 && mutations !== undefined);
  return observesPage && !resumes && !isTold && !hasCounted;
}

/**
 * Adds advice to a click by DOM events that had no effect: such a click may be unable to do what the client waits for.
 * @param {AnyResult} result @param {Effects} effects @param {TabCall} call
 */
function withAdvice(result, effects, { method, client }) {
  const isIdle = Object.keys(effects).every((name) => name === "none" || (name === "focus" && !FIELD.test(effects.focus ?? "")));
  if (!isIdle || result.input !== "dom" || result.note || !METHODS[method].gesture) return result;
  const advice =
    client.input === "dom" ? "it takes trusted input (serve --input auto)" : "click it by coordinates: those clicks are trusted";
  return {
    ...result,
    note: `DOM events are no user gesture: if this was to open a popup, a file chooser or full screen, or to use the ` +
      `clipboard, ${advice}`,
  };
}

/** The frame that lost the focus says "none", the one that has it names the element. @param {FrameCounted[]} frames */
const focusOf = (frames) => frames.map(({ focus }) => focus).find((focus) => focus !== undefined && focus !== "none");

/**
 * Answers of all documents about one thing; undefined where there are none.
 * @template T
 * @param {FrameCounted[]} frames @param {(frame: FrameCounted) => T[]|undefined} of @returns {T[]|undefined}
 */
function inAll(frames, of) {
  const all = frames.flatMap((frame) => of(frame) ?? []);
  return all.length ? all.slice(0, MAX_NAMED) : undefined;
}
