/*
 * Databases, for what must outlive the worker and is too large for chrome.storage.session.
 */

/** @param {string} name @param {string[]} stores @returns {Promise<IDBDatabase>} */
function open(name, stores) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * A database, opened when it is first used.
 * @param {string} name
 * @param {string[]} stores
 */
export function database(name, stores) {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opening;
  /**
   * Runs `work` in a transaction of its own.
   * @template T
   * @param {"readonly" | "readwrite"} mode
   * @param {string} store
   * @param {(store: IDBObjectStore) => IDBRequest<T> | void} work
   * @returns {Promise<T>} what its request has given, when the transaction is complete
   */
  return async (mode, store, work) => {
    opening ??= open(name, stores);
    const transaction = (await opening).transaction(store, mode, { durability: "relaxed" });
    return new Promise((resolve, reject) => {
      const request = /** @type {IDBRequest<T> | undefined} */ (work(transaction.objectStore(store)));
      transaction.oncomplete = () => resolve(/** @type {T} */ (request?.result));
      transaction.onabort = () => reject(transaction.error);
      // A worker that is killed now has written it.
      if (mode === "readwrite") transaction.commit();
    });
  };
}
