/** Questions to the person: what clients want of them, and what clients may do. Side panel, popup and window show them alike. */
import { showQuestions } from "./consent.js";
import { find, say } from "./elements.js";
import { showHandovers } from "./handovers.js";

/** @typedef {import("../../background/rules/consent.js").Shown} Question */
/** @typedef {{id: string, words: string}} Asked */

/**
 * Shows both kinds of questions and keeps them up to date; new ones are read out.
 * @param {(count: number) => void} [changed] how many are open now
 * @returns {(questions: Question[]) => void} to be called with the questions about what clients may do
 */
export function showAsked(changed = () => {}) {
  /** @type {Record<string, Asked[]>} */
  const open = {};
  let known = new Set();
  const show = (/** @type {"handovers"|"questions"} */ sort, /** @type {Asked[]} */ asked) => {
    open[sort] = asked;
    const all = Object.values(open).flat();
    const fresh = all.find(({ id }) => !known.has(id));
    known = new Set(all.map(({ id }) => id));
    if (fresh || !all.length) say(find("#told"), fresh?.words ?? "");
    find("#asked").hidden = !all.length;
    changed(all.length);
  };
  showHandovers(find("#handovers"), (handovers) =>
    show("handovers", handovers.map(({ id, client, question }) => ({ id, words: `${client} asks you: ${question}` }))));
  return (questions) => {
    showQuestions(find("#questions"), questions);
    show("questions", questions.map(({ id, title }) => ({ id, words: title })));
  };
}
