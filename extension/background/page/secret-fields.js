/*
 * Values of a page without what its fields for secrets hold: a script that reads a prefilled password does not tell it.
 */
import { ifInTime } from "../base/deadline.js";
import { callWithDocument } from "./content-calls.js";
import { MASK } from "../rules/secret-shapes.js";
import { strikerOf } from "../rules/strike-out.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/remote-values.js").PageValue} PageValue */

/** A page that is busy for longer has told its value already. */
const LIMIT_MS = 500;
const MIN_SECRET = 3;

/** @param {unknown} value @returns {boolean} whether a secret could stand in it */
function hasText(value) {
  if (typeof value === "string") return value.length >= MIN_SECRET;
  return value !== null && typeof value === "object" && Object.entries(value).some((entry) => entry.some(hasText));
}

/** @param {unknown} value @param {(text: string) => string} clean @returns {unknown} */
function mapTexts(value, clean) {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, clean));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), mapTexts(member, clean)]));
}

/**
 * @param {PageValue} value
 * @param {number} frameId whose fields count
 * @param {TabCall} call
 * @param {boolean} endsAct  whether the act is over then, so that the page of one frame tells what it changed as well
 * @returns {Promise<{value: PageValue, redacted: number}>}
 */
export async function withoutFieldSecrets(value, frameId, call, endsAct) {
  if (!hasText(value)) return { value, redacted: 0 };
  const isLast = endsAct && frameId === 0;
  const frame = isLast ? { frameId, documentId: call.effects?.begun[0] } : { frameId };
  const asker = isLast ? call : { ...call, effects: null };
  const asked = callWithDocument(call.tab.id, frame, "sensitiveFields.values", { ends_act: isLast }, asker);
  /** @type {{value?: {values?: string[]}} | undefined} */
  const answer = await ifInTime(asked, Math.min(LIMIT_MS, call.remaining()));
  const values = answer?.value?.values ?? [];
  if (!values.length) return { value, redacted: 0 };
  let redacted = 0;
  const strike = strikerOf(values.map((text) => ({ text })), MASK);
  const clean = mapTexts(value, (text) => {
    const left = strike(text);
    redacted += Number(left !== text);
    return left;
  });
  return { value: /** @type {PageValue} */ (clean), redacted };
}
