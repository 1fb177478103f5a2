/** Acts as people read them: what was done, to what, and what came of it. */
import { make } from "./elements.js";

/** @typedef {import("../../background/calls/activity.js").Activity} Activity */

/** State → sign, and words where it is not done. @type {Record<Activity["state"], {sign: string, word: string}>} */
export const ENDS = {
  running: { sign: "…", word: "under way" },
  done: { sign: "✓", word: "" },
  refused: { sign: "⊘", word: "refused" },
  failed: { sign: "✗", word: "failed" },
  stopped: { sign: "■", word: "stopped by you" },
};

/** An act in words, in which the name of the element stands out. @param {Activity} entry @returns {Node[]} */
export function sentence({ words, title, named, state }) {
  const text = words ?? [title, named].filter(Boolean).join(": ");
  const at = named ? text.lastIndexOf(named) : -1;
  const { word } = ENDS[state];
  const end = word && state !== "running" ? ` – ${word}` : "";
  if (at < 0 || !named) return [document.createTextNode(text + end)];
  return [document.createTextNode(text.slice(0, at)), make("b", { textContent: named }),
    document.createTextNode(text.slice(at + named.length) + end)];
}
