// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { shareNext } from './shareNext.ts';

/** Work that ends on demand, with its number. */
function stage() {
  const ends: ((error?: Error) => void)[] = [];
  const call = shareNext(() => {
    const number = ends.length;
    return new Promise<number>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(number) : reject(error)));
    });
  });
  return { ends, call };
}
const turn = () => new Promise(setImmediate);

test('work begins at once', async () => {
  const { ends, call } = stage();
  const first = call();
  expect(ends).toHaveLength(1);
  ends[0]!();
  expect(await first).toBe(0);
});

test('calls during a run share the next one, which begins after it', async () => {
  const { ends, call } = stage();
  const first = call();
  const later = Array.from({ length: 500 }, call);
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]!();
  expect(await first).toBe(0);
  await turn();
  expect(ends).toHaveLength(2);
  const third = call();
  ends[1]!();
  expect(new Set(await Promise.all(later))).toEqual(new Set([1]));
  await turn();
  ends[2]!();
  expect(await third).toBe(2);
});

test('a failure is that of its own run', async () => {
  const { ends, call } = stage();
  const [first, second] = [call(), call()];
  ends[0]!(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  await turn();
  ends[1]!();
  expect(await second).toBe(1);
  const third = call();
  ends[2]!();
  expect(await third).toBe(2);
});
