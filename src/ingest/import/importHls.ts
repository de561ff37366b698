// SPDX-License-Identifier: Apache-2.0
// Turns an HLS playlist into a presentation to be measured. Reads its media playlists and the first segment of each
// rendition, because CODECS is optional and often wrong.
import type { MediaPlaylist } from '../../hls/mediaPlaylist.ts';
import { readMedia } from '../../hls/readMedia.ts';
import { isMultivariant, readMultivariant } from '../../hls/readMultivariant.ts';
import type { Variables } from '../../hls/readVariables.ts';
import { snapFrameRate } from '../../time/frameRate.ts';
import { hasAudio, hasVideo } from '../../timeline/asset/renditionKind.ts';
import { codecsOf } from '../measure/codecKind.ts';
import type { MediaFacts } from '../measure/openedTrack.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';
import type { MarkedPresentation, MarkerSource } from './assetMarkers.ts';
import { splitParts } from './hlsParts.ts';
import { chooseSources, type HlsSource, playlistName } from './hlsSources.ts';

const MAX_RENDITIONS = 300;

type Split = { readonly playlist: MediaPlaylist; readonly tracks: readonly NominalTrack[] };
type Loaded = Split & { readonly source: HlsSource; readonly facts: MediaFacts };
type Unusable = { readonly source: HlsSource; readonly refusal: Refusal };

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
    const loaded = await openParts(source, splitText(text, url), open);
    return 'refusal' in loaded ? located(loaded) : present(url, [loaded], []);
  }
  const multivariant = readMultivariant(text, url);
  const name = playlistName(url);
  if ('refused' in multivariant) return { ...multivariant, refused: `${name}: ${multivariant.refused}` };
  const { sources, warnings } = chooseSources(multivariant, url);
  if (sources.length > MAX_RENDITIONS) {
    return { refused: `${name} must list at most ${MAX_RENDITIONS} renditions; got ${sources.length}` };
  }
  const all = await Promise.all(sources.map((source) => load(source, multivariant.variables, reader, open)));
  const loaded = all.filter((each) => 'tracks' in each);
  const unusable = all.filter((each) => 'refusal' in each);
  const allWarnings = [...multivariant.warnings, ...warnings];
  const essential = findEssential(loaded, unusable);
  if (essential !== undefined) return located(essential);
  if (loaded.every(({ facts }) => facts.kind === 'text')) {
    const refused = [`${name} must have a variant that Midroll can play; it has none`, ...allWarnings.slice(0, 5)];
    return { code: 'NOTHING_PLAYABLE', refused: refused.join('; ') };
  }
  for (const { source, refusal } of unusable) allWarnings.push(`${source.where} is left out: ${refusal.refused}`);
  return present(url, loaded, allWarnings);
}

const located = ({ source, refusal }: Unusable): Refusal => ({
  ...refusal,
  refused: `${source.where}: ${refusal.refused}`,
});

function splitText(text: string, url: string, imports: Variables = new Map()): Split | Refusal {
  const playlist = readMedia(text, { url, imports });
  if ('refused' in playlist) return playlist;
  const tracks = splitParts(playlist, url);
  return 'refused' in tracks ? tracks : { playlist, tracks };
}

async function load(
  source: HlsSource,
  variables: Variables,
  reader: MediaReader,
  open: TrackOpener,
): Promise<Loaded | Unusable> {
  const read = await reader.text(source.url);
  if ('refused' in read) return { source, refusal: read };
  return openParts(source, splitText(read.text, read.url, variables), open);
}

async function openParts(source: HlsSource, split: Split | Refusal, open: TrackOpener): Promise<Loaded | Unusable> {
  if ('refused' in split) return { source, refusal: split };
  const [first] = split.tracks;
  if (source.role === 'text' && first!.init === undefined) {
    return { source, ...split, facts: { kind: 'text', container: 'vtt' } };
  }
  const opened = await open(first!);
  if ('refused' in opened) return { source, refusal: opened };
  const { facts } = opened;
  if (source.role !== 'variant' && facts.kind !== source.role) {
    const refused = `its media must be ${source.role} only; got ${facts.kind}`;
    return { source, refusal: { code: 'OTHER_KIND', refused } };
  }
  return { source, ...split, facts };
}

const isVideo = ({ facts }: Loaded): boolean => hasVideo(facts.kind);

/** The first unusable rendition that the asset needs, because no other of its kind was loaded. Text is never needed. */
function findEssential(loaded: readonly Loaded[], unusable: readonly Unusable[]): Unusable | undefined {
  const ofRole = (role: HlsSource['role']) => unusable.filter(({ source }) => source.role === role);
  const mayBeVideo = ({ source }: Unusable): boolean =>
    source.codecs === undefined || source.width !== undefined || codecsOf('video', source.codecs) !== undefined;
  if (!loaded.some(({ source }) => source.role === 'variant')) return ofRole('variant')[0];
  if (!loaded.some(isVideo)) return ofRole('variant').find(mayBeVideo);
  return loaded.some(({ facts }) => hasAudio(facts.kind)) ? undefined : ofRole('audio')[0];
}

/** Chooses among the loaded renditions and assigns ids. */
function present(url: string, loaded: readonly Loaded[], previous: readonly string[]): MarkedPresentation {
  const warnings = [...previous];
  const videos = loaded.filter(isVideo);
  const otherAudio =
    videos.some(({ facts }) => facts.kind === 'muxed') || loaded.some(({ source }) => source.role === 'audio');
  // An audio-only variant is for connections too slow for video. The ladder of a channel has no rung for it.
  const isAudioOnly = ({ source, facts }: Loaded): boolean =>
    videos.length > 0 && otherAudio && source.role === 'variant' && facts.kind === 'audio';
  for (const { source } of loaded.filter(isAudioOnly))
    warnings.push(`${source.where} is left out: it is an audio-only variant, and others have video`);
  // The audio of a channel is either muxed with its video or separate. Separate audio of muxed video would never play.
  const isMuxed = videos.length > 0 && videos.every(({ facts }) => facts.kind === 'muxed');
  const audios = loaded.filter((each) => each.facts.kind === 'audio' && !isAudioOnly(each));
  if (isMuxed) {
    for (const { source } of audios)
      warnings.push(`${source.where} is left out: every variant has its audio muxed with its video`);
  }
  const voices = isMuxed ? [] : bestOfEachVoice(audios);
  const texts = loaded.filter(({ facts }) => facts.kind === 'text');
  const playlists = new Map<string, MediaPlaylist>();
  const named = (list: readonly Loaded[], letter: string) =>
    list.map((each, i) => {
      playlists.set(`${letter}${i}`, each.playlist);
      return renditionOf(each, `${letter}${i}`);
    });
  const renditions = [...named(videos, 'v'), ...named(voices, 'a'), ...named(texts, 't')];
  const markers: MarkerSource = { kind: 'playlists', playlists };
  return { url, partCount: renditions[0]!.tracks.length, renditions, warnings, markers };
}

/** Groups that differ only in bit rate contain the same audio. Keeps the one that the best variant uses. */
function bestOfEachVoice(audios: readonly Loaded[]): Loaded[] {
  const best = new Map<string, Loaded>();
  for (const audio of audios) {
    const { source, facts } = audio;
    const channels = source.channels ?? facts.channels ?? 2;
    const codec = facts.audioCodec?.split('.')[0];
    const voice = [
      source.language,
      source.name,
      source.characteristics,
      channels,
      codec,
      source.role === 'variant' && source.url,
    ];
    const key = JSON.stringify(voice);
    const known = best.get(key);
    if (known === undefined || source.rank > known.source.rank) best.set(key, audio);
  }
  return [...best.values()];
}

function renditionOf({ source, tracks, facts }: Loaded, id: string): NominalRendition {
  const { role: _role, url: _url, rank: _rank, codecs = [], frameRate, language, ...declared } = source;
  const declaredCodecs = codecsOf(facts.kind, codecs);
  const rate = frameRate === undefined || facts.kind === 'audio' ? undefined : snapFrameRate(frameRate);
  return {
    ...declared,
    id,
    kind: facts.kind,
    container: facts.container,
    ...(declaredCodecs && { codecs: declaredCodecs }),
    ...(rate && { frameRate: rate }),
    ...(language && { language }),
    tracks,
  };
}
