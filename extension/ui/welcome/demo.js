/** A program at work, played in the page itself: frame, current act and Stop are seen once where nothing can happen. */
import { find, say } from "../shared/elements.js";
import { pause } from "../../background/base/deadline.js";

const LETTER_MS = 90;
const BETWEEN_MS = 700;

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (find(id));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (find(id));
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {string} id @param {string} name @param {string} text @param {AbortSignal} stop */
async function enter(id, name, text, stop) {
  say(find("#doing"), `The demo fills in “${name}”`);
  for (let length = isStill() ? text.length : 1; length <= text.length; length += 1) {
    field(id).value = text.slice(0, length);
    await pause(LETTER_MS, stop);
  }
  await pause(BETWEEN_MS, stop);
}

/** @param {AbortSignal} stop */
async function play(stop) {
  await enter("#demo-name", "Name", "Ada Example", stop);
  await enter("#demo-city", "City", "Regensburg", stop);
  say(find("#doing"), "The demo ticks “Send me the news”");
  field("#demo-news").checked = true;
  await pause(BETWEEN_MS, stop);
}

async function run() {
  const stop = new AbortController();
  for (const id of ["#demo-name", "#demo-city"]) field(id).value = "";
  field("#demo-news").checked = false;
  find("#stage").classList.add("at-work");
  button("#start").disabled = true;
  button("#stop").disabled = false;
  button("#stop").onclick = () => stop.abort();
  const isDone = await play(stop.signal).then(() => true, () => false);
  find("#stage").classList.remove("at-work");
  const end = isDone ? "Done. With a real program the activity list says what it did." : "Stopped. What was entered stays.";
  say(find("#doing"), end);
  button("#stop").disabled = true;
  button("#start").disabled = false;
}

/** Makes the buttons of the demo work. */
export function startDemo() {
  find("#start").addEventListener("click", () => void run());
}
