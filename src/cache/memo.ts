// SPDX-License-Identifier: Apache-2.0
// Memos: results that follow from an object alone, computed once per object and dropped with it. A module that derives
// something from another module's values keeps it here, so that the values need no fields for it.

/** Results in a WeakMap, for objects of any type. */
export function memo<Key extends object, Result extends {}>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
