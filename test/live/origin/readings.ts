// SPDX-License-Identifier: Apache-2.0
// Readings of a live origin, written in a line each, and the logs that result from them.
import assert from 'node:assert/strict';
import type { AlignOptions } from '../../../src/live/align/alignOptions.ts';
import { nextEntry } from '../../../src/live/align/nextEntry.ts';
import { millisBetween } from '../../../src/live/align/originDates.ts';
import { startTail, type Tail, tailAfter } from '../../../src/live/align/tail.ts';
import type { OriginReading, OriginSegment, OriginSignal } from '../../../src/live/origin.ts';
import type { LiveEntry, LiveRules, Slot } from '../../../src/live/slot.ts';
import { flicks, millis, secondsToFlicks } from '../../../src/time/units.ts';
import { after, type Instant } from '../../../src/timeline/programme/span.ts';

export const FROM = Date.UTC(2026, 0, 1);
export const at = (seconds: number): Instant =>
  after({ millis: millis(FROM), rest: flicks(0) }, secondsToFlicks(seconds));
export const since = (instant: Instant): number => Math.round(millisBetween(at(0), instant)) / 1000;

type Stated = Partial<Omit<OriginSegment, 'startsAt'>> & { readonly date?: number | null; readonly seconds?: number };
/** Segments of `seconds` each, numbered from `first`; segment 0 starts at second 0. */
export const list = (
  first: number,
  count: number,
  { seconds = 2, ...common }: Stated = {},
  own: Record<number, Stated> = {},
): OriginSegment[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const { date = number * seconds, seconds: length = seconds, ...stated } = { ...common, ...own[number] };
    return {
      ...{ number, duration: secondsToFlicks(length), media: { url: `http://o.test/a/${number}.ts` }, stretch: '0' },
      ...(date === null ? {} : { startsAt: at(date) }),
      ...stated,
    };
  });
export const reading = (...renditions: OriginSegment[][]): OriginReading => ({
  renditions: renditions.map((segments, rung) => ({ key: `r${rung}`, segments })),
  ...{ signals: [], warnings: [], isEnded: false },
});
export const marked = (signals: readonly OriginSignal[], ...renditions: OriginSegment[][]): OriginReading => ({
  ...reading(...renditions),
  signals,
});
export const signal = (number: number, raw = '#EXT-X-CUE-OUT:30', offset = 0): OriginSignal => ({
  ...{ kind: 'out', source: raw.replace(/^#|:.*/g, ''), line: 3, raw, number, offset: secondsToFlicks(offset) },
});

export const OPTIONS: AlignOptions = { history: 90_000 };
export const RULES = { fill: 'slate', maxBreak: secondsToFlicks(180) } as const;
/** An entry that is written and shown so many milliseconds after `FROM`. */
export const frame = (ms: number) => ({ readAt: millis(FROM + ms), visibleAt: millis(FROM + ms), rules: RULES });

/** A log that grows by readings, one every 2 s unless stated. */
export function logOf(
  readings: readonly OriginReading[],
  options = OPTIONS,
  every = 2000,
  rules: LiveRules = RULES,
): LiveEntry[] {
  let tail: Tail | undefined;
  const entries: LiveEntry[] = [];
  for (const [index, one] of readings.entries()) {
    const readAt = millis(FROM + 20_000 + index * every);
    const entry = nextEntry(tail, one, { readAt, visibleAt: millis(readAt + 500), rules }, options);
    if (entry === undefined) continue;
    entries.push(entry);
    tail = tailAfter(tail, entry);
    assert.deepEqual(startTail(entries), tail);
  }
  return entries;
}
export const slotsOf = (...readings: OriginReading[]): Slot[] => logOf(readings).flatMap(({ slots }) => slots);
/** `*` a new stretch, `+n` missed, then the numbers by rung. */
export const text = ({ isNewStretch, missed, segments }: Slot): string =>
  `${isNewStretch ? '*' : ''}${missed === undefined ? '' : `+${missed} `}${segments
    .map((own) => own.map(({ number, isGap }) => `${number}${isGap ? 'g' : ''}`).join())
    .join('|')}`;
export const texts = (...readings: OriginReading[]): string[] => slotsOf(...readings).map(text);
export const signalsOf = (...readings: OriginReading[]): string[] =>
  logOf(readings).flatMap(({ signals }, entry) => signals.map((one) => `${entry}:${since(one.at)}`));
