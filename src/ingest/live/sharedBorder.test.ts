// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { shareBorder } from './sharedBorder.ts';

test.each([
  [[0, 2000, 4000], [1000, 2010, 3000], 10, true],
  [[0, 2000, 4000], [1000, 2011, 3000], 10, false],
  [[0, 2000], [5000, 7000], 50, false],
  // Dates of stretches.
  [[8000, 10_000, 0, 2000], [1000, 2000], 0, true],
  [[], [1000], 50, false],
])('%j and %j share a border within %i ms: %s', (a, b, tolerance, expected) => {
  expect(shareBorder(a, b, tolerance)).toBe(expected);
  expect(shareBorder(b, a, tolerance)).toBe(expected);
});

test('reads each border of a day a few times only', () => {
  const borders = Array.from({ length: 43_200 }, (_, n) => 2000 * n);
  let reads = 0;
  const counted = new Proxy(borders, {
    get(target, name) {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  const others = borders.map((border) => border + 1000);
  expect(shareBorder(counted, others, 50)).toBe(false);
  expect(reads).toBeLessThan(20 * borders.length);
});
