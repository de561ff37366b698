// SPDX-License-Identifier: Apache-2.0
// A playlist as an MRSS response.
import { Type } from 'typebox';
import { type Packaging, packagingOf } from '../../../channels/packagingOf.ts';
import type { ContentItem } from '../../../channels/playlist.ts';
import { spliceMillis } from '../../../channels/spliceMillis.ts';
import { type FieldError, fieldError, validationError } from '../../../errors.ts';
import { type FeedCuePoint, type FeedItem, writeFeed } from '../../../mrss/writeFeed.ts';
import { negotiate } from '../request/negotiate.ts';
import type { RouteResponse } from '../request/route.ts';

export const MRSS = 'application/rss+xml';

export const formatQuery = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'mrss'], { description: 'Format of the response.' })),
});

/** The format of a response: as in the query, else as in the Accept header, else JSON. */
export const chooseFormat = (format: 'json' | 'mrss' | undefined, accept: string | undefined): 'json' | 'mrss' =>
  format ?? (negotiate(accept, ['application/json', MRSS]) === MRSS ? 'mrss' : 'json');

const mediaTypes = { hls: 'application/x-mpegURL', dash: 'application/dash+xml' } as const;

export type FeedSource = {
  readonly title: string;
  readonly link: string;
  /** Prefix of every guid. */
  readonly guid: string;
  readonly contents: readonly ContentItem[];
  /** Of every item. Derived from the extension of each URL if absent. */
  readonly packaging?: Packaging;
  /** Seconds, for items without a duration. */
  readonly durationOf?: (index: number) => number | undefined;
};

/** @throws {AppError} VALIDATION_ERROR if an item has no URL, or a cue point in per cent is in an item without a duration */
export function feedResponse(source: FeedSource, headers: Readonly<Record<string, string>> = {}): RouteResponse {
  const faults: FieldError[] = [];
  const items = source.contents.map((item, index): FeedItem => {
    const duration = item.duration ?? source.durationOf?.(index);
    if (item.url === undefined)
      faults.push(fieldError('required', '/content', `is required, because item ${index} is a placeholder`));
    const cuePoints = (item.cuePoints ?? []).flatMap((cue, number): FeedCuePoint[] => {
      const spliceTime = spliceMillis(cue, item, duration);
      if (spliceTime === undefined) {
        const path = `/contents/${index}/duration`;
        faults.push(fieldError('required', path, 'is required in MRSS, because the item has cue points in per cent'));
        return [];
      }
      const { maxAds, maxDuration } = cue;
      const limits = {
        ...(maxAds === undefined ? {} : { maxAds }),
        ...(maxDuration === undefined ? {} : { duration: maxDuration }),
      };
      return [{ id: `${index + 1}-${number + 1}`, spliceTime, ...limits }];
    });
    const packaging = source.packaging ?? packagingOf(item.url ?? '');
    return {
      guid: `${source.guid}-${index + 1}`,
      title: source.contents.length === 1 ? source.title : `${source.title} (${index + 1})`,
      url: item.url ?? '',
      cuePoints,
      ...(packaging ? { type: mediaTypes[packaging] } : {}),
      ...(duration === undefined ? {} : { duration }),
    };
  });
  if (faults.length > 0) throw validationError('Cannot write the playlist as MRSS', uniqueFaults(faults));
  const { title, link } = source;
  const content = writeFeed({ title, link, description: `Assets and ad markers of ${title}`, items });
  return { status: 200, headers, text: { contentType: `${MRSS}; charset=utf-8`, content } };
}

const uniqueFaults = (faults: readonly FieldError[]): FieldError[] => [
  ...new Map(faults.map((fault) => [fault.dataPath, fault])).values(),
];
