// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { millis } from '../../time/units.ts';
import { readStart } from './openSession.ts';

const now = millis(Date.UTC(2026, 2, 1, 20));

test.each([
  ['-30', -30],
  [String(now / 1000 - 60), -60],
  [String(now - 60_000), -60],
  ['2026-03-01T19:59:00Z', -60],
  ['2026-03-01T20:59:00+01:00', -60],
  ['2026-03-01T20:59:00 01:00', -60], // an unencoded plus sign
  ['2026-03-01T20:59:00 0100', -60],
  ['2026-03-01T14:59:00-05:00', -60],
  ['2026-03-01T19:59:00', -60],
  ['2026-03-01T19:59:00.500', -59.5],
  ['2026-03-01T19:59', -60],
  ['-86400', -3600],
  ['2027-01-01T00:00:00Z', 0],
])('start=%s is %d s from now', (text, seconds) => {
  expect(readStart(text, 3600, now)).toBe(now + seconds * 1000);
});

test.each(['', ' ', 'soon', '1 Mar 2026', '2026-02-30T00:00:00', '2026-13-01T00:00:00Z', 'NaN', 'Infinity'])(
  'start=%s is invalid',
  (text) => {
    expect(readStart(text, 3600, now)).toEqual(naming('start', `"${text}"`));
  },
);

test('start is invalid for a channel without a time shift window', () => {
  expect(readStart('-30', 0, now)).toContain('timeShiftWindow');
});
