// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { givenOnly } from './givenOnly.ts';

test('leaves out what is not set', () => {
  expect(givenOnly({ offset: 0, limit: 20, q: 'a&b c', status: '', type: undefined })).toEqual({
    offset: 0,
    limit: 20,
    q: 'a&b c',
  });
});
