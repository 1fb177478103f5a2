/*
 * The person's own input in this document: keys and presses that came while no act of a client was under way.
 */
globalThis.__tabwire.add("act/presence", (tw) => {
let last = -Infinity;

const note = (/** @type {Event} */ event) => { if (event.isTrusted && !tw.effects.isUnderWay()) last = performance.now(); };
for (const type of ["keydown", "pointerdown"]) addEventListener(type, note, { capture: true, passive: true });

/** Milliseconds since the person's last input, in a document that is in view. */
const sinceInput = () => (document.hidden ? Infinity : performance.now() - last);

tw.presence = { sinceInput };
});
