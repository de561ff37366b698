// SPDX-License-Identifier: Apache-2.0
// How the segments that a rendition lists relate to those in the log. Origins list an older edge when a cache or another node
// answers, and they restart: with lower numbers, or with the same numbers for other media.
import { defined, invariant, isNonEmpty, lastOf } from '../../invariant.ts';
import { FLICKS_PER_MILLI, type Millis } from '../../time/units.ts';
import { type Instant, ofRung } from '../../timeline/programme/span.ts';
import type { OriginReading, OriginSegment } from '../origin.ts';
import { type EntryFrame, lengthOf, type Slot, type SlotSegment, segmentsOf } from '../slot.ts';
import { isEmptyText } from './alignOptions.ts';
import type { Known } from './findStart.ts';
import { dateOf, instantOf, millisBetween } from './originDates.ts';
import { indexAfter, nameOf, type SegmentList, segmentAt } from './segmentLists.ts';
import { newestSegment, SMALL_STEP, type Tail } from './tail.ts';

export type Relation =
  /** `index`: the first segment that is not in the log; the length of the list if all are */
  | { readonly kind: 'next'; readonly index: number }
  /** the origin no longer lists segments that are not in the log */
  | { readonly kind: 'hole'; readonly missed: number }
  /** numbers start again */
  | { readonly kind: 'reset' };

type Logged = { readonly segment: SlotSegment; readonly slot: Slot; readonly index: number };

/** Milliseconds. Two packagers of one programme may state dates that differ a little; a restart moves them further. */
const SAME_DATE = 2000;
const SAME_DATE_AND_NAME = 10_000;
/** Without dates, an edge that is older by more segments (and by more than the window) is a restart. */
const OLDEST_EDGE = 10;
/** Without dates, an edge that is older by this many segments is a restart if the log has not grown for `STALE`. */
const STALE_EDGE = 4;
const STALE = 30_000;
/** Milliseconds by which an edge that moves may be older than the log. */
const MOST_LATE = 60_000;
/** The share by which the age of a very old edge may differ from the expected one. */
const AGE_ERROR = 0.25;
/** Numbers that jump further are counted in another way. */
const MOST_MISSED = 10_000_000;

/** @param now the clock when it was read @param isGrowing slate is on air, and the origin lists new segments */
function relateToLog(
  list: SegmentList,
  tail: Tail,
  rung: number,
  { now, isGrowing = false }: { readonly now: Millis; readonly isGrowing?: boolean },
): Relation {
  const last = newestSegment(tail, rung).number;
  const first = list[0];
  if (first === undefined) return { kind: 'next', index: 0 };
  const next = indexAfter(list, last);
  if (next === 0) {
    const missed = first.number - last - 1;
    if (missed === 0) return { kind: 'next', index: 0 };
    return missed > MOST_MISSED ? { kind: 'reset' } : { kind: 'hole', missed };
  }
  const newest = segmentAt(list, next - 1);
  const age = last - newest.number;
  // No cache is so late. An encoder without a clock may use its numbers, names and dates again.
  if (isGrowing && (age * newest.duration) / FLICKS_PER_MILLI > MOST_LATE) return { kind: 'reset' };
  const logged = findLogged(tail, rung, newest.number);
  const isOurs =
    logged === undefined
      ? isVeryOld(newest, age, tail)
      : isSame(newest, logged, tail, { age, now, listed: list.length }) || isProven(list, next, tail, rung, now);
  return isOurs ? { kind: 'next', index: next } : { kind: 'reset' };
}

/** The newest segment in the log with this number, since numbers last started again. */
export function findLogged(tail: Tail, rung: number, number: number): Logged | undefined {
  let following = Number.POSITIVE_INFINITY;
  for (const slot of tail.recent.toReversed()) {
    const segments = segmentsOf(slot, rung);
    invariant(isNonEmpty(segments), 'a slot with content has a segment of each rung');
    if (lastOf(segments).number >= following) return undefined;
    following = segments[0].number;
    for (const [index, segment] of segments.entries()) if (segment.number === number) return { segment, slot, index };
    if (following < number) return undefined;
  }
  return undefined;
}

function isSame(
  segment: OriginSegment,
  logged: Logged,
  tail: Tail,
  { age, now, listed }: { readonly age: number; readonly now: Millis; readonly listed: number },
): boolean {
  const isSameName = nameOf(segment.media) === nameOf(logged.segment.media);
  const date = dateOf(segment);
  const { slot, index } = logged;
  if (date === undefined || slot.originDate === undefined || tail.shift === undefined) {
    if (logged.segment.isGap) return true;
    const isStale = age >= STALE_EDGE && now - tail.readAt > STALE;
    return isSameName && !isStale && age <= Math.max(OLDEST_EDGE, listed);
  }
  const rung = slot.segments.find((segments) => segments[index] === logged.segment);
  const own = defined(rung, 'a segment is in its slot');
  return dateDifference(slot.originDate, own, index, date) <= (isSameName ? SAME_DATE_AND_NAME : SAME_DATE);
}

/** Milliseconds between a date and that of a segment of a slot. @param own the segments of its rung in the slot */
function dateDifference(originDate: Millis, own: readonly SlotSegment[], index: number, date: Instant): number {
  return Math.abs(millisBetween(instantOf(originDate), date) - lengthOf(own.slice(0, index)) / FLICKS_PER_MILLI);
}

/**
 * An origin's clock may jump while its numbers continue. The segments are those of the log if so much of it is listed again,
 * with the same numbers, names and durations, that an encoder could not have made it since the log was written.
 */
function isProven(list: SegmentList, next: number, tail: Tail, rung: number, now: Millis): boolean {
  let left = now - tail.readAt;
  for (let index = next - 1; index >= 0 && left >= 0; index -= 1) {
    const { number, media, duration } = segmentAt(list, index);
    const logged = findLogged(tail, rung, number)?.segment;
    if (logged === undefined || nameOf(logged.media) !== nameOf(media)) return false;
    if (Math.abs(logged.duration - duration) > FLICKS_PER_MILLI) return false;
    left -= duration / FLICKS_PER_MILLI;
  }
  return left < 0;
}

/** An edge from before the remembered slots: its date must fit its number. Without a date it is a restart. */
function isVeryOld(segment: OriginSegment, age: number, { recent, end, shift }: Tail): boolean {
  const date = dateOf(segment);
  if (date === undefined || shift === undefined) return false;
  invariant(isNonEmpty(recent), 'what is compared with a log has content in it');
  const [first, last] = [recent[0], lastOf(recent)];
  const slots = Math.max(1, last.number - first.number);
  const perSlot = millisBetween(first.start, recent.length === 1 ? end : last.start) / slots;
  const expected = (age + 1) * perSlot;
  const stated = millisBetween(date, end) - shift;
  return Math.abs(stated - expected) <= expected * AGE_ERROR + SAME_DATE_AND_NAME;
}

/** Slots that are compared. */
const ALIKE = 8;

/** Numbers of another source mean nothing, and a log that began with slate has none. */
export function relationsOf(
  tail: Tail,
  lists: readonly SegmentList[],
  { readAt: now, source, isUnproven = false }: EntryFrame & Pick<OriginReading, 'isUnproven'>,
): Relation[] {
  if (tail.source !== source || tail.recent[0]?.segments.length !== lists.length)
    return lists.map(() => ({ kind: 'reset' }));
  const isGrowing = tail.awaySince !== undefined && !isUnproven;
  return lists.map((list, rung) => relateToLog(list, tail, rung, { now, isGrowing }));
}

export const knownOf =
  (tail: Tail, lists: readonly SegmentList[], relations: readonly Relation[]) =>
  (rung: number): Known => {
    const other = ofRung(relations, rung);
    const isReset = ofRung(relations, 0).kind === 'reset' || other.kind === 'reset';
    return {
      ...(isReset ? {} : { offset: offsetOf(tail, rung) }),
      isLogged: other.kind === 'next' && other.index >= ofRung(lists, rung).length,
    };
  };

/** The difference of numbers, if each slot has as many segments of the rung as of the first rung. */
function offsetOf(tail: Tail, rung: number): number | undefined {
  const last = newestSegment(tail, rung);
  if (isEmptyText(last)) return undefined;
  const isAlike = tail.recent.slice(-ALIKE).every(({ segments }) => segments[rung]?.length === segments[0]?.length);
  return isAlike ? last.number - newestSegment(tail, 0).number : undefined;
}

// Segments that an MPD addresses by time have no number, so each reader counts them from where it began. The numbers of a reading are
// moved to those of the log, so that all processes list a segment once.

/** An edge that is older by more slots is compared by its own numbers. */
const MOST_BEHIND = 32;

export function numberAsLogged(tail: Tail | undefined, reading: OriginReading): OriginReading {
  const known = tail?.recent[0];
  // A log that began with slate has no segment to compare with.
  if (tail === undefined || known?.segments.length !== reading.renditions.length) return reading;
  const offsets = reading.renditions.map(({ segments }, rung) => loggedOffset(segments, tail, rung));
  if (offsets.every((offset) => offset === 0)) return reading;
  const moved = <Numbered extends { readonly number: number }>(list: readonly Numbered[], by: number): Numbered[] =>
    list.map((one) => ({ ...one, number: one.number + by }));
  return {
    ...reading,
    renditions: reading.renditions.map((one, rung) => ({
      ...one,
      segments: moved(one.segments, ofRung(offsets, rung)),
    })),
    // Signals have the numbers of the first rendition.
    signals: moved(reading.signals, ofRung(offsets, 0)),
  };
}

/** How much greater the numbers of the log are; 0 if no segment of it is listed. */
function loggedOffset(list: SegmentList, tail: Tail, rung: number): number {
  if (newestSegment(tail, rung).mediaTime === undefined || list[0]?.mediaTime === undefined) return 0;
  for (const slot of tail.recent.slice(-MOST_BEHIND).reverse()) {
    const own = segmentsOf(slot, rung);
    for (const [index, logged] of [...own.entries()].reverse()) {
      const same = list.findLast((segment) => isSameMedia(segment, logged, slot, index, own));
      if (same !== undefined) return logged.number - same.number;
    }
  }
  return 0;
}

function isSameMedia(
  segment: OriginSegment,
  logged: SlotSegment,
  { originDate }: Slot,
  index: number,
  own: readonly SlotSegment[],
): boolean {
  if (segment.mediaTime !== logged.mediaTime || nameOf(segment.media) !== nameOf(logged.media)) return false;
  // An encoder that restarts may use times and names again.
  const date = dateOf(segment);
  return date !== undefined && originDate !== undefined && dateDifference(originDate, own, index, date) <= SMALL_STEP;
}
