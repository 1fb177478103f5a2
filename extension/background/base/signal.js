/*
 * Something that happens, and the listeners that are called each time.
 */
import { getOrMake } from "./maps.js";

/**
 * @template {unknown[]} Values what listeners are called with
 */
export class Signal {
  /** @type {Set<(...values: Values) => unknown>} */
  #listeners = new Set();

  get hasListeners() {
    return this.#listeners.size > 0;
  }

  /**
   * Calls `listener` each time from now on. Bound, so that a module can export it alone.
   * @param {(...values: Values) => unknown} listener
   * @param {AbortSignal} [until] stops listening
   * @returns {() => void} stops listening
   */
  add = (listener, until) => {
    const remove = () => {
      this.#listeners.delete(listener);
      until?.removeEventListener("abort", remove);
    };
    if (until?.aborted) return remove;
    this.#listeners.add(listener);
    until?.addEventListener("abort", remove);
    return remove;
  };

  /**
   * Calls the listeners in the order in which they were added. One that fails is logged and does not stop the others; one that
   * another has just removed is not called any more.
   * @param {Values} values
   * @returns {unknown[]} the listeners' results, to be awaited where they take time
   */
  emit(...values) {
    const results = [];
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) results.push(attempt(listener, values));
    return results;
  }
}

/**
 * @template {unknown[]} Values
 * @param {(...values: Values) => unknown} listener
 * @param {Values} values
 */
function attempt(listener, values) {
  try {
    const result = listener(...values);
    if (result instanceof Promise) result.catch(warn);
    return result;
  } catch (error) {
    return warn(error);
  }
}

const warn = (/** @type {unknown} */ error) => console.error("tabwire: a listener failed", error);

/**
 * Signals by key, such as a tab's id. A key without listeners takes no room.
 * @template Key
 * @template {unknown[]} Values
 */
export class KeyedSignal {
  /** @type {Map<Key, Signal<Values>>} */
  #signals = new Map();

  /**
   * @param {Key} key
   * @param {(...values: Values) => unknown} listener
   * @param {AbortSignal} [until] stops listening
   * @returns {() => void} stops listening
   */
  add = (key, listener, until) => {
    const signal = getOrMake(this.#signals, key, () => new Signal());
    const remove = signal.add(listener);
    const stop = () => {
      remove();
      if (!signal.hasListeners && this.#signals.get(key) === signal) this.#signals.delete(key);
    };
    until?.addEventListener("abort", stop, { once: true });
    return stop;
  };

  /** @param {Key} key @param {Values} values @returns {unknown[]} the listeners' results */
  emit(key, ...values) {
    return this.#signals.get(key)?.emit(...values) ?? [];
  }
}
