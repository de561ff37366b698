// SPDX-License-Identifier: Apache-2.0
import type { Container, RenditionKind } from '../timeline/asset/asset.ts';

/** A Representation that is not used. Without a reason it is not part of the presentation and needs no warning. */
export type Skipped = { readonly isSkipped: true; readonly reason?: string };
export type MediaKind = { readonly kind: RenditionKind; readonly container: Container };

const textCodecs = /^(stpp|wvtt)\b/i;
const audioCodecs = /^(mp4a|ac-3|ec-3|ac-4|opus|flac|alac|dts[a-z]|mha1|mhm1)\b/i;
const videoCodecs = /^(avc[1-4]|hvc1|hev1|dvh1|dvhe|dvav|dva1|av01|vp0?[89]|vvc1|vvi1|mp4v)\b/i;

/**
 * The kind and container of a Representation: from @contentType, @mimeType, @codecs and the content types of its
 * ContentComponents.
 */
export function mediaKind(
  contentType: string | undefined,
  mimeType: string | undefined,
  codecs: string | undefined,
  components: readonly string[],
): MediaKind | Skipped {
  const [type = '', subtype = ''] = (mimeType ?? '').toLowerCase().split(';')[0]!.trim().split('/');
  const each = (codecs ?? '').split(',').map((codec) => codec.trim());
  const container: Container = subtype === 'mp2t' ? 'ts' : 'fmp4';
  const declared = (contentType ?? '').toLowerCase();
  if (type === 'image' || declared === 'image') return { isSkipped: true };
  if (subtype === 'webm') return { isSkipped: true, reason: 'is WebM; supported are MP4, MPEG-TS and WebVTT' };
  if (type === 'text' && subtype === 'vtt') return { kind: 'text', container: 'vtt' };
  if (each.some((codec) => textCodecs.test(codec)) || (declared === 'text' && subtype === 'mp4'))
    return { kind: 'text', container };
  if (type === 'text' || subtype.startsWith('ttml')) {
    return { isSkipped: true, reason: `is a separate text file of type ${mimeType}; only WebVTT is supported` };
  }
  const hasVideo = declared === 'video' || type === 'video' || each.some((codec) => videoCodecs.test(codec));
  const hasAudio = declared === 'audio' || type === 'audio' || each.some((codec) => audioCodecs.test(codec));
  const isMuxed = components.includes('audio') && components.includes('video');
  if (isMuxed || (hasVideo && hasAudio)) return { kind: 'muxed', container };
  if (hasVideo) return { kind: 'video', container };
  if (hasAudio) return { kind: 'audio', container };
  return {
    isSkipped: true,
    reason: `contains ${declared || mimeType || 'an unknown type'}, which is not video, audio or text`,
  };
}
