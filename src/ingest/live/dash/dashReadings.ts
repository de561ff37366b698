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
import type { RungSource } from '../../../live/feed.ts';
import type { OriginReading, OriginRendition, OriginSegment } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { flicks } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/asset.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createInbandEvents, createSignalMerger, hasInbandEvents, nearestEvents, onSegments } from './dashSignals.ts';
import { type CountedSegment, createSegmentCounter, IN_SLICE, type SegmentCounter } from './segmentCounter.ts';

type DashRung = RungShape & WantedRendition;

/** @param warnings found while the MPD was read */
type DashReadings = (mpd: LiveMpd, warnings: readonly string[], signal?: AbortSignal) => Promise<DashReading>;

/** @property earlier what the first rung lists before its segments */
type DashReading = OriginReading & { readonly earlier?: EarlierSegments };

/** @param substitutes whether others of their kind take the place of Representations that have stopped */
export function createDashReadings(
  origin: Origin,
  rungs: readonly DashRung[],
  markers: MarkerOptions,
  substitutes = false,
): DashReadings {
  const inband = createInbandEvents(origin);
  const merge = createSignalMerger(markers);
  const counted = rungs.map((rung) => ({ rung, count: createSegmentCounter<ListedSegment>() }));
  const unknown = createNewcomers();
  return async (mpd, found, signal) => {
    const warnings = new Set(found);
    const shown = substitutes ? mpd.periods.map(withoutStopped) : mpd.periods;
    const periods = withAllRungs(rungs, shown, (text) => warnings.add(text));
    const used = new Set(periods.flatMap((of) => of.map((each) => each?.representation)));
    for (const warning of unknown(mpd.periods, used)) warnings.add(warning);
    const renditions: OriginRendition[] = [];
    for (const [index, { rung, count }] of counted.entries()) {
      const ofRung = periods.flatMap((of) => of[index] ?? []);
      const listed = ofRung.reduce((sum, { representation }) => sum + representation.segments.segments.length, 0);
      // A segment of an MPD has about a hundred characters.
      const segments = await inTurns(100 * listed, originSegments(rung, ofRung, count));
      renditions.push({ key: rung.key, segments });
    }
    if (hasInbandEvents(mpd)) for (const warning of await inband.scan(mpd.periods, signal)) warnings.add(warning);
    const { epoch } = mpd;
    const listed = nearestEvents(mpd.events);
    for (const warning of listed.warnings) warnings.add(warning);
    const merged = await inTurns(100 * listed.events.length, merge(listed.events, inband.events(epoch), epoch));
    const signals = onSegments(merged, renditions[0]?.segments ?? [], epoch);
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
function createNewcomers(): (periods: readonly LivePeriod[], used: ReadonlySet<unknown>) => string[] {
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

/** Leaves out the Representations that list less than another one. */
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
function withAllRungs(rungs: readonly DashRung[], periods: readonly LivePeriod[], warn: (text: string) => void) {
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

// The segments of a rung over all Periods of a live MPD, in the form that both readers of origins share.

/** A rendition to read: a rung of a feed, or a Representation that is sampled. */
type WantedRendition = {
  /** Absent while the media have not been read: then media times are in the timescale of the MPD. */
  readonly timescale?: number;
  readonly protection?: readonly string[];
};

type PeriodOfRung = { readonly period: LivePeriod; readonly representation: LiveRepresentation };

type ListedSegment = CountedSegment & { readonly shared: Pick<OriginSegment, 'init' | 'protection'> };

export function* originSegments(
  { timescale: wanted, protection: usual = [] }: WantedRendition,
  periods: readonly PeriodOfRung[],
  count: SegmentCounter<ListedSegment>,
): Sliced<OriginSegment[]> {
  const listed: ListedSegment[] = [];
  for (const { period, representation } of periods) {
    const { segments, protection } = representation;
    const { init, timescale } = segments;
    const { stretch } = period;
    const isUsual = protection.length === usual.length && protection.every((one, index) => one === usual[index]);
    const shared = { ...(init && { init }), ...(isUsual ? {} : { protection }) };
    for (const segment of segments.segments) {
      if (listed.length % IN_SLICE === 0) yield;
      listed.push({ stretch, shared, timescale, ...segment });
    }
  }
  const converted: OriginSegment[] = [];
  for (const { time, startsAt, duration, media, shared, timescale, counted } of yield* count(listed)) {
    if (converted.length % IN_SLICE === 0) yield;
    const mediaTime = wanted === undefined || wanted === timescale ? Number(time) : rescale(time, timescale, wanted);
    converted.push({ startsAt, duration, media, mediaTime, ...counted, ...shared });
  }
  return converted;
}

function rescale(time: bigint, from: number, to: number): number {
  const [scale, half] = [BigInt(from), BigInt(from) / 2n];
  return Number((time * BigInt(to) + half) / scale);
}

// Finds the rungs of a feed in a Period. Ids may change with every Period, so a rung without a Representation of its key gets
// the nearest one.

type RungShape = Pick<RungSource, 'key' | 'kind' | 'container' | 'language' | 'roles' | 'height'> & {
  readonly codecs?: string;
  readonly bandwidth?: number;
};

type RungsOfPeriod =
  /** By rung; undefined for text that the Period does not have. */
  | { readonly representations: readonly (LiveRepresentation | undefined)[]; readonly warnings: readonly string[] }
  | { readonly missing: string };

const family = (codecs: string | undefined): string => codecs?.split(/[.,]/)[0]?.toLowerCase() ?? '';

/** Lower is nearer; the first difference decides. */
function distance(rung: RungShape, one: LiveRepresentation): number[] {
  const [x, y] = rung.height && one.height ? [rung.height, one.height] : [rung.bandwidth ?? 0, one.bandwidth ?? 0];
  const roles = (of: { readonly roles?: readonly string[] }): string => [...(of.roles ?? [])].sort().join();
  return [
    Number((rung.language ?? 'und') !== (one.language ?? 'und')),
    Number(family(rung.codecs) !== family(one.codecs)),
    Number(roles(rung) !== roles(one)),
    Math.abs(Math.log((x || 1) / (y || 1))),
    Math.abs(Math.log((rung.bandwidth || 1) / (one.bandwidth || 1))),
  ];
}

function isNearer(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index >= 0 && numberAt(one, index) < numberAt(other, index);
}

function rungsOfPeriod(rungs: readonly RungShape[], { representations, where }: LivePeriod): RungsOfPeriod {
  const warnings: string[] = [];
  const found: (LiveRepresentation | undefined)[] = [];
  for (const rung of rungs) {
    const fitting = representations.filter(
      ({ kind, container }) =>
        (kind === rung.kind || (hasVideo(kind) && hasVideo(rung.kind))) && container === rung.container,
    );
    const own = fitting.find(({ key }) => key === rung.key);
    // An id may name another language or codec in another Period.
    if (
      own !== undefined &&
      distance(rung, own)
        .slice(0, 2)
        .every((difference) => difference === 0)
    ) {
      found.push(own);
      continue;
    }
    const sameLanguage = fitting.filter(({ language }) => rung.kind !== 'text' || language === rung.language);
    const [first, ...others] = sameLanguage.map((one) => ({ one, far: distance(rung, one) }));
    if (first === undefined && rung.kind === 'text') {
      warnings.push(`${where} has no ${nameOf(rung)}; these subtitles are empty in it`);
      found.push(undefined);
      continue;
    }
    if (first === undefined) return { missing: `${where} has no ${nameOf(rung)}; it is left out` };
    const { one } = others.reduce((best, each) => (isNearer(each.far, best.far) ? each : best), first);
    if (one !== own) warnings.push(`${where} has no Representation "${rung.key}"; "${one.key}" is used in its place`);
    found.push(one);
  }
  return { representations: found, warnings };
}

const nameOf = ({ kind, language }: RungShape): string =>
  kind === 'video' || kind === 'muxed'
    ? 'video'
    : `${kind}${language === undefined ? '' : ` in language "${language}"`}`;
