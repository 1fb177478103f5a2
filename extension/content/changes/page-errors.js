/*
 * Errors that a page does not catch, while somebody listens. Error events of a page reach no other world of it, so a watcher in
 * the page's own world passes them on.
 */
import { collapse, cut } from "../dom/text.js";

const MAX_TEXT = 200;

/** @param {string} name of the watcher's events @returns {boolean} whether the watcher is there */
export const isWatched = (name) => !window.dispatchEvent(new CustomEvent(`${name}?`, { cancelable: true }));

/**
 * Listens to the watcher, and has it listen to the console meanwhile.
 * @param {string} name @param {(text: string) => void} take @param {AbortSignal} signal
 */
export function listen(name, take, signal) {
  window.addEventListener(name, (event) => {
    event.stopImmediatePropagation();
    const { detail } = /** @type {CustomEvent} */ (event);
    if (typeof detail === "string") take(cut(collapse(detail), MAX_TEXT));
  }, { capture: true, signal });
  signal.addEventListener("abort", () => window.dispatchEvent(new CustomEvent(`${name}.`)));
}
