// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { mergeNewest } from './mergeNewest.ts';
import type { Place, Slice } from './ports.ts';

const at = (openedAt: number, id = 'a'): Place => ({ openedAt, id });
const merge = (slices: readonly Slice<Place, Place>[], limit: number) => mergeNewest(slices, (place) => place, limit);

test('lists that were read to their ends are merged, newest first', () => {
  const merged = merge([{ items: [at(5), at(1)] }, { items: [at(4), at(3)] }, { items: [] }], 10);
  expect(merged).toEqual({ items: [at(5), at(4), at(3), at(1)], taken: [2, 2, 0] });
});

test('sessions that were opened at the same time are ordered by id', () => {
  expect(merge([{ items: [at(5, 'a')] }, { items: [at(5, 'b')] }], 10).items).toEqual([at(5, 'b'), at(5, 'a')]);
});

test('nothing is emitted that is older than what was not read', () => {
  const merged = merge([{ items: [at(9)], until: at(6) }, { items: [at(8), at(5)] }], 10);
  expect(merged).toEqual({ items: [at(9), at(8)], taken: [1, 1], until: at(6) });
});

test('a list without items can be read on', () => {
  expect(merge([{ items: [], until: at(6) }, { items: [at(5)] }], 10)).toEqual({
    items: [],
    taken: [0, 0],
    until: at(6),
  });
});

test('a full page ends at its last item', () => {
  expect(merge([{ items: [at(5), at(4)] }, { items: [at(3)] }], 2)).toEqual({
    items: [at(5), at(4)],
    taken: [2, 0],
    until: at(4),
  });
});

test('a list that is not quite in order loses nothing', () => {
  const list = [at(5), at(7), at(4)];
  const first = merge([{ items: list }, { items: [at(6)] }], 2);
  expect(first.items).toEqual([at(6), at(5)]);
  const second = merge([{ items: list.slice(first.taken[0]) }], 2);
  expect(second.items).toEqual([at(7), at(4)]);
});
