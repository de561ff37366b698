// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePatch } from '../../../../src/http/admin/routes/crud.ts';
import { patchBetween } from './patchBetween.ts';

test('the server turns one record into the other when it applies the patch', () => {
  const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()));
  const record = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('x', 'y'), value)),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(record, record, (before, after) => {
      expect(mergePatch(before, patchBetween(before, after))).toEqual(after);
    }),
  );
});

test('a patch contains only what differs', () => {
  expect(patchBetween({ a: 1, b: { x: 1, y: 2 } }, { a: 1, b: { x: 1 } })).toEqual({ b: { y: null } });
});
