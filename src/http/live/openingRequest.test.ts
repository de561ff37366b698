// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import { millis } from '../../time/units.ts';
import { checkSignature, openingParameters, signOpening } from './openingRequest.ts';

const secret = 'sixteen-or-more!';
const channel = { id: 'one', signingSecret: secret } as Channel;
const EXP = 1_790_000_000;
const now = millis((EXP - 60) * 1000);
const sig = signOpening(secret, 'one', String(EXP));

function rejectionOf(query: Record<string, string>, at = now, of = channel): AppError | undefined {
  try {
    checkSignature(of, new URLSearchParams(query), at);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

test('the playback URL signed with openssl in docs/api.md is valid', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
  const [, query] = /^\/hls\/one\/master\.m3u8\?(.*&sig=.*)$/m.exec(text)!;
  const [, signingSecret] = /^SECRET=(\S+)/m.exec(text)!;
  const of = { id: 'one', signingSecret } as Channel;
  expect(rejectionOf(Object.fromEntries(new URLSearchParams(query)), now, of)).toBeUndefined();
});

test('accepts hexadecimal digits in upper case', () => {
  expect(rejectionOf({ exp: String(EXP), sig: sig.toUpperCase() })).toBeUndefined();
});

test('a signature is valid until exp, exclusive', () => {
  const signed = { exp: String(EXP), sig };
  expect(rejectionOf(signed, millis(EXP * 1000 - 1))).toBeUndefined();
  expect(rejectionOf(signed, millis(EXP * 1000))).toMatchObject({ status: 403, message: naming('exp') });
});

const later = String(EXP + 3600);
test.each([
  ['no signature', { exp: String(EXP) }, 'sig'],
  ['no exp', { sig }, 'exp'],
  ['a changed exp', { exp: later, sig }, 'sig'],
  ['the signature of another channel', { exp: later, sig: signOpening(secret, 'two', later) }, 'sig'],
  ['the signature of another secret', { exp: later, sig: signOpening(`${secret}!`, 'one', later) }, 'sig'],
  ['half a signature', { exp: String(EXP), sig: sig.slice(0, 32) }, 'sig'],
  ['a sig that is not hexadecimal', { exp: String(EXP), sig: 'z'.repeat(64) }, 'sig'],
  ['exp in milliseconds', { exp: `${EXP}000`, sig: signOpening(secret, 'one', `${EXP}000`) }, 'exp'],
  ['exp that is not a number', { exp: 'soon', sig: signOpening(secret, 'one', 'soon') }, 'exp'],
])('%s is a 403 that names the parameter', (_, query, field) => {
  expect(rejectionOf(query as Record<string, string>)).toMatchObject({ status: 403, message: naming(field) });
});

test('a channel without a secret requires no signature', () => {
  expect(rejectionOf({}, now, { id: 'one' } as Channel)).toBeUndefined();
});

const queryOf = (entries: readonly (readonly [string, string])[]) =>
  new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value]));
const many = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, ''] as const);

function faultsOf(query: URLSearchParams): AppError {
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
  const { status, message, data } = faultsOf(query);
  expect(status).toBe(422);
  expect(message).toEqual(naming(...values));
  expect(data).toEqual([{ keyword, dataPath, params: { limit: values[0] }, message: naming(...values) }]);
});

test('reports all faults at once', () => {
  const query = queryOf([...many(70), ['x', 'x'.repeat(5000)]]);
  expect(faultsOf(query).data?.map(({ keyword }) => keyword)).toEqual(['maxProperties', 'maxLength', 'maxBytes']);
});
