// SPDX-License-Identifier: Apache-2.0
// Reads a live HLS origin for a channel on air: the segments of its rungs, and its ad markers.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { OriginFailure, OriginReader, ReadingWay } from '../../../live/ports.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { flicksToSeconds, type Millis } from '../../../time/units.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createRenditionLocator, type Located } from './locateRenditions.ts';
import { createMediaTimes } from './mediaTimes.ts';
import { createPlaylistRequester, type FetchedPlaylist } from './requestPlaylist.ts';
import { createRungPlaylist, type ListedPlaylist } from './rungPlaylist.ts';
import { type RungSignals, rungSignals } from './rungSignals.ts';
import type { SharedPace } from './segmentLengths.ts';
import { createSubstitutes } from './substitutes.ts';

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
