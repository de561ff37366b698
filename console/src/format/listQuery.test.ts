// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { listQuery } from './listQuery.ts';

test('leaves out what is not set, and encodes the rest', () => {
  expect(listQuery({ offset: 0, limit: 20, q: 'a&b c', status: '' })).toBe('offset=0&limit=20&q=a%26b+c');
});
