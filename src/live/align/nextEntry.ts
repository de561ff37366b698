// SPDX-License-Identifier: Apache-2.0
// Turns a reading of an origin into the next entry of the log: new slots, and new signals on the timeline. It never fails on
// what an origin lists: it ignores what cannot be used, and waits for the next reading.
import { isNonEmpty, lastOf, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { FLICKS_PER_MILLI, type Millis } from '../../time/units.ts';
import { after, ofRung } from '../../timeline/programme/span.ts';
import type { OriginReading, OriginSegment } from '../origin.ts';
import { type EntryFrame, type LiveAnchor, type LiveEntry, lengthOf, type Slot } from '../slot.ts';
import type { AlignOptions } from './alignOptions.ts';
import { isEmptyText } from './alignOptions.ts';
import { awaySlots, evenLengths } from './away/awayEntry.ts';
import { type Beginning, returns, TARGET } from './away/returns.ts';
import { buildSlots } from './buildSlots.ts';
import { beginning, cutSlots } from './cutSlots.ts';
import { counterpart, findStart } from './findStart.ts';
import { dateOf, instantOf, millisBetween } from './originDates.ts';
import { markedNumbers, markSlots, placeSignals } from './placeSignals.ts';
import type { Relation } from './relateToLog.ts';
import { knownOf, numberAsLogged, relationsOf } from './relateToLog.ts';
import {
  type Border,
  continuesMedia,
  durationOf,
  type SegmentList,
  segmentAt,
  usableLists,
  withinHistory,
} from './segmentLists.ts';
import { endOf, newestSegment, SMALL_STEP, type Tail } from './tail.ts';

/**
 * @param tail absent for the first entry of a life, which begins with the last `history` milliseconds of the window
 * @returns undefined if the reading adds nothing
 */
export function nextEntry(
  tail: Tail | undefined,
  read: OriginReading,
  frame: EntryFrame,
  options: AlignOptions,
): LiveEntry | undefined {
  const reading = numberAsLogged(tail, read);
  const lists = usableLists(reading);
  const own = lists[0];
  if (own === undefined || own.length === 0) return undefined;
  if (tail?.recent[0] !== undefined && tail.recent[0].segments.length !== lists.length) return undefined;
  const begin =
    tail === undefined
      ? begins(lists, options)
      : continues(tail, lists, options, { ...frame, isUnproven: reading.isUnproven });
  const cuts =
    begin.cursor === undefined
      ? []
      : cutSlots({ lists, options, isEnded: reading.isEnded, marked: markedNumbers(reading) }, begin.cursor);
  const first = begin.cursor?.[0]?.index ?? own.length;
  const listed = durationOf(own, first, own.length) / FLICKS_PER_MILLI;
  const slots = buildSlots(
    {
      lists,
      tail,
      isFresh: begin.isFresh,
      missed: begin.missed,
      ...withoutUndefined({ startsAt: begin.startsAt, emptyTexts: options.emptyTexts, timescales: options.timescales }),
      byClock: instantOf(frame.readAt - listed),
      elapsed: tail === undefined ? 0 : frame.readAt - tail.readAt,
      readAt: frame.readAt,
    },
    cuts,
  );
  const signals = placeSignals({
    tail,
    own,
    slots,
    signals: reading.signals,
    first,
    next: cuts.at(-1)?.end[0]?.index ?? first,
    isFresh: begin.isFresh,
  });
  const anchor = tail?.anchor ?? (isNonEmpty(slots) ? anchorOf(slots, frame) : undefined);
  if (anchor === undefined || (slots.length === 0 && signals.length === 0)) return undefined;
  const marked = frame.rules.markers === 'pass' ? markSlots(tail, slots, signals) : slots;
  const window = windowOf(own);
  const limited = window < MAX_WINDOW ? { window } : {};
  return {
    number: tail?.entries ?? 0,
    ...frame,
    anchor,
    ...limited,
    ...(reading.targetDuration !== undefined && { target: reading.targetDuration }),
    ...fillHoles(tail, marked, frame.readAt, options),
    signals,
  };
}

/** Readers list no more than 15 minutes after the first reading, so longer windows are not known. */
const MAX_WINDOW = 14 * 60_000;

/** Milliseconds that the origin lists; longer windows are not measured. */
function windowOf(own: SegmentList): number {
  let length = 0;
  for (let index = own.length - 1; index >= 0 && length < MAX_WINDOW; index -= 1)
    length += durationOf(own, index, index + 1) / FLICKS_PER_MILLI;
  return Math.round(length);
}

const anchorOf = (slots: NonEmpty<Slot>, { visibleAt }: EntryFrame): LiveAnchor => ({
  start: slots[0].start,
  lag: Math.round(millisBetween(endOf(lastOf(slots)), instantOf(visibleAt))),
});

function begins(lists: readonly SegmentList[], options: AlignOptions): Beginning {
  const isReady = lists.every(({ length }, rung) => length > 0 || options.emptyTexts?.[rung] !== undefined);
  const from = withinHistory(ofRung(lists, 0), 0, options.history);
  return {
    cursor: isReady ? findStart(lists, from, options, () => ({ isLogged: false })) : undefined,
    isFresh: true,
    missed: 0,
  };
}

function continues(
  tail: Tail,
  lists: readonly SegmentList[],
  options: AlignOptions,
  frame: EntryFrame & Pick<OriginReading, 'isUnproven'>,
): Beginning {
  const relations = relationsOf(tail, lists, frame);
  const isOther = tail.source !== frame.source;
  if (tail.awaySince !== undefined || isOther) return returns(tail, lists, relations, options, frame);
  const own = ofRung(lists, 0);
  const isText = (rung: number): boolean => options.textRungs?.includes(rung) ?? false;
  const relation = ofRung(relations, 0);
  const isContinued = relations.every(({ kind }, rung) => kind === 'next' || isText(rung));
  if (relation.kind === 'next' && isContinued) {
    const from = relation.index;
    const borders = relations.map((one, rung) => continued({ tail, lists, from }, rung, one, isText(rung)));
    const segment = own[from];
    if (segment === undefined) return { cursor: undefined, isFresh: false, missed: 0 };
    const isAnew = !continuesLog(tail, segment, options);
    return { cursor: isAnew ? beginning({ lists }, borders) : borders, isFresh: false, missed: 0 };
  }
  const from = relation.kind === 'next' ? relation.index : withinHistory(own, afterEnd(own, tail), options.history);
  const cursor = from < own.length ? findStart(lists, from, options, knownOf(tail, lists, relations)) : undefined;
  return {
    cursor,
    isFresh: true,
    missed: cursor === undefined ? 0 : missedBefore(relation, own, ofRung(cursor, 0).index, tail),
  };
}

/** Whether the media of the first rung continue those of the log. */
function continuesLog({ recent }: Tail, segment: OriginSegment, { timescales = [] }: AlignOptions): boolean {
  const last = recent.at(-1);
  if (last === undefined) return false;
  return last.originStretch === segment.stretch && continuesMedia(last.segments[0]?.at(-1), segment, timescales[0]);
}

/** The border at which a rung continues the log. Text that does not continue it is compared with the first rung again. */
function continued(
  { tail, lists, from }: { readonly tail: Tail; readonly lists: readonly SegmentList[]; readonly from: number },
  rung: number,
  relation: Relation,
  isText: boolean,
): Border {
  const list = ofRung(lists, rung);
  const last = newestSegment(tail, rung);
  if (relation.kind === 'next') {
    // A gap that the origin does not list stands for text that was late, and so does empty text.
    const wasGap = last.isGap === true && list[relation.index - 1]?.isGap !== true;
    const wasLate = isText && (wasGap || isEmptyText(last));
    if (!wasLate) return { index: relation.index, misfit: tail.misfits[rung] ?? 0 };
    if (relation.index >= list.length) return { index: list.length, misfit: 0 };
  }
  return counterpart(ofRung(lists, 0), list, from, 0, { isLogged: false }) ?? { index: list.length, misfit: 0 };
}

/** Milliseconds. If the origin's dates end earlier than this before the timeline, its clock was put back. */
const LARGEST_OVERLAP = 60_000;

/** Another packager of the programme numbers the same segments in another way: those that the log has are left out. */
function afterEnd(own: SegmentList, { end, shift = 0 }: Tail): number {
  const last = own.at(-1);
  const date = last && dateOf(last);
  const lead = (from: typeof date): number => (from === undefined ? Number.NaN : millisBetween(end, from) + shift);
  if (last === undefined || date === undefined || lead(date) + last.duration / FLICKS_PER_MILLI < -LARGEST_OVERLAP)
    return 0;
  const first = own.findIndex((segment) => {
    const half = segment.duration / FLICKS_PER_MILLI / 2;
    return lead(dateOf(segment)) >= -Math.min(half, SMALL_STEP);
  });
  return first < 0 ? own.length : first;
}

/** How many segments are missing before the first that is used. */
function missedBefore(relation: Relation, own: SegmentList, first: number, { end, shift = 0 }: Tail): number {
  if (relation.kind === 'reset') return 0;
  const date = dateOf(segmentAt(own, first));
  if (date !== undefined && Math.abs(millisBetween(end, date) + shift) <= SMALL_STEP) return 0;
  return relation.kind === 'hole' ? relation.missed + first : first - relation.index;
}

// An encoder that restarts before slate is on air leaves a hole: its new stretch starts later than the timeline ends. The hole is
// filled with away slots, so that players do not lose as much of their buffer, and Periods tile (law 7).

/** Target durations. After three, slate is on air. A timeline that is older was not read, because the channel had no viewers. */
const OLDEST = 5;
const REASON = 'The origin has no segments for this time.';

/**
 * Segments that were listed while nothing was read (`missed`) are filled like those that were not made: with numbers by time,
 * the two are the same.
 * @param tail absent for the first entry of a life. In that nothing is filled, nor after slate, which ends at a border of the
 * content.
 * @param slots new content
 * @returns the slots of the entry, numbered without gaps
 */
function fillHoles(
  tail: Tail | undefined,
  slots: readonly Slot[],
  readAt: Millis,
  { target = TARGET }: AlignOptions,
): Pick<LiveEntry, 'slots' | 'awayReason'> {
  if (tail === undefined || tail.awaySince !== undefined) return { slots };
  const age = readAt - tail.contentAt;
  if (age > OLDEST * target) return { slots };
  const added = lengthOf(slots) / FLICKS_PER_MILLI;
  // If dates jump further, the clock of the encoder has jumped, and no media are missing. Readings and segments come in steps, so
  // the time without media is known to about a target duration.
  let fillable = age - added + target;
  const all: Slot[] = [];
  let end = tail.end;
  for (const { missed, ...slot } of slots) {
    const hole = millisBetween(end, slot.start);
    // A shorter section cannot be filled.
    const isFilled = hole > SMALL_STEP && hole <= fillable;
    // What came before segments that were not read is not listed any more.
    if (missed !== undefined && !isFilled) return { slots };
    if (isFilled) {
      all.push(...awaySlots(tail.slots + all.length, end, evenLengths(hole, target), slot.segments.length));
      fillable -= hole;
    }
    all.push({ ...slot, number: tail.slots + all.length });
    end = endOf(slot);
  }
  return { slots: all, ...(all.length > slots.length ? { awayReason: REASON } : {}) };
}

/**
 * Continues a log as if nothing were known of it but its end: the newest segments of a reading follow it as a new stretch, as
 * many as the clock has room for. For readings that cannot be compared with the log.
 * @returns undefined if the reading adds nothing, or the clock has no room for a slot yet
 */
export function beginAnew(
  tail: Tail,
  reading: OriginReading,
  frame: EntryFrame,
  options: AlignOptions,
): LiveEntry | undefined {
  const entry = nextEntry(undefined, { ...reading, signals: [] }, frame, options);
  const edge = frame.readAt - tail.anchor.lag;
  const room = edge - tail.end.millis;
  const content = entry?.slots.filter(({ isAway }) => !isAway) ?? [];
  const fits = (slots: readonly Slot[]): boolean => lengthOf(slots) / FLICKS_PER_MILLI <= room;
  const from = content.findIndex((_, index) => fits(content.slice(index)));
  if (entry === undefined || from < 0) return undefined;
  const kept = content.slice(from);
  // The channel had no viewers.
  const isFar = room > options.history;
  let start = isFar ? instantOf(edge - lengthOf(kept) / FLICKS_PER_MILLI) : tail.end;
  const slots = kept.map((slot, index): Slot => {
    const placed = { ...slot, number: tail.slots + index, start, isNewStretch: index === 0 || slot.isNewStretch };
    start = after(start, slot.duration);
    return index === 0 && isFar ? { ...placed, missed: 1 } : placed;
  });
  return { ...entry, number: tail.entries, anchor: tail.anchor, slots, signals: [] };
}
