/*
 * The frames of recordings. They outlive the worker and are too many for chrome.storage.session, so they are in IndexedDB.
 */

/** @typedef {{at: number, bytes: ArrayBuffer}} Frame  at: ms after the start; bytes: an encoded picture */

const NAME = "tabwire.recordings";
const STORE = "frames";

/** @type {Promise<IDBDatabase>|null} */
let database = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answerOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  database ??= answerOf(request);
  return database;
}

/** @param {IDBTransactionMode} mode */
const frameStore = async (mode) => (await open()).transaction(STORE, mode).objectStore(STORE);

/** The keys of one recording: arrays come after numbers. */
const keysOf = (recording, start = 0) => IDBKeyRange.bound([recording, start], [recording, []]);

/**
 * @param {string} recording
 * @param {number} number  0, 1, 2 …
 * @param {Frame} frame
 */
export async function keepFrame(recording, number, frame) {
  await answerOf((await frameStore("readwrite")).put(frame, [recording, number]));
}

/**
 * The frames from a number on, as many as `maxBytes` hold; one at least.
 * @param {string} recording
 * @param {number} start
 * @param {number} maxBytes
 * @returns {Promise<Frame[]>}
 */
export async function framesFrom(recording, start, maxBytes) {
  const request = (await frameStore("readonly")).openCursor(keysOf(recording, start));
  /** @type {Frame[]} */
  const found = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      size += cursor?.value.bytes.byteLength ?? 0;
      if (!cursor || (found.length && size > maxBytes)) return resolve(found);
      found.push(cursor.value);
      cursor.continue();
    };
  });
}

/** @param {string} recording */
export async function dropFrames(recording) {
  await answerOf((await frameStore("readwrite")).delete(keysOf(recording)));
}

/** @returns {Promise<string[]>} the recordings that have frames */
export async function keptRecordings() {
  const keys = /** @type {any[]} */ (await answerOf((await frameStore("readonly")).getAllKeys()));
  return [...new Set(keys.map(([recording]) => recording))];
}
