/*
 * Errors that pages do not catch, for who acts in them: a watcher in the page's own world, placed once per document, tells the
 * content script.
 */
import { watchErrors } from "./error-watch.js";

/** The name of the watchers' events. Watchers of an earlier worker have another one. */
export const ERRORS = `e${crypto.randomUUID()}`;

/**
 * Watchers are placed one by one: a frame that is gone would spoil it for the others.
 * @param {number} tabId @param {string[]} documentIds
 */
export const watchErrorsIn = (tabId, documentIds) => Promise.allSettled(documentIds.map((documentId) =>
  chrome.scripting.executeScript({
    target: { tabId, documentIds: [documentId] }, world: "MAIN", injectImmediately: true,
    func: /** @type {never} */ (watchErrors), args: [ERRORS],
  })));
