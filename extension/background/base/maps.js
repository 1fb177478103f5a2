/*
 * Maps whose values are made when they are first asked for, and maps of counts.
 */

/**
 * The value of a key, which `make` gives when there is none yet (as Map.prototype.getOrInsertComputed does in newer browsers).
 * @template Key
 * @template Value
 * @param {{get(key: Key): Value | undefined, set(key: Key, value: Value): unknown}} map
 * @param {Key} key
 * @param {() => Value} make
 */
export function getOrMake(map, key, make) {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

/**
 * Counts one more user of a key. A key without users is not in the map.
 * @template Key
 * @param {Map<Key, number>} counts
 * @param {Key} key
 * @returns {() => number} call it when the use is over; gives the number of users that are left
 */
export function countUse(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return () => {
    const others = (counts.get(key) ?? 1) - 1;
    if (others) counts.set(key, others);
    else counts.delete(key);
    return others;
  };
}
