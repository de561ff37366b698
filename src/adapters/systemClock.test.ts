// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createSystemNow } from './systemClock.ts';

test('small steps back are ignored, large ones are followed', () => {
  const readings = [100_000, 99_000, 100_500, 40_000, 40_001];
  const now = createSystemNow(() => readings.shift()!);
  expect([now(), now(), now(), now(), now()]).toEqual([100_000, 100_000, 100_500, 40_000, 40_001]);
});
