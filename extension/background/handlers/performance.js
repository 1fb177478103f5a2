/** Causes of a slow page: measurements of its documents, with the functions to blame. */
import { withDebugger } from "../debugger/attachment.js";
import { callResponsive } from "../page/content-calls.js";
import { publishAnswer } from "../page/refs.js";
import { leaveOut } from "../rules/addresses.js";
import { TabwireError } from "../base/errors.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { positionIn } from "../sources/character-positions.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../page/content-calls.js").FrameAnswer} FrameAnswer */
/** @typedef {import("../base/protocol-types").BlamedScript} BlamedScript */
/** @typedef {Omit<BlamedScript, "place"|"built"> & {url?: string, position?: number}} Script */
/** @typedef {Omit<import("../base/protocol-types").LongFrame, "scripts"> & {scripts: Script[]}} Frame */
/**
 * Measurements of a document.
 * @typedef {Pick<import("../base/protocol-types").InsightsResult, "since"|"load"|"largest"|"blocking"|"shifts"|"interactions"> &
 * {wasHidden: boolean, frames: Omit<import("../base/protocol-types").LongFrames, "worst"> & {worst: Frame[]}}} Measured
 */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

const MAX_TOLD = 6;
const HIDDEN = "the tab was hidden while the page loaded: Chrome measures no paints then; reload it in front to measure them";
const BLIND = "character positions are told in place of lines: `sources` looks them up";

/** @param {Params<"performance.insights">} params @param {TabCall} call */
async function insights({ since_last: sinceLast, sources }, call) {
  const tabId = call.tab.id;
  const answers = await callResponsive(tabId, "performance.entries", { sinceLast }, call);
  const top = answers.find(({ frameId }) => frameId === 0);
  if (!top?.value) throw top?.error ?? new TabwireError("frame_unreachable", "the page cannot be read; reload it");
  const measured = await Promise.all(answers.filter(({ value }) => value).map((answer) => published(tabId, answer)));
  const [{ value: { wasHidden, blocking, frames, interactions, ...page } }] = measured;
  const inside = measured.slice(1);
  const worst = [
    ...frames.worst,
    ...inside.flatMap(({ frameId, value }) => value.frames.worst.map((frame) => ({ ...frame, frameId }))),
  ].sort((a, b) => b.ms - a.ms).slice(0, MAX_TOLD);
  const { placed, notes, barred } = await withPlaces(worst, sources, call);
  const requests = leaveOut(blocking ?? [], ({ url }) => url);
  const left = barred + (requests.note.barred ?? 0);
  const told = [...(wasHidden ? [HIDDEN] : []), ...notes, ...unread(answers)];
  return {
    tabId, url: call.tab.url ?? "", ...page, ...(blocking && { blocking: requests.kept }),
    interactions: [
      ...interactions, ...inside.flatMap(({ frameId, value }) => value.interactions.map((one) => ({ ...one, frameId }))),
    ].sort((a, b) => b.ms - a.ms).slice(0, MAX_TOLD),
    frames: { ...totals(measured.map(({ value }) => value)), worst: placed },
    ...(left && { barred: left }), ...(told.length && { notes: told }),
  };
}

/** @param {number} tabId @param {FrameAnswer} answer @returns {Promise<{frameId: number, value: Measured}>} */
async function published(tabId, answer) {
  return { frameId: answer.frameId, value: await publishAnswer(tabId, answer, answer.value) };
}

/** @param {FrameAnswer[]} answers */
function unread(answers) {
  const count = answers.filter(({ error }) => error).length;
  return count ? [`${count} frames cannot be read and are not counted`] : [];
}

/** @param {Measured[]} documents */
function totals(documents) {
  /** @type {Record<string, number>} */
  const sites = {};
  for (const { frames: { by_site: own } } of documents)
    for (const [site, ms] of Object.entries(own)) sites[site] = (sites[site] ?? 0) + ms;
  const { kept } = leaveOut(Object.entries(sites), ([site]) => (URL.canParse(site) ? site : []));
  const sum = (/** @type {(one: Measured) => number} */ of) => documents.reduce((total, one) => total + of(one), 0);
  return {
    count: sum(({ frames }) => frames.count), blocked_ms: sum(({ frames }) => frames.blocked_ms),
    by_site: Object.fromEntries(kept),
  };
}

/**
 * Long frames with the places of their scripts; in the sources only on demand, because that takes the debugger.
 * @param {Frame[]} frames @param {boolean} inSources @param {TabCall} call
 */
async function withPlaces(frames, inSources, call) {
  let barred = 0;
  const allowed = frames.map((frame) => {
    const { kept, note } = leaveOut(frame.scripts, ({ url }) => url ?? []);
    barred += note.barred ?? 0;
    return { ...frame, scripts: kept };
  });
  const isPlaced = inSources && allowed.some(({ scripts }) => scripts.some(({ url }) => url));
  if (!isPlaced) {
    const positions = new Positions([], call);
    const placed = allowed.map((frame) => ({ ...frame, scripts: frame.scripts.map((script) => unplaced(script, positions)) }));
    const hasPosition = allowed.some(({ scripts }) => scripts.some(({ position }) => position !== undefined));
    return { placed, barred, notes: hasPosition ? [BLIND] : [] };
  }
  return withDebugger(call.tab.id, call, (send) => withScripts(call.tab.id, send, async (scripts, documents) => {
    const positions = await Positions.among(scripts, documents, call);
    const placed = await Promise.all(allowed.map(async (frame) => ({
      ...frame, scripts: await Promise.all(frame.scripts.map((script) => inSource(script, positions))),
    })));
    return { placed, barred, notes: positions.notes };
  }));
}

/** @param {Script} script @param {Positions} positions @returns {BlamedScript} */
function unplaced({ url, position, ...script }, positions) {
  const where = url && `${positions.short(url)}${position === undefined ? "" : ` at character ${position}`}`;
  return { ...script, ...(where && { place: where }) };
}

/** @param {Script} script @param {Positions} positions @returns {Promise<BlamedScript>} */
async function inSource(script, positions) {
  const { url, position, name = "", ...facts } = script;
  const at = url && position !== undefined ? await positionIn(positions, { url, position, name }) : undefined;
  if (!at) return unplaced(script, positions);
  const { told: { name: own, place, built } } = await positions.place({ name, ...at });
  return { ...facts, ...(own && { name: own }), place, ...(built && { built }) };
}

/** @type {import("../../types").Handlers<"performance">} */
export const handlers = { "performance.insights": insights };
