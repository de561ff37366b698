// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { readFrameRate } from './read/readRepresentation.ts';

describe('readFrameRate', () => {
  it('reads whole numbers, fractions and decimals, and recognises NTSC rates', () => {
    const cases: [string, number, number][] = [
      ['25', 25, 1],
      ['30000/1001', 30000, 1001],
      ['60/2', 30, 1],
      ['25000/1000', 25, 1],
      ['29.97', 30000, 1001],
      ['23.976', 24000, 1001],
      ['23.98', 24000, 1001],
      ['59.94', 60000, 1001],
      ['25.000', 25, 1],
      ['12.5', 25, 2],
      ['24:1', 24, 1],
    ];
    for (const [text, n, d] of cases) expect(readFrameRate(text), text).toEqual({ n, d });
  });

  it('returns undefined for text that is not a rate', () => {
    for (const text of ['', '0', '25/0', 'PAL', '-25', '1e3', '30000/1001/2']) {
      expect(readFrameRate(text), text).toBeUndefined();
    }
  });
});
