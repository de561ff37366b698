// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { formatDuration, formatMark, formatRelativeTime, formatTick, formatTimecode } from './time.ts';

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [65, '1:05'],
  [3723, '1:02:03'],
])('formats %d s as the timecode %s', (seconds, text) => expect(formatTimecode(seconds)).toBe(text));

test('formats timecodes with tenths', () => {
  expect(formatTimecode(5.04, true)).toBe('0:05.0');
  expect(formatTimecode(3659.96, true)).toBe('1:01:00.0');
});

test('formats durations with units', () => {
  expect([12.34, 60, 65, 3600, 7440].map(formatDuration)).toEqual(['12.3 s', '1 min', '1 min 5 s', '1 h', '2 h 4 min']);
});

test('formats relative times, past and future differently', () => {
  const distances = [-400, -5000, 125_000, -7_200_000, 200_000_000];
  expect(distances.map(formatRelativeTime)).toEqual([
    expect.not.stringMatching(/\d/),
    ...['5 s', '2 min', '2 h', '2 d'].map((amount) => naming(amount)),
  ]);
  for (const distance of distances.slice(1))
    expect(formatRelativeTime(distance)).not.toBe(formatRelativeTime(-distance));
});

test('labels a chart tick at midnight with the date', () => {
  expect([new Date(2026, 2, 1), new Date(2026, 2, 1, 12)].map((date) => formatTick(date.getTime()))).toEqual([
    '1 Mar',
    '12:00',
  ]);
});

test('labels a mark with seconds only between full minutes', () => {
  const noon = new Date(2026, 2, 1, 12).getTime();
  expect([noon, noon + 30_000].map(formatMark)).toEqual(['12:00', '12:00:30']);
});
