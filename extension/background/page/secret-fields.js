/*
 * The fields for secrets of a tab, looked at around what scripts of the page have to say: what they hold is noted as each
 * document answers (content-calls.js), and is struck out of what leaves (rules/secret-values.js).
 */
import { ifInTime } from "../base/deadline.js";
import { TabMap } from "../base/tabs.js";
import { webOriginOf } from "../base/url.js";
import { callAll, callWithDocument } from "./content-calls.js";
import { arrivalsIn, strikeResult } from "../rules/secret-values.js";
import { unobserved } from "../rules/call-parts.js";

/** @typedef {import("../../types").TabCall} TabCall */

/** A page that is busy for longer has told its value already. */
const LIMIT_MS = 500;
/** The first look at a document also brings the content scripts there. */
const FIRST_LIMIT_MS = 2_000;
/** Part of the time of a call that it may take: the work itself needs the rest. */
const FIRST_SHARE = 0.25;
const MIN_SECRET = 3;
/** Tab → number of documents that had come there when all of them were looked at. @type {TabMap<number>} */
const seen = new TabMap();

/** @param {unknown} value @returns {boolean} whether a secret could stand in it */
function hasText(value) {
  if (typeof value === "string") return value.length >= MIN_SECRET;
  return value !== null && typeof value === "object" && Object.entries(value).some((entry) => entry.some(hasText));
}

/**
 * The answers of the documents of a tab, which also tell what their fields hold; undefined where they come late. The first ones
 * of a document are waited for longer, once: scripts must not be quicker than them.
 * @template T
 * @param {TabCall} call @param {Promise<T>} asked @param {number} [limit] ms
 */
export async function lookInTime(call, asked, limit = LIMIT_MS) {
  const arrivals = arrivalsIn(call.tab.id);
  const isFirst = seen.get(call.tab.id) !== arrivals;
  const left = call.remaining();
  const longer = isFirst ? Math.min(FIRST_LIMIT_MS, FIRST_SHARE * left) : 0;
  const answers = await ifInTime(asked, Math.min(Math.max(limit, longer), left));
  seen.set(call.tab.id, arrivals);
  return answers;
}

/**
 * Looks at what the fields hold, in all documents that may be read.
 * @param {TabCall} call
 * @param {Promise<unknown>} [asked] the question that does so already
 * @returns {() => Promise<unknown>} waits until they have answered, or are too busy for that
 */
export function lookForSecrets(call, asked) {
  const looked = asked ?? callAll(call.tab.id, "sensitiveFields.look", {}, unobserved(call));
  looked.catch(() => {});
  return () => lookInTime(call, looked);
}

/**
 * Runs a handler, and has the fields for secrets looked at where scripts have their say in its result: beside it, or as an act
 * begins that is observed.
 * @template R
 * @param {import("../../types").AnyHandler} handler @param {import("../../types").CallContext} call @param {() => R} run
 * @returns {Promise<Awaited<R>>}
 */
export async function knowingSecrets({ hears }, call, run) {
  if (!hears || !call.tab) return await run();
  const looked = lookForSecrets(/** @type {TabCall} */ (call), call.observation?.asked);
  try {
    return await run();
  } finally {
    await looked();
  }
}

/**
 * The place of a script, for what it may tell.
 * @param {TabCall} call @param {number} frameId
 */
async function placeOf({ tab: { id: tabId, url } }, frameId) {
  const frame = frameId ? await chrome.webNavigation.getFrame({ tabId, frameId }).catch(() => null) : { url };
  return { tabId, frameId, origin: webOriginOf(frame?.url ?? "") };
}

/**
 * The value of a script without the contents of fields for secrets, even where such a content is short and is the whole value.
 * @template T
 * @param {T} value @param {number} frameId where it ran @param {TabCall} call
 */
export const withoutOwnSecrets = async (value, frameId, call) => strikeResult(value, await placeOf(call, frameId));

/**
 * The same for the value of a script that has just ended: the fields of its document are looked at once more.
 * @template T
 * @param {T} value @param {number} frameId @param {TabCall} call
 * @param {boolean} endsAct  whether the act is over then, so that the page of one frame tells what it changed as well
 */
export async function withoutFieldSecrets(value, frameId, call, endsAct) {
  if (!hasText(value)) return withoutOwnSecrets(value, frameId, call);
  const isLast = endsAct && frameId === 0;
  const frame = isLast ? { frameId, documentId: call.observation?.begun[0] } : { frameId };
  const asker = isLast ? call : unobserved(call);
  const asked = callWithDocument(call.tab.id, frame, "sensitiveFields.look", { ends_act: isLast }, asker);
  const [place] = await Promise.all([placeOf(call, frameId), lookInTime(call, asked)]);
  return strikeResult(value, place);
}
