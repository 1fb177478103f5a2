/** Times of functions over a run, from the samples of all threads of a tab. */
import { within } from "../base/deadline.js";
import { timedOut } from "../base/errors.js";
import { webOriginOf } from "../base/url.js";
import { lookClosely } from "../console/log.js";
import { onEvent, withDebugger } from "../debugger/attachment.js";
import { mayTell } from "../rules/addresses.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { FunctionPlaces } from "../sources/function-places.js";
import { Profiles } from "./time-samples.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./code-runs.js").CodeRun<any>} CodeRun */
/** @typedef {import("./time-samples.js").Timed} Timed */
/** @typedef {import("./time-samples.js").Times} Times */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../base/protocol-types").TimeProfile} TimeProfile */
/** @typedef {import("../sources/function-places.js").Told & {site: string, self: number, total: number}} Placed  in ms */
/** @typedef {Omit<TimeProfile, "functions"|"callers"|"files"|"sites">} Whole */
/**
 * Result of a run. whole: times by what they were spent on
 * @typedef {{placed: Placed[], whole: Whole, kept: import("./kept-times.js").KeptRun}} Read
 */
/** @typedef {"own"|"native"|"extension"|"barred"|"gone"} Kind of a function */

const LIMIT_MS = 20_000;
/** Functions whose places are looked up: those with most time in themselves, and those with most in all. */
const MAX_PLACED = 300;
const US = 1000;
const NO_SITE = "(no address)";
const NO_SCRIPT = "0";
const NO_NAME = "(anonymous)";
const EXTENSION = /^(chrome-)?extension/;
const FULL = "the trace became full: what came after is not in it; run for a shorter time";

/** @param {CodeRun} run @param {TabCall} call */
export async function readTimes(run, call) {
  const tabId = call.tab.id;
  const { times, isFull } = await withDebugger(tabId, call, (send) => samplesOf(tabId, send));
  return lookClosely(tabId, call, (log, send) => withScripts(tabId, send, async (scripts, documents) => {
    const positions = await Positions.among(scripts, documents, call);
    const kindOf = kinds(scripts, positions, run);
    const places = new FunctionPlaces(positions);
    const { placed, whole, barred } = await toldFunctions(times, kindOf, places, run);
    const functions = placed.map(({ name, source, self, total }) => ({ name, ...(source && { source }), self, total }));
    const kept = { interval: whole.interval_us / US, whole: whole.functions_ms, functions };
    return { time: { placed, whole, kept }, barred, notes: [...(isFull ? [FULL] : []), ...places.positions.notes] };
  }, log.documents));
}

/** Ends the trace, and takes the samples in it. @param {number} tabId @param {import("../debugger/commands").Send} send */
async function samplesOf(tabId, send) {
  const profiles = new Profiles();
  const { promise: isFull, resolve } = /** @type {PromiseWithResolvers<boolean>} */ (Promise.withResolvers());
  const stop = onEvent(tabId, (...[method, params]) => {
    if (method === "Tracing.dataCollected") profiles.add(params.value);
    else if (method === "Tracing.tracingComplete") resolve(params.dataLossOccurred);
  });
  try {
    await send("Tracing.end");
    const late = () => {
      throw timedOut("Chrome did not give the samples in time, and the run is lost; run for a shorter time");
    };
    return { isFull: await within(isFull, LIMIT_MS, late), times: profiles.times };
  } finally {
    stop();
  }
}

/**
 * Decision about each function: those of scripts that the page has, of sites that may be told. Of scripts that are gone only
 * those of the sites that the tab has shown are told: the same process may have run another tab.
 * @param {Script[]} scripts @param {Positions} positions @param {CodeRun} run
 * @returns {(timed: Timed) => Kind}
 */
function kinds(scripts, positions, run) {
  const allowed = new Set(positions.scripts);
  const byId = Map.groupBy(scripts, ({ scriptId, url }) => `${scriptId} ${url}`);
  return ({ frame: { scriptId, url } }) => {
    if (scriptId === NO_SCRIPT) return "native";
    if (EXTENSION.test(url)) return "extension";
    const found = byId.get(`${scriptId} ${url}`) ?? [];
    if (found.some(({ executionContextAuxData: world }) => world?.isDefault === false)) return "extension";
    if (!mayTell(url)) return "barred";
    if (!found.length) return run.origins.has(webOriginOf(url)) && url ? "own" : "gone";
    return found.every((script) => allowed.has(script)) ? "own" : "barred";
  };
}

/** @param {Times[]} threads @param {(timed: Timed) => Kind} kindOf @param {FunctionPlaces} places @param {CodeRun} run */
async function toldFunctions(threads, kindOf, places, run) {
  /** @type {Record<Kind, Timed[]>} */
  const by = { own: [], native: [], extension: [], barred: [], gone: [] };
  for (const { functions } of threads) for (const timed of functions) by[kindOf(timed)].push(timed);
  const told = [...by.own, ...by.native];
  const most = (/** @type {"self"|"total"} */ of) => told.toSorted((one, other) => other[of] - one[of]).slice(0, MAX_PLACED);
  const placed = await Promise.all([...new Set([...most("self"), ...most("total")])].map(async ({ frame, self, total }) => {
    const site = webOriginOf(frame.url) ?? NO_SITE;
    const times = { self: self / US, total: total / US };
    if (frame.scriptId === NO_SCRIPT) return { name: `${frame.functionName || NO_NAME} (native)`, site, ...times };
    return { ...(await places.told(frame)), site, ...times };
  }));
  const sum = (/** @type {(times: Times) => number} */ of) => threads.reduce((all, one) => all + of(one), 0);
  const ms = (/** @type {Timed[]} */ functions) => round(functions.reduce((all, { self }) => all + self, 0) / US);
  const samples = sum((one) => one.samples);
  const [extensions, gone] = [ms(by.extension), ms(by.gone)];
  const whole = {
    seconds: round(run.seconds), samples, interval_us: Math.round(sum(({ span }) => span) / Math.max(1, samples)),
    functions_ms: ms(told), collection_ms: round(sum(({ collection }) => collection) / US),
    browser_ms: round(sum(({ browser }) => browser) / US), idle_ms: round(sum(({ idle }) => idle) / US),
    ...(extensions && { extensions_ms: extensions }), ...(gone && { gone_ms: gone }),
  };
  return { placed, whole, barred: by.barred.length };
}

/** @param {number} ms */
const round = (ms) => Math.round(ms * 100) / 100;

/** @param {Read} read @param {number} most @returns {TimeProfile} */
export function toldTimes({ placed, whole }, most) {
  const told = (/** @type {Placed} */ { name, place, built, library, self, total }) => ({
    name, ...(place && { place }), ...(built && { built }), ...(library && { library }),
    self_ms: round(self), total_ms: round(total),
  });
  const bySelf = placed.filter(({ self }) => self).sort((one, other) => other.self - one.self).slice(0, most);
  // A function that calls nothing is told once.
  const callers = placed.filter(({ self, total }) => total > self).sort((one, other) => other.total - one.total).slice(0, most);
  return {
    ...whole, functions: bySelf.map(told), callers: callers.map(told), files: shares(placed, ({ source = "" }) => source, most),
    sites: shares(placed, ({ site }) => site, most),
  };
}

/** @param {Placed[]} placed @param {(one: Placed) => string} by @param {number} most */
function shares(placed, by, most) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const one of placed) if (by(one) && one.self) sums.set(by(one), (sums.get(by(one)) ?? 0) + one.self);
  return [...sums].map(([name, ms]) => ({ name, ms: round(ms) })).sort((one, other) => other.ms - one.ms).slice(0, most);
}
