/**
 * State of this browser, shown by a colour, a shape and a word. Screen readers do not announce its changes, which come with every
 * act: they announce the notice of a stop, the questions and the problem that each page shows.
 */
import { find, make, say } from "./elements.js";

/** @typedef {import("../../background/panel/browser-state.js").BrowserState} BrowserState */

/** @type {Record<BrowserState["name"], string>} */
const SHAPES = { ready: "●", working: "◐", needs_you: "▲", paused: "❚❚", stopped: "■", not_connected: "○" };

/** @param {BrowserState} state */
export function showState({ name, words }) {
  const pill = find("#state");
  if (!pill.children.length) pill.append(make("span", { ariaHidden: "true" }), make("span"));
  const [shape, text] = /** @type {Iterable<HTMLElement>} */ (pill.children);
  pill.dataset.state = name;
  say(shape, SHAPES[name]);
  say(text, words);
  pill.title = words;
}
