import type { RenditionKind } from '../../timeline/asset.ts';
import { isMpegAudio } from '../../timeline/mpegAudio.ts';

const video = /^(avc[1-4]|hvc1|hev1|dvh1|dvhe|dva1|dvav|vp0?[89]|av01|dav1|mp4v|vvc1|vvi1)/i;
const audio = /^(mp4a|ac-3|ec-3|ac-4|opus|flac|alac|mp3|mhm[12]|mha[12]|dts[cehlx]|vorbis)/i;
const text = /^(wvtt|stpp|ttml|tx3g)/i;

/** avc1.66.30: decimal, as QuickTime of old wrote it; players of today want avc1.42001e (RFC 6381 §3.3). */
const isObsolete = (codec: string): boolean => /^avc1\.\d+\.\d+$/.test(codec);

const first = (codecs: readonly string[], kind: RegExp): string | undefined =>
  codecs.find((codec) => kind.test(codec) && !isObsolete(codec));

/** What of a CODECS list lies in a rendition of this kind; undefined when it does not say it all. */
export function codecsOf(kind: RenditionKind, codecs: readonly string[]): string | undefined {
  if (kind === 'video') return first(codecs, video);
  if (kind === 'audio') return first(codecs, audio);
  if (kind === 'text') return first(codecs, text);
  const both = [first(codecs, video), first(codecs, audio)];
  return both.every((codec) => codec !== undefined) ? both.join(',') : undefined;
}

const family = (codec: string): string => {
  if (isMpegAudio(codec)) return 'mp3';
  const name = codec.split('.')[0]!.toLowerCase();
  return ({ avc3: 'avc1', hev1: 'hvc1' } as Record<string, string>)[name] ?? name;
};

/** Told in full by the decoder configuration (ISO/IEC 14496-15 E.2, E.3); other codecs may say more in a manifest. */
const isExact = /^(avc[13]|hvc1|hev1)\./i;
/** Dolby Vision, whose media may call themselves what they are compatible with. */
const isLayered = /^(dv|da)/i;

/** One codec, when a manifest and the media both name it: manifests are often wrong, and what decodes is in the media. */
export function reconcileCodec(told: string | undefined, seen: string | undefined): string | undefined {
  if (told === undefined || seen === undefined) return told ?? seen;
  if (isLayered.test(told) || isLayered.test(seen)) return told;
  if (family(told) !== family(seen) || isExact.test(seen)) return seen;
  return told.includes('.') ? told : seen;
}
