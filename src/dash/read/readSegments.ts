// SPDX-License-Identifier: Apache-2.0
// How the segments of one Representation are addressed (ISO/IEC 23009-1 5.3.9): SegmentTemplate, SegmentList,
// SegmentBase or nothing but a BaseURL, inherited from Period to AdaptationSet to Representation.
import type { Sliced } from '../../time/sliced.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { IndexedSegments, ListedSegments } from '../mpd.ts';
import { bigAttribute, childrenNamed, inherited, MpdFault, timescaleOf, wholeAttribute } from '../mpdFault.ts';
import { templateUrls } from '../template.ts';
import { cutUrls, shownInPeriod } from '../withinPeriod.ts';
import { type SegmentContext, segmentTimes, type Timing, ticksOf } from './segmentBorders.ts';
import {
  initialization,
  rangeAttribute,
  resolver,
  segmentInformation,
  templated,
  templateInit,
} from './segmentElements.ts';
import { listUrls } from './segmentList.ts';

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
      context.levels[0]!.line,
      'PERIOD_END',
      'the Period of this text file needs a duration; set Period@duration or MPD@mediaPresentationDuration',
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
  elements: XmlElement[],
  timing: Timing,
): Sliced<ListedSegments> {
  const { timescale, presentationTimeOffset, periodDuration } = timing;
  const firstNumber = wholeAttribute(elements, 'startNumber') ?? 1;
  const list = kind === 'SegmentList' ? inherited(elements, 'SegmentURL') : undefined;
  const segmentUrls = list && childrenNamed(list, 'SegmentURL');
  if (kind === 'SegmentList' && segmentUrls === undefined) {
    throw new MpdFault(elements[0]!.line, 'NO_SEGMENT_URL', 'SegmentList has no SegmentURL; it needs at least one');
  }
  const times = yield* segmentTimes(elements, timing, firstNumber, segmentUrls?.length);
  const span = ticksOf(periodDuration, timescale);
  const place = { offset: presentationTimeOffset, span, timescale, edges: timing.edges };
  const cut = shownInPeriod(times.borders, place, (text) => timing.warn(`${timing.where}: ${text}`));
  const numbers = times.numbers?.slice(cut.first, cut.end);
  const names = {
    count: cut.end - cut.first,
    firstNumber: firstNumber + cut.first,
    ...(numbers && { numbers }),
    time: (index: number) => times.time(cut.first + index),
    timesAreBorders: times.timesAreBorders,
  };
  yield;
  const resolve = resolver(timing);
  const urls =
    segmentUrls === undefined
      ? templated(elements, timing, (filled) => templateUrls(filled, names, resolve))
      : cutUrls(yield* listUrls(segmentUrls, timing.baseUrl), cut);
  const init = kind === 'SegmentTemplate' ? templateInit(elements, timing) : initialization(elements, timing);
  return {
    kind: 'listed',
    ...(init && { init }),
    urls,
    count: names.count,
    borders:
      cut.first === 0 && cut.end === times.borders.length - 1
        ? times.borders
        : times.borders.slice(cut.first, cut.end + 1),
    timescale,
    presentationTimeOffset,
    ...(times.isLastImplied && cut.end === times.borders.length - 1 ? { isLastImplied: true } : {}),
  };
}
