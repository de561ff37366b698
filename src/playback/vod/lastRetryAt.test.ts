// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../time/units.ts';
import { lastRetryAt } from './lastRetryAt.ts';

test('the last retry is an instant for every timeout', () => {
  const source = { url: 'https://ads.test/vast' };
  const after = (timeoutMs: number) => lastRetryAt({ source: { ...source, timeoutMs } }, millis(1000));
  expect([2850, 2849, 1, 0].map(after)).toEqual([2425, 2424, 1000, 1000]);
  expect(lastRetryAt({ source }, millis(1000))).toBe(1000);
});
