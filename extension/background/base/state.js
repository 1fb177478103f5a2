/*
 * What outlives the service worker. Chrome may end the worker at any moment, so everything that must survive is kept in
 * chrome.storage.session: read once at start, answered from memory afterwards, written through.
 */

/** @type {Map<string, any>} */
const values = new Map();

/** Resolves when the stored state is in memory. Every listener awaits it before it reads state. */
export const ready = chrome.storage.session.get(null).then((stored) => {
  for (const [key, value] of Object.entries(stored)) if (!values.has(key)) values.set(key, value);
});

/**
 * A named value that survives the worker. Read it only after `ready`.
 * @template T
 * @param {string} key unique in the extension
 * @param {T} initial the value while nothing was stored; JSON only
 */
export function persisted(key, initial) {
  return {
    /** @returns {T} the live value; call `save` after changing it in place */
    get() {
      if (!values.has(key)) values.set(key, structuredClone(initial));
      return values.get(key);
    },
    /** @param {T} value @returns {Promise<void>} resolves when it would survive the worker */
    set(value) {
      values.set(key, value);
      return chrome.storage.session.set({ [key]: value });
    },
    /** Writes the live value after it was changed in place. @returns {Promise<void>} */
    save() {
      return chrome.storage.session.set({ [key]: this.get() });
    },
  };
}

/**
 * A family of values under one prefix, each stored on its own (for entries that come and go often).
 * @template T
 * @param {string} prefix
 */
export function persistedEntries(prefix) {
  const at = (/** @type {string} */ name) => `${prefix}${name}`;
  return {
    /** @param {string} name @returns {T | undefined} */
    get: (name) => values.get(at(name)),
    /** @param {string} name @param {T} value @returns {Promise<void>} */
    set(name, value) {
      values.set(at(name), value);
      return chrome.storage.session.set({ [at(name)]: value });
    },
    /** @param {string[]} names @returns {Promise<void>} */
    remove(names) {
      for (const name of names) values.delete(at(name));
      return chrome.storage.session.remove(names.map(at));
    },
    /** @returns {Array<[string, T]>} oldest first */
    entries: () => [...values].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]),
  };
}

/** @type {Array<(client: import("../../types").Client) => void>} */
const goneListeners = [];

/**
 * Calls `listener` when a client's connection is lost: release what is held for it.
 * @param {(client: import("../../types").Client) => void} listener
 */
export function onClientGone(listener) {
  goneListeners.push(listener);
}

/** @param {import("../../types").Client} client */
export function announceClientGone(client) {
  for (const listener of goneListeners) {
    try {
      listener(client);
    } catch (error) {
      console.error("tabwire: a listener for a lost client failed", error);
    }
  }
}
