// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createKeptBytes } from './keptBytes.ts';

test('texts are kept while there is room, and none is displaced', () => {
  const kept = createKeptBytes<string>(10, 60_000);
  const first = kept.keep('a', () => 'abcdef');
  expect(Buffer.from(first!).toString('latin1')).toBe('abcdef');
  expect(kept.get('a')).toBe(first);
  kept.keep('b', () => 'ghijkl');
  let written = 0;
  const refused = () =>
    kept.keep('c', () => {
      written += 1;
      return 'c';
    });
  expect(refused()).toBeUndefined();
  expect([written, kept.size(), kept.get('a')]).toEqual([0, 2, first]);
  kept.forget('a');
  expect(refused()).toHaveLength(1);
  expect([written, kept.get('a')]).toEqual([1, undefined]);
});
