/*
 * Pages that have opened a dialog, or have stopped as under one, while this browser runs: there the debugger is attached before
 * the next act or navigation, because it answers only dialogs that open while it is.
 */
import { persisted } from "../base/state.js";

const MAX_PAGES = 200;

/** Addresses without query and fragment, the latest last. */
const pages = persisted("debugger.asking", /** @type {string[]} */ ([]));

/** @param {string} [url] */
function pageOf(url = "") {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "", pathname: "" };
  return origin + pathname;
}

/**
 * Notes that a page has opened a dialog, or does not answer as if it had.
 * @param {string | undefined} url
 */
export function noteAsking(url) {
  const page = pageOf(url);
  if (page) void pages.set([...pages.get().filter((known) => known !== page), page].slice(-MAX_PAGES));
}

/**
 * Whether the page of this address has opened a dialog.
 * @param {string | undefined} url
 */
export const hasAsked = (url) => pages.get().includes(pageOf(url));
