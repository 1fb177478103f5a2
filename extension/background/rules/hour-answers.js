/*
 * Answers of the owner that hold for an hour, for every client. They outlive the worker and the browser, and end by their
 * time, by a stop of everything and by that of any client: who stops something wants to be asked again.
 */
import { allRules, endAnswers, keepAnswer, onRulesChanged } from "./site-rules.js";
import { onClientStop, onStop } from "./stop.js";

const HOUR_MS = 60 * 60_000;
const ALARM = "answers";

/** @param {string} site @param {string} kind */
export const allowForAnHour = (site, kind) => keepAnswer(site, kind, "allow", Date.now() + HOUR_MS);

function arm() {
  const next = Math.min(...allRules().answers.map(({ until = Infinity }) => until));
  void (next === Infinity ? chrome.alarms.clear(ALARM) : chrome.alarms.create(ALARM, { when: next }));
}

// A change of the rules also has documents decide anew what they had decided on the strength of an answer.
onRulesChanged(arm);

chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (name !== ALARM) return;
  await endAnswers((until) => until <= Date.now());
  // An alarm that came before the end of an answer is gone all the same.
  arm();
});

const endAll = () => endAnswers(() => true);
onStop(endAll);
onClientStop(endAll);
