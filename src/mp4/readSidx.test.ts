// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinBytes, writeBox } from './boxes.ts';
import { readSidx } from './readSidx.ts';

const uint = (value: number, bytes: 2 | 4 | 8): Uint8Array => {
  const out = new Uint8Array(bytes);
  const view = new DataView(out.buffer);
  if (bytes === 8) view.setBigUint64(0, BigInt(value));
  else if (bytes === 4) view.setUint32(0, value);
  else view.setUint16(0, value);
  return out;
};

type Reference = { size: number; duration: number; startsWithSap: boolean; isIndex: boolean };

const sidxBox = (version: 0 | 1, earliest: number, gap: number, references: Reference[]): Uint8Array =>
  writeBox(
    'sidx',
    uint(version * 2 ** 24, 4),
    uint(1, 4),
    uint(90000, 4),
    uint(earliest, version === 1 ? 8 : 4),
    uint(gap, version === 1 ? 8 : 4),
    uint(0, 2),
    uint(references.length, 2),
    ...references.flatMap(({ size, duration, startsWithSap, isIndex }) => [
      uint(size + (isIndex ? 2 ** 31 : 0), 4),
      uint(duration, 4),
      uint(startsWithSap ? 2 ** 31 + 2 ** 28 : 0, 4),
    ]),
  );

const reference = fc.record({
  size: fc.nat(2 ** 31 - 1),
  duration: fc.nat(2 ** 32 - 1),
  startsWithSap: fc.boolean(),
  isIndex: fc.boolean(),
});

describe('readSidx', () => {
  test('reads both versions', () => {
    fc.assert(
      fc.property(fc.constantFrom<0 | 1>(0, 1), fc.nat(), fc.nat(), fc.array(reference), (version, at, gap, list) => {
        const before = writeBox('styp', uint(0, 4));
        const box = sidxBox(version, at, gap, list);
        const read = readSidx(joinBytes([before, box]), 1000);
        expect(read).toEqual({
          timescale: 90000,
          earliest: at,
          firstOffset: 1000 + before.length + box.length + gap,
          references: list,
        });
      }),
    );
  });

  test('reads times beyond 32 bits in version 1', () => {
    expect(readSidx(sidxBox(1, 2 ** 45, 0, []), 0)?.earliest).toBe(2 ** 45);
  });

  test('returns undefined for an incomplete index, wherever it is cut', () => {
    const box = sidxBox(0, 5, 0, [{ size: 1, duration: 2, startsWithSap: true, isIndex: false }]);
    for (let length = 0; length < box.length; length += 1) {
      expect(readSidx(box.subarray(0, length), 0)).toBeUndefined();
    }
    expect(readSidx(writeBox('moof'), 0)).toBeUndefined();
  });
});
