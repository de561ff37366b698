// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { joinBytes, writeBox, writeFields } from './boxes.ts';
import { readEmsg, readSidx } from './segmentBoxes.ts';

type Reference = { size: number; duration: number; isIndex: boolean };

function sidxBox(version: 0 | 1, earliest: number, gap: number, references: Reference[]): Uint8Array {
  const time = (value: number) => (version === 1 ? [Math.floor(value / 2 ** 32), value % 2 ** 32] : [value]);
  const listed = references.flatMap(({ size, duration, isIndex }) => [
    size + (isIndex ? 2 ** 31 : 0),
    duration,
    2 ** 31,
  ]);
  const times = [...time(earliest), ...time(gap)];
  return writeBox('sidx', writeFields(version * 2 ** 24, 1, 90_000, ...times, references.length, ...listed));
}

const reference = fc.record({ size: fc.nat(2 ** 31 - 1), duration: fc.nat(2 ** 32 - 1), isIndex: fc.boolean() });

describe('readSidx', () => {
  test('reads both versions', () => {
    fc.assert(
      fc.property(fc.constantFrom<0 | 1>(0, 1), fc.nat(), fc.nat(), fc.array(reference), (version, at, gap, list) => {
        const before = writeBox('styp', writeFields(0));
        const box = sidxBox(version, at, gap, list);
        const firstOffset = 1000 + before.length + box.length + gap;
        const expected = { timescale: 90_000, earliest: at, firstOffset, references: list };
        expect(readSidx(joinBytes([before, box]), 1000)).toEqual(expected);
      }),
    );
  });

  test('reads times beyond 32 bits in version 1', () => {
    expect(readSidx(sidxBox(1, 2 ** 45, 0, []), 0)?.earliest).toBe(2 ** 45);
  });

  test('returns undefined for an incomplete index, wherever it is cut', () => {
    const box = sidxBox(0, 5, 0, [{ size: 1, duration: 2, isIndex: false }]);
    for (let length = 0; length < box.length; length += 1) {
      expect(readSidx(box.subarray(0, length), 0)).toBeUndefined();
    }
    expect(readSidx(writeBox('moof'), 0)).toBeUndefined();
  });
});

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);
const data = Uint8Array.of(0xfc, 0x30);

it('reads event messages of both versions, up to the media', () => {
  const times = writeFields(90_000, 180_000, 0xffffffff, 7);
  const old = writeBox('emsg', writeFields(0), text('urn:a'), text('1'), times, data);
  const fields = writeFields(0x01000000, 90_000, 0x23, 5, 2_700_000, 8);
  const current = writeBox('emsg', fields, text('urn:b'), text(''), data);
  const other = [writeBox('styp', text('msdh')), writeBox('prft', writeFields(1))];
  const bytes = joinBytes([...other, old, current, writeBox('moof'), old]);
  expect(readEmsg(bytes)).toEqual([
    { scheme: 'urn:a', id: 7, timescale: 90_000, time: 180_000n, isMediaTime: false, data },
    { scheme: 'urn:b', id: 8, timescale: 90_000, time: 0x2300000005n, isMediaTime: true, duration: 2_700_000, data },
  ]);
});

it('leaves out what is malformed or cut off', () => {
  const whole = writeBox('emsg', writeFields(0), text('urn:a'), text('1'), writeFields(90_000, 0, 0, 7), data);
  expect(readEmsg(whole)).toHaveLength(1);
  for (let length = 0; length < whole.length; length += 1) expect(readEmsg(whole.subarray(0, length))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0x02000000), new Uint8Array(40)))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0), new Uint8Array(40).fill(65)))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0), text('a'), text(''), new Uint8Array(18)))).toEqual([]);
});
