/*
 * Maps whose values are made when they are first asked for.
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
