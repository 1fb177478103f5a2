/**
 * Runs in the page's own world, as text: it may use nothing from outside itself.
 *
 * Handlers that frameworks have noted on elements, where the listener itself is the framework's. Getters of the page are not
 * called.
 * @param {...any} elements
 * @returns {any[]} element's number, framework, name of the handler and the handler, one after the other
 */
export function frameworkHandlers(...elements) {
  const MAX_HANDLERS = 60;
  /** @type {any[]} */
  const found = [];
  const valueOf = (/** @type {any} */ owner, /** @type {string|symbol} */ key) => {
    if (owner === null || (typeof owner !== "object" && typeof owner !== "function")) return undefined;
    return Reflect.getOwnPropertyDescriptor(owner, key)?.value;
  };
  /** @type {(at: number, framework: string, name: string, handler: any) => void} */
  const note = (at, framework, name, handler) => {
    if (typeof handler === "function" && found.length < MAX_HANDLERS * 4) found.push(at, framework, name, handler);
  };
  const each = (/** @type {any} */ owner, /** @type {(key: string, value: any) => void} */ take) => {
    for (const key of Object.keys(owner ?? {})) take(key, valueOf(owner, key));
  };
  const READERS = /** @type {Array<[RegExp, (at: number, value: any, match: RegExpExecArray) => void]>} */ ([
    [/^__react(Props|EventHandlers)\$/, (at, props) => each(props, (key, handler) => {
      if (/^on[A-Z]/.test(key)) note(at, "React", key, handler);
    })],
    [/^_vei$/, (at, invokers) => each(invokers, (key, invoker) => {
      for (const handler of [valueOf(invoker, "value")].flat()) note(at, "Vue", key, handler);
    })],
    [/^(l|_listeners)$/, (at, listeners) => each(listeners, (key, handler) => {
      if (/(true|false)$/.test(key)) note(at, "Preact", `on${key.replace(/(true|false)$/, "")}`, handler);
    })],
    [/^__zone_symbol__([a-z]+)(true|false)$/, (at, tasks, [, type]) => {
      for (const task of Array.isArray(tasks) ? tasks : []) note(at, "Zone.js", type, valueOf(task, "callback"));
    }],
    [/^__([a-z]+)$/, (at, handler, [, type]) => note(at, "Svelte", type, Array.isArray(handler) ? handler[0] : handler)],
    [/^\$\$([a-z]+)$/, (at, handler, [, type]) => note(at, "Solid", type, handler)],
  ]);
  const jquery = valueOf(window, "jQuery");
  const readData = typeof valueOf(jquery, "_data") === "function" ? jquery._data : null;
  elements.forEach((element, at) => {
    for (const key of Reflect.ownKeys(element)) {
      const text = typeof key === "symbol" ? key.description ?? "" : key;
      for (const [pattern, read] of READERS) {
        const match = pattern.exec(text);
        if (match) read(at, valueOf(element, key), match);
      }
    }
    each(readData?.(element, "events"), (type, handlers) => {
      for (const one of Array.isArray(handlers) ? handlers : []) {
        const selector = valueOf(one, "selector");
        note(at, "jQuery", selector ? `${type} for ${selector}` : type, valueOf(one, "handler"));
      }
    });
  });
  return found;
}
