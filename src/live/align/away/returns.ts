// SPDX-License-Identifier: Apache-2.0
// Content begins again after slate, or with another origin.

import { defined } from '../../../invariant.ts';
import { FLICKS_PER_MILLI, type Millis } from '../../../time/units.ts';
import { type Instant, ofRung } from '../../../timeline/programme/span.ts';
import type { OriginReading } from '../../origin.ts';
import type { EntryFrame } from '../../slot.ts';
import type { AlignOptions } from '../alignOptions.ts';
import { type Cursor, findStart } from '../findStart.ts';
import { dateOf, instantOf, millisBetween, movedBy } from '../originDates.ts';
import { knownOf, type Relation, relationsOf } from '../relateToLog.ts';
import { durationOf, type SegmentList, segmentAt, usableLists, withinHistory } from '../segmentLists.ts';
import { SMALL_STEP, type Tail } from '../tail.ts';

export type Beginning = {
  /** Absent if there is nothing new, or a rendition lags too far. */
  readonly cursor: Cursor | undefined;
  readonly isFresh: boolean;
  readonly missed: number;
  /** Where the first slot starts, if content returns. */
  readonly startsAt?: Instant;
};

/** How a reading relates to a timeline whose end is not from the same origin. */
function returnOf(tail: Tail, own: SegmentList, relation: Relation, options: AlignOptions, readAt: Millis): Return {
  return { own, tail, readAt, from: relation.kind === 'next' ? relation.index : 0, options };
}

/** Content begins again after slate, or with another origin. */
export function returns(
  tail: Tail,
  lists: readonly SegmentList[],
  relations: readonly Relation[],
  options: AlignOptions,
  { readAt, isUnproven = false }: { readonly readAt: Millis; readonly isUnproven?: boolean | undefined },
): Beginning {
  const own = ofRung(lists, 0);
  const back = returnOf(tail, own, ofRung(relations, 0), options, readAt);
  // By the clock, what an origin has listed for a long time would be new.
  if (isUnproven && isByClock(back)) return { cursor: undefined, isFresh: true, missed: 0 };
  const first = firstAfter(back);
  const isFar = first < own.length && millisBetween(tail.end, startAfter(back, first)) > options.history;
  const from = isFar ? withinHistory(own, first, options.history) : first;
  const cursor = from < own.length ? findStart(lists, from, options, knownOf(tail, lists, relations)) : undefined;
  if (cursor === undefined) return { cursor, isFresh: true, missed: 0 };
  return { cursor, isFresh: true, missed: isFar ? 1 : 0, startsAt: startAfter(back, ofRung(cursor, 0).index) };
}

/**
 * The borders after the end of the timeline that an origin lists by its dates, without enough for a slot: slate should end at
 * one of them. Undefined if the reading states none.
 */
export function bordersAhead(
  tail: Tail,
  reading: OriginReading,
  frame: EntryFrame,
  options: AlignOptions,
): Instant[] | undefined {
  const lists = usableLists(reading);
  const own = lists[0];
  if (own === undefined || own.length === 0 || reading.isEnded) return undefined;
  const relation = ofRung(relationsOf(tail, lists, { ...frame, isUnproven: reading.isUnproven }), 0);
  return bordersAfter(returnOf(tail, own, relation, options, frame.readAt));
}

// Where content begins again after time without it, and where that of another origin begins: at the first border at or after the
// end of the timeline. By the dates of the origin, or by the clock if it has none, or if they make no sense.

/** Milliseconds that an origin may be ahead of where it was before. */
const MAX_AHEAD = 10_000;
/** Target durations, and a second for the reading, that an origin may be behind: the timeline waits for it. */
const MAX_BEHIND = 2.5;
const READING_MS = 1000;
/** Target durations that content may be ahead of the clock or behind it because it was read in another rhythm. */
const RHYTHM = 2;
/** Milliseconds: of a feed whose target duration is not stated. */
export const TARGET = 4000;

type Return = {
  readonly own: SegmentList;
  readonly tail: Tail;
  readonly readAt: Millis;
  /** The first segment that is not in the log. */
  readonly from: number;
  readonly options: AlignOptions;
};

/** How far a segment's place is from its date; undefined if places are by the clock. */
function shiftOf({ own, tail, readAt, options }: Return): number | undefined {
  const last = own.at(-1);
  const date = last && dateOf(last);
  if (last === undefined || date === undefined) return undefined;
  const shift = tail.shift ?? 0;
  const edge = instantOf(edgeAt(tail, readAt, options));
  const ahead = millisBetween(edge, date) + shift + last.duration / FLICKS_PER_MILLI;
  const behind = MAX_BEHIND * (options.target ?? TARGET) + READING_MS;
  return ahead >= -behind && ahead <= MAX_AHEAD ? shift : undefined;
}

/** The origin has no dates, or they make no sense. */
const isByClock = (back: Return): boolean => shiftOf(back) === undefined;

/**
 * Where the timeline should end by the clock. What was far from it stays so: viewers cannot wait for the clock, and to reach it the
 * timeline would have to leave out what they have not read.
 */
export function edgeAt({ anchor, ahead }: Tail, readAt: Millis, { target = TARGET }: AlignOptions): number {
  const rhythm = RHYTHM * target;
  return readAt - anchor.lag + ahead - Math.max(-rhythm, Math.min(rhythm, ahead));
}

/** Where the start of a segment is on the timeline. */
function placeOf(back: Return, index: number): Instant {
  const { own, tail, readAt, options } = back;
  const shift = shiftOf(back);
  const segment = own[index];
  const date = segment && dateOf(segment);
  if (shift !== undefined && date !== undefined) return movedBy(date, shift);
  const end = shift === undefined ? instantOf(edgeAt(tail, readAt, options)) : endOfDates(own, shift);
  return movedBy(end, -durationOf(own, index, own.length) / FLICKS_PER_MILLI);
}

function endOfDates(own: SegmentList, shift: number): Instant {
  const last = segmentAt(own, own.length - 1);
  const date = defined(dateOf(last), 'places by date have the date of the last segment');
  return movedBy(date, shift + last.duration / FLICKS_PER_MILLI);
}

/** Without dates, places are inexact, so the nearest border counts. */
function toleranceOf(back: Return, index: number): number {
  const half = segmentAt(back.own, index).duration / FLICKS_PER_MILLI / 2;
  return shiftOf(back) === undefined ? half : Math.min(half, SMALL_STEP);
}

/** The first segment that is used; the length of the list if none is yet. */
function firstAfter(back: Return): number {
  const { own, tail, from } = back;
  for (let index = from; index < own.length; index += 1) {
    if (millisBetween(tail.end, placeOf(back, index)) >= -toleranceOf(back, index)) return index;
  }
  return own.length;
}

/** Where content starts: nothing goes back, and small steps are none. */
function startAfter(back: Return, index: number): Instant {
  const { end } = back.tail;
  const place = placeOf(back, index);
  return millisBetween(end, place) <= toleranceOf(back, index) ? end : place;
}

/** The borders that an origin lists after the end of the timeline, which slate should end at; undefined without dates. */
function bordersAfter(back: Return): Instant[] | undefined {
  if (shiftOf(back) === undefined || back.from >= back.own.length) return undefined;
  const borders: Instant[] = [];
  for (let index = back.from; index <= back.own.length; index += 1) {
    const place = placeOf(back, index);
    if (millisBetween(back.tail.end, place) > SMALL_STEP) borders.push(place);
  }
  return borders;
}
