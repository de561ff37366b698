// SPDX-License-Identifier: Apache-2.0
// The segments of a live media playlist with their numbers, instants and absolute URLs. Playlists may list half a day, so
// only what may be new is converted.
import type { MediaPlaylist, Segment, SegmentMap } from '../../../hls/mediaPlaylist.ts';
import { nameOf } from '../../../live/align/segmentLists.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import { resolve } from '../../import/hlsParts.ts';
import { microsToFlicks, rungDates } from './rungDates.ts';
import { createKeyWriter } from './segmentKeys.ts';

/** Microseconds. The segments at a marker may be shorter, but not all segments. */
const SHORTEST = 100_000;
const MAX_SHORT = 1000;

/**
 * @param url of the playlist, after redirects
 * @param first the index of the first segment that is converted
 * @param before what the last reading found
 */
export function rungSegments(
  playlist: MediaPlaylist,
  url: string,
  first: number,
  before: readonly OriginSegment[],
): readonly OriginSegment[] | { readonly refused: string } {
  const { segments, mediaSequence } = playlist;
  const short = segments.slice(first).filter(({ micros }) => micros > 0 && micros < SHORTEST);
  if (short.length > MAX_SHORT)
    return { refused: `line ${short[0]!.line}: ${short.length} segments are shorter than 0.1 s; check their EXTINF` };
  const keyWriter = createKeyWriter(url);
  const refs = refReader(url);
  const media: MediaRef[] = [];
  for (const segment of segments.slice(first)) {
    const ref = refs.media(segment);
    if (ref === undefined || (segment.map !== undefined && refs.init(segment.map) === undefined))
      return { refused: `line ${segment.line}: a segment must have an http or https URI` };
    media.push(ref);
  }
  const earlier = (index: number): OriginSegment | undefined => {
    const known = before[mediaSequence + index - (before[0]?.number ?? 0)];
    return known !== undefined && nameOf(known.media) === nameOf(media[index - first]) ? known : undefined;
  };
  const dates = rungDates(segments, first, (index) => earlier(index)?.startsAt);
  const discontinuities = countDiscontinuities(playlist, first, before, earlier);
  return media.map((ref, at): OriginSegment => {
    const segment = segments[first + at]!;
    const number = mediaSequence + first + at;
    const startsAt = dates[at];
    const initKeys = segment.map && keyWriter.ofMap(segment.map, segment.keys);
    return {
      number,
      ...(startsAt && { startsAt }),
      duration: microsToFlicks(segment.micros),
      media: ref,
      ...(segment.map && { init: refs.init(segment.map)! }),
      ...(segment.keys.length > 0 && { keys: keyWriter.ofSegment(segment.keys, number) }),
      ...(initKeys && { initKeys }),
      stretch: `d${discontinuities[at]!}`,
      ...(segment.gap && { isGap: true }),
    };
  });
}

function refReader(url: string) {
  const inits = new Map<SegmentMap, MediaRef | undefined>();
  const refOf = ({ uri, range }: Pick<Segment, 'uri' | 'range'>): MediaRef | undefined => {
    const absolute = resolve(uri, url);
    return absolute === undefined ? undefined : { url: absolute, ...(range && { range }) };
  };
  return {
    media: refOf,
    init(map: SegmentMap): MediaRef | undefined {
      if (!inits.has(map)) inits.set(map, refOf(map));
      return inits.get(map);
    },
  };
}

/**
 * The discontinuity sequence numbers of the segments from `first` on (RFC 8216 §6.2.2). Where the playlist does not count those
 * that have left it, an earlier reading does.
 */
function countDiscontinuities(
  { segments, discontinuitySequence, mediaSequence }: MediaPlaylist,
  first: number,
  before: readonly OriginSegment[],
  earlier: (index: number) => OriginSegment | undefined,
): number[] {
  let count = discontinuitySequence;
  for (let index = 0; index < first; index += 1) if (segments[index]!.discontinuity) count += 1;
  const counts: number[] = [];
  for (let index = first; index < segments.length; index += 1) {
    if (segments[index]!.discontinuity) count += 1;
    counts.push(count);
  }
  const last = before.at(-1);
  if (discontinuitySequence > 0 || last === undefined) return counts;
  const index = Math.max(first, before[0]!.number - mediaSequence);
  const same = earlier(index);
  const isAfter = mediaSequence + first > last.number;
  const missed = same ? countOf(same) - counts[index - first]! : isAfter ? countOf(last) : 0;
  return missed === 0 ? counts : counts.map((each) => each + missed);
}

const countOf = ({ stretch }: OriginSegment): number => Number(stretch.slice(1));
