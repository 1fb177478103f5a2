/*
 * The frames of recordings. They outlive the worker and are too many for chrome.storage.session, so they are in IndexedDB.
 */
import { database } from "../base/database.js";

/** @typedef {{at: number, bytes: ArrayBuffer}} Frame  at: ms after the start; bytes: an encoded picture */

const STORE = "frames";
const transact = database("tabwire.recordings", [STORE]);

/** The keys of one recording: arrays come after numbers. */
const keysOf = (/** @type {string} */ recording, start = 0) => IDBKeyRange.bound([recording, start], [recording, []]);

/**
 * @param {string} recording
 * @param {number} number  0, 1, 2 …
 * @param {Frame} frame
 */
export async function keepFrame(recording, number, frame) {
  await transact("readwrite", STORE, (store) => store.put(frame, [recording, number]));
}

/**
 * The frames from a number on, as many as `maxBytes` hold; one at least.
 * @param {string} recording
 * @param {number} start
 * @param {number} maxBytes
 * @returns {Promise<Frame[]>}
 */
export async function framesFrom(recording, start, maxBytes) {
  /** @type {Frame[]} */
  const found = [];
  let size = 0;
  await transact("readonly", STORE, (store) => {
    const request = store.openCursor(keysOf(recording, start));
    request.onsuccess = () => {
      const cursor = request.result;
      size += cursor?.value.bytes.byteLength ?? 0;
      if (!cursor || (found.length && size > maxBytes)) return;
      found.push(cursor.value);
      cursor.continue();
    };
  });
  return found;
}

/** @param {string} recording */
export async function dropFrames(recording) {
  await transact("readwrite", STORE, (store) => store.delete(keysOf(recording)));
}

/** @returns {Promise<string[]>} the recordings that have frames */
export async function keptRecordings() {
  const keys = /** @type {[recording: string, number: number][]} */ (
    await transact("readonly", STORE, (store) => store.getAllKeys())
  );
  return [...new Set(keys.map(([recording]) => recording))];
}
