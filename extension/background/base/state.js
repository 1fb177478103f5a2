/*
 * State that outlives the service worker. Chrome may end the worker at any moment, so everything that must survive is kept in
 * chrome.storage.session: read once at start, answered from memory afterwards, written through.
 */

import { onTabClosed, onTabReplaced } from "./tabs.js";

/** @type {Map<string, unknown>} */
const values = new Map();

/** Resolves when the stored state is in memory. Every listener awaits it before it reads state. */
export const ready = chrome.storage.session.get().then((stored) => {
  for (const [key, value] of Object.entries(stored)) if (!values.has(key)) values.set(key, value);
});

/** Names in the storage and their values. @typedef {Record<string, unknown>} Part */

/** Stores several values: all of them survive the worker, or none does. @param {Part[]} parts @returns {Promise<void>} */
export const storeTogether = (...parts) => chrome.storage.session.set(Object.assign({}, ...parts));

/**
 * @template T
 * @typedef {object} Persisted
 * @property {() => T} get the live value; call `save` after changing it in place
 * @property {(value: T) => Promise<void>} set resolves when the value would survive the worker
 * @property {() => Promise<void>} save writes the live value after it was changed in place
 * @property {() => Part} part the live value, for `storeTogether`
 * @property {<Name extends keyof T>(name: Name, member: T[Name]) => Promise<void>} put sets a member of a record, and saves it
 * @property {(name: keyof T) => Promise<void>} drop deletes a member of a record, and saves it
 */

/**
 * A named value that survives the worker. Read it only after `ready`.
 * @template T
 * @param {string} key unique in the extension
 * @param {T} initial the value while nothing was stored; JSON only
 * @returns {Persisted<T>}
 */
export function persisted(key, initial) {
  return {
    get() {
      if (!values.has(key)) values.set(key, structuredClone(initial));
      return /** @type {T} */ (values.get(key));
    },
    set(value) {
      values.set(key, value);
      return chrome.storage.session.set({ [key]: value });
    },
    save() {
      return chrome.storage.session.set(this.part());
    },
    part() {
      return { [key]: this.get() };
    },
    put(name, member) {
      this.get()[name] = member;
      return this.save();
    },
    drop(name) {
      delete this.get()[name];
      return this.save();
    },
  };
}

/**
 * A value for each tab that survives the worker, is forgotten when its tab closes, and follows a tab that gets another id.
 * @template T
 * @param {string} key unique in the extension
 * @returns {Persisted<Record<number, T>>} by tab id
 */
export function persistedByTab(key) {
  const record = persisted(key, /** @type {Record<number, T>} */ ({}));
  const forget = async (/** @type {number} */ tabId, /** @type {number | undefined} */ successor) => {
    await ready;
    const values = record.get();
    const value = values[tabId];
    if (value === undefined) return;
    if (successor !== undefined) values[successor] = value;
    await record.drop(tabId);
  };
  onTabClosed((tabId) => forget(tabId, undefined));
  onTabReplaced(forget);
  return record;
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
    get: (name) => /** @type {T | undefined} */ (values.get(at(name))),
    /** @param {string} name @param {T} value @returns {Promise<void>} */
    set(name, value) {
      return chrome.storage.session.set(this.part(name, value));
    },
    /** @param {string} name @param {T} value set with others by `storeTogether` @returns {Part} */
    part(name, value) {
      values.set(at(name), value);
      return { [at(name)]: value };
    },
    /** @param {string[]} names @returns {Promise<void>} */
    remove(names) {
      for (const name of names) values.delete(at(name));
      return chrome.storage.session.remove(names.map(at));
    },
    /** @returns {Array<[string, T]>} oldest first */
    entries: () =>
      [...values]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key.slice(prefix.length), /** @type {T} */ (value)]),
  };
}

