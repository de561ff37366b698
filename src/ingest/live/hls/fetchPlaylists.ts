// SPDX-License-Identifier: Apache-2.0
// Reads the playlists of a live HLS origin: the multivariant playlist, and all media playlists that a ladder could use.
import type { MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import type { Variables } from '../../../hls/readLines.ts';
import { readingLiveMedia } from '../../../hls/readMedia.ts';
import { isMultivariant, type Multivariant, readingMultivariant } from '../../../hls/readMultivariant.ts';
import { defined, type NonEmpty } from '../../../invariant.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { placeSegments, resolve } from '../../import/hlsParts.ts';
import {
  chooseSources,
  type HlsSource,
  leftOut,
  leftOutTags,
  playlistName,
  type UnusableSource,
} from '../../import/hlsRenditions.ts';
import { codecsOf } from '../../measure/measureRendition.ts';
import { inTurns } from '../../source/inTurns.ts';
import type { MediaReader } from '../../source/mediaReader.ts';
import type { Refusal } from '../../source/presentation.ts';
import { BARE_MEDIA, redundantKeys, renditionUrls } from './renditionKeys.ts';
import { hasParts, type ListedPlaylist, rungSegments, shortened } from './rungPlaylist.ts';
import type { SampleList } from './sampleWindow.ts';
import { createSegmentLengths } from './segmentLengths.ts';

export type FetchedPlaylist = ListedPlaylist &
  SampleList & {
    readonly source: HlsSource;
    readonly key: string;
    /** The keys of the renditions with the same content, its own included, in order of preference. */
    readonly redundant: readonly string[];
    /** After redirects. */
    readonly url: string;
    /** One sentence for each tag that is not used. */
    readonly leftOut: readonly string[];
  };

/** @property listed the playlist, if it can be read: its media are of no use, its markers may be */
type UnusablePlaylist = UnusableSource & { readonly listed?: FetchedPlaylist };

export type FetchedPlaylists = {
  /** The URL of the manifest, after redirects. */
  readonly url: string;
  readonly name: string;
  /** Video first. */
  readonly playlists: readonly FetchedPlaylist[];
  readonly unusable: readonly UnusablePlaylist[];
  readonly warnings: readonly string[];
};

/** A live playlist must contain three target durations (RFC 8216 §6.2.2). */
const MIN_SEGMENTS = 3;

/** Alternative video. */
function unusedVideo({ alternates }: Multivariant, base: string, sources: readonly HlsSource[]): string[] {
  const used = new Set(sources.map(({ url }) => url));
  return alternates.flatMap(({ uri, type, name, line }) => {
    const url = uri === undefined || type !== 'VIDEO' ? undefined : resolve(uri, base);
    if (url === undefined || used.has(url)) return [];
    return [`line ${line}: VIDEO rendition "${name}" is left out: alternative video is not used`];
  });
}

export async function fetchPlaylists(
  read: { readonly text: string; readonly url: string } | Refusal,
  reader: MediaReader,
): Promise<FetchedPlaylists | (Refusal & Pick<UnusablePlaylist, 'listed'>)> {
  if ('refused' in read) return read;
  const name = playlistName(read.url);
  if (!isMultivariant(read.text)) {
    const source: HlsSource = { role: 'variant', url: read.url, where: name, rank: 0 };
    const listed = await inTurns(read.text.length, list(source, [BARE_MEDIA], read));
    if ('refusal' in listed) {
      const refused = `${name}: ${listed.refusal.refused}`;
      return { ...listed.refusal, refused, ...(listed.listed && { listed: listed.listed }) };
    }
    const warnings = [...listed.leftOut, ...listed.warnings];
    return { url: read.url, name, playlists: [listed], unusable: [], warnings };
  }
  const multivariant = await inTurns(read.text.length, readingMultivariant(read.text, read.url, true));
  if ('refused' in multivariant) return { ...multivariant, refused: `${name}: ${multivariant.refused}` };
  const chosen = chooseSources(multivariant, read.url);
  if ('refused' in chosen) return chosen;
  const keys = new Map([...renditionUrls(multivariant, read.url)].reverse().map(([key, each]) => [each, key]));
  const redundant = redundantKeys(multivariant);
  const all = await Promise.all(
    chosen.sources.map(async (source) => {
      const media = await reader.text(source.url);
      if ('refused' in media) return { source, refusal: media };
      const key = defined(keys.get(source.url), 'each source is a rendition of the multivariant playlist');
      return inTurns(media.text.length, list(source, redundant(key), media, multivariant.variables));
    }),
  );
  const playlists = all.filter((each) => 'playlist' in each);
  playlists.sort((a, b) => orderOf(a.source) - orderOf(b.source));
  const unusable = all.filter((each) => 'refusal' in each);
  const warnings = [
    ...[...multivariant.warnings, ...chosen.warnings, ...unusedVideo(multivariant, read.url, chosen.sources)],
    ...[...leftOutTags(read.text), ...(playlists[0]?.leftOut ?? []), ...unusable.map(leftOut)],
    ...playlists.flatMap((each) => each.warnings.map((text) => `${playlistName(each.url)}: ${text}`)),
  ];
  return { url: read.url, name, playlists, unusable, warnings };
}

/** Video first, then other variants, audio and text. */
function orderOf({ role, codecs, width }: HlsSource): number {
  if (role !== 'variant') return role === 'audio' ? 2 : 3;
  return codecs === undefined || width !== undefined || codecsOf('video', codecs) !== undefined ? 0 : 1;
}

function* list(
  source: HlsSource,
  /** The keys of the renditions with the same content, the source itself first. */
  redundant: NonEmpty<string>,
  fetched: { readonly text: string; readonly url: string },
  imports: Variables = new Map(),
): Sliced<FetchedPlaylist | UnusablePlaylist> {
  const { text, url } = fetched;
  const read = yield* readingLiveMedia(text, { url, imports });
  if ('refused' in read) return { source, refusal: read };
  const { playlist, warnings: ofLengths } = yield* createSegmentLengths()(read, 0);
  const converted = yield* rungSegments(playlist, url, 0, []);
  if ('refused' in converted) return { source, refusal: converted };
  const { segments } = converted;
  yield;
  const placed = yield* placeSegments(playlist, url, (_, index) => segments[index]?.media.url);
  if ('refused' in placed) return { source, refusal: placed };
  yield;
  const timed = segments.filter(({ duration }) => duration > 0);
  const refusal = refusePlaylist(playlist, timed.length, source);
  yield;
  const warnings = shortened([...read.warnings, ...converted.warnings, ...ofLengths]);
  const about = { leftOut: leftOutTags(text), hasParts: hasParts(text), warnings };
  const own = { source, key: redundant[0], redundant, url, ...about };
  const listed: FetchedPlaylist = { ...own, playlist, segments, timed, placed, first: 0 };
  return refusal === undefined ? listed : { source, refusal, listed };
}

function refusePlaylist(playlist: MediaPlaylist, count: number, { role }: HlsSource): Refusal | undefined {
  if (playlist.iFramesOnly)
    return { code: 'I_FRAMES_ONLY', refused: 'it is an I-frame playlist (EXT-X-I-FRAMES-ONLY); use one with segments' };
  const least = role === 'text' || playlist.ended ? 1 : MIN_SEGMENTS;
  if (count >= least) return undefined;
  const refused = `it must list at least ${least} segments; it lists ${count || 'none'}. Wait until the encoder has written more, or let it keep more segments in its playlists`;
  return { code: 'NO_SEGMENT', refused };
}
