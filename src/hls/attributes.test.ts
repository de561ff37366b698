// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, LINEAR } from '../../test/growthOf.ts';
import {
  byteRange,
  decimalFloat,
  decimalInteger,
  hexSequence,
  readAttributes,
  resolution,
  writeAttributes,
} from './attributes.ts';

const values = (text: string): Record<string, string> =>
  Object.fromEntries([...readAttributes(text).attributes].map(([name, { value }]) => [name, value]));

describe('readAttributes', () => {
  test('keeps commas, equals signs and spaces inside quotes', () => {
    expect(values('CODECS="avc1.64001f,mp4a.40.2",URI="a?b=c, d",BANDWIDTH=100')).toEqual({
      CODECS: 'avc1.64001f,mp4a.40.2',
      URI: 'a?b=c, d',
      BANDWIDTH: '100',
    });
  });

  test('ignores spaces, a trailing comma and parts without a value', () => {
    expect(values(' A = 1 , junk, B= "x" ,, C=,')).toEqual({ A: '1', B: 'x', C: '' });
  });

  test('returns the name of an attribute without its closing quote', () => {
    expect(readAttributes('A=1,URI="http://x/,B=2').unclosed).toBe('URI');
  });

  test('reads any list that it writes', () => {
    const name = fc.stringMatching(/^[A-Z][A-Z0-9-]{0,12}$/);
    const quoted = fc.string().map((text) => ({ value: text.replace(/["\r\n]/g, ''), quoted: true }));
    const plain = fc.stringMatching(/^[0-9A-Za-z.x@-]{1,20}$/).map((value) => ({ value, quoted: false }));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, fc.oneof(quoted, plain)), { selector: ([key]) => key }), (list) => {
        const attributes = new Map(list);
        expect(readAttributes(writeAttributes(attributes)).attributes).toEqual(attributes);
      }),
    );
  });

  test.each([
    ['commas', ','],
    ['names without values', 'A,'],
    ['equals signs', '='],
    ['quotes', 'A="",'],
    ['spaces', ' '],
  ])('reads a line of a million %s in linear time', (_, piece) => {
    const line = `${piece.repeat(1_000_000)}Z=1`;
    expect(readAttributes(line).attributes.has('Z')).toBe(piece !== '=');
    const growth = growthOf((size) => {
      const long = `${piece.repeat(size)}Z=1`;
      return () => readAttributes(long);
    });
    expect(growth).toBeLessThan(LINEAR);
  });
});

describe('values', () => {
  test.each([
    [decimalInteger, '007', 7],
    [decimalInteger, '-1', undefined],
    [decimalInteger, '1.5', undefined],
    [decimalInteger, '99999999999999999999', undefined],
    [decimalFloat, '29.970', 29.97],
    [decimalFloat, '25', 25],
    [decimalFloat, 'NaN', undefined],
    [decimalFloat, 'Infinity', undefined],
    [decimalFloat, '1e3', undefined],
    [hexSequence, '0x000102', BigInt(258)],
    [hexSequence, '0XfF', BigInt(255)],
    [hexSequence, '102', undefined],
    [resolution, '1920x1080', { width: 1920, height: 1080 }],
    [resolution, '0x0', undefined],
    [resolution, 'HD', undefined],
    [byteRange, '100@0', { length: 100, start: 0 }],
    [byteRange, '100', { length: 100 }],
    [byteRange, '0@5', undefined],
    [byteRange, '-4@5', undefined],
    [byteRange, '9999999999999999@9999999999999999', undefined],
  ])('%o reads %s as expected', (read, text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(undefined)).toBeUndefined();
  });
});
