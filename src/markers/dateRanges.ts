// SPDX-License-Identifier: Apache-2.0
// Where date ranges are (RFC 8216 §4.3.2.7). Their tags are at their place mostly. Dates are hints, because packagers truncate
// them to whole seconds; only a date range that starts well after its tag is placed by its date, since it is announced ahead,
// and so is one of a break that began before the first segment.
import type { MarkerTag } from '../hls/markerTag.ts';
import { defined } from '../invariant.ts';
import { countWhile, createLastUpTo } from '../time/search.ts';
import type { Sliced } from '../time/sliced.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, millisToFlicks, secondsToFlicks } from '../time/units.ts';
import { upperAttributes } from './markerAttributes.ts';
import type { Statement } from './markerSignal.ts';

export type SegmentTimes = {
  /** The start of each segment and the end of the last one. */
  readonly borders: readonly Flicks[];
  /** EXT-X-PROGRAM-DATE-TIME of segments that have one, as written. */
  readonly dates: readonly (string | undefined)[];
  /** More segments will follow: what is dated after the last one is announced ahead. */
  readonly isLive?: boolean;
};

/** A date range that has ended this long before the first segment belongs to content that is not listed any more. */
const PAST = secondsToFlicks(3);
/** A tag this much before its date, beyond the segment that follows it, is announced ahead. */
const AHEAD = secondsToFlicks(1);
/** Dates are written in milliseconds; those that are not truncated to seconds are this near to the border that they state. */
const AT_BORDER = millisToFlicks(20);
/** In milliseconds: borders and dates are rounded. */
const SHIFTED_ALIKE = 1000;
/** In milliseconds; dates that are further apart do not belong together. */
const MAX_DISTANCE = 1_000_000_000;
const DATES_IN_SLICE = 5000;

/** Where a segment starts; where the last one ends for those after it. */
export const borderAt = (borders: readonly Flicks[], segment: number): Flicks =>
  defined(borders[Math.min(segment, borders.length - 1)], 'a timeline has a start and an end');

/** Finds the place of a date; undefined if that of the tag counts. */
type DateReader = (
  statement: Pick<Statement, 'hint' | 'duration' | 'id'>,
  segment: number,
) => { readonly at: Flicks; readonly segment: number; readonly isAhead?: true } | 'past' | undefined;

type KnownDate = { readonly date: number; readonly index: number };

/** @param last the last one up to a place; −1 if it is before all */
const knownAt = (known: readonly KnownDate[], last: number): KnownDate =>
  defined(known[Math.max(0, last)], 'a date is compared with a known one');

/** The place of a date range that is far ahead of its tag, or that began before the first segment; undefined otherwise. */
export function* dateReader(
  tags: readonly MarkerTag[],
  { borders, dates, isLive = false }: SegmentTimes,
): Sliced<DateReader> {
  if (!tags.some(({ name }) => name === 'EXT-X-DATERANGE')) return () => undefined;
  const known: KnownDate[] = [];
  for (const [index, text] of dates.entries()) {
    if (index % DATES_IN_SLICE === DATES_IN_SLICE - 1) yield;
    const date = Date.parse(text ?? '');
    if (!Number.isNaN(date)) known.push({ date, index });
  }
  if (known.length === 0) return () => undefined;
  yield;
  const shifted = shiftedRanges(tags, borders, known);
  yield;
  const lastUpTo = createLastUpTo(known.map((each) => each.date));
  const [start, end] = [borderAt(borders, 0), borderAt(borders, borders.length)];
  return ({ hint, duration = flicks(0), id }, segment) => {
    const date = Date.parse(hint ?? '');
    if (Number.isNaN(date) || (id !== undefined && shifted.has(id))) return undefined;
    const base = knownAt(known, lastUpTo(date));
    if (Math.abs(date - base.date) > MAX_DISTANCE) return undefined;
    const instant = flicks(borderAt(borders, base.index) + millisToFlicks(Math.round(date - base.date)));
    if (segment === 0 && instant < start - AHEAD && instant + duration > start) return { at: instant, segment };
    // What is repeated on a live playlist was placed by an earlier reading.
    const past = isLive && instant < start - AHEAD ? start : start - PAST;
    if (segment === 0 && duration > 0 && instant + duration <= past) return 'past';
    const [tagged, next] = [borderAt(borders, segment), borderAt(borders, segment + 1)];
    // At the end of a complete playlist, tags are not at any place.
    if (!isLive && segment >= borders.length - 1 && instant >= start && instant < tagged - AHEAD) {
      const before = nearestIndex(borders, instant);
      return { at: borderAt(borders, before), segment: before };
    }
    const isAtNext = next - tagged > AHEAD && Math.abs(instant - next) <= AT_BORDER;
    if (instant <= next + AHEAD && !isAtNext) return undefined;
    if (instant > end + AT_BORDER) {
      return isLive ? { at: instant, segment: borders.length - 1, isAhead: true } : undefined;
    }
    const nearest = nearestIndex(borders, instant);
    return { at: borderAt(borders, nearest), segment: nearest, isAhead: true };
  };
}

/**
 * The ids of ranges whose start and end are dated later than their tags by the same time: the clock of the packager differs
 * from that of EXT-X-PROGRAM-DATE-TIME, and they are not announced ahead.
 */
function shiftedRanges(
  tags: readonly MarkerTag[],
  borders: readonly Flicks[],
  known: readonly KnownDate[],
): ReadonlySet<string> {
  const lastUpTo = createLastUpTo(known.map(({ index }) => index));
  /** Milliseconds by which a date is later than its tag; NaN if it cannot be read. */
  const distance = (text: string, segment: number): number => {
    const base = knownAt(known, lastUpTo(segment));
    const place = borderAt(borders, segment) - borderAt(borders, base.index);
    return Date.parse(text) - base.date - place / FLICKS_PER_MILLI;
  };
  const starts = new Map<string, { readonly date: string; readonly by: number }>();
  const shifted = new Set<string>();
  for (const { name, value, segment } of tags) {
    if (name !== 'EXT-X-DATERANGE') continue;
    const attributes = upperAttributes(value);
    const id = `daterange ${attributes.get('ID')}`;
    const start = attributes.get('START-DATE');
    const before = starts.get(id);
    if (attributes.has('SCTE35-OUT')) {
      if (start !== undefined && before === undefined) starts.set(id, { date: start, by: distance(start, segment) });
    } else if (attributes.has('SCTE35-IN') && before !== undefined) {
      const end = attributes.get('END-DATE') ?? (start === before.date ? undefined : start);
      if (end !== undefined && Math.abs(distance(end, segment) - before.by) <= SHIFTED_ALIKE) shifted.add(id);
    }
  }
  return shifted;
}

/** The range that ends at each tag: END-ON-NEXT=YES lets a range end where the next one of its CLASS starts. */
export function endedByNext(tags: readonly MarkerTag[]): ReadonlyMap<MarkerTag, string> {
  const open = new Map<string, string>();
  const ended = new Map<MarkerTag, string>();
  for (const tag of tags) {
    if (tag.name !== 'EXT-X-DATERANGE') continue;
    const attributes = upperAttributes(tag.value);
    const [id, type] = [attributes.get('ID'), attributes.get('CLASS')];
    if (id === undefined || type === undefined) continue;
    const before = open.get(type);
    if (before !== undefined && before !== id) {
      ended.set(tag, before);
      open.delete(type);
    }
    if (attributes.get('END-ON-NEXT')?.toUpperCase() === 'YES') open.set(type, id);
  }
  return ended;
}

function nearestIndex(borders: readonly Flicks[], instant: Flicks): number {
  const low = Math.max(0, countWhile(borders.length, (index) => borderAt(borders, index) <= instant) - 1);
  const high = Math.min(low + 1, borders.length - 1);
  return instant - borderAt(borders, low) <= borderAt(borders, high) - instant ? low : high;
}
