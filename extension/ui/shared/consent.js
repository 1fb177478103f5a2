/** Questions about what clients may do: sensitive acts, and sites where the rule says that the person be asked. */
import { fill, find, make, say } from "./elements.js";
import { ask } from "./worker.js";

/** @typedef {import("../../background/rules/consent.js").Shown} Question */

/** A click that was on its way to something else when a question came is no answer to it. */
const ARMING_MS = 500;
const ANSWERS = /** @type {Array<[string, string, string]>} */ ([
  ["once", "Allow once", "Allow once"], ["site", "Allow on this site", "Always allow"],
  ["never", "Never here", "Never"], ["later", "Not now", "Not now"],
]);

/** @param {Question} question @returns {HTMLElement} */
function toItem(question) {
  const { id, client, what, where, site, reason, detail } = question;
  const came = performance.now();
  const problem = make("p", { role: "alert", className: "problem" });
  const answer = async (/** @type {Event} */ event, /** @type {string} */ kind) => {
    if (!event.isTrusted || performance.now() - came < ARMING_MS) return;
    await ask("answerQuestion", { id, answer: kind }).catch((error) => say(problem, error.message));
  };
  const heading = make("h3", { id: `question-${id}`, textContent: `May ${client} ${what}?` });
  const buttons = ANSWERS.map(([kind, here, everywhere]) => make("button", {
    type: "button", textContent: site === "*" ? everywhere : here, data: { answer: kind },
    onclick: (/** @type {Event} */ event) => void answer(event, kind),
  }));
  const group = make("div", { className: "actions", role: "group" }, ...buttons);
  const item = make("li", { className: "card" }, heading, make("p", { className: "question", textContent: `On ${where}` }),
    reason && make("p", { textContent: `Why, as it says: ${reason}`, data: { fact: "reason" } }),
    detail && make("pre", { textContent: detail, tabIndex: 0, data: { fact: "detail" } }),
    make("p", { className: "soft late", textContent: "It does not wait any more. Your answer counts for its next try." }),
    group, problem);
  for (const element of [item, group]) element.setAttribute("aria-labelledby", heading.id);
  refresh(item, question);
  return item;
}

/** @param {HTMLElement} item @param {Question} question */
function refresh(item, { isWaiting }) {
  find(".late", item).hidden = isWaiting;
}

/** @param {HTMLElement} list @param {Question[]} questions */
export function showQuestions(list, questions) {
  fill(list, questions, ({ id }) => id, toItem, refresh);
}
