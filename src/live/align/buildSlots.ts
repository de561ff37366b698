// SPDX-License-Identifier: Apache-2.0
// Slots as values, from the segments that were cut for them.
import { FLICKS_PER_MILLI, flicks, type Millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { OriginSegment } from '../origin.ts';
import type { Slot, SlotSegment } from '../slot.ts';
import { type AlignOptions, REACH } from './alignOptions.ts';
import { continuesMedia } from './continuesMedia.ts';
import type { Cut } from './cutSlots.ts';
import { type EmptyText, isEmptyText } from './emptyText.ts';
import { exactMisfit } from './findStart.ts';
import { dateOf, roundedDate } from './originDates.ts';
import { durationOf, isSameRef, nameOf, type SegmentList, startsStretch } from './segmentLists.ts';
import { latestStart, slewOf, startOfStretch } from './slotTimes.ts';
import { endOf, shiftAfter, type Tail } from './tail.ts';

export type Building = {
  readonly lists: readonly SegmentList[];
  readonly tail: Tail | undefined;
  /** The first slot does not continue the log. */
  readonly isFresh: boolean;
  /** Segments of the first rung that are missing before the first slot. */
  readonly missed: number;
  /** When the first slot starts, if content returns. */
  readonly startsAt?: Instant;
  /** When the first slot starts, if the origin has no dates. */
  readonly byClock: Instant;
  readonly elapsed: number;
  readonly readAt: Millis;
} & Pick<AlignOptions, 'emptyTexts' | 'timescales'>;

export function buildSlots(building: Building, cuts: readonly Cut[]): Slot[] {
  const { lists, tail, isFresh, byClock, elapsed, readAt } = building;
  const own = lists[0]!;
  const slots: Slot[] = [];
  let shift = tail?.shift;
  let end = tail?.end;
  for (const [at, cut] of cuts.entries()) {
    const before = slots.at(-1) ?? tail?.recent.at(-1);
    const { index } = cut.start[0]!;
    const first = own[index]!;
    const date = dateOf(first);
    const isNewStretch = before === undefined || (at === 0 && isFresh) || changes(building, cut, before, slots);
    const start: Instant =
      end === undefined
        ? (date ?? byClock)
        : at === 0 && building.startsAt !== undefined
          ? building.startsAt
          : isNewStretch
            ? startOfStretch({
                ...{ end, shift, date, elapsed, byClock: at === 0 && isFresh ? byClock : undefined },
                latest:
                  tail && latestStart(readAt, durationOf(own, index, own.length) / FLICKS_PER_MILLI, tail.anchor.lag),
              })
            : end;
    const length = durationOf(own, index, cut.end[0]!.index);
    const slew = isNewStretch ? 0 : slewOf(own, index, start, shift);
    const slot: Slot = {
      number: (tail?.slots ?? 0) + at,
      start,
      duration: flicks(length > FLICKS_PER_MILLI ? length + slew : length),
      isNewStretch,
      ...(at === 0 && isFresh && building.missed > 0 ? { missed: building.missed } : {}),
      ...(date === undefined ? {} : { originDate: roundedDate(date) }),
      originStretch: first.stretch,
      segments: lists.map((list, rung) => segmentsOf(building, list, rung, cut, before)),
    };
    slots.push(slot);
    shift = shiftAfter(shift, slot);
    end = endOf(slot);
  }
  return slots;
}

/** A discontinuity of the first rendition, or another initialization section or a jump of media times in any. */
const changes = (building: Building, { start }: Cut, before: Slot, slots: readonly Slot[]): boolean => {
  const { lists, timescales = [] } = building;
  const own = lists[0]!;
  const { index } = start[0]!;
  const stated = index > 0 ? startsStretch(own, index) : before.originStretch !== own[index]!.stretch;
  return (
    stated ||
    lists.some((list, rung) => {
      const { index: at } = start[rung]!;
      const last = before.segments[rung]!.at(-1)!;
      const segment = list[at];
      if (segment === undefined) return false;
      if (changesInit(list, at, segment, last)) return true;
      // Without a time there is nothing to compare; so each timed segment looks back to the one before it only.
      if (segment.mediaTime === undefined) return false;
      return !continuesMedia(lastTimed(building, slots, rung), segment, timescales[rung]);
    })
  );
};

/** The last segment of a rung with a media time, as if it lasted to the end of the slots: those of gaps are not known. */
function lastTimed(
  { tail }: Building,
  slots: readonly Slot[],
  rung: number,
): Pick<SlotSegment, 'mediaTime' | 'duration'> {
  let duration = 0;
  for (const all of [slots, tail?.recent ?? []]) {
    for (let at = all.length - 1; at >= 0; at -= 1) {
      for (const segment of all[at]!.segments[rung]!.toReversed()) {
        duration += segment.duration;
        if (segment.mediaTime !== undefined) return { mediaTime: segment.mediaTime, duration: flicks(duration) };
      }
      if (all[at]!.isNewStretch) return { duration: flicks(duration) };
    }
  }
  return { duration: flicks(duration) };
}

function changesInit(list: SegmentList, index: number, segment: OriginSegment, before: SlotSegment): boolean {
  const listed = list[index - 1];
  if (listed !== undefined) return !isSameRef(listed.init, segment.init);
  return nameOf(before.init) !== nameOf(segment.init);
}

function segmentsOf(
  { lists, emptyTexts = [] }: Building,
  list: SegmentList,
  rung: number,
  { start, end }: Cut,
  before: Slot | undefined,
): SlotSegment[] {
  const own = lists[0]!;
  const first = own[start[0]!.index]!;
  const from = start[rung]!.index;
  const segments = list.slice(from, end[rung]!.index);
  if (segments.length === 0)
    return [missingText(durationOf(own, start[0]!.index, end[0]!.index), first, list, before, rung, emptyTexts[rung])];
  const late = rung === 0 ? undefined : exactMisfit(first, segments[0]);
  return segments.map((segment, index) => ({
    ...slotSegment(segment),
    ...(index === 0 && late !== undefined && late !== 0 ? { late: flicks(late) } : {}),
  }));
}

function slotSegment({ startsAt: _date, stretch: _stretch, ...segment }: OriginSegment): SlotSegment {
  return segment;
}

/**
 * Stands for text that the origin does not list: a gap (RFC 8216bis §4.4.4.7), with the URL of the text before it; or empty text, if
 * there is none in the stretch.
 */
function missingText(
  duration: number,
  first: OriginSegment,
  list: SegmentList,
  before: Slot | undefined,
  rung: number,
  empty: EmptyText | undefined,
): SlotSegment {
  const last = before?.segments[rung]?.at(-1) ?? list.at(-1);
  const usual = Math.max(last?.duration ?? 0, first.duration, REACH);
  const number = last === undefined ? first.number : last.number + Math.max(1, Math.round(duration / usual));
  const isKnown =
    last !== undefined && !isEmptyText(last) && (before?.originStretch ?? first.stretch) === first.stretch;
  if (!isKnown && empty !== undefined) return { number, duration: flicks(duration), ...empty };
  const { media, init } = last ?? first;
  return {
    ...{ number, duration: flicks(duration), media, isGap: true },
    ...(init === undefined || last === undefined ? {} : { init }),
  };
}
