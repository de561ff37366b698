// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import {
  at,
  FROM,
  list,
  logOf,
  marked,
  OPTIONS,
  RULES,
  reading,
  signal,
  signalsOf,
  since,
  slotsOf,
  text,
  texts,
} from '../../../test/live/origin/readings.ts';
import { millis } from '../../time/units.ts';
import type { OriginSegment } from '../origin.ts';
import { nextEntry } from './nextEntry.ts';
import { tailAfter } from './tail.ts';

describe('the window', () => {
  test('a log begins with the last part of it', () => {
    const [entry] = logOf([reading(list(0, 3000), list(0, 3000))], { history: 10_000 });
    expect(entry!.slots.map(text)).toEqual(['*2995|2995', '2996|2996', '2997|2997', '2998|2998', '2999|2999']);
    expect(texts(reading(list(0, 1, { seconds: 99 })))).toEqual(['*0']);
  });

  test('an older edge adds nothing', () => {
    const older = [reading(list(0, 6)), reading(list(0, 4)), reading(list(1, 6)), reading(list(0, 6))];
    expect(texts(...older)).toEqual(['*0', '1', '2', '3', '4', '5', '6']);
    const undated = older.map(({ renditions }) =>
      reading(renditions[0]!.segments.map((one) => ({ ...one, startsAt: undefined! }))),
    );
    expect(texts(...undated)).toEqual(['*0', '1', '2', '3', '4', '5', '6']);
  });

  test('numbers may start again', () => {
    const again = (date: number | null) =>
      list(0, 3, {}).map(({ startsAt: _, ...one }, index) => ({
        ...one,
        ...(date === null ? {} : { startsAt: at(date + 2 * index) }),
      }));
    const before = reading(list(500, 3, { seconds: 2 }));
    const slots = logOf([before, reading(again(1040))], OPTIONS, 40_000).flatMap((entry) => entry.slots);
    expect(slots.map(text)).toEqual(['*500', '501', '502', '*0', '1', '2']);
    expect(slots.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(since(slots[3]!.start)).toBe(1040);
    expect(texts(reading(list(500, 3, { date: null })), reading(again(null))).slice(3)).toEqual(['*0', '1', '2']);
    // The clock is wrong after the restart.
    expect(slotsOf(before, reading(again(700))).map(({ start }) => since(start))).toEqual([
      1000, 1002, 1004, 1006, 1008, 1010,
    ]);
  });

  test('a restart with the same numbers is recognised by its dates, or by its names', () => {
    const dated = list(0, 3).map((one, index) => ({ ...one, startsAt: at(40 + index * 2) }));
    const minutes = logOf([reading(list(0, 3)), reading(dated)], OPTIONS, 60_000).flatMap(({ slots }) => slots);
    expect(minutes.map(text)).toEqual(['*0', '1', '2', '*0', '1', '2']);
    const named = list(0, 3, { date: null }).map((one) => ({
      ...one,
      media: { url: `http://o.test/b${one.number}.ts` },
    }));
    expect(texts(reading(list(0, 3, { date: null })), reading(named))).toEqual(['*0', '1', '2', '*0', '1', '2']);
    const tokens = list(1, 3).map((one) => ({ ...one, media: { url: `${one.media.url}?token=2` } }));
    expect(texts(reading(list(0, 3)), reading(tokens))).toEqual(['*0', '1', '2', '3']);
  });

  test('what an encoder could not have made again is not listed again, whatever its dates are', () => {
    for (const jump of [-3600, -30, 11, 30, 3600, 1e6]) {
      const moved = (first: number) => list(first, 4).map((one) => ({ ...one, startsAt: at(one.number * 2 + jump) }));
      const slots = slotsOf(reading(list(0, 4)), reading(moved(1)), reading(list(2, 4)), reading(moved(3)));
      expect(slots.map(text)).toEqual(['*0', '1', '2', '3', '4', '5', '6']);
      expect(slots.map(({ start }) => since(start))).toEqual([0, 2, 4, 6, 8, 10, 12]);
    }
  });

  test('other numbers for the same programme repeat nothing', () => {
    const other = list(0, 5).map((one, index) => ({ ...one, number: 70 + index }));
    expect(texts(reading(list(0, 3)), reading(other))).toEqual(['*0', '1', '2', '*73', '74']);
  });

  test('a hole states how many slots are missing', () => {
    const readings = [reading(list(0, 3), list(0, 3)), reading(list(13, 3), list(13, 3))];
    const slots = logOf(readings, OPTIONS, 26_000).flatMap((entry) => entry.slots);
    expect(slots.map(text)).toEqual(['*0|0', '1|1', '2|2', '*+10 13|13', '14|14', '15|15']);
    expect(since(slots[3]!.start)).toBe(26);
  });

  test('gaps are passed on', () => {
    expect(texts(reading(list(0, 3, {}, { 1: { isGap: true } })))).toEqual(['*0', '1g', '2']);
  });

  test('what cannot be used is ignored', () => {
    expect(texts(reading([]))).toEqual([]);
    expect(texts(reading(list(0, 2), []))).toEqual([]);
    expect(texts(reading(list(0, 3, {}, { 1: { seconds: 0 } })))).toEqual(['*0', '2']);
    expect(texts(reading(list(0, 3)), reading(list(1, 3), list(1, 3)))).toEqual(['*0', '1', '2']);
  });

  test('a short segment waits for the next one, unless a marker follows', () => {
    const short = { 2: { seconds: 0.033, date: 4 }, 3: { date: 4.033 } };
    expect(texts(reading(list(0, 3, {}, short)))).toEqual(['*0', '1']);
    expect(texts(reading(list(0, 4, {}, short)))).toEqual(['*0', '1', '2,3']);
    expect(texts(marked([signal(3)], list(0, 4, {}, short)))).toEqual(['*0', '1', '2', '3']);
    expect(texts(marked([signal(3)], list(0, 3, {}, short)))).toEqual(['*0', '1', '2']);
  });

  test('a poll reads each listed segment about once', () => {
    const HOURS = 20_000;
    let reads = 0;
    const counted = (segments: OriginSegment[]): OriginSegment[] =>
      new Proxy(segments, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key, receiver);
        },
      });
    const frame = { readAt: millis(FROM), visibleAt: millis(FROM), rules: RULES };
    const whole = { history: 1e9 };
    const first = nextEntry(undefined, reading(counted(list(0, HOURS)), counted(list(0, HOURS))), frame, whole)!;
    expect(first.slots).toHaveLength(HOURS);
    expect(reads).toBeLessThan(60 * HOURS);
    const tail = tailAfter(undefined, first);
    reads = 0;
    const next = nextEntry(tail, reading(counted(list(1, HOURS)), counted(list(1, HOURS))), frame, whole)!;
    expect(next.slots).toHaveLength(1);
    expect(reads).toBeLessThan(2.1 * HOURS);
  });
});

/** As an MPD with `$Time$` is read by a process that counts from another segment; time 0 is at second 0. */
const counted = (first: number, count: number, by: number): OriginSegment[] =>
  list(first, count).map((one) => ({
    ...one,
    number: one.number + by,
    mediaTime: one.number * 25_600,
    media: { url: `http://o.test/v/t${one.number * 25_600}.m4s` },
  }));

test.each([1, -1, 2, -5, 700])('a segment that another process counts differently is listed once (%i)', (by) => {
  const slots = texts(
    reading(counted(10, 4, 0), counted(10, 4, 0)),
    reading(counted(11, 4, by), counted(11, 4, -by)),
    reading(counted(12, 4, 0), counted(12, 4, 0)),
    reading(counted(13, 4, by), counted(13, 4, -by)),
  );
  expect(slots).toEqual(['*10|10', '11|11', '12|12', '13|13', '14|14', '15|15', '16|16']);
});

test('markers keep their places', () => {
  const first = reading(counted(10, 4, 0));
  const plain = marked([signal(14)], counted(11, 4, 0));
  const other = marked([signal(14 + 3)], counted(11, 4, 3));
  expect(signalsOf(first, other)).toEqual(signalsOf(first, plain));
});

test('an encoder that uses times and names again has numbers of its own', () => {
  const again = counted(10, 3, -9).map((one, index) => ({ ...one, startsAt: list(100, 3)[index]!.startsAt! }));
  expect(texts(reading(counted(10, 4, 0)), reading(again))).toEqual(['*10', '11', '12', '13', '*1', '2', '3']);
});
