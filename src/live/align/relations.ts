// SPDX-License-Identifier: Apache-2.0
// What the log tells about the renditions of a reading.
import { ofRung } from '../feed.ts';
import type { OriginReading } from '../origin.ts';
import type { EntryFrame } from '../slot.ts';
import { isEmptyText } from './emptyText.ts';
import type { Known } from './findStart.ts';
import { type Relation, relateToLog } from './relateToLog.ts';
import type { SegmentList } from './segmentLists.ts';
import { newestSegment, type Tail } from './tail.ts';

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
