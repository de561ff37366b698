// SPDX-License-Identifier: Apache-2.0
// When the segments of one Representation begin and end according to the MPD (ISO/IEC 23009-1 5.3.9.2): by a
// SegmentTimeline, by equal @duration, or as one segment for the whole Period.
import type { NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import { FLICKS_PER_SECOND, type Flicks } from '../../time/units.ts';
import type { Container } from '../../timeline/asset/asset.ts';
import type { XmlElement } from '../../xml/element.ts';
import {
  attributeOf,
  inherited,
  invalidAttribute,
  MpdFault,
  type MpdFaultCode,
  textAttribute,
  wholeAttribute,
} from '../mpdFault.ts';
import type { ReadingLimits } from './mpdElements.ts';
import { borderAt, type ExpandedTimeline, expandTimeline, MAX_SEGMENTS, SET_END } from './segmentTimeline.ts';

type SharedTimeline = {
  readonly end: number | undefined;
  readonly firstNumber: number;
  readonly expanded: ExpandedTimeline;
};

/** The place of a Period: at an edge that two Periods share, a segment must belong to only one of them. */
export type PeriodEdges = { readonly isFirst: boolean; readonly isLast: boolean };

/** A Representation whose segments are read. */
export type SegmentLevels = {
  /** Representation, AdaptationSet, Period: the lowest first. */
  readonly levels: NonEmpty<XmlElement>;
  readonly id: string | undefined;
  readonly bandwidth: number | undefined;
  readonly baseUrl: string;
  readonly container: Container;
  /** For messages. */
  readonly where: string;
};

export type SegmentContext = SegmentLevels &
  Pick<ReadingLimits, 'warn' | 'spend'> & {
    readonly periodDuration: Flicks | undefined;
    readonly edges: PeriodEdges;
    /** Timelines of this Period that are already expanded; Representations share them. */
    readonly timelines: Map<XmlElement, SharedTimeline>;
  };

/** Seconds; smaller gaps and overlaps result from rounding. */
export const MIN_JUMP_SECONDS = 0.1;

export type Timing = SegmentContext & { readonly timescale: number; readonly presentationTimeOffset: number };
type SegmentTimes = Pick<ExpandedTimeline, 'borders' | 'time' | 'timesAreBorders' | 'numbers'> & {
  readonly isLastImplied?: boolean;
};

export const ticksOf = (duration: Flicks | undefined, timescale: number): number | undefined =>
  duration && (duration / FLICKS_PER_SECOND) * timescale;

/**
 * Borders by SegmentTimeline, by @duration, or of one segment as long as the Period (5.3.9.2.1).
 * @param listed the number of SegmentURL elements of a SegmentList
 */
export function* segmentTimes(
  elements: NonEmpty<XmlElement>,
  timing: Timing,
  firstNumber: number,
  listed: number | undefined,
): Sliced<SegmentTimes> {
  const { timescale, presentationTimeOffset, periodDuration, where } = timing;
  const span = ticksOf(periodDuration, timescale);
  const timeline = inherited(elements, 'SegmentTimeline');
  if (timeline !== undefined && !isBelow(attributeOf(elements, 'duration')?.element, timeline.parent, elements)) {
    const times = upToEnd(yield* timelineOf(timeline.child, timing, firstNumber), elements, firstNumber);
    const count = times.borders.length - 1;
    if (listed === undefined || listed === count) return times;
    timing.warn(
      `${where} lists ${listed} SegmentURLs, its SegmentTimeline ${count} segments; the shorter list is used`,
    );
    return { ...times, borders: times.borders.slice(0, Math.min(count, listed) + 1) };
  }
  const duration = durationOf(elements) ?? (isSingle(elements, listed) ? span : undefined) ?? missingTiming(elements);
  const start = presentationTimeOffset + (wholeAttribute(elements, 'eptDelta', Number.NEGATIVE_INFINITY) ?? 0);
  return evenBorders(elements, timing.spend, {
    start,
    duration,
    end: span && presentationTimeOffset + span,
    timescale,
    firstNumber,
    listed,
  });
}

/** Whether `one` is on a lower level than `other`, and so overrides it (5.3.9.1). */
const isBelow = (one: XmlElement | undefined, other: XmlElement, elements: readonly XmlElement[]): boolean =>
  one !== undefined && elements.indexOf(one) < elements.indexOf(other);

/** Without @duration and SegmentTimeline there is one segment, unless a template counts segments (5.3.9.5.3). */
const isSingle = (elements: readonly XmlElement[], listed: number | undefined): boolean =>
  listed === undefined ? !/\$(Number|Time)/.test(textAttribute(elements, 'media') ?? '') : listed === 1;

function* timelineOf(timeline: XmlElement, timing: Timing, firstNumber: number): Sliced<ExpandedTimeline> {
  const { timescale, presentationTimeOffset, periodDuration, where } = timing;
  const span = ticksOf(periodDuration, timescale);
  const end = span && presentationTimeOffset + span;
  const shared = timing.timelines.get(timeline);
  if (shared !== undefined && shared.end === end && shared.firstNumber === firstNumber) return shared.expanded;
  const expanded = yield* expandTimeline(timeline, end, firstNumber);
  timing.spend(expanded.borders.length, timeline.line);
  timing.timelines.set(timeline, { end, firstNumber, expanded });
  for (const { line, ticks } of expanded.jumps) {
    const seconds = Math.abs(ticks) / timescale;
    if (seconds < MIN_JUMP_SECONDS) continue;
    const problem = ticks > 0 ? 'has a gap of' : 'goes back by';
    timing.warn(`line ${line}: the SegmentTimeline of ${where} ${problem} ${seconds.toFixed(3)} s`);
  }
  return expanded;
}

/** Drops the segments after @endNumber (5.3.9.5.3). */
function upToEnd(times: SegmentTimes, elements: readonly XmlElement[], firstNumber: number): SegmentTimes {
  const endNumber = wholeAttribute(elements, 'endNumber');
  if (endNumber === undefined || times.numbers !== undefined) return times;
  return { ...times, borders: times.borders.slice(0, Math.max(1, endNumber - firstNumber + 1) + 1) };
}

/** @throws MpdFault */
export function missingTiming([{ line, local }]: NonEmpty<XmlElement>): never {
  throw new MpdFault(line, 'NO_TIMING', `${local} needs a SegmentTimeline or @duration; both are missing`);
}

/** @duration, which may have decimals. @throws MpdFault */
export function durationOf(elements: readonly XmlElement[]): number | undefined {
  const found = attributeOf(elements, 'duration');
  if (found === undefined) return undefined;
  const value = Number(found.text);
  if (value > 0 && Number.isFinite(value)) return value;
  return invalidAttribute(found.element, 'duration', 'a positive whole number');
}

/** A remainder of the Period under this many seconds results from a rounded duration: no frame is that short. */
const MIN_SEGMENT_SECONDS = 0.005;

type Even = {
  readonly start: number;
  readonly duration: number;
  readonly end: number | undefined;
  readonly timescale: number;
  readonly firstNumber: number;
  readonly listed: number | undefined;
};

/** Segments of equal @duration; the last one ends with the Period (5.3.9.5.3). */
function evenBorders(elements: NonEmpty<XmlElement>, spend: SegmentContext['spend'], even: Even): SegmentTimes {
  const { start, duration, end, timescale, firstNumber, listed } = even;
  const endNumber = wholeAttribute(elements, 'endNumber');
  const counts = [
    listed,
    endNumber === undefined ? undefined : endNumber - firstNumber + 1,
    end === undefined ? undefined : Math.ceil((end - start - MIN_SEGMENT_SECONDS * timescale) / duration),
  ].filter((count) => count !== undefined);
  const count = Math.min(...counts);
  const [{ line, local }] = elements;
  const fault = (code: MpdFaultCode, problem: string) => new MpdFault(line, code, `${local} ${problem}`);
  if (counts.length === 0) throw fault('PERIOD_END', `has @duration, but the end of the Period is unknown; ${SET_END}`);
  const stated = `@duration is ${duration}, @startNumber ${firstNumber}, @endNumber ${endNumber ?? 'not set'}`;
  if (count < 1) throw fault('NO_SEGMENT', `lists no segment: ${stated}`);
  if (count > MAX_SEGMENTS)
    throw fault('TOO_MANY_SEGMENTS', `lists ${count} segments; at most ${MAX_SEGMENTS} are supported`);
  spend(count + 1, line);
  const borders = Float64Array.from({ length: count + 1 }, (_, index) => start + index * duration);
  const isCut = end !== undefined && end < borderAt(borders, count);
  if (isCut) borders[count] = end;
  const isWhole = Number.isInteger(duration);
  return {
    borders,
    time: (index) => BigInt(Math.round(borderAt(borders, index))),
    timesAreBorders: isWhole,
    ...(isCut && counts.length === 1 ? { isLastImplied: true } : {}),
  };
}
