/* The localStorage and sessionStorage of this document, which isolated worlds share with the page. */
import { codedError, pageText } from "./errors.js";

/** @typedef {"local" | "session"} Area */
const PROPERTIES = /** @type {const} */ ({ local: "localStorage", session: "sessionStorage" });
/** Limits of a reply in characters: of a value asked for alone, of a value or key among many, and of all together. */
const VALUE_CHARS = 50_000;
const ENTRY_CHARS = 2_000;
const KEY_CHARS = 500;
const TOTAL_CHARS = 50_000;

/** @param {Area} type @returns {Storage} */
function storageOf(type) {
  try {
    const storage = window[PROPERTIES[type]];
    if (storage) return storage;
  } catch {
    // The getter of a document without an origin throws.
  }
  const why = location.protocol === "data:" || window.origin === "null"
    ? "its origin is opaque (a sandboxed frame or a data: address)"
    : "the browser's settings forbid this site to store anything";
  throw codedError("unsupported_operation",
    `this document has no ${PROPERTIES[type]}: ${why}; work in a frame of the site itself, or let the site store data`);
}

/** @param {Storage} storage */
const keysOf = (storage) => Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter((key) => key !== null);

/** @param {string} text @param {number} limit */
const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/**
 * Keeps as many of the items as a reply has room for.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} sizeOf
 */
function fitting(items, sizeOf) {
  let room = TOTAL_CHARS;
  const kept = items.filter((item) => (room -= sizeOf(item)) >= 0);
  const left = items.length - kept.length;
  const note = `${left} of ${items.length} are left out for their size; get reads one by its key`;
  return { kept, note: left ? { left_out: left, note } : {} };
}

/** @param {Storage} storage @param {{key: string}} entry */
function get(storage, { key }) {
  const value = storage.getItem(key);
  if (value === null || value.length <= VALUE_CHARS) return { key, value };
  return { key, value: cut(value, VALUE_CHARS), length: value.length,
    note: `the first ${VALUE_CHARS} of ${value.length} characters; evaluate reads a part by slice()` };
}

/** @param {Storage} storage @param {{key: string, value: string, type: Area}} entry */
function set(storage, { key, value, type }) {
  const before = storage.getItem(key);
  write(storage, key, value, type);
  if (storage.getItem(key) !== value) {
    throw codedError("unsupported_operation",
      `the value of ${JSON.stringify(cut(key, KEY_CHARS))} was changed again at once by somebody else; look at it with get`);
  }
  return { key, length: value.length, replaced: before !== null };
}

/** @param {Storage} storage @param {string} key @param {string} value @param {Area} type */
function write(storage, key, value, type) {
  try {
    storage.setItem(key, value);
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "QuotaExceededError") throw error;
    throw codedError("unsupported_operation",
      `the ${PROPERTIES[type]} of ${pageText(window.origin)} is full: ${usedBy(storage)} characters are in it and ` +
      `${key.length + value.length} more do not fit (about 5 million are allowed); nothing was stored: remove entries first, ` +
      "or store less");
  }
}

/** @param {Storage} storage */
const usedBy = (storage) => keysOf(storage).reduce((sum, key) => sum + key.length + (storage.getItem(key)?.length ?? 0), 0);

/** @param {Storage} storage @param {{key: string}} entry */
function remove(storage, { key }) {
  const existed = storage.getItem(key) !== null;
  storage.removeItem(key);
  return { key, removed: existed };
}

/** @param {Storage} storage */
function clear(storage) {
  const removed = storage.length;
  storage.clear();
  return { removed, length: storage.length };
}

/** @param {Storage} storage */
function keys(storage) {
  const { kept, note } = fitting(keysOf(storage).map((key) => cut(key, KEY_CHARS)), (key) => key.length);
  return { keys: kept, length: storage.length, ...note };
}

/** @param {Storage} storage */
function entries(storage) {
  const all = keysOf(storage).map((key) => entryOf(key, storage.getItem(key) ?? ""));
  const { kept, note } = fitting(all, ({ key, value }) => key.length + value.length);
  return { entries: kept, length: storage.length, ...note };
}

/** @param {string} key @param {string} value */
function entryOf(key, value) {
  const entry = { key: cut(key, KEY_CHARS), value: cut(value, ENTRY_CHARS) };
  return value.length > ENTRY_CHARS ? { ...entry, length: value.length } : entry;
}

/** @param {Storage} storage */
const length = (storage) => ({ length: storage.length });

const ACTIONS = { get, set, remove, clear, keys, entries, length };

/**
 * Runs one action of the tool.
 * @param {{action: keyof typeof ACTIONS, type: Area, key: string, value: string}} args
 */
const runAction = (args) => {
  return { origin: window.origin, type: args.type, ...ACTIONS[args.action](storageOf(args.type), args) };
};

/**
 * Reads all items, as JSON text of [key, value] pairs: stored text need not be valid Unicode, and JSON escapes what is not.
 * @param {{type: Area}} args
 */
const read = ({ type }) => {
  const storage = storageOf(type);
  const pairs = keysOf(storage).map((key) => [key, storage.getItem(key) ?? ""]);
  return { origin: window.origin, json: JSON.stringify(pairs), count: pairs.length };
};

/**
 * Puts entries back. Other entries stay: a state says nothing about them.
 * @param {{type: Area, json: string}} args
 */
const restore = ({ type, json }) => {
  const storage = storageOf(type);
  /** @type {[string, string][]} */
  const pairs = JSON.parse(json);
  const failed = [];
  for (const [key, value] of pairs) {
    try {
      write(storage, key, value, type);
    } catch (error) {
      failed.push(/** @type {Error} */ (error).message);
    }
  }
  const restored = pairs.filter(([key, value]) => storage.getItem(key) === value).length;
  return { origin: window.origin, restored, missing: pairs.length - restored, cause: failed[0] };
};

/** @type {ContentOperations} */
export const OPERATIONS = {
  "storage.items": runAction,
  "storage.read": read,
  "storage.restore": restore,
};
