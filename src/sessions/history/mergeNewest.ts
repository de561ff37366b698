// SPDX-License-Identifier: Apache-2.0
// Merges lists of which only the first part was read. A session is emitted only if no list can contain a newer one that was not
// read. The order of each list is kept, so that a list can be read on behind what was taken from it.
import type { Place, Slice } from './ports.ts';

type Merged<Item> = Slice<Item, Place> & {
  /** How many items were taken from each list. */
  readonly taken: readonly number[];
};

/** @returns negative if `one` comes first: it was opened later, or at the same time with the greater id */
const newestFirst = (one: Place, other: Place): number =>
  other.openedAt - one.openedAt || (one.id === other.id ? 0 : one.id > other.id ? -1 : 1);

/**
 * @param slices each newest first; `until` is the place up to which it was read
 * @returns at most `limit` items; `until` is absent if all lists were read to their ends and all items are returned
 */
export function mergeNewest<Item>(
  slices: readonly Slice<Item, Place>[],
  placeOf: (item: Item) => Place,
  limit: number,
): Merged<Item> {
  const taken = slices.map(() => 0);
  const takenOf = (index: number): number => taken[index] ?? 0;
  const items: Item[] = [];
  for (;;) {
    let first: { readonly place: Place; readonly index: number } | undefined;
    for (const [index, slice] of slices.entries()) {
      const item = slice.items[takenOf(index)];
      const place = item === undefined ? slice.until : placeOf(item);
      if (place !== undefined && (first === undefined || newestFirst(place, first.place) < 0)) first = { place, index };
    }
    if (first === undefined) return { items, taken };
    const next = slices[first.index]?.items[takenOf(first.index)];
    if (items.length === limit || next === undefined) {
      const last = items.at(-1);
      const until = next === undefined || last === undefined ? first.place : placeOf(last);
      return { items, taken, until };
    }
    items.push(next);
    taken[first.index] = takenOf(first.index) + 1;
  }
}
