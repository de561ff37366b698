// SPDX-License-Identifier: Apache-2.0
import type { RenditionKind } from '../../timeline/asset/asset.ts';
import { isMpegAudio } from '../../timeline/asset/mpegAudio.ts';

const video = /^(avc[1-4]|hvc1|hev1|dvh1|dvhe|dva1|dvav|vp0?[89]|av01|dav1|mp4v|vvc1|vvi1)/i;
const audio = /^(mp4a|ac-3|ec-3|ac-4|opus|flac|alac|mp3|mhm[12]|mha[12]|dts[cehlx]|vorbis)/i;
const text = /^(wvtt|stpp|ttml|tx3g)/i;

/** avc1.66.30: the decimal form of old QuickTime files. Current players require avc1.42001e (RFC 6381 §3.3). */
const isObsolete = (codec: string): boolean => /^avc1\.\d+\.\d+$/.test(codec);

const first = (codecs: readonly string[], kind: RegExp): string | undefined =>
  codecs.find((codec) => kind.test(codec) && !isObsolete(codec));

/** The codecs of a CODECS list that a rendition of this kind has. @returns undefined if the list is incomplete */
export function codecsOf(kind: RenditionKind, codecs: readonly string[]): string | undefined {
  if (kind === 'video') return first(codecs, video);
  if (kind === 'audio') return first(codecs, audio);
  if (kind === 'text') return first(codecs, text);
  const both = [first(codecs, video), first(codecs, audio)];
  return both.every((codec) => codec !== undefined) ? both.join(',') : undefined;
}

const family = (codec: string): string => {
  if (isMpegAudio(codec)) return 'mp3';
  const [name = ''] = codec.toLowerCase().split('.');
  return ({ avc3: 'avc1', hev1: 'hvc1' } as Record<string, string>)[name] ?? name;
};

/** The decoder configuration defines these in full (ISO/IEC 14496-15 E.2, E.3). For others, a manifest may state more. */
const isExact = /^(avc[13]|hvc1|hev1)\./i;
/** Dolby Vision: its media may name only the codec that they are compatible with. */
const isLayered = /^(dv|da)/i;

/**
 * Chooses between the codec in the manifest and the codec in the media. Manifests are often wrong, and decoders follow the
 * media.
 */
export function reconcileCodec(declared: string | undefined, found: string | undefined): string | undefined {
  if (declared === undefined || found === undefined) return declared ?? found;
  if (isLayered.test(declared) || isLayered.test(found)) return declared;
  if (family(declared) !== family(found) || isExact.test(found)) return found;
  return declared.includes('.') ? declared : found;
}
