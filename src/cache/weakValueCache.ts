// SPDX-License-Identifier: Apache-2.0
type WeakValueCache<Key, Value> = {
  (key: Key, make: () => Value): Value;
  /** The number of keys; values that were collected count until the next search for them. */
  size(): number;
};

/** Below this number of keys, the cache is not searched for values that were collected. */
const MIN_SIZE = 256;

/**
 * A cache that holds its values weakly: a value is shared while something else refers to it, and then collected. So the
 * cache does not grow with the time that a process runs.
 * @returns the value of a key: the one in use, otherwise a new one. `make` must return the same for the same key
 */
export function weakValueCache<Key, Value extends object>(): WeakValueCache<Key, Value> {
  const values = new Map<Key, WeakRef<Value>>();
  let sweepAt = MIN_SIZE;
  const share = (key: Key, make: () => Value): Value => {
    const known = values.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    values.set(key, new WeakRef(made));
    if (values.size > sweepAt) {
      for (const [one, value] of values) if (value.deref() === undefined) values.delete(one);
      sweepAt = Math.max(MIN_SIZE, 2 * values.size);
    }
    return made;
  };
  return Object.assign(share, { size: () => values.size });
}
