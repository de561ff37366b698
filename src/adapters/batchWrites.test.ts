// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { batchWrites } from './batchWrites.ts';

/** A write that takes one turn of the event loop and returns the double of each item. */
function setUp(intervalMs?: number) {
  const batches: number[][] = [];
  const write = batchWrites<number, number>(async (items) => {
    batches.push([...items]);
    await new Promise((resolve) => setImmediate(resolve));
    if (items.includes(13)) throw new Error('no');
    return items.map((item) => 2 * item);
  }, intervalMs);
  return { batches, write };
}

test.each([0, 5])('each item is written once and gets its own result (interval %i ms)', async (intervalMs) => {
  const { batches, write } = setUp(intervalMs);
  const numbers = Array.from({ length: 2000 }, (_, index) => 100 + index);
  expect(await Promise.all(numbers.map(write))).toEqual(numbers.map((number) => 2 * number));
  expect(batches.flat()).toEqual(numbers);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
});

test('a failed write rejects the items of its batch only', async () => {
  const { write } = setUp(5);
  const [first, second] = await Promise.allSettled([write(1), write(13)]);
  expect([first!.status, second!.status]).toEqual(['rejected', 'rejected']);
  expect(await write(2)).toBe(4);
});

test('writes of several items keep their interval, and a single item is written without delay', async () => {
  const { batches, write } = setUp(60_000);
  for (const item of [1, 2, 3]) expect(await write(item)).toBe(2 * item);
  expect(batches).toEqual([[1], [2], [3]]);
  await Promise.all([write(4), write(5)]);
  void write(6);
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([[1], [2], [3], [4, 5]]);
});
