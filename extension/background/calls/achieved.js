/*
 * Acts that have not done what they were for say so in their first words: text that its field does not hold, drags without a
 * result.
 */
import { said } from "../base/errors.js";
import { callWithDocument } from "../page/content-calls.js";

const MISSING = "nothing moved, no drop was taken, no line was drawn";
/** Effects of a drag that has had a result; text that appeared may be a tip. */
const RESULTS = /^(?:.* (?:grew|shrank) |.* enabled$|.* opened|.* closed|text disappeared)/;
/** A drag from one element to another that is not taken selects the text between them. */
const SELECTED = /^selected: /;

/** @typedef {import("../base/protocol-types").AnyResult} AnyResult */
/** @typedef {import("../../types").Counted & {documentId: string}} FrameCounted */
/** @typedef {Pick<import("./act-observation.js").ActObservation, "call"|"tab"|"reading"|"requests"|"watch">} Observed */

/**
 * The result of an act, with first words that say so where it did not do what it was for.
 * @param {Observed} observed @param {AnyResult} result @param {FrameCounted[]} frames the changes of its documents
 * @returns {Promise<AnyResult>}
 */
export async function withAchieved(observed, result, frames) {
  if (observed.call.method === "input.type") return withTyped(observed, result, frames);
  if (observed.call.method === "input.drag") return withDrag(observed, result, frames);
  return result;
}

/** @param {Observed} observed @param {AnyResult} result @param {FrameCounted[]} frames */
async function withTyped({ call, tab, reading }, result, frames) {
  const { text } = /** @type {{text: string}} */ (call.params);
  for (const { documentId } of frames.filter(({ fields }) => fields?.length)) {
    const other = await callWithDocument(tab.id, { documentId }, "effects.otherThanTyped", { text }, reading)
      .then(({ value }) => value?.other, () => undefined);
    if (other) return { ...result, done: `Typed, but ${said(other)}, which is not what was typed` };
  }
  return result;
}

/** @param {Observed} observed @param {AnyResult} result @param {FrameCounted[]} frames */
function withDrag({ call, requests, watch }, result, frames) {
  if (!frames.length) return result;
  const { source } = /** @type {{source?: string}} */ (call.params);
  const isResult = (/** @type {string} */ text) => RESULTS.test(text) || (source === undefined && SELECTED.test(text));
  const hasResult = frames.some(({ fields, changes = [], dragged = [], url, urlBefore }) =>
    fields?.length || dragged.length || url !== urlBefore || changes.some(isResult));
  if (hasResult || requests.hasSent || watch.progress.opened.length) return result;
  const hasText = frames.some(({ changes }) => changes?.some((text) => !SELECTED.test(text)));
  const began = hasText ? "Dragged, but" : "Dragged, and nothing came of it that scripts can see:";
  return { ...result, done: `${began} ${MISSING}` };
}
