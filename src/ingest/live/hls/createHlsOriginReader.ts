// SPDX-License-Identifier: Apache-2.0
// Reads a live HLS origin for a channel on air: the segments of its rungs, and its ad markers.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { OriginFailure, OriginReader, ReadingWay } from '../../../live/ports.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { flicksToSeconds, type Millis } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/renditionKind.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import {
  createPlaylistRequester,
  createRenditionLocator,
  type FetchedPlaylist,
  type Located,
} from './locateRenditions.ts';
import { createMediaTimes } from './mediaTimes.ts';
import { variantInPlace } from './renditionKeys.ts';
import { createRungPlaylist, type ListedPlaylist } from './rungPlaylist.ts';
import { type RungSignals, rungSignals } from './rungSignals.ts';
import type { SharedPace } from './segmentLengths.ts';

export type HlsOriginReaderOptions = MarkerOptions & {
  readonly origin: Origin;
  readonly feed: Pick<LiveFeed, 'url' | 'rungs' | 'serves'>;
  readonly now: () => Millis;
  readonly way?: ReadingWay | undefined;
};

const LOW_LATENCY = 'low-latency parts are left out (EXT-X-PART); viewers get whole segments';

type Fetched = FetchedPlaylist | OriginFailure;

export function createHlsOriginReader({
  origin,
  feed,
  now,
  way = 0,
  ...markers
}: HlsOriginReaderOptions): OriginReader {
  const { rungs } = feed;
  const session = origin.session?.() ?? origin;
  const request = createPlaylistRequester(session, rungs.length + 1);
  const mediaTimes = feed.serves === 'both' ? createMediaTimes(session, rungs) : undefined;
  const locator = createRenditionLocator(request, feed, now, way === 'substitutes' ? 0 : way);
  const substitutes = way === 'substitutes' ? createSubstitutes(rungs, now) : undefined;
  const pace: SharedPace = {};
  const playlists = rungs.map((_, rung) => createRungPlaylist(pace, rung));
  let hasChanged = false;
  let reported = '';
  let ways = 1;

  const targetSeconds = (): number =>
    targetDurationOf(
      rungs,
      playlists.map((each) => each.listed()),
    );

  /** By rung; each URL once. */
  async function fetchAll({ urls }: Located, signal: AbortSignal | undefined): Promise<(Fetched | undefined)[]> {
    const requests = new Map<string, Promise<Fetched>>();
    for (const url of urls) {
      if (url !== undefined && !requests.has(url)) requests.set(url, request(url, signal));
    }
    return Promise.all(urls.map((url) => (url === undefined ? undefined : requests.get(url)!)));
  }

  async function fetchLocated(
    signal: AbortSignal | undefined,
  ): Promise<{ located: Located; fetched: (Fetched | undefined)[] } | OriginFailure> {
    const located = await locator.locate(false, signal);
    if ('refused' in located) return located;
    ways = located.ways;
    const fetched = await fetchAll(located, signal);
    if (!fetched.some(isRefused)) return { located, fetched };
    const again = await locator.locate(true, signal);
    const isMediaRefused = fetched.some((each, rung) => isRefused(each) && rungs[rung]!.kind !== 'text');
    if ('refused' in again) return isMediaRefused ? again : { located, fetched };
    if (again.urls.every((url, index) => url === located.urls[index])) return { located, fetched };
    return { located: again, fetched: await fetchAll(again, signal) };
  }

  return {
    async read(signal) {
      const result = await fetchLocated(signal);
      if ('refused' in result) return result;
      const { located } = result;
      const warnings = [...located.warnings];
      const fetched = substitutes?.inPlace(result.fetched, targetSeconds(), warnings) ?? result.fetched;
      for (const [rung, each] of fetched.entries()) {
        if (each === undefined) continue;
        const taken =
          'refused' in each ? each : await inTurns(each.text.length, playlists[rung]!.take(each, located.variables));
        if (typeof taken === 'boolean') {
          hasChanged ||= taken;
          const { segments = [], warnings: ofLines = [] } = playlists[rung]!.listed() ?? {};
          if (segments.length === 0) warnings.push(noSegment(rungs[rung]!));
          warnings.push(...ofLines);
        } else if (rungs[rung]!.kind !== 'text') return taken;
        else warnings.push(`${taken.refused}; these subtitles are left out`);
      }
      const listed = playlists.map((each) => each.listed());
      const lists = listed.map((each) => each?.segments ?? []);
      const isRough = playlists.some((each) => each.isRough());
      const timed = hasChanged ? await mediaTimes?.addTo(lists, isRough, signal) : undefined;
      if (timed !== undefined && 'refused' in timed) return timed;
      warnings.push(...(timed?.warnings ?? []));
      const summary = warnings.join('\n');
      if (!hasChanged && summary === reported) return undefined;
      [hasChanged, reported] = [false, summary];
      const renditions = rungs.map(({ key }, rung) => ({ key, segments: (timed?.lists ?? lists)[rung]! }));
      const { length } = lists[0] ?? [];
      const signals = await inTurns(100 * length, rungSignals(listed, markers));
      return { ...readingOf(rungs, listed, signals, warnings), renditions };
    },
    ways: () => ways,
    targetDuration: targetSeconds,
  };
}

const noSegment = ({ key, kind }: LiveFeed['rungs'][number]): string =>
  `the playlist of rendition "${key}" lists no segment${kind === 'text' ? '; these subtitles are empty' : ''}`;

/** The URL is not valid, or not any more. */
const isRefused = (fetched: Fetched | undefined): boolean =>
  fetched !== undefined && 'refused' in fetched && Math.floor((fetched.status ?? 0) / 100) === 4;

function readingOf(
  rungs: LiveFeed['rungs'],
  playlists: readonly (ListedPlaylist | undefined)[],
  { signals, warnings: ofMarkers }: RungSignals,
  warnings: readonly string[],
): Omit<OriginReading, 'renditions'> {
  const hasParts = playlists.some((each) => each?.hasParts);
  const media = playlists.filter((_, rung) => rungs[rung]!.kind !== 'text');
  return {
    signals,
    warnings: [...new Set(warnings), ...ofMarkers, ...(hasParts ? [LOW_LATENCY] : [])],
    isEnded: media.every((each) => each?.playlist.ended),
  };
}

function targetDurationOf(rungs: LiveFeed['rungs'], playlists: readonly (ListedPlaylist | undefined)[]): number {
  const durations = playlists.flatMap((each, rung) => {
    if (each === undefined || rungs[rung]!.kind === 'text') return [];
    const longest = each.segments.reduce((most, { duration }) => Math.max(most, flicksToSeconds(duration)), 0);
    return [Math.max(each.playlist.targetDuration ?? 0, Math.round(longest))];
  });
  return durations.length === 0 ? 0 : Math.max(1, ...durations);
}

// Playlists of other renditions in place of those that cannot be read or have stopped: where nothing else helps, viewers of the rung
// see the programme in another size, or hear it in another language, and those of the other rungs notice nothing.

type Taken = FetchedPlaylist | OriginFailure | undefined;
type Rungs = LiveFeed['rungs'];

type Substitutes = {
  /** @param fetched by rung. @returns the same, with substitutes; `warnings` receives a sentence for each */
  inPlace(fetched: readonly Taken[], targetSeconds: number, warnings: string[]): Taken[];
};

/** Target durations without a change after which a playlist has stopped, if others have changed meanwhile. */
const STOPPED = 2;

function createSubstitutes(rungs: Rungs, now: () => Millis): Substitutes {
  const seen = new Map<number, { readonly text: string; readonly at: Millis }>();
  return {
    inPlace(fetched, targetSeconds, warnings) {
      const at = now();
      for (const [rung, each] of fetched.entries())
        if (each && 'text' in each && seen.get(rung)?.text !== each.text) seen.set(rung, { text: each.text, at });
      const changedAt = (rung: number): number => seen.get(rung)?.at ?? Number.NEGATIVE_INFINITY;
      const newest = Math.max(...rungs.map((_, rung) => changedAt(rung)));
      const faultOf = (rung: number): string | undefined => {
        const each = fetched[rung];
        if (each === undefined || 'refused' in each) return each?.refused ?? 'it is not listed';
        return newest - changedAt(rung) > STOPPED * targetSeconds * 1000 ? 'it has stopped' : undefined;
      };
      const living = [...rungs.keys()].filter((rung) => faultOf(rung) === undefined);
      return fetched.map((each, rung) => {
        const fault = rungs[rung]!.kind === 'text' ? undefined : faultOf(rung);
        const other = fault === undefined ? undefined : substituteFor(rungs, rung, living);
        if (other === undefined) return each;
        warnings.push(`rendition "${rungs[rung]!.key}" is replaced by "${rungs[other]!.key}": ${fault}`);
        return fetched[other];
      });
    },
  };
}

function substituteFor(rungs: Rungs, rung: number, living: readonly number[]): number | undefined {
  const { key, kind, language, codecs } = rungs[rung]!;
  const family = (text: string): string => text.split('.')[0]!;
  const alike = living.filter((one) => rungs[one]!.kind === kind && family(rungs[one]!.codecs) === family(codecs));
  const nearest = hasVideo(kind)
    ? variantInPlace(
        key,
        alike.map((one) => rungs[one]!.key),
      )
    : undefined;
  return (
    alike.find((one) => rungs[one]!.key === nearest) ??
    alike.find((one) => rungs[one]!.language === language) ??
    alike[0]
  );
}
