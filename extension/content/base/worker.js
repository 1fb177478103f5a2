/*
 * The worker, as it makes itself known with each call: `runInPage` of background/page/content-calls.js sets these by way of the
 * one global. They are absent in a page without the worker.
 * seal: mark of this extension's own refs; tell: sends a message to the worker; ask: asks it, null where there is no answer.
 */

/** @type {WorkerLink} */
export const worker = {};
