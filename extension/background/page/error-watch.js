/** The name of the events of watchers. Those of an earlier worker have another one. */
export const ERRORS = `e${crypto.randomUUID()}`;

/**
 * Runs in the page's own world, as text: it may use nothing from outside itself.
 *
 * Tells the content script of errors that the page does not catch, as they are thrown. What the page's own listeners have taken
 * for handled is left out.
 * @param {string} name of the events
 */
export function watchErrors(name) {
  const target = window;
  const { dispatchEvent } = EventTarget.prototype;
  const Told = CustomEvent;
  const textOf = (/** @type {unknown} */ thrown) => {
    try {
      return String(thrown);
    } catch {
      return "an error without words";
    }
  };
  const tell = (/** @type {Event} */ event, /** @type {unknown} */ thrown) => {
    if (event.isTrusted && !event.defaultPrevented) dispatchEvent.call(target, new Told(name, { detail: textOf(thrown) }));
  };
  target.addEventListener(`${name}?`, (event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
  }, true);
  target.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) tell(event, event.error ?? event.message);
  });
  target.addEventListener("unhandledrejection", (event) => tell(event, event.reason));
}
