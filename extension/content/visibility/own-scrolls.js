/* Scrolling by the extension: the observer of an act notes where things are right before it. */
/** @type {(element: Element) => void} */
let watcher = () => {};

/** @param {(element: Element) => void} watch is called with an element that is about to be scrolled, or to be scrolled to */
export function onOwnScroll(watch) {
  watcher = watch;
}

/** Call it before an element is scrolled, or scrolled to. @param {Element} element */
export const announce = (element) => watcher(element);
