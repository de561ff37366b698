// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { at, FROM, frame, list, logOf, OPTIONS, reading, since } from '../../../../test/live/origin/readings.ts';
import { secondsToFlicks } from '../../../time/units.ts';
import { after } from '../../../timeline/programme/span.ts';
import type { OriginReading, OriginSegment } from '../../origin.ts';
import type { LiveEntry, Slot } from '../../slot.ts';
import { nextEntry } from '../nextEntry.ts';
import { startTail, tailAfter } from '../tail.ts';
import { awayEntry } from './awayEntry.ts';

const options = { ...OPTIONS, target: 2000 };

/** An encoder that counts from 1 again: two segments of 2 s. */
const restarted = (date: number): OriginSegment[] =>
  list(1, 2).map((one, index) => ({ ...one, stretch: '1', startsAt: at(date + 2 * index) }));
/** `start+duration` in seconds, with what a slot shows. */
const text = ({ start, duration, isAway, segments }: Slot): string =>
  `${since(start)}+${duration / secondsToFlicks(1)} ${isAway ? 'slate' : segments[0]!.map(({ number }) => number).join()}`;
const texts = (entries: readonly LiveEntry[]): string[] => entries.slice(1).flatMap(({ slots }) => slots.map(text));
/** Content up to second 1006, then a reading after so many seconds. */
const logAfter = (seconds: number, next: OriginReading, target = 2000): LiveEntry[] =>
  logOf([reading(list(500, 3)), next], { ...options, target }, 1000 * seconds);

describe('a hole before a new stretch', () => {
  test('is filled with slate to the flick, before the content and in the same entry', () => {
    const entries = logAfter(8, reading(restarted(1010.123)));
    expect(texts(entries)).toEqual(['1006+2.061 slate', '1008.061+2.062 slate', '1010.123+2 1', '1012.123+2 2']);
    const slots = entries.flatMap((entry) => entry.slots);
    expect(slots.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(slots.map(({ isNewStretch }) => isNewStretch)).toEqual([true, false, false, false, false, true, false]);
    expect(entries[1]!.awayReason).toMatch(/no segments/);
    expect(startTail(entries)).toMatchObject({ slots: 7, end: at(1014.123), onAirSince: FROM + 20_000 });
    expect(startTail(entries)!.awaySince).toBeUndefined();
    const exact = logAfter(8, reading(restarted(1010 + 1 / 3)))[1]!.slots;
    expect(exact[2]!.start).toEqual(at(1010 + 1 / 3));
    expect(after(exact[1]!.start, exact[1]!.duration)).toEqual(exact[2]!.start);
  });

  test('is not filled if it is too short for a section', () => {
    expect(texts(logAfter(4.5, reading(restarted(1006.5))))[0]).toBe('1006+2 1');
    expect(texts(logAfter(4.6, reading(restarted(1006.6))))[0]).toBe('1006+0.6 slate');
  });

  test('remains if the clock says that no media are missing', () => {
    // 4 s were made in 4 s.
    expect(texts(logAfter(4, reading(restarted(1014))))).toEqual(['1014+2 1', '1016+2 2']);
    expect(texts(logAfter(10, reading(restarted(1014))))[0]).toBe('1006+2 slate');
  });

  test('remains if the origin was not read for long: there were no viewers', () => {
    expect(texts(logAfter(40, reading(restarted(1040))))[0]).toBe('1040+2 1');
    expect(texts(logAfter(40, reading(restarted(1040)), 8000))[0]).toBe('1006+8.5 slate');
  });

  test('is filled if segments were listed only between two readings', () => {
    const next = (seconds: number) => logAfter(seconds, reading(list(505, 1)));
    expect(texts(next(6))).toEqual(['1006+2 slate', '1008+2 slate', '1010+2 505']);
    expect(next(6)[1]!.slots.map(({ missed }) => missed)).toEqual([undefined, undefined, undefined]);
    expect(next(12)[1]!.slots.map(({ missed }) => missed)).toEqual([2]);
  });

  test('remains in the first entry, and after segments that were not read', () => {
    const late = { 502: { stretch: '1', date: 1008 } };
    expect(logOf([reading(list(500, 3, {}, late))], options)[0]!.slots.map(text)).toEqual([
      ...['1000+2 500', '1002+2 501', '1008+2 502'],
    ]);
    const missed = logAfter(20, reading(list(504, 3, {}, { 506: { stretch: '1', date: 1016 } })));
    expect(missed[1]!.slots[0]!.missed).toBe(1);
    expect(texts(missed)).toEqual(['1008+2 504', '1010+2 505', '1016+2 506']);
  });
});

test('holes between the stretches of one reading are filled, except where dates have jumped', () => {
  const periods = {
    503: { stretch: '1', date: 1009 },
    504: { stretch: '2', date: 1017 },
    505: { stretch: '3', date: 1020 },
  };
  expect(texts(logAfter(10, reading(list(500, 6, {}, periods))))).toEqual([
    ...['1006+1.5 slate', '1007.5+1.5 slate', '1009+2 503', '1017+2 504', '1019+1 slate', '1020+2 505'],
  ]);
});

test('nothing is filled after slate', () => {
  const away = { ...options, rungs: 1, reason: 'The origin returned 503.' };
  const tail = startTail(logOf([reading(list(0, 3))], options))!;
  const edge = tail.end.millis + tail.anchor.lag - FROM;
  const slate = tailAfter(tail, awayEntry(tail, undefined, frame(edge + 6500), away)!);
  expect(since(slate.end)).toBe(12);
  const back = nextEntry(slate, reading(restarted(13)), frame(edge + 11_000), options)!;
  expect(back.slots.map(text)).toEqual(['13+2 1', '15+2 2']);
});
