// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { FROM, list, logOf, OPTIONS, RULES, reading, since } from '../../../test/live/origin/readings.ts';
import { millis } from '../../time/units.ts';
import { awayEntry } from './awayEntry.ts';
import { nextEntry } from './nextEntry.ts';
import { startTail, tailAfter } from './tail.ts';

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

test('slate does not wait for long for an origin that can be read, but has no border to continue at', () => {
  const tail = startTail(logOf([reading(list(0, 3), list(0, 3))], options))!;
  const at = tail.end.millis + tail.anchor.lag - FROM + 6000;
  const away = tailAfter(tail, awayEntry(tail, undefined, frame(at), options)!);
  const ahead = { reading: reading(list(10, 2), list(10, 2)), source: undefined };
  const later = (ms: number) => awayEntry(away, ahead, frame(at + ms), options)?.slots.length;
  expect([2000, 3900, 4000, 6500].map(later)).toEqual([undefined, undefined, 2, 3]);
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
