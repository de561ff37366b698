// A media playlist as nominal tracks, one for each part: a part ends at a discontinuity, and where the initialisation
// section or the key changes, because a track has one of each.
import { hexSequence, writeAttributes } from '../../hls/attributes.ts';
import type { MediaPlaylist, Segment, SegmentKeys } from '../../hls/mediaPlaylist.ts';
import type { MediaRef, Protection } from '../../timeline/asset.ts';
import { packRefs } from '../../timeline/segmentUrl.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';

/** EXTINF is read to the millionth. */
const NOMINAL_TIMESCALE = 1_000_000;
const MOST_PARTS = 1000;

/** A segment with its URIs resolved and what a change of begins a new part. */
type Placed = { readonly segment: Segment; readonly url: string; readonly sequence: number; readonly keys: Keys };
type Keys = { readonly lists: readonly string[]; readonly isCounted: boolean; readonly text: string };

/** @param url the playlist's own, after redirects */
export function splitParts(playlist: MediaPlaylist, url: string): NominalTrack[] | Refusal {
  if (playlist.iFramesOnly)
    return { code: 'I_FRAMES_ONLY', refused: 'it is a playlist of I-frames; one of whole segments is wanted' };
  if (!playlist.ended) {
    return {
      code: 'NOT_FINISHED',
      refused: 'it has no EXT-X-ENDLIST, so it is still growing; only finished (VoD) playlists can be imported',
    };
  }
  const gap = playlist.segments.find((segment) => segment.gap);
  if (gap) return { code: 'GAP', line: gap.line, refused: `line ${gap.line}: its media are missing there (EXT-X-GAP)` };
  const placed = place(playlist, url);
  if ('refused' in placed) return placed;
  if (placed.length === 0)
    return { code: 'NO_SEGMENT', refused: 'a playlist with segments is wanted, it lists none that last' };

  const tracks: NominalTrack[] = [];
  let first = 0;
  for (let i = 1; i <= placed.length; i += 1) {
    if (i < placed.length && !startsPart(placed[i - 1]!, placed[i]!)) continue;
    const track = trackOf(placed.slice(first, i), url);
    if ('refused' in track) return track;
    tracks.push(track);
    if (tracks.length > MOST_PARTS)
      return { refused: `at most ${MOST_PARTS} parts between discontinuities are taken, it has more` };
    first = i;
  }
  return tracks;
}

/** Resolves URIs; segments that last nothing are dropped, a discontinuity before one holds for the next. */
function place({ segments, mediaSequence }: MediaPlaylist, base: string): Placed[] | Refusal {
  const placed: Placed[] = [];
  const keysOf = keyReader(segments, base);
  let discontinuity = false;
  for (const [index, segment] of segments.entries()) {
    discontinuity ||= segment.discontinuity;
    if (segment.micros === 0) continue;
    const url = resolve(segment.uri, base);
    if (url === undefined) return notHttp(segment);
    const sequence = mediaSequence + index;
    const keys = keysOf(segment.keys, sequence);
    placed.push({
      segment: segment.discontinuity === discontinuity ? segment : { ...segment, discontinuity },
      url,
      sequence,
      keys,
    });
    discontinuity = false;
  }
  return placed;
}

const notHttp = ({ line, uri }: { readonly line: number; readonly uri: string }): Refusal => ({
  code: 'NOT_HTTP',
  line,
  refused: `line ${line}: an http(s) URL is wanted, got ${uri.slice(0, 60)}`,
});

export function resolve(uri: string, base: string): string | undefined {
  if (!URL.canParse(uri, base)) return undefined;
  const { href, protocol } = new URL(uri, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

type KeyReading = { readonly lists: string[]; readonly plain: string[]; readonly iv: bigint | undefined };

/** Absolute, and without an IV where it is the media sequence number, as it is when none stands there (RFC 8216 §5.2). */
function keyReader(segments: readonly Segment[], base: string): (keys: SegmentKeys, sequence: number) => Keys {
  const readings = new Map<SegmentKeys, KeyReading>();
  const uses = new Map<SegmentKeys, number>();
  for (const { keys } of segments) uses.set(keys, (uses.get(keys) ?? 0) + 1);

  return (keys, sequence) => {
    const reading = readings.get(keys) ?? readKeys(keys, base);
    readings.set(keys, reading);
    const { lists, plain, iv } = reading;
    const isWhole = keys.some((key) => key.get('METHOD')?.value === 'AES-128');
    // A tag for each segment that tells its sequence number tells nothing; a tag for several holds for all of them.
    const isSequence = iv === BigInt(sequence) && uses.get(keys) === 1;
    const isCounted = isWhole && (iv === undefined || isSequence);
    const told = isCounted ? plain : lists;
    return { lists: told, isCounted, text: told.join('\n') };
  };
}

function readKeys(keys: SegmentKeys, base: string): KeyReading {
  const absolute = keys.map((key) => {
    const uri = key.get('URI')!;
    const value = URL.canParse(uri.value, base) ? new URL(uri.value, base).href : uri.value;
    return new Map(key).set('URI', { ...uri, value });
  });
  const iv = absolute.map((key) => hexSequence(key.get('IV')?.value)).find((value) => value !== undefined);
  const plain = absolute.map((key) => writeAttributes(new Map([...key].filter(([name]) => name !== 'IV'))));
  return { lists: absolute.map(writeAttributes), plain, iv };
}

function startsPart(before: Placed, after: Placed): boolean {
  if (after.segment.discontinuity) return true;
  if (after.keys.text !== before.keys.text || after.keys.isCounted !== before.keys.isCounted) return true;
  if (after.keys.isCounted && after.sequence !== before.sequence + 1) return true;
  const [a, b] = [before.segment.map, after.segment.map];
  return a !== b && (a?.uri !== b?.uri || a?.range?.start !== b?.range?.start || a?.range?.length !== b?.range?.length);
}

function trackOf(placed: readonly Placed[], base: string): NominalTrack | Refusal {
  const first = placed[0]!;
  const urls = packRefs(placed.map(({ segment: { range }, url }) => (range === undefined ? { url } : { url, range })));
  const nominalBorders = new Float64Array(placed.length + 1);
  for (const [i, { segment }] of placed.entries()) nominalBorders[i + 1] = nominalBorders[i]! + segment.micros;
  const { map } = first.segment;
  const initUrl = map && resolve(map.uri, base);
  if (map && initUrl === undefined) return notHttp(map);
  const init: MediaRef | undefined = map && { url: initUrl!, ...(map.range && { range: map.range }) };
  const protection: Protection = {
    hls: first.keys.lists,
    ...(first.keys.isCounted ? { firstIv: first.sequence } : {}),
  };
  return {
    ...(init && { init }),
    urls,
    count: placed.length,
    nominalBorders,
    nominalTimescale: NOMINAL_TIMESCALE,
    exact: false,
    ...(first.keys.lists.length > 0 ? { protection } : {}),
  };
}
