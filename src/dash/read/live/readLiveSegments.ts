// SPDX-License-Identifier: Apache-2.0
// The segments of one Representation that are available now (ISO/IEC 23009-1 5.3.9.5.3 and A.3.2): those that a
// SegmentTimeline or SegmentList lists, or those that follow from the clock.
import type { NonEmpty } from '../../../invariant.ts';
import type { Sliced } from '../../../time/sliced.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import type { XmlElement } from '../../../xml/element.ts';
import {
  attempt,
  attributeOf,
  bigAttribute,
  childrenNamed,
  hint,
  inherited,
  invalidAttribute,
  MpdFault,
  textAttribute,
  timescaleOf,
  wholeAttribute,
} from '../../mpdFault.ts';
import type { ReadingLimits } from '../mpdElements.ts';
import type { PeriodContext } from '../readRepresentation.ts';
import { durationOf, MIN_JUMP_SECONDS, missingTiming, type SegmentLevels } from '../segmentBorders.ts';
import { initialization, listRef, resolver, segmentInformation, templated, templateInit } from '../segmentElements.ts';
import { ELEMENTS_IN_SLICE } from '../segmentTimeline.ts';
import { segmentNamer } from '../template.ts';
import type { LiveAddressing, LiveSegments } from './liveMpd.ts';
import { clockedRun, type LiveClock, liveTimeline, type TimelineRun } from './liveTimeline.ts';
import { ticksBetween } from './liveTimes.ts';
import { placeSegments, type SegmentPlace, SHORTEST_SECONDS } from './placeSegments.ts';

export type LiveContext = SegmentLevels &
  PeriodContext &
  Pick<ReadingLimits, 'spend'> &
  Pick<SegmentPlace, 'start' | 'end' | 'since' | 'newest'> & { readonly clock: LiveClock };

const RUNS_IN_SLICE = 5000;

/** @throws MpdFault */
export function* readLiveSegments(context: LiveContext): Sliced<LiveSegments> {
  const { kind, elements } = segmentInformation(context.levels);
  if (kind === 'SegmentBase') {
    const { line } = elements[0] ?? context.levels[0];
    const problem = `${context.where} is a single resource; a live Representation needs a SegmentTemplate or a SegmentList`;
    throw new MpdFault(line, 'NO_TIMING', problem);
  }
  const timescale = timescaleOf(elements);
  const presentationTimeOffset = bigAttribute(elements, 'presentationTimeOffset') ?? 0n;
  const timing = { ...context, timescale, presentationTimeOffset, elements };
  const init = kind === 'SegmentTemplate' ? templateInit(elements, context) : initialization(elements, context);
  const { addressing, mediaOf } = kind === 'SegmentList' ? yield* listed(timing) : named(timing);
  const { runs, isClocked } = yield* runsOf(timing, addressing);
  const [{ line }] = elements;
  context.spend(
    runs.reduce((sum, { count }) => sum + count, 0),
    line,
  );
  const placed = yield* placeSegments(runs, { ...timing, line }, mediaOf);
  return { addressing, isClocked, ...(init && { init }), timescale, presentationTimeOffset, ...placed };
}

type Timing = LiveContext & {
  readonly elements: NonEmpty<XmlElement>;
  readonly timescale: number;
  readonly presentationTimeOffset: bigint;
};
type MediaOf = (number: number, time: bigint) => MediaRef | undefined;

function* runsOf(
  timing: Timing,
  addressing: LiveAddressing,
): Sliced<{ runs: readonly TimelineRun[]; isClocked: boolean }> {
  const { elements, timescale, presentationTimeOffset, start, end, clock, warn, where } = timing;
  const startNumber = (): number | undefined => wholeAttribute(elements, 'startNumber');
  // URLs with $Time$ need no number.
  const firstNumber = (addressing === 'time' ? hint(startNumber, warn) : startNumber()) ?? 1;
  const endNumber = hint(() => wholeAttribute(elements, 'endNumber'), warn);
  const found = inherited(elements, 'SegmentTimeline');
  const own = attributeOf(elements, 'duration');
  if (found !== undefined && (own === undefined || elements.indexOf(own.element) >= elements.indexOf(found.parent))) {
    const timeline = found.child;
    const period = end && presentationTimeOffset + ticksBetween(start, end, timescale);
    const edge = presentationTimeOffset + ticksBetween(start, clock.now, timescale);
    const { runs, isOpen } = yield* liveTimeline(timeline, firstNumber, { period, edge }, warn);
    const what = `line ${timeline.line}: the SegmentTimeline of ${where}`;
    yield* warnOfJumps(runs, timescale, (text) => warn(`${what} ${text}`));
    const complete = textAttribute(elements, 'availabilityTimeComplete') === 'false' ? completeRuns(runs, edge) : runs;
    return { runs: endNumber === undefined ? complete : upTo(complete, endNumber), isClocked: isOpen };
  }
  const ticks = durationOf(elements);
  if (own === undefined || ticks === undefined) return missingTiming(elements);
  const least = Math.ceil(SHORTEST_SECONDS * timescale);
  if (ticks < least)
    return invalidAttribute(own.element, 'duration', `at least ${least}, which is ${SHORTEST_SECONDS} s`);
  if (addressing === 'list') {
    // A list that moves states the number of its first segment; the first segment of the Period has the number 1.
    const [first, whole] = [BigInt(Math.max(0, firstNumber - 1)), Math.round(ticks)];
    const time = presentationTimeOffset + first * BigInt(whole);
    const run = { time, number: firstNumber, ticks: whole, count: listElements(timing).length };
    return { runs: [run], isClocked: false };
  }
  const equal = { ticks, timescale, firstNumber, endNumber, presentationTimeOffset, start, end };
  return { runs: clockedRun(equal, clock), isClocked: true };
}

/** Leaves out the segment that is still written: chunks of it can be requested, but it may end early. */
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

function* warnOfJumps(runs: readonly TimelineRun[], timescale: number, warn: (text: string) => void): Sliced<void> {
  for (const [index, run] of runs.entries()) {
    if (index % RUNS_IN_SLICE === RUNS_IN_SLICE - 1) yield;
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
  return list === undefined ? [] : childrenNamed(list.parent, 'SegmentURL');
}

function* listed(timing: Timing): Sliced<{ addressing: LiveAddressing; mediaOf: MediaOf }> {
  const refs: (MediaRef | undefined)[] = [];
  for (const segment of listElements(timing)) {
    if (refs.length % ELEMENTS_IN_SLICE === ELEMENTS_IN_SLICE - 1) yield;
    const leave = ({ message }: MpdFault) => void timing.warn(`${message}; the segment is left out`);
    refs.push(attempt<MediaRef | undefined>(() => listRef(segment, timing.baseUrl), leave));
  }
  const first = wholeAttribute(timing.elements, 'startNumber') ?? 1;
  return { addressing: 'list', mediaOf: (number) => refs[number - first] };
}
