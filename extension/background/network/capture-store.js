/*
 * What a capture has recorded, where the next service worker finds it. Bodies are too large for chrome.storage.session, so
 * this is a database; captures that nobody knows any more are deleted from it when the worker starts. What an incognito
 * window loads is not written to the disk: it is in memory only, and gone with the worker.
 */
import { database } from "../base/database.js";

const STORES = ["entries", "bodies"];
const transact = database("tabwire-captures", STORES);
const PRIVATE = "private:";

/** Bodies of incognito windows. @type {Map<string, Map<number|string, any>>} */
const inMemory = new Map();
const isPrivate = (capture) => capture.startsWith(PRIVATE);

/** @param {boolean} incognito */
export const newCaptureId = (incognito) => (incognito ? PRIVATE : "") + crypto.randomUUID();

const allOf = (capture) => IDBKeyRange.bound([capture], [capture, []]);

/** @param {string} capture @param {object[]} entries with their number `n` */
export async function putEntries(capture, entries) {
  if (isPrivate(capture)) return;
  await transact("readwrite", "entries", (store) => entries.forEach((entry) => store.put(entry, [capture, /** @type {any} */ (entry).n])));
}

/** @param {string} capture @param {number|string} of @param {any} body */
export async function putBody(capture, of, body) {
  if (!isPrivate(capture)) return transact("readwrite", "bodies", (store) => void store.put(body, [capture, of]));
  if (!inMemory.has(capture)) inMemory.set(capture, new Map());
  inMemory.get(capture).set(of, body);
}

/** @param {string} capture @returns {Promise<any[]>} */
export const entriesOf = (capture) => transact("readonly", "entries", (store) => store.getAll(allOf(capture)));

/** @param {string} capture @returns {Promise<Map<number|string, any>>} by what they are of */
export async function bodiesOf(capture) {
  if (isPrivate(capture)) return inMemory.get(capture) ?? new Map();
  const [keys, bodies] = await Promise.all([
    transact("readonly", "bodies", (store) => store.getAllKeys(allOf(capture))),
    transact("readonly", "bodies", (store) => store.getAll(allOf(capture))),
  ]);
  return new Map(/** @type {[string, any][]} */ (keys).map(([, of], index) => [of, bodies[index]]));
}

/** @param {string} capture */
export async function removeCapture(capture) {
  inMemory.delete(capture);
  await Promise.all(STORES.map((name) => transact("readwrite", name, (store) => void store.delete(allOf(capture)))));
}

/** @param {string[]} known  the captures to keep */
export async function removeOthers(known) {
  const keys = (await Promise.all(STORES.map((name) => transact("readonly", name, (store) => store.getAllKeys())))).flat();
  const strangers = new Set(/** @type {[string, any][]} */ (keys).map(([capture]) => capture).filter((capture) => !known.includes(capture)));
  await Promise.all([...strangers].map(removeCapture));
}
