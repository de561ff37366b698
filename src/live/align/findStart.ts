// SPDX-License-Identifier: Apache-2.0
// Where all renditions have a border, when the log does not tell which segments belong together: at the beginning, after a
// hole, and when numbers start again. Renditions are compared by date, and by number if they have no dates.

import { defined } from '../../invariant.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND } from '../../time/units.ts';
import { ofRung } from '../../timeline/programme/span.ts';
import type { OriginSegment } from '../origin.ts';
import { type AlignOptions, REACH } from './alignOptions.ts';
import { dateOf, millisBetween } from './originDates.ts';
import { type Border, durationOf, indexAfter, nearestBorder, type SegmentList, segmentAt } from './segmentLists.ts';

/** Where the next slot starts: the border of each rung, with its distance from that of the first rung. */
export type Cursor = readonly Border[];

/** What the log states about a rung. */
export type Known = {
  /** How much greater its numbers are than those of the first rung, if that is known. */
  readonly offset?: number | undefined;
  /** All that it lists is in the log. Without dates it is compared when that has changed. */
  readonly isLogged: boolean;
};

/** Segments of the first rung whose dates are compared, before and after the start. */
const COMPARED = 8;
/** If there is no common border within this time, the best one is taken. */
export const LONGEST_SLOT = 30 * FLICKS_PER_SECOND;
/** Without dates, the numbers of the first listed segments tell which belong together if they differ by less. */
const MOST_APART = 20;
/** Dates that are truncated to seconds differ by up to one. */
const DATE_ERROR = 1050;

/**
 * @param from the first segment of the first rung that may be used
 * @param known by rung
 * @returns undefined if a rendition lags so that no segment of it belongs to the start
 */
export function findStart(
  lists: readonly SegmentList[],
  from: number,
  { textRungs = [], reach = [] }: AlignOptions,
  known: (rung: number) => Known,
): Cursor | undefined {
  const own = ofRung(lists, 0);
  let borders: Border[] = [];
  for (const [rung, list] of lists.entries()) {
    const near =
      rung === 0 ? { index: from, misfit: 0 } : counterpart(own, list, from, reach[rung] ?? REACH, known(rung));
    if (near === undefined && !textRungs.includes(rung)) return undefined;
    borders.push(near ?? { index: list.length, misfit: 0 });
  }
  let best: { cursor: Cursor; misfit: number } | undefined;
  let passed = 0;
  for (let index = from; index < own.length && passed <= LONGEST_SLOT; index += 1) {
    const misfit = worstMisfit(lists, borders, textRungs, reach);
    if (misfit <= 1) return borders;
    if (misfit < (best?.misfit ?? Number.POSITIVE_INFINITY)) best = { cursor: borders, misfit };
    const { duration } = segmentAt(own, index);
    passed += duration;
    borders = borders.map((border, rung) =>
      rung === 0
        ? { index: index + 1, misfit: 0 }
        : nearestByTime(
            own[index + 1],
            ofRung(lists, rung),
            nearestBorder(ofRung(lists, rung), { index: border.index, misfit: border.misfit - duration }),
          ),
    );
  }
  return best?.cursor;
}

/** The largest misfit, in units of what is allowed; infinite where a rendition has no segment. */
const worstMisfit = (
  lists: readonly SegmentList[],
  borders: readonly Border[],
  textRungs: readonly number[],
  reach: AlignOptions['reach'],
): number =>
  Math.max(
    ...borders.map(({ index, misfit }, rung) => {
      if (textRungs.includes(rung)) return 0;
      const segment = ofRung(lists, rung)[index];
      if (segment === undefined || Math.abs(misfit) > segment.duration / 2) return Number.POSITIVE_INFINITY;
      return Math.abs(misfit) / (reach?.[rung] ?? REACH);
    }),
  );

/** The border of `list` nearest to the start of segment `from` of the first rung. */
export function counterpart(
  own: SegmentList,
  list: SegmentList,
  from: number,
  reach: number,
  known: Known,
): Border | undefined {
  const { offset, isLogged } = known;
  // In DASH, dates are media times. Then numbers, which the reader of a rendition counts, decide nothing.
  const isExact = [own[from], list[0]].every(
    (segment) => segment?.mediaTime !== undefined && dateOf(segment) !== undefined,
  );
  const byDate = offset === undefined || isExact ? pairByDate(own, list, from) : undefined;
  const byNumber = () =>
    offset === undefined ? pairByNumber(own, list, from, isLogged) : equalNumbers(own, list, from, offset);
  const dated = byDate && !isExact ? (pairInSeconds(own, list, from) ?? byDate) : byDate;
  const pair = dated ?? (isExact ? undefined : byNumber());
  if (pair === undefined) return undefined;
  // The date of a rendition may be an audio frame beside that of the video. A larger difference is an inexact date.
  const misfit = isExact || Math.abs(pair.difference) <= reach ? pair.difference : 0;
  const way = pair.own <= from ? durationOf(own, pair.own, from) : -durationOf(own, from, pair.own);
  return nearestByTime(own[from], list, nearestBorder(list, { index: pair.index, misfit: misfit - way }));
}

/**
 * Borders are counted from durations. Where the origin states times exactly, they decide, because segments may be missing in a
 * rendition: the border is before the first segment with its midpoint after the start of the first rung's.
 */
export function nearestByTime(own: OriginSegment | undefined, list: SegmentList, border: Border, least = 0): Border {
  const misfitAt = (index: number): number | undefined => exactMisfit(own, list[index]);
  const isBefore = (index: number): boolean => {
    const misfit = misfitAt(index);
    return misfit !== undefined && misfit < -segmentAt(list, index).duration / 2;
  };
  let { index } = border;
  if (misfitAt(index) === undefined) return border;
  while (isBefore(index) && misfitAt(index + 1) !== undefined) index += 1;
  while (index > least && misfitAt(index - 1) !== undefined && !isBefore(index - 1)) index -= 1;
  return { index, misfit: defined(misfitAt(index), 'only borders with exact times are passed') };
}

/** Borders further apart than this are not those of one discontinuity, whatever the dates are. */
const LARGEST_MISFIT = 10 * FLICKS_PER_SECOND;

/** How much later a segment starts than one of the first rung, in flicks, if the origin states that exactly. */
export function exactMisfit(own: OriginSegment | undefined, other: OriginSegment | undefined): number | undefined {
  if (own?.mediaTime === undefined || other?.mediaTime === undefined) return undefined;
  const [date, its] = [dateOf(own), dateOf(other)];
  if (date === undefined || its === undefined) return undefined;
  const misfit = Math.round(millisBetween(date, its) * FLICKS_PER_MILLI);
  return Math.abs(misfit) <= LARGEST_MISFIT ? misfit : undefined;
}

/** Segment `own` of the first rung starts with segment `index` of another, which is later by `difference` flicks. */
type Pair = { readonly own: number; readonly index: number; readonly difference: number };

/** The pair of nearest dates; if most pairs have the same distance in the lists, one of these. */
function pairByDate(own: SegmentList, list: SegmentList, from: number): Pair | undefined {
  const pairs: Pair[] = [];
  for (let at = Math.max(0, from - COMPARED); at < Math.min(own.length, from + COMPARED); at += 1) {
    const pair = nearestByDate(segmentAt(own, at), at, list);
    if (pair !== undefined) pairs.push(pair);
  }
  const votes = (pair: Pair): number =>
    pairs.filter(({ own: at, index }) => index - at === pair.index - pair.own).length;
  const isMost = (pair: Pair): boolean => votes(pair) * 2 > pairs.length;
  const most = pairs.filter(isMost);
  const candidates = most.length > 0 ? most : pairs;
  return candidates.reduce<Pair | undefined>(
    (best, pair) => (best === undefined || Math.abs(pair.difference) < Math.abs(best.difference) ? pair : best),
    undefined,
  );
}

function nearestByDate(segment: OriginSegment, at: number, list: SegmentList): Pair | undefined {
  const date = dateOf(segment);
  if (date === undefined) return undefined;
  let best: { index: number; distance: number } | undefined;
  for (const [index, other] of list.entries()) {
    const its = dateOf(other);
    if (its === undefined) continue;
    const distance = millisBetween(date, its);
    if (best === undefined || Math.abs(distance) <= Math.abs(best.distance)) best = { index, distance };
  }
  if (best === undefined) return undefined;
  const half = Math.max(segment.duration, segmentAt(list, best.index).duration) / 2 / FLICKS_PER_MILLI;
  // What is beside the ends of the list has no counterpart in it.
  const isInside = best.index > 0 && best.index < list.length - 1;
  if (Math.abs(best.distance) > (isInside ? Math.max(half, DATE_ERROR) : half)) return undefined;
  return { own: at, index: best.index, difference: Math.round(best.distance * FLICKS_PER_MILLI) };
}

/**
 * Dates in whole seconds are truncated: an audio segment that starts a frame before its video segment is dated a second before
 * it. Segments of about a second would be paired with their neighbours. Equal numbers decide if dates allow it.
 */
function pairInSeconds(own: SegmentList, list: SegmentList, from: number): Pair | undefined {
  const isWhole = (segment: OriginSegment): boolean => {
    const date = dateOf(segment);
    return date === undefined || (date.millis % 1000 === 0 && date.rest === 0);
  };
  if (!own.every(isWhole) || !list.every(isWhole)) return undefined;
  const pair = equalNumbers(own, list, from, 0);
  if (pair === undefined) return undefined;
  const [first, other] = [own[pair.own], list[pair.index]].map((segment) => segment && dateOf(segment));
  if (first === undefined || other === undefined) return undefined;
  return Math.abs(millisBetween(first, other)) <= DATE_ERROR ? pair : undefined;
}

/** Equal numbers; or, where renditions are numbered differently, the beginnings of the lists. */
function pairByNumber(own: SegmentList, list: SegmentList, from: number, isLogged: boolean): Pair | undefined {
  const segment = own[from];
  const first = list[0];
  if (segment === undefined || first === undefined) return undefined;
  if (Math.abs(segmentAt(own, 0).number - first.number) <= MOST_APART) {
    return equalNumbers(own, list, from, 0);
  }
  const isDated = dateOf(segment) !== undefined && dateOf(first) !== undefined;
  return isDated || isLogged ? undefined : { own: 0, index: 0, difference: 0 };
}

/** Numbers that differ by `offset`: those of segment `from`, or of the first that both list. */
function equalNumbers(own: SegmentList, list: SegmentList, from: number, offset: number): Pair | undefined {
  const number = Math.max(own[from]?.number ?? 0, (list[0]?.number ?? 0) - offset);
  const [at, index] = [indexAfter(own, number - 1), indexAfter(list, number + offset - 1)];
  const isListed = own[at]?.number === number && list[index]?.number === number + offset;
  return isListed ? { own: at, index, difference: 0 } : undefined;
}
