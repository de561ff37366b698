// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import type { NominalTrack } from '../source/presentation.ts';
import { correctBandwidth } from './estimateBandwidth.ts';
import { measureTrack } from './measureTrack.ts';
import type { FrameLength, OpenedTrack } from './openedTrack.ts';

/** Media whose segments start at `truth[i]`. `reads` lists the segments whose times were read. */
function media(truth: readonly number[], timescale: number, frame?: FrameLength, wrap?: number) {
  const reads: number[] = [];
  const at = (index: number): number => (wrap === undefined ? truth[index]! : truth[index]! % wrap);
  const opened: OpenedTrack = {
    facts: { kind: 'video', container: 'fmp4' },
    timescale,
    ...(frame && { frame }),
    ...(wrap && { wrap }),
    async startOf(index) {
      reads.push(index);
      return at(index);
    },
    async spanOf(index) {
      reads.push(index);
      return { start: at(index), duration: truth[index + 1]! - truth[index]! };
    },
  };
  return { opened, reads };
}

function nominal(borders: readonly number[], nominalTimescale: number, presentationTimeOffset?: number): NominalTrack {
  return {
    urls: { kind: 'number', prefix: '', suffix: '', first: 0, width: 1 },
    count: borders.length - 1,
    nominalBorders: Float64Array.from(borders),
    nominalTimescale,
    exact: false,
    ...(presentationTimeOffset === undefined ? {} : { presentationTimeOffset }),
  };
}

const summed = (lengths: readonly number[], first = 0): number[] => {
  const sums = [first];
  for (const length of lengths) sums.push(sums.at(-1)! + length);
  return sums;
};
/** Borders as EXTINF values with so many decimal digits state them. */
const asExtinf = (truth: readonly number[], timescale: number, digits: number): NominalTrack => {
  const unit = 10 ** (6 - digits);
  const micros = truth.slice(1).map((end, i) => unit * Math.round((((end - truth[i]!) / timescale) * 1e6) / unit));
  return nominal(summed(micros), 1e6);
};

/** Measures media by their EXTINF, and expects exact borders. @returns the segments that were read */
async function exact(
  truth: readonly number[],
  timescale: number,
  frame?: number,
  track = asExtinf(truth, timescale, 3),
): Promise<number[]> {
  const { opened, reads } = media(truth, timescale, frame === undefined ? undefined : { ticks: frame, frames: 1 });
  expect(await measureTrack(track, opened)).toEqual(Float64Array.from(truth));
  return reads;
}

const clocks = fc.constantFrom(
  { timescale: 24_000, frame: 1001 },
  { timescale: 25_000, frame: 1000 },
  { timescale: 90_000, frame: 3003 },
  { timescale: 12_800, frame: 256 },
  { timescale: 48_000, frame: 1024 },
  { timescale: 44_100, frame: 1024 },
);

describe('measureTrack', () => {
  test('moves rounded durations to frame boundaries, for any segment lengths', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
    const digits = fc.constantFrom(0, 1, 2, 3, 6);
    await fc.assert(
      fc.asyncProperty(
        clocks,
        lengths,
        fc.integer({ min: -2048, max: 2 ** 45 }),
        digits,
        async (clock, list, first, n) => {
          const truth = summed(
            list.map((frames) => frames * clock.frame),
            first,
          );
          const { opened } = media(truth, clock.timescale, { ticks: clock.frame, frames: 1 });
          const track = asExtinf(truth, clock.timescale, n);
          fc.pre(track.nominalBorders.at(-1)! > 0);
          const borders = await measureTrack(track, opened);
          // Two digits are coarser than an audio frame: errors that cancel out between two measured borders go unnoticed.
          if (n >= 3) expect(borders).toEqual(Float64Array.from(truth));
          else expect([(borders as Float64Array)[0], (borders as Float64Array).at(-1)]).toEqual([first, truth.at(-1)]);
        },
      ),
    );
  });

  test('reads a handful of segments of a regular track', async () => {
    const truth = summed(Array.from({ length: 5400 }, (_, i) => (i === 5399 ? 17 : 48) * 1001));
    expect((await exact(truth, 24_000, 1001)).length).toBeLessThanOrEqual(6);
  });

  test('reads more segments only near an irregular one', async () => {
    const truth = summed(Array.from({ length: 4096 }, () => 60_060));
    const wrong = asExtinf(truth, 30_000, 6);
    const nominalBorders = wrong.nominalBorders.slice();
    nominalBorders[1234]! += 500_000; // one border that is wrong in the playlist
    expect((await exact(truth, 30_000, 1001, { ...wrong, nominalBorders })).length).toBeLessThanOrEqual(64);
  });

  test.each([
    ['the nearest frame', (frames: number) => Math.round(frames)],
    ['the frame before', (frames: number) => Math.floor(frames)],
    ['the frame after', (frames: number) => Math.ceil(frames)],
    ['the nearest frame, ties down', (frames: number) => Math.ceil(frames - 0.5)],
  ])('detects that audio with nominal two-second segments is cut at %s', async (_, cut) => {
    const seconds = summed(Array.from({ length: 1800 }, () => 2));
    for (const sampleRate of [44_100, 48_000]) {
      for (const priming of [0, 1024, 777]) {
        const first = -priming;
        const truth = seconds.map((second, i) =>
          i === 0 ? first : first + 1024 * cut((second * sampleRate + priming) / 1024),
        );
        expect((await exact(truth, sampleRate, 1024, nominal(seconds, 1, 0))).length).toBeLessThanOrEqual(20);
      }
    }
  });

  test('keeps reading if the errors of a playlist cancel each other out', async () => {
    const truth = summed(Array.from({ length: 500 }, () => 60_060));
    const wrong = truth.slice(1).map((_, i) => (i % 7 === 0 ? 2_500_000 : 1_900_000)); // 75 and 57 frames instead of 60
    await exact(truth, 30_000, 1001, nominal(summed(wrong), 1e6));
  });

  test('trusts whole seconds until they are wrong once, then reads everything', async () => {
    // 299 and 301 frames at 30 fps in turn: each is written as 10 s, and two together are 20 s.
    const truth = summed(Array.from({ length: 100 }, (_, i) => (i === 40 ? 310 : i % 2 === 0 ? 299 : 301) * 1000));
    expect((await exact(truth, 30_000, 1000, asExtinf(truth, 30_000, 0))).length).toBeGreaterThan(90);
    const regular = summed(Array.from({ length: 1000 }, () => 300_000));
    expect((await exact(regular, 30_000, 1000, asExtinf(regular, 30_000, 0))).length).toBeLessThanOrEqual(6);
  });

  test('reads every segment of media with frames of different durations', async () => {
    const lengths = fc.array(fc.integer({ min: 1000, max: 400_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lengths, async (list) => {
        await exact(summed(list, 77), 90_000);
      }),
    );
  });

  test('is exact to one tick if frames are not a whole number of ticks', async () => {
    const lengths = fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 1, maxLength: 200 });
    const grids = fc.constantFrom({ ticks: 90_000 * 1001, frames: 24_000 }, { ticks: 1024 * 90_000, frames: 44_100 });
    await fc.assert(
      fc.asyncProperty(grids, lengths, fc.nat(2 ** 32), async (frame, list, first) => {
        const truth = summed(list).map((frames) => first + Math.round((frames * frame.ticks) / frame.frames));
        const { opened } = media(truth, 90_000, frame);
        const borders = (await measureTrack(asExtinf(truth, 90_000, 6), opened)) as Float64Array;
        for (const [i, border] of borders.entries()) expect(Math.abs(border - truth[i]!)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('continues counting when 33-bit time stamps wrap', async () => {
    const wrap = 2 ** 33;
    const truth = summed(
      Array.from({ length: 100 }, () => 180_000),
      wrap - 180_000 * 33.5,
    );
    const { opened } = media(truth, 90_000, { ticks: 3600, frames: 1 }, wrap);
    expect(await measureTrack(asExtinf(truth, 90_000, 3), opened)).toEqual(Float64Array.from(truth));
  });

  test('refuses media whose times do not increase, and returns the refusal of a segment that could not be read', async () => {
    const back = media([0, 5000, 4000, 9000], 1000);
    expect(await measureTrack(nominal([0, 5, 6, 9], 1), back.opened)).toEqual({
      code: 'NO_ORDER',
      refused: naming(2, 1, 4000, 5000),
    });
    const empty = media([0, 5000, 5000], 1000);
    expect(await measureTrack(nominal([0, 5, 6], 1), empty.opened)).toEqual({
      code: 'NO_DURATION',
      refused: naming(1, 5000),
    });
    const { opened } = media([0, 5000, 9000], 1000);
    const failing: OpenedTrack = { ...opened, spanOf: async () => ({ refused: 'x returned 404' }) };
    expect(await measureTrack(nominal([0, 5, 9], 1), failing)).toEqual({ refused: 'x returned 404' });
  });
});

/** Two seconds at 8 kbit/s, then a tenth of a second at a higher rate. No segment has been read. */
function corrected(bandwidth: number, urls: SegmentUrls) {
  const borders = Float64Array.of(0, 10, 20, 21);
  const track: Track = { borders, urls };
  const nominal: NominalTrack = { urls, count: 3, nominalBorders: borders, nominalTimescale: 10, exact: true };
  return correctBandwidth(
    { bandwidth, averageBandwidth: bandwidth },
    [{ nominal, opened: nominal, track }],
    10,
    new Map(),
  );
}
const indexed: SegmentUrls = {
  kind: 'ranges',
  url: 'https://o.test/v.mp4',
  starts: Float64Array.of(0, 1200, 2000),
  lengths: Float64Array.of(1200, 800, 1000),
};

test('the sizes in a segment index replace a declared bandwidth that is clearly too low', () => {
  expect(corrected(1000, indexed)).toEqual({ bandwidth: 9600, averageBandwidth: 8000 });
});

test('the declared bandwidth is kept if it is near the measured one, above it, or if no size is known', () => {
  expect(corrected(7000, indexed)).toEqual({ bandwidth: 7000, averageBandwidth: 7000 });
  expect(corrected(90_000, indexed)).toEqual({ bandwidth: 90_000, averageBandwidth: 90_000 });
  const listed = packUrls(['https://o.test/a', 'https://o.test/b', 'https://o.test/c']);
  expect(corrected(1000, listed)).toEqual({ bandwidth: 1000, averageBandwidth: 1000 });
});
