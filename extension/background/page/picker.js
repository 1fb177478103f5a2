/*
 * A person is asked to point at an element: every frame of the tab is armed, the first choice counts, and whatever ends it
 * takes the picker out of all frames again.
 */
import { navigatedAway, notPermitted, TabwireError, timedOut } from "../base/errors.js";
import { call as callPage, callAll } from "./content-calls.js";
import { publishAnswer } from "./refs.js";
import { unobserved } from "../rules/call-parts.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {{documentId: string, frameId: number}} Frame */
/** @typedef {{value: string, frameId?: number, timeout: number, return?: string, attribute?: string, assert?: string}} Wanted
 * assert: the answer is a step of a recording that expects it */

const REPLY_MARGIN_MS = 300;
const CLEAN_MS = 2_000;

/** Tab → what its person is asked for. @type {Map<number, string>} */
const asking = new Map();
/** Tab → arms a frame that has got a new document. @type {Map<number, (frame: Frame) => void>} */
const joining = new Map();

chrome.webNavigation.onDOMContentLoaded.addListener(({ tabId, frameId, documentId }) => {
  if (frameId !== 0) joining.get(tabId)?.({ frameId, documentId });
});

/** @param {CallContext} call */
const cleaning = (call) => ({ ...unobserved(call), signal: AbortSignal.timeout(CLEAN_MS) });

/**
 * Has the person choose an element and returns the answer of `query` about it.
 * @param {Wanted} params
 * @param {TabCall} call
 * @returns {Promise<any>}
 */
export async function pick(params, call) {
  const tabId = call.tab.id;
  if (asking.has(tabId)) {
    throw new TabwireError("invalid_element_state",
      `a person is already asked to point at ${JSON.stringify(asking.get(tabId))} in this tab; wait for that to end`);
  }
  asking.set(tabId, params.value);
  const token = crypto.randomUUID();
  const { timeout } = params;
  const limit = Math.max(0, Math.min(timeout, call.remaining() - REPLY_MARGIN_MS));
  const ended = new AbortController();
  const signal = AbortSignal.any([call.signal, ended.signal]);
  const timer = setTimeout(() => noChoice(tabId, timeout, params.value).then((error) => ended.abort(error)), limit);
  try {
    return await firstChoice({ ...params, token, limit }, { ...call, signal });
  } finally {
    clearTimeout(timer);
    joining.delete(tabId);
    asking.delete(tabId);
    ended.abort();
    await callAll(tabId, "picker.disarm", { token }, cleaning(call)).catch(() => {});
  }
}

/** @param {Wanted & {token: string, limit: number}} params @param {TabCall} call */
function firstChoice({ value, frameId, token, limit, return: wanted, attribute, assert }, call) {
  const tabId = call.tab.id;
  const asked = frameId ?? 0;
  return new Promise((resolve, reject) => {
    const fail = (/** @type {unknown} */ error) => reject(error);
    call.signal.addEventListener("abort", () => fail(call.signal.reason), { once: true });
    const follow = async (/** @type {Frame} */ frame) => {
      try {
        const outcome = await callPage(tabId, frame, "picker.chosen", { token, return: wanted, attribute, assert }, call);
        if (outcome.declined) throw declined(value);
        if (outcome.ended) throw goneError();
        if (outcome.answer !== undefined) resolve(await publishAnswer(tabId, frame, outcome.answer));
      } catch (error) {
        // A frame that goes away takes only itself out of the choice.
        if (frame.frameId === asked || error.code === "permission_denied") fail(leftBehind(error));
      }
    };
    const args = (/** @type {number} */ id) => ({ token, prompt: value, limit_ms: limit, has_banner: id === asked });
    const armOne = (/** @type {Frame} */ frame) =>
      callPage(tabId, frame, "picker.arm", args(frame.frameId), call).then(() => follow(frame));
    joining.set(tabId, (frame) => { if (frameId === undefined) armOne(frame).catch(() => {}); });
    framesOf(tabId, frameId)
      .then((frames) => Promise.all(frames.map((frame) => armOne(frame).catch((error) => {
        if (frame.frameId === asked) fail(error);
      }))))
      .catch(fail);
  });
}

/** @param {number} tabId @param {number} [frameId] */
async function framesOf(tabId, frameId) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const meant = frames.filter((frame) => frameId === undefined || frame.frameId === frameId);
  if (!meant.length) throw new TabwireError("no_such_frame", `there is no frame ${frameId} in this tab; take a new snapshot`);
  return meant;
}

const declined = (/** @type {string} */ value) => notPermitted(
  `the person pressed Escape instead of pointing at ${JSON.stringify(value)}; ask what is wanted, or find it another way`);

const goneError = () => navigatedAway(
  "the page was left before anything was chosen; take a snapshot of the new page, and ask again if it is still needed");

/** However it was noticed that the page was left. @param {TabwireError} error */
const leftBehind = (error) => (error.code === "stale_element_reference" || error.code === "no_such_frame" ? goneError() : error);

/** @param {number} tabId @param {number} timeout @param {string} value */
async function noChoice(tabId, timeout, value) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  const window = tab ? await chrome.windows.get(tab.windowId).catch(() => null) : null;
  const isHidden = tab && (!tab.active || window?.state === "minimized");
  const hint = isHidden
    ? "; the tab is hidden, so nobody can have seen the question; show it with tab_switch first"
    : "; ask the person, or ask again with more timeout";
  return timedOut(`nobody pointed at ${JSON.stringify(value)} within ${timeout} ms${hint}`);
}

/**
 * Runs what takes a picture of a tab, without the picker in it.
 * @template T
 * @param {number|undefined} tabId
 * @param {CallContext} call
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withoutPicker(tabId, call, run) {
  if (tabId === undefined || !asking.has(tabId)) return run();
  await callAll(tabId, "picker.hide", { hidden: true }, call).catch(() => {});
  try {
    return await run();
  } finally {
    await callAll(tabId, "picker.hide", { hidden: false }, cleaning(call)).catch(() => {});
  }
}
