// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { memo, noMemos, ownMemo } from './memo.ts';

const object = (value: number) => ({ value, memos: noMemos() });

describe.each([
  ['memo', memo<ReturnType<typeof object>, { sum: number }>],
  ['ownMemo', ownMemo<ReturnType<typeof object>, { sum: number }>],
])('%s', (_, memoise) => {
  test('computes a result once for each object', () => {
    let computed = 0;
    const next = memoise(({ value }) => {
      computed += 1;
      return { sum: value + 1 };
    });
    const [one, two] = [object(1), object(2)];
    expect([next(one).sum, next(two).sum]).toEqual([2, 3]);
    expect(next(one)).toBe(next(one));
    expect(computed).toBe(2);
  });

  test('keeps the results of different functions apart', () => {
    const next = memoise(({ value }) => ({ sum: value + 1 }));
    const double = memoise(({ value }) => ({ sum: 2 * value }));
    const five = object(5);
    expect([next(five).sum, double(five).sum, next(five).sum]).toEqual([6, 10, 6]);
  });

  test('does not return the result of the original for a copy', () => {
    const next = memoise(({ value }) => ({ sum: value + 1 }));
    const one = object(1);
    expect(next(one).sum).toBe(2);
    expect(next({ ...one, value: 7 }).sum).toBe(8);
    expect(next(one).sum).toBe(2);
  });
});
