// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONSTANT, growthOf } from '../../test/growthOf.ts';
import { lawRuns } from '../../test/lawRuns.ts';
import { joinBytes, writeFields as uint, writeBox } from './boxes.ts';
import { readFragmentTimes } from './readFragmentTimes.ts';

type Run = { durations?: number[]; sizes?: number[]; offsets?: number[]; count?: number };

function trun({ durations, sizes, offsets, count = durations?.length ?? offsets?.length ?? 0 }: Run): Uint8Array {
  const flags = 0x1 | (durations ? 0x100 : 0) | (sizes ? 0x200 : 0) | (offsets ? 0x800 : 0);
  const rows = Array.from({ length: durations?.length ?? offsets?.length ?? 0 }, (_, i) =>
    uint(...[durations?.[i], sizes?.[i], offsets?.[i]].filter((value) => value !== undefined)),
  );
  return writeBox('trun', uint(0x01000000 | flags, count, 0), ...rows);
}

function moof(id: number, decodeTime: number, runs: readonly Run[], defaultDuration?: number): Uint8Array {
  const tfhd = defaultDuration === undefined ? uint(0x020000, id) : uint(0x020008, id, defaultDuration);
  const tfdt = writeBox('tfdt', uint(0x01000000, Math.floor(decodeTime / 2 ** 32), decodeTime % 2 ** 32));
  const traf = writeBox('traf', writeBox('tfhd', tfhd), tfdt, ...runs.map(trun));
  return writeBox('moof', writeBox('mfhd', uint(0, 1)), traf);
}

describe('readFragmentTimes', () => {
  test('sums durations and finds the earliest presentation time, for any layout of the runs', () => {
    const offset = fc.integer({ min: -5000, max: 5000 });
    const sample = fc.record({ duration: fc.integer({ min: 0, max: 9000 }), size: fc.nat(1e6), offset });
    const run = fc.record({
      samples: fc.array(sample, { minLength: 1, maxLength: 20 }),
      hasDurations: fc.boolean(),
      hasSizes: fc.boolean(),
      hasOffsets: fc.boolean(),
    });
    const decodeTimes = fc.integer({ min: 0, max: 2 ** 50 });
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 1, maxLength: 3 }),
        decodeTimes,
        fc.nat(3000),
        (runs, decodeTime, usual) => {
          let now = decodeTime;
          let earliest = Number.POSITIVE_INFINITY;
          for (const { samples, hasDurations, hasOffsets } of runs) {
            for (const { duration, offset } of samples) {
              earliest = Math.min(earliest, now + (hasOffsets ? offset : 0));
              now += hasDurations ? duration : usual;
            }
          }
          const written = runs.map(({ samples, hasDurations, hasSizes, hasOffsets }) => ({
            count: samples.length,
            ...(hasDurations && { durations: samples.map(({ duration }) => duration) }),
            ...(hasSizes && (hasDurations || hasOffsets) && { sizes: samples.map(({ size }) => size) }),
            ...(hasOffsets && { offsets: samples.map(({ offset }) => offset) }),
          }));
          const byHeader = readFragmentTimes(moof(3, decodeTime, written, usual)).fragments;
          const byTrex = readFragmentTimes(moof(3, decodeTime, written), new Map([[3, usual]])).fragments;
          expect(byHeader).toEqual(byTrex);
          expect(byHeader).toHaveLength(1);
          expect(byHeader[0]).toMatchObject({ trackId: 3, earliest, duration: now - decodeTime });
          const counted = [...byHeader[0]!.durations].reduce((sum, [, count]) => sum + count, 0);
          expect(counted).toBe(runs.reduce((sum, { samples }) => sum + samples.length, 0));
        },
      ),
    );
  });

  test('reads every complete moof and reports how many bytes the next one needs', () => {
    const first = moof(1, 0, [{ durations: [512, 512] }]);
    const second = moof(2, 1024, [{ durations: [1024] }]);
    const bytes = joinBytes([writeBox('styp', uint(0)), first, writeBox('mdat', new Uint8Array(40)), second]);
    const whole = readFragmentTimes(bytes);
    expect(whole.fragments.map(({ trackId }) => trackId)).toEqual([1, 2]);
    expect(whole).not.toHaveProperty('bytesNeeded');
    const cut = readFragmentTimes(bytes.subarray(0, bytes.length - 3));
    expect(cut.fragments.map(({ trackId }) => trackId)).toEqual([1]);
    expect(cut.bytesNeeded).toBe(bytes.length);
    expect(readFragmentTimes(bytes.subarray(0, 30))).toEqual({ fragments: [], bytesNeeded: 12 + first.length });
  });

  test('ignores a fragment without a decode time or without samples', () => {
    const without = writeBox('moof', writeBox('traf', writeBox('tfhd', uint(0x020000, 1)), trun({ durations: [1] })));
    expect(readFragmentTimes(without).fragments).toEqual([]);
    expect(readFragmentTimes(moof(1, 5, [])).fragments).toEqual([]);
    expect(readFragmentTimes(moof(1, 5, [{ count: 0 }])).fragments).toEqual([]);
  });

  test('a hostile sample count costs neither time nor memory', () => {
    const counted = (count: number) => moof(1, 0, [{ count }], 1);
    const listed = (count: number) => moof(1, 0, [{ durations: [5, 5], count }]);
    expect(readFragmentTimes(counted(0xffffffff)).fragments[0]?.duration).toBe(0xffffffff);
    expect(readFragmentTimes(listed(0xffffffff)).fragments[0]?.duration).toBe(10);
    const reading = (count: number) => {
      const fragments = [counted(count), listed(count)];
      return () => fragments.map((bytes) => readFragmentTimes(bytes));
    };
    const growth = growthOf(reading, 100_000, CONSTANT);
    expect(growth).toBeLessThan(CONSTANT);
  });

  test('never throws, whatever bytes are damaged', () => {
    const bytes = joinBytes([
      moof(1, 7, [{ durations: [1, 2], sizes: [3, 4], offsets: [5, -6] }], 9),
      moof(1, 9, [{ count: 3 }]),
    ]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 5 }), (changes) => {
        const damaged = bytes.slice();
        for (const [at, value] of changes) damaged[at] = value;
        readFragmentTimes(damaged);
      }),
      lawRuns(500),
    );
  });
});
