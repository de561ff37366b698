// SPDX-License-Identifier: Apache-2.0
// Content begins again after slate, or with another origin.
import type { Millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import { firstAfter, type Return, startAfter } from './afterAway.ts';
import type { AlignOptions } from './alignOptions.ts';
import { type Cursor, findStart } from './findStart.ts';
import { millisBetween } from './originDates.ts';
import type { Relation } from './relateToLog.ts';
import { knownOf } from './relations.ts';
import { type SegmentList, withinHistory } from './segmentLists.ts';
import type { Tail } from './tail.ts';

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
  const from = relation.kind === 'next' ? relation.index : 0;
  return { own, tail, readAt, from, isContinued: relation.kind !== 'reset', options };
}

/** Content begins again after slate, or with another origin. */
export function returns(
  tail: Tail,
  lists: readonly SegmentList[],
  relations: readonly Relation[],
  options: AlignOptions,
  readAt: Millis,
): Beginning {
  const own = lists[0]!;
  const back = returnOf(tail, own, relations[0]!, options, readAt);
  const first = firstAfter(back);
  const isFar = first < own.length && millisBetween(tail.end, startAfter(back, first)) > options.history;
  const from = isFar ? withinHistory(own, first, options.history) : first;
  const cursor = from < own.length ? findStart(lists, from, options, knownOf(tail, lists, relations)) : undefined;
  if (cursor === undefined) return { cursor, isFresh: true, missed: 0 };
  return { cursor, isFresh: true, missed: isFar ? 1 : 0, startsAt: startAfter(back, cursor[0]!.index) };
}
