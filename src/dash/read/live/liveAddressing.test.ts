// SPDX-License-Identifier: Apache-2.0
// A random live presentation, written in each addressing mode and read at random instants: every reading lists the same segment
// for the same media time, without holes up to the clock.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FLICKS_PER_MILLI, flicks, millis } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { LiveSegment } from './liveMpd.ts';
import { afterTicks, flicksBetween } from './liveTimes.ts';
import { readLiveMpd } from './readLiveMpd.ts';

const addressings = ['number', 'time', 'openRepeat', 'duration', 'list'] as const;

type Presentation = {
  readonly addressing: (typeof addressings)[number];
  readonly timescale: number;
  /** Ticks of each segment; equal ones where the addressing needs it. */
  readonly ticks: readonly number[];
  readonly window: number;
  /** Seconds since 1970 of availabilityStartTime, and of the first Period after it. */
  readonly start: number;
  readonly periodStart: number;
  readonly offset: bigint;
  /** The index of the first segment of each further Period. */
  readonly cuts: readonly number[];
};

const presentations = fc
  .record({
    addressing: fc.constantFrom(...addressings),
    timescale: fc.constantFrom(1000, 48_000, 90_000, 10_000_000),
    lengths: fc.array(fc.integer({ min: 1900, max: 2100 }), { minLength: 12, maxLength: 40 }),
    window: fc.integer({ min: 3, max: 12 }),
    isFrom1970: fc.boolean(),
    periodStart: fc.nat(500),
    isOffset1970: fc.boolean(),
    cuts: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  })
  .map((made): Presentation => {
    const isEven = made.addressing !== 'number' && made.addressing !== 'time';
    const scale = made.timescale / 1000;
    const ticks = made.lengths.map((length) => (isEven ? made.lengths[0]! : length) * scale);
    const since = 1_767_225_600;
    return {
      ...made,
      ticks,
      start: made.isFrom1970 ? 0 : since,
      periodStart: made.periodStart + (made.isFrom1970 ? since : 0),
      offset: made.isOffset1970 ? BigInt(since) * BigInt(made.timescale) : 0n,
      cuts: made.cuts.filter((cut) => cut < ticks.length).sort((a, b) => a - b),
    };
  });

/** Period@start has a seventh digit too few: 8.0369999 instead of 8.037. */
const truncated: Presentation = {
  addressing: 'duration',
  timescale: 1000,
  ticks: Array.from({ length: 12 }, () => 2037),
  window: 3,
  start: 1_767_225_600,
  periodStart: 6,
  offset: 0n,
  cuts: [1],
};

const zeroOf = ({ start, periodStart }: Presentation): Instant => ({
  millis: millis((start + periodStart) * 1000),
  rest: flicks(0),
});
const borderOf = ({ ticks }: Presentation, index: number): bigint =>
  BigInt(ticks.slice(0, index).reduce((sum, each) => sum + each, 0));

/** What is complete `elapsed` milliseconds after the start of the first Period. */
function write(presentation: Presentation, elapsed: number): string {
  const { addressing, timescale, ticks, window, start, periodStart, offset, cuts } = presentation;
  const isComplete = (index: number): boolean =>
    1000 * Number(borderOf(presentation, index + 1)) <= elapsed * timescale && index < ticks.length;
  let edge = 0;
  while (isComplete(edge)) edge += 1;
  const oldest = Math.max(0, edge - window);
  const starts = [0, ...cuts];
  const periods = starts.flatMap((first, at) => {
    const end = Math.min(starts[at + 1] ?? ticks.length, edge);
    // A Period is announced with its first segment.
    if (first > 0 && first >= edge) return [];
    const from = Math.max(first, oldest);
    if (starts[at + 1] !== undefined && starts[at + 1]! <= oldest) return [];
    const zero = offset + borderOf(presentation, first);
    const seconds = (index: number): string =>
      `${periodStart + Number(borderOf(presentation, index)) / timescale}`.replace(/(\.\d{1,7})\d*$/, '$1');
    const listed = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
    const entries = listed.map((index, each) => {
      const t = each === 0 ? ` t="${offset + borderOf(presentation, index)}"` : '';
      return `<S${t} d="${ticks[index]}"/>`;
    });
    const common = `timescale="${timescale}" presentationTimeOffset="${zero}"`;
    const named = (media: string, timing: string, more = '') =>
      `<SegmentTemplate ${common} ${more} media="${media}">${timing}</SegmentTemplate>`;
    const timeline = (text: string) => `<SegmentTimeline>${text}</SegmentTimeline>`;
    const segments = {
      number: () => named('$Number$.m4s', timeline(entries.join('')), `startNumber="${from + 1}"`),
      time: () => named('t$Time$.m4s', timeline(entries.join(''))),
      openRepeat: () =>
        named(
          '$Number$.m4s',
          timeline(`<S t="${offset + borderOf(presentation, from)}" d="${ticks[0]}" r="-1"/>`),
          `startNumber="${from + 1}"`,
        ),
      duration: () => named('$Number$.m4s', '', `startNumber="${first + 1}" duration="${ticks[0]}"`),
      list: () =>
        `<SegmentList ${common} duration="${ticks[0]}" startNumber="${from - first + 1}">${listed.map((index) => `<SegmentURL media="${index + 1}.m4s"/>`).join('')}</SegmentList>`,
    };
    return `<Period id="p${first}" start="PT${seconds(first)}S"><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1">${segments[addressing]()}</Representation></AdaptationSet></Period>`;
  });
  const depth = (window * ticks[0]!) / timescale;
  return `<MPD type="dynamic" availabilityStartTime="${new Date(start * 1000).toISOString()}" timeShiftBufferDepth="PT${depth}S">${periods.join('')}</MPD>`;
}

function segmentsAt(presentation: Presentation, elapsed: number): LiveSegment[] {
  const now = after(zeroOf(presentation), flicks(elapsed * FLICKS_PER_MILLI));
  const mpd = readLiveMpd(write(presentation, elapsed), 'https://o.example/m.mpd', { now });
  if ('refused' in mpd) throw new Error(mpd.refused);
  expect(mpd.warnings).toEqual([]);
  return mpd.periods.flatMap(({ representations }) => representations[0]!.segments.segments);
}

it('lists the same segment for the same media time in every reading, without holes', () => {
  const polls = fc.array(fc.integer({ min: 100, max: 50_000 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(presentations, polls, (presentation, at) => {
      const seen = new Map<string, LiveSegment>();
      const { timescale, ticks, offset } = presentation;
      const total = (1000 * Number(borderOf(presentation, ticks.length))) / timescale;
      for (const elapsed of at.toSorted((a, b) => a - b)) {
        if (elapsed >= total) break;
        const segments = segmentsAt(presentation, elapsed);
        for (const [index, segment] of segments.entries()) {
          const { time, startsAt, duration, media } = segment;
          const known = seen.get(`${time}`);
          if (known !== undefined)
            expect([startsAt, duration, media]).toEqual([known.startsAt, known.duration, known.media]);
          seen.set(`${time}`, segment);
          const exact = afterTicks(zeroOf(presentation), time - offset, timescale);
          // Period@start is written with seven digits.
          expect(Math.abs(flicksBetween(exact, startsAt))).toBeLessThan(100);
          const before = segments[index - 1];
          if (before !== undefined) expect(time - before.time).toBe(BigInt(before.ticks));
        }
        const last = segments.at(-1);
        const next = ticks.findIndex(
          (_, index) => 1000 * Number(borderOf(presentation, index + 1)) > elapsed * timescale,
        );
        expect(last && last.time + BigInt(last.ticks) - offset).toBe(
          next === 0 ? undefined : borderOf(presentation, next),
        );
      }
    }),
    { examples: [[truncated, [4074, 100, 100]]] },
  );
});
