// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naming } from '../../test/naming.ts';
import { findBox, writeBox } from './boxes.ts';
import { readFragment } from './fragments.ts';
import { writeFragment } from './writeFragment.ts';

const run = fc.record({
  decodeTime: fc.nat({ max: 2 ** 45 }),
  sampleDuration: fc.integer({ min: 1, max: 100_000 }),
  kind: fc.constantFrom<'video' | 'audio'>('video', 'audio'),
  sizes: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }),
});
const dataOf = (sizes: readonly number[], fill: number): Uint8Array =>
  Uint8Array.from(sizes.flatMap((size, index) => Array<number>(size).fill((fill + index) % 256)));

describe('fragments', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 3 }), fc.nat({ max: 2 ** 32 - 1 }), (runs, sequence) => {
        const segment = writeFragment(
          sequence,
          runs.map((each, index) => ({ ...each, trackId: index + 1, data: dataOf(each.sizes, 50 * index) })),
        );
        const moof = findBox(segment, ['moof'])!;
        const tracks = readFragment(segment.subarray(moof.start));
        expect(tracks.length).toBe(runs.length);
        tracks.forEach((track, index) => {
          const { sizes, decodeTime, sampleDuration, kind } = runs[index]!;
          expect(track).toMatchObject({ trackId: index + 1, decodeTime, sizes });
          expect(new Set(track.durations)).toEqual(new Set([sampleDuration]));
          expect(track.isSync).toEqual(sizes.map((_, at) => kind === 'audio' || at === 0));
          const start = moof.start + track.dataOffset;
          const bytes = segment.subarray(start, start + sizes.reduce((sum, size) => sum + size, 0));
          expect(bytes).toEqual(dataOf(sizes, 50 * index));
        });
      }),
    );
  });

  it('are not written if the sizes do not match the data', () => {
    const wrong = { trackId: 1, decodeTime: 0, sampleDuration: 1, kind: 'audio' as const, sizes: [3] };
    expect(() => writeFragment(1, [{ ...wrong, data: new Uint8Array(2) }])).toThrow(
      expect.objectContaining({ message: naming(3, 2) }),
    );
  });

  it('are not read if they are cut off', () => {
    const whole = writeBox('moof', new Uint8Array(40));
    expect(() => readFragment(whole.subarray(0, 20))).toThrow('moof');
  });
});
