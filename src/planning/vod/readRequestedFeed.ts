// SPDX-License-Identifier: Apache-2.0
// Fetches an MRSS feed that a request to a VoD channel names. The feed and its contents must be on hosts that the channel
// allows, also after redirects.
import { LRUCache } from 'lru-cache';
import type { ContentItem } from '../../channels/playlist.ts';
import type { Origin, ReadFailure } from '../../ingest/ports.ts';
import { inTurns } from '../../ingest/source/inTurns.ts';
import type { FeedNotice, FeedRefusal, ReadFeed } from '../../mrss/feed.ts';
import { describeRefusal } from '../../mrss/feed.ts';
import { contentsOfFeed } from '../../mrss/playlistOfFeed.ts';
import { MAX_FEED_LENGTH, readingFeed } from '../../mrss/readFeed.ts';
import { isTransientStatus } from '../../time/transientStatus.ts';
import type { Millis } from '../../time/units.ts';
import { isAllowedHost } from '../../vod/isAllowedHost.ts';
import { charsetOf, decodingXml } from '../../xml/decodeXml.ts';

type RequestedFeed =
  | {
      readonly state: 'found';
      readonly contents: readonly ContentItem[];
      readonly names: readonly { readonly titleId: string; readonly title: string }[];
      /** Sentences with the item and the line. */
      readonly warnings: readonly string[];
    }
  /** The request or the feed is at fault. `message` continues the name of the field `url`. */
  | { readonly state: 'invalid'; readonly message: string }
  /** The server of the feed is at fault. One sentence. */
  | { readonly state: 'unavailable'; readonly reason: string };

export type ReadRequestedFeed = ReturnType<typeof createFeedReader>;

const TIMEOUT_MS = 5000;
/** Viewers who start the same film at the same time share one request. */
const SHARED_MS = 5000;
const MAX_SHARED = 50;
const MAX_WARNINGS = 20;

type Fetched = { readonly feed: ReadFeed | FeedRefusal; readonly url: string } | ReadFailure;

const shownHost = (url: string): string => JSON.stringify(new URL(url).host);

const describe = ({ item, line, message }: FeedNotice): string =>
  item === undefined ? `line ${line}: ${message}` : `item ${item + 1} (line ${line}): ${message}`;

/** Failures that end when the server recovers. */
const isTransient = ({ error, status = 0 }: ReadFailure): boolean =>
  error === 'httpStatus' ? isTransientStatus(status) : !permanent.has(error ?? 'failed');
const permanent: ReadonlySet<string> = new Set(['badUrl', 'egress', 'noSuchHost', 'redirects', 'tooLarge', 'garbage']);

export function createFeedReader(origin: Pick<Origin, 'read'>, now: () => Millis) {
  const shared = new LRUCache<string, { readonly until: number; readonly fetched: Promise<Fetched> }>({
    max: MAX_SHARED,
  });

  async function fetchFeed(requested: string): Promise<Fetched> {
    const read = await origin.read(requested, { maxBytes: MAX_FEED_LENGTH, timeoutMs: TIMEOUT_MS });
    if (!read.ok) return read;
    const text = await inTurns(read.bytes.length, decodingXml(read.bytes, charsetOf(read.contentType)));
    return { url: read.url, feed: await inTurns(text.length, readingFeed(text, read.url)) };
  }

  function fetchShared(url: string): Promise<Fetched> {
    const known = shared.get(url);
    if (known !== undefined && now() < known.until) return known.fetched;
    const fetched = fetchFeed(url);
    shared.set(url, { until: now() + SHARED_MS, fetched });
    return fetched;
  }

  return async (hosts: readonly string[], requested: string, format: 'hls' | 'dash'): Promise<RequestedFeed> => {
    const invalid = (message: string) => ({ state: 'invalid', message }) as const;
    const foreign = (url: string) =>
      invalid(`must be on a host that the channel's contentHosts contain; got ${shownHost(url)}`);
    if (!isAllowedHost(requested, hosts)) return foreign(requested);
    const fetched = await fetchShared(requested);
    if (!('feed' in fetched)) {
      const { reason } = fetched;
      if (!isTransient(fetched)) return invalid(`cannot be read: its server ${reason}`);
      return { state: 'unavailable', reason: `The server of the feed ${reason}. Retry soon.` };
    }
    const { feed, url } = fetched;
    if (!isAllowedHost(url, hosts)) return foreign(url);
    if ('refused' in feed) return invalid(`must be an MRSS feed: it ${describeRefusal(feed)}`);
    const { contents, faults, warnings } = contentsOfFeed(feed, format);
    if (faults.length > 0)
      return invalid(`has items that cannot be played: ${faults.slice(0, 3).map(describe).join('; ')}`);
    const isPlayable = (item: ContentItem | undefined): boolean =>
      item?.url !== undefined && URL.canParse(item.url) && isAllowedHost(item.url, hosts);
    for (const [item, { line }] of feed.items.entries()) {
      if (isPlayable(contents[item])) continue;
      const notice = { item, line, message: 'its host is not one of the contentHosts of the channel' };
      return invalid(`has items that cannot be played: ${describe(notice)}`);
    }
    const names = feed.items.map(({ guid, title }, index) => ({
      titleId: guid ?? String(index + 1),
      title: title ?? feed.title,
    }));
    return { state: 'found', contents, names, warnings: warnings.slice(0, MAX_WARNINGS).map(describe) };
  };
}
