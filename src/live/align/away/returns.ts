// SPDX-License-Identifier: Apache-2.0
// Content begins again after slate, or with another origin.

import type { Millis } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import { ofRung } from '../../feed.ts';
import type { OriginReading } from '../../origin.ts';
import type { EntryFrame } from '../../slot.ts';
import type { AlignOptions } from '../alignOptions.ts';
import { type Cursor, findStart } from '../findStart.ts';
import { millisBetween } from '../originDates.ts';
import type { Relation } from '../relateToLog.ts';
import { knownOf, relationsOf } from '../relations.ts';
import { type SegmentList, usableLists, withinHistory } from '../segmentLists.ts';
import type { Tail } from '../tail.ts';
import { bordersAfter, firstAfter, isByClock, type Return, startAfter } from './afterAway.ts';

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
