// SPDX-License-Identifier: Apache-2.0
// Where the media playlists of a feed's rungs are: in the multivariant playlist, which is read again from time to time,
// because the tokens in its URLs expire.
import type { Multivariant } from '../../../hls/readMultivariant.ts';
import { isMultivariant, readMultivariant } from '../../../hls/readMultivariant.ts';
import type { Variables } from '../../../hls/readVariables.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import type { Millis } from '../../../time/units.ts';
import { shortUrl } from '../../source/mediaReader.ts';
import { nearestRendition, variantInPlace } from './nearestRendition.ts';
import { BARE_MEDIA, renditionUrls } from './renditionKeys.ts';
import type { FetchedPlaylist, PlaylistRequester } from './requestPlaylist.ts';

export type Located = {
  /** By rung; undefined for a text rendition that the playlist does not contain any more. */
  readonly urls: readonly (string | undefined)[];
  /** For EXT-X-DEFINE:IMPORT of the media playlists. */
  readonly variables: Variables;
  readonly warnings: readonly string[];
};

export type RenditionLocator = {
  /**
   * @param isStale the URLs that were returned last do not work any more
   * @returns the URLs that were found last if the playlist cannot be read; a failure that names a rendition if it has no other one
   */
  locate(isStale: boolean, signal?: AbortSignal): Promise<Located | OriginFailure>;
};

const VALID_MS = 300_000;

type Wanted = Pick<LiveFeed, 'url' | 'rungs'>;

export function createRenditionLocator(request: PlaylistRequester, feed: Wanted, now: () => Millis): RenditionLocator {
  let located: Located | undefined;
  let readAt = 0;
  if (feed.rungs[0]?.key === BARE_MEDIA) {
    const bare: Located = { urls: [feed.url], variables: new Map(), warnings: [] };
    return { locate: async () => bare };
  }
  return {
    async locate(isStale, signal) {
      if (located !== undefined && !isStale && now() - readAt < VALID_MS) return located;
      const fetched = await request(feed.url, signal);
      const found = 'refused' in fetched ? fetched : locateAll(fetched, feed.rungs, isStale || located === undefined);
      readAt = now();
      if (!('refused' in found)) located = found;
      return isStale && !('refused' in fetched) ? found : (located ?? found);
    },
  };
}

/** @param isStale the media playlists of the rungs do not work any more, or are not known */
function locateAll(
  { text, url }: FetchedPlaylist,
  rungs: LiveFeed['rungs'],
  isStale: boolean,
): Located | OriginFailure {
  const where = shortUrl(url);
  if (!isMultivariant(text)) return { refused: `${where} must be a multivariant playlist; it has no EXT-X-STREAM-INF` };
  const multivariant = readMultivariant(text, url, true);
  if ('refused' in multivariant) return { refused: `${where}: ${multivariant.refused}` };
  return urlsOf(multivariant, url, rungs, isStale);
}

function urlsOf(
  multivariant: Multivariant,
  url: string,
  rungs: LiveFeed['rungs'],
  isStale: boolean,
): Located | OriginFailure {
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
    const found = other === undefined ? undefined : known.get(other)!;
    used.add(found);
    urls.push(found);
    if (other === key) continue;
    const instead = other === undefined ? '' : `; "${other}" is used in its place`;
    warnings.push(`the multivariant playlist has no rendition "${key}" any more${instead}`);
  }
  return { urls, variables: multivariant.variables, warnings };
}
