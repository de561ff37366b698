// SPDX-License-Identifier: Apache-2.0
// How the segments of one Representation are addressed (ISO/IEC 23009-1 5.3.9): SegmentTemplate, SegmentList,
// SegmentBase or nothing but a BaseURL, inherited from Period to AdaptationSet to Representation.
import type { NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { SegmentUrls } from '../../timeline/asset/asset.ts';
import { packUrls, segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { IndexedSegments, ListedSegments } from '../mpd.ts';
import { bigAttribute, childrenNamed, inherited, MpdFault, timescaleOf, wholeAttribute } from '../mpdFault.ts';
import { type PeriodEdges, type SegmentContext, segmentTimes, type Timing, ticksOf } from './segmentBorders.ts';
import {
  initialization,
  listUrls,
  rangeAttribute,
  resolver,
  segmentInformation,
  templated,
  templateInit,
} from './segmentElements.ts';
import { borderAt, SET_END } from './segmentTimeline.ts';
import { templateUrls } from './template.ts';

/** @throws MpdFault */
export function* readSegments(context: SegmentContext): Sliced<ListedSegments | IndexedSegments> {
  const { kind, elements } = segmentInformation(context.levels);
  const timescale = timescaleOf(elements);
  const presentationTimeOffset = Number(bigAttribute(elements, 'presentationTimeOffset') ?? 0n);
  if (kind !== 'SegmentBase')
    return yield* listedSegments(kind, elements, { ...context, timescale, presentationTimeOffset });
  if (context.container === 'vtt') return wholeFile(context, timescale, presentationTimeOffset);
  const init = initialization(elements, context);
  const indexRange = rangeAttribute(elements, 'indexRange');
  return {
    kind: 'indexed',
    url: context.baseUrl,
    ...(init && { init }),
    ...(indexRange && { indexRange }),
    timescale,
    presentationTimeOffset,
  };
}

/** A separate WebVTT file: one segment with the duration of the Period (5.3.9.2.1). */
function wholeFile(context: SegmentContext, timescale: number, presentationTimeOffset: number): ListedSegments {
  const span = ticksOf(context.periodDuration, timescale);
  if (span === undefined)
    throw new MpdFault(
      context.levels[0].line,
      'PERIOD_END',
      `the Period of this text file needs a duration; ${SET_END}`,
    );
  return {
    kind: 'listed',
    urls: packUrls([context.baseUrl]),
    count: 1,
    borders: Float64Array.of(presentationTimeOffset, presentationTimeOffset + span),
    timescale,
    presentationTimeOffset,
  };
}

function* listedSegments(
  kind: 'SegmentTemplate' | 'SegmentList',
  elements: NonEmpty<XmlElement>,
  timing: Timing,
): Sliced<ListedSegments> {
  const { timescale, presentationTimeOffset, periodDuration } = timing;
  const firstNumber = wholeAttribute(elements, 'startNumber') ?? 1;
  const list = kind === 'SegmentList' ? inherited(elements, 'SegmentURL') : undefined;
  const segmentUrls = list && childrenNamed(list.parent, 'SegmentURL');
  if (kind === 'SegmentList' && segmentUrls === undefined) {
    throw new MpdFault(elements[0].line, 'NO_SEGMENT_URL', 'SegmentList has no SegmentURL; it needs at least one');
  }
  const times = yield* segmentTimes(elements, timing, firstNumber, segmentUrls?.length);
  const span = ticksOf(periodDuration, timescale);
  const place = { offset: presentationTimeOffset, span, timescale, edges: timing.edges };
  const shown = shownInPeriod(times.borders, place, (text) => timing.warn(`${timing.where}: ${text}`));
  const numbers = times.numbers?.slice(shown.first, shown.end);
  const names = {
    count: shown.end - shown.first,
    firstNumber: firstNumber + shown.first,
    ...(numbers && { numbers }),
    time: (index: number) => times.time(shown.first + index),
    timesAreBorders: times.timesAreBorders,
  };
  yield;
  const resolve = resolver(timing);
  const urls =
    segmentUrls === undefined
      ? templated(elements, timing, (filled) => templateUrls(filled, names, resolve))
      : cutUrls(yield* listUrls(segmentUrls, timing.baseUrl), shown);
  const init = kind === 'SegmentTemplate' ? templateInit(elements, timing) : initialization(elements, timing);
  return {
    kind: 'listed',
    ...(init && { init }),
    urls,
    count: names.count,
    borders:
      shown.first === 0 && shown.end === times.borders.length - 1
        ? times.borders
        : times.borders.slice(shown.first, shown.end + 1),
    timescale,
    presentationTimeOffset,
    ...(times.isLastImplied && shown.end === times.borders.length - 1 ? { isLastImplied: true } : {}),
  };
}

// A Period shows a part of the media time of its Representations (ISO/IEC 23009-1 5.3.9.2.2, @presentationTimeOffset);
// several Periods may share one timeline or one file.

/** Segments `first` to `end − 1` of a timeline; `isOutside` if they are all of it, because none is within the Period. */
type ShownSegments = { readonly first: number; readonly end: number; readonly isOutside: boolean };

/** Less results from rounding. */
const MIN_LOSS_SECONDS = 0.1;

/** What a Period shows of a timeline. */
type PeriodPlace = {
  /** @presentationTimeOffset: the media time at which the Period starts. */
  readonly offset: number;
  /** The duration of the Period in ticks; undefined when unknown. */
  readonly span: number | undefined;
  readonly timescale: number;
  readonly edges: PeriodEdges;
};

/** A segment that overlaps the Period by less than this share of its duration overlaps it only because of rounding. */
const MIN_OVERLAP = 0.01;

/**
 * The segments that belong to the Period, `first` to `end − 1`: at an edge shared with another Period, those with their
 * midpoint inside; otherwise all that overlap it. When none does, all segments, with `isOutside`.
 */
function withinPeriod(borders: Float64Array, { offset, span, edges }: PeriodPlace): ShownSegments {
  const count = borders.length - 1;
  const at = (index: number, part: number): number => {
    const border = borderAt(borders, index);
    return border + part * (borderAt(borders, index + 1) - border);
  };
  const until = span === undefined ? Number.POSITIVE_INFINITY : offset + span;
  const startPart = edges.isFirst ? 1 - MIN_OVERLAP : 0.5;
  const endPart = edges.isLast ? MIN_OVERLAP : 0.5;
  let first = 0;
  while (first < count && at(first, startPart) < offset) first += 1;
  let end = count;
  while (end > first && at(end - 1, endPart) >= until) end -= 1;
  return first < end ? { first, end, isOutside: false } : { first: 0, end: count, isOutside: true };
}

/** A recording of a live stream whose packager kept the times and forgot the offset: it would fit the only Period there is. */
function isUnplaced(borders: Float64Array, { offset, span, edges }: PeriodPlace, { end }: ShownSegments): boolean {
  const [count, first] = [borders.length - 1, borderAt(borders, 0)];
  if (offset !== 0 || span === undefined || !edges.isFirst || !edges.isLast || end === count) return false;
  const until = borderAt(borders, count);
  const last = until - borderAt(borders, count - 1);
  return 2 * first > borderAt(borders, 1) - first && until - first < span + last / 2;
}

/** The segments that are shown of a timeline; warns of others, unless they may be in the next Period or the one before. */
export function shownInPeriod(borders: Float64Array, place: PeriodPlace, warn: (text: string) => void): ShownSegments {
  const shown = withinPeriod(borders, place);
  const count = borders.length - 1;
  const { timescale, edges } = place;
  const seconds = (ticks: number): string => `${(ticks / timescale).toFixed(3)} s`;
  const isWorth = (ticks: number): boolean => ticks > MIN_LOSS_SECONDS * timescale;
  if (shown.isOutside) {
    warn('no segment is within its Period according to presentationTimeOffset; all are used');
    return shown;
  }
  if (isUnplaced(borders, place, shown)) {
    const late = `its segments start ${seconds(borderAt(borders, 0))} after its Period and end after it; all are used`;
    warn(`${late}. Set presentationTimeOffset to the media time at which the Period starts`);
    return { ...shown, first: 0, end: count };
  }
  const early = borderAt(borders, shown.first) - borderAt(borders, 0);
  if (edges.isFirst && isWorth(early)) {
    warn(`its first ${seconds(early)} are before its Period and are left out; check presentationTimeOffset`);
  }
  const late = borderAt(borders, count) - borderAt(borders, shown.end);
  if (edges.isLast && isWorth(late)) {
    warn(`its last ${seconds(late)} are after its Period and are left out; check the duration of the Period`);
  }
  return shown;
}

export function cutUrls(urls: SegmentUrls, { first, end }: Pick<ShownSegments, 'first' | 'end'>): SegmentUrls {
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
