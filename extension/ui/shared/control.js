/**
 * Stop, pause and resume. The button that was pressed stays where it is and says what has become of it; what lets programs go on
 * stands below, is armed late, and never takes the focus: the second press of a double click must not undo the first.
 */
import { find, make, say } from "./elements.js";
import { icon } from "./icons.js";
import { ask } from "./worker.js";
import { clockTime, count } from "../../background/base/text.js";

/** @typedef {import("../../background/rules/stop.js").Pause} Pause */

/** Time after which a double click is over by far. */
const ARMING_MS = 1_000;

const LIST = new Intl.ListFormat("en");

/** Calls that a stop has ended. @param {number} [calls] @param {string[]} [clients] whose they were */
export const endedIn = (calls = 0, clients = []) =>
  calls ? `${clients.length ? `${LIST.format(clients)}: ` : ""}${count(calls, "call")} ended.` : "Nothing was under way.";

/** @param {Pause} pause */
function words({ cause, since, ended }) {
  const at = clockTime(since);
  const what = cause === "stopped" ? `Stopped at ${at}. ${endedIn(ended?.calls, ended?.clients)}` : `Paused at ${at}.`;
  return `${what} Nothing is read or done in this browser until you resume.`;
}

/** @param {HTMLButtonElement} button @param {boolean} isDone @param {"stop"|"pause"|"check"} sign @param {string} text */
function label(button, isDone, sign, text) {
  button.disabled = isDone;
  if (button.textContent !== text) button.replaceChildren(icon(sign), make("span", { textContent: text }));
  button.title = isDone ? text : "";
}

const buttonOf = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (find(`#${id}`));

/** Beginning of the pause that is shown, in epoch milliseconds; 0 for none. */
let shown = 0;

/** Makes a button work a moment after it has come into sight. @param {HTMLButtonElement} button */
export function armLate(button) {
  button.disabled = true;
  setTimeout(() => { button.disabled = false; }, ARMING_MS);
}

/** Takes the notice away; not from under the pointer, where something else would come into its place. */
function fold() {
  const notice = find("#paused-part");
  if (shown || notice.matches(":hover")) return;
  notice.hidden = true;
}

/** Shows whether everything is stopped or paused. @param {Pause|null} pause */
export function showPause(pause) {
  const isStopped = pause?.cause === "stopped";
  const who = pause?.ended?.clients.length ? `: ${LIST.format(pause.ended.clients)}` : "";
  label(buttonOf("stop"), isStopped, isStopped ? "check" : "stop", isStopped ? `Stopped${who}` : "Stop everything");
  label(buttonOf("pause"), pause !== null, "pause", pause && !isStopped ? "Paused" : "Pause");
  const resume = buttonOf("resume");
  if (pause) {
    find("#paused-part").hidden = false;
    resume.textContent = "Resume";
    if (shown !== pause.since) armLate(resume);
  } else if (shown) {
    resume.disabled = true;
    resume.textContent = "Resumed";
  }
  if (pause || shown) say(find("#paused"), pause ? words(pause) : "Programs may go on.");
  shown = pause?.since ?? 0;
  fold();
}

/** @param {"stop"|"pause"|"resume"} request */
async function send(request) {
  try {
    const { paused, ...pause } = /** @type {Pause & {paused: boolean}} */ (await ask(request));
    showPause(paused ? pause : null);
  } catch (error) {
    find("#paused-part").hidden = false;
    say(find("#paused"), `Not done: ${/** @type {Error} */ (error).message}`);
  }
}

/** Puts the buttons into their place, `#control`, and makes them work. */
export function startControl() {
  const button = (/** @type {"stop"|"pause"|"resume"} */ id, /** @type {string} */ className) =>
    make("button", { id, type: "button", className, onclick: () => void send(id) });
  const notice = make("div", { id: "paused-part", className: "notice", hidden: true, onpointerleave: fold },
    make("p", { id: "paused", role: "status" }), button("resume", "main"));
  find("#control").append(make("div", { className: "controls" }, button("stop", "stop"), button("pause", "")), notice);
  showPause(null);
}
