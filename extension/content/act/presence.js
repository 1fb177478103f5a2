/*
 * The user's own input in this document: keys and presses that came while no act of a client was under way.
 */
import * as actUnderWay from "./act-under-way.js";

let last = -Infinity;

const note = (/** @type {Event} */ event) => { if (event.isTrusted && !actUnderWay.isUnderWay()) last = performance.now(); };

/** Notes the user's input from now on. */
export function listen() {
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, note, { capture: true, passive: true });
}

/** Milliseconds since the person's last input, in a document that is in view. */
export const sinceInput = () => (document.hidden ? Infinity : performance.now() - last);
