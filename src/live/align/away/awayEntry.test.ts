// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import {
  FROM,
  at as instantAt,
  list,
  logOf,
  OPTIONS,
  RULES,
  reading,
  since,
} from '../../../../test/live/origin/readings.ts';
import { millis } from '../../../time/units.ts';
import { nextEntry } from '../nextEntry.ts';
import { millisBetween } from '../originDates.ts';
import { startTail, type Tail, tailAfter } from '../tail.ts';
import { awayEntry } from './awayEntry.ts';

const options = { ...OPTIONS, history: 90_000, target: 2000, rungs: 2, reason: 'The origin returned 503.' };
const frame = (ms: number) => ({ readAt: millis(FROM + ms), visibleAt: millis(FROM + ms), rules: RULES });

test('slate is as far behind the clock as the content was, and states why it began', () => {
  const entries = logOf([reading(list(0, 3), list(0, 3))], options);
  const tail = startTail(entries)!;
  const end = tail.end.millis + tail.anchor.lag - FROM;
  expect(awayEntry(tail, undefined, frame(end + 1999), options)).toBeUndefined();
  const away = awayEntry(tail, undefined, frame(end + 7000), options)!;
  expect(away.slots.map(({ start, isAway }) => [since(start), isAway])).toHaveLength(3);
  expect(away.slots[0]!.start).toEqual(tail.end);
  expect(away.awayReason).toBe('The origin returned 503.');
  const more = awayEntry(tailAfter(tail, away), undefined, frame(end + 8500), options)!;
  expect([more.slots.length, more.awayReason, more.slots[0]!.missed]).toEqual([1, undefined, undefined]);
});

test('after time without viewers, slate begins anew', () => {
  const tail = startTail(logOf([reading(list(0, 3), list(0, 3))], options))!;
  const away = awayEntry(tail, undefined, frame(3_600_000), options)!;
  expect([away.slots.length, away.slots[0]!.missed, away.slots[0]!.number]).toEqual([6, 1, tail.slots]);
  expect(awayEntry(undefined, undefined, frame(0), options)!.slots[0]).toMatchObject({ number: 0, isAway: true });
});

test('slate does not wait for an origin whose next border is in the future', () => {
  const tail = startTail(logOf([reading(list(0, 3), list(0, 3))], options))!;
  const at = tail.end.millis + tail.anchor.lag - FROM + 6000;
  const away = tailAfter(tail, awayEntry(tail, undefined, frame(at), options)!);
  const ahead = { reading: reading(list(10, 2), list(10, 2)), source: undefined };
  const later = (ms: number) => awayEntry(away, ahead, frame(at + ms), options)?.slots.length;
  expect([500, 2000, 3900, 4000, 6500].map(later)).toEqual([undefined, 1, 1, 2, 3]);
});

type Outage = {
  /** The length of segments. */
  readonly seconds: number;
  /** How much later segments are listed after the outage. */
  readonly late?: number;
  /** By how much dates are wrong after a restart at 70 s. */
  readonly errorBefore?: number;
  /** And after the outage. */
  readonly errorAfter?: number;
};
/** When an encoder started, and by how much its dates are wrong. */
type Run = { readonly from: number; readonly error: number };

/** An origin that is read once a second is on air until 100 s and can be read again from 130 s on. */
function returnAfter({ seconds, late = 0, errorBefore = 0, errorAfter = 0 }: Outage) {
  const at: Record<'content' | 'slate', number[]> = { content: [], slate: [] };
  const common = { ...options, target: 1000 * seconds };
  const before: Run = { from: errorBefore === 0 ? 0 : 70, error: errorBefore };
  const after: Run = errorAfter === errorBefore ? before : { from: 110, error: errorAfter };
  const read = (second: number, behind: number, { from, error }: Run) => {
    const count = Math.floor((second - behind - from) / seconds);
    const first = Math.max(0, count - 8);
    const all = list(first, count - first, { seconds, stretch: `${from}` }).map((one) => ({
      ...{ ...one, number: one.number + 10_000 - 50 * from, startsAt: instantAt(from + one.number * seconds + error) },
      media: { url: `http://o.test/${from}-${one.number}.ts` },
    }));
    return reading(all, all);
  };
  const readAt = (second: number) => {
    if (second >= 130) return read(second, late, after);
    if (second >= 100) return undefined;
    return read(second, 0, second < before.from + 2 * seconds ? { from: 0, error: 0 } : before);
  };
  let tail: Tail | undefined;
  for (let second = 60.3; second < 200; second += 1) {
    const found = readAt(second);
    const content = found && nextEntry(tail, found, frame(1000 * second), common);
    const known = found && { reading: found, source: undefined };
    const isAway = tail && (tail.awaySince !== undefined || FROM + 1000 * (second - 3 * seconds) > tail.contentAt);
    const slate = content === undefined && isAway ? awayEntry(tail, known, frame(1000 * second), common) : undefined;
    const entry = content ?? slate;
    if (entry === undefined) continue;
    at[content === undefined ? 'slate' : 'content'].push(second);
    tail = tailAfter(tail, entry);
  }
  const back = at.content.find((second) => second >= 130)!;
  const lastSlate = Math.max(...at.slate.filter((second) => second < back));
  const slate = at.slate.find((second) => second >= 100)!;
  const lastContent = Math.max(...at.content.filter((second) => second < slate));
  return { back: back - 130, still: Math.max(back - lastSlate, slate - lastContent) };
}

test.each([1, 2, 4, 6])('an origin with segments of %i s that is later than before its outage returns', (seconds) => {
  for (let late = 0; late <= 30; late += 0.5) {
    const { back, still } = returnAfter({ seconds, late });
    expect(back, `${late} s late`).toBeLessThan(4 * seconds + 2);
    expect(still, `${late} s late`).toBeLessThan(4.5 * seconds + 2);
  }
});

test.each([1, 2, 4, 6])('an origin with segments of %i s that has other dates after its outage returns', (seconds) => {
  // With the last one, dates and numbers after the outage state the same: segments that are more than half an hour old.
  for (const errorBefore of [0, 7, 14, 25, -14, -100, 2000 * seconds])
    for (let errorAfter = -40; errorAfter <= 40; errorAfter += 1) {
      const { back, still } = returnAfter({ seconds, errorBefore, errorAfter });
      expect(back, `${errorBefore} s, then ${errorAfter} s`).toBeLessThan(4 * seconds + 2);
      expect(still, `${errorBefore} s, then ${errorAfter} s`).toBeLessThan(4.5 * seconds + 2);
    }
});

test('segments whose time was slate are left out, and content continues at its date', () => {
  const tail = startTail(logOf([reading(list(0, 3), list(0, 3))], options))!;
  const at = tail.end.millis + tail.anchor.lag - FROM + 6000;
  const away = tailAfter(tail, awayEntry(tail, undefined, frame(at), options)!);
  const back = reading(list(0, 8), list(0, 8));
  const entry = nextEntry(away, back, frame(at + 4000), options)!;
  expect(entry.slots[0]).toMatchObject({ isNewStretch: true, start: away.end, number: away.slots });
  expect(entry.slots[0]!.segments[0]![0]!.number).toBeGreaterThan(3);
});

test('an encoder that begins with the same numbers, names and dates again returns once it is seen to grow', () => {
  const both = (first: number, count: number) => reading(list(first, count), list(first, count));
  const readings = Array.from({ length: 50 }, (_, index) => both(2 * index, 8));
  const tail = startTail(logOf(readings, options, 4000))!;
  const at = tail.end.millis + tail.anchor.lag - FROM + 10_000;
  const away = tailAfter(tail, awayEntry(tail, undefined, frame(at), options)!);
  const again = both(0, 8);
  expect(nextEntry(away, { ...again, isUnproven: true }, frame(at + 2500), options)).toBeUndefined();
  const entry = nextEntry(away, again, frame(at + 2500), options)!;
  expect(entry.slots[0]).toMatchObject({ isNewStretch: true, start: away.end });
  // What a cache lists a few segments late is in the log already.
  expect(nextEntry(away, both(94, 8), frame(at + 2500), options)).toBeUndefined();
});

test('slate continues a timeline that restarts have put far behind the clock', () => {
  const readings = Array.from({ length: 60 }, (_, index) => reading(list(index, 8), list(index, 8)));
  const tail = startTail(logOf(readings, options, 4000))!;
  expect(tail.ahead).toBeLessThan(-options.history);
  const { slots } = awayEntry(tail, undefined, frame(tail.contentAt - FROM + 7000), options)!;
  const starts = slots.map(({ start, missed }) => [millisBetween(tail.end, start), missed]);
  expect(starts.length).toBeLessThanOrEqual(7000 / options.target + 2);
  expect(starts).toEqual(starts.map((_, index) => [index * options.target, undefined]));
});
