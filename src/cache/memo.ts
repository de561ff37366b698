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

// Memos for the objects from which manifests are written: thousands of new ones in a second, each with several results. With
// a WeakMap for each memo, a media playlist costs 10 to 20 % more CPU time, most of it in the garbage collector. So these
// objects carry their results themselves.

/** The results of one object, by memo; element 0 is the object. Only `ownMemo` reads or writes them. */
export type Memos = unknown[];

/** Enough for all memos; with more of them, V8 would have to grow each array. */
const LENGTH = 10;
const none: Memos = [];
export const noMemos = (): Memos => none;

let count = 0;

/** Like `memo`, for objects that carry their results. A copy of an object gets an array of its own with its first result. */
export function ownMemo<Key extends { memos: Memos }, Result extends {}>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  count += 1;
  const index = count;
  return (key) => {
    if (key.memos[0] !== key) {
      key.memos = new Array(LENGTH);
      key.memos[0] = key;
    }
    const { memos } = key;
    const known = memos[index];
    if (known !== undefined) return known as Result;
    const result = compute(key);
    memos[index] = result;
    return result;
  };
}
