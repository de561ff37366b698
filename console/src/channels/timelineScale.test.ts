// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { formatHourMinute } from '../format/time.ts';
import { selectTimeZone } from '../format/timeZone.ts';
import { scaleMarks } from './timelineScale.ts';

afterEach(() => selectTimeZone(''));
const HOUR = 3_600_000;
const from = Date.parse('2026-03-01T10:07:00Z');

test.each(['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Eucla'])('marks are full hours in %s', (zone) => {
  selectTimeZone(zone);
  const marks = scaleMarks(from, 8 * HOUR);
  expect(marks).toHaveLength(8);
  for (const mark of marks) {
    expect(mark).toBeGreaterThanOrEqual(from);
    expect(formatHourMinute(mark)).toMatch(/:00$/);
  }
});
