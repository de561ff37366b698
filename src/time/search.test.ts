// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLastUpTo } from './search.ts';

test('finds what findLastIndex finds, also among values that are not in order', () => {
  const value = fc.integer({ min: 0, max: 20 });
  fc.assert(
    fc.property(fc.array(value), value, (values, limit) => {
      expect(createLastUpTo(values)(limit)).toBe(values.findLastIndex((each) => each <= limit));
    }),
  );
});
