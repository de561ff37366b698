import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { AppError } from '../../errors.ts';
import { openingParameters } from './openingParameters.ts';

const queryOf = (entries: readonly (readonly [string, string])[]) =>
  new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value]));
const many = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, ''] as const);

function refusalOf(query: URLSearchParams): AppError {
  try {
    openingParameters(query);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('what belongs to the opening itself is no ad variable; of a repeated name the last value counts', () => {
  const query = new URLSearchParams('api-key=k&start=-30&sid=s&exp=1&sig=ab&viewer=a&viewer=b&__proto__=c');
  expect(Object.entries(openingParameters(query))).toEqual([
    ['viewer', 'b'],
    ['__proto__', 'c'],
  ]);
});

test('as many and as long as they may be they are taken whole', () => {
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
  ['too much in all', queryOf(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(1400)])), 'maxBytes', '', [4096, 4222]],
  // A character that JSON escapes takes six bytes of every row.
  ['what grows when it is stored', queryOf([['a', '\u0001'.repeat(700)]]), 'maxBytes', '', [4096, 4208]],
])('%s is a 422 that says what was wanted and what came', (_, query, keyword, dataPath, values) => {
  const { status, message, data } = refusalOf(query);
  expect(status).toBe(422);
  expect(message).toEqual(naming(...values));
  expect(data).toEqual([{ keyword, dataPath, params: { limit: values[0] }, message: naming(...values) }]);
});

test('everything that offends is named at once', () => {
  const query = queryOf([...many(70), ['x', 'x'.repeat(5000)]]);
  expect(refusalOf(query).data?.map(({ keyword }) => keyword)).toEqual(['maxProperties', 'maxLength', 'maxBytes']);
});
