/** Times as people say them: how long ago, and the exact moment. */
import { clockTime } from "../../background/base/text.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NOW_MS = 10 * SECOND_MS;

/** A time in the past in words ("3 min ago"). @param {number} at epoch ms @param {number} [now] */
export function ago(at, now = Date.now()) {
  const past = now - at;
  if (past < NOW_MS) return "now";
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  return clockTime(at);
}

/** The moment to the second, for who wants to know exactly. @param {number} at epoch ms */
export const exactly = (at) => new Date(at).toLocaleString();
