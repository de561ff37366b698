// SPDX-License-Identifier: Apache-2.0
// A feed as the body of a playlist, as a client would have sent it in JSON: the same rules then check it. An item becomes
// its HLS manifest, or its DASH manifest if it has no HLS.
import { type FieldError, fieldError } from '../errors.ts';
import type { FeedContent, ReadCuePoint, ReadFeed, ReadFeedItem } from './feed.ts';

export type FeedBody = {
  /** Not validated. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly faults: readonly FieldError[];
  /** The line of a field of the body, by JSON Pointer: that of the closest element. */
  lineOf(dataPath: string): number;
};

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

export function playlistOfFeed({ title, titleLine, playlist, items, faults }: ReadFeed): FeedBody {
  const { id, type, status, startDate, isEmpty = true, line: playlistLine = titleLine } = playlist ?? {};
  const hasContents = items.length > 0 || isEmpty;
  const body = defined({
    id,
    name: playlist?.name ?? nameOfTitle(title, playlist),
    type,
    status,
    startDate,
    contents: hasContents ? items.map(contentItem) : undefined,
  });
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
  return defined({
    sourceType: 'url',
    url: content?.url,
    duration: isMeasured ? undefined : content?.duration,
    spliceType,
    cuePoints: cuePoints?.map(cuePoint),
  });
}

const cuePoint = ({ line: _, ...fields }: ReadCuePoint): Record<string, unknown> => fields;

const defined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
