/*
 * Finds one element by its selector in the frames of a tab: strictly (two matches are an error that lists them), and patiently
 * (an element that is not there yet is waited for, by the page's own changes). Then the page is asked about that element, such
 * as whether it is fit for an act.
 */
import { pause, within } from "../base/deadline.js";
import { said, TabwireError } from "../base/errors.js";
import { call as callPage, callAll, callWithDocument, perform } from "./content-calls.js";
import { publishAnswer, publishNumber, refNumber, resolve } from "./refs.js";
import { keepsOrder } from "../tabs/page-scripts.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./content-calls.js").FrameAnswer} FrameAnswer */
/**
 * aimed: what the page has said of its fitness as it was found, by the function of that name
 * @typedef {{frame: {documentId: string, frameId: number}, local: number, ref: string, aimed?: Aimed}} Located
 */
/** @typedef {{frameId: number, documentId: string, value: Found}} Hit */
/**
 * @typedef {{stamp: number, count: number, usable: number, locals: number[], candidates: object[],
 *   aimed?: Aimed}} Found
 */
/** place: the words around it @typedef {{ref: string, role: string, name?: string, text?: string, place?: string}} Candidate */
/**
 * Function of the page that sees whether an element is fit for a press, and what it looks for.
 * @typedef {{name: string, checks: string[], force?: boolean, at_word?: boolean}} Aim
 */
/**
 * tellsNearest: false where nobody reads it; aim: the page aims as well, where it can: one question less
 * @typedef {{frameId?: number, timeout?: number, tellsNearest?: boolean, aim?: Aim}} Within
 */
/** @typedef {Prepared & {name: string}} Aimed */
/** @typedef {{x: number, y: number}} Point */
/**
 * shown: the part of the frame's viewport that is shown; obstacle: why a press at the point does not reach the element, where
 * checks are skipped; slot: of the frame in it whose document gets the press
 * @typedef {{point: Point, description: string, shown: import("./frames.js").Shown,
 *   beyond?: "user"|"dialog"|"request"|"native", obstacle?: string, slot?: number|string}} Prepared
 */
/**
 * reveals: scrolls first; atWord: aims at a word in an editor
 * @typedef {{checks: string[], force?: boolean, reveals?: boolean, atWord?: boolean, until: number}} PrepareOptions
 */

/** The patience of methods that have no parameter for it. */
export const TIMEOUT_MS = 5000;
/** Checks of an element that is to be pressed. */
export const PRESS_CHECKS = ["visible", "enabled", "stable", "receives"];
/** Time kept back for the answer: the reason must reach the client before the deadline does. */
const RESERVE_MS = 150;
const ACT_RESERVE_MS = 200;
const MAX_CANDIDATES = 6;
const MAX_NEAREST = 3;
/** Time for looking what is near a selector that nothing matches. */
const NEAREST_MS = 400;
/** A call that has more time keeps some of it for that. */
const LONG_MS = 2000;
/** Steps of a chain that name no element. */
const UNNAMED = new Set(["nth", "first", "last", "filter", "within"]);
/** Longest pause between two looks: on a page that never rests, looking again must not become the load. */
const MAX_PAUSE_MS = 100;
const PAUSE_STEP_MS = 5;

/** The tab of a call that works in one. @param {CallContext} call */
export const tabIdOf = (call) => /** @type {number} */ (call.tab?.id);

/**
 * Finds the one element a selector means.
 * @param {string} selector @eN, semantic, CSS or XPath
 * @param {Within} params
 * @param {CallContext} call
 * @returns {Promise<Located>}
 */
export async function locate(selector, params, call) {
  const where = await find(selector, params, call);
  call.observation?.noteResult({ ref: where.ref });
  return where;
}

/**
 * @param {string} selector
 * @param {Within} params
 * @param {CallContext} call
 * @returns {Promise<Located>}
 */
async function find(selector, params, call) {
  const tabId = tabIdOf(call);
  if (refNumber(selector) !== null) {
    const { documentId, frameId, local } = await resolve(tabId, selector);
    return { frame: { documentId, frameId }, local, ref: `@e${refNumber(selector)}` };
  }
  const { aim, frameId = 0 } = params;
  const mayAim = aim && frameId === 0 && !call.onlyOrigins && keepsOrder(tabId);
  const [command, args] = mayAim ? ["input.find", { selector, aim }] : ["selectors.find", { selector }];
  return locateBy(command, args, params, call, `"${selector}"`);
}

/**
 * Finds the one element a content command answers with.
 * @param {string} command
 * @param {object} args
 * @param {Within} params
 * @param {CallContext} call
 * @param {string} what how the question is called in messages
 * @param {(hits: Hit[], args: {watching: boolean}) => Hit[] | Promise<Hit[]>} [choose]
 * @returns {Promise<Located>}
 */
export async function locateBy(command, args, params, call, what, choose = (hits) => hits) {
  const tabId = tabIdOf(call);
  const kept = call.remaining() > LONG_MS ? RESERVE_MS + NEAREST_MS : RESERVE_MS;
  const patience = Math.min(params.timeout ?? TIMEOUT_MS, call.remaining() - kept);
  // The reserve is taken from the time left of the call, whose clock stops while the person is asked.
  const reserve = call.remaining() - patience;
  for (let round = 0; ; round += 1) {
    const watching = round > 0;
    const hits = await choose(await ask(tabId, command, { ...args, watching }, params, call), { watching });
    const usable = hits.reduce((sum, { value }) => sum + value.usable, 0);
    if (usable > 1) throw await ambiguous(tabId, hits, usable, what);
    const hit = hits.find(({ value }) => value.usable === 1) ?? onlyHidden(hits);
    if (hit) {
      if (watching) release(tabId, call);
      return located(tabId, hit);
    }
    const left = Math.min(patience, call.remaining() - reserve);
    if (left <= 0) {
      release(tabId, call);
      const isNearestTold = params.tellsNearest !== false && hits.every(({ value }) => value.count === 0);
      throw absent(hits, what, params, isNearestTold ? await nearestTo(args, params, call) : []);
    }
    if (watching) await nextChange(tabId, hits, left, round, call);
  }
}

/** The act waits for a single hidden match itself, and can tell why it cannot be used. @param {Hit[]} hits */
function onlyHidden(hits) {
  const present = hits.filter(({ value }) => value.count > 0);
  return present.length === 1 && present[0].value.count === 1 ? present[0] : undefined;
}

/** @param {number} tabId @param {Hit} hit @returns {Promise<Located>} */
async function located(tabId, { documentId, frameId, value }) {
  const { locals: [local], aimed } = value;
  const ref = await publishNumber(tabId, documentId, frameId, local);
  return { frame: { documentId, frameId }, local, ref, ...(aimed && { aimed }) };
}

/**
 * Looks once into the frame asked for, or into all.
 * @param {number} tabId @param {string} command @param {object} args @param {{frameId?: number}} params @param {CallContext} call
 * @returns {Promise<Hit[]>}
 */
async function ask(tabId, command, args, params, call) {
  if (params.frameId !== undefined) {
    return [await callWithDocument(tabId, { frameId: params.frameId }, command, args, call)];
  }
  const answers = await callAll(tabId, command, args, call).catch((/** @type {TabwireError} */ error) => {
    // A page that is being replaced right now answers nothing; the next look meets the new one.
    if (TRANSIENT.has(error.code)) return [];
    throw error;
  });
  const isBarred = (/** @type {FrameAnswer} */ { frameId, error }) => frameId === 0 && error?.code === "permission_denied";
  const failed = answers.find((answer) => isBarred(answer) || MISTAKES.has(answer.error?.code ?? ""));
  if (failed) throw failed.error;
  return /** @type {Hit[]} */ (answers.filter(({ value }) => value));
}

const TRANSIENT = new Set(["no_such_frame", "stale_element_reference"]);
const MISTAKES = new Set(["invalid_selector", "invalid_argument", "dialog_pending"]);

/** @param {number} tabId @param {Hit[]} hits @param {number} left ms @param {number} round @param {CallContext} call */
async function nextChange(tabId, hits, left, round, call) {
  const wait = hits.length ? Math.min(MAX_PAUSE_MS, round * PAUSE_STEP_MS) : MAX_PAUSE_MS;
  await pause(wait);
  if (!hits.length) return;
  const gone = () => undefined;
  const changes = hits.map(({ documentId, frameId, value }) =>
    callPage(tabId, { documentId, frameId }, "selectors.changed", { stamp: value.stamp }, call).catch(gone));
  await within(Promise.race(changes), Math.max(0, left - wait));
  call.signal.throwIfAborted();
}

/** @param {number} tabId @param {CallContext} call */
function release(tabId, call) {
  callAll(tabId, "selectors.unwatch", {}, call).catch(() => {});
}

/** @param {number} tabId @param {Hit[]} hits @param {number} [limit] @returns {Promise<Candidate[]>} */
async function candidatesOf(tabId, hits, limit = MAX_CANDIDATES) {
  const lists = await Promise.all(hits.map((hit) => publishAnswer(tabId, hit, hit.value.candidates)));
  return lists.flat().slice(0, limit);
}

const wording = (/** @type {Candidate} */ { ref, role, name, text, place }) =>
  `${ref} ${role}${name ? ` ${said(`"${name}"`)}` : text ? ` (${said(text)})` : ""}${place ? ` in ${said(`"${place}"`)}` : ""}`;

/** @param {number} tabId @param {Hit[]} hits @param {number} count @param {string} what */
async function ambiguous(tabId, hits, count, what) {
  const summaries = await candidatesOf(tabId, hits.filter(({ value }) => value.usable > 0));
  return new TabwireError(
    "ambiguous_selector",
    `${what} matches ${count} elements: ${summaries.map(wording).join("; ")}${count > summaries.length ? "; …" : ""}. Use one ` +
    `of these refs, or a narrower selector`,
    { count, candidates: summaries },
  );
}

/**
 * The elements of the frame asked for, or of all, whose names are most like what was looked for.
 * @param {{selector?: string, chain?: Array<{method: string, value?: string}>}} args
 * @param {Within} params @param {CallContext} call
 * @returns {Promise<Candidate[]>}
 */
async function nearestTo({ selector, chain = [] }, params, call) {
  const step = chain.findLast(({ method, value }) => value && !UNNAMED.has(method));
  const wanted = selector ?? (step && (step.method === "css" ? step.value : `${step.method}:${step.value}`));
  if (!wanted) return [];
  const tabId = tabIdOf(call);
  const asked = ask(tabId, "selectors.nearest", { selector: wanted }, params, call).catch(() => []);
  const answers = await within(asked, Math.min(NEAREST_MS, call.remaining() - ACT_RESERVE_MS)) ?? [];
  const found = await candidatesOf(tabId, answers, Infinity);
  const sorted = /** @type {Array<Candidate & {score: number}>} */ (found).sort((a, b) => b.score - a.score);
  return sorted.slice(0, MAX_NEAREST).map(({ score: _, ...candidate }) => candidate);
}

/** @param {Hit[]} hits @param {string} what @param {{frameId?: number}} params @param {Candidate[]} near */
function absent(hits, what, { frameId }, near) {
  const hidden = hits.reduce((sum, { value }) => sum + value.count, 0);
  if (hidden) {
    return new TabwireError("element_not_interactable",
      `${what} matches ${hidden} elements and none of them is visible; make one visible first, or take a snapshot`);
  }
  const where = frameId === undefined ? "in the page" : `in frame ${frameId}`;
  const nearest = near.length ? `. Nearest: ${near.map(wording).join("; ")}` : "";
  return new TabwireError("no_such_element", `nothing ${where} matches ${what}; take a snapshot to see what is there${nearest}`,
    near.length ? { nearest: near } : undefined);
}

/**
 * The moment until which an act may wait for its element.
 * @param {{timeout?: number}} params
 * @param {CallContext} call
 * @returns {number} epoch ms
 */
export function patienceOf({ timeout = TIMEOUT_MS }, call) {
  return Date.now() + Math.min(timeout, call.remaining() - ACT_RESERVE_MS);
}

/** @param {number} until epoch ms */
export const timeLeft = (until) => Math.max(0, until - Date.now());

/**
 * Runs a function of the page that looks at a located element.
 * @param {CallContext} call @param {Pick<Located, "frame"|"local">} where @param {string} name @param {object} [args]
 */
export const inPage = (call, { frame, local }, name, args) =>
  callPage(tabIdOf(call), frame, name, { target: { ref: local }, ...args }, call);

/**
 * Runs a function of the page that acts on a located element.
 * @param {CallContext} call @param {Pick<Located, "frame"|"local">} where @param {string} name @param {object} [args]
 */
export const actInPage = (call, { frame, local }, name, args) =>
  perform(tabIdOf(call), frame, name, { target: { ref: local }, ...args }, call);

/**
 * Waits in the page until the element is fit for the act.
 * @param {CallContext} call
 * @param {Located} where
 * @param {PrepareOptions} options
 * @param {string} [name] the function of the page
 * @returns {Promise<Prepared> | Prepared}
 */
export function prepare(call, where, { until, ...options }, name = "actionability.prepare") {
  const { checks, force = false, reveals = false, atWord = false } = options;
  const { aimed } = where;
  // It was so a moment ago, and counts once.
  delete where.aimed;
  if (aimed?.name === name) return aimed;
  return inPage(call, where, name, { checks, force, reveals, at_word: atWord, timeout_ms: timeLeft(until) });
}

/**
 * @param {string} description of the element
 * @param {string} cover what got, or would have got, the press
 */
export const intercepted = (description, cover) =>
  new TabwireError(
    "element_click_intercepted",
    `${said(description)} did not get the click: ${said(cover)} did, and the click was stopped. Close or move what covers it`,
  );
