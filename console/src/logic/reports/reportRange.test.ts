// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fromLocal, previousDay, reportQuery, toLocal } from './reportRange.ts';

const range = { start: 1_767_312_000_000, end: 1_767_315_600_000 };

test('queries a range in milliseconds and omits empty parameters', () => {
  expect(reportQuery({ range, interval: '', channel: '', groupBy: '' })).toBe('start=1767312000000&end=1767315600000');
  expect(reportQuery({ range: previousDay(range), interval: '60000', channel: 'one', groupBy: 'reason' })).toBe(
    'start=1767225600000&end=1767229200000&interval=60000&channel=one&by=reason',
  );
});

test('reads times that it writes, and ignores incomplete ones', () => {
  expect(fromLocal(toLocal(range.start))).toBe(range.start);
  expect(['x', '0002-03-01T20:00', '20260-03-01T20:00'].map(fromLocal)).toEqual([undefined, undefined, undefined]);
});
