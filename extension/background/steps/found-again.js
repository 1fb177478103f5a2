/*
 * The element of a recorded step on a page that may have changed: whether its selector still leads to it, and else which elements
 * are most like it. Scores come from the pages (content/find/fingerprint-score.js); what follows from them is decided here.
 */
import { callAll } from "../page/content-calls.js";
import { inPage, locate, tabIdOf } from "../page/element-lookup.js";
import { publishAnswer } from "../page/refs.js";
import { isClear, isDoubtful, isOther } from "./likeness.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/protocol-types").Params<"steps.locate">} Params */
/** @typedef {import("../base/protocol-types").Result<"steps.locate">} Answer */
/** @typedef {Answer["candidates"][number]} Candidate */
/** @typedef {import("../page/element-lookup.js").Located} Located */

const MAX_CANDIDATES = 5;
/** Codes of what may become of a selector → what is said of it. @type {Record<string, Answer["verdict"]>} */
const VERDICTS = { no_such_element: "none", element_not_interactable: "none", ambiguous_selector: "several" };

/**
 * The elements of all frames that are most like the recorded one, the most alike first; isWhole: every element was looked at.
 * @param {object} fingerprint @param {CallContext} call @returns {Promise<{candidates: Candidate[], isWhole: boolean}>}
 */
async function nearestTo(fingerprint, call) {
  const tabId = tabIdOf(call);
  const answers = await callAll(tabId, "fingerprints.nearest", { fingerprint }, call);
  const lists = await Promise.all(answers.map((answer) => publishAnswer(tabId, answer, answer.value?.candidates ?? [])));
  const candidates = lists.flat().sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  return { candidates, isWhole: answers.every(({ value }) => !value || value.isWhole) };
}

/** @param {Params} params @param {CallContext} call @returns {Promise<Located | Answer["verdict"]>} */
async function ledTo({ selector, timeout }, call) {
  try {
    return await locate(selector, { timeout, tellsNearest: false }, call);
  } catch (error) {
    const verdict = VERDICTS[error.code];
    if (!verdict) throw error;
    return verdict;
  }
}

/** @param {Params} params @param {CallContext} call @returns {Promise<Answer>} */
export async function findAgain(params, call) {
  const { fingerprint } = params;
  const tabId = tabIdOf(call);
  const found = await ledTo(params, call);
  const score = typeof found === "string" ? undefined : await inPage(call, found, "fingerprints.score", { fingerprint });
  const own = score === undefined ? {} : { score };
  if (score !== undefined && !isDoubtful(score)) return { tabId, verdict: "same", ...own, clear: true, candidates: [] };
  const { candidates, isWhole } = await nearestTo(fingerprint, call);
  // Among elements that nobody has looked at there may be an equal one.
  const clear = isWhole && isClear(candidates.map((one) => one.score));
  if (typeof found === "string") return { tabId, verdict: found, clear, candidates };
  const others = candidates.filter(({ ref }) => ref !== found.ref).map((one) => one.score);
  if (isOther(score, others)) return { tabId, verdict: "other", ...own, clear, candidates };
  return { tabId, verdict: "same", ...own, clear: true, candidates: [] };
}
