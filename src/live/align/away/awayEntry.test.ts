// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import {
  FROM,
  frame,
  at as instantAt,
  list,
  logOf,
  OPTIONS,
  reading,
  since,
} from '../../../../test/live/origin/readings.ts';
import type { OriginReading } from '../../origin.ts';
import { nextEntry } from '../nextEntry.ts';
import { millisBetween } from '../originDates.ts';
import { startTail, type Tail, tailAfter } from '../tail.ts';
import { awayEntry } from './awayEntry.ts';

const options = { ...OPTIONS, history: 90_000, target: 2000, rungs: 2, reason: 'The origin returned 503.' };

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

/** An encoder: the length of its segments, when it started, and by how much its dates are wrong. All in seconds. */
type Run = { readonly seconds: number; readonly from: number; readonly error: number };

/** What its origin lists, `late` seconds after the end of each segment. */
function listedAt(second: number, { seconds, from, error }: Run, late = 0) {
  const count = Math.floor((second - late - from) / seconds);
  const first = Math.max(0, count - 8);
  const all = list(first, count - first, { seconds, stretch: `${from}` }).map((one) => ({
    ...one,
    number: one.number + 10_000 - 50 * from,
    startsAt: instantAt(from + one.number * seconds + error),
    media: { url: `http://o.test/${from}-${one.number}.ts` },
  }));
  return reading(all, all);
}

type Outage = { readonly run: Run; readonly tail: Tail; readonly lastEntry: number; readonly still: number };

/** An origin is read once a second and fails from 100 s to 130 s. Its encoder has restarted at 70 s if its dates are wrong. */
function outageOf(seconds: number, error: number): Outage {
  const first: Run = { seconds, from: 0, error: 0 };
  const run: Run = error === 0 ? first : { seconds, from: 70, error };
  let tail: Tail | undefined;
  let [lastEntry, still] = [60, 0];
  for (let second = 60.3; second < 130; second += 1) {
    const found = second < 100 ? listedAt(second, second < run.from + 2 * seconds ? first : run) : undefined;
    const content = found && nextEntry(tail, found, frame(1000 * second), { ...options, target: 1000 * seconds });
    const entry = content ?? slateAt(second, seconds, tail, found);
    if (entry === undefined) continue;
    if (second >= 100) still = Math.max(still, second - lastEntry);
    [tail, lastEntry] = [tailAfter(tail, entry), second];
  }
  return { run, tail: tail!, lastEntry, still };
}

/** Slate is on air after three target durations without content. */
function slateAt(second: number, seconds: number, tail: Tail | undefined, found: OriginReading | undefined) {
  const isAway = tail && (tail.awaySince !== undefined || FROM + 1000 * (second - 3 * seconds) > tail.contentAt);
  const known = found && { reading: found, source: undefined };
  return isAway ? awayEntry(tail, known, frame(1000 * second), { ...options, target: 1000 * seconds }) : undefined;
}

/** Seconds until content is back, and the longest time in which nothing was added since the outage began. */
function returnOf(outage: Outage, run: Run, late = 0): { readonly back: number; readonly still: number } {
  let { tail, lastEntry, still } = outage;
  for (let second = 130.3; second < 200; second += 1) {
    const found = listedAt(second, run, late);
    const content = nextEntry(tail, found, frame(1000 * second), { ...options, target: 1000 * run.seconds });
    const entry = content ?? slateAt(second, run.seconds, tail, found);
    if (entry === undefined) continue;
    still = Math.max(still, second - lastEntry);
    if (content !== undefined) return { back: second - 130, still };
    [tail, lastEntry] = [tailAfter(tail, entry), second];
  }
  return { back: Number.POSITIVE_INFINITY, still };
}

test.each([1, 2, 4, 6])('an origin with segments of %i s that is later than before its outage returns', (seconds) => {
  const outage = outageOf(seconds, 0);
  for (let late = 0; late <= 30; late += 0.5) {
    const { back, still } = returnOf(outage, outage.run, late);
    expect(back, `${late} s late`).toBeLessThan(4 * seconds + 2);
    expect(still, `${late} s late`).toBeLessThan(4.5 * seconds + 2);
  }
});

test.each([1, 2, 4, 6])('an origin with segments of %i s that has other dates after its outage returns', (seconds) => {
  // With the last one, dates and numbers after the outage state the same: segments that are more than half an hour old.
  for (const before of [0, 7, 14, 25, -14, -100, 2000 * seconds]) {
    const outage = outageOf(seconds, before);
    for (let error = -40; error <= 40; error += 1) {
      const { back, still } = returnOf(outage, error === before ? outage.run : { seconds, from: 110, error });
      expect(back, `${before} s, then ${error} s`).toBeLessThan(4 * seconds + 2);
      expect(still, `${before} s, then ${error} s`).toBeLessThan(4.5 * seconds + 2);
    }
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
