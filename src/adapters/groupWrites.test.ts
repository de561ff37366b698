import { expect, test } from 'vitest';
import { groupWrites } from './groupWrites.ts';

/** A write that takes a turn of the loop and answers each item with its double. */
function setUp(apart?: number) {
  const groups: number[][] = [];
  const write = groupWrites<number, number>(async (items) => {
    groups.push([...items]);
    await new Promise((resolve) => setImmediate(resolve));
    if (items.includes(13)) throw new Error('no');
    return items.map((item) => 2 * item);
  }, apart);
  return { groups, write };
}

test.each([0, 5])('everybody gets their own answer, and none is written twice (%i ms apart)', async (apart) => {
  const { groups, write } = setUp(apart);
  const numbers = Array.from({ length: 2000 }, (_, index) => 100 + index);
  expect(await Promise.all(numbers.map(write))).toEqual(numbers.map((number) => 2 * number));
  expect(groups.flat()).toEqual(numbers);
  expect(Math.max(...groups.map(({ length }) => length))).toBe(500);
});

test('what fails fails for its group alone', async () => {
  const { write } = setUp(5);
  const [first, second] = await Promise.allSettled([write(1), write(13)]);
  expect([first!.status, second!.status]).toEqual(['rejected', 'rejected']);
  expect(await write(2)).toBe(4);
});

test('a crowd’s writes lie apart, and somebody alone waits for nobody', async () => {
  const { groups, write } = setUp(60_000);
  for (const item of [1, 2, 3]) expect(await write(item)).toBe(2 * item);
  expect(groups).toEqual([[1], [2], [3]]);
  await Promise.all([write(4), write(5)]);
  void write(6);
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(groups).toEqual([[1], [2], [3], [4, 5]]);
});
