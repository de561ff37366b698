// SPDX-License-Identifier: Apache-2.0
// What live MPDs and the events in segments state about the rungs of a feed, one reading after the other.
import type {
  EarlierSegments,
  LiveMpd,
  LivePeriod,
  LiveRepresentation,
  LiveSegment,
} from '../../../dash/read/live/liveMpd.ts';
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { OriginReading, OriginRendition } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { flicks } from '../../../time/units.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createSignalMerger, nearestEvents, onSegments } from './dashSignals.ts';
import { createInbandEvents, hasInbandEvents } from './inbandEvents.ts';
import { originSegments, type PeriodOfRung, type WantedRendition } from './originSegments.ts';
import { type RungShape, rungsOfPeriod } from './rungsOfPeriod.ts';
import { createSegmentCounter } from './segmentCounter.ts';

/** A rung of a feed, or a Representation that is sampled. */
export type DashRung = RungShape & WantedRendition;

/** @param warnings found while the MPD was read */
export type DashReadings = (mpd: LiveMpd, warnings: readonly string[], signal?: AbortSignal) => Promise<DashReading>;

/** @property earlier what the first rung lists before its segments */
export type DashReading = OriginReading & { readonly earlier?: EarlierSegments };

/** @param substitutes whether others of their kind take the place of Representations that have stopped */
export function createDashReadings(
  origin: Origin,
  rungs: readonly DashRung[],
  markers: MarkerOptions,
  substitutes = false,
): DashReadings {
  const inband = createInbandEvents(origin);
  const merge = createSignalMerger(markers);
  const counters = rungs.map(createSegmentCounter);
  const unknown = createNewcomers();
  return async (mpd, found, signal) => {
    const warnings = new Set(found);
    const shown = substitutes ? mpd.periods.map(withoutStopped) : mpd.periods;
    const periods = withAllRungs(rungs, shown, (text) => warnings.add(text));
    const used = new Set(periods.flatMap((of) => of.map((each) => each?.representation)));
    for (const warning of unknown(mpd.periods, used)) warnings.add(warning);
    const renditions: OriginRendition[] = [];
    for (const [index, rung] of rungs.entries()) {
      const ofRung = periods.flatMap((of) => of[index] ?? []);
      const listed = ofRung.reduce((sum, { representation }) => sum + representation.segments.segments.length, 0);
      // A segment of an MPD has about a hundred characters.
      const segments = await inTurns(100 * listed, originSegments(rung, ofRung, counters[index]!));
      renditions.push({ key: rung.key, segments });
    }
    if (hasInbandEvents(mpd)) for (const warning of await inband.scan(mpd.periods, signal)) warnings.add(warning);
    const { epoch } = mpd;
    const listed = nearestEvents(mpd.events);
    for (const warning of listed.warnings) warnings.add(warning);
    const merged = await inTurns(100 * listed.events.length, merge(listed.events, inband.events(epoch), epoch));
    const { segments } = renditions[0]!;
    const signals = segments.length === 0 ? [] : onSegments(merged, segments, epoch);
    const earlier = earlierOf(periods.flatMap(([first]) => first?.representation.segments.earlier ?? []));
    return { renditions, signals, warnings: [...warnings], isEnded: mpd.isEnded, ...(earlier && { earlier }) };
  };
}

function earlierOf(all: readonly EarlierSegments[]): EarlierSegments | undefined {
  const [first] = all;
  const sumOf = (of: (one: EarlierSegments) => number): number => all.reduce((sum, one) => sum + of(one), 0);
  return (
    first && {
      startsAt: first.startsAt,
      count: sumOf(({ count }) => count),
      duration: flicks(sumOf(({ duration }) => duration)),
    }
  );
}

/** Names what the origin had not when it was read first: rungs are fixed while the channel is on air. */
function createNewcomers(): (
  periods: readonly LivePeriod[],
  used: ReadonlySet<LiveRepresentation | undefined>,
) => string[] {
  let known: ReadonlySet<string> | undefined;
  const shapeOf = ({ kind, language, codecs, height }: LiveRepresentation): string =>
    [kind, kind === 'video' ? '' : language, codecs?.split(/[.,]/)[0], height].join();
  return (periods, used) => {
    const all = periods.flatMap(({ representations }) => representations);
    known ??= new Set(all.map(shapeOf));
    return all
      .filter((one) => !used.has(one) && !known?.has(shapeOf(one)))
      .map(({ line, where }) => `line ${line}: ${where} is new; it is left out until the channel goes on air again`);
  };
}

/** Segments by which a Representation may be later than another one. */
const LATE_SEGMENTS = 2.5;

/** Without the Representations that list less than another one. */
function withoutStopped(period: LivePeriod): LivePeriod {
  const lastOf = ({ segments: { segments } }: LiveRepresentation) => segments.at(-1);
  const media = period.representations.filter(({ kind }) => kind !== 'text');
  const newest = media.reduce<LiveSegment | undefined>((latest, one) => {
    const last = lastOf(one);
    return last === undefined || (latest && flicksBetween(latest.startsAt, last.startsAt) <= 0) ? latest : last;
  }, undefined);
  if (newest === undefined) return period;
  const isLive = (one: LiveRepresentation): boolean => {
    const last = lastOf(one);
    return last !== undefined && flicksBetween(last.startsAt, newest.startsAt) <= LATE_SEGMENTS * newest.duration;
  };
  return { ...period, representations: period.representations.filter((one) => one.kind === 'text' || isLive(one)) };
}

/** The Periods that have all rungs, except for text. */
function withAllRungs(
  rungs: readonly DashRung[],
  periods: readonly LivePeriod[],
  warn: (text: string) => void,
): (PeriodOfRung | undefined)[][] {
  return periods
    .filter(({ representations }) =>
      representations.some(({ segments }) => segments.segments.length > 0 || segments.earlier),
    )
    .flatMap((period) => {
      const found = rungsOfPeriod(rungs, period);
      if ('missing' in found) warn(found.missing);
      else for (const warning of found.warnings) warn(warning);
      if ('missing' in found) return [];
      return [found.representations.map((representation) => representation && { period, representation })];
    });
}
