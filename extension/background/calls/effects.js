/**
 * Observed effects of an act. There are no fixed waits: after it one round trip through the page lets its queued tasks run, and
 * only a navigation that has begun is waited for. "Nothing happened" (`none`) is an answer.
 */
import { withAchieved } from "./achieved.js";
import { assertKept, assertStayed, watchChoices } from "./final-states.js";
import { fileTold, framesTold, untilNews, untilQuiet } from "./late-effects.js";
import {
  assertArrived, assertDoneIn, hasLedOut, INTERRUPTED_NOTE, replacedUnder, ranOut, swallowed, takenByChrome,
} from "./outcome.js";
import { MAX_NAMED } from "./sent-requests.js";
import { actEnded, noteEnd } from "../base/acts.js";
import { ifInTime } from "../base/deadline.js";
import { isGone } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { hasReached } from "../base/navigation-events.js";
import { METHODS } from "../base/protocol.js";
import { SILENCE } from "../debugger/blocked-page.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { callWithDocument } from "../page/content-calls.js";
import { publish } from "../page/refs.js";
import { objectionTo, told } from "../rules/addresses.js";
import { nameFiles } from "../tabs/downloads.js";
import { findTab } from "../tabs/targets.js";

/** Time that the page may take to run the tasks that the act has queued, and then the time for its frames. */
const END_LIMIT_MS = 2_000;
const FRAMES_END_LIMIT_MS = 100;
/** A click that was to enter a field has done so. */
const FIELD = /^(textbox|searchbox|combobox|spinbutton)\b/;

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").AnyResult} AnyResult */
/** @typedef {import("../base/protocol-types").Effects} Effects */
/** @typedef {import("./act-observation.js").ActObservation} ActObservation */
/** @typedef {import("../../types").Counted} Counted */
/** @typedef {Counted & {frameId: number, documentId: string}} FrameCounted */

/**
 * Reports what an act caused.
 * @param {ActObservation} observation
 * @param {Promise<AnyResult>} running the act
 * @returns {Promise<{result: AnyResult, effects: Effects}>}
 */
export async function reportEffects(observation, running) {
  const { tab, call, watch } = observation;
  try {
    const outcome = await outcomeOf(observation, running);
    const hasCounts = !observation.noteInterruption() && (observation.observesPage || observation.resumes);
    const frames = hasCounts ? await afterAct(observation) : [];
    assertStayed(observation);
    const hasLeft = Boolean(watch.progress.commits || watch.progress.removed);
    if (hasLeft) await assertArrived(observation);
    else if (hasCounts && !observation.dialog) await assertKept(observation, frames);
    const result = hasLeft || observation.dialog ? outcome : await withAchieved(observation, outcome, frames);
    const now = await tabNow(observation);
    await nameOpened(observation);
    await nameFiles(observation.downloads);
    const effects = describe(observation, now, frames);
    await Promise.allSettled(actEnded.emit(tab.id, { tab, method: call.method, params: call.params, result, effects }));
    noteEnd(tab.id, call.method);
    return { result: withAdvice(result, effects, call), effects };
  } finally {
    observation.close();
  }
}

/**
 * An act that opens a dialog has ended, although the page does not answer while it is open; so has one that closes its tab.
 * @param {ActObservation} observation @param {Promise<AnyResult>} work @returns {Promise<AnyResult>}
 */
async function outcomeOf(observation, work) {
  const running = work.catch((error) => outcomeOfError(error, observation));
  running.catch(() => {});
  // A navigation tells itself what a dialog means for it.
  const dialog = observation.observesPage ? [observation.dialogOpened.then(() => lastWord(observation, running))] : [];
  const result = await Promise.race([running, ...dialog]);
  return { ...observation.known, ...result };
}

/**
 * The act may hear of the dialog too and say more; what waits for the page will not answer.
 * @param {ActObservation} observation @param {Promise<AnyResult>} running
 */
async function lastWord(observation, running) {
  const { tab, actStart } = observation;
  await observation.assertBegun(observation.dialog ?? undefined);
  const note = !actStart || actStart.isAtOnce ? {} : { note: INTERRUPTED_NOTE };
  return Promise.race([running.catch(() => note), chrome.tabs.get(tab.id).then(() => note, () => note)]);
}

/**
 * Errors that are outcomes: the tab is closed, or the page has gone or does not respond.
 * @param {import("../base/errors.js").TabwireError} error @param {ActObservation} observation
 * @returns {Promise<AnyResult>}
 */
async function outcomeOfError(error, observation) {
  const isUnderWay = observation.actStart || observation.begun.length || observation.hasFired;
  if (!observation.resumes && error.data?.unanswered && isUnderWay) {
    await observation.assertBegun();
    observation.dialog = SILENCE.dialog;
    return { note: SILENCE.note };
  }
  if (error.data?.detached && await hasLedOut(observation)) return {};
  if (error.data?.unseen) throw swallowed(error, observation.tab.id);
  if (isGone(error) && observation.actStart?.isOffered) return replacedUnder(observation, observation.actStart, error);
  // A tab that Chrome discards gets another id.
  const isClosed = error.code === "no_such_tab" && !(await findTab(observation.tab.id));
  if (!isClosed) throw await ranOut(observation.call, observation.actStart, error);
  await assertDoneIn(observation);
  observation.watch.progress.removed = true;
  return {};
}

/** @param {ActObservation} observation @returns {Promise<FrameCounted[]>} what the frames counted, top frame first */
async function afterAct(observation) {
  const { watch, call } = observation;
  const left = watch.until((progress) => progress.pending || progress.commits > 0 || progress.removed, observation.ended.signal);
  left.catch(() => {});
  const count = () => Promise.race([endInPage(observation), left, observation.dialogOpened])
    .then((answer) => (Array.isArray(answer) ? answer : []));
  const began = Date.now();
  const frames = await count();
  observation.now = await knownToBrowser(observation);
  const looked = { hasSigns: observation.traits.isLook || frames.some(hasSigns), lookMs: Date.now() - began };
  if (await settleNavigation(observation)) observation.now = null;
  else if (!call.params.no_wait_after) {
    const announced = frames.some(({ announces }) => announces) && !observation.traits.isLook;
    if (announced) observation.counted = observation.now = null;
    const news = (/** @type {string} */ documentId) =>
      callWithDocument(observation.tab.id, { documentId }, "effects.news", {}, observation.reading).catch(() => {});
    const now = announced ? await untilNews(observation, frames, { count, news, left }) : frames;
    if (!await untilSettled(observation, now, looked, left)) return now;
    observation.counted = observation.now = null;
    const later = await count();
    await settleNavigation(observation);
    return later.length ? later : now;
  }
  return frames;
}

/**
 * Waits for what the act has set off.
 * @param {ActObservation} observation @param {FrameCounted[]} frames
 * @param {{hasSigns: boolean, lookMs: number}} looked @param {Promise<unknown>} left settles when the page is left
 * @returns {Promise<boolean>} whether there was anything to wait for
 */
async function untilSettled(observation, frames, looked, left) {
  const isChoice = await watchChoices(observation, frames, left);
  return await untilQuiet(observation, { ...looked, isChoice }) || isChoice;
}

/** Whether a document shows more than that what was pressed has the focus. @param {FrameCounted} counted */
const hasSigns = ({ events, focus = "", errors, scrolled, changes, url, urlBefore, title, titleBefore }) =>
  Boolean(events || errors?.length || scrolled?.length || changes?.length) || FIELD.test(focus) ||
  url !== urlBefore || title !== titleBefore;

/**
 * @param {ActObservation} observation
 * @returns {Promise<FrameCounted[]>} a frame that does not answer does not hold up the act
 */
async function endInPage(observation) {
  const { tab, begun, timeLeft, counted } = observation;
  const [top, ...others] = begun;
  if (counted) return withRefs(tab.id, [{ frameId: 0, documentId: top, ...counted }]);
  if (!top) return [];
  const framesEnd = others.length ? end(observation, others) : Promise.resolve([]);
  const topEnd = await ifInTime(end(observation, [top]), Math.min(END_LIMIT_MS, timeLeft));
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

/** @param {ActObservation} observation @param {string[]} documentIds @returns {Promise<FrameCounted[]>} */
async function end({ tab, reading }, documentIds) {
  const asked = documentIds.map((documentId) => callWithDocument(tab.id, { documentId }, "effects.end", {}, reading));
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? { ...answer.value, ...answer.value.value } : []));
}

/**
 * A navigation the browser has accepted but not announced yet shows as pendingUrl.
 * @param {ActObservation} observation
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
 * @param {ActObservation} observation
 * @returns {Promise<boolean>} whether there is one
 */
async function settleNavigation(observation) {
  const { watch, call } = observation;
  const { pending, commits } = watch.progress;
  if (!pending && !commits) return false;
  if (call.params.no_wait_after) return true;
  const settled = watch.until(
    (progress) =>
      progress.removed || (!progress.pending && (progress.failure || hasReached(progress.reached, "domcontentloaded"))),
    observation.patience,
  );
  settled.catch(() => {});
  await Promise.race([settled, observation.dialogOpened]).catch(() => {});
  return true;
}

/** @param {ActObservation} observation @returns {Promise<chrome.tabs.Tab|null>} null when the tab is gone */
async function tabNow({ now, tab }) {
  return now ?? chrome.tabs.get(tab.id).catch(() => null);
}

/** New tabs get their address with their first navigation, after their creation. @param {ActObservation} observation */
async function nameOpened({ watch }) {
  for (const tab of watch.progress.opened) {
    const opened = await chrome.tabs.get(tab.tabId).catch(() => null);
    if (opened) tab.url = opened.pendingUrl || opened.url || tab.url;
  }
}

/**
 * @param {ActObservation} observation
 * @param {chrome.tabs.Tab|null} now  null when the tab is gone
 * @param {FrameCounted[]} frames
 * @returns {Effects} the effects of the contract; keys without news are absent
 */
function describe(observation, now, frames) {
  const { tab, watch, dialog, downloads } = observation;
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
    answered: observation.answers ? observation.answered : undefined,
    answered_more: observation.answers - observation.answered.length || undefined,
    unwatched: (observation.hasAnswered && !frames.length && !dialog && !progress.commits && !progress.removed) || undefined,
    unobserved: isUnobserved(observation, frames) || undefined,
    external: progress.external,
    downloads: downloads.length ? downloads.map(fileTold) : undefined,
    frames: framesTold(progress, tab.id),
    ...observation.requests.told(),
    under_way: underWay(observation, frames),
    scrolled: inAll(frames, ({ scrolled }) => scrolled),
    errors: inAll(frames, ({ errors }) => errors),
    changes: inAll(frames, ({ changes = [], dragged = [] }) => [...dragged, ...changes]),
    fields: inAll(frames, ({ fields }) => fields),
    focus: focusOf(frames),
    mutations: frames.reduce((sum, { mutations = 0 }) => sum + mutations, 0) || undefined,
    events: frames.reduce((sum, { events = 0 }) => sum + events, 0) || undefined,
  };
  const seen = Object.fromEntries(Object.entries(effects).filter(([, value]) => value !== undefined));
  return Object.keys(seen).length ? seen : { none: true };
}

/**
 * Things that have not ended with the reply, in words.
 * @param {ActObservation} observation @param {FrameCounted[]} frames
 */
function underWay({ requests: { pendingCount } }, frames) {
  const requests = pendingCount ? [`${pendingCount} request${pendingCount > 1 ? "s" : ""}`] : [];
  const all = [...requests, ...(frames.some(({ is_fading: isFading }) => isFading) ? ["text fading out"] : [])];
  return all.length ? all : undefined;
}

/**
 * Whether the page was too busy to say what changed, which is not the same as that nothing did.
 * @param {ActObservation} observation @param {FrameCounted[]} frames
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
function withAdvice(result, effects, { method, client, tab }) {
  const taken = effects.none && METHODS[method].input ? takenByChrome(tab.id) : "";
  if (taken && result.input === "trusted") return { ...result, note: joinNotes(result.note, taken) };
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
