// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { writeDelay } from './writeDelay.ts';

test.each([
  ['over', -60_000, 30],
  ['about to start', 1000, 30],
  ['in five seconds', 5000, 100],
  ['in half a minute', 30_000, 250],
])('the decision of a break that is %s', (_, ahead, delay) => {
  expect(writeDelay(1_770_000_000_000 + ahead, 1_770_000_000_000)).toBe(delay);
});
