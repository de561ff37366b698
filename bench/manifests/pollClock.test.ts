// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../src/time/units.ts';
import { createPollClock } from './pollClock.ts';

test('when each viewer has polled once, one interval has passed', () => {
  const { now, count } = createPollClock(millis(1_000_000), 2000, 3);
  for (let n = 0; n < 2; n += 1) count();
  expect(now()).toBe(1_001_333);
  count();
  expect(now()).toBe(1_002_000);
});
