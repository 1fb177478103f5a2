/** Waiting: one entry per kind in KINDS. Everything but a JavaScript condition is told by events. */
import { urlPattern, writtenRegExp } from "../base/address.js";
import { readPage } from "../page/page-load.js";
import { pause } from "../base/deadline.js";
import { count } from "../base/text.js";
import { withDebugger } from "../debugger/attachment.js";
import { untilDownload } from "../tabs/downloads.js";
import { invalid, navigatedAway, noSuchTab, said, TabwireError, timedOut } from "../base/errors.js";
import { cleanException, run, thrownError } from "../debugger/evaluation.js";
import { inFrame } from "../documents/execution-context.js";
import { untilInFrames } from "../page/frame-watch.js";
import { lookForSecrets, withoutOwnSecrets } from "../page/secret-fields.js";
import { hasReached, watchTab } from "../base/navigation-events.js";
import { countRequests } from "../page/network-idle.js";
import { assertReadable, told } from "../rules/addresses.js";
import { refNumber, resolve as resolveRef } from "../page/refs.js";
import { assertScriptable } from "../rules/site-pattern.js";

/** @import { Protocol, Send } from "../debugger/commands" */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"wait.until">} Params */
/**
 * @typedef {Params & Required<Pick<Params, "selector"|"text"|"url"|"load_state"|"function">>} Wanted
 *   the server refuses a kind without its field
 */
/** @typedef {{signal: AbortSignal, seen: () => string|Promise<string>}} Wait  seen: the state to report when time is up */
/** @typedef {import("../page/frame-watch.js").State} State */
/** @typedef {import("../base/navigation-events.js").Progress} Progress */
/** @typedef {import("../page/network-idle.js").NetworkCount} NetworkCount */
/** @typedef {(states: State[]) => void} OnStates */

const REPLY_MARGIN_MS = 150;
const MIN_POLLING_MS = 10;

/** @param {State[]} states @param {"attached"|"visible"} key @returns {number} */
const sum = (states, key) => states.reduce((total, state) => total + state[key], 0);

/** State → whether the frames together satisfy it. @type {Record<Params["state"], (states: State[]) => boolean>} */
const STATES = {
  attached: (states) => sum(states, "attached") > 0,
  detached: (states) => sum(states, "attached") === 0,
  visible: (states) => sum(states, "visible") > 0,
  hidden: (states) => sum(states, "visible") === 0,
};

/** @type {Record<Exclude<Params["for"], "timeout">, (params: Wanted, call: TabCall, wait: Wait) => Promise<object|void>>} */
const KINDS = {
  selector: (params, call, wait) => untilSelector(params, params.state, call, wait),
  selector_hidden: (params, call, wait) => untilSelector(params, "hidden", call, wait),
  text: (params, call, wait) => untilText(params, true, call, wait),
  text_hidden: (params, call, wait) => untilText(params, false, call, wait),
  url: (params, call, wait) => (params.download ? untilDownload : untilUrl)(params, call, wait),
  load_state: untilLoadState,
  function: untilFunction,
};

/** @param {Params} params @param {TabCall} call */
async function until(params, call) {
  const began = Date.now();
  const done = () => ({ waited_for: params.for, waited_ms: Date.now() - began });
  if (params.for === "timeout") return pause(/** @type {number} */ (params.duration), call.signal).then(done);
  const kind = KINDS[params.for];
  if (!kind) throw invalid(`"${params.for}" cannot be waited for; use one of ${[...Object.keys(KINDS), "timeout"].join(", ")}`);
  const { timeout } = params;
  const limit = Math.max(0, Math.min(timeout, call.remaining() - REPLY_MARGIN_MS));
  /** @type {Wait} */
  const wait = { signal: AbortSignal.any([call.signal, AbortSignal.timeout(limit)]), seen: () => "the page could not be read" };
  try {
    const told = await kind(/** @type {Wanted} */ (params), { ...call, signal: wait.signal }, wait);
    return { ...done(), ...told };
  } catch (error) {
    if (!wait.signal.aborted || call.signal.aborted) throw error;
    throw timedOut(`${goal(params.for, params)} did not come within ${timeout} ms: ${await wait.seen()}`);
  }
}

/** Describes the goal of a wait in words. @param {keyof typeof KINDS} kind @param {Params} params */
function goal(kind, { selector, state, text, value, url, load_state, download }) {
  const expected = [["text", text], ["value", value]].filter(([, one]) => one !== undefined);
  const having = expected.map(([name, one]) => ` with the ${name} ${JSON.stringify(one)}`).join("");
  const goals = {
    selector: `${selector}${having} to be ${state}`,
    selector_hidden: `${selector} to be hidden`,
    text: `the text ${JSON.stringify(text)}`,
    text_hidden: `the end of the text ${JSON.stringify(text)}`,
    url: download ? `the end of a download${url ? ` from ${url}` : ""}` : `an address like ${url}`,
    load_state: `the load state ${load_state}`,
    function: "a true value of the function",
  };
  return goals[kind];
}

/** @param {Wanted} params @param {Params["state"]} state @param {TabCall} call @param {Wait} wait */
async function untilSelector(params, state, call, wait) {
  const { selector, frameId, text, value } = params;
  assertScriptable(call.tab);
  if (!STATES[state]) throw invalid(`state "${state}" is unknown; use one of ${Object.keys(STATES).join(", ")}`);
  /** @type {OnStates} */
  const onStates = (states) => { wait.seen = () => seenOf(params, states); };
  const expected = { ...(text !== undefined && { text }), ...(value !== undefined && { value }) };
  if (refNumber(selector) !== null) return untilRef(selector, expected, state, call, onStates);
  await untilInFrames(call.tab.id, { kind: "selector", selector, ...expected }, { frameId, onStates }, STATES[state], call);
}

/**
 * Describes what the frames show in place of what is waited for.
 * @param {Wanted} params @param {State[]} states
 */
function seenOf({ selector, value }, states) {
  const [attached, visible] = [sum(states, "attached"), sum(states, "visible")];
  if (attached) return `${count(attached, "element")} ${attached === 1 ? "matches" : "match"}, ${visible} of them visible`;
  const other = states.find((state) => state.said !== undefined);
  if (!other) return `nothing matches ${selector}; take a snapshot to see what is there`;
  return `${selector} has another ${value === undefined ? "text" : "value"}: ${said(JSON.stringify(other.said))}`;
}

/**
 * Waits for the state of an element by its ref. An element whose document is gone will not come back: a wait for "detached" or
 * "hidden" then succeeds, any other fails.
 * @param {string} ref @param {{text?: string, value?: string}} expected @param {Params["state"]} state @param {TabCall} call
 * @param {OnStates} onStates
 */
async function untilRef(ref, expected, state, call, onStates) {
  const isGone = state === "detached" || state === "hidden";
  const tabId = call.tab.id;
  try {
    const { frameId, local } = await resolveRef(tabId, ref).then(stillThere);
    const condition = { kind: "ref", local, mustExist: !isGone, ...expected };
    await untilInFrames(tabId, condition, { frameId, onStates }, STATES[state], call);
  } catch (error) {
    if (!isGone || error.code !== "stale_element_reference" || error.data?.cause === "renamed") throw error;
  }
}

/** @param {import("../page/refs.js").Place} place */
async function stillThere(place) {
  const frame = await chrome.webNavigation.getFrame({ documentId: place.documentId }).catch(() => null);
  if (frame) return place;
  throw navigatedAway("the page of this ref is gone; take a new snapshot");
}

/** @param {Wanted} params @param {boolean} isWanted @param {TabCall} call @param {Wait} wait */
async function untilText({ text, frameId }, isWanted, call, wait) {
  assertScriptable(call.tab);
  if (!text.trim()) throw invalid("text is empty; say which text to wait for");
  const { source, flags } = writtenRegExp(text) ?? plainText(text);
  const onStates = () => {
    wait.seen = () => (isWanted
      ? "the visible text of the page does not contain it; take a snapshot to see what is there"
      : "the page still shows it");
  };
  const isMet = (/** @type {State[]} */ states) => states.some(({ found }) => found) === isWanted;
  await untilInFrames(call.tab.id, { kind: "text", source, flags }, { frameId, onStates }, isMet, call);
}

/** A part of the page's text, whatever its case and however its white space is written. @param {string} text */
function plainText(text) {
  const words = text.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { source: words.join("\\s+"), flags: "i" };
}

/** @param {Wanted} params @param {TabCall} call @param {Wait} wait */
async function untilUrl({ url, frameId }, call, wait) {
  const matches = urlPattern(url, { partly: true });
  const watch = watchTab(call.tab.id);
  try {
    const look = async () => (frameId ? frameUrl(call.tab.id, frameId) : (await chrome.tabs.get(call.tab.id)).url ?? "");
    for (;;) {
      const { progress } = watch;
      const before = changesOf(progress);
      const now = await look();
      assertReadable(now);
      wait.seen = () => `the address is ${said(now)}`;
      if (matches(now)) return { url: now };
      await watch.until((later) => changesOf(later) !== before, call.signal);
      if (progress.removed) throw noSuchTab("the tab was closed during the wait; call tab_list");
    }
  } finally {
    watch.close();
  }
}

/** @param {Progress} progress */
const changesOf = ({ commits, sameDocument, frameCommits, removed }) => `${commits} ${sameDocument} ${frameCommits} ${removed}`;

/** @param {number} tabId @param {number} frameId */
async function frameUrl(tabId, frameId) {
  const frame = await chrome.webNavigation.getFrame({ tabId, frameId });
  if (!frame) throw new TabwireError("no_such_frame", `there is no frame ${frameId} in this tab; take a new snapshot`);
  return frame.url;
}

/** document.readyState → what webNavigation calls it. */
const READY = /** @type {const} */ ({ loading: "committed", interactive: "domcontentloaded", complete: "load" });

/** @param {Wanted} params @param {TabCall} call @param {Wait} wait */
async function untilLoadState({ load_state: wanted }, call, wait) {
  const tabId = call.tab.id;
  const watch = watchTab(tabId);
  const network = wanted === "networkidle" ? countRequests(tabId) : null;
  const step = wanted === "domcontentloaded" ? wanted : "load";
  wait.seen = () => seenState(watch.progress, network);
  try {
    const state = await readPage(tabId, () => document.readyState);
    const tab = await chrome.tabs.get(tabId);
    const isReady = state ? hasReached(READY[state], step) : tab.status === "complete";
    if (!isReady || tab.pendingUrl) await watch.until((progress) => arrived(progress, step, isReady), call.signal);
    if (network) await network.idle(call.signal);
  } finally {
    network?.close();
    watch.close();
  }
}

/**
 * A failed navigation leaves the page that was there.
 * @param {Progress} progress @param {Progress["reached"]} step @param {boolean} wasReady
 */
function arrived(progress, step, wasReady) {
  if (progress.removed) return true;
  if (progress.pending) return false;
  return hasReached(progress.reached, step) || (wasReady && Boolean(progress.failure));
}

/** @param {Progress} progress @param {NetworkCount|null} network */
function seenState({ pending, reached }, network) {
  if (pending) return `${told(pending).url || "the page"} has not answered yet`;
  const requests = network?.pending() ?? [];
  const some = said(requests.slice(0, 3).join(", "));
  if (requests.length) return `${count(requests.length, "request")} still under way, such as ${some}`;
  return reached === "domcontentloaded" ? "the page is parsed but something in it still loads" : "the page still loads";
}

/**
 * Asks again and again until the value is true, as nothing reports the change. The worker asks: timers of hidden pages are slow.
 * @param {Wanted} params @param {TabCall} call @param {Wait} wait
 */
function untilFunction({ function: source, polling, frameId = 0 }, call, wait) {
  const every = Math.max(MIN_POLLING_MS, polling);
  // The function may do away with what it tells.
  const looked = lookForSecrets(call);
  return withDebugger(call.tab.id, call, async () => {
    await looked();
    for (;;) {
      const value = await askOnce(source, frameId, call, wait);
      if (value) return { value: (await withoutOwnSecrets(value, frameId, call)).value };
      await pause(every, call.signal);
    }
  });
}

/** @param {string} source @param {number} frameId @param {TabCall} call @param {Wait} wait */
async function askOnce(source, frameId, call, wait) {
  const clean = async (/** @type {any} */ value) => (await withoutOwnSecrets(value, frameId, call)).value;
  const ask = async (/** @type {Send} */ send, /** @type {import("../documents/execution-context.js").PlaceOf} */ placeOf) => {
    const timeout = Math.max(1, call.remaining());
    return run(send, { source }, { ...await placeOf(true), awaitPromise: true, returnByValue: true, timeout });
  };
  let evaluation;
  try {
    evaluation = await withDebugger(call.tab.id, call, (send) => inFrame(call.tab.id, frameId, send, ask, call));
  } catch (error) {
    // The page went away under the question: ask its successor.
    if (!/context|navigated|Cannot find|Object reference chain/i.test(error.message) || call.signal.aborted) throw error;
    return /reference chain/i.test(error.message);
  }
  const { result, exceptionDetails } = evaluation;
  if (!exceptionDetails) {
    const cleaned = await clean(result);
    wait.seen = () => `its value is ${inWords(cleaned)}`;
    return result.unserializableValue ? !/^(NaN|-?0n?)$/.test(result.unserializableValue) : result.value;
  }
  const { exception } = exceptionDetails;
  if (exception?.className === "SyntaxError") throw thrownError(exceptionDetails, source);
  // A page that still builds itself throws until it is ready.
  const cleaned = exception && (await cleanException(exception, clean));
  wait.seen = () => `it throws ${thrownError({ ...exceptionDetails, exception: cleaned }, source).message}`;
  return undefined;
}

/** @param {Protocol.Runtime.RemoteObject} value */
const inWords = ({ type, value, unserializableValue }) =>
  (type === "undefined" ? "undefined (does it return something?)" : said(JSON.stringify(value ?? unserializableValue)));

/** @param {Params} params */
const sensitive = ({ for: kind, download }) =>
  (kind === "function" ? ["evaluate"] : kind === "url" && download ? ["downloads"] : []);

/** @type {import("../../types").Handlers<"wait">} */
export const handlers = { "wait.until": Object.assign(until, { sensitive }) };
