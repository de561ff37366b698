// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Timers } from '../../time/clock.ts';
import { createQuietWarnings } from '../openServices.ts';

test('repeated warnings are counted, and written at growing intervals', () => {
  let now = 0;
  const lines: string[] = [];
  const warn = createQuietWarnings(
    (message, { channelId, repeated = 0 }) => lines.push(`${now / 1000} ${message} ${channelId} ${repeated}`),
    { elapsed: () => now } as Timers,
  );
  for (; now < 100_000; now += 1000) warn('failed', { channelId: 'a', error: now });
  warn('failed', { channelId: 'b' });
  expect(lines).toEqual(['0 failed a 0', '10 failed a 9', '30 failed a 19', '70 failed a 39', '100 failed b 0']);
  now = 1_000_000;
  warn('failed', { channelId: 'a' });
  expect(lines.at(-1)).toBe('1000 failed a 29');
});
