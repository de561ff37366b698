// SPDX-License-Identifier: Apache-2.0
// Where the media playlists of a feed's rungs are: in the multivariant playlist, which is read again from time to time,
// because the tokens in its URLs expire.
import type { Variables } from '../../../hls/readLines.ts';
import type { Multivariant } from '../../../hls/readMultivariant.ts';
import { isMultivariant, readMultivariant } from '../../../hls/readMultivariant.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import type { Millis } from '../../../time/units.ts';
import { type FetchedManifest, type ManifestRequester, shortUrl } from '../../source/mediaReader.ts';
import {
  BARE_MEDIA,
  keyShape,
  nearestRendition,
  redundantKeys,
  renditionUrls,
  variantInPlace,
} from './renditionKeys.ts';

export type Located = {
  /** By rung; undefined for a text rendition that the playlist does not contain any more. */
  readonly urls: readonly (string | undefined)[];
  /** Of all renditions of the playlist. */
  readonly keys: readonly string[];
  /** Those that no rung reads. */
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

type Wanted = Pick<LiveFeed, 'url' | 'rungs'>;

/** @param way 0 for the first of redundant renditions; if a rung has fewer of them, they are used in turn */
export function createRenditionLocator(request: ManifestRequester, feed: Wanted, now: () => Millis, way = 0): Locate {
  let located: Located | undefined;
  let readAt = 0;
  /** What the origin had when it was read first. */
  let known: ReadonlySet<string> | undefined;
  if (feed.rungs[0]?.key === BARE_MEDIA) {
    const bare: Located = {
      urls: [feed.url],
      keys: [BARE_MEDIA],
      unused: [],
      ways: 1,
      variables: new Map(),
      warnings: [],
    };
    return async () => bare;
  }
  return async (isStale, signal) => {
    if (located !== undefined && !isStale && now() - readAt < VALID_MS) return located;
    const fetched = await request(feed.url, signal);
    const found =
      'refused' in fetched
        ? fetched
        : locateAll(fetched, feed.rungs, { isStale: isStale || located === undefined, way });
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

type Search = {
  /** The media playlists of the rungs do not work any more, or are not known. */
  readonly isStale: boolean;
  readonly way: number;
};

function locateAll({ text, url }: FetchedManifest, rungs: LiveFeed['rungs'], search: Search): Located | OriginFailure {
  const where = shortUrl(url);
  if (!isMultivariant(text)) return { refused: `${where} must be a multivariant playlist; it has no EXT-X-STREAM-INF` };
  const multivariant = readMultivariant(text, url, true);
  if ('refused' in multivariant) return { refused: `${where}: ${multivariant.refused}` };
  return urlsOf(multivariant, url, rungs, search);
}

function urlsOf(
  multivariant: Multivariant,
  url: string,
  rungs: LiveFeed['rungs'],
  { isStale, way }: Search,
): Located | OriginFailure {
  const redundant = redundantKeys(multivariant);
  let ways = 1;
  const known = renditionUrls(multivariant, url);
  const warnings = multivariant.warnings.map((text) => `${shortUrl(url)}: ${text}`);
  const urls: (string | undefined)[] = [];
  const used = new Set(rungs.map(({ key }) => known.get(key)));
  for (const { key, kind } of rungs) {
    const free = [...known].filter(([, each]) => !used.has(each)).map(([other]) => other);
    const nearest = known.has(key) ? key : nearestRendition(key, free);
    const other = nearest ?? (isStale ? variantInPlace(key, [...known.keys()]) : undefined);
    if (other === undefined && kind !== 'text')
      return { refused: `${shortUrl(url)} has no rendition "${key}" any more` };
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
