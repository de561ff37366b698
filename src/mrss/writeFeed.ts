// SPDX-License-Identifier: Apache-2.0
// Writes Media RSS: RSS 2.0, Media RSS 1.5.1 and Midroll's own ad markers. It knows nothing of playlists or where a feed
// comes from. Source: RSS 2.0 specification; Media RSS §media:content.
import { type AttributeValue, element, escapeText, xmlDeclaration } from '../xml/write.ts';
import { AD_NAMESPACE } from './feedElements.ts';

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
