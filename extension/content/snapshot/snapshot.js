/* The snapshot of this document as the worker asks for it: where to start, what was kept, what is said beside the lines. */
import { codedError } from "../base/errors.js";
import { hop } from "../base/turns.js";
import { worker } from "../base/worker.js";
import * as cssContent from "../dom/css-content.js";
import { activeElementDeep, cachedInTurns } from "../dom/flat-tree.js";
import * as frames from "../dom/frames.js";
import { printable } from "../dom/text.js";
import * as covers from "../visibility/covers.js";
import * as listeners from "../find/listeners.js";
import * as refs from "../find/refs.js";
import * as linesInView from "./lines-in-view.js";
import { gatherShapes, leaveIdleHeadings } from "./merged-lines.js";
import { Capture } from "./snapshot-pass.js";
import * as unchanged from "./unchanged-page.js";

/** A stamp that tells the answers of all documents apart. */
const stampOf = () => crypto.randomUUID?.() ?? `${Math.random()}`;

/** Modal dialogs that are not inside another one: the rest of the page is inert while they are open. */
export function modals() {
  const open = Array.from(document.getElementsByTagName("dialog")).filter((dialog) => dialog.matches(":modal"));
  return open.filter((dialog) => !open.some((outer) => outer !== dialog && outer.contains(dialog)));
}

/** Longest time for which a large page stands still for its snapshot before it has its turn, ms. */
const TURN_MS = 12;
/** A page that takes more than this for its turns has no further one, ms. */
const MAX_WAIT_MS = 200;
/** Time for the walk over a page of very many elements, ms. */
const WALK_MS = 3_000;

const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[tabindex]";

/** @param {Element[]} dialogs */
export function countBehind(dialogs) {
  return [...document.querySelectorAll(CONTROLS)].filter((control) =>
    !dialogs.some((dialog) => dialog.contains(control)) && control.checkVisibility({ visibilityProperty: true })).length;
}

/** @param {CaptureOptions} options */
function rootsOf(options) {
  if (options.roots) return options.roots.map((local) => refs.resolve(local));
  const root = document.body ?? document.documentElement;
  if (options.mode !== "focused") return root ? [root] : [];
  const active = activeElementDeep();
  return active && active !== document.documentElement ? [active] : [root];
}

/**
 * The walk over these elements; over again, without the words under boxes that it found, where there are such words. It yields
 * where the page is to have its turn.
 * @param {Element[]} roots
 * @param {CaptureOptions} options
 * @param {Trace | null} trace
 * @param {Pace} pace
 * @returns {Generator<void, Capture>}
 */
function* walked(roots, options, trace, pace) {
  let work = new Capture(options, trace);
  for (const root of roots) yield* work.turns(root, pace);
  const found = work.covers.length ? covers.under(work.covers) : null;
  if (found?.size) {
    const most = work.isPartial ? work.looks : Infinity;
    work = new Capture(options, null, found);
    for (const root of roots) work.run(root, most);
  }
  const isToYield = () => work.hasYielded && pace.turnMs !== Infinity;
  if (isToYield()) yield;
  if (options.mode === "interactive") leaveIdleHeadings(work.lines);
  work.lines.leaveIdleLevels();
  gatherShapes(work.lines);
  if (isToYield()) yield;
  return work;
}

const IS_PDF = document.contentType === "application/pdf";
/** The lines of a document that shows a PDF: what it has for a tree is the browser's viewer. */
const PDF = window === window.top
  ? { text: "- document [type=application/pdf]", refs: 0, isPdf: true }
  : { text: "- text: a PDF (to read it, open its address in a tab)", refs: 0 };

/** @param {CaptureOptions} options @param {Trace | null} trace @param {Pace} pace */
function* captured(options, trace, pace) {
  const roots = rootsOf(options);
  const dialogs = options.roots || options.mode === "focused" ? [] : modals();
  const work = yield* walked(dialogs.length ? dialogs : roots, options, trace, pace);
  if (dialogs.length) work.notes.behind = countBehind(dialogs);
  if (work.isPartial) work.notes.left = document.getElementsByTagName("*").length;
  return {
    title: printable(document.title),
    url: location.href,
    viewport: `${window.innerWidth}x${window.innerHeight}`,
    ...(IS_PDF ? PDF : work.lines.print()),
    notes: work.notes,
    unseenFrames: work.unseenFrames,
    focus: options.mode === "focused" && roots[0] !== document.body,
    isOfLayout: work.covered.size > 0 || work.hasClips,
    samples: IS_PDF ? [] : linesInView.samplesOf(work.lines.list),
  };
}

/** Parts, focused elements and bounds depend on more than is watched: they are not kept. @param {CaptureOptions} options */
const isKeepable = ({ roots, mode, include_bounds }) => !roots && mode !== "focused" && !include_bounds;

/** @typedef {ReturnType<typeof captured> extends Generator<any, infer Found> ? Found : never} Found */
/** @typedef {Found & {stamp?: string}} Answer  `samples`: scrolling is not watched, they are asked anew */

/** @param {Answer} answer @param {string[]} [known] stamps of answers that need not be sent again */
function given({ samples, isOfLayout, ...told }, known = []) {
  const inView = linesInView.among(samples);
  const seen = inView.length ? { seen: inView } : {};
  const { stamp } = told;
  return stamp !== undefined && known.includes(stamp) ? { same: stamp, ...seen } : { ...told, ...seen };
}

/**
 * Runs a capture, and notes the generated text that it looks at.
 * @template T
 * @param {Trace | null} trace @param {() => T} run
 */
function noting(trace, run) {
  cssContent.note(trace?.looks ?? null);
  try {
    return run();
  } finally {
    cssContent.note(null);
  }
}

/**
 * Makes what does the turns of a capture, one after another.
 * @param {CaptureOptions} options @param {Trace | null} trace @param {Pace} pace
 * @returns {() => Found | undefined} what was captured, once it has come to its end
 */
function turnsOf(options, trace, pace) {
  const inCaches = cachedInTurns();
  const capturing = captured(options, trace, pace);
  return () => noting(trace, () => inCaches(() => capturing.next().value ?? undefined));
}

/** @param {number} turnMs @returns {Pace} */
const paceOf = (turnMs) => ({ turnMs, end: performance.now() + WALK_MS });

/** @param {CaptureOptions} options @param {Trace | null} trace */
const atOnce = (options, trace) => /** @type {Found} */ (turnsOf(options, trace, paceOf(Infinity))());

/**
 * The rest of a capture, between the turns of a large page; all of it at once where that changes meanwhile and somebody waits.
 * @param {CaptureOptions} options @param {Trace} trace @param {ReturnType<typeof turnsOf>} goOn @param {Pace} pace
 * @param {boolean} isEarly
 */
async function inTurns(options, trace, goOn, pace, isEarly) {
  const isUnchanged = unchanged.watchDuring(trace);
  let waited = 0;
  for (;;) {
    trace.note();
    unchanged.watch(trace.roots);
    const began = performance.now();
    await hop();
    waited += performance.now() - began;
    if (waited > MAX_WAIT_MS) pace.turnMs = Infinity;
    if (!isUnchanged()) break;
    const found = goOn();
    if (found) return answerOf(options, found, trace);
  }
  if (isEarly) throw codedError("unobserved", "the page changes while it is captured; ask for it then");
  const anew = new unchanged.Trace();
  return answerOf(options, atOnce(options, anew), anew);
}

/**
 * Everything that an answer depends on besides the page. Chrome sorts what it gives to a script, and leaves the order of what
 * comes over a Port.
 * @param {CaptureOptions} options
 */
const keyOf = (options) => JSON.stringify([Object.entries(options).sort(), worker.seal, listeners.versionNow()]);

/** @param {CaptureOptions} options @param {Found} found @param {Trace} trace */
function answerOf(options, found, trace) {
  const answer = { ...found, stamp: stampOf() };
  // The position of a list is part of the text, and neither scrolling nor the movement of covering boxes is watched.
  if (!answer.notes.rows.length && !answer.isOfLayout && !answer.notes.left) unchanged.keep(keyOf(options), answer, trace);
  return given(answer);
}

/** @param {SnapshotRequest} request */
function answerTo({ nonce, known, listen, early = false, ...options }) {
  cssContent.forgetRules();
  const kept = isKeepable(options) ? unchanged.recall(keyOf(options)) : null;
  if (kept) return given(/** @type {Answer} */ (kept), known);
  listeners.refresh();
  if (!isKeepable(options)) return given(atOnce(options, null));
  const trace = new unchanged.Trace();
  const pace = paceOf(TURN_MS);
  const goOn = turnsOf(options, trace, pace);
  const found = goOn();
  return found ? answerOf(options, found, trace) : inTurns(options, trace, goOn, pace, early);
}

/** Longest time of a fade; text that a page lets fade for longer is told as it is. */
const FADE_MS = 500;
/** Properties with which pages let text appear. */
const APPEARING = ["opacity", "filter", "transform", "translate", "scale", "top", "right", "bottom", "left", "letterSpacing"];

/** @param {Animation} animation */
function isFade({ effect, playState, currentTime }) {
  if (!(effect instanceof KeyframeEffect) || playState !== "running") return false;
  const left = Number(effect.getComputedTiming().endTime) - Number(currentTime);
  return left <= FADE_MS && effect.getKeyframes().some((frame) => APPEARING.some((name) => name in frame));
}

/** Resolves when what is fading now is there; animations do not run in a hidden page. Undefined where nothing fades. */
function faded() {
  const fades = document.hidden ? [] : document.getAnimations().filter(isFade);
  if (!fades.length) return undefined;
  const late = new Promise((resolve) => { setTimeout(resolve, FADE_MS); });
  return Promise.race([late, Promise.allSettled(fades.map(({ finished }) => finished))]);
}

/**
 * The lines of this document; {same: stamp} instead when the worker knows them. Text that is about to be seen is waited for.
 * @param {SnapshotRequest} options
 * @returns {object} isUnheard: see `isPlaced` of listeners
 */
export const capture = (options) => {
  if (options.listen && !listeners.isPlaced(options.listen)) return { isUnheard: true };
  const answer = answerTo(options);
  return answer instanceof Promise ? answer.then((late) => onceFaded(late, options)) : onceFaded(answer, options);
};

/** @param {object} answer @param {SnapshotRequest} options */
function onceFaded(answer, options) {
  const { notes, unseenFrames } = /** @type {Partial<Found>} */ (answer);
  const fading = notes?.unseen || unseenFrames?.length ? faded() : undefined;
  if (!fading) return withPath(answer, options);
  return fading.then(() => answerTo(options)).then((late) => withPath(late, options));
}

/** @param {object} answer @param {SnapshotRequest} options */
function withPath(answer, options) {
  return window === window.top ? { ...answer, path: [] } : frames.withPath(answer, options.nonce);
}
