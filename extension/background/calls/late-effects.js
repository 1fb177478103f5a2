/*
 * Effects that come a little later than an act: requests that its documents send, navigations of frames, downloads, errors. They
 * are waited for only while one is under way, and briefly.
 */
import { within } from "../base/deadline.js";
import { told } from "../rules/addresses.js";
import { MAX_NAMED } from "./sent-requests.js";

/** An act waits no longer than this for what it has set off. */
const QUIET_LIMIT_MS = 150;
/** Pages take a choice back when their request for it fails. */
const CHOICE_LIMIT_MS = 600;
/** A navigation that was given up for a file is told as a failed one without that file. */
const DOWNLOAD_LIMIT_MS = 500;
/** Signs of something to come, such as a spinner, are waited on for this long. */
const ANNOUNCED_LIMIT_MS = 500;
/** Times that a page has for a first sign of an act, and then to do something with what has come for it. */
const FIRST_SIGN_MS = 25;
/** Times the time of one look at the page: a busy computer is slow with what the act has set off, too. */
const LOOKS = 4;
const SETTLE_MS = 60;

/** @typedef {import("../base/protocol-types").Effects} Effects */
/** @typedef {import("../base/navigation-events.js").Progress} Progress */
/**
 * An act as it is observed. expectsDownload: whether one is known to come
 * @typedef {{requests: import("./sent-requests.js").SentRequests,
 *   watch: ReturnType<typeof import("../base/navigation-events.js").watchTab>,
 *   downloadBegun: import("../base/signal.js").Signal<[chrome.downloads.DownloadItem]>, ended: AbortController, timeLeft: number,
 *   dialog: object|null, dialogOpened: Promise<unknown>, expectsDownload: boolean, downloads: object[]}} Observed
 */

/** @param {Observed} recorder */
const isPending = (recorder) => {
  const frames = [...recorder.watch.progress.frames.values()];
  return recorder.expectsDownload || recorder.requests.isPending || frames.some((frame) => frame.isPending);
};

/**
 * Resolves with the next sign of what the act has set off, or after a time.
 * @param {Observed} recorder @param {number} ms
 * @returns {Promise<boolean>} whether there was one
 */
async function nextSign({ requests, watch, downloadBegun, ended, dialogOpened }, ms) {
  /** @type {PromiseWithResolvers<true>} */
  const { promise, resolve } = Promise.withResolvers();
  const seen = () => resolve(true);
  const stops = [requests.changed.add(seen), watch.onProgress(seen), downloadBegun.add(seen, ended.signal)];
  try {
    return Boolean(await Promise.race([within(promise, ms), dialogOpened]));
  } finally {
    for (const stop of stops) stop();
  }
}

/**
 * Waits while something that the act has set off is under way, and a moment for what the page makes of it. An act without any
 * sign gets that moment, too.
 * @param {Observed} recorder
 * @param {{hasSigns: boolean, lookMs: number, isChoice?: boolean}} looked whether the page has shown some, how long the look at
 *   it took, and whether the act has changed a choice
 * @returns {Promise<boolean>} whether there was anything to wait for
 */
export async function untilQuiet(recorder, { hasSigns, lookMs, isChoice = false }) {
  const { watch } = recorder;
  const [began, most] = [Date.now(), recorder.timeLeft];
  const limit = isChoice ? CHOICE_LIMIT_MS : QUIET_LIMIT_MS;
  const left = () => began + Math.min(recorder.expectsDownload ? DOWNLOAD_LIMIT_MS : limit, most) - Date.now();
  const hasLeft = () => watch.progress.pending || watch.progress.commits || watch.progress.removed;
  const isOver = () => recorder.dialog || hasLeft() || left() <= 0;
  // A page that saves one file may save more.
  const hasShown = hasSigns || watch.progress.opened.length > 0;
  if (!isPending(recorder) && hasShown && !recorder.downloads.length) return false;
  const settle = Math.max(SETTLE_MS, LOOKS * lookMs);
  let wait = isPending(recorder) ? settle : Math.max(FIRST_SIGN_MS, LOOKS * lookMs);
  for (let mustSettle = true; mustSettle && !isOver(); wait = settle) {
    while (isPending(recorder) && !isOver()) await nextSign(recorder, left());
    mustSettle = !isOver() && await nextSign(recorder, Math.min(wait, left()));
  }
  return true;
}

/**
 * Waits for what documents have announced, until they have changed again and announce nothing more.
 * @template {{announces?: boolean, documentId: string}} T
 * @param {Observed} recorder @param {T[]} frames as they were counted
 * @param {{count: () => Promise<T[]>, news: (documentId: string) => Promise<unknown>, left: Promise<unknown>}} ways
 * @returns {Promise<T[]>} how they are now
 */
export async function untilNews(recorder, frames, { count, news, left }) {
  const end = Date.now() + Math.min(ANNOUNCED_LIMIT_MS, recorder.timeLeft);
  let now = frames;
  for (;;) {
    const announced = now.filter(({ announces }) => announces);
    const msLeft = end - Date.now();
    if (!announced.length || msLeft <= 0 || recorder.dialog) return now;
    const changed = announced.map(({ documentId }) => news(documentId));
    const isOver = await within(Promise.race([...changed, left, recorder.dialogOpened]).then(() => false), msLeft, () => true);
    const later = recorder.watch.progress.pending || recorder.watch.progress.commits ? [] : await count();
    if (!later.length) return now;
    now = later;
    if (isOver) return now;
  }
}

/** @param {Progress} progress @param {number} tabId @returns {Effects["frames"]} */
export function framesTold({ frames, commits }, tabId) {
  const isTold = (/** @type {{url: string, error?: string}} */ { url, error }) =>
    url !== "about:blank" && error !== "net::ERR_ABORTED";
  const found = commits ? [] : [...frames.values()].filter(isTold);
  if (!found.length) return undefined;
  return found.slice(0, MAX_NAMED).map(({ url, error, isPending: isLoading }) => {
    const { url: address, barred } = told({ url }, tabId);
    return { url: address, ...(barred && { barred }), ...(error && { error }), ...(isLoading && { loading: true }) };
  });
}

/** @param {{url: string, filename?: string, path?: string}} download */
export const fileTold = ({ url, filename, path }) => ({ ...told({ url }), ...(filename && { filename }), ...(path && { path }) });
