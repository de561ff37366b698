// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { limitHint } from './limitHint.ts';

test('a hint names the limits and the default', () => {
  expect(limitHint('breakDuration')).toMatch(/^0\.5 to 3,600\./);
  expect(limitHint('timeoutMs')).toBe('100 to 10,000. Default: 2,000.');
});
