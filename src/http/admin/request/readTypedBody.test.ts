// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { cpuMillis } from '../../../../test/cpuMillis.ts';
import { naming } from '../../../../test/naming.ts';
import { finish } from '../../../time/sliced.ts';
import { readingJson } from './readTypedBody.ts';

const read = (text: string) => finish(readingJson(Buffer.from(text)));
const malformed = (name: string) => expect.objectContaining({ kind: 'MALFORMED', message: naming(name) });

test('reads values unchanged', () => {
  const value = { 'a"b:{': ['x\\', '}', { n: null }], u: '\u2028☃\ud800', nested: { a: 1 }, a: 1.5 };
  expect(read(JSON.stringify(value))).toEqual(value);
  expect(read('﻿{"bom":true}')).toEqual({ bom: true });
  expect(read(JSON.stringify('x\\"'.repeat(250_000)))).toHaveLength(750_000);
});

test.each([
  ['{"a":1,"b":{"a":2},"a":3}', '"a"'],
  ['[{"\\u0061":1,"a":3}]', '"a"'],
  ['{"x":{"__proto__":{"admin":true}}}', '"__proto__"'],
  ['{"a":1,}', 'JSON'],
  ['', 'JSON'],
  ['{"a":"\\"\\"\\"', 'JSON'],
  [`${'['.repeat(65)}${']'.repeat(65)}`, '64'],
])('rejects %s', (text, name) => expect(() => read(text)).toThrow(malformed(name)));

test('rejects hostile megabytes quickly', () => {
  const hostile: [string, string][] = [
    ['['.repeat(1e6), '64'],
    [`"${'\\"'.repeat(5e5)}`, 'JSON'],
    [`{"a":`.repeat(2e5), '64'],
    ['"'.repeat(1e6 + 1), 'JSON'],
    ['['.repeat(5e5) + ']'.repeat(5e5), '64'],
  ];
  // The cost of a harmless megabyte on this machine is the reference. Quadratic time would be a million times as much.
  const plain = JSON.stringify(Array(1e5).fill('012345'));
  const usual = cpuMillis(() => read(plain));
  for (const [text, name] of hostile) {
    const cost = cpuMillis(() => expect(() => read(text)).toThrow(malformed(name)));
    expect(cost).toBeLessThan(50 * usual);
  }
  expect(() => finish(readingJson(Uint8Array.of(0x22, 0xff, 0x22)))).toThrow(malformed('UTF-8'));
});

test('counts values and fields before anything is parsed', () => {
  const excess = (keyword: string, limit: number, count: number) =>
    expect.objectContaining({
      kind: 'VALIDATION_ERROR',
      data: [expect.objectContaining({ keyword, message: naming(limit, count) })],
    });
  expect(read(`{"a":[ ${'{},'.repeat(149_996)}[] ]}`)).toEqual({ a: expect.any(Array) });
  expect(() => read(`{"a":[ ${'{ },'.repeat(149_998)}[] ]}`)).toThrow(excess('maxItems', 150_000, 150_001));
  expect(() => read(`[${'1,'.repeat(500_000)}1]`)).toThrow(excess('maxItems', 150_000, 500_002));
  const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"x${n}":1`).join(',')}}`;
  expect(read(fields(1000))).toMatchObject({ x999: 1 });
  expect(() => read(`[${fields(80_000)}]`)).toThrow(excess('maxProperties', 1000, 1001));
});
