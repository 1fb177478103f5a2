/* Scrolling that is our own: who watches an act is asked to note where things are, right before that changes. */
/** @type {(element: Element) => void} */
let watcher = () => {};

/** @param {(element: Element) => void} watch is called with an element that is about to be scrolled, or to be scrolled to */
export function onOwnScroll(watch) {
  watcher = watch;
}

/** Call it before an element is scrolled, or scrolled to. @param {Element} element */
export const announce = (element) => watcher(element);
