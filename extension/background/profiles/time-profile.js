/** Times of functions over a run, from the samples of all engines of a tab. */
import { ifInTime, within } from "../base/deadline.js";
import { webOriginOf } from "../base/url.js";
import { TabwireError } from "../base/errors.js";
import { timesOf } from "./time-samples.js";

/** @typedef {import("./code-runs.js").Part} Part */
/** @typedef {import("./code-profile.js").Known} Known */
/** @typedef {import("./time-samples.js").Timed} Timed */
/** @typedef {import("./time-samples.js").Times} Times */
/** @typedef {import("./function-places.js").Told} ToldFunction */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../base/protocol-types").TimeProfile} TimeProfile */
/** @typedef {Timed & {session: string|undefined, script: Script}} Own */
/** @typedef {ToldFunction & {site: string, self: number, total: number}} Placed  in ms */
/**
 * Result of a run. whole: times by what they were spent on, ms
 * @typedef {object} Read
 * @property {Placed[]} placed
 * @property {Omit<TimeProfile, "functions"|"callers"|"files"|"sites">} whole
 * @property {import("./kept-times.js").KeptRun} kept
 */

const BUSY = "the page is busy and does not give its samples, and the run is lost; start again when it answers";
const LIMIT_MS = 20_000;
const CHILD_LIMIT_MS = 5_000;
/** Functions whose places are looked up: those with most time in themselves, and those with most in all. */
const MAX_PLACED = 300;
const US = 1000;
const NO_SITE = "(no address)";

/** @param {import("./code-runs.js").CodeRun<any>} run @param {Part[]} parts */
export async function readTimes(run, parts) {
  const late = () => { throw new TabwireError("timeout", BUSY); };
  const profiles = await Promise.all(parts.map(async ({ session, send }) => {
    const asked = send("Profiler.stop").then(({ profile }) => profile);
    const profile = session === undefined ? await within(asked, LIMIT_MS, late) : await ifInTime(asked, CHILD_LIMIT_MS);
    return profile && { session, ...timesOf(profile) };
  }));
  const engines = profiles.filter((one, at) => one !== undefined && parts[at].isNewEngine);
  return (/** @type {Known} */ known, /** @type {(script: Script) => string|undefined} */ siteOf) =>
    toldFunctions(/** @type {Array<Times & {session: string|undefined}>} */ (engines), known, siteOf, run);
}

/**
 * @param {Array<Times & {session: string|undefined}>} engines @param {Known} known
 * @param {(script: Script) => string|undefined} siteOf @param {import("./code-runs.js").CodeRun<any>} run
 */
async function toldFunctions(engines, { places, others, barred }, siteOf, run) {
  const sums = { extensions: 0, gone: 0 };
  /** @type {Own[]} */
  const own = [];
  const find = (/** @type {Script[]} */ scripts, /** @type {Timed} */ { frame }, /** @type {string|undefined} */ session) =>
    // Frames with the same engine have sessions of their own.
    scripts.find((one) => one.scriptId === frame.scriptId && one.session === session) ??
    scripts.find((one) => one.scriptId === frame.scriptId && one.url === frame.url);
  for (const { session, functions } of engines) for (const timed of functions) {
    const script = find(places.positions.scripts, timed, session);
    if (script) own.push({ ...timed, session: script.session, script });
    // What the engine brings along has no script, and is the page's own doing.
    else if (timed.frame.scriptId === "0") own.push({ ...timed, session, script: /** @type {any} */ (undefined) });
    else if (find(others, timed, session) || /^(chrome-)?extension/.test(timed.frame.url)) sums.extensions += timed.self;
    else if (!find(barred, timed, session)) sums.gone += timed.self;
  }
  const chosen = new Set([
    ...own.toSorted((one, other) => other.self - one.self).slice(0, MAX_PLACED),
    ...own.toSorted((one, other) => other.total - one.total).slice(0, MAX_PLACED),
  ]);
  const placed = await Promise.all([...chosen].map(async ({ frame, session, script, self, total }) => {
    const told = script ? await places.told({ ...frame, session }) : { name: `${frame.functionName} (native)` };
    const site = script ? webOriginOf(siteOf(script) ?? "") ?? NO_SITE : NO_SITE;
    return { ...told, site: script ? siteName(script, site) : site, self: self / US, total: total / US };
  }));
  const sum = (/** @type {(times: Times) => number} */ of) => engines.reduce((all, one) => all + of(one), 0);
  const whole = {
    seconds: round(run.seconds), interval_us: run.interval, samples: sum(({ samples }) => samples),
    functions_ms: round(own.reduce((all, { self }) => all + self, 0) / US),
    collection_ms: round(sum(({ collection }) => collection) / US), browser_ms: round(sum(({ browser }) => browser) / US), idle_ms: round(sum(({ idle }) => idle) / US),
    ...(sums.extensions && { extensions_ms: round(sums.extensions / US) }), ...(sums.gone && { gone_ms: round(sums.gone / US) }),
  };
  const functions = placed.filter(({ self }) => self)
    .map(({ name, source, self }) => ({ name, ...(source && { source }), ms: self }));
  const kept = { interval: run.interval / US, whole: whole.functions_ms, functions };
  return { found: { time: { placed, whole, kept } }, notes: [], barred: 0 };
}

/** The site that a script comes from, rather than that of the page that runs it. @param {Script} script @param {string} site */
const siteName = ({ url }, site) => webOriginOf(url) ?? site;

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
