/** The name of the events of watchers. Those of an earlier worker have another one. */
export const ERRORS = `e${crypto.randomUUID()}`;

/**
 * Runs in the page's own world, as text: it may use nothing from outside itself.
 *
 * Tells the content script of errors that the page does not catch, as they are thrown, and of what it reports as an error to the
 * console. What the page's own listeners have taken for handled is left out. The console is the page's own again when nobody
 * listens: a developer's console names the line that has called it.
 * @param {string} name of the events
 */
export function watchErrors(name) {
  const target = window;
  const { console } = target;
  const { dispatchEvent } = EventTarget.prototype;
  const Told = CustomEvent;
  const textOf = (/** @type {unknown} */ thrown) => {
    try {
      return String(thrown);
    } catch {
      return "an error without words";
    }
  };
  const pass = (/** @type {string} */ text) => dispatchEvent.call(target, new Told(name, { detail: text }));
  const tell = (/** @type {Event} */ event, /** @type {unknown} */ thrown) => {
    if (event.isTrusted && !event.defaultPrevented) pass(textOf(thrown));
  };
  // Console Standard, "Formatter", without styles and the inside of objects.
  const formatted = (/** @type {unknown[]} */ [first, ...rest]) => {
    if (typeof first !== "string") return [first, ...rest].map(textOf).join(" ");
    const text = first.replace(/%([sdifoOc])/g, (mark, kind) => {
      const value = rest.length ? textOf(rest.shift()) : mark;
      return kind === "c" && value !== mark ? "" : value;
    });
    return [text, ...rest.map(textOf)].join(" ");
  };
  const report = console.error;
  const watched = new Proxy(report, {
    apply(...[own, receiver, args]) {
      pass(`console.error: ${formatted(args)}`);
      return Reflect.apply(own, receiver, args);
    },
  });
  const on = (/** @type {string} */ sign, /** @type {() => void} */ act) => target.addEventListener(`${name}${sign}`, (event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    act();
  }, true);
  on("?", () => {
    // A page that has put another one there keeps it.
    if (console.error === report) console.error = watched;
  });
  on(".", () => {
    if (console.error === watched) console.error = report;
  });
  if (console.error === report) console.error = watched;
  target.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) tell(event, event.error ?? event.message);
  });
  target.addEventListener("unhandledrejection", (event) => tell(event, event.reason));
}
