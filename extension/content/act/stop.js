/*
 * The person's stop, as it arrives in a page: what waits here is woken and fails, what goes on in steps ends at the next
 * one. A page that stood still meanwhile, as behind a dialog, asks before it goes on.
 */
import { codedError } from "../base/errors.js";
import { worker } from "../base/worker.js";
import * as pageMarks from "./page-marks.js";

/** A step that took so long was held up: a stop may have come, and not yet arrived. */
const HELD_MS = 300;

let over = new AbortController();

const stopped = () => codedError("stopped_by_user", "the person at the browser stopped everything");

/** Ends all that goes on in this document for clients; what comes later is not touched. */
export function now() {
  const ended = over;
  over = new AbortController();
  ended.abort(stopped());
  pageMarks.hide();
  return true;
}

/** @param {number} since epoch ms */
async function askAfterDelay(since) {
  if (Date.now() - since < HELD_MS) return;
  const answer = await worker.ask?.({ tabwireStillWanted: since });
  if (answer?.stopped) throw stopped();
}

/**
 * A step of an act that takes several, and the rest after it. Throws when the act was stopped meanwhile.
 * @param {() => void} run
 * @param {() => Promise<void>} [rest]
 */
export async function step(run, rest) {
  const { signal } = over;
  const since = Date.now();
  run();
  await askAfterDelay(since);
  signal.throwIfAborted();
  if (rest) await unless(rest());
}

/**
 * Settles like `work`, or rejects in the moment of a stop.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export function unless(work) {
  const { signal } = over;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Signal that a stop aborts; each wait takes it as it begins. */
export const signal = () => over.signal;
