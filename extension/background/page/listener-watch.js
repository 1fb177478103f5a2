/**
 * Runs in the page's own world, as text: it may use nothing from outside itself.
 *
 * Waits for the question of the content script and answers with an event on each element on which a framework has noted a
 * listener. Own data properties are read by their descriptors, so that no getter of the page is called.
 * @param {string} name of the events
 */
export function watchListeners(name) {
  const MAX_ELEMENTS = 20_000;
  const MAX_ANSWERS = 4000;
  const LIMIT_MS = 60;
  const MAX_ROOTS = 500;
  const SAMPLES = 300;
  const TYPES = new Set(("click dblclick mousedown mouseup pointerdown pointerup touchstart touchend " +
    "contextmenu mouseenter mouseover pointerenter pointerover dragstart dragover drop").split(" "));

  const own = (/** @type {any} */ owner, /** @type {string | symbol} */ key) =>
    (Object(owner) === owner ? Reflect.getOwnPropertyDescriptor(owner, key)?.value : undefined);
  const fromHandler = (/** @type {string} */ key) => {
    const type = /^on:?([A-Za-z]+?)(?:Capture|Once|Passive)*$/.exec(key)?.[1].toLowerCase();
    return type === "doubleclick" ? "dblclick" : type;
  };
  /** @type {(handlers: Record<string, unknown>) => Array<string | undefined>} */
  const fromHandlers = (handlers) => Object.keys(handlers).filter((key) => own(handlers, key)).map(fromHandler);
  const fromFlags = (/** @type {object} */ listeners) =>
    Object.keys(listeners).map((key) => key.replace(/(true|false)$/i, "").toLowerCase());
  /** Properties in which frameworks note listeners on elements, by name: React, Vue, Preact, Angular, Svelte and Solid. */
  const NOTES = /** @type {Array<[RegExp, (value: any, match: RegExpExecArray) => Array<string | undefined>]>} */ ([
    [/^__react(Props|EventHandlers)\$/, fromHandlers],
    [/^_vei$/, fromHandlers],
    [/^(l|_listeners)$/, fromFlags],
    [/^__zone_symbol__([a-z]+)(true|false)$/, (_, [, type]) => [type]],
    [/^(?:__|\$\$)(click|dblclick|mousedown|pointerdown|touchstart|mouseover|pointerover)$/, (_, [, type]) => [type]],
  ]);
  /**
   * Own properties found to be such notes → how they are read.
   * @type {Map<string | symbol, (value: any) => Array<string | undefined>>}
   */
  const readers = new Map();
  /** Own properties found to be no such notes. @type {Set<string | symbol>} */
  const others = new Set();

  /** @typedef {Map<ParentNode, Set<string>>} Found */

  /** @param {string | symbol} key */
  function learn(key) {
    if (readers.has(key) || others.has(key)) return;
    const text = typeof key === "symbol" ? key.description ?? "" : key;
    for (const [pattern, read] of NOTES) {
      const match = pattern.exec(text);
      if (match) readers.set(key, (value) => read(value, match));
    }
    if (!readers.has(key)) others.add(key);
  }

  /** The names differ from page to page; elements of one page share them. @param {NodeListOf<Element>} elements */
  function sample(elements) {
    const step = Math.max(1, Math.floor(elements.length / SAMPLES));
    for (let at = Math.floor(Math.random() * step); at < elements.length; at += step) {
      for (const key of Reflect.ownKeys(elements[at])) learn(key);
    }
  }

  /** @param {Found} found @param {ParentNode} element @param {Array<string | undefined>} types */
  function note(found, element, types) {
    for (const type of types) if (type && TYPES.has(type)) found.set(element, (found.get(element) ?? new Set()).add(type));
  }

  /** @param {Found} found @param {any} element what scripts put on it is under names of theirs */
  function readNotes(found, element) {
    for (const [key, read] of readers) {
      const value = own(element, key);
      if (value) note(found, element, read(value));
    }
  }

  /** @param {Found} found @param {any} element @param {any} jquery the page's */
  function readJquery(found, element, jquery) {
    const expando = String(own(jquery, "expando"));
    if (!own(element, expando) && !own(element, `${expando}1`)) return;
    const events = jquery._data(element, "events") ?? {};
    for (const type of Object.keys(events)) {
      const handlers = own(events, type);
      for (const key of Array.isArray(handlers) ? handlers.keys() : []) {
        const selector = own(own(handlers, String(key)), "selector");
        for (const target of selector ? element.querySelectorAll(selector) : [element]) note(found, target, [type]);
      }
    }
  }

  const jqueryOf = () => {
    const jquery = own(window, "jQuery");
    return typeof own(jquery, "_data") === "function" ? jquery : null;
  };

  /** Runs code that may throw: a page can put anything on an element. @param {() => void} run */
  function attempt(run) {
    try {
      run();
    } catch {
      // An element that cannot be read has no known listeners.
    }
  }

  /** @param {Found} found @param {NodeListOf<Element>} elements @param {number} end */
  function look(found, elements, end) {
    const jquery = jqueryOf();
    sample(elements);
    if (!readers.size && !jquery) return;
    for (let at = 0; at < elements.length && at < MAX_ELEMENTS; at += 1) {
      if (at % 256 === 255 && performance.now() > end) return;
      attempt(() => readNotes(found, elements[at]));
      if (jquery) attempt(() => readJquery(found, elements[at], jquery));
    }
  }

  /** @param {Found} found */
  function walk(found) {
    const end = performance.now() + LIMIT_MS;
    const roots = /** @type {ParentNode[]} */ ([document]);
    for (const root of roots) {
      const elements = root.querySelectorAll("*");
      look(found, elements, end);
      for (const host of elements) if (host.shadowRoot && roots.length < MAX_ROOTS) roots.push(host.shadowRoot);
    }
    if (jqueryOf()) readJquery(found, document, jqueryOf());
  }

  window.addEventListener(`${name}?`, (question) => {
    question.preventDefault();
    let rest = MAX_ANSWERS;
    /** @type {Found} */
    const found = new Map();
    attempt(() => walk(found));
    for (const [element, types] of found) {
      if (element === document || element === document.body || element === document.documentElement) continue;
      if (rest-- <= 0) return;
      // A form may have a field called like the method.
      EventTarget.prototype.dispatchEvent.call(element, new CustomEvent(name, { composed: true, detail: [...types].join(" ") }));
    }
  }, true);
}
