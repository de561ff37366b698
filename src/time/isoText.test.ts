// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoText } from './isoText.ts';
import { millis } from './units.ts';

test('writes what toISOString writes', () => {
  const instant = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const recent = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(fc.oneof(recent, instant), (at) => {
      expect(isoText(millis(at))).toBe(new Date(at).toISOString());
      expect(isoText(millis(at))).toBe(new Date(at).toISOString());
    }),
  );
});
