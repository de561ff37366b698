// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../time/units.ts';
import { closingTime, requestableUntil } from './decideBreak.ts';

const due = millis(10_000);

test.each([
  ['ahead of the break', 0, 9300],
  ['shortly before the break, before the timeout', 8600, 12_300],
  ['in the break, before the timeout', 11_000, 12_300],
  ['after that, at once', 12_500, 12_500],
])('a decision is made %s', (_, now, expected) => {
  expect(closingTime({ due }, millis(now))).toBe(expected);
});

test('a request begins early enough for its timeout', () => {
  expect(requestableUntil({ due }, 2000)).toBe(7300);
});
