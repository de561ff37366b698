// SPDX-License-Identifier: Apache-2.0
// Writes Media RSS: RSS 2.0, Media RSS 1.5.1 and Midroll's own ad markers. It knows nothing of playlists or where a feed
// comes from. Source: RSS 2.0 specification; Media RSS §media:content.

import { spliceMillis } from '../channels/cuePoints.ts';
import { type Packaging, packagingOf } from '../channels/packagingOf.ts';
import type { ContentItem, CuePoint, Playlist } from '../channels/playlist.ts';
import { type FieldError, fieldError } from '../errors.ts';
import { type AttributeValue, element, escapeText, xmlDeclaration } from '../xml/write.ts';
import { AD_NAMESPACE } from './feedElements.ts';
import { nameOfTitle } from './playlistOfFeed.ts';

export type FeedCuePoint = {
  readonly id: string;
  /** Milliseconds from the item's start; −1 is a post-roll. */
  readonly spliceTime: number;
  /** The position as the playlist has it, where `spliceTime` does not express it. */
  readonly exact?: number;
  readonly maxAds?: number;
  /** Seconds, when stated. */
  readonly duration?: number;
};

/** Attributes of an element of Midroll's own, for what RSS has no element for. */
export type OwnFields = Readonly<Record<string, AttributeValue>>;

export type FeedItem = {
  /** Unique in the feed; not a URL. */
  readonly guid: string;
  readonly title: string;
  readonly url: string;
  /** Media type of the manifest, when known. */
  readonly type?: 'application/x-mpegURL' | 'application/dash+xml';
  /** Seconds, when known. */
  readonly duration?: number;
  readonly cuePoints: readonly FeedCuePoint[];
  readonly own?: OwnFields;
};

export type Feed = {
  readonly title: string;
  /** URL of the feed's source; RSS requires it. */
  readonly link: string;
  readonly description: string;
  readonly own?: OwnFields;
  readonly items: readonly FeedItem[];
};

const namespaces = {
  version: '2.0',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
  'xmlns:ad': AD_NAMESPACE,
};

const textElement = (name: string, text: string | number): string => element(name, {}, escapeText(String(text)));

const ownElement = (name: string, fields: OwnFields | undefined): string =>
  fields === undefined ? '' : element(`ad:${name}`, fields);

const writeCuePoint = ({ id, spliceTime, exact, maxAds, duration }: FeedCuePoint): string =>
  element(
    'cuepoint',
    { id, 'ad:splicetime': exact },
    textElement('splicetime', spliceTime),
    maxAds === undefined ? '' : textElement('maxcount', maxAds),
    duration === undefined ? '' : textElement('duration', duration),
  );

const writeItem = ({ guid, title, url, type, duration, cuePoints, own }: FeedItem): string =>
  element(
    'item',
    {},
    element('guid', { isPermaLink: 'false' }, escapeText(guid)),
    textElement('title', title),
    element('media:content', { url, type, duration, medium: 'video' }),
    ownElement('item', own),
    cuePoints.length === 0 ? '' : element('ad:cuepoints', {}, ...cuePoints.map(writeCuePoint)),
  );

/** @returns the feed as text, to be served as application/rss+xml in UTF-8 */
export function writeFeed({ title, link, description, own, items }: Feed): string {
  const head = [textElement('title', title), textElement('link', link), textElement('description', description)];
  const channel = element('channel', {}, ...head, ownElement('playlist', own), ...items.map(writeItem));
  return `${xmlDeclaration}${element('rss', namespaces, channel)}\n`;
}

// A playlist as a feed. Midroll's own elements and attributes are added only where playlistOfFeed would otherwise return
// another value (law 8).

export type FeedSource = {
  readonly link: string;
  /** Also the prefix of every guid. */
  readonly title: string;
  readonly playlist: Partial<Pick<Playlist, 'id' | 'name' | 'type' | 'status' | 'startDate' | 'contents'>>;
  /** Of every item. Derived from the extension of each URL if absent. */
  readonly packaging?: Packaging;
  /** Seconds, for items without a duration. */
  readonly durationOf?: (index: number) => number | undefined;
};

const mediaTypes = { hls: 'application/x-mpegURL', dash: 'application/dash+xml' } as const;

/** @returns the feed, and a fault for each item that cannot be written */
export function feedOfPlaylist({ link, title, playlist, packaging, durationOf }: FeedSource): {
  readonly feed: Feed;
  readonly faults: readonly FieldError[];
} {
  const { id, name, type, status, startDate, contents = [] } = playlist;
  const faults: FieldError[] = [];
  const items = contents.map((item, index): FeedItem => {
    const measured = item.duration === undefined ? durationOf?.(index) : undefined;
    const duration = item.duration ?? measured;
    if (item.url === undefined)
      faults.push(fieldError('required', '/content', `is required, because item ${index} is a placeholder`));
    const cuePoints = (item.cuePoints ?? []).flatMap((cue, number): FeedCuePoint[] => {
      const written = feedCuePoint(cue, item, duration);
      if (written !== undefined) return [{ id: `${index + 1}-${number + 1}`, ...written }];
      const path = `/contents/${index}/duration`;
      faults.push(fieldError('required', path, 'is required in MRSS, because the item has cue points in per cent'));
      return [];
    });
    const format = packaging ?? packagingOf(item.url ?? '');
    return {
      guid: `${id ?? title}-${index + 1}`,
      title: contents.length === 1 ? title : `${title} (${index + 1})`,
      url: item.url ?? '',
      cuePoints,
      ...(format ? { type: mediaTypes[format] } : {}),
      ...(duration === undefined ? {} : { duration }),
      ...ownFields({
        splicetype: item.spliceType,
        cuepoints: item.cuePoints?.length === 0 ? 0 : undefined,
        duration: measured === undefined ? undefined : 'measured',
      }),
    };
  });
  const own = ownFields({
    id,
    name: nameOfTitle(title, playlist) === name ? undefined : name,
    type,
    status,
    startDate,
    items: playlist.contents?.length === 0 ? 0 : undefined,
  });
  return { feed: { title, link, description: `Assets and ad markers of ${title}`, ...own, items }, faults };
}

const ownFields = (fields: Readonly<Record<string, string | number | undefined>>) =>
  Object.values(fields).every((value) => value === undefined) ? {} : { own: fields };

/** Undefined for a percentage of an unknown duration. */
function feedCuePoint(cue: CuePoint, item: ContentItem, duration: number | undefined) {
  const spliceTime = spliceMillis(cue, item, duration);
  if (spliceTime === undefined) return undefined;
  const isExact = readMillis(spliceTime) === cue.spliceTime && (item.spliceType !== 'percent' || spliceTime <= 0);
  return {
    spliceTime,
    ...(isExact ? {} : { exact: cue.spliceTime }),
    ...(cue.maxAds === undefined ? {} : { maxAds: cue.maxAds }),
    ...(cue.maxDuration === undefined ? {} : { duration: cue.maxDuration }),
  };
}

const readMillis = (millis: number): number => (millis === -1 ? -1 : millis / 1000);
