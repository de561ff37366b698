// SPDX-License-Identifier: Apache-2.0

import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { gzipText } from './gzipText.ts';

const roundTrip = (bytes: Buffer): Buffer => gunzipSync(Buffer.from(gzipText(bytes.toString('latin1')), 'latin1'));

test('zlib reads what was compressed: any bytes, also those that repeat at any distance', () => {
  const piece = fc.uint8Array({ maxLength: 300 });
  const texts = fc.record({
    pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
    order: fc.array(fc.nat(5), { maxLength: 40 }),
    gap: fc.constantFrom(0, 1, 250, 256, 257, 33_000),
  });
  fc.assert(
    fc.property(texts, ({ pieces, order, gap }) => {
      const noise = Buffer.from(Array.from({ length: gap }, (_, index) => (index * index) >> 3));
      const bytes = Buffer.concat(order.flatMap((index) => [pieces[index % pieces.length]!, noise]));
      expect(roundTrip(bytes).equals(bytes)).toBe(true);
    }),
    lawRuns(300),
  );
});

test.each([0, 1, 2, 3, 4, 5, 257, 258, 259, 260, 516, 517, 70_000])('%d equal bytes', (length) => {
  const bytes = Buffer.alloc(length, 0xff);
  expect(roundTrip(bytes).equals(bytes)).toBe(true);
});

test.each([1, 2, 3, 4, 5, 8, 9, 24, 25, 192, 256, 257, 384, 385, 1025, 16_384, 24_576, 24_577, 32_768, 32_769])(
  'bytes that repeat after %d',
  (distance) => {
    const once = Buffer.from(Array.from({ length: distance }, (_, index) => (index * 7919 + (index >> 5)) & 0xff));
    const bytes = Buffer.concat([once, once]).subarray(0, distance + 600);
    expect(roundTrip(bytes).equals(bytes)).toBe(true);
  },
);

test('a text does not refer to one before it', () => {
  const text = Buffer.from('#EXTINF:2.000000,\nsegment.m4s\n'.repeat(20));
  const sizes = [1, 2, 3].map(() => gzipText(text.toString()).length);
  expect(new Set(sizes).size).toBe(1);
  expect(roundTrip(text).equals(text)).toBe(true);
});

test('a media playlist becomes several times as short', () => {
  const lines = Array.from(
    { length: 30 },
    (_, index) =>
      `#EXTINF:2.000000,\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:${10 + index}.040Z\nv0/${100 + index}.m4s\n`,
  );
  const text = lines.join('');
  expect(gzipText(text).length).toBeLessThan(text.length / 5);
});
