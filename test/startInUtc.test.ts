// SPDX-License-Identifier: Apache-2.0
// The time zone of the machine. A thread cannot have its own, so this runs in a separate process.
import { afterEach, expect, test } from 'vitest';
import { readStart } from '../src/playback/view/openSession.ts';
import { millis } from '../src/time/units.ts';

const now = millis(Date.UTC(2026, 2, 1, 20));
const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test.each(['Asia/Tokyo', 'America/Los_Angeles'])('?start= without a zone is in UTC on a machine in %s', (zone) => {
  process.env.TZ = zone;
  expect(new Date(now).getHours()).not.toBe(20);
  expect(readStart('2026-03-01T19:59:00', 3600, now)).toBe(now - 60_000);
  expect(readStart('2026-03-01', 86_400, now)).toBe(now - 20 * 3_600_000);
});
