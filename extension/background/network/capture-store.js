/*
 * What a capture has recorded, where the next service worker finds it. Bodies are too large for chrome.storage.session, so
 * this is a database; captures that nobody knows any more are deleted from it when the worker starts. What an incognito
 * window loads is not written to the disk: it is in memory only, and gone with the worker.
 */

const NAME = "tabwire-captures";
const STORES = ["entries", "bodies"];
const PRIVATE = "private:";

/** Bodies of incognito windows. @type {Map<string, Map<number|string, any>>} */
const inMemory = new Map();
const isPrivate = (capture) => capture.startsWith(PRIVATE);

/** @param {boolean} incognito */
export const newCaptureId = (incognito) => (incognito ? PRIVATE : "") + crypto.randomUUID();

/** @type {Promise<IDBDatabase>|null} */
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/**
 * @template T
 * @param {"readonly"|"readwrite"} mode
 * @param {string} store
 * @param {(store: IDBObjectStore) => IDBRequest<T>|void} work
 * @returns {Promise<T>}
 */
async function within(mode, store, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability: "relaxed" });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(/** @type {any} */ (request)?.result);
    transaction.onabort = () => reject(transaction.error);
    // A worker that is killed now has written it.
    transaction.commit();
  });
}

const allOf = (capture) => IDBKeyRange.bound([capture], [capture, []]);

/** @param {string} capture @param {object[]} entries with their number `n` */
export async function putEntries(capture, entries) {
  if (isPrivate(capture)) return;
  await within("readwrite", "entries", (store) => entries.forEach((entry) => store.put(entry, [capture, /** @type {any} */ (entry).n])));
}

/** @param {string} capture @param {number|string} of @param {any} body */
export async function putBody(capture, of, body) {
  if (!isPrivate(capture)) return within("readwrite", "bodies", (store) => void store.put(body, [capture, of]));
  if (!inMemory.has(capture)) inMemory.set(capture, new Map());
  inMemory.get(capture).set(of, body);
}

/** @param {string} capture @returns {Promise<any[]>} */
export const entriesOf = (capture) => within("readonly", "entries", (store) => store.getAll(allOf(capture)));

/** @param {string} capture @returns {Promise<Map<number|string, any>>} by what they are of */
export async function bodiesOf(capture) {
  if (isPrivate(capture)) return inMemory.get(capture) ?? new Map();
  const [keys, bodies] = await Promise.all([
    within("readonly", "bodies", (store) => store.getAllKeys(allOf(capture))),
    within("readonly", "bodies", (store) => store.getAll(allOf(capture))),
  ]);
  return new Map(/** @type {[string, any][]} */ (keys).map(([, of], index) => [of, bodies[index]]));
}

/** @param {string} capture */
export async function removeCapture(capture) {
  inMemory.delete(capture);
  await Promise.all(STORES.map((name) => within("readwrite", name, (store) => void store.delete(allOf(capture)))));
}

/** @param {string[]} known  the captures to keep */
export async function removeOthers(known) {
  const keys = (await Promise.all(STORES.map((name) => within("readonly", name, (store) => store.getAllKeys())))).flat();
  const strangers = new Set(/** @type {[string, any][]} */ (keys).map(([capture]) => capture).filter((capture) => !known.includes(capture)));
  await Promise.all([...strangers].map(removeCapture));
}
