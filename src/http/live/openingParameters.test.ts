// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { AppError } from '../../errors.ts';
import { openingParameters } from './openingParameters.ts';

const queryOf = (entries: readonly (readonly [string, string])[]) =>
  new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value]));
const many = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, ''] as const);

function rejectionOf(query: URLSearchParams): AppError {
  try {
    openingParameters(query);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the query was accepted');
}

test('excludes reserved parameters, and uses the last value of a repeated name', () => {
  const query = new URLSearchParams('api-key=k&start=-30&sid=s&exp=1&sig=ab&viewer=a&viewer=b&__proto__=c');
  expect(Object.entries(openingParameters(query))).toEqual([
    ['viewer', 'b'],
    ['__proto__', 'c'],
  ]);
});

test('accepts parameters at the limits unchanged', () => {
  expect(Object.keys(openingParameters(queryOf(many(64))))).toHaveLength(64);
  const [long, name] = ['x'.repeat(2048), 'n'.repeat(100)];
  expect(openingParameters(queryOf([['consent', long]])).consent).toBe(long);
  expect(openingParameters(queryOf([[name, '1']]))[name]).toBe('1');
});

test.each([
  ['too many', queryOf(many(65)), 'maxProperties', '', [64, 65]],
  ['a name that is too long', queryOf([['n'.repeat(101), '1']]), 'maxLength', `/${'n'.repeat(100)}`, [100, 101]],
  ['a value that is too long', queryOf([['a/b', 'x'.repeat(2049)]]), 'maxLength', '/a~1b', [2048, 2049]],
  // {"a":"…","b":"…","c":"…"} around 3 × 1400 characters.
  [
    'too many bytes in total',
    queryOf(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(1400)])),
    'maxBytes',
    '',
    [4096, 4222],
  ],
  // JSON escapes this character with six bytes.
  ['a value that grows when it is stored', queryOf([['a', '\u0001'.repeat(700)]]), 'maxBytes', '', [4096, 4208]],
])('%s is a 422 with the limit and the actual value', (_, query, keyword, dataPath, values) => {
  const { status, message, data } = rejectionOf(query);
  expect(status).toBe(422);
  expect(message).toEqual(naming(...values));
  expect(data).toEqual([{ keyword, dataPath, params: { limit: values[0] }, message: naming(...values) }]);
});

test('reports all faults at once', () => {
  const query = queryOf([...many(70), ['x', 'x'.repeat(5000)]]);
  expect(rejectionOf(query).data?.map(({ keyword }) => keyword)).toEqual(['maxProperties', 'maxLength', 'maxBytes']);
});
