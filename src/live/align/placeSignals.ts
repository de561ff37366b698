// SPDX-License-Identifier: Apache-2.0
// Places signals on the timeline, each once. A signal within segments that are not in a slot yet waits for them; one that is
// announced for later than what is listed is placed at once.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import { ofRung } from '../feed.ts';
import type { OriginReading, OriginSignal } from '../origin.ts';
import { type PlacedSignal, type Slot, segmentsOf } from '../slot.ts';
import { REACH } from './alignOptions.ts';
import { millisBetween } from './originDates.ts';
import { findLogged } from './relateToLog.ts';
import { durationOf, indexAfter, type SegmentList } from './segmentLists.ts';
import { endOf, TAIL_MEMORY, type Tail } from './tail.ts';

/** Milliseconds between two places of one signal: where a segment is its place, and where a date or a media time is. */
const SAME_SEGMENT = 20;
const SAME_TIME = 500;
/** A date range has an ID, but restarted encoders use IDs again. */
const SAME_RANGE = 30_000;
/** Signals that are further away are mistakes. */
const FURTHEST = 7 * 24 * 3_600_000 * FLICKS_PER_MILLI;

type Placing = {
  readonly tail: Tail | undefined;
  readonly own: SegmentList;
  readonly slots: readonly Slot[];
  readonly signals: readonly OriginSignal[];
  /** Indexes in `own`: the first segment of the first slot, and the first that is in no slot. */
  readonly first: number;
  readonly next: number;
  /** The slots do not continue the log. */
  readonly isFresh: boolean;
};

const isUsable = ({ number, offset }: OriginSignal): boolean =>
  Number.isSafeInteger(number) && Number.isFinite(offset) && Math.abs(offset) <= FURTHEST;

/** The numbers of segments of the first rung that have a signal at their start. */
export const markedNumbers = ({ signals }: OriginReading): ReadonlySet<number> =>
  new Set(
    signals
      .filter((signal) => signal.kind !== 'unread' && isUsable(signal) && Math.abs(signal.offset) <= REACH)
      .map(({ number }) => number),
  );

export function placeSignals(placing: Placing): PlacedSignal[] {
  const { tail, slots, signals } = placing;
  const last = slots.at(-1);
  const end = last === undefined ? tail?.end : endOf(last);
  if (signals.length === 0 || end === undefined) return [];
  const placeOf = places(placing, end);
  const known = new Map<string, Instant[]>();
  for (const signal of tail?.signals ?? []) remember(known, signal);
  const placed: PlacedSignal[] = [];
  for (const signal of signals) {
    const at = isUsable(signal) ? placeOf(signal) : undefined;
    if (at === undefined) continue;
    const { number: _number, offset, ...rest } = signal;
    const here: PlacedSignal = { ...rest, at };
    if (isKnown(known, here, offset !== 0)) continue;
    remember(known, here);
    placed.push(here);
  }
  return placed.sort((a, b) => millisBetween(b.at, a.at));
}

/** One tag may state several things. Its line changes as the window moves. What is quoted of an `Event` has no length. */
const keyOf = ({ source, kind, id, rank, raw, duration }: PlacedSignal): string =>
  JSON.stringify([source, kind, id, rank, raw, duration]);

function remember(known: Map<string, Instant[]>, signal: PlacedSignal): void {
  const key = keyOf(signal);
  const instants = known.get(key);
  if (instants === undefined) known.set(key, [signal.at]);
  else instants.push(signal.at);
}

function isKnown(known: ReadonlyMap<string, readonly Instant[]>, signal: PlacedSignal, isTimed: boolean): boolean {
  const instants = known.get(keyOf(signal));
  if (instants === undefined) return false;
  const near = /DATERANGE/.test(signal.source) ? SAME_RANGE : isTimed ? SAME_TIME : SAME_SEGMENT;
  return instants.some((at) => Math.abs(millisBetween(at, signal.at)) <= near);
}

function places(
  { tail, own, slots, first, next, isFresh }: Placing,
  end: Instant,
): (signal: OriginSignal) => Instant | undefined {
  const starts = startsOf(slots);
  // What a fresh beginning waits for has no place yet.
  const isOpen = !isFresh || slots.length > 0;
  const listedEnd = after(end, durationOf(own, next, own.length));
  const isPast = (at: Instant): boolean => millisBetween(at, end) >= -1;
  const isFuture = (at: Instant): boolean => millisBetween(listedEnd, at) >= -1;

  const startOf = (number: number): Instant | undefined => {
    const index = indexAfter(own, number - 1);
    const segment = own[index];
    if (segment !== undefined && segment.number !== number) return undefined;
    if (segment === undefined && number !== (own.at(-1)?.number ?? Number.NaN) + 1) return undefined;
    const known = starts.get(number);
    if (known !== undefined) return known;
    if (tail !== undefined && !isFresh) {
      const logged = findLogged(tail, 0, number);
      if (logged !== undefined) {
        const { slot, index: place } = logged;
        return after(
          slot.start,
          segmentsOf(slot, 0)
            .slice(0, place)
            .reduce((sum, { duration }) => sum + duration, 0),
        );
      }
    }
    if (index >= next) return isOpen ? after(end, durationOf(own, next, index)) : undefined;
    return slots[0] !== undefined && isFresh ? after(slots[0].start, -durationOf(own, index, first)) : undefined;
  };

  const isForgotten = (at: Instant): boolean => {
    if (tail === undefined) return false;
    // A break that began while the origin was away may go on.
    if (isFresh && millisBetween(at, tail.awaySince ?? tail.end) > SAME_SEGMENT) return true;
    const oldest = tail.recent[0]?.start ?? tail.awaySince ?? tail.end;
    return millisBetween(at, end) > TAIL_MEMORY || millisBetween(at, oldest) > SAME_SEGMENT;
  };

  return (signal) => {
    const start = startOf(signal.number);
    if (start === undefined) return undefined;
    const at = after(start, Math.round(signal.offset));
    // A node that starts when a break does has to find it in the end of the log. Origins repeat what they announce ahead.
    if (millisBetween(end, at) > TAIL_MEMORY) return undefined;
    return isForgotten(at) || (!isPast(at) && !isFuture(at)) ? undefined : at;
  };
}

/** The starts of the first rung's segments in new slots, by number. */
function startsOf(slots: readonly Slot[]): Map<number, Instant> {
  const starts = new Map<number, Instant>();
  for (const { start, segments } of slots) {
    let passed = 0;
    for (const { number, duration } of ofRung(segments, 0)) {
      starts.set(number, after(start, passed));
      passed += duration;
    }
  }
  return starts;
}
