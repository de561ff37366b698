// SPDX-License-Identifier: Apache-2.0
// A feed as the body of a playlist, as a client would have sent it in JSON: the same rules then check it. An item becomes
// its HLS manifest, or its DASH manifest if it has no HLS.

import type { ContentItem } from '../channels/playlist.ts';
import { fieldError } from '../errors.ts';
import { withoutUndefined } from '../invariant.ts';
import type { FeedContent, FeedNotice, ReadCuePoint, ReadFeed, ReadFeedItem } from './feed.ts';

/**
 * The name of the playlist of a feed. Midroll's own feeds have the id as the title if there is no name; the feed of a
 * generated playlist has neither.
 * @param own the feed's element `playlist`
 */
export const nameOfTitle = (title: string, own: { readonly id?: string } | undefined): string | undefined =>
  own !== undefined && (own.id === undefined || own.id === title.trim()) ? undefined : title.trim() || undefined;

/** The content in the given format, else one in the other format, else one whose format the feed does not name. */
export const preferredContent = (
  contents: readonly FeedContent[],
  format: 'hls' | 'dash' = 'hls',
): FeedContent | undefined =>
  contents.find(({ type }) => type === format) ?? contents.find(({ type }) => type !== undefined) ?? contents[0];

/** @returns the body, not validated, with faults and lines by JSON Pointers into it */
export function playlistOfFeed({ title, titleLine, playlist, items, faults }: ReadFeed) {
  const { id, type, status, startDate, isEmpty = true, line: playlistLine = titleLine } = playlist ?? {};
  const hasContents = items.length > 0 || isEmpty;
  const body = withoutUndefined({
    id,
    name: playlist?.name ?? nameOfTitle(title, playlist),
    type,
    status,
    startDate,
    contents: hasContents ? items.map(contentItem) : undefined,
  });
  /** The line of a field of the body: that of the closest element. */
  const lineOf = (dataPath: string): number => {
    const [, field, index, list, number] = dataPath.split('/');
    if (field !== 'contents') return field === 'name' && playlist?.name === undefined ? titleLine : playlistLine;
    const item = items[Number(index)];
    const cue = list === 'cuePoints' && number !== undefined ? item?.cuePoints?.[Number(number)] : undefined;
    return cue?.line ?? item?.line ?? playlistLine;
  };
  return {
    body,
    faults: faults.map(({ line, item, path, message }) =>
      fieldError('feed', item === undefined ? '' : `/contents/${item}/${path}`, message, { line }),
    ),
    lineOf,
  };
}

function contentItem({ contents, isMeasured, spliceType, cuePoints }: ReadFeedItem): Record<string, unknown> {
  const content = preferredContent(contents);
  return withoutUndefined({
    sourceType: 'url',
    url: content?.url,
    duration: isMeasured ? undefined : content?.duration,
    spliceType,
    cuePoints: cuePoints?.map(cuePoint),
  });
}

const cuePoint = ({ line: _, ...fields }: ReadCuePoint): Record<string, unknown> => fields;

// A feed as the items of one presentation. Unlike a playlist, it is played at once, so a cue point that
// cannot be read is left out with a warning; an item that cannot be played is a fault.

/** @param format is preferred when an item has both @returns `contents` is empty if there is a fault */
export function contentsOfFeed(feed: ReadFeed, format: 'hls' | 'dash') {
  const isFatal = ({ path }: FeedNotice): boolean => path === 'url';
  const faults = feed.faults.filter(isFatal);
  const warnings = [...feed.faults.filter((fault) => !isFatal(fault)), ...feed.warnings];
  if (feed.items.length === 0) faults.push({ line: feed.titleLine, message: 'the feed has no items' });
  if (faults.length > 0) return { contents: [], faults, warnings };
  const contents = feed.items.flatMap((item, index) => {
    const content = preferredContent(item.contents, format);
    return content === undefined
      ? [] // The feed has a fault for it.
      : [itemOfContent(content, item, (notice) => warnings.push({ ...notice, item: index }))];
  });
  return { contents, faults, warnings };
}

function itemOfContent(
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
