// SPDX-License-Identifier: Apache-2.0
// Chooses the renditions of an HLS source by what their media contain: CODECS is optional and often wrong. Imports and the
// analysis of live origins share these rules.

import { snapFrameRate } from '../../time/frameRate.ts';
import { hasAudio, hasVideo } from '../../timeline/asset/asset.ts';
import { codecsOf } from '../measure/measureRendition.ts';
import type { MediaFacts } from '../measure/openedTrack.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';
import type { HlsSource } from './hlsSources.ts';

export type OpenedSource = { readonly source: HlsSource; readonly facts: MediaFacts };
export type UnusableSource = { readonly source: HlsSource; readonly refusal: Refusal };
type Opening = OpenedSource | UnusableSource;

export const located = ({ source, refusal }: UnusableSource): Refusal => ({
  ...refusal,
  refused: `${source.where}: ${refusal.refused}`,
});

export const leftOut = ({ source, refusal }: UnusableSource): string =>
  `${source.where} is left out: ${refusal.refused}`;

export async function openSource(source: HlsSource, first: NominalTrack, open: TrackOpener): Promise<Opening> {
  if (source.role === 'text' && first.init === undefined) return { source, facts: { kind: 'text', container: 'vtt' } };
  const opened = await open(first);
  if ('refused' in opened) return { source, refusal: opened };
  const { facts } = opened;
  if (source.role !== 'variant' && facts.kind !== source.role) {
    const refused = `its media must be ${source.role} only; got ${facts.kind}`;
    return { source, refusal: { code: 'OTHER_KIND', refused } };
  }
  return { source, facts };
}

const isVideo = ({ facts }: OpenedSource): boolean => hasVideo(facts.kind);

/** @param warnings that may explain why nothing can be played; @returns undefined if what is left can be played */
export function refuseUnusable(
  name: string,
  opened: readonly OpenedSource[],
  unusable: readonly UnusableSource[],
  warnings: readonly string[],
): Refusal | undefined {
  const essential = findEssential(opened, unusable);
  if (essential !== undefined) return located(essential);
  if (!opened.every(({ facts }) => facts.kind === 'text')) return undefined;
  const refused = [`${name} must have a variant that Midroll can play; it has none`, ...warnings.slice(0, 5)];
  return { code: 'NOTHING_PLAYABLE', refused: refused.join('; ') };
}

/** The first unusable source without which there is no other of its kind. Text is never needed. */
function findEssential(opened: readonly OpenedSource[], unusable: readonly UnusableSource[]) {
  const ofRole = (role: HlsSource['role']) => unusable.filter(({ source }) => source.role === role);
  const mayBeVideo = ({ source }: UnusableSource): boolean =>
    source.codecs === undefined || source.width !== undefined || codecsOf('video', source.codecs) !== undefined;
  if (!opened.some(({ source }) => source.role === 'variant')) return ofRole('variant')[0];
  if (!opened.some(isVideo)) return ofRole('variant').find(mayBeVideo);
  return opened.some(({ facts }) => hasAudio(facts.kind)) ? undefined : ofRole('audio')[0];
}

type ChosenRenditions<T> = {
  readonly videos: readonly T[];
  readonly audios: readonly T[];
  readonly texts: readonly T[];
  readonly warnings: readonly string[];
};

export function chooseRenditions<T extends OpenedSource>(opened: readonly T[]): ChosenRenditions<T> {
  const warnings: string[] = [];
  const videos = opened.filter(isVideo);
  const otherAudio =
    videos.some(({ facts }) => facts.kind === 'muxed') || opened.some(({ source }) => source.role === 'audio');
  // An audio-only variant is for connections too slow for video. The ladder of a channel has no rung for it.
  const isAudioOnly = ({ source, facts }: T): boolean =>
    videos.length > 0 && otherAudio && source.role === 'variant' && facts.kind === 'audio';
  for (const { source } of opened.filter(isAudioOnly))
    warnings.push(`${source.where} is left out: it is an audio-only variant, and others have video`);
  // The audio of a channel is either muxed with its video or separate. Separate audio of muxed video would never play.
  const isMuxed = videos.length > 0 && videos.every(({ facts }) => facts.kind === 'muxed');
  const audios = opened.filter((each) => each.facts.kind === 'audio' && !isAudioOnly(each));
  if (isMuxed) {
    for (const { source } of audios)
      warnings.push(
        `${source.where} (${source.name ?? source.language}) is left out: every variant has its audio muxed with its video; to offer several languages, package each apart from the video and give it a URI in EXT-X-MEDIA`,
      );
  }
  const texts = opened.filter(({ facts }) => facts.kind === 'text');
  return { videos, audios: isMuxed ? [] : bestOfEachVoice(audios), texts, warnings };
}

/** Groups that differ only in bit rate contain the same audio. Keeps the one that the best variant uses. */
function bestOfEachVoice<T extends OpenedSource>(audios: readonly T[]): T[] {
  const best = new Map<string, T>();
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

/** The BANDWIDTH of a variant is kept, although it includes the separate audio group (RFC 8216 §4.3.4.2). */
export function renditionOf(
  { source, facts }: OpenedSource,
  id: string,
  tracks: readonly NominalTrack[],
): NominalRendition {
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
