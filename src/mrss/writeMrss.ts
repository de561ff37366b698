// SPDX-License-Identifier: Apache-2.0
// Writes a playlist as Media RSS: RSS 2.0, Media RSS 1.5.1 (media:content) and Midroll's own ad markers. Midroll's own elements
// and attributes are added only where playlistOfFeed would otherwise return another value (law 8).

import { spliceMillis } from '../channels/cuePoints.ts';
import { type Packaging, packagingOf } from '../channels/packagingOf.ts';
import type { ContentItem, CuePoint, Playlist } from '../channels/playlist.ts';
import { type FieldError, fieldError } from '../errors.ts';
import { finish, type Sliced } from '../time/sliced.ts';
import { type AttributeValue, element, escapeText, xmlDeclaration } from '../xml/write.ts';
import { AD_NAMESPACE } from './feedElements.ts';
import { nameOfTitle } from './playlistOfFeed.ts';

export type FeedSource = {
  /** URL of the feed's source; RSS requires it. */
  readonly link: string;
  /** The title of the feed, and the prefix of every guid. */
  readonly title: string;
  readonly playlist: Partial<Pick<Playlist, 'id' | 'name' | 'type' | 'status' | 'startDate' | 'contents'>>;
  /** The packaging of every item. Derived from the extension of each URL if absent. */
  readonly packaging?: Packaging;
  /** Seconds, for items without a duration. */
  readonly durationOf?: (index: number) => number | undefined;
  /** The entries of a schedule that the items are. */
  readonly entries?: readonly FeedEntry[];
};

export type FeedEntry = {
  readonly guid: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly validFrom: string | undefined;
  /** What RSS has no element for. */
  readonly fields: Readonly<Record<string, AttributeValue>>;
};

const namespaces = {
  version: '2.0',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
  'xmlns:ad': AD_NAMESPACE,
};

const withTerms = { ...namespaces, 'xmlns:dcterms': 'http://purl.org/dc/terms/' };

const mediaTypes = { hls: 'application/x-mpegURL', dash: 'application/dash+xml' } as const;

const textElement = (name: string, text: string | number | undefined): string =>
  text === undefined ? '' : element(name, {}, escapeText(String(text)));

/** An element of Midroll's own, for what RSS has no element for. */
const ownElement = (name: string, fields: Readonly<Record<string, AttributeValue>>): string =>
  Object.values(fields).every((value) => value === undefined) ? '' : element(`ad:${name}`, fields);

/** @returns undefined for a percentage of an unknown duration */
function writeCuePoint(cue: CuePoint, item: ContentItem, duration: number | undefined, id: string): string | undefined {
  const spliceTime = spliceMillis(cue, item, duration);
  if (spliceTime === undefined) return undefined;
  const read = spliceTime === -1 ? -1 : spliceTime / 1000;
  const isExact = read === cue.spliceTime && (item.spliceType !== 'percent' || spliceTime <= 0);
  return element(
    'cuepoint',
    { id, 'ad:splicetime': isExact ? undefined : cue.spliceTime },
    textElement('splicetime', spliceTime),
    textElement('maxcount', cue.maxAds),
    textElement('duration', cue.maxDuration),
  );
}

/** Items that are written at once. */
const ITEMS_IN_SLICE = 50;

type WrittenFeed = { readonly text: string; readonly faults: readonly FieldError[] };

/** @returns the feed, to be served as application/rss+xml in UTF-8, and a fault for each item that cannot be written */
export const writeMrss = (source: FeedSource): WrittenFeed => finish(writingMrss(source));

export function* writingMrss(source: FeedSource): Sliced<WrittenFeed> {
  const { link, title, playlist, packaging, durationOf, entries } = source;
  const { id, name, type, status, startDate, contents = [] } = playlist;
  const faults: FieldError[] = [];
  const writeItem = (item: ContentItem, index: number): string => {
    const { url = '', cuePoints = [] } = item;
    const measured = item.duration === undefined ? durationOf?.(index) : undefined;
    const duration = item.duration ?? measured;
    if (item.url === undefined)
      faults.push(fieldError('required', '/content', `is required, because item ${index} is a placeholder`));
    const cues = cuePoints.map((cue, number) => writeCuePoint(cue, item, duration, `${index + 1}-${number + 1}`));
    if (cues.includes(undefined)) {
      const path = `/contents/${index}/duration`;
      faults.push(fieldError('required', path, 'is required in MRSS, because the item has cue points in per cent'));
    }
    const format = packaging ?? packagingOf(url);
    const entry = entries?.[index];
    const numbered = contents.length === 1 ? title : `${title} (${index + 1})`;
    return element(
      'item',
      {},
      element('guid', { isPermaLink: 'false' }, escapeText(entry?.guid ?? `${id ?? title}-${index + 1}`)),
      textElement('title', entry === undefined ? numbered : entry.title),
      textElement('description', entry?.description),
      entry?.validFrom === undefined ? '' : textElement('dcterms:valid', `start=${entry.validFrom}; scheme=W3C-DTF`),
      element('media:content', { url, type: format && mediaTypes[format], duration, medium: 'video' }),
      ownElement('item', {
        splicetype: item.spliceType,
        cuepoints: item.cuePoints?.length === 0 ? 0 : undefined,
        duration: measured === undefined ? undefined : 'measured',
      }),
      entry === undefined ? '' : element('ad:entry', entry.fields),
      cues.length === 0 ? '' : element('ad:cuepoints', {}, ...cues.filter((cue) => cue !== undefined)),
    );
  };
  const items: string[] = [];
  for (const [index, item] of contents.entries()) {
    if (index % ITEMS_IN_SLICE === 0) yield;
    items.push(writeItem(item, index));
  }
  const own = ownElement('playlist', {
    id,
    name: nameOfTitle(title, playlist) === name ? undefined : name,
    type,
    status,
    startDate,
    items: playlist.contents?.length === 0 ? 0 : undefined,
  });
  const description = `Assets and ad markers of ${title}`;
  const head = [textElement('title', title), textElement('link', link), textElement('description', description)];
  const channel = element('channel', {}, ...head, own, ...items);
  return {
    text: `${xmlDeclaration}${element('rss', entries === undefined ? namespaces : withTerms, channel)}\n`,
    faults,
  };
}
