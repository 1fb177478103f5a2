/*
 * Waits that end. The worker waits rather than the page: its timers run at full speed for hidden tabs, too.
 */

/**
 * @param {number} ms
 * @param {AbortSignal} [signal] ends the wait, which then rejects with its reason
 * @returns {Promise<void>}
 */
export function pause(ms, signal) {
  if (ms <= 0) return Promise.resolve();
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, ms);
  return signal ? unlessAborted(promise, signal).finally(() => clearTimeout(timer)) : promise;
}

/**
 * Settles like `work`; after `limit` ms with the value of `late`, or like what it throws.
 * @template T
 * @template [Late=undefined]
 * @overload
 * @param {Promise<T>} work
 * @param {number} limit ms
 * @param {() => Late} [late]
 * @returns {Promise<T | Late>}
 */
/**
 * @param {Promise<unknown>} work
 * @param {number} limit
 * @param {() => unknown} [late]
 */
export function within(work, limit, late) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const expired = new Promise((resolve) => { timer = setTimeout(resolve, limit); }).then(late);
  return Promise.race([work, expired]).finally(() => clearTimeout(timer));
}

/**
 * The value of `work`; undefined when it fails or takes longer than `limit` ms.
 * @template T
 * @param {Promise<T>} work
 * @param {number} limit ms
 */
export const ifInTime = (work, limit) => within(work.catch(() => undefined), limit);

/**
 * Settles like `work`, or rejects with the signal's reason once it aborts.
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export function unlessAborted(work, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
