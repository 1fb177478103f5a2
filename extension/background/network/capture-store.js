/*
 * Store of captured requests that outlives the service worker. Bodies are too large for chrome.storage.session, so this is a
 * database; captures that nobody knows any more are deleted from it when the worker starts. Requests of incognito windows are
 * not written to the disk: they are in memory only, and gone with the worker.
 */
import { getOrMake } from "../base/maps.js";
import { database } from "../base/database.js";

const STORES = ["entries", "bodies"];
const transact = database("tabwire-captures", STORES);
const PRIVATE = "private:";

/** @typedef {import("./capture-entries.js").Entry} Entry */
/** @typedef {{body?: string, base64?: boolean, body_note?: string}} Body */
/** @typedef {Awaited<ReturnType<typeof import("./capture-trace.js").endTrace>>} Trace */
/** @typedef {Map<number|"trace", Body|Trace>} Bodies  by the number of their entry */

/** Bodies of incognito windows. @type {Map<string, Bodies>} */
const inMemory = new Map();
const isPrivate = (/** @type {string} */ capture) => capture.startsWith(PRIVATE);

/** @param {boolean} incognito */
export const newCaptureId = (incognito) => (incognito ? PRIVATE : "") + crypto.randomUUID();

const allOf = (/** @type {string} */ capture) => IDBKeyRange.bound([capture], [capture, []]);

/** @param {string} capture @param {Entry[]} entries */
export async function putEntries(capture, entries) {
  if (isPrivate(capture)) return;
  await transact("readwrite", "entries", (store) => entries.forEach((entry) => store.put(entry, [capture, entry.n])));
}

/** @param {string} capture @param {number|"trace"} of @param {Body|Trace} body */
export async function putBody(capture, of, body) {
  if (!isPrivate(capture)) return transact("readwrite", "bodies", (store) => void store.put(body, [capture, of]));
  getOrMake(inMemory, capture, () => new Map()).set(of, body);
}

/** @param {string} capture @returns {Promise<Entry[]>} */
export const entriesOf = (capture) => transact("readonly", "entries", (store) => store.getAll(allOf(capture)));

/** @param {string} capture @returns {Promise<Bodies>} */
export async function bodiesOf(capture) {
  if (isPrivate(capture)) return inMemory.get(capture) ?? new Map();
  const [keys, bodies] = await Promise.all([
    transact("readonly", "bodies", (store) => store.getAllKeys(allOf(capture))),
    transact("readonly", "bodies", (store) => store.getAll(allOf(capture))),
  ]);
  return new Map(/** @type {[capture: string, of: number|"trace"][]} */ (keys).map(([, of], index) => [of, bodies[index]]));
}

/** @param {string} capture */
export async function removeCapture(capture) {
  inMemory.delete(capture);
  await Promise.all(STORES.map((name) => transact("readwrite", name, (store) => void store.delete(allOf(capture)))));
}

/** @param {string[]} known  the captures to keep */
export async function removeOthers(known) {
  const keys = (await Promise.all(STORES.map((name) => transact("readonly", name, (store) => store.getAllKeys())))).flat();
  const strangers = new Set(
    /** @type {[capture: string, of: number|"trace"][]} */ (keys)
      .map(([capture]) => capture)
      .filter((capture) => !known.includes(capture)),
  );
  await Promise.all([...strangers].map(removeCapture));
}
