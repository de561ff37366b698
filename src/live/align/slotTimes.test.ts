// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { at, list, logOf, OPTIONS, reading, since, slotsOf, texts } from '../../../test/live/origin/readings.ts';
import { FLICKS_PER_MILLI, secondsToFlicks } from '../../time/units.ts';
import type { LiveEntry } from '../slot.ts';

describe('the timeline', () => {
  test('begins at the date of the origin, or as long before the reading as what it lists', () => {
    const [first] = logOf([reading(list(10, 3))]);
    expect(since(first!.slots[0]!.start)).toBe(20);
    expect(first!.anchor).toEqual({ start: at(20), lag: 20_500 - 26_000 });
    expect(since(slotsOf(reading(list(7, 3, { date: null })))[0]!.start)).toBe(14);
  });

  test('adds up durations, whatever jitter the dates have', () => {
    const jitter = list(0, 30).map((one, index) => ({ ...one, startsAt: at(index * 2 + ((index * 7) % 11) / 1000) }));
    const slots = slotsOf(reading(jitter));
    expect(slots.map(({ start }) => since(start))).toEqual(slots.map((_, index) => index * 2));
  });

  test('follows dates by a millisecond for each slot when they deviate throughout', () => {
    // EXTINF is 4 ms too short.
    const short = list(0, 200).map((one) => ({ ...one, duration: secondsToFlicks(1.9995) }));
    const slots = logOf([reading(short)], { history: 1e9 }).flatMap((entry) => entry.slots);
    expect(Math.abs(since(slots.at(-1)!.start) - 199 * 2)).toBeLessThan(0.025);
    const nominal = secondsToFlicks(1.9995);
    for (const { duration } of slots) expect([0, FLICKS_PER_MILLI]).toContain(duration - nominal);
  });

  test('stays with dates at which a stretch starts, however far it was from those before', () => {
    const [wrong, near, right] = [
      Object.fromEntries([2, 3].map((index) => [index, { stretch: '1', date: 2 * index - 3600 }])),
      Object.fromEntries([4, 5].map((index) => [index, { stretch: '2', date: 2 * index - 0.478 }])),
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [6 + at, { stretch: '3', date: 30 + 2 * at }])),
    ];
    const starts = slotsOf(reading(list(0, 46, {}, { ...wrong, ...near, ...right }))).map(({ start }) => since(start));
    expect(starts.slice(-40)).toEqual(Array.from({ length: 40 }, (_, index) => 30 + 2 * index));
  });

  test('a discontinuity starts a stretch, in all renditions or only in the first', () => {
    const cut = { 2: { stretch: '1' }, 3: { stretch: '1' } };
    expect(texts(reading(list(0, 4, {}, cut), list(0, 4, {}, cut)))).toEqual(['*0|0', '1|1', '*2|2', '3|3']);
    expect(texts(reading(list(0, 4, {}, cut), list(0, 4)))).toEqual(['*0|0', '1|1', '*2|2', '3|3']);
    expect(texts(reading(list(0, 4), list(0, 4, {}, cut)))).toEqual(['*0|0', '1|1', '2|2', '3|3']);
    // Its number changes as the window moves when the origin states no sequence number.
    expect(texts(reading(list(0, 4, {}, cut)), reading(list(2, 3)))).toEqual(['*0', '1', '*2', '3', '4']);
  });

  test('another initialization section starts a stretch, another key does not', () => {
    const init = { 1: { init: { url: 'http://o.test/i2.mp4' } }, 2: { init: { url: 'http://o.test/i2.mp4' } } };
    expect(texts(reading(list(0, 3, { init: { url: 'http://o.test/i1.mp4' } }, init)))).toEqual(['*0', '*1', '2']);
    expect(texts(reading(list(0, 3, {}, { 1: { keys: ['METHOD=AES-128'] } })))).toEqual(['*0', '1', '2']);
  });

  test('time that is missing is left out, and time never goes back', () => {
    const later = { 2: { stretch: '1', date: 64 }, 3: { stretch: '1', date: 66 } };
    expect(slotsOf(reading(list(0, 4, {}, later))).map(({ start }) => since(start))).toEqual([0, 2, 64, 66]);
    const back = {
      2: { stretch: '1', date: -3600 },
      3: { stretch: '1', date: -3598 },
      4: { stretch: '2', date: -3590 },
    };
    const slots = slotsOf(reading(list(0, 5, {}, back)));
    expect(slots.map(({ start }) => since(start))).toEqual([0, 2, 4, 6, 14]);
    const near = { 2: { stretch: '1', date: 4.3 } };
    expect(slotsOf(reading(list(0, 3, {}, near))).map(({ start }) => since(start))).toEqual([0, 2, 4]);
    const nonsense = { 2: { stretch: '1', date: 1e5 } };
    expect(slotsOf(reading(list(0, 3, {}, nonsense))).map(({ start }) => since(start))).toEqual([0, 2, 4]);
  });

  test('does not jump further ahead than the clock allows, however often', () => {
    const ahead = (number: number, jump: number) =>
      reading(list(number, 1, { stretch: `${number}`, date: number * 2 + jump }));
    const jumps = [0, 30, 0, 3600, 0, 86_000, 0, 30].map((jump, index) => ahead(index, jump));
    const starts = logOf(jumps).flatMap(({ slots }) => slots.map(({ start }) => since(start)));
    expect(starts.map((start, index) => start - 2 * index)).toEqual(starts.map(() => 0));
    // It was as far ahead when the channel went on air.
    const fast = [0, 0, 20, 20].map((jump, index) => ahead(index, 3600 + jump));
    const later = logOf(fast, OPTIONS, 12_000);
    expect(later.flatMap(({ slots }) => slots.map(({ start }) => since(start)))).toEqual([3600, 3602, 3624, 3626]);
    // Its dates were old when the channel went on air: for DASH, the right ones would be in the future.
    const old = [0, 0, 3600, 3600].map((jump, index) => ahead(index, jump - 3600));
    const startsOf = (entries: readonly LiveEntry[]) =>
      entries.flatMap(({ slots }) => slots.map(({ start }) => since(start)));
    expect(startsOf(logOf(old))).toEqual([-3600, -3598, -3596, -3594]);
    // After an hour without viewers, it is as far behind the clock as it was.
    const idle = [ahead(0, -3600), ahead(1800, 0)];
    expect(startsOf(logOf(idle, OPTIONS, 3_600_000))).toEqual([-3600, -0.5]);
  });

  test('a clock that was wrong for a while does not move the timeline', () => {
    const right = reading(list(0, 10));
    const wrong = reading(list(4, 8).map((one) => ({ ...one, startsAt: at(one.number * 2 - 3600) })));
    const slots = logOf([right, wrong, reading(list(8, 8))]).flatMap((entry) => entry.slots);
    const starts = slots.map(({ start }) => since(start));
    expect(starts).toEqual(Array.from({ length: 16 }, (_, index) => index * 2));
  });
});
