// SPDX-License-Identifier: Apache-2.0
// Turns an HLS playlist into a presentation to be measured. Reads its media playlists and the first segment of each
// rendition, because CODECS is optional and often wrong.
import type { MediaPlaylist } from '../../hls/mediaPlaylist.ts';
import type { Variables } from '../../hls/readLines.ts';
import { readingMedia } from '../../hls/readMedia.ts';
import { isMultivariant, readingMultivariant } from '../../hls/readMultivariant.ts';
import type { NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import { inTurns } from '../source/inTurns.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';
import type { MarkedPresentation, MarkerSource } from './assetMarkers.ts';
import { splitParts } from './hlsParts.ts';
import {
  chooseRenditions,
  leftOut,
  located,
  type OpenedSource,
  openSource,
  refuseUnusable,
  renditionOf,
  type UnusableSource,
} from './hlsRenditions.ts';
import { chooseSources, type HlsSource, leftOutTags, playlistName } from './hlsSources.ts';

type Split = { readonly playlist: MediaPlaylist; readonly tracks: NonEmpty<NominalTrack> };
type Loaded = Split & OpenedSource;

/**
 * @param url of the text, after redirects
 * @returns renditions in the order of the playlist, with the ids `v0`, `v1` … (video), `a0` … (audio) and `t0` … (text).
 * The BANDWIDTH of a variant is kept, although it includes the separate audio group (RFC 8216 §4.3.4.2)
 */
export async function readHlsPresentation(
  text: string,
  url: string,
  reader: MediaReader,
  open: TrackOpener,
): Promise<MarkedPresentation | Refusal> {
  if (!isMultivariant(text)) {
    const source: HlsSource = { role: 'variant', url, where: playlistName(url), rank: 0 };
    const loaded = await openParts(source, await inTurns(text.length, splitText(text, url)), open);
    return 'refusal' in loaded ? located(loaded) : present(url, [loaded], []);
  }
  const multivariant = await inTurns(text.length, readingMultivariant(text, url));
  const name = playlistName(url);
  if ('refused' in multivariant) return { ...multivariant, refused: `${name}: ${multivariant.refused}` };
  const chosen = chooseSources(multivariant, url);
  if ('refused' in chosen) return chosen;
  const { sources, warnings } = chosen;
  const all = await Promise.all(sources.map((source) => load(source, multivariant.variables, reader, open)));
  const loaded = all.filter((each) => 'tracks' in each);
  const unusable = all.filter((each) => 'refusal' in each);
  const allWarnings = [...multivariant.warnings, ...warnings, ...leftOutTags(text)];
  const refusal = refuseUnusable(name, loaded, unusable, allWarnings);
  return refusal ?? present(url, loaded, [...allWarnings, ...unusable.map(leftOut)]);
}

function* splitText(text: string, url: string, imports: Variables = new Map()): Sliced<Split | Refusal> {
  const playlist = yield* readingMedia(text, { url, imports });
  if ('refused' in playlist) return playlist;
  const tracks = yield* splitParts(playlist, url);
  return 'refused' in tracks ? tracks : { playlist, tracks };
}

async function load(
  source: HlsSource,
  variables: Variables,
  reader: MediaReader,
  open: TrackOpener,
): Promise<Loaded | UnusableSource> {
  const read = await reader.text(source.url);
  if ('refused' in read) return { source, refusal: read };
  return openParts(source, await inTurns(read.text.length, splitText(read.text, read.url, variables)), open);
}

async function openParts(source: HlsSource, split: Split | Refusal, open: TrackOpener) {
  if ('refused' in split) return { source, refusal: split };
  const opened = await openSource(source, split.tracks[0], open);
  return 'refusal' in opened ? opened : { ...opened, ...split };
}

/** Assigns ids to the renditions. */
function present(url: string, loaded: readonly Loaded[], previous: readonly string[]): MarkedPresentation {
  const { videos, audios, texts, warnings } = chooseRenditions(loaded);
  const playlists = new Map<string, MediaPlaylist>();
  const named = (list: readonly Loaded[], letter: string) =>
    list.map((each, i) => {
      playlists.set(`${letter}${i}`, each.playlist);
      return renditionOf(each, `${letter}${i}`, each.tracks);
    });
  const renditions = [...named(videos, 'v'), ...named(audios, 'a'), ...named(texts, 't')];
  const markers: MarkerSource = { kind: 'playlists', playlists };
  return { url, renditions, warnings: [...previous, ...warnings], markers };
}
