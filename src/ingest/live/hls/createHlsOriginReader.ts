// SPDX-License-Identifier: Apache-2.0
// Reads a live HLS origin for a channel on air: the segments of its rungs, and its ad markers.
import type { Variables } from '../../../hls/readLines.ts';
import { isMultivariant, readMultivariant } from '../../../hls/readMultivariant.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginFailure, OriginReader, ReadingWay } from '../../../live/ports.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { type Flicks, flicksToSeconds, type Millis } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/asset.ts';
import type { Origin } from '../../ports.ts';
import { inTurns } from '../../source/inTurns.ts';
import {
  createManifestRequester,
  type FetchedManifest,
  type ManifestRequester,
  shortUrl,
} from '../../source/mediaReader.ts';
import { createMediaTimes } from './mediaTimes.ts';
import {
  BARE_MEDIA,
  keyShape,
  nearestRendition,
  redundantKeys,
  renditionUrls,
  variantInPlace,
} from './renditionKeys.ts';
import { createRungPlaylist, type ListedPlaylist } from './rungPlaylist.ts';
import { rungSignals } from './rungSignals.ts';
import type { SharedPace } from './segmentLengths.ts';

type Options = MarkerOptions & {
  readonly origin: Origin;
  readonly feed: Feed;
  readonly now: () => Millis;
  readonly way?: ReadingWay | undefined;
};

type Feed = Pick<LiveFeed, 'url' | 'rungs' | 'serves'>;

const LOW_LATENCY = 'low-latency parts are left out (EXT-X-PART); viewers get whole segments';

type Fetched = FetchedManifest | OriginFailure;
type Fetches = readonly (Fetched | undefined)[];

export function createHlsOriginReader({ origin, feed, now, way = 0, ...markers }: Options): OriginReader {
  const { rungs } = feed;
  const session = origin.session?.() ?? origin;
  const request = createManifestRequester(session, rungs.length + 1);
  const addMediaTimes = feed.serves === 'both' ? createMediaTimes(session, rungs) : undefined;
  const locate = createRenditionLocator(request, feed, now, way === 'substitutes' ? 0 : way);
  const substitute = way === 'substitutes' ? createSubstitutes(rungs, now) : undefined;
  const pace: SharedPace = {};
  const readers = rungs.map((rung, index) => ({ rung, playlist: createRungPlaylist(pace, index) }));
  const media = readers.filter(({ rung }) => rung.kind !== 'text').map(({ playlist }) => playlist);
  let hasChanged = false;
  let reported = '';
  let ways = 1;

  function targetSeconds(): number {
    const durations = media.flatMap((each) => {
      const listed = each.listed();
      if (listed === undefined) return [];
      const longest = listed.segments.reduce((most, { duration }) => Math.max(most, flicksToSeconds(duration)), 0);
      return [Math.max(listed.playlist.targetDuration ?? 0, Math.round(longest))];
    });
    return durations.length === 0 ? 0 : Math.max(1, ...durations);
  }

  async function fetchAll({ urls }: Located, signal: AbortSignal | undefined): Promise<Fetches> {
    const requests = new Map<string, Promise<Fetched>>();
    const fetchOnce = (url: string): Promise<Fetched> => {
      const own = requests.get(url) ?? request(url, signal);
      requests.set(url, own);
      return own;
    };
    return Promise.all(urls.map((url) => (url === undefined ? undefined : fetchOnce(url))));
  }

  async function fetchLocated(signal?: AbortSignal): Promise<{ located: Located; fetched: Fetches } | OriginFailure> {
    const located = await locate(false, signal);
    if ('refused' in located) return located;
    ways = located.ways;
    const fetched = await fetchAll(located, signal);
    if (!fetched.some(isRefused)) return { located, fetched };
    const again = await locate(true, signal);
    const isMediaRefused = fetched.some((each, rung) => isRefused(each) && rungs[rung]?.kind !== 'text');
    if ('refused' in again) return isMediaRefused ? again : { located, fetched };
    const isSame = again.urls.every((url, index) => url === located.urls[index]);
    return isSame ? { located, fetched } : { located: again, fetched: await fetchAll(again, signal) };
  }

  return {
    async read(signal) {
      const result = await fetchLocated(signal);
      if ('refused' in result) return result;
      const { located } = result;
      const warnings = [...located.warnings];
      const fetched = substitute?.(result.fetched, targetSeconds(), warnings) ?? result.fetched;
      for (const [index, { rung, playlist }] of readers.entries()) {
        const each = fetched[index];
        if (each === undefined) continue;
        const taken =
          'refused' in each ? each : await inTurns(each.text.length, playlist.take(each, located.variables));
        if (typeof taken === 'boolean') {
          hasChanged ||= taken;
          const { segments = [], warnings: ofLines = [] } = playlist.listed() ?? {};
          if (segments.length === 0) warnings.push(noSegment(rung));
          warnings.push(...ofLines);
        } else if (rung.kind !== 'text') return taken;
        else warnings.push(`${taken.refused}; these subtitles are left out`);
      }
      const listed = readers.map(({ playlist }) => playlist.listed());
      const lists = listed.map((each) => each?.segments ?? []);
      const timed = hasChanged ? await addMediaTimes?.(lists, statedLengths(listed), signal) : undefined;
      if (timed !== undefined && 'refused' in timed) return timed;
      warnings.push(...(timed?.warnings ?? []));
      const summary = warnings.join('\n');
      if (!hasChanged && summary === reported) return undefined;
      [hasChanged, reported] = [false, summary];
      const renditions = rungs.map(({ key }, rung) => ({ key, segments: (timed?.lists ?? lists)[rung] ?? [] }));
      const { length } = lists[0] ?? [];
      const { signals, warnings: ofMarkers } = await inTurns(100 * length, rungSignals(listed, markers));
      const hasParts = listed.some((each) => each?.hasParts);
      return {
        renditions,
        signals,
        warnings: [...new Set(warnings), ...ofMarkers, ...(hasParts ? [LOW_LATENCY] : [])],
        isEnded: media.every((each) => each.listed()?.playlist.ended),
      };
    },
    ways: () => ways,
    targetDuration: targetSeconds,
  };
}

/** By rung; undefined if no rung's may be too inexact to count media times from. */
const statedLengths = (listed: readonly (ListedPlaylist | undefined)[]): readonly (readonly Flicks[])[] | undefined =>
  listed.some((each) => each?.stated)
    ? listed.map((each) => each?.stated ?? each?.segments.map(({ duration }) => duration) ?? [])
    : undefined;

const noSegment = ({ key, kind }: LiveFeed['rungs'][number]): string =>
  `the playlist of rendition "${key}" lists no segment${kind === 'text' ? '; these subtitles are empty' : ''}`;

/** The URL is not valid, or not any more. */
const isRefused = (fetched: Fetched | undefined): boolean =>
  fetched !== undefined && 'refused' in fetched && Math.floor((fetched.status ?? 0) / 100) === 4;

// Where the media playlists of a feed's rungs are: in the multivariant playlist, which is read again from time to time, because the
// tokens in its URLs expire.

type Located = {
  /** By rung; undefined for a text rendition that the playlist does not contain any more. */
  readonly urls: readonly (string | undefined)[];
  readonly keys: readonly string[];
  /** The keys of renditions that no rung reads. */
  readonly unused: readonly string[];
  /** In how many ways the rungs can be read: one more than there are further redundant renditions of a rung. */
  readonly ways: number;
  /** For EXT-X-DEFINE:IMPORT of the media playlists. */
  readonly variables: Variables;
  readonly warnings: readonly string[];
};

/**
 * @param isStale the URLs that were returned last do not work any more
 * @returns the URLs that were found last if the playlist cannot be read; a failure that names a rendition if it has no other one
 */
type Locate = (isStale: boolean, signal?: AbortSignal) => Promise<Located | OriginFailure>;

const VALID_MS = 300_000;
const MAX_WAYS = 8;

/** @param way 0 for the first of redundant renditions; if a rung has fewer of them, they are used in turn */
function createRenditionLocator(request: ManifestRequester, feed: Feed, now: () => Millis, way: number): Locate {
  let located: Located | undefined;
  let readAt = 0;
  /** What the origin had when it was read first. */
  let known: ReadonlySet<string> | undefined;
  if (feed.rungs[0]?.key === BARE_MEDIA) {
    const bare = { urls: [feed.url], keys: [BARE_MEDIA], unused: [], ways: 1, variables: new Map(), warnings: [] };
    return async () => bare;
  }
  return async (isStale, signal) => {
    if (located !== undefined && !isStale && now() - readAt < VALID_MS) return located;
    const fetched = await request(feed.url, signal);
    const isLost = isStale || located === undefined;
    const found = 'refused' in fetched ? fetched : locateAll(fetched, feed.rungs, isLost, way);
    readAt = now();
    // A playlist that can be read states that a rendition is gone; one that cannot be read states nothing.
    if ('refused' in found) return located !== undefined && (!isStale || 'refused' in fetched) ? located : found;
    known ??= new Set(found.keys.map(keyShape));
    const added = found.unused.filter((key) => !known?.has(keyShape(key)));
    located = { ...found, warnings: [...added.map(newcomer), ...found.warnings] };
    return located;
  };
}

const newcomer = (key: string): string =>
  `the multivariant playlist has a new rendition "${key}"; it is left out until the channel goes on air again`;

/** @param isStale the media playlists of the rungs do not work any more, or are not known */
function locateAll({ text, url }: FetchedManifest, rungs: LiveFeed['rungs'], isStale: boolean, way: number) {
  const where = shortUrl(url);
  if (!isMultivariant(text)) return { refused: `${where} must be a multivariant playlist; it has no EXT-X-STREAM-INF` };
  const multivariant = readMultivariant(text, url, true);
  if ('refused' in multivariant) return { refused: `${where}: ${multivariant.refused}` };
  const redundant = redundantKeys(multivariant);
  let ways = 1;
  const known = renditionUrls(multivariant, url);
  const warnings = multivariant.warnings.map((warning) => `${where}: ${warning}`);
  const urls: (string | undefined)[] = [];
  const used = new Set(rungs.map(({ key }) => known.get(key)));
  for (const { key, kind } of rungs) {
    const free = [...known].filter(([, each]) => !used.has(each)).map(([other]) => other);
    const nearest = known.has(key) ? key : nearestRendition(key, free);
    const other = nearest ?? (isStale ? variantInPlace(key, [...known.keys()]) : undefined);
    if (other === undefined && kind !== 'text') return { refused: `${where} has no rendition "${key}" any more` };
    const same = other === undefined ? [] : redundant(other).flatMap((each) => known.get(each) ?? []);
    ways = Math.min(MAX_WAYS, Math.max(ways, same.length));
    const found = same[way % same.length];
    used.add(found);
    urls.push(found);
    if (other === key) continue;
    const instead = other === undefined ? '' : `; "${other}" is used in its place`;
    warnings.push(`the multivariant playlist has no rendition "${key}" any more${instead}`);
  }
  const all = [...known.keys()];
  const unused = all.filter((key) => !urls.includes(known.get(key)));
  return { urls, ways, unused, keys: all, variables: multivariant.variables, warnings };
}

// Playlists of other renditions in place of those that cannot be read or have stopped: where nothing else helps, viewers of the rung
// see the programme in another size, or hear it in another language, and those of the other rungs notice nothing.

type Rung = LiveFeed['rungs'][number];
type RungFetch = { readonly rung: Rung; readonly each: Fetched | undefined };

/** Target durations without a change after which a playlist has stopped, if others have changed meanwhile. */
const STOPPED = 2;

function createSubstitutes(rungs: readonly Rung[], now: () => Millis) {
  const seen = new Map<Rung, { readonly text: string; readonly at: Millis }>();
  const changedAt = (rung: Rung): number => seen.get(rung)?.at ?? Number.NEGATIVE_INFINITY;
  /** @returns the same, with substitutes; `warnings` receives a sentence for each */
  return (fetched: Fetches, targetSeconds: number, warnings: string[]): Fetches => {
    const at = now();
    const all = rungs.map((rung, index): RungFetch => ({ rung, each: fetched[index] }));
    for (const { rung, each } of all)
      if (each && 'text' in each && seen.get(rung)?.text !== each.text) seen.set(rung, { text: each.text, at });
    const newest = Math.max(...rungs.map(changedAt));
    const faultOf = ({ rung, each }: RungFetch): string | undefined => {
      if (each === undefined || 'refused' in each) return each?.refused ?? 'it is not listed';
      return newest - changedAt(rung) > STOPPED * targetSeconds * 1000 ? 'it has stopped' : undefined;
    };
    const living = all.filter((one) => faultOf(one) === undefined);
    return all.map((one) => {
      const fault = one.rung.kind === 'text' ? undefined : faultOf(one);
      const other = fault === undefined ? undefined : substituteFor(one.rung, living);
      if (other === undefined) return one.each;
      warnings.push(`rendition "${one.rung.key}" is replaced by "${other.rung.key}": ${fault}`);
      return other.each;
    });
  };
}

function substituteFor({ key, kind, language, codecs }: Rung, living: readonly RungFetch[]): RungFetch | undefined {
  const family = (text: string): string | undefined => text.split('.')[0];
  const alike = living.filter(({ rung }) => rung.kind === kind && family(rung.codecs) === family(codecs));
  const keys = alike.map(({ rung }) => rung.key);
  const nearest = hasVideo(kind) ? variantInPlace(key, keys) : undefined;
  return (
    alike.find(({ rung }) => rung.key === nearest) ?? alike.find(({ rung }) => rung.language === language) ?? alike[0]
  );
}
