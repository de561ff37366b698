// SPDX-License-Identifier: Apache-2.0
// Cuts what a reading lists into slots: a slot ends at the first instant at which all renditions have a border.

import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { ofRung } from '../../timeline/programme/span.ts';
import { type AlignOptions, REACH } from './alignOptions.ts';
import { type Cursor, exactMisfit, LONGEST_SLOT, nearestByTime } from './findStart.ts';
import {
  type Border,
  continuesMedia,
  durationOf,
  nearestBorder,
  type SegmentList,
  segmentAt,
  startsStretch,
} from './segmentLists.ts';
import { relaxed } from './tail.ts';

/** The segments of a slot: of each rung, those from `start` to `end`; none of a text rung whose segments are late. */
export type Cut = { readonly start: Cursor; readonly end: Cursor };

/**
 * Players fail at short intervals between two breaks. So a slot is longer, unless a marker or a discontinuity follows: some
 * encoders put the border at a marker with a segment of one frame.
 */
const SHORTEST_SLOT = FLICKS_PER_SECOND / 2;
/**
 * A border this near, in units of what is allowed, is a common one if none of three segments has a better one: durations are
 * wrong by a frame, and viewers do not wait for `LONGEST_SLOT`.
 */
const NEARLY = 2;
/** How far from a discontinuity of the first rung that of another may be. */
const SAME_DISCONTINUITY = FLICKS_PER_SECOND;

type Listing = {
  readonly lists: readonly SegmentList[];
  readonly options: AlignOptions;
  readonly isEnded: boolean;
  /** Numbers of segments of the first rung with a marker at their start. */
  readonly marked: ReadonlySet<number>;
};

export function cutSlots(listing: Listing, from: Cursor): Cut[] {
  const cuts: Cut[] = [];
  let start = withDates(listing, from);
  for (let found = endOfSlot(listing, start); found !== undefined; found = endOfSlot(listing, start)) {
    const { end, isForced } = found;
    cuts.push({ start, end });
    const isEmpty = (index: number, rung: number): boolean => index === start[rung]?.index;
    const next = end.map(({ index, misfit }, rung) => ({ index, misfit: isEmpty(index, rung) ? 0 : relaxed(misfit) }));
    start = withDates(listing, isForced ? beginning(listing, next) : next);
  }
  return cuts;
}

/** Where media begin anew, what other renditions have of the time before is left out: it has no slot. */
export const beginning = ({ lists }: Pick<Listing, 'lists'>, cursor: Cursor): Cursor =>
  cursor.map((border, rung) =>
    rung === 0
      ? border
      : nearestByTime(ofRung(lists, 0)[ofRung(cursor, 0).index], ofRung(lists, rung), border, border.index),
  );

/** In DASH, dates are media times, so they state the misfit exactly. */
const withDates = ({ lists }: Listing, cursor: Cursor): Cursor =>
  cursor.map((border, rung) => {
    const late =
      rung === 0
        ? undefined
        : exactMisfit(ofRung(lists, 0)[ofRung(cursor, 0).index], ofRung(lists, rung)[border.index]);
    return late === undefined ? border : { index: border.index, misfit: late };
  });

/** @property isForced the media of the first rung do not continue, or end */
type SlotEnd = { readonly end: Cursor; readonly isForced: boolean };

function endOfSlot(listing: Listing, start: Cursor): SlotEnd | undefined {
  const { lists, marked, isEnded, options } = listing;
  const own = ofRung(lists, 0);
  let borders: readonly Border[] = start;
  let best: { cursor: Cursor; misfit: number } | undefined;
  let length = 0;
  const { index: from } = ofRung(start, 0);
  for (let index = from; index < own.length; index += 1) {
    const segment = segmentAt(own, index);
    const following = own[index + 1];
    const { duration } = segment;
    length += duration;
    borders = borders.map(({ index: at, misfit }, rung) =>
      rung === 0
        ? { index: index + 1, misfit: 0 }
        : nextBorder(ofRung(lists, rung), { index: at, misfit: misfit - duration }, ofRung(start, rung).index),
    );
    const isLast = index + 1 === own.length;
    const continues =
      following === undefined ||
      (following.stretch === segment.stretch && continuesMedia(segment, following, options.timescales?.[0]));
    const isForced = !continues || (isLast && isEnded);
    const cursor = isForced ? borders.map((border, rung) => atDiscontinuity(listing, border, rung, start)) : borders;
    const misfit = worstMisfit(listing, start, cursor, length);
    if (misfit === undefined) return undefined;
    if (isForced) return { end: cursor, isForced };
    const isLong = length >= SHORTEST_SLOT || (following !== undefined && marked.has(following.number));
    if (misfit <= 1 && (isLong || isMarkedEnd(listing, index))) return { end: cursor, isForced };
    if (misfit < (best?.misfit ?? Number.POSITIVE_INFINITY)) best = { cursor, misfit };
    if (best !== undefined && best.misfit <= NEARLY && index - from >= 2) return { end: best.cursor, isForced };
    if (length >= LONGEST_SLOT && index > from) return best && { end: best.cursor, isForced };
  }
  return undefined;
}

/** The next segment is not listed yet, but a marker before it is. */
const isMarkedEnd = ({ lists, marked }: Listing, index: number): boolean => {
  const own = ofRung(lists, 0);
  return index + 1 === own.length && marked.has(segmentAt(own, index).number + 1);
};

/** The nearest border with at least one segment before it, if one is listed. */
function nextBorder(list: SegmentList, border: Border, start: number): Border {
  const { index, misfit } = border;
  if (index > start || index >= list.length) return nearestBorder(list, border, Math.min(start + 1, list.length));
  return nearestBorder(list, { index: index + 1, misfit: misfit + segmentAt(list, index).duration }, start + 1);
}

/** Another rendition has its discontinuity near that of the first rung, or none: then it is cut at the nearest border. */
function atDiscontinuity({ lists }: Listing, border: Border, rung: number, start: Cursor): Border {
  if (rung === 0) return border;
  const list = ofRung(lists, rung);
  const first = ofRung(start, rung).index + 1;
  for (const step of [0, -1, 1, -2, 2]) {
    const index = border.index + step;
    if (index < first || !startsStretch(list, index)) continue;
    const moved = step < 0 ? -durationOf(list, index, border.index) : durationOf(list, border.index, index);
    if (Math.abs(border.misfit + moved) <= SAME_DISCONTINUITY) return { index, misfit: 0 };
  }
  return border;
}

/** The largest misfit, in units of what is allowed; undefined if a rendition does not list enough yet. */
function worstMisfit(
  { lists, options: { textRungs = [], reach = [] }, isEnded }: Listing,
  start: Cursor,
  end: Cursor,
  length: number,
): number | undefined {
  const own = ofRung(lists, 0);
  let worst = 0;
  for (const [rung, { index, misfit }] of end.entries()) {
    const list = ofRung(lists, rung);
    const count = index - ofRung(start, rung).index;
    const isText = textRungs.includes(rung);
    const allowed = isText ? (list[index - 1]?.duration ?? 0) / 2 : (reach[rung] ?? REACH);
    const isShort = count < 1 || (index === list.length && misfit < -allowed);
    if (isShort) {
      const isAbsent = list.length === 0;
      const isLate = isText && (isAbsent || durationOf(own, ofRung(end, 0).index, own.length) >= length);
      const isOver = isEnded && (isText || count > 0);
      if (!isLate && !isOver) return undefined;
      continue;
    }
    worst = Math.max(worst, Math.abs(misfit) / Math.max(allowed, 1));
  }
  return worst;
}
