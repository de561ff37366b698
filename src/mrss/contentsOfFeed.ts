// SPDX-License-Identifier: Apache-2.0
// A feed as the items of one presentation. Unlike a playlist (playlistOfFeed.ts), it is played at once, so a cue point that
// cannot be read is left out with a warning; an item that cannot be played is a fault.
import type { ContentItem } from '../channels/playlist.ts';
import type { FeedContent, FeedNotice, ReadCuePoint, ReadFeed, ReadFeedItem } from './feed.ts';
import { preferredContent } from './playlistOfFeed.ts';

export type FeedContents = {
  /** Empty if there is a fault. */
  readonly contents: readonly ContentItem[];
  readonly faults: readonly FeedNotice[];
  readonly warnings: readonly FeedNotice[];
};

/** @param format is preferred when an item has both */
export function contentsOfFeed(feed: ReadFeed, format: 'hls' | 'dash'): FeedContents {
  const isFatal = ({ path }: FeedNotice): boolean => path === 'url';
  const faults = feed.faults.filter(isFatal);
  const warnings = [...feed.faults.filter((fault) => !isFatal(fault)), ...feed.warnings];
  if (feed.items.length === 0) faults.push({ line: feed.titleLine, message: 'the feed has no items' });
  if (faults.length > 0) return { contents: [], faults, warnings };
  const contents = feed.items.flatMap((item, index) => {
    const content = preferredContent(item.contents, format);
    return content === undefined
      ? [] // The feed has a fault for it.
      : [contentItem(content, item, (notice) => warnings.push({ ...notice, item: index }))];
  });
  return { contents, faults, warnings };
}

function contentItem(
  { url, duration }: FeedContent,
  { isMeasured, spliceType, cuePoints = [] }: ReadFeedItem,
  warn: (notice: FeedNotice) => void,
): ContentItem {
  const isPercent = spliceType === 'percent';
  const usable = cuePoints.filter(({ line, ...cue }) => {
    const fault = cuePointFault(cue, isPercent);
    if (fault !== undefined) warn({ line, message: `a cue point is left out: ${fault}` });
    return fault === undefined;
  });
  return {
    sourceType: 'url',
    url,
    ...(duration === undefined || isMeasured ? {} : { duration }),
    ...(isPercent ? { spliceType } : {}),
    cuePoints: usable.map(({ line: _, ...cue }) => cue),
  };
}

function cuePointFault({ spliceTime, maxDuration, maxAds }: Omit<ReadCuePoint, 'line'>, isPercent: boolean) {
  if (isPercent && spliceTime > 100) return `its position is ${spliceTime} per cent`;
  if (maxDuration === 0) return 'its duration is 0';
  return maxAds === 0 ? 'its number of ads is 0' : undefined;
}
