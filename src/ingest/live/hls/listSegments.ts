// SPDX-License-Identifier: Apache-2.0
// The segments of a live media playlist, in the form that the readers of live origins share.
import { hexSequence, readAttributes, writeAttributes } from '../../../hls/attributes.ts';
import type { MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import { type PlacedSegment, placeSegments, resolve } from '../../import/hlsParts.ts';
import { notHttp, type Refusal } from '../../source/presentation.ts';
import { microsToFlicks, segmentDates } from './segmentDates.ts';

export type ListedPlaylist = {
  /** After redirects. */
  readonly url: string;
  readonly playlist: MediaPlaylist;
  /** Without segments of no duration. */
  readonly placed: readonly PlacedSegment[];
  /** One for each of `placed`. */
  readonly segments: readonly OriginSegment[];
};

/** @param url of the playlist, after redirects */
export function listSegments(playlist: MediaPlaylist, url: string): ListedPlaylist | Refusal {
  const placed = placeSegments(playlist, url);
  if ('refused' in placed) return placed;
  const dates = segmentDates(playlist.segments);
  const startsAt = new Map(playlist.segments.map(({ line }, index) => [line, dates[index]]));
  const inits = new Map<PlacedSegment['segment']['map'], MediaRef>();
  let stretch = playlist.discontinuitySequence;
  const segments: OriginSegment[] = [];
  for (const one of placed) {
    const { segment, sequence } = one;
    if (segment.discontinuity) stretch += 1;
    const init = segment.map && (inits.get(segment.map) ?? initOf(segment.map, url));
    if (init !== undefined && 'refused' in init) return init;
    if (init !== undefined) inits.set(segment.map, init);
    const date = startsAt.get(segment.line);
    segments.push({
      number: sequence,
      ...(date && { startsAt: date }),
      duration: microsToFlicks(segment.micros),
      media: { url: one.url, ...(segment.range && { range: segment.range }) },
      ...(init && { init }),
      ...(one.keys.lists.length > 0 ? { keys: keysWithIv(one) } : {}),
      stretch: String(stretch),
      ...(segment.gap ? { isGap: true as const } : {}),
    });
  }
  return { url, playlist, placed, segments };
}

function initOf(
  { uri, range, line }: NonNullable<PlacedSegment['segment']['map']>,
  base: string,
): MediaRef | (Refusal & { readonly line: number }) {
  const url = resolve(uri, base);
  return url === undefined ? { ...notHttp(uri, `line ${line}`), line } : { url, ...(range && { range }) };
}

/** Without an IV, the media sequence number is the IV (RFC 8216 §5.2); viewers get other numbers. */
function keysWithIv({ keys: { lists, isCounted }, sequence }: PlacedSegment): string[] {
  if (!isCounted) return [...lists];
  const iv = `0x${sequence.toString(16).padStart(32, '0')}`;
  return lists.map((list) => {
    const { attributes } = readAttributes(list);
    const isWhole = attributes.get('METHOD')?.value === 'AES-128';
    if (!isWhole || hexSequence(attributes.get('IV')?.value) !== undefined) return list;
    return writeAttributes(new Map(attributes).set('IV', { value: iv, quoted: false }));
  });
}
