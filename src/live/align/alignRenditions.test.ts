// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import { at, list, logOf, OPTIONS, reading, slotsOf, text, texts } from '../../../test/live/origin/readings.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { MEDIA_BASE } from '../../timeline/asset/segmentUrl.ts';
import type { OriginReading, OriginSegment } from '../origin.ts';
import type { Slot } from '../slot.ts';
import { continuesMedia } from './segmentLists.ts';

/** Dates of segments `first` on as those of segments `like` on. */
const dates = (first: number, count: number, like: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [first + index, { date: (like + index) * 2 }]));

describe('renditions', () => {
  test('one that lags holds the edge of all', () => {
    const readings = [
      reading(list(0, 5), list(0, 3)),
      reading(list(1, 5), list(1, 3)),
      reading(list(1, 5), list(1, 5)),
    ];
    expect(texts(readings[0]!)).toEqual(['*0|0', '1|1', '2|2']);
    expect(texts(...readings)).toEqual(['*0|0', '1|1', '2|2', '3|3', '4|4', '5|5']);
  });

  test('are compared by date, so their numbers may differ', () => {
    const audio = (first: number, count: number) =>
      list(first, count).map((segment, index) => ({ ...segment, startsAt: at((first - 100 + index) * 2 - 0.021) }));
    expect(texts(reading(list(5, 3), audio(104, 4)), reading(list(6, 4), audio(106, 3)))).toEqual([
      ...['*5|105', '6|106', '7|107', '8|108'],
    ]);
  });

  test('with dates in whole seconds and segments of a second, are compared by number', () => {
    const whole = (first: number, early: number) =>
      list(first, 6, { seconds: 1 }).map((one) => ({ ...one, startsAt: at(Math.floor(one.number - early)) }));
    expect(texts(reading(whole(7, 0), whole(7, 0.02)))).toEqual(['*7|7', '8|8', '9|9', '10|10', '11|11', '12|12']);
  });

  test('have the numbers of the log where media times are those of the log', () => {
    const exact = (first: number, count: number, number = first) =>
      list(first, count).map((one, index) => ({ ...one, number: number + index, mediaTime: one.number * 1000 }));
    const readings = [reading(exact(0, 4), exact(0, 4)), reading(exact(3, 4), exact(3, 4, 30))];
    expect(texts(...readings)).toEqual(['*0|0', '1|1', '2|2', '3|3', '4|4', '5|5', '6|6']);
    expect(texts(...readings, reading(exact(4, 5), exact(3, 4, 30))).length).toBe(7);
    expect(texts(...readings, reading(exact(4, 5), exact(4, 5, 31))).slice(7)).toEqual(['7|7', '8|8']);
  });

  test('have their first segment at the start of a stretch, if the origin states its time', () => {
    // In SegmentTimelines, other segments may be missing in a rendition than in the first one.
    const without = (missing: number, first: number, count: number) =>
      list(first, count + 1)
        .map((one) => ({ ...one, mediaTime: one.number * 2000 }))
        .filter(({ number }) => number !== missing)
        .map((one, index) => ({ ...one, number: first + index, media: { url: `t${one.mediaTime}` } }));
    const video = (first: number, count: number) =>
      without(4, first, count).map((one) => ({ ...one, stretch: one.mediaTime < 8000 ? '0' : '1' }));
    const slotsIn = (...readings: OriginReading[]) =>
      logOf(readings, { ...OPTIONS, timescales: [1000, 1000] })
        .flatMap(({ slots }) => slots)
        .filter(({ isAway }) => isAway !== true);
    const urls = ({ segments }: Slot) => segments.map((own) => own.map(({ media }) => media.url).join()).join('|');
    const whole = [reading(video(0, 8), without(5, 0, 8))];
    const polled = [4, 5, 6, 7, 8].map((count) => reading(video(0, count), without(5, 0, count)));
    for (const readings of [whole, polled]) {
      const slots = slotsIn(...readings).map(urls);
      expect(slots.slice(3, 6)).toEqual(['t6000|t6000', 't10000,t12000|t12000', 't14000|t14000']);
    }
  });

  test('have a new stretch where media times have jumped while they were not known', () => {
    const timed = (number: number): Partial<OriginSegment> => {
      if (number < 3) return { mediaTime: 2000 * number };
      return number < 6 ? { isGap: true } : { mediaTime: 2000 * number + (jumps ? 90_000 : 400) };
    };
    let jumps = false;
    const both = (first: number, count: number) => {
      const one = list(first, count).map((segment) => ({ ...segment, ...timed(segment.number) }));
      return reading(one, one);
    };
    const starts = (...readings: OriginReading[]) =>
      logOf(readings, { ...OPTIONS, timescales: [1000, 1000] })
        .flatMap(({ slots }) => slots)
        .flatMap(({ number, isNewStretch }) => (isNewStretch ? [number] : []));
    for (jumps of [false, true])
      for (const readings of [[both(0, 8)], [3, 4, 5, 6, 7].map((count) => both(0, count))])
        expect(starts(...readings)).toEqual(jumps ? [0, 6] : [0]);
  });

  test('begin where all have a segment, if the origin states their times', () => {
    const timed = (...times: number[]) =>
      times.map((time, index) => ({ ...list(time, 1)[0]!, number: index, mediaTime: time * 2000 }));
    expect(texts(reading(timed(5, 6, 7, 8), timed(4, 6, 7, 8)))).toEqual(['*1|1', '2|2', '3|3']);
  });

  test('without dates, are compared by number', () => {
    const undated = (first: number, count: number) => list(first, count, { date: null });
    expect(texts(reading(undated(5, 4), undated(6, 4)))).toEqual(['*6|6', '7|7', '8|8']);
    expect(texts(reading(undated(5, 2), undated(905, 2)), reading(undated(6, 2), undated(906, 2)))).toEqual([
      ...['*5|905', '6|906', '7|907'],
    ]);
    const hole = [reading(undated(5, 3), undated(905, 3)), reading(undated(10, 3), undated(911, 3))];
    expect(texts(...hole).slice(3)).toEqual(['*+3 11|911', '12|912']);
  });

  test('do not wait for a nearer border if durations are wrong by a frame', () => {
    const first = (seconds: number) => list(0, 8, {}, { 0: { seconds } });
    expect(texts(reading(list(0, 8), first(1.957))).slice(0, 3)).toEqual(['*0|0', '1|1', '2|2']);
    expect(texts(reading(list(0, 8), first(1.9)))).toEqual([]);
  });

  test('audio borders may be a frame beside those of video', () => {
    const lengths = [1.984, 2.005, 2.005, 2.006];
    const audio = list(0, 40).map((segment, index) => ({ ...segment, duration: secondsToFlicks(lengths[index % 4]!) }));
    expect(
      texts(reading(list(0, 40), audio)).filter((one, index) => one.replace('*', '') !== `${index}|${index}`),
    ).toEqual([]);
  });

  test('a slot ends where all have a border', () => {
    const long = list(0, 4, { seconds: 3 });
    expect(texts(reading(list(0, 6), long))).toEqual(['*0,1,2|0,1', '3,4,5|2,3']);
    // Never in common: the best border within half a minute.
    const slots = slotsOf(reading(list(0, 40), list(0, 14, { seconds: 5.76 })));
    expect(slots.every(({ segments: [own, other] }) => own!.length <= 15 && other!.length > 0)).toBe(true);
    expect(slots.length).toBeGreaterThan(2);
  });

  test('states exactly where audio starts in DASH', () => {
    const exact = (rendition: OriginSegment[], late: number) =>
      rendition.map((one, index) => ({ ...one, startsAt: at(index * 2 + late), mediaTime: index }));
    const [slot] = slotsOf(reading(exact(list(0, 2), 0), exact(list(0, 2), 0.012)));
    expect(slot!.segments.map(([segment]) => segment!.late)).toEqual([undefined, secondsToFlicks(0.012)]);
  });

  test('text holds the edge for one slot, and is a gap after that', () => {
    const options = { ...OPTIONS, textRungs: [1] };
    const run = (...readings: OriginReading[]) => logOf(readings, options).flatMap(({ slots }) => slots.map(text));
    expect(run(reading(list(0, 3), list(0, 2)))).toEqual(['*0|0', '1|1']);
    expect(run(reading(list(0, 4), list(0, 2)))).toEqual(['*0|0', '1|1', '2|2g']);
    const later = [reading(list(0, 5), list(0, 2)), reading(list(1, 6), list(1, 6))];
    expect(run(...later)).toEqual(['*0|0', '1|1', '2|2g', '3|3g', '4|4', '5|5', '6|6']);
    expect(run(reading(list(0, 4), list(0, 2, { seconds: 4 })))).toEqual(['*0|0', '1,2|1']);
    const [entry] = logOf([reading(list(0, 4), list(0, 2))], options);
    expect(entry!.slots[2]!.segments[1]![0]!.media.url).toBe('http://o.test/a/1.ts');
  });

  test('text that is not listed in a stretch is empty, and holds no edge', () => {
    const empty = { media: { url: `${MEDIA_BASE}/m/slate/25/t0/0.vtt` } };
    const options = { ...OPTIONS, textRungs: [1], emptyTexts: [undefined, empty] };
    const run = (...readings: OriginReading[]) => logOf(readings, options).flatMap(({ slots }) => slots);
    const texts = (slots: readonly Slot[]) => slots.map(({ segments }) => segments[1]![0]!.media.url.slice(-5));
    const never = run(reading(list(7, 3), []), reading(list(8, 4), []));
    expect(never.map(text)).toEqual(['*7|7', '8|8', '9|9', '10|10', '11|11']);
    expect(never.map(({ segments }) => segments[1])).toEqual(
      never.map(({ number, duration }) => [{ number: 7 + number, duration, ...empty }]),
    );
    const later = run(reading(list(7, 3), []), reading(list(8, 4), list(908, 4, { date: 16 }, dates(908, 4, 8))));
    expect(later.map(text)).toEqual(['*7|7', '8|8', '9|9', '10|910', '11|911']);
    const period = (segments: OriginSegment[]) => segments.map((one) => ({ ...one, stretch: 'p1' }));
    const without = run(reading(list(0, 3), list(0, 3)), reading([...list(1, 2), ...period(list(3, 3))], list(1, 2)));
    expect(texts(without)).toEqual(['/0.ts', '/1.ts', '/2.ts', '0.vtt', '0.vtt']);
    expect(without.map(({ segments }) => segments[1]![0]!.isGap)).toEqual(Array(5).fill(undefined));
  });
});

const segment = (mediaTime?: number) => ({
  duration: secondsToFlicks(2),
  ...(mediaTime === undefined ? {} : { mediaTime }),
});

test('media continue within half a second, and where times are not known', () => {
  expect(
    [3000, 2501, 3499, 2400, 3600, 1_003_000, 1000].map((time) => continuesMedia(segment(1000), segment(time), 1000)),
  ).toEqual([...[true, true, true, false, false, false, false]]);
  expect(continuesMedia(segment(), segment(900_000), 1000)).toBe(true);
  expect(continuesMedia(segment(5), segment(900_000))).toBe(true);
  expect(continuesMedia(undefined, segment(5), 1000)).toBe(true);
});

test('a stretch starts where the media time of any rendition jumps without a discontinuity', () => {
  const timed = (from: number, count: number, jumpAt: number) =>
    list(from, count).map((one) => ({ ...one, mediaTime: one.number * 2000 + (one.number < jumpAt ? 0 : 1_000_000) }));
  const options = { ...OPTIONS, timescales: [1000, 1000] };
  const shown = (own: number, other: number) =>
    logOf([reading(timed(0, 3, own), timed(0, 3, other)), reading(timed(0, 6, own), timed(0, 6, other))], options)
      .flatMap(({ slots }) => slots)
      .map(text);
  expect(shown(99, 99)).toEqual(['*0|0', '1|1', '2|2', '3|3', '4|4', '5|5']);
  expect(shown(4, 4)).toEqual(['*0|0', '1|1', '2|2', '3|3', '*4|4', '5|5']);
  // Between two readings, and of one rendition only.
  expect(shown(99, 3)).toEqual(['*0|0', '1|1', '2|2', '*3|3', '4|4', '5|5']);
});
