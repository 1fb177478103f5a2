/*
 * Queues of work: each part begins when the one before has ended.
 */

/**
 * A queue: each work begins when the one before has ended, however that ended.
 * @param {Promise<unknown>} [first] what the first one waits for
 */
export function makeQueue(first = Promise.resolve()) {
  let last = first;
  /** @template T @param {() => T | Promise<T>} work @returns {Promise<T>} settles like `work` */
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
