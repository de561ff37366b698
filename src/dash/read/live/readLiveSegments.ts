// SPDX-License-Identifier: Apache-2.0
// The segments of one Representation that are available now (ISO/IEC 23009-1 5.3.9.5.3 and A.3.2): those that a
// SegmentTimeline or SegmentList lists, or those that follow from the clock.
import { type Flicks, ticksToFlicks } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import {
  childNamed,
  childrenNamed,
  elementWith,
  inherited,
  invalidAttribute,
  MpdFault,
  textAttribute,
  wholeAttribute,
} from '../../mpdFault.ts';
import { segmentNamer } from '../../template.ts';
import type { SegmentLevels } from '../segmentBorders.ts';
import { initialization, resolver, segmentInformation, templated, templateInit } from '../segmentElements.ts';
import { listRefs } from '../segmentList.ts';
import { clockedRun, type LiveClock } from './clockedRun.ts';
import type { LiveAddressing, LiveSegment, LiveSegments } from './liveMpd.ts';
import { liveTimeline, type TimelineRun } from './liveTimeline.ts';
import { afterTicks, ticksBetween } from './liveTimes.ts';

export type LiveContext = SegmentLevels & {
  readonly start: Instant;
  readonly end: Instant | undefined;
  readonly clock: LiveClock;
  readonly since: Instant | undefined;
  readonly warn: (warning: string) => void;
  readonly spend: (segments: number, line: number) => void;
};

/** Seconds; smaller gaps and overlaps result from rounding. */
const MIN_JUMP_SECONDS = 0.1;

/** @throws MpdFault */
export function readLiveSegments(context: LiveContext): LiveSegments {
  const { kind, elements } = segmentInformation(context.levels);
  if (kind === 'SegmentBase') {
    const [{ line }] = context.levels as [XmlElement];
    throw new MpdFault(
      elements[0]?.line ?? line,
      'NO_TIMING',
      `${context.where} is a single resource; a live Representation needs a SegmentTemplate or a SegmentList`,
    );
  }
  const timescale = wholeAttribute(elements, 'timescale', 1) ?? 1;
  const presentationTimeOffset = bigAttribute(elements, 'presentationTimeOffset') ?? 0n;
  const timing = { ...context, timescale, presentationTimeOffset, elements };
  const init = kind === 'SegmentTemplate' ? templateInit(elements, context) : initialization(elements, context);
  const { runs, isClocked } = runsOf(timing, kind === 'SegmentList');
  const { line } = elements[0]!;
  context.spend(
    runs.reduce((sum, { count }) => sum + count, 0),
    line,
  );
  const { addressing, mediaOf } = kind === 'SegmentList' ? listed(timing) : named(timing);
  const segments = placed(runs, timing, mediaOf);
  return { addressing, isClocked, ...(init && { init }), timescale, presentationTimeOffset, segments };
}

type Timing = LiveContext & {
  readonly elements: XmlElement[];
  readonly timescale: number;
  readonly presentationTimeOffset: bigint;
};
type MediaOf = (number: number, time: bigint) => LiveSegment['media'] | undefined;

/** Offsets that count from 1970 in fine timescales exceed the safe integers. */
function bigAttribute(elements: readonly XmlElement[], name: string): bigint | undefined {
  const element = elementWith(elements, name);
  if (element === undefined) return undefined;
  const text = element.attributes[name]!.trim();
  return /^\d{1,20}$/.test(text) ? BigInt(text) : invalidAttribute(element, name, 'a whole number');
}

function runsOf(timing: Timing, isList: boolean): { runs: readonly TimelineRun[]; isClocked: boolean } {
  const { elements, timescale, presentationTimeOffset, start, end, clock, warn, where } = timing;
  const startNumber = wholeAttribute(elements, 'startNumber');
  const firstNumber = startNumber ?? 1;
  const parent = inherited(elements, 'SegmentTimeline');
  const own = elementWith(elements, 'duration');
  const isTimeline = parent !== undefined && (own === undefined || elements.indexOf(own) >= elements.indexOf(parent));
  if (isTimeline) {
    const timeline = childNamed(parent, 'SegmentTimeline')!;
    const period = end && presentationTimeOffset + ticksBetween(start, end, timescale);
    const edge = presentationTimeOffset + ticksBetween(start, clock.now, timescale);
    const { runs, isOpen } = liveTimeline(timeline, firstNumber, { period, edge });
    warnOfJumps(runs, timescale, (text) => warn(`line ${timeline.line}: the SegmentTimeline of ${where} ${text}`));
    const last = wholeAttribute(elements, 'endNumber');
    const complete = textAttribute(elements, 'availabilityTimeComplete') === 'false' ? completeRuns(runs, edge) : runs;
    return { runs: last === undefined ? complete : upTo(complete, last), isClocked: isOpen };
  }
  if (own === undefined)
    throw new MpdFault(
      elements[0]!.line,
      'NO_TIMING',
      `${elements[0]!.local} needs a SegmentTimeline or @duration; both are missing`,
    );
  const ticks = Number(own.attributes.duration);
  if (!(ticks > 0) || !Number.isFinite(ticks)) return invalidAttribute(own, 'duration', 'a positive whole number');
  if (isList) {
    // A list that moves states the number of its first segment; the first segment of the Period has the number 1.
    const first = BigInt(Math.max(0, firstNumber - 1));
    const count = listElements(timing).length;
    return {
      runs: [
        {
          time: presentationTimeOffset + first * BigInt(Math.round(ticks)),
          number: firstNumber,
          ticks: Math.round(ticks),
          count,
        },
      ],
      isClocked: false,
    };
  }
  const endNumber = wholeAttribute(elements, 'endNumber');
  return {
    runs: clockedRun({ ticks, timescale, firstNumber, endNumber, presentationTimeOffset, start, end }, clock),
    isClocked: true,
  };
}

/** Without the segment that is still written: chunks of it can be requested, but it may end early. */
function completeRuns(runs: readonly TimelineRun[], edge: bigint): TimelineRun[] {
  return runs.flatMap((run) => {
    const complete = Math.max(0, Number((edge - run.time) / BigInt(run.ticks)));
    return complete === 0 ? [] : [{ ...run, count: Math.min(run.count, complete) }];
  });
}

const upTo = (runs: readonly TimelineRun[], last: number): TimelineRun[] =>
  runs.flatMap((run) => {
    const count = Math.min(run.count, last - run.number + 1);
    return count > 0 ? [{ ...run, count }] : [];
  });

function warnOfJumps(runs: readonly TimelineRun[], timescale: number, warn: (text: string) => void): void {
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    if (before === undefined) continue;
    const seconds = Number(run.time - before.time - BigInt(before.ticks) * BigInt(before.count)) / timescale;
    if (Math.abs(seconds) < MIN_JUMP_SECONDS) continue;
    const problem = seconds > 0 ? 'has a gap of' : 'goes back by';
    warn(`${problem} ${Math.abs(seconds).toFixed(3)} s before media time ${run.time}`);
  }
}

function named(timing: Timing): { addressing: LiveAddressing; mediaOf: MediaOf } {
  const { name, usesTime } = templated(timing.elements, timing, (filled) => segmentNamer(filled, resolver(timing)));
  return {
    addressing: usesTime ? 'time' : 'number',
    mediaOf: (number, time) => {
      const url = name(number, time);
      return url === undefined ? undefined : { url };
    },
  };
}

function listElements({ elements }: Timing): XmlElement[] {
  const list = inherited(elements, 'SegmentURL');
  return list === undefined ? [] : childrenNamed(list, 'SegmentURL');
}

function listed(timing: Timing): { addressing: LiveAddressing; mediaOf: MediaOf } {
  const refs = listRefs(listElements(timing), timing.baseUrl);
  const first = wholeAttribute(timing.elements, 'startNumber') ?? 1;
  return { addressing: 'list', mediaOf: (number) => refs[number - first] };
}

/** At an edge that Periods share, a segment belongs to the one that its midpoint is in. */
function placed(runs: readonly TimelineRun[], timing: Timing, mediaOf: MediaOf): LiveSegment[] {
  const { start, end, since, timescale, presentationTimeOffset } = timing;
  const until = end && ticksBetween(start, end, timescale);
  const from = since && presentationTimeOffset + ticksBetween(start, since, timescale);
  const segments: LiveSegment[] = [];
  for (const { time: first, number, ticks, count } of runs) {
    const duration: Flicks = ticksToFlicks(ticks, timescale);
    const skipped = from === undefined ? 0 : Math.max(0, Number((from - first) / BigInt(ticks)));
    for (let index = skipped; index < count; index += 1) {
      const time = first + BigInt(ticks) * BigInt(index);
      const middle = 2n * (time - presentationTimeOffset) + BigInt(ticks);
      if (middle < 0n || (until !== undefined && middle >= 2n * until)) continue;
      const media = mediaOf(number + index, time);
      if (media === undefined) continue;
      const startsAt = afterTicks(start, time - presentationTimeOffset, timescale);
      segments.push({ number: number + index, time, ticks, startsAt, duration, media });
    }
  }
  return segments;
}
