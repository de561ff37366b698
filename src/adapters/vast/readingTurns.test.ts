// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadingTurns } from './readingTurns.ts';

test('responses beyond the limit wait for later turns, in order', async () => {
  const turns = createReadingTurns(30);
  const read: number[] = [];
  const begin = async (index: number, bytes: number) => {
    await turns(bytes);
    read.push(index);
  };
  expect(turns(10)).toBeUndefined();
  const all = [10, 10, 10, 25, 100, 1].map((bytes, index) => begin(index, bytes));
  await Promise.resolve();
  expect(read).toEqual([0, 1]);
  const seen: number[][] = [];
  while (read.length < all.length) {
    await turn();
    seen.push([...read]);
  }
  expect(seen.filter((one, index) => one.length !== seen[index - 1]?.length)).toEqual([
    ...[
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4, 5],
    ],
  ]);
  await turn();
  expect(turns(1000)).toBeUndefined();
});
