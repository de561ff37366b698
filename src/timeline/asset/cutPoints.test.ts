// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, LINEAR } from '../../../test/growthOf.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks } from '../../time/units.ts';
import { type CutTrack, findCutPoints } from './cutPoints.ts';
import { audioBorder, videoTicks } from './frameGrid.ts';

const rates: FrameRate[] = [
  { n: 24000, d: 1001 },
  { n: 25, d: 1 },
  { n: 30000, d: 1001 },
  { n: 50, d: 1 },
  { n: 60000, d: 1001 },
];

const video = (rate: FrameRate, frames: readonly number[], id = 'v0'): CutTrack => {
  const { timescale, frame } = videoTicks(rate);
  const borders = Float64Array.from(frames, (count) => count * frame);
  return { id, kind: 'video', timescale, borders, codecs: 'avc1.64001f', frameRate: rate };
};
const audio = (samples: readonly number[], sampleRate = 48_000, id = 'a0'): CutTrack => ({
  id,
  kind: 'audio',
  timescale: sampleRate,
  sampleRate,
  borders: Float64Array.from(samples),
  codecs: 'mp4a.40.2',
});
const inSeconds = (points: Float64Array): number[] => [...points].map((point) => point / FLICKS_PER_SECOND);
const summed = (lengths: readonly number[], first = 0): number[] => {
  const sums = [first];
  for (const length of lengths) sums.push(sums.at(-1)! + length);
  return sums;
};
const every = (step: number, count: number): number[] => Array.from({ length: count + 1 }, (_, i) => i * step);

describe('findCutPoints', () => {
  test('every border is a cut point when the audio border is at the nearest frame', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rates),
        fc.constantFrom(44_100, 48_000, 32_000),
        fc.array(fc.integer({ min: 12, max: 300 }), { minLength: 1, maxLength: 40 }),
        fc.nat(1_000_000),
        (rate, sampleRate, lengths, first) => {
          const frames = summed(lengths, first);
          const samples = frames.map((frame) => 1024 * audioBorder(frame, rate, sampleRate));
          const cuts = findCutPoints([video(rate, frames), audio(samples, sampleRate)]);
          expect(cuts.warnings).toEqual([]);
          expect([...cuts.cutPoints]).toEqual(frames.map((f) => framesToFlicks(f, rate) - framesToFlicks(first, rate)));
          expect(cuts.zero).toBe(framesToFlicks(first, rate));
          expect(cuts.duration).toBe(cuts.cutPoints.at(-1));
        },
      ),
    );
  });

  test('a cut point allows audio to be half a frame away, but not one sample more', () => {
    const picture = video({ n: 25, d: 1 }, every(50, 5)); // 2 s each
    const off = (samples: number) => audio([0, 96_000 + samples, 192_000, 288_000, 384_000, 480_000]);
    for (const samples of [512, -512]) {
      expect(inSeconds(findCutPoints([picture, off(samples)]).cutPoints)).toEqual([0, 2, 4, 6, 8, 10]);
    }
    for (const samples of [513, -513]) {
      expect(inSeconds(findCutPoints([picture, off(samples)]).cutPoints)).toEqual([0, 4, 6, 8, 10]);
    }
  });

  test('video borders must agree within a tick of the coarser timescale', () => {
    const one = video({ n: 25, d: 1 }, every(50, 4)); // 25,000 ticks a second
    const other = (shift: number): CutTrack => ({
      ...one,
      id: 'v1',
      timescale: 90_000,
      borders: Float64Array.from([0, 180_000 + shift, 360_000, 540_000, 720_000]),
    });
    expect(inSeconds(findCutPoints([one, other(3)]).cutPoints)).toEqual([0, 2, 4, 6, 8]);
    expect(inSeconds(findCutPoints([one, other(4)]).cutPoints)).toEqual([0, 4, 6, 8]);
  });

  test('unaligned audio leaves few cut points, and causes a warning when it leaves none', () => {
    const picture = video({ n: 25, d: 1 }, every(48, 10)); // 1.92 s each, 19.2 s
    const sometimes = audio([0, 2, 4, 6, 8, 9.6, 11.52, 13, 15, 17, 19.2].map((second) => second * 48_000));
    const { cutPoints, warnings } = findCutPoints([picture, sometimes]);
    expect(inSeconds(cutPoints)).toEqual([0, 9.6, 11.52, 19.2]);
    expect(warnings).toEqual([]);
    const never = audio([0, 3, 6.5, 10, 14, 19.2].map((second) => second * 48_000));
    const none = findCutPoints([picture, never]);
    expect(inSeconds(none.cutPoints)).toEqual([0, 19.2]);
    expect(none.warnings).toEqual([{ code: 'NO_COMMON_BORDER', text: naming('a0', 'v0') }]);
  });

  test('text does not limit cut points', () => {
    const text: CutTrack = { ...audio([0, 7]), kind: 'text', timescale: 1 };
    expect(inSeconds(findCutPoints([video({ n: 50, d: 1 }, every(100, 3)), text]).cutPoints)).toEqual([0, 2, 4, 6]);
  });

  test('an uneven end loses at most one segment and a twentieth of the part', () => {
    const long = video({ n: 25, d: 1 }, every(50, 60)); // 120 s
    const audioTo = (end: number, segments: number) => audio([...every(96_000, segments), end * 48_000]);
    const short = findCutPoints([long, audioTo(119.5, 59)]);
    expect(short.duration).toBe(118 * FLICKS_PER_SECOND);
    expect(short.cutPoints.at(-1)).toBe(short.duration);
    expect(short.cutPoints).toHaveLength(60);
    expect(short.warnings).toEqual([{ code: 'ENDS_EARLY', isCut: true, text: naming('a0', '0.500', 'v0', '2.000') }]);
    const tooMuch = findCutPoints([long, audioTo(119.7, 45)]); // from 90 s on nothing is common
    expect(tooMuch.duration).toBe(120 * FLICKS_PER_SECOND);
    expect(tooMuch.warnings).toEqual([{ code: 'ENDS_EARLY', text: naming('a0', '0.300', 'v0') }]);
    const brief = findCutPoints([video({ n: 25, d: 1 }, every(50, 5)), audioTo(10.5, 4)]);
    expect(brief.duration).toBe(10 * FLICKS_PER_SECOND);
    expect(brief.warnings).toEqual([{ code: 'ENDS_LATE', text: naming('a0', '0.500', 'v0') }]);
  });

  test('an end within one audio frame is even; audio that continues after a common border is cut there with a warning', () => {
    const picture = video({ n: 25, d: 1 }, every(50, 60));
    for (const end of [120 * 48_000 + 1024, 120 * 48_000 - 1024]) {
      const { duration, warnings } = findCutPoints([picture, audio([...every(96_000, 59), end])]);
      expect(duration).toBe(120 * FLICKS_PER_SECOND);
      expect(warnings).toEqual([]);
    }
    const { duration, warnings } = findCutPoints([picture, audio(every(96_000, 62))]);
    expect(duration).toBe(120 * FLICKS_PER_SECOND);
    expect(warnings).toEqual([{ code: 'ENDS_LATE', isCut: true, text: naming('a0', '4.000', 'v0') }]);
  });

  test('keeps the lag of reordered video without an edit list, with a warning', () => {
    const frames = every(60, 4).map((frame) => frame + 2); // 30 fps, two frames late
    const tracks = [video({ n: 30, d: 1 }, frames), audio(every(96_000, 4))];
    const { cutPoints, zero, lags, warnings } = findCutPoints(tracks);
    expect(inSeconds(cutPoints)).toEqual([0, 2, 4, 6, 8]);
    expect(zero).toBe(FLICKS_PER_SECOND / 15);
    expect(warnings).toEqual([{ code: 'STARTS_EARLY', isLag: true, text: naming('a0', '0.067', 'v0') }]);
    expect([...lags]).toEqual([['a0', -FLICKS_PER_SECOND / 15]]);
    const late = findCutPoints([video({ n: 30, d: 1 }, every(60, 4)), audio(every(96_000, 4).map((s) => s + 24_000))]);
    expect(inSeconds(late.cutPoints)).toEqual([0, 8]);
    expect(late.warnings[0]).toEqual({ code: 'STARTS_LATE', text: naming('a0', '0.500', 'v0') });
  });

  test('warns about edit lists by their effect in browsers', () => {
    // As in ffmpeg's HLS: an empty edit of 80 ms, reordering of 80 ms, and 58 ms before the audio.
    const picture = { ...video({ n: 25, d: 1 }, every(50, 4)), moved: 0 };
    const early = audio(every(96_000, 4).map((sample) => sample - 1056));
    const { lags, warnings } = findCutPoints([picture, { ...early, ignoredDelay: 2784 }]);
    expect(warnings).toEqual([{ code: 'EMPTY_EDIT', isLag: true, text: naming('a0', '0.080', '0.022', 'v0') }]);
    expect([...lags]).toEqual([['a0', (-1056 * FLICKS_PER_SECOND) / 48_000]]);
    const moved = findCutPoints([{ ...picture, moved: -2000 }, audio(every(96_000, 4))]);
    expect(moved.warnings).toEqual([{ code: 'EDIT_LIST', text: naming('v0', '0.080') }]);
    expect(findCutPoints([{ ...picture, moved: -1000 }, audio(every(96_000, 4))]).warnings).toEqual([]);
  });

  test('starts at media time 0 or with a segment after it, because MPDs state no times before', () => {
    const from = (track: CutTrack, ticks: number): CutTrack => ({
      ...track,
      borders: track.borders.map((border) => border + ticks),
    });
    const picture = video({ n: 25, d: 1 }, every(50, 4));
    const of = (...tracks: CutTrack[]) => {
      const { zero, cutPoints, warnings } = findCutPoints(tracks);
      return { zero: zero / FLICKS_PER_SECOND, cuts: inSeconds(cutPoints), warnings };
    };
    expect(of(from(picture, -1), audio(every(96_000, 4)))).toMatchObject({ zero: 0, warnings: [] });
    const trimmed = of(from(picture, -picture.timescale / 2), audio(every(96_000, 4)));
    expect(trimmed).toMatchObject({ zero: 1.5, cuts: [0, 6] });
    expect(trimmed.warnings[0]).toEqual({ code: 'BEFORE_ZERO', text: naming('v0', '2.000') });
    const primed = of(from(audio(every(96_000, 4)), -1024));
    expect(primed).toEqual({ zero: 0, cuts: [0, 2, 4, 6, 8].map((at, i) => at - (i && 1024 / 48_000)), warnings: [] });
  });

  test('a lag of less than an audio frame is compensated if that adds cut points', () => {
    const frames = every(120, 6).map((frame) => frame + 1); // 60 fps, one frame late
    const { cutPoints, warnings } = findCutPoints([video({ n: 60, d: 1 }, frames), audio(every(96_000, 6))]);
    expect(inSeconds(cutPoints)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(warnings).toEqual([]);
    const primed = [-1024, 95_232, 191_488, 287_744, 384_000, 480_256]; // only the first frame is early
    const { cutPoints: uncompensated } = findCutPoints([video({ n: 25, d: 1 }, every(50, 5)), audio(primed)]);
    expect(inSeconds(uncompensated)).toEqual([0, 4, 6, 8, 10]);
  });

  test('ends the part with audio that ends long before the video, but not with audio that ends slightly earlier', () => {
    const picture = video({ n: 25, d: 1 }, every(50, 10));
    const { cutPoints, warnings } = findCutPoints([picture, audio(every(96_000, 6))]);
    expect(inSeconds(cutPoints)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(warnings).toEqual([{ code: 'ENDS_EARLY', isCut: true, text: naming('a0', '8.000', 'v0') }]);
    const short = [...every(96_000, 9), 10 * 96_000 - 12_000];
    expect(inSeconds(findCutPoints([picture, audio(short)]).cutPoints).at(-1)).toBe(20);
  });

  test('audio without video is cut at its own borders', () => {
    const other = audio([0, 96_256, 191_488, 287_744, 384_000], 48_000, 'a1');
    const { cutPoints } = findCutPoints([audio([0, 96_256, 192_512, 287_744, 384_000]), other]);
    expect([...cutPoints].map((point) => (point * 48_000) / FLICKS_PER_SECOND)).toEqual([0, 96_256, 287_744, 384_000]);
  });

  test('uses the frame length of each audio codec', () => {
    const picture = video({ n: 25, d: 1 }, every(50, 3));
    const off = (codecs: string, samples: number): CutTrack => ({
      ...audio([0, 96_000 + samples, 192_000, 288_000]),
      codecs,
    });
    const count = (track: CutTrack): number => findCutPoints([picture, track]).cutPoints.length;
    expect([count(off('ec-3', 768)), count(off('ec-3', 769))]).toEqual([4, 3]);
    expect([count(off('opus', 480)), count(off('opus', 481))]).toEqual([4, 3]);
    expect([count(off('mp4a.40.5', 1024)), count(off('mp4a.40.5', 1025))]).toEqual([4, 3]);
  });

  test('cut points ascend from 0 to the duration for any borders', () => {
    const borders = fc
      .array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 30 })
      .map((steps) => Float64Array.from(summed(steps)));
    const track = fc.record({
      id: fc.constant('x'),
      kind: fc.constantFrom('video' as const, 'audio' as const, 'muxed' as const),
      timescale: fc.constantFrom(1000, 24_000, 48_000, 90_000, 10_000_000),
      borders,
      codecs: fc.constantFrom('avc1.64001f', 'mp4a.40.2', ''),
    });
    fc.assert(
      fc.property(fc.array(track, { minLength: 1, maxLength: 5 }), (tracks) => {
        const { cutPoints, duration } = findCutPoints(tracks);
        expect(cutPoints[0]).toBe(0);
        expect(cutPoints.at(-1)).toBe(duration);
        expect(duration).toBeGreaterThan(0);
        for (let i = 1; i < cutPoints.length; i += 1) expect(cutPoints[i]!).toBeGreaterThan(cutPoints[i - 1]!);
      }),
    );
  });

  test('handles a long asset in linear time', () => {
    const tracksOf = (count: number): CutTrack[] => {
      const picture = video({ n: 25, d: 1 }, every(50, count));
      return [picture, ...Array.from({ length: 7 }, (_, i) => ({ ...picture, id: `v${i + 1}` }))];
    };
    expect(findCutPoints(tracksOf(10_800)).cutPoints).toHaveLength(10_801);
    const growth = growthOf((count) => {
      const tracks = tracksOf(count);
      return () => findCutPoints(tracks);
    });
    expect(growth).toBeLessThan(LINEAR);
  });
});
