// SPDX-License-Identifier: Apache-2.0
// Chooses the media playlists of a multivariant playlist, each once: variants share renditions, and groups may contain the same
// rendition. Then chooses the renditions by what their media contain: CODECS is optional and often wrong. Imports and the analysis of
// live origins share these rules.
import type { Alternate, Multivariant, Variant } from '../../hls/readMultivariant.ts';
import { snapFrameRate } from '../../time/frameRate.ts';
import { type Caption, hasAudio, hasVideo, isCaptionChannel } from '../../timeline/asset/asset.ts';
import { codecsOf } from '../measure/measureRendition.ts';
import type { MediaFacts } from '../measure/openedTrack.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import { type NominalRendition, type NominalTrack, notHttp, type Refusal } from '../source/presentation.ts';
import { resolve } from './hlsParts.ts';

/** A media playlist and its attributes in the multivariant playlist. */
export type HlsSource = {
  readonly role: 'variant' | 'audio' | 'text';
  readonly url: string;
  /** For messages. */
  readonly where: string;
  readonly captions?: readonly Caption[];
  /** The bandwidth of the best variant that uses it. Decides which of several groups is preferred. */
  readonly rank: number;
} & Omit<Variant, 'line' | 'uri' | 'audioGroup' | 'subtitleGroup' | 'captionGroup'> &
  Partial<Pick<Alternate, 'language' | 'name' | 'isDefault' | 'isForced' | 'characteristics' | 'channels'>>;

type Described = Omit<HlsSource, 'url' | 'where'>;

type ChosenSources = { readonly sources: readonly HlsSource[]; readonly warnings: readonly string[] } | Refusal;

const MAX_RENDITIONS = 300;

/** The name of a playlist in messages: the last segment of its path. */
export const playlistName = (url: string): string => new URL(url).pathname.split('/').at(-1) || url;

/** @param url of the playlist, after redirects */
export function chooseSources({ variants, alternates }: Multivariant, url: string): ChosenSources {
  const name = playlistName(url);
  const warnings: string[] = [];
  const sources = new Map<string, HlsSource>();
  const add = (uri: string, line: number, describe: (known: HlsSource | undefined) => Described) => {
    const where = `line ${line} of ${name}`;
    const absolute = resolve(uri, url);
    if (absolute === undefined) warnings.push(`${where} is left out: ${notHttp(uri).refused}`);
    else {
      const known = sources.get(absolute);
      sources.set(absolute, { ...describe(known), url: absolute, where: known?.where ?? where });
    }
  };

  const audioRanks = bestOf(variants, ({ audioGroup }) => audioGroup);
  const textRanks = bestOf(variants, ({ subtitleGroup }) => subtitleGroup);
  // Alternates first: an audio-only variant is often one of them.
  for (const alternate of alternates) {
    const { type, group, uri } = alternate;
    if (uri === undefined || (type !== 'AUDIO' && type !== 'SUBTITLES')) continue;
    const rank = (type === 'AUDIO' ? audioRanks : textRanks).get(group);
    if (rank === undefined) {
      const where = `line ${alternate.line} of ${name}`;
      warnings.push(`${where} is left out: no variant uses its group; set ${type}="${group}" in EXT-X-STREAM-INF`);
      continue;
    }
    const role = type === 'AUDIO' ? 'audio' : 'text';
    add(uri, alternate.line, (known) => (known && known.rank >= rank ? known : ofAlternate(alternate, role, rank)));
  }
  for (const variant of variants) {
    add(variant.uri, variant.line, (known) => {
      if (known !== undefined && known.role !== 'variant') return known;
      // BANDWIDTH includes the audio group of the variant. The lowest value is nearest to that of the video alone.
      const isLower = known === undefined || (variant.bandwidth ?? Infinity) < (known.bandwidth ?? Infinity);
      return isLower ? ofVariant(variant, muxedAudio(variant, alternates), captionsIn(variant, alternates)) : known;
    });
  }
  if (sources.size > MAX_RENDITIONS)
    return { refused: `${name} must list at most ${MAX_RENDITIONS} renditions; got ${sources.size}` };
  return { sources: [...sources.values()], warnings };
}

/** For each group, the bandwidth of the best variant that uses it. */
function bestOf(variants: readonly Variant[], group: (variant: Variant) => string | undefined) {
  const best = new Map<string, number>();
  for (const variant of variants) {
    const name = group(variant);
    if (name !== undefined) best.set(name, Math.max(best.get(name) ?? 0, variant.bandwidth ?? 0));
  }
  return best;
}

/** The alternate whose media are in the variant itself. It states the language of muxed audio (RFC 8216 §4.3.4.2.1). */
const muxedAudio = (variant: Variant, alternates: readonly Alternate[]): Alternate | undefined =>
  alternates.find(({ type, group, uri }) => type === 'AUDIO' && uri === undefined && group === variant.audioGroup);

/** The closed captions that the variant declares. @returns undefined if it declares nothing about captions */
function captionsIn({ captionGroup }: Variant, alternates: readonly Alternate[]): Caption[] | undefined {
  if (captionGroup === undefined || captionGroup === 'NONE') return captionGroup && [];
  const found = alternates.filter(({ type, group }) => type === 'CLOSED-CAPTIONS' && group === captionGroup);
  const captions = found.flatMap(({ channel = '', language, name, characteristics }): Caption[] =>
    isCaptionChannel(channel)
      ? [{ channel, name, ...(language && { language }), ...(characteristics && { characteristics }) }]
      : [],
  );
  return captions.length > 0 ? captions : undefined;
}

function ofAlternate(alternate: Alternate, role: 'audio' | 'text', rank: number): Described {
  const { language, name, isDefault, isForced, characteristics, channels } = alternate;
  return {
    role,
    rank,
    ...(language && { language }),
    name,
    isDefault,
    ...(isForced && { isForced }),
    ...(characteristics && { characteristics }),
    ...(channels && { channels }),
  };
}

function ofVariant(variant: Variant, alternate: Alternate | undefined, captions: Caption[] | undefined): Described {
  const { line: _line, uri: _uri, audioGroup: _audio, subtitleGroup: _subtitles, captionGroup: _, ...rest } = variant;
  const { language, name } = alternate ?? {};
  return {
    role: 'variant',
    rank: 0,
    ...rest,
    ...(captions && { captions }),
    ...(language && { language }),
    ...(name && { name }),
  };
}

/** What viewers will not find, by the tag that announces it. */
const LEFT_OUT: readonly (readonly [tag: string, text: string])[] = [
  ['EXT-X-I-FRAME-STREAM-INF', 'I-frame playlists are left out (EXT-X-I-FRAME-STREAM-INF)'],
  ['EXT-X-IMAGE-STREAM-INF', 'images are left out (EXT-X-IMAGE-STREAM-INF)'],
  ['EXT-X-CONTENT-STEERING', 'content steering is left out (EXT-X-CONTENT-STEERING)'],
  ['EXT-X-PART', 'low-latency parts are left out (EXT-X-PART); viewers get whole segments'],
];

/** A warning for each of them in a playlist, with the line of the first one. */
export function leftOutTags(text: string): string[] {
  return LEFT_OUT.flatMap(([tag, warning]) => {
    for (let at = text.indexOf(`#${tag}:`); at >= 0; at = text.indexOf(`#${tag}:`, at + 1))
      if (startsLine(text, at)) return [`line ${lineOf(text, at)}: ${warning}`];
    return [];
  });
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[^\S\r\n]/.test(text.charAt(before))) before -= 1;
  return before < 0 || text[before] === '\n' || text[before] === '\r';
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let index = 0; index < at; index += 1) {
    const isEnd = text[index] === '\n' || (text[index] === '\r' && text[index + 1] !== '\n');
    if (isEnd) line += 1;
  }
  return line;
}

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
    const { language, name, characteristics, role, url, channels = facts.channels ?? 2 } = source;
    const codec = facts.audioCodec?.split('.')[0];
    const key = JSON.stringify([language, name, characteristics, channels, codec, role === 'variant' && url]);
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
