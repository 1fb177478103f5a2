/** A client as it is seen everywhere: its initial in the colour of its tab group, which is also that of its frame in the page. */
import { make, say } from "./elements.js";

/** @typedef {{name: string, hue?: import("../../background/tabs/lease-holders.js").Hue}} Marked */

const initialOf = (/** @type {string} */ name) => [...name][0]?.toLocaleUpperCase() ?? "?";

/** Brings a mark up to date. @param {HTMLElement} mark @param {Marked} client */
export function showMark(mark, { name, hue }) {
  say(mark, initialOf(name));
  if (hue) mark.style.setProperty("--client", `light-dark(${hue.dark}, ${hue.light})`);
}

/** Creates the client's initial, hidden from screen readers: the name stands beside it. @param {Marked} client */
export function clientMark(client) {
  const mark = make("span", { className: "initial", ariaHidden: "true" });
  showMark(mark, client);
  return mark;
}
