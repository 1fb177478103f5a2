/*
 * The guards of all frames of a page: what they let through of a press, and what they stopped. An act by pointer is done
 * only when the guard of its element's frame has seen the press arrive there.
 */
import { ifInTime, within } from "../base/deadline.js";
import { callAll, call as callPage } from "../page/content-calls.js";
import { inPage, tabIdOf } from "../page/element-lookup.js";
import { isGone, navigatedAway } from "../base/errors.js";
import { unlessReplaced } from "../base/navigation-events.js";
import { keepsOrder } from "../tabs/page-scripts.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/**
 * begun: whether its frame saw the button go down; reached: presses that the element got; the rest, but for stops: as for what
 * came to no click; stops: the guards that have stopped the press; replaced_by: number of the element that was pressed in its
 * place; is_kept: the browser keeps presses on it from the page
 * @typedef {import("./press-outcome.js").Missed & {begun?: boolean, reached: number, blocked_by: string|null,
 *   stops?: import("./heard-presses.js").Stop[], replaced_by?: number, is_kept?: boolean}} Verdict
 */
/** @typedef {{frameId: number, value?: any}} Told */

/**
 * isLast: the last word of an act brings its count along; stays: what was stopped is stopped further; count: presses of the act
 * @typedef {{isLast?: boolean, stays?: boolean, count?: number}} VerdictOptions
 */

/** Frames that do not answer for so long hold up no press. */
const BELOW_LIMIT_MS = 250;
/** A page that has seen a step tells of it within so long after Chrome has said that it was given to the page. */
const TELL_MS = 10;
/** Verdict on a press whose page has left: the page has taken the press. @type {Verdict} */
const TAKEN_ALONG = { reached: Infinity, clicks: Infinity, missed: null, blocked_by: null };

/**
 * Sets the guard for the next press: in the element's frame, and in the others against a press that lands there.
 * @param {CallContext} call @param {Located} where
 */
export async function armFrame(call, where) {
  if (where.frame.frameId !== 0) await callAll(tabIdOf(call), "input.arm", { target: null }, call);
  return inPage(call, where, "input.arm");
}

/** Whether the page has no other frames. @param {CallContext} call */
export const isAlone = ({ observation }) => Boolean(observation?.hasOneFrame);

/** Whether the last step of a call can end the count of its act: the call is no part of another one. @param {CallContext} call */
export const endsAct = (call) => isAlone(call) && call.observation?.method === call.method;

/**
 * Sets the guards of the frames in a page whose own element is to be pressed: one may come to lie over it. A frame that does not
 * answer takes no press either.
 * @param {CallContext} call @param {Located} where
 */
export async function armFramesBelow(call, { frame }) {
  if (frame.frameId !== 0 || isAlone(call)) return;
  await ifInTime(callAll(tabIdOf(call), "input.arm", { target: null, below: true }, call), BELOW_LIMIT_MS);
}

const replaced = () => navigatedAway("the frame was replaced by a navigation; take a new snapshot");

const NOTHING = { begun: false, reached: 0, clicks: 0, missed: null };

/** Answers of the guards that have stopped a press. @template {Told} Answer @param {Answer[]} [answers] */
const stopping = (answers = []) => answers.filter(({ value }) => value?.blocked_by);

/**
 * The verdict of the element's own guard on a press that guards have stopped. Right after frames were scrolled Chrome may take
 * the place for another frame's as the button goes down, and for this one's as it comes up: that is no press here.
 * @param {Verdict} own @param {Told[]} blocked
 * @returns {Verdict}
 */
const stopped = (own, blocked) => ({
  ...(own.begun ? own : NOTHING),
  blocked_by: blocked[0].value.blocked_by,
  stops: blocked.map(({ frameId, value: { types, closes } }) => ({ frameId, types, closes })),
});

/**
 * Asks the guards of all frames what they saw. Throws as soon as the frame of the element has another document.
 * @param {CallContext} call @param {Located["frame"]} frame @param {object} args
 * @returns {Promise<Verdict>}
 */
async function askFrames(call, { frameId, documentId }, args) {
  const tabId = tabIdOf(call);
  const answers = await unlessReplaced(tabId, frameId, callAll(tabId, "input.verdict", args, call), replaced);
  const own = answers.find((answer) => answer.documentId === documentId);
  const blocked = stopping(answers);
  const told = { ...NOTHING, ...own?.value, blocked_by: null };
  if (blocked.length) return stopped(told, blocked);
  if (!own) throw replaced();
  if (own.error) throw own.error;
  return told;
}

/**
 * @param {CallContext} call @param {Located} where @param {VerdictOptions} options
 * @returns {Promise<Verdict>}
 */
async function ask(call, { frame }, { isLast = false, stays = false, count = 1 }) {
  if (frame.frameId !== 0) return askFrames(call, frame, { stays, is_double: count === 2 });
  const args = { ends: isLast && isAlone(call), stays, is_double: count === 2 };
  const { counted, ...told } = await callPage(tabIdOf(call), frame, "input.verdict", args, call);
  if (counted) call.observation?.noteCounted(counted);
  const own = told.blocked_by ? stopped(told, [{ frameId: 0, value: told }]) : told;
  if (isAlone(call)) return own;
  const below = ifInTime(callAll(tabIdOf(call), "input.verdict", { stays, below: true }, call), BELOW_LIMIT_MS);
  if ((told.begun && told.reached) || told.blocked_by) return own;
  const blocked = stopping(await below);
  return blocked.length ? stopped(told, blocked) : told;
}

/**
 * Verdict of the guards on a press.
 * @param {CallContext} call
 * @param {Located} where
 * @param {VerdictOptions} [options]
 * @returns {Promise<Verdict>}
 */
export async function verdict(call, where, options = {}) {
  const { actStart } = call.observation ?? {};
  try {
    const told = await ask(call, where, options);
    if (told.blocked_by && !told.reached) actStart?.takeBack();
    return told;
  } catch (error) {
    if (isGone(error) && (!actStart || await actStart.hasBegunSoon())) return TAKEN_ALONG;
    throw error;
  }
}

/**
 * Does a step of an act, and gives what a page of one frame tells of it by itself, while Chrome still says that it was done.
 * @template Told
 * @param {CallContext} call @param {{frame: import("../page/content-calls.js").FrameTarget}} where
 * @param {{name: string, args: object}} question  asked ahead; the page answers it when it has seen the step
 * @param {() => Promise<unknown>} step
 * @returns {Promise<Told|null>} null where the page tells nothing: it is to be asked
 */
export async function toldMeanwhile(call, { frame }, { name, args }, step) {
  const tells = frame.frameId === 0 && isAlone(call) && keepsOrder(tabIdOf(call));
  const telling = tells ? callPage(tabIdOf(call), frame, name, args, call).catch(() => null) : null;
  await step();
  const { told = null, counted } = (telling && await within(telling, TELL_MS)) ?? {};
  if (counted) call.observation?.noteCounted(counted);
  return told;
}

/**
 * Does the last step of an act by DOM events. A page of one frame tells by itself, right behind it, what the act has changed.
 * @template Done
 * @param {CallContext} call @param {{frame: import("../page/content-calls.js").FrameTarget}} where
 * @param {() => Promise<Done>} step
 * @returns {Promise<Done>}
 */
export async function endedBy(call, { frame }, step) {
  if (!endsAct(call)) return step();
  /** @type {Promise<Done> | undefined} */
  let done;
  await toldMeanwhile(call, { frame }, { name: "effects.ending", args: {} }, () => done = step());
  return /** @type {Promise<Done>} */ (done);
}

/**
 * Makes a press, and tells what the guards saw of it.
 * @param {CallContext} call @param {Located} where
 * @param {VerdictOptions & {button?: string, modifiers?: string[]}} options
 * @param {() => Promise<void>} press
 * @returns {Promise<Verdict>}
 */
export async function verdictOn(call, where, options, press) {
  const { button = "left", count = 1, modifiers = [], isLast = false } = options;
  const isPlain = button === "left" && count === 1 && !modifiers.length;
  const question = { name: "input.clicked", args: { ends: isLast && isAlone(call) } };
  const told = await (isPlain ? toldMeanwhile(call, where, question, press) : press());
  return told ?? verdict(call, where, options);
}
