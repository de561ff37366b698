// SPDX-License-Identifier: Apache-2.0
// The next entry during an outage of its origin: slots without content, up to where the timeline would be by the clock.
import { FLICKS_PER_MILLI, flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { OriginReading } from '../../origin.ts';
import type { EntryFrame, LiveEntry, Slot } from '../../slot.ts';
import type { AlignOptions } from '../alignOptions.ts';
import { instantOf, millisBetween } from '../originDates.ts';
import type { Tail } from '../tail.ts';
import { bordersAhead, edgeAt } from './returns.ts';

type AwayOptions = AlignOptions & {
  /** Milliseconds: the length of a slot. */
  readonly target: number;
  readonly rungs: number;
  /** One sentence; recorded with the entry that begins. */
  readonly reason: string;
};

/** Target durations that players need, and by which a timeline without any content is behind the clock. */
const WINDOW = 6;
const LAG = 3;
/** Milliseconds. A shorter slot is not worth an entry. */
const SHORTEST = 40;

type AwayReading = { readonly reading: OriginReading; readonly source: string | undefined };

/**
 * @param tail absent if the life has had no content
 * @param reading of an origin that can be read, but has nothing to list yet
 * @returns undefined if the timeline has reached the clock
 */
export function awayEntry(
  tail: Tail | undefined,
  reading: AwayReading | undefined,
  frame: EntryFrame,
  options: AwayOptions,
): LiveEntry | undefined {
  const { target, history } = options;
  const lag = tail?.anchor.lag ?? LAG * target;
  const clock = frame.readAt - lag;
  const paced = tail === undefined ? clock : edgeAt(tail, frame.readAt, options);
  const isFar = tail === undefined || paced - tail.end.millis > history;
  const edge = isFar ? clock : paced;
  const start = isFar ? instantOf(edge - Math.min(history, WINDOW * target)) : tail.end;
  const borders = isFar || tail.awaySince === undefined ? undefined : ahead(tail, reading, frame, options);
  const lengths = borders === undefined ? whole(start, edge, target) : upTo(start, borders, edge, target);
  const [first, ...rest] = awaySlots(tail?.slots ?? 0, start, lengths, options.rungs);
  if (first === undefined) return undefined;
  const skip = isFar ? { isNewStretch: true, ...(tail === undefined ? {} : { missed: 1 }) } : {};
  const isBeginning = tail?.awaySince === undefined || isFar;
  return {
    number: tail?.entries ?? 0,
    ...frame,
    anchor: tail?.anchor ?? { start, lag },
    ...(isBeginning ? { awayReason: options.reason } : {}),
    slots: [{ ...first, ...skip }, ...rest],
    signals: [],
  };
}

const ahead = (tail: Tail, known: AwayReading | undefined, frame: EntryFrame, options: AlignOptions) =>
  known &&
  bordersAhead(tail, known.reading, known.source === undefined ? frame : { ...frame, source: known.source }, options);

/** Milliseconds of each slot. */
const whole = (start: Instant, edge: number, target: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((edge - start.millis) / target)) }, () => target);

/**
 * Up to the last border that the clock has reached, so that content begins there without a gap. Without borders, the origin is
 * about to reach the end of the timeline.
 */
function upTo(start: Instant, borders: readonly Instant[], edge: number, target: number): number[] {
  if (borders.length === 0) return [];
  const end = borders.findLast(({ millis }) => millis <= edge + target / 2);
  if (end === undefined) return whole(start, edge, target);
  const length = millisBetween(start, end);
  return length < SHORTEST ? [] : evenLengths(length, target);
}

/**
 * @param number of the first slot
 * @param lengths milliseconds of each slot, with a fraction: they add up to the flick
 * @param rungs the number of rungs of the feed
 */
export function awaySlots(number: number, start: Instant, lengths: readonly number[], rungs: number): Slot[] {
  const slots: Slot[] = [];
  let at = start;
  for (const length of lengths) {
    const duration = flicks(Math.round(length * FLICKS_PER_MILLI));
    slots.push({
      number: number + slots.length,
      start: at,
      duration,
      isNewStretch: false,
      isAway: true,
      segments: Array.from({ length: rungs }, () => []),
    });
    at = after(at, duration);
  }
  return slots;
}

/**
 * Milliseconds of each slot of a known time. Slots are about as long as segments, because breaks start and end at
 * borders of slots.
 */
export function evenLengths(length: number, target: number): number[] {
  const count = Math.max(1, Math.round(length / target));
  const each = Math.floor(length / count);
  return Array.from({ length: count }, (_, index) => (index < count - 1 ? each : length - each * (count - 1)));
}
