/*
 * Elements on which a page listens, for snapshots. Two sources: a watcher in the page's own world that knows what frameworks note
 * on elements (placed once per document; it answers the content script on the spot, without a round trip), and, where the
 * debugger is attached or may be without the user seeing it, the list of all listeners.
 */
import { ifInTime } from "../base/deadline.js";
import { TabMap } from "../base/tabs.js";
import { isAttached, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { senderOf } from "../debugger/child-sessions.js";
import { placeWatchers } from "./injected-script.js";
import { tellListeners } from "./listener-list.js";
import { watchListeners } from "./listener-watch.js";
import { callWithDocument } from "./content-calls.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./content-calls.js").FrameAnswer} Answer */

/** Watchers of an earlier worker go on answering to the name they were given. */
const NAME = `e${crypto.randomUUID()}`;
const LIMIT_MS = 1500;

/**
 * Captures frames, with what is listened on known to them.
 * @param {number} tabId
 * @param {object} options of snapshot.capture
 * @param {CallContext} call
 * @param {(options: object) => Promise<Answer[]>} ask captures
 * @returns {Promise<Answer[]>}
 */
export async function captureListening(tabId, options, call, ask) {
  const listen = { name: NAME };
  const start = performance.now();
  const early = isNewsLikely(tabId) ? tellTimed(tabId, call, frames.get(tabId)) : null;
  const first = await ask({ ...options, listen });
  const askedFor = performance.now() - start;
  const last = { ...options, listen: { ...listen, isLast: true } };
  const unheard = first.filter(({ value }) => value?.isUnheard);
  const isWatched = !unheard.length;
  if (!isWatched) await limited(placeWatchers(tabId, unheard.map(({ documentId }) => documentId), watchListeners, NAME));
  const state = stateOf(first);
  if (isWatched && isSettled(tabId, state)) return first;
  const isLate = isWatched && isSlow(tabId, askedFor);
  if (isLate && isResting(tabId)) return first;
  // A document that was not listening yet has missed it.
  const isCovered = isWatched && frames.get(tabId) === first.length;
  frames.set(tabId, first.length);
  const telling = early && isCovered ? early : Promise.resolve(early).then(() => tellTimed(tabId, call, first.length));
  const isTold = isLate ? undefined : await telling.then((isNew) => ((news.get(tabId) ?? 0) > start) || isNew);
  if (isTold === false) settle(tabId, state);
  return isTold || !isWatched ? captureAgain(tabId, first, isTold ? first : unheard, last, call) : first;
}

/** State of the documents by their stamps; "" when one gave none. @param {Answer[]} answers */
function stateOf(answers) {
  const stamps = answers.map(({ documentId, value }) => [documentId, value?.same ?? value?.stamp]);
  return stamps.every(([, stamp]) => stamp) ? stamps.join() : "";
}

/**
 * Tab → the state in which nothing new was listed, and how often. Listeners come without any change of the document, but mostly
 * right after one.
 * @type {TabMap<{state: string, times: number}>}
 */
const quiet = new TabMap();
const QUIET_TIMES = 2;
/** @param {number} tabId @param {string} state */
const timesQuiet = (tabId, state) => {
  const known = quiet.get(tabId);
  return known?.state === state ? known.times : 0;
};
/** @param {number} tabId @param {string} state */
const isSettled = (tabId, state) => state !== "" && timesQuiet(tabId, state) >= QUIET_TIMES;

/** @param {number} tabId @param {string} state */
const settle = (tabId, state) => void quiet.set(tabId, { state, times: timesQuiet(tabId, state) + 1 });

/** Tab → how long its listeners took last time, and when that was over, ms. @type {TabMap<{took: number, end: number}>} */
const costs = new TabMap();
/** Tab → how many frames it had last time. @type {TabMap<number>} */
const frames = new TabMap();
/**
 * Tab → when its documents heard something new: another capture may have told them what this one asks for.
 * @type {TabMap<number>}
 */
const news = new TabMap();
const SLOW_MS = 40;

/**
 * Whether asking takes longer than capturing, as with thousands of listeners: the news then come with the next snapshot.
 * @param {number} tabId @param {number} askedFor ms
 */
const isSlow = (tabId, askedFor) => (costs.get(tabId)?.took ?? 0) > Math.max(SLOW_MS, askedFor);

/** Time without a list, in times of what a slow one takes: page and worker are busy with it for as long. */
const REST = 10;
/** @param {number} tabId */
function isResting(tabId) {
  const { took, end } = costs.get(tabId) ?? { took: 0, end: 0 };
  return performance.now() < end + REST * took;
}

/** Whether the listeners will be asked for anyway, so that both questions can be sent at once. @param {number} tabId */
const isNewsLikely = (tabId) =>
  (costs.get(tabId)?.took ?? Infinity) <= SLOW_MS && frames.has(tabId) && (quiet.get(tabId)?.times ?? Infinity) < QUIET_TIMES;

/** @param {number} tabId @param {CallContext} call @param {number | undefined} count */
const tellTimed = (tabId, call, count) => limited(timed(tabId, tellAll(tabId, call, count)));

/** @param {number} tabId @param {Promise<boolean | undefined>} work */
async function timed(tabId, work) {
  const start = performance.now();
  try {
    const isNew = await work;
    if (isNew) news.set(tabId, performance.now());
    return isNew;
  } finally {
    const end = performance.now();
    costs.set(tabId, { took: end - start, end });
  }
}

/** @param {number} tabId @param {Answer[]} answers @param {Answer[]} asked @param {object} options @param {CallContext} call */
async function captureAgain(tabId, answers, asked, options, call) {
  const again = await Promise.all(asked.map((answer) => captureOne(tabId, answer, options, call)));
  const byFrame = new Map(again.map((answer) => [answer.frameId, answer]));
  return answers.map((answer) => byFrame.get(answer.frameId) ?? answer);
}

/** Snapshots do without what takes too long or fails. @template T @param {Promise<T>} work */
const limited = (work) => ifInTime(work, LIMIT_MS);

/** @param {number} tabId @param {Answer} answer @param {object} options @param {CallContext} call @returns {Promise<Answer>} */
const captureOne = (tabId, { frameId, documentId, error }, options, call) =>
  error
    ? Promise.resolve({ frameId, documentId, error })
    : callWithDocument(tabId, { documentId }, "snapshot.capture", options, call).catch((failure) => ({
        frameId,
        documentId,
        error: failure,
      }));

/**
 * An attachment that is there is used as it is: taking part in it would keep the browser's bar up longer.
 * @param {number} tabId @param {CallContext} call @param {number} [frames]
 */
async function tellAll(tabId, call, frames) {
  if (pendingDialog(tabId)) return undefined;
  const work = (/** @type {import("../debugger/attachment.js").Send} */ send) => tellListeners(tabId, send, `${NAME}!`, frames);
  if (call.client.launched) return withDebugger(tabId, call, work);
  return isAttached(tabId) ? work(senderOf(tabId, undefined)) : undefined;
}
