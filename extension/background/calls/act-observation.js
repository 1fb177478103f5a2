/*
 * The observation of one act: what happens around it, from before it begins until it has ended. The rooms that do the act note
 * what they know by its methods; only `calls/` writes its fields.
 */
import { isInputChosen, PAUSE_MS, startActing, waitForPerson } from "./act-conditions.js";
import { ActStart } from "./act-start.js";
import { assertBegun } from "./outcome.js";
import { SentRequests } from "./sent-requests.js";
import { ifInTime } from "../base/deadline.js";
import { watchTab } from "../base/navigation-events.js";
import { METHODS } from "../base/protocol.js";
import { Signal } from "../base/signal.js";
import { TabMap } from "../base/tabs.js";
import { isAttached, onDialogAnswered, onDialogOpening, pendingDialog } from "../debugger/attachment.js";
import { callAll } from "../page/content-calls.js";
import { ERRORS, watchErrors } from "../page/error-watch.js";
import { placeWatchers } from "../page/injected-script.js";
import { signsFor } from "../page/page-marks.js";
import { lookInTime } from "../page/secret-fields.js";
import { unobserved } from "../rules/call-parts.js";
import { keepsOrder } from "../tabs/page-scripts.js";

/** Time kept for the reply when a navigation outlasts the call. */
const REPLY_MARGIN_MS = 250;
/** A page of which a frame does not answer within this is acted on without counting its DOM changes. */
const BEGIN_LIMIT_MS = 300;
/** Limit where the answer also decides about the input: Chrome shows a bar over the person's page for a debugger. */
const WEIGH_LIMIT_MS = 2_000;
/** Most dialogs that are reported of a page that opens them in a loop. */
const MAX_ANSWERED = 10;
const MAX_ANSWERED_TEXT = 500;

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../../types").KnownParts} KnownParts */
/** @typedef {import("../../types").Observation} Observation */
/** @typedef {import("../../types").Counted} Counted */
/**
 * Traits of an act with its parameters, as its handler gives them. acting: the method whose input it gives, where that is not its
 * own; isLook: it only looks, so that later changes are not its own; hears: scripts have their say in its result; startsLate: it
 * looks at its page first, and waits for `starts` itself
 * @typedef {{acting?: string, isLook?: boolean, hears?: boolean, startsLate: boolean}} Traits
 */

/** @type {Signal<[item: chrome.downloads.DownloadItem]>} */
const downloadBegun = new Signal();
chrome.downloads.onCreated.addListener((item) => void downloadBegun.emit(item));

/** Tab → the documents whose counts stay open with the dialog that the act has opened. @type {TabMap<string[]>} */
const interrupted = new TabMap();

/** @implements {Observation} */
export class ActObservation {
  /** @param {TabCall} call @param {Traits} traits */
  constructor(call, traits) {
    const { tab } = call;
    this.tab = tab;
    this.call = call;
    this.traits = traits;
    this.watch = watchTab(tab.id);
    /** @type {{type: string, message: string}|null} */
    this.dialog = null;
    /** @type {{id: number, url: string, filename?: string, path?: string}[]} */
    this.downloads = [];
    this.downloadBegun = downloadBegun;
    this.requests = new SentRequests(tab.id);
    /** Documents that count, the top one first. @type {string[]} */
    this.begun = [];
    /** Documents in which a sensitive field, or a frame, has the focus. @type {import("../../types").FocusedField[]} */
    this.focused = [];
    /** Counts of the only document, when the act itself has brought them along. @type {Counted|null} */
    this.counted = null;
    /** Parts of the result that are reported even when a dialog keeps the act from ending. @type {KnownParts} */
    this.known = {};
    /** Choices that the act has made. @type {import("../../types").Choice[]} */
    this.choices = [];
    /** Documents of fields that the act fills. @type {import("../../types").FilledDocument[]} */
    this.filled = [];
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
    /** The outcome that an act reports which needs nothing of the page. */
    this.observesPage = METHODS[call.method].page !== "none";
    /** Whether the effects of the act that had opened the dialog count as effects of the answer. */
    this.resumes = METHODS[call.method].resumes;
    /** Whether an answer has let the page run on. */
    this.hasAnswered = false;
    /** Dialogs answered as soon as they opened. @type {import("../base/protocol-types").AnsweredDialog[]} */
    this.answered = [];
    this.answers = 0;
    /** The question that begins the act. @type {Promise<unknown>|undefined} */
    this.asked = undefined;
    this.dialogOpened = this.watchDialogs();
    /** Progress of the act; null for acts that do more than give input to the page. */
    this.actStart = METHODS[call.method].page === "scripts" ? new ActStart(traits.acting ?? call.method, call.params) : null;
  }

  /**
   * Notes a part of the result. The first element counts; a form has fields instead of an element and an input.
   * @param {KnownParts} part
   */
  noteResult({ ref, input, fields }) {
    if (fields) this.known = { fields };
    if (input) this.known.input = input;
    if (ref !== undefined) this.known.ref ??= ref;
  }

  /** Notes a choice that the act has made. @param {import("../../types").Choice} choice */
  noteChoice(choice) {
    this.choices.push(choice);
  }

  /** Notes the document of a field that the act fills. @param {import("../../types").FilledDocument} filled */
  noteFilled(filled) {
    this.filled.push(filled);
  }

  /** Notes a dialog that has come in its way. @param {{type: string, message: string}} dialog */
  noteDialog(dialog) {
    this.dialog ??= dialog;
  }

  /** Notes what the only document has counted, where the act has brought that along. @param {Counted} counted */
  noteCounted(counted) {
    this.counted = counted;
  }

  /** Notes that an answer has let the page run on. */
  noteAnswer() {
    this.hasAnswered = true;
  }

  /**
   * Settles like work that fires DOM events.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async whileFiring(work) {
    this.isFiring = this.hasFired = true;
    try {
      return await work();
    } finally {
      this.isFiring = false;
    }
  }

  /** The question of a page that is being left on purpose is answered where it is left. */
  watchDialogs() {
    return new Promise((/** @type {(dialog: import("../debugger/attachment.js").Dialog) => void} */ resolve) => {
      onDialogOpening(this.tab.id, (dialog) => {
        if (dialog.type === "beforeunload" && !this.observesPage && !this.resumes) return;
        this.noteDialog(dialog);
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

  get method() {
    return this.call.method;
  }

  /** Whether it is known which element the act is about. */
  get hasElement() {
    return this.known.ref !== undefined;
  }

  /** Whether one call into the page can end the count. */
  get hasOneFrame() {
    return this.begun.length === 1;
  }

  /** Reads take part in no act: this context makes calls into the page end when a dialog opens. */
  get reading() {
    return unobserved(this.call);
  }

  get timeLeft() {
    return Math.max(0, this.call.remaining() - REPLY_MARGIN_MS);
  }

  /** The wait for a started navigation, bounded by the call. */
  get patience() {
    return AbortSignal.any([this.call.signal, AbortSignal.timeout(this.timeLeft)]);
  }

  /** Whether a navigation was given up as one is that turns out to be a download, which Chrome reports a little later. */
  get expectsDownload() {
    const { failure, frames } = this.watch.progress;
    const ends = [failure, ...frames.values()];
    return this.downloads.length < ends.filter((end) => end?.error === "net::ERR_ABORTED").length;
  }

  /** Asks the page to count. */
  begin = async () => { this.begun = await begin(this); };
  /** Changes of the page while the person was asked are not effects of the act. */
  beginAgain = () => this.begin().then(() => waitForPerson(this));

  /** Notes whether a dialog keeps the page from going on. @returns {boolean} whether one does */
  noteInterruption() {
    const { tab, resumes, begun } = this;
    if (resumes) this.dialog ??= pendingDialog(tab.id);
    if (this.dialog && begun.length) interrupted.set(tab.id, begun);
    else if (!pendingDialog(tab.id)) interrupted.delete(tab.id);
    return this.dialog !== null;
  }

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
 * @param {Traits} traits
 */
export async function beginObservation(call, note, traits) {
  const observation = new ActObservation(call, traits);
  const [begun, started] = [observation.begin(), note()];
  observation.starts = startActing(observation, begun, started);
  observation.starts.catch(() => {});
  const mayStartLate = traits.startsLate && call.client.launched && !observation.isBlocked;
  if (mayStartLate && keepsOrder(call.tab.id)) observation.recorded = started;
  else await observation.starts.catch((error) => { observation.close(); throw error; });
  if (!observation.isBlocked || observation.resumes) call.observing.begin(observation);
  return observation;
}

/** @param {ActObservation} observation @returns {Promise<string[]>} the documents that count */
async function begin(observation) {
  if (observation.resumes) {
    // A blocked page does not answer, but it has been asked to report requests by the act that opened the dialog.
    if (isAttached(observation.tab.id)) void observation.requests.listen();
    return interrupted.get(observation.tab.id) ?? [];
  }
  if (!observation.observesPage) return [];
  const { actStart, call, tab, traits: { hears } } = observation;
  const pause = actStart && !call.client.launched ? PAUSE_MS : 0;
  const weighs = isInputChosen(observation);
  const takesKeys = /^(keys|any)$/.test(METHODS[call.method].input ?? "");
  const drags = call.method === "input.drag";
  const asked = { sign: actStart?.sign, shows: signsFor(call), weighs, pause, errors: ERRORS, takesKeys, drags, runs: hears };
  const listening = isAttached(tab.id) && !observation.isBlocked ? observation.requests.listen() : undefined;
  const asking = observation.asked = callAll(tab.id, "effects.begin", asked, observation.reading);
  const limit = weighs ? WEIGH_LIMIT_MS : BEGIN_LIMIT_MS;
  const answers = await (hears ? lookInTime(call, asking, limit) : ifInTime(asking, limit));
  await listening;
  const unheard = (answers ?? []).filter(({ value }) => value?.isUnheard).map(({ documentId }) => documentId);
  if (unheard.length) await ifInTime(placeWatchers(tab.id, unheard, watchErrors, ERRORS), BEGIN_LIMIT_MS);
  observation.focused = (answers ?? [])
    .filter(({ value }) => value?.focus_kind)
    .map(({ frameId, value }) => ({ frameId, ...value }));
  observation.mayNeedDebugger = !answers || answers.some(({ value }) => value?.calls);
  observation.presence = answers?.find(({ value }) => value?.since !== undefined)?.value ?? null;
  const begun = (answers ?? []).filter(({ error }) => !error).map(({ documentId }) => documentId);
  if (actStart) actStart.isWatched = begun.length > 0;
  return begun;
}
