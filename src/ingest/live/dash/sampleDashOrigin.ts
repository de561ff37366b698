// SPDX-License-Identifier: Apache-2.0
// A first look at a live DASH origin, before a channel uses it.
import type { LiveMpd, LivePeriod, LiveRepresentation, LiveSegment } from '../../../dash/read/live/liveMpd.ts';
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import { readListedEvents } from '../../../dash/read/live/readLiveEvents.ts';
import { invariant, isNonEmpty, lastOf, type NonEmpty } from '../../../invariant.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { placingEvents } from '../../../markers/placeEvents.ts';
import { FLICKS_PER_MILLI, flicks, flicksToSeconds, type Millis, secondsToFlicks } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/asset.ts';
import { packRefs } from '../../../timeline/asset/segmentUrl.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createMediaReader } from '../../source/mediaReader.ts';
import { declaredBy, type NominalRendition, type NominalTrack, type Refusal } from '../../source/presentation.ts';
import type { SampleOrigin } from '../analyseOrigin.ts';
import { type Sampling, type SeenMarkers, shareBorder } from '../originAnalysis.ts';
import { createDashReadings } from './dashReadings.ts';
import { nearestEvents } from './dashSignals.ts';
import { createMpdFetcher, type FetchedMpd, isClocked } from './fetchMpd.ts';

/** Older segments have the same form; a window of a day with eight Representations would fill 700 MiB. */
const NEWEST = secondsToFlicks(900);
const SAMPLE = 3;
/** Borders of renditions that are closer are one border. */
const ALIGNED_MS = 10;

/** @param now the local clock; that of the MPD corrects it */
export const createDashSampler =
  (now: () => Millis): SampleOrigin =>
  async (url, origin, segmentationTypes) => {
    const markers = segmentationTypes === undefined ? {} : { starts: segmentationTypes };
    const fetched = await createMpdFetcher(origin, url, now, NEWEST)();
    const sampled = 'refused' in fetched ? fetched : await sampleFetched(fetched, origin, markers);
    if (!('refused' in sampled)) return sampled;
    const manifest = await createMediaReader(origin).text(url);
    return { ...sampled, seen: 'refused' in manifest ? undefined : await seenEvents(manifest.text, markers) };
  };

/** The markers of an MPD whose media cannot be used. */
async function seenEvents(text: string, markers: MarkerOptions): Promise<SeenMarkers | undefined> {
  const listed = await inTurns(text.length, readListedEvents(text));
  if ('refused' in listed) return undefined;
  const { epoch } = listed;
  const newest = listed.events.reduce((latest, { start }) => Math.max(latest, start), 0);
  const { events, warnings } = nearestEvents(listed.events, newest);
  const placed = await inTurns(100 * events.length, placingEvents([{ start: flicks(0), events }], markers));
  const signals = placed.map(({ segment: _segment, ...signal }) => ({ ...signal, at: after(epoch, signal.at) }));
  const [first, last] = [signals[0]?.at ?? epoch, signals.at(-1)?.at ?? epoch];
  return { signals, start: first, edge: last, isDated: true, warnings };
}

async function sampleFetched(fetched: FetchedMpd, origin: Origin, markers: MarkerOptions): Promise<Sampling> {
  const { mpd, unreachable } = fetched;
  const chosen = newestPeriod(mpd);
  if (chosen === undefined) return noSegment(mpd);
  // A ladder without it would last as long as the channel is on air.
  if (chosen.lost !== undefined) return { code: 'NOTHING_PLAYABLE', refused: chosen.lost };
  const warnings: string[] = [];
  const representations = chosen.representations.filter((one) => isKept(one, unreachable.get(one.where), warnings));
  const [lost] = chosen.representations
    .filter(({ kind }) => !representations.some((one) => one.kind === kind))
    .flatMap(({ where }) => unreachable.get(where) ?? []);
  if (lost !== undefined) return { code: 'NOT_FETCHED', refused: lost };
  if (!isNonEmpty(representations))
    return {
      code: 'NOTHING_PLAYABLE',
      refused: `${chosen.where} has no Representation that can be played: ${warnings.join('; ')}`,
    };
  const newest = newestOf(representations);
  const rungs = representations.map(({ segments: { timescale }, ...one }) => ({ ...one, timescale }));
  const read = createDashReadings(origin, rungs, markers);
  const reading = await read(mpd, fetched.warnings);
  const window = reading.renditions[0]?.segments ?? [];
  const { earlier = { count: 0, duration: 0 } } = reading;
  warnOfClock(mpd, warnings);
  warnOfBorders(representations, warnings);
  return {
    format: 'dash',
    url: fetched.url,
    renditions: representations.map((one) => sampleOf(one, newest)),
    targetDuration: Math.max(1, Math.round(longestOf(representations))),
    window: {
      seconds: flicksToSeconds(flicks(window.reduce((sum, { duration }) => sum + duration, earlier.duration))),
      segments: earlier.count + window.length,
    },
    hasDates: true,
    encryption: encryptionOf(representations),
    reading,
    warnings,
  };
}

const hasSegments = ({ segments: { segments } }: LiveRepresentation, least = 1): boolean => segments.length >= least;

/** The newest Period in which all audio and video can be measured, or at least some. */
function newestPeriod({ periods }: LiveMpd): LivePeriod | undefined {
  const media = ({ representations }: LivePeriod): LiveRepresentation[] =>
    representations.filter(({ kind }) => kind !== 'text');
  const fits = (least: number) => (period: LivePeriod) =>
    media(period).length > 0 && media(period).every((one) => hasSegments(one, least));
  return (
    periods.findLast(fits(2)) ??
    periods.findLast(fits(1)) ??
    periods.findLast((period) => media(period).some((one) => hasSegments(one)))
  );
}

function noSegment({ periods, warnings }: LiveMpd): Refusal {
  const what = periods.length === 0 ? 'no Period that has started' : 'no segment that is available now';
  const hints = [`check availabilityStartTime, Period@start and the clocks`, ...warnings.slice(0, 3)];
  return { code: 'NO_SEGMENT', refused: `the MPD lists ${what}; ${hints.join('; ')}` };
}

function isKept(one: LiveRepresentation, unreachable: string | undefined, warnings: string[]): boolean {
  // An unreachable rendition has a warning already.
  if (unreachable !== undefined && one.kind !== 'text') return false;
  const reason =
    one.container === 'ts'
      ? 'is MPEG-TS; a live DASH origin needs fragmented MP4'
      : hasSegments(one)
        ? undefined
        : 'has no segment that is available now';
  if (reason !== undefined) warnings.push(`line ${one.line}: ${one.where} ${reason}; it is left out`);
  return reason === undefined;
}

function warnOfClock(mpd: LiveMpd, warnings: string[]): void {
  if (!isClocked(mpd) || mpd.timing.length > 0) return;
  warnings.push(
    'the clock states which segments are available, and the MPD has no UTCTiming; keep the clocks of the packager and of Midroll synchronized',
  );
}

/** Breaks need borders that all renditions share. */
function warnOfBorders(representations: readonly LiveRepresentation[], warnings: string[]): void {
  const [reference, ...others] = representations.filter(({ kind }) => hasVideo(kind));
  if (reference === undefined) return;
  const bordersOf = ({ segments: { segments } }: LiveRepresentation): number[] =>
    segments.map(({ startsAt: { millis, rest } }) => millis + rest / FLICKS_PER_MILLI);
  const borders = bordersOf(reference);
  for (const one of others) {
    if (shareBorder(borders, bordersOf(one), ALIGNED_MS)) continue;
    const { where, line } = one;
    warnings.push(
      `line ${line}: ${where} has no segment border in common with ${reference.where}; no break can start or end there`,
    );
  }
}

/** The newest segments of the first rendition that have been published for all audio and video. */
function newestOf([first, ...others]: NonEmpty<LiveRepresentation>): NonEmpty<LiveSegment> {
  const { segments } = first.segments;
  const media = others.filter(({ kind }) => kind !== 'text');
  const ends = media.flatMap(({ segments: { segments: own } }) => own.slice(-1).map(endOf));
  const isInAll = (one: LiveSegment): boolean =>
    ends.every((end) => flicksBetween(endOf(one), end) > -one.duration / 2);
  const shared = segments.filter(isInAll);
  return sampled(shared.length > 0 ? shared : segments);
}

function sampled(segments: readonly LiveSegment[]): NonEmpty<LiveSegment> {
  const newest = segments.slice(-SAMPLE);
  invariant(isNonEmpty(newest), 'a Representation that is kept has segments');
  return newest;
}

const endOf = ({ startsAt, duration }: LiveSegment): Instant => after(startsAt, duration);

function sampleOf(one: LiveRepresentation, newest: NonEmpty<LiveSegment>): NominalRendition {
  const [start, end] = [newest[0].startsAt, endOf(lastOf(newest))];
  const isWithin = ({ startsAt, duration }: LiveSegment): boolean => {
    const middle = after(startsAt, flicks(Math.floor(duration / 2)));
    return flicksBetween(start, middle) >= 0 && flicksBetween(middle, end) > 0;
  };
  const within = one.segments.segments.filter(isWithin);
  const used = isNonEmpty(within) ? within : sampled(one.segments.segments);
  const { key, inband: _inband, ...declared } = declaredBy(one);
  return { ...declared, id: key, tracks: [trackOf(one, used)] };
}

function trackOf({ segments, protection }: LiveRepresentation, used: NonEmpty<LiveSegment>): NominalTrack {
  const { init, timescale, presentationTimeOffset } = segments;
  const last = lastOf(used);
  return {
    init,
    urls: packRefs(used.map(({ media }) => media)),
    count: used.length,
    nominalBorders: Float64Array.from([...used.map(({ time }) => time), last.time + BigInt(last.ticks)], Number),
    nominalTimescale: timescale,
    exact: false,
    presentationTimeOffset: Number(presentationTimeOffset),
    protection: protection.length === 0 ? undefined : { dash: protection },
  };
}

const longestOf = (representations: readonly LiveRepresentation[]): number =>
  representations
    .filter(({ kind }) => kind !== 'text')
    .flatMap(({ segments }) => segments.segments)
    .reduce((longest, { duration }) => Math.max(longest, flicksToSeconds(duration)), 0);

const encryptionOf = (representations: readonly LiveRepresentation[]): string[] => [
  ...new Set(
    representations.flatMap(({ protection }) =>
      protection.map((xml) => /\sschemeIdUri="([^"]*)"/.exec(xml)?.[1] ?? 'ContentProtection'),
    ),
  ),
];
