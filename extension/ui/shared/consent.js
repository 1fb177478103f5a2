/** Questions about what clients may do: sensitive acts, and sites where the rule says that the person be asked. */
import { fill, find, make, say } from "./elements.js";
import { tabOf } from "./open-tabs.js";
import { ask } from "./worker.js";
import { clockTime } from "../../background/base/text.js";

/** @typedef {import("../../background/rules/consent.js").Shown} Question */

/** A click that was on its way to something else when a question came, or changed, is no answer to it. */
const ARMING_MS = 500;
/** Answers in keyboard order. For the whole browser there is no "this site". @type {Array<[string, string, string]>} */
const ANSWERS = [["later", "Not now", "Not now"], ["once", "Allow once", "Allow once"]];
/** @type {Array<[string, string, string]>} */
const FOR_LONGER = [
  ["hour", "Allow here for 1 hour", "Allow for 1 hour"], ["site", "Allow on this site", "Always allow"],
  ["never", "Never here", "Never"],
];
const PRIMARY = "once";

/** Question → time since which it is shown as it is now, by `performance.now`. @type {Map<string, number>} */
const shownAt = new Map();

/**
 * @param {Question} question @param {HTMLElement} problem
 * @param {string} group @param {Array<[string, string, string]>} answers
 */
function buttons({ id, site }, problem, group, answers) {
  const answer = async (/** @type {Event} */ event, /** @type {string} */ kind) => {
    if (!event.isTrusted || performance.now() - (shownAt.get(id) ?? 0) < ARMING_MS) return;
    await ask("answerQuestion", { id, answer: kind }).catch((error) => say(problem, error.message));
  };
  const row = make("div", { className: `actions ${group}`, role: "group" }, ...answers.map(([kind, here, everywhere]) =>
    make("button", {
      type: "button", textContent: site === "*" ? everywhere : here, data: { answer: kind },
      className: kind === PRIMARY ? "main" : "", onclick: (/** @type {Event} */ event) => void answer(event, kind),
    })));
  row.setAttribute("aria-labelledby", `question-${id}`);
  return row;
}

/** @param {Question} question @returns {HTMLElement} */
function toItem(question) {
  const { id, reason, where, site } = question;
  const problem = make("p", { role: "alert", className: "problem" });
  const place = make("p", { className: "where" }, make("span", { textContent: site === "*" ? where : site }));
  const item = make("li", { className: "card consent" }, make("h3", { id: `question-${id}` }), place,
    reason && make("p", { textContent: `Why, as it says: ${reason}`, data: { fact: "reason" } }),
    make("pre", { tabIndex: 0, data: { fact: "detail" } }),
    make("div", { className: "countdown", ariaHidden: "true" }, make("span")), make("p", { className: "soft late" }),
    buttons(question, problem, "answers", ANSWERS), buttons(question, problem, "for-longer", FOR_LONGER), problem);
  item.setAttribute("aria-labelledby", `question-${id}`);
  refresh(item, question);
  void nameTab(place, question);
  return item;
}

/** @param {HTMLElement} place @param {Question} question */
async function nameTab(place, { tabId }) {
  const tab = tabId === undefined ? null : await tabOf(tabId);
  if (tab?.title) place.append(make("span", { textContent: `in the tab “${tab.title}”` }));
}

/** @param {HTMLElement} item @param {Question} question */
function refresh(item, { id, title, detail, isWaiting, client, stoppedAt, until }) {
  const looks = JSON.stringify([title, detail, isWaiting]);
  if (item.dataset.looks !== looks) shownAt.set(id, performance.now());
  item.dataset.looks = looks;
  say(find("h3", item), title);
  const facts = find("[data-fact=detail]", item);
  facts.hidden = !detail;
  say(facts, detail);
  const late = find(".late", item);
  late.hidden = isWaiting;
  say(late, isWaiting ? "" : `${client} stopped waiting at ${clockTime(stoppedAt)}. Allow for the next try?`);
  const countdown = find(".countdown", item);
  countdown.hidden = !isWaiting;
  if (item.dataset.until === String(until)) return;
  item.dataset.until = String(until);
  // The bar is made anew, because a running animation keeps the duration it began with.
  const bar = make("span");
  bar.style.animationDuration = `${Math.max(0, until - Date.now())}ms`;
  countdown.replaceChildren(bar);
}

/** @param {HTMLElement} list @param {Question[]} questions */
export function showQuestions(list, questions) {
  fill(list, questions, ({ id }) => id, toItem, refresh);
}
