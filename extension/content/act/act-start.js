/*
 * The sign that an act begins, given right before the first thing it does to the page, or that its document is left before
 * that. The worker, which may hear of a dialog or of another page instead of the answer, so knows whether it happened.
 */
import { codedError } from "../base/errors.js";
import { worker } from "../base/worker.js";

let given = "";
let left = "";
/** The act that has come and has not begun. */
let waiting = "";
/** @type {AbortController | null} */
let listening = null;

/** @param {string} id of the act */
function give(id) {
  if (id === given) return;
  given = id;
  waiting = "";
  worker.tell?.({ tabwireBegun: id });
}

/**
 * Notes that an act has come to the page. When the page is left before it begins, it does not begin any more. One that was sent
 * behind the beginning of its observation finds that begun, and the page looked at as it is before the act.
 * @param {ActStart} act @param {() => void} lookAhead looks at the page as it is before the act
 */
export function receive({ id, is_behind: isBehind = false }, lookAhead) {
  if (isBehind && expected?.id !== id) throw codedError("unobserved", "the page is not observed yet");
  if (isBehind) lookAhead();
  if (id !== given && id !== left) waiting = id;
}

/** Notes when this document is left before an act has begun. */
export function listen() {
  // The listener is added once and stays: Chrome keeps account of pages that listen to their end.
  addEventListener("pagehide", () => {
    if (!waiting) return;
    left = waiting;
    waiting = "";
    worker.tell?.({ tabwireLeft: left });
  });
}

/**
 * Call it before an act changes anything. Throws when the act is not wanted any more: the page was frozen for too long.
 * @param {ActStart} [act]
 */
export function begin(act) {
  if (!act) return;
  assertWanted(act);
  give(act.id);
}

/** Checks as `begin` does, before a step that only leads to the act. @param {ActStart} [act] */
export function assertWanted(act) {
  if (act && (act.id === left || Date.now() > act.until)) throw codedError("lapsed", "the page could not begin in time");
}

/** @type {{id: string, events: string[]} | null} */
let expected = null;

export function rest() {
  listening?.abort();
  listening = expected = null;
}

/** Listens behind the guard of the pointer, which was just set: a press that it stops is no sign. */
export function yieldToGuard() {
  if (expected) expect(expected);
}

/**
 * Gives the sign when trusted input of an act arrives.
 * @param {{id: string, events: string[]}} sign
 */
export function expect({ id, events }) {
  rest();
  listening = new AbortController();
  expected = { id, events };
  const arrived = (/** @type {Event} */ event) => {
    if (!event.isTrusted) return;
    give(id);
    rest();
  };
  for (const type of events) addEventListener(type, arrived, { capture: true, passive: true, signal: listening.signal });
}
