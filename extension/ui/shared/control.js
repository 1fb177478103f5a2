/** Stop, pause and resume. */
import { find, say } from "./elements.js";
import { ask } from "./worker.js";

/** @typedef {{cause: "stopped"|"paused", since: number}} Pause */

/** @param {Pause|null} pause */
function words(pause) {
  if (!pause) return "";
  const at = new Date(pause.since).toLocaleTimeString();
  const what = pause.cause === "stopped" ? `You stopped everything at ${at}.` : `Paused since ${at}.`;
  return `${what} Nothing is read or done in this browser until you resume.`;
}

/** Shows whether everything is paused. @param {Pause|null} pause */
export function showPause(pause) {
  // A pause lets what goes on come to its end: that can still be stopped.
  find("#stop").hidden = pause?.cause === "stopped";
  find("#pause").hidden = pause !== null;
  find("#resume").hidden = pause === null;
  say(find("#paused"), words(pause));
}

/** @param {string} request */
async function send(request) {
  try {
    const { paused, cause, since } = /** @type {Pause & {paused: boolean}} */ (await ask(request));
    showPause(paused ? { cause, since } : null);
    // The button that was pressed is gone, and the focus with it.
    const active = document.activeElement;
    if (active === document.body || !active?.checkVisibility()) find(paused ? "#resume" : "#stop").focus();
  } catch (error) {
    say(find("#paused"), `Not done: ${/** @type {Error} */ (error).message}`);
  }
}

/** Makes the buttons work. */
export function startControl() {
  for (const request of ["stop", "pause", "resume"]) find(`#${request}`).addEventListener("click", () => void send(request));
}
