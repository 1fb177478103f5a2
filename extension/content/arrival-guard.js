/*
 * Guard of documents of sites where no act is allowed, from their first moment: trusted input that was sent to the page
 * before, and that a navigation has outrun, must not arrive here. The guard reads nothing and leaves nothing behind.
 */
/** Longest time that input may be on its way; nobody has seen anything of the page by then. */
const GUARDED_MS = 500;
const TYPES = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "wheel",
  "touchstart", "touchend", "keydown", "keypress", "keyup", "beforeinput", "dragstart", "drop",
];
const began = performance.now();
const over = new AbortController();

/** @param {Event} event */
function stop(event) {
  if (performance.now() - began > GUARDED_MS) return over.abort();
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

for (const type of TYPES) addEventListener(type, stop, { capture: true, passive: false, signal: over.signal });
setTimeout(() => over.abort(), GUARDED_MS);

export {};
