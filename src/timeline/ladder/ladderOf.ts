// SPDX-License-Identifier: Apache-2.0
// Derives a ladder from assets, and finds an asset's rendition for each rung of a ladder.
import { memo } from '../../cache/memo.ts';
import { defined, isNonEmpty, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks } from '../../time/units.ts';
import type { Asset, Caption, Rendition } from '../asset/asset.ts';
import { hasVideo } from '../asset/asset.ts';
import { cutClip, MIN_CLIP_DURATION, segmentStart } from '../asset/clip.ts';
import { audioFault, isMpegAudio, playableRenditions } from '../asset/mpegAudio.ts';
import { anyFormatFault, signalledIn } from './formatFault.ts';
import type { Ladder, Rung, RungKind } from './ladder.ts';
import { textFor, textRungs } from './servedText.ts';

/** Ad segments last up to 2.5 s (frameGrid.ts), which rounds to 3 s. */
const MIN_TARGET_DURATION = 3;
/** A border may move by half an audio frame so that durations add up (clip.ts). */
const targetFor = (seconds: number): number => Math.round(seconds + 0.024);
const DEFAULT_RATE: FrameRate = { n: 25, d: 1 };

const family = (codec: string): string => {
  if (isMpegAudio(codec)) return 'mp3';
  const name = codec.trim().replace(/\..*/s, '').toLowerCase();
  return ({ avc3: 'avc1', hev1: 'hvc1', dvhe: 'dvh1' } as Record<string, string>)[name] ?? name;
};
const families = (codecs: string): string => codecs.split(',').map(family).sort().join('+');

/** The best first. */
export const byQuality = (a: Rendition, b: Rendition): number =>
  (b.height ?? 0) - (a.height ?? 0) || b.bandwidth - a.bandwidth;

type Longest = { readonly seconds: number; readonly rendition: string; readonly index: number };

/** The longest segment of one part of a rendition as listed: the first and the last one extend to the ends of the part. */
function longestIn(asset: Asset, rendition: Rendition, part: number, duration: Flicks): Longest {
  const longest = { seconds: 0, rendition: rendition.id, index: 0 };
  const clip = cutClip({ kind: 'content', asset, part, from: flicks(0) }, [rendition], duration);
  const cell = clip?.cells[0];
  if (clip === undefined || cell === undefined) return longest;
  let start = segmentStart(clip, cell, cell.first);
  for (let index = cell.first; index < cell.end; index += 1) {
    const end = segmentStart(clip, cell, index + 1);
    const seconds = (end - start) / FLICKS_PER_SECOND;
    if (seconds > longest.seconds) Object.assign(longest, { seconds, index });
    start = end;
  }
  return longest;
}

/** The longest segment of an asset, in seconds, for EXT-X-TARGETDURATION (RFC 8216 §4.3.3.1). */
const longestSegment = memo((asset: Asset): Longest => {
  const played = asset.renditions.filter(({ kind }) => kind !== 'text');
  const all = played.flatMap((rendition) =>
    asset.parts.map(({ duration }, part) => longestIn(asset, rendition, part, duration)),
  );
  const none: Longest = { seconds: 0, rendition: '', index: 0 };
  return all.reduce((most, one) => (one.seconds > most.seconds ? one : most), none);
});

const layoutOf = (asset: Asset): Ladder['layout'] => {
  const has = (kind: RungKind) => asset.renditions.some((rendition) => rendition.kind === kind);
  if (has('muxed')) return 'muxed';
  if (has('video')) return has('audio') ? 'separate' : 'videoOnly';
  return 'audioOnly';
};

function rungOf(rendition: Rendition, id: string): Rung {
  const { kind, codecs, bandwidth, averageBandwidth, width, height, sampleRate, channels } = rendition;
  const { container, timescale, transport, language, name, isDefault } = rendition;
  return {
    id,
    kind: kind as RungKind,
    codecs,
    bandwidth,
    averageBandwidth,
    ...withoutUndefined({ width, height }),
    ...(kind === 'audio' || container === 'ts' ? {} : { timescale }),
    ...withoutUndefined({ transport, sampleRate, channels, language, name, isDefault }),
  };
}

/** One rendition for each language: the one with the highest bit rate, stereo or mono if there is one. */
function audioPerLanguage(renditions: readonly Rendition[]): Rendition[] {
  const best = new Map<string, Rendition>();
  const score = (rendition: Rendition) => ((rendition.channels ?? 2) <= 2 ? 1e9 : 0) + rendition.bandwidth;
  for (const rendition of renditions) {
    const key = `${rendition.language ?? 'und'} ${rendition.characteristics ?? ''} ${(rendition.roles ?? []).join()}`;
    const known = best.get(key);
    if (known === undefined || score(rendition) > score(known)) best.set(key, rendition);
  }
  return [...best.values()].sort((a, b) => Number(b.isDefault ?? false) - Number(a.isDefault ?? false));
}

/** The lowest frame rate: whole frames of it are whole frames of its multiples. */
const frameRateOf = (renditions: readonly Rendition[]): FrameRate =>
  renditions.flatMap(({ frameRate }) => (frameRate ? [frameRate] : [])).sort((a, b) => a.n / a.d - b.n / b.d)[0] ??
  DEFAULT_RATE;

/**
 * The ladder of a channel that goes on air with these assets: the renditions of the first, and a target duration, text and
 * captions for all.
 * @param assets without those that no channel can play (mpegAudio.ts)
 */
export function ladderOf(assets: NonEmpty<Asset>): Ladder {
  const [first] = assets;
  const layout = layoutOf(first);
  const playable = playableRenditions(first);
  const ofKind = (kind: RungKind) => playable.filter((rendition) => rendition.kind === kind);
  const video = (layout === 'muxed' ? ofKind('muxed') : ofKind('video')).sort(byQuality);
  const audio = layout === 'muxed' ? [] : audioPerLanguage(ofKind('audio'));
  const captions = captionsOf(assets);
  const best = families(video[0]?.codecs ?? '');
  const sameKind = video.filter(({ codecs }) => families(codecs) === best);
  return {
    container: defined(sameKind[0] ?? audio[0], 'an asset has video or audio').container as Ladder['container'],
    layout,
    frameRate: frameRateOf(sameKind),
    rungs: [
      ...sameKind.map((rendition, index) => rungOf(rendition, `v${index}`)),
      ...audio.map((rendition, index) => rungOf(rendition, `a${index}`)),
      ...(layout === 'audioOnly' ? [] : textRungs(assets)),
    ],
    ...(captions === undefined ? {} : { captions }),
    targetDuration: Math.max(MIN_TARGET_DURATION, ...assets.map((asset) => targetFor(longestSegment(asset).seconds))),
  };
}

const nearest = (rung: Rung, candidates: NonEmpty<Rendition>): Rendition => {
  const distance = ({ height, bandwidth }: Rendition) =>
    Math.abs(Math.log((height ?? 1) / (rung.height ?? height ?? 1))) * 4 +
    Math.abs(Math.log((bandwidth || 1) / (rung.bandwidth || bandwidth || 1)));
  return candidates.reduce((best, one) => (distance(one) < distance(best) ? one : best));
};

const CODECS: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'H.265',
  dvh1: 'Dolby Vision',
  av01: 'AV1',
  vp09: 'VP9',
  mp4a: 'AAC',
  mp3: 'MP3',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  opus: 'Opus',
};
/** For example `H.264 (avc1.64001f)`. */
const codecText = (codecs: string): string =>
  `${codecs
    .split(',')
    .map(family)
    .map((name) => CODECS[name] ?? name)
    .join(' and ')} (${codecs})`;

const MEDIA = { video: 'video', audio: 'audio', muxed: 'video and audio', text: 'text' } as const;

/** @returns the reason if there is none, which continues the name of the asset */
function renditionFor(rung: Rung, asset: Asset, key: string): Rendition | string {
  if (rung.kind === 'text') return textFor(rung, asset, key);
  const ofKind = asset.renditions.filter((rendition) => rendition.kind === rung.kind);
  const sameCodec = ofKind.filter((rendition) => families(rendition.codecs) === families(rung.codecs));
  if (!isNonEmpty(sameCodec)) {
    const has = [...new Set(ofKind.map(({ codecs }) => codecText(codecs)))].join(' or ');
    const media = MEDIA[rung.kind];
    return has === '' ? `it has no ${media}` : `its ${media} is ${has}, not ${codecText(rung.codecs)}`;
  }
  if (rung.kind !== 'audio') return nearest(rung, sameCodec);
  const isSurround = (channels: number | undefined) => (channels ?? 2) > 2;
  const sameLayout = sameCodec.filter(({ channels }) => isSurround(channels) === isSurround(rung.channels));
  if (!isNonEmpty(sameLayout)) {
    const has = [...new Set(sameCodec.map(({ channels }) => channels ?? 2))].join(' or ');
    return `its audio has ${has} channels, not ${rung.channels ?? 2}`;
  }
  const sameLanguage = sameLayout.filter(({ language }) => (language ?? 'und') === (rung.language ?? 'und'));
  if (isNonEmpty(sameLanguage)) return nearest(rung, sameLanguage);
  return sameLayout.find(({ isDefault }) => isDefault) ?? sameLayout[0];
}

const containerText = (container: Rendition['container'] | undefined): string =>
  container === 'ts' ? 'MPEG-TS' : 'fragmented MP4';
const LAYOUTS: Readonly<Record<Ladder['layout'], string>> = {
  separate: 'audio and video apart',
  muxed: 'audio and video in the same segments',
  videoOnly: 'video only',
  audioOnly: 'audio only',
};

type Fit =
  | { readonly ok: true; readonly renditions: readonly Rendition[] }
  | { readonly ok: false; readonly code: MisfitCode; readonly reason: string };

export type MisfitCode = 'SOUND' | 'CONTAINER' | 'LAYOUT' | 'TOO_SHORT' | 'TARGET_DURATION' | 'NO_RENDITION';

/**
 * The asset's rendition for each rung, or the reason why the asset cannot play on this ladder.
 * @param key the key that the asset is stored under; the URLs of its text contain it
 */
export function fitToLadder(asset: Asset, ladder: Ladder, key: string = asset.id): Fit {
  const fault = audioFault(asset);
  if (fault !== undefined) return { ok: false, code: 'SOUND', reason: fault };
  const layout = layoutOf(asset);
  const container = asset.renditions.find(({ kind }) => kind !== 'text')?.container;
  if (container !== ladder.container) {
    const reason = `its segments are ${containerText(container)}, not ${containerText(ladder.container)}`;
    return { ok: false, code: 'CONTAINER', reason };
  }
  if (layout !== ladder.layout) {
    const reason = `it has ${LAYOUTS[layout]}, not ${LAYOUTS[ladder.layout]}`;
    return { ok: false, code: 'LAYOUT', reason };
  }
  const protections = asset.renditions.flatMap(({ tracks }) => tracks.flatMap(({ protection }) => protection ?? []));
  const unplayable = anyFormatFault({ ladder, signalling: signalledIn(protections) });
  if (unplayable !== undefined) return { ok: false, code: 'LAYOUT', reason: unplayable };
  if (asset.duration < MIN_CLIP_DURATION) {
    const lasts = (asset.duration / FLICKS_PER_SECOND).toFixed(3);
    const reason = `it must last at least 0.5 s, because players fail on shorter content between breaks; it lasts ${lasts} s`;
    return { ok: false, code: 'TOO_SHORT', reason };
  }
  const { seconds, rendition, index } = longestSegment(asset);
  if (targetFor(seconds) > ladder.targetDuration) {
    const segment = `its segment ${index} of ${rendition} lasts ${seconds.toFixed(3)} s`;
    const reason = `${segment}, and the longest segment of the channel may last ${ladder.targetDuration} s while it is on air`;
    return { ok: false, code: 'TARGET_DURATION', reason };
  }
  const renditions: Rendition[] = [];
  for (const rung of ladder.rungs) {
    const found = renditionFor(rung, asset, key);
    if (typeof found === 'string') return { ok: false, code: 'NO_RENDITION', reason: found };
    renditions.push(found);
  }
  return { ok: true, renditions };
}

/**
 * The caption channels that at least one of the assets has; empty when all their sources declare that there are none;
 * undefined when that is unknown.
 */
export function captionsOf(assets: readonly Asset[]): readonly Caption[] | undefined {
  const declared = assets.flatMap(({ renditions }) =>
    renditions.filter(({ kind }) => hasVideo(kind)).map(({ captions }) => captions),
  );
  const found = new Map<string, Caption>();
  for (const caption of declared.flatMap((captions) => captions ?? [])) {
    if (!found.has(caption.channel)) found.set(caption.channel, caption);
  }
  return found.size > 0 || (declared.length > 0 && !declared.includes(undefined)) ? [...found.values()] : undefined;
}
