// SPDX-License-Identifier: Apache-2.0
// Turns a media playlist into nominal tracks, one for each part. A part ends at a discontinuity and where the initialization
// section or the key changes, because a track has one of each.

import { memo } from '../../cache/memo.ts';
import { hexSequence, writeAttributes } from '../../hls/attributes.ts';
import type { MediaPlaylist, Segment, SegmentKeys } from '../../hls/mediaPlaylist.ts';
import { isNonEmpty, type NonEmpty } from '../../invariant.ts';
import { numberAt } from '../../time/row.ts';
import type { Sliced } from '../../time/sliced.ts';
import { packRefs } from '../../timeline/asset/segmentUrl.ts';
import { type NominalTrack, notHttp, type Refusal } from '../source/presentation.ts';

/** EXTINF is read in microseconds. */
const NOMINAL_TIMESCALE = 1_000_000;
const MAX_PARTS = 1000;
/** Segments. Their URLs are resolved in a few milliseconds. */
const IN_SLICE = 1000;

export type PlacedSegment = {
  readonly segment: Segment;
  readonly url: string;
  readonly sequence: number;
  readonly keys: Keys;
};
type Keys = { readonly lists: readonly string[]; readonly isCounted: boolean; readonly text: string };

/** @param url of the playlist, after redirects */
export function* splitParts(playlist: MediaPlaylist, url: string): Sliced<NonEmpty<NominalTrack> | Refusal> {
  if (playlist.iFramesOnly)
    return { code: 'I_FRAMES_ONLY', refused: 'it is an I-frame playlist (EXT-X-I-FRAMES-ONLY); use one with segments' };
  if (!playlist.ended) {
    return {
      code: 'NOT_FINISHED',
      refused: 'it is a live playlist (it has no EXT-X-ENDLIST); only complete VOD playlists can be imported',
    };
  }
  const gap = playlist.segments.find((segment) => segment.gap);
  if (gap) {
    const refused = `line ${gap.line}: a segment is missing (EXT-X-GAP); publish the complete asset`;
    return { code: 'GAP', line: gap.line, refused };
  }
  const placed = yield* placeSegments(playlist, url);
  if ('refused' in placed) return placed;
  yield;
  const tracks: NominalTrack[] = [];
  for (const part of partsOf(placed)) {
    const track = yield* trackOf(part, url);
    if ('refused' in track) return track;
    tracks.push(track);
    if (tracks.length > MAX_PARTS)
      return {
        refused: `it must have at most ${MAX_PARTS} parts (discontinuities, changes of key or map); it has more`,
      };
  }
  if (isNonEmpty(tracks)) return tracks;
  return { code: 'NO_SEGMENT', refused: 'it must list at least one segment with a duration; it lists none' };
}

function partsOf(placed: readonly PlacedSegment[]): NonEmpty<PlacedSegment>[] {
  const parts: [PlacedSegment, ...PlacedSegment[]][] = [];
  for (const [index, segment] of placed.entries()) {
    const [part, before] = [parts.at(-1), placed[index - 1]];
    if (part === undefined || before === undefined || startsPart(before, segment)) parts.push([segment]);
    else part.push(segment);
  }
  return parts;
}

/** Omits segments without a duration; a discontinuity before one applies to the next. */
export function* placeSegments(
  { segments, mediaSequence }: Pick<MediaPlaylist, 'segments' | 'mediaSequence'>,
  base: string,
  urlOf = ({ uri }: Segment, _index: number): string | undefined => resolve(uri, base),
): Sliced<PlacedSegment[] | Refusal> {
  const placed: PlacedSegment[] = [];
  const keysOf = keyReader(segments, base);
  let discontinuity = false;
  for (const [index, segment] of segments.entries()) {
    if (index % IN_SLICE === IN_SLICE - 1) yield;
    discontinuity ||= segment.discontinuity;
    if (segment.micros === 0) continue;
    const url = urlOf(segment, index);
    if (url === undefined) return notHttpAt(segment);
    const sequence = mediaSequence + index;
    const own = segment.discontinuity === discontinuity ? segment : { ...segment, discontinuity };
    placed.push({ segment: own, url, sequence, keys: keysOf(segment.keys, sequence) });
    discontinuity = false;
  }
  return placed;
}

const notHttpAt = ({ line, uri }: { readonly line: number; readonly uri: string }): Refusal => ({
  ...notHttp(uri, `line ${line}`),
  line,
});

/** A path without dots, spaces or anything else that a URL would contain in another form. */
const PLAIN = /^(?:[\w-]+\/)*[\w-][\w.-]*(?:\?[\w=&%.~-]*)?$/;
const folderOf = /^(https?:\/\/[^?#]*\/)[^/?#]*(?:\?[^#]*)?$/;

let normal = '';

/** Whether a URL is written as it is resolved. All segments of a playlist have the same base. */
function isNormal(folder: string): boolean {
  if (folder !== normal && URL.canParse(folder) && new URL(folder).href === folder) normal = folder;
  return folder === normal;
}

export function resolve(uri: string, base: string): string | undefined {
  const [, folder] = (PLAIN.test(uri) && folderOf.exec(base)) || [];
  if (folder !== undefined && isNormal(folder)) return folder + uri;
  if (!URL.canParse(uri, base)) return undefined;
  const { href, protocol } = new URL(uri, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

type KeyReading = { readonly lists: string[]; readonly plain: string[]; readonly iv: bigint | undefined };

/** With absolute URIs, and without an IV that equals the media sequence number, which is its default (RFC 8216 §5.2). */
function keyReader(segments: readonly Segment[], base: string): (keys: SegmentKeys, sequence: number) => Keys {
  const read = memo((keys: SegmentKeys) => readKeys(keys, base));
  const uses = new Map<SegmentKeys, number>();
  for (const { keys } of segments) uses.set(keys, (uses.get(keys) ?? 0) + 1);

  return (keys, sequence) => {
    const { lists, plain, iv } = read(keys);
    const isWhole = keys.some((key) => key.get('METHOD')?.value === 'AES-128');
    // An IV that states the sequence number is redundant if the tag applies to one segment. Otherwise it is the IV of all.
    const isSequence = iv === BigInt(sequence) && uses.get(keys) === 1;
    const isCounted = isWhole && (iv === undefined || isSequence);
    const written = isCounted ? plain : lists;
    return { lists: written, isCounted, text: written.join('\n') };
  };
}

function readKeys(keys: SegmentKeys, base: string): KeyReading {
  const absolute = keys.map((key) => {
    const uri = key.get('URI');
    if (uri === undefined) return key;
    const value = URL.canParse(uri.value, base) ? new URL(uri.value, base).href : uri.value;
    return new Map(key).set('URI', { ...uri, value });
  });
  const iv = absolute.map((key) => hexSequence(key.get('IV')?.value)).find((value) => value !== undefined);
  const plain = absolute.map((key) => writeAttributes(new Map([...key].filter(([name]) => name !== 'IV'))));
  return { lists: absolute.map(writeAttributes), plain, iv };
}

export function startsPart(before: PlacedSegment, after: PlacedSegment): boolean {
  if (after.segment.discontinuity) return true;
  if (after.keys.text !== before.keys.text || after.keys.isCounted !== before.keys.isCounted) return true;
  if (after.keys.isCounted && after.sequence !== before.sequence + 1) return true;
  const [a, b] = [before.segment.map, after.segment.map];
  return a !== b && (a?.uri !== b?.uri || a?.range?.start !== b?.range?.start || a?.range?.length !== b?.range?.length);
}

/** Undefined if they are those of the segments. */
function keysOfInit({ segment: { map, keys }, keys: { isCounted } }: PlacedSegment, base: string) {
  const own = map?.keys ?? [];
  const isSame = own === keys || own.length + keys.length === 0;
  return isSame && !isCounted ? undefined : readKeys(own, base).lists;
}

/** @param placed the segments of one part; @param base the URL of the playlist */
export function* trackOf(placed: NonEmpty<PlacedSegment>, base: string): Sliced<NominalTrack | Refusal> {
  const [first] = placed;
  const refs = placed.map(({ segment: { range }, url: of }) =>
    range === undefined ? { url: of } : { url: of, range },
  );
  if (refs.length > IN_SLICE) yield;
  const urls = packRefs(refs);
  if (refs.length > IN_SLICE) yield;
  const nominalBorders = new Float64Array(placed.length + 1);
  for (const [i, { segment }] of placed.entries()) nominalBorders[i + 1] = numberAt(nominalBorders, i) + segment.micros;
  const { map } = first.segment;
  const url = map && resolve(map.uri, base);
  if (map && url === undefined) return notHttpAt(map);
  const init = url === undefined ? undefined : { url, ...(map?.range && { range: map.range }) };
  const track = { init, urls, count: placed.length, nominalBorders, nominalTimescale: NOMINAL_TIMESCALE, exact: false };
  const { lists: hls, isCounted } = first.keys;
  if (hls.length === 0) return track;
  const hlsOfInit = map && keysOfInit(first, base);
  return {
    ...track,
    protection: { hls, ...(isCounted && { firstIv: first.sequence }), ...(hlsOfInit && { hlsOfInit }) },
  };
}
