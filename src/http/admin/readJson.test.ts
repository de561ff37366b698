import { expect, test } from 'vitest';
import { cpuMillis } from '../../../test/cpuMillis.ts';
import { readJson } from './readJson.ts';

const read = (text: string) => readJson(Buffer.from(text));

test('values come as they were written', () => {
  const value = { 'a"b:{': ['x\\', '}', { n: null }], u: '\u2028☃\ud800', nested: { a: 1 }, a: 1.5 };
  expect(read(JSON.stringify(value))).toEqual(value);
  expect(read('﻿{"bom":true}')).toEqual({ bom: true });
  expect(read(JSON.stringify('x\\"'.repeat(250_000)))).toHaveLength(750_000);
});

test.each([
  ['{"a":1,"b":{"a":2},"a":3}', /"a" stands twice/],
  ['[{"\\u0061":1,"a":3}]', /"a" stands twice/],
  ['{"x":{"__proto__":{"admin":true}}}', /__proto__/],
  ['{"a":1,}', /must be JSON/],
  ['', /must be JSON/],
  ['{"a":"\\"\\"\\"', /must be JSON/],
  [`${'['.repeat(65)}${']'.repeat(65)}`, /64 levels/],
])('%s is refused', (text, message) => expect(() => read(text)).toThrow(message));

test('hostile megabytes are refused at once', () => {
  const cost = cpuMillis(() => {
    for (const text of ['['.repeat(1e6), `"${'\\"'.repeat(5e5)}`, `{"a":`.repeat(2e5), '"'.repeat(1e6 + 1)])
      expect(() => read(text)).toThrow(/must be JSON/);
    expect(() => read('['.repeat(5e5) + ']'.repeat(5e5))).toThrow(/64 levels/);
    expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/UTF-8/);
  });
  expect(cost).toBeLessThan(2000);
});
