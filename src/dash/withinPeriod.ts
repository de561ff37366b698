// SPDX-License-Identifier: Apache-2.0
// A Period shows a part of the media time of its Representations (ISO/IEC 23009-1 5.3.9.2.2, @presentationTimeOffset);
// several Periods may share one timeline or one file.
import type { SegmentUrls } from '../timeline/asset/asset.ts';
import { packUrls, segmentUrl } from '../timeline/asset/segmentUrl.ts';

export type Cut = { readonly first: number; readonly end: number; readonly isOutside: boolean };

/** The place of a Period: at an edge that two Periods share, a segment must belong to only one of them. */
export type PeriodEdges = { readonly isFirst: boolean; readonly isLast: boolean };

/** A segment that overlaps the Period by less than this share of its duration overlaps it only because of rounding. */
const MIN_OVERLAP = 0.01;

/**
 * The segments that belong to the Period, `first` to `end − 1`: at an edge shared with another Period, those with their
 * midpoint inside; otherwise all that overlap it. When none does, all segments, with `isOutside`.
 * @param offset the media time at which the Period starts
 * @param span the duration of the Period in the same ticks; undefined when unknown
 */
export function withinPeriod(borders: Float64Array, offset: number, span: number | undefined, edges: PeriodEdges): Cut {
  const count = borders.length - 1;
  const at = (index: number, part: number): number => borders[index]! + part * (borders[index + 1]! - borders[index]!);
  const until = span === undefined ? Number.POSITIVE_INFINITY : offset + span;
  const startPart = edges.isFirst ? 1 - MIN_OVERLAP : 0.5;
  const endPart = edges.isLast ? MIN_OVERLAP : 0.5;
  let first = 0;
  while (first < count && at(first, startPart) < offset) first += 1;
  let end = count;
  while (end > first && at(end - 1, endPart) >= until) end -= 1;
  return first < end ? { first, end, isOutside: false } : { first: 0, end: count, isOutside: true };
}

/** The URLs of the segments in a cut. */
export function cutUrls(urls: SegmentUrls, { first, end }: Pick<Cut, 'first' | 'end'>): SegmentUrls {
  switch (urls.kind) {
    case 'number':
      return { ...urls, first: urls.first + first };
    case 'time':
      return urls;
    case 'numberedRanges':
      throw new Error('only Midroll itself writes numbered ranges');
    case 'ranges':
      return { ...urls, starts: urls.starts.slice(first, end), lengths: urls.lengths.slice(first, end) };
    case 'pieces': {
      const [starts, lengths] = [urls.starts.slice(first, end), urls.lengths.slice(first, end)];
      return { ...urls, of: cutUrls(urls.of, { first, end }), starts, lengths };
    }
    case 'list': {
      if (first === 0 && end === urls.ends.length) return urls;
      const track = { borders: new Float64Array(), urls };
      return packUrls(Array.from({ length: end - first }, (_, index) => segmentUrl(track, first + index).url));
    }
  }
}
