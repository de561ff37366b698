// SPDX-License-Identifier: Apache-2.0
// Places signals on the timeline, each once. A signal within segments that are not in a slot yet waits for them; one that is
// announced for later than what is listed is placed at once.

import { type Attributes, readAttributes } from '../../hls/attributes.ts';
import { groupBy } from '../../invariant.ts';
import { isOfBreak } from '../../markers/markerSignal.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { after, compareInstants, type Instant, ofRung } from '../../timeline/programme/span.ts';
import type { OriginReading, OriginSignal } from '../origin.ts';
import { lengthOf, type PlacedSignal, type Slot, segmentsOf } from '../slot.ts';
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
  const known = groupBy(tail?.signals ?? [], keyOf);
  const placed: PlacedSignal[] = [];
  for (const signal of signals) {
    const at = isUsable(signal) ? placeOf(signal) : undefined;
    if (at === undefined) continue;
    const { number: _number, offset, ...rest } = signal;
    const here: PlacedSignal = { ...rest, at };
    const same = known.get(keyOf(here)) ?? [];
    if (isKnown(same, here, offset !== 0)) continue;
    known.set(keyOf(here), [here, ...same]);
    placed.push(here);
  }
  return placed.sort((a, b) => compareInstants(a.at, b.at));
}

/** One tag may state several things. Its line changes as the window moves. What is quoted of an `Event` has no length. */
const keyOf = ({ source, kind, id, rank, raw, duration }: PlacedSignal): string =>
  JSON.stringify([source, kind, id, rank, raw, duration]);

function isKnown(same: readonly PlacedSignal[], { source, at }: PlacedSignal, isTimed: boolean): boolean {
  const near = /DATERANGE/.test(source) ? SAME_RANGE : isTimed ? SAME_TIME : SAME_SEGMENT;
  return same.some((one) => Math.abs(millisBetween(one.at, at)) <= near);
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
        return after(slot.start, lengthOf(segmentsOf(slot, 0).slice(0, place)));
      }
    }
    if (index >= next) return isOpen ? after(end, durationOf(own, next, index)) : undefined;
    return slots[0] !== undefined && isFresh ? after(slots[0].start, -durationOf(own, index, first)) : undefined;
  };

  const isForgotten = (at: Instant): boolean => {
    if (tail === undefined) return false;
    // A break that began while the origin was unavailable may go on.
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

// Gives new slots the marker tags that a channel passes on: each tag as the origin wrote it, at the nearest start of a slot,
// where breaks start and end too. What is logged does not change, so tags for earlier slots are left out (law 1).

/** @param placed those that were not logged before */
export function markSlots(tail: Tail | undefined, slots: readonly Slot[], placed: readonly PlacedSignal[]): Slot[] {
  const logged = tail?.signals.filter(isOfBreak) ?? [];
  const signals = placed.filter(isOfBreak);
  const isNews = rangeFilter(tail?.recent ?? []);
  let before = tail?.recent.at(-1);
  return slots.map((slot) => {
    const isHere = placedAt(slot, before);
    before = slot;
    const ahead = logged.filter(
      (one, index) => isHere(one) && !isWithdrawn(one, [...logged.slice(index + 1), ...signals]),
    );
    const texts = inOrder(ahead, signals.filter(isHere)).map(({ raw }) => raw.replace(/[\r\n]+/g, ''));
    // One tag may be several signals, and signals of DASH have no tags.
    const tags = [...new Set(texts)].filter((text) => text.startsWith('#EXT') && isNews(text));
    return tags.length === 0 ? slot : { ...slot, tags };
  });
}

/** Each instant belongs to one slot: the one with the nearest start. */
function placedAt({ start, duration }: Slot, before: Slot | undefined): (signal: PlacedSignal) => boolean {
  const half = (length: number): number => length / 2 / FLICKS_PER_MILLI;
  return ({ at }) => {
    const late = millisBetween(start, at);
    return late >= -half(before?.duration ?? duration) && late < half(duration);
  };
}

/** A date range that was announced ahead may be cancelled or moved before its time. */
function isWithdrawn({ source, id, kind, at }: PlacedSignal, later: readonly PlacedSignal[]): boolean {
  if (source !== 'EXT-X-DATERANGE' || id === undefined) return false;
  return later.some(
    (one) => one.id === id && (one.kind === 'cancel' ? millisBetween(one.at, at) >= 0 : one.kind === kind),
  );
}

/** The end of a break precedes the start of the next one, also if that was announced earlier. */
function inOrder(ahead: readonly PlacedSignal[], own: readonly PlacedSignal[]): readonly PlacedSignal[] {
  if (ahead.length === 0) return own;
  const isEnd = ({ kind }: PlacedSignal): boolean => kind === 'in';
  return [...own.filter(isEnd), ...ahead, ...own.filter((signal) => !isEnd(signal))];
}

const RANGE = '#EXT-X-DATERANGE:';

/**
 * Date ranges are listed once. A further tag of one may add attributes, but not change any (RFC 8216bis §4.4.5.1).
 * @returns whether a tag is not a date range, or adds something to what is known of it
 */
function rangeFilter(listed: readonly Slot[]): (tag: string) => boolean {
  const known = new Map<string, Attributes>();
  function isNews(tag: string): boolean {
    if (!tag.startsWith(RANGE)) return true;
    const { attributes } = readAttributes(tag.slice(RANGE.length));
    const id = attributes.get('ID')?.value ?? tag;
    const before = known.get(id);
    const added = [...attributes].filter(([name]) => before?.has(name) !== true);
    const isSame = [...attributes].every(([name, { value }]) => (before?.get(name)?.value ?? value) === value);
    if (added.length === 0 || !isSame) return false;
    known.set(id, new Map([...(before ?? []), ...added]));
    return true;
  }
  for (const { tags } of listed) tags?.forEach(isNews);
  return isNews;
}
