// SPDX-License-Identifier: Apache-2.0
// Slots as values, from the segments that were cut for them.
import { defined } from '../../invariant.ts';
import { FLICKS_PER_MILLI, flicks, type Millis } from '../../time/units.ts';
import { type Instant, ofRung } from '../../timeline/programme/span.ts';
import type { OriginSegment } from '../origin.ts';
import { type Slot, type SlotSegment, segmentsOf } from '../slot.ts';
import { type AlignOptions, type EmptyText, isEmptyText, REACH } from './alignOptions.ts';
import type { Cut } from './cutSlots.ts';
import { exactMisfit } from './findStart.ts';
import { dateOf, instantOf, millisBetween, movedBy, roundedDate } from './originDates.ts';
import {
  continuesMedia,
  durationOf,
  isSameRef,
  nameOf,
  type SegmentList,
  segmentAt,
  startsStretch,
} from './segmentLists.ts';
import { endOf, SMALL_STEP, shiftAfter, type Tail } from './tail.ts';

type Building = {
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
  const own = ofRung(lists, 0);
  const slots: Slot[] = [];
  let shift = tail?.shift;
  let end = tail?.end;
  for (const [at, cut] of cuts.entries()) {
    const before = slots.at(-1) ?? tail?.recent.at(-1);
    const { index } = ofRung(cut.start, 0);
    const first = segmentAt(own, index);
    const date = dateOf(first);
    const isNewStretch = before === undefined || (at === 0 && isFresh) || changes(building, cut, before, slots);
    const start: Instant =
      end === undefined
        ? (date ?? byClock)
        : at === 0 && building.startsAt !== undefined
          ? building.startsAt
          : isNewStretch
            ? startOfStretch({
                end,
                shift,
                date,
                elapsed,
                byClock: at === 0 && isFresh ? byClock : undefined,
                latest:
                  tail && latestStart(readAt, durationOf(own, index, own.length) / FLICKS_PER_MILLI, tail.anchor.lag),
              })
            : end;
    const length = durationOf(own, index, ofRung(cut.end, 0).index);
    const slew = isNewStretch ? 0 : slewOf(own, index, start, shift);
    const slot: Slot = {
      number: (tail?.slots ?? 0) + at,
      start,
      duration: flicks(length > FLICKS_PER_MILLI ? length + slew : length),
      isNewStretch,
      ...(at === 0 && isFresh && building.missed > 0 ? { missed: building.missed } : {}),
      ...(date === undefined ? {} : { originDate: roundedDate(date) }),
      originStretch: first.stretch,
      segments: lists.map((list, rung) => slotSegments(building, list, rung, cut, before)),
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
  const own = ofRung(lists, 0);
  const { index } = ofRung(start, 0);
  const stated = index > 0 ? startsStretch(own, index) : before.originStretch !== segmentAt(own, index).stretch;
  return (
    stated ||
    lists.some((list, rung) => {
      const { index: at } = ofRung(start, rung);
      const segment = list[at];
      if (segment === undefined) return false;
      const last = defined(segmentsOf(before, rung).at(-1), 'a slot with content has a segment of each rung');
      if (changesInit(list, at, segment, last)) return true;
      // Without a time there is nothing to compare; so each timed segment looks back to the one before it only.
      if (segment.mediaTime === undefined) return false;
      return !continuesMedia(lastTimed(building, slots, rung), segment, timescales[rung]);
    })
  );
};

/** Does not copy the slots: a first reading may have tens of thousands, and each border looks at the last few. */
function* newestFirst(...lists: readonly (readonly Slot[])[]): Iterable<Slot> {
  for (const slots of lists.toReversed()) {
    for (let at = slots.length - 1; at >= 0; at -= 1) yield defined(slots[at], 'an index below the length');
  }
}

/** The last segment of a rung with a media time, as if it lasted to the end of the slots: those of gaps are not known. */
function lastTimed(
  { tail }: Building,
  slots: readonly Slot[],
  rung: number,
): Pick<SlotSegment, 'mediaTime' | 'duration'> {
  let duration = 0;
  for (const slot of newestFirst(tail?.recent ?? [], slots)) {
    for (const segment of segmentsOf(slot, rung).toReversed()) {
      duration += segment.duration;
      if (segment.mediaTime !== undefined) return { mediaTime: segment.mediaTime, duration: flicks(duration) };
    }
    if (slot.isNewStretch) break;
  }
  return { duration: flicks(duration) };
}

function changesInit(list: SegmentList, index: number, segment: OriginSegment, before: SlotSegment): boolean {
  const listed = list[index - 1];
  if (listed !== undefined) return !isSameRef(listed.init, segment.init);
  return nameOf(before.init) !== nameOf(segment.init);
}

function slotSegments(
  { lists, emptyTexts = [] }: Building,
  list: SegmentList,
  rung: number,
  { start, end }: Cut,
  before: Slot | undefined,
): SlotSegment[] {
  const own = ofRung(lists, 0);
  const [at, until] = [ofRung(start, 0).index, ofRung(end, 0).index];
  const first = segmentAt(own, at);
  const segments = list.slice(ofRung(start, rung).index, ofRung(end, rung).index);
  if (segments.length === 0) {
    const last = before?.segments[rung]?.at(-1) ?? list.at(-1);
    const isSameStretch = before?.originStretch === undefined || before.originStretch === first.stretch;
    return [missingText(durationOf(own, at, until), first, last, isSameStretch, emptyTexts[rung])];
  }
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
  last: SlotSegment | undefined,
  isSameStretch: boolean,
  empty: EmptyText | undefined,
): SlotSegment {
  const usual = Math.max(last?.duration ?? 0, first.duration, REACH);
  const number = last === undefined ? first.number : last.number + Math.max(1, Math.round(duration / usual));
  const isKnown = last !== undefined && !isEmptyText(last) && isSameStretch;
  if (!isKnown && empty !== undefined) return { number, duration: flicks(duration), ...empty };
  const { media, init } = last ?? first;
  return {
    number,
    duration: flicks(duration),
    media,
    isGap: true,
    ...(init === undefined || last === undefined ? {} : { init }),
  };
}

// Where slots start on the timeline. Durations are added up, so that they are exactly the differences of dates (law 6). The
// origin's dates have jitter; they decide at a new stretch, and when they deviate for long.

/** Milliseconds. More than jitter; EXTINF values that are rounded add up to this. */
const DEVIATION = 20;
/** Milliseconds. Dates that deviate by more have jumped; they do not become right by and by. */
const LARGEST_DEVIATION = 10_000;
/** The segments before a slot whose dates must deviate as well. */
const WITNESSES = 4;
/** Without dates, the clock at which a segment was read is all there is; it depends on the moment of the poll. */
const SMALL_STEP_UNDATED = 10_000;
/** How far the origin's clock may jump ahead, in milliseconds, more than the time that has passed. */
const LARGEST_JUMP = 24 * 3_600_000;

type StretchTime = {
  /** The end of the timeline so far. */
  readonly end: Instant;
  readonly shift: number | undefined;
  /** What the origin states. */
  readonly date: Instant | undefined;
  /** The start by the clock, where segments are missing or numbers start again. */
  readonly byClock: Instant | undefined;
  /** Milliseconds since the last reading that added something. */
  readonly elapsed: number;
  /** No later start is possible: what is listed has been made. Undefined for the first entry. */
  readonly latest?: Instant | undefined;
};

/** Milliseconds that a timeline may be ahead of the clock, more than it was when the channel went on air. */
const MAX_AHEAD = 10_000;

/**
 * The latest start that a jump of dates may result in. Further ahead of the clock, players of DASH would wait for the Period.
 * @param listed milliseconds from the start to the end of what is listed
 * @param lag by which the timeline was behind the clock when the channel went on air
 */
const latestStart = (readAt: Millis, listed: number, lag: number): Instant =>
  instantOf(readAt - listed - lag + MAX_AHEAD);

/** The start of a new stretch: where the timeline ends, or later where time is missing. Time never goes back. */
function startOfStretch({ end, shift = 0, date, byClock, elapsed, latest }: StretchTime): Instant {
  const stated = date ?? byClock;
  if (stated === undefined) return end;
  const small = date === undefined ? SMALL_STEP_UNDATED : SMALL_STEP;
  const shifted = date === undefined ? stated : movedBy(stated, shift);
  const isPossible = (step: number): boolean => {
    const isTooLate = latest !== undefined && step > millisBetween(end, latest);
    return step > small && step <= elapsed + LARGEST_JUMP && !isTooLate;
  };
  if (Math.abs(millisBetween(end, shifted)) <= small) return end;
  // A clock that was wrong may be right again.
  const step = millisBetween(end, stated);
  if (Math.abs(step) <= small) return step > 0 ? stated : end;
  if (isPossible(step)) return stated;
  // The smaller step is the more likely one: after a correction, the timeline is only as far ahead as what was listed twice.
  const shiftedStep = millisBetween(end, shifted);
  if (isPossible(shiftedStep) && shiftedStep <= Math.abs(step)) return shifted;
  // The channel was idle, and the dates do not tell for how long.
  const clock = latest && movedBy(latest, -MAX_AHEAD);
  const isBehind = clock !== undefined && millisBetween(end, clock) > SMALL_STEP_UNDATED;
  return isBehind && elapsed > SMALL_STEP_UNDATED ? clock : end;
}

/**
 * Flicks to add to the duration of a slot: a millisecond towards the dates, if they deviate throughout.
 * @param index of its first segment in the first rung
 */
function slewOf(own: SegmentList, index: number, start: Instant, shift: number | undefined): number {
  if (shift === undefined) return 0;
  const signs: number[] = [];
  const { stretch } = segmentAt(own, index);
  for (let at = index; at >= Math.max(0, index - WITNESSES); at -= 1) {
    const segment = segmentAt(own, at);
    if (segment.stretch !== stretch) break;
    const date = dateOf(segment);
    if (date === undefined) return 0;
    const expected = -durationOf(own, at, index) / FLICKS_PER_MILLI;
    const deviation = millisBetween(start, date) + shift - expected;
    const isDrift = Math.abs(deviation) > DEVIATION && Math.abs(deviation) <= LARGEST_DEVIATION;
    signs.push(isDrift ? Math.sign(deviation) : 0);
  }
  const [sign = 0] = signs;
  return signs.length > 1 && signs.every((other) => other === sign) ? sign * FLICKS_PER_MILLI : 0;
}
