// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { formatNameValueLines, parseNameValueLines } from './nameValueLines.ts';

test('parses one name and value per line', () => {
  expect(parseNameValueLines(' x-one: a: b \n\nbare\n')).toEqual({ 'x-one': 'a: b', bare: '' });
  expect(parseNameValueLines(' \n')).toBeUndefined();
});

test('parses what it formats', () => {
  const values = { a: '1', b: 'c d' };
  expect(parseNameValueLines(formatNameValueLines(values))).toEqual(values);
});
