// SPDX-License-Identifier: Apache-2.0
// Classifies media files as video, manifest, audio or script, and finds the linear creative that is shown. Types and file names of
// media files are often wrong, so both are considered.
import type { Creative, InLineAd, MediaFile } from '../../vast/response.ts';

/** What a media file is, judged by its type and file name. */
export type MediaKind = 'file' | 'manifest' | 'audio' | 'script' | 'other';

const byExtension: readonly [RegExp, MediaKind][] = [
  [/^(mp4|m4v|mov|webm|mkv|ts|m2ts|mts|mpg|mpeg|avi|mxf|3gp|3g2|flv|f4v|ogv|wmv)$/, 'file'],
  [/^(m3u8|mpd)$/, 'manifest'],
  [/^(mp3|m4a|aac|ogg|oga|opus|wav|flac)$/, 'audio'],
  [/^(js|mjs|swf|html?)$/, 'script'],
  [/^(gif|jpe?g|png|webp|svg)$/, 'other'],
];

const byType: readonly [RegExp, MediaKind][] = [
  [/mpegurl|dash\+xml/, 'manifest'],
  [/javascript|ecmascript|shockwave|text\/html/, 'script'],
  [/^video\/|^application\/(mp4|mxf|octet-stream)\b/, 'file'],
  [/^audio\//, 'audio'],
];

const namedKind = (url: string): MediaKind | undefined => {
  const extension = /\.([a-z\d]+)$/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? '';
  return byExtension.find(([pattern]) => pattern.test(extension))?.[1];
};

const typedKind = (type = ''): MediaKind | undefined =>
  byType.find(([pattern]) => pattern.test(type.trim().toLowerCase()))?.[1];

/** The file name is that of a video and the type is not: one of them is wrong, and trying the file costs little. */
const isMisnamed = (named: MediaKind | undefined, typed: MediaKind | undefined): boolean =>
  named === 'file' && (typed === 'script' || typed === 'audio');

export function kindOf({ url, type = '' }: MediaFile): MediaKind {
  const named = namedKind(url);
  const typed = typedKind(type);
  // Scripts and manifests often have the type of the video that they load or list, so the file name takes precedence.
  if (named === 'script') return 'script';
  if (isMisnamed(named, typed)) return 'file';
  if (typed === 'script') return 'script';
  if (named === 'manifest' || typed === 'manifest') return 'manifest';
  // With a missing or invalid type the kind is known only after fetching the file.
  return typed ?? named ?? (type.startsWith('image/') ? 'other' : 'file');
}

/** The file may be a script: it declares an API framework without a video's file name, or its type is wrong. It is tried last. */
export const isDoubtful = ({ url, type, apiFramework }: MediaFile): boolean => {
  const named = namedKind(url);
  return (
    (apiFramework !== undefined && apiFramework !== '' && named === undefined) || isMisnamed(named, typedKind(type))
  );
};

/** Formats that servers offer in addition, for outdated players. */
export const isLegacy = ({ url, type = '' }: MediaFile): boolean =>
  /flv|3gpp|x-ms-wmv|x-msvideo/i.test(type) || /\.(flv|f4v|3gp|3g2|wmv|avi)$/i.test(url.replace(/[?#].*$/, ''));

export type MediaLack = 'NOTHING' | 'ONLY_SCRIPTS' | 'ONLY_AUDIO' | 'NO_VIDEO';

/** Why none of the media files can be used. */
export function mediaLack(offered: readonly MediaFile[]): MediaLack {
  const kinds = offered.map(kindOf);
  if (offered.length === 0) return 'NOTHING';
  if (kinds.every((kind) => kind === 'script')) return 'ONLY_SCRIPTS';
  return kinds.every((kind) => kind === 'audio') ? 'ONLY_AUDIO' : 'NO_VIDEO';
}

/** The linear creatives in order of their `sequence` (VAST 4.2 §3.7), then those without one in document order. */
export const linearCreatives = ({ creatives }: InLineAd): LinearCreative[] => {
  const sequenceOf = ({ sequence = Number.MAX_SAFE_INTEGER }: Creative): number => sequence;
  return creatives.filter(isLinear).sort((a, b) => sequenceOf(a) - sequenceOf(b));
};

export type LinearCreative = Creative & { readonly linear: NonNullable<Creative['linear']> };

const isLinear = (creative: Creative): creative is LinearCreative => creative.linear !== undefined;

const isShowable = (media: MediaFile): boolean => ['file', 'manifest', 'audio'].includes(kindOf(media));

/** The linear creative that is or would be shown: the first that is not only scripts (VAST 4.2 §3.9). */
export function shownCreative(ad: InLineAd): LinearCreative | undefined {
  const linears = linearCreatives(ad);
  const isShown = ({ linear }: LinearCreative) => [...linear.mediaFiles, ...linear.mezzanines].some(isShowable);
  return linears.find(isShown) ?? linears[0];
}

/** The ad without the linear creatives that are not shown, so that their tracking URLs are not requested. */
export function withoutOtherLinears(ad: InLineAd, shown: Creative): InLineAd {
  const isKept = (one: Creative): boolean => one === shown || one.linear === undefined;
  if (ad.creatives.every(isKept)) return ad;
  return {
    ...ad,
    creatives: ad.creatives.flatMap((one) => {
      if (isKept(one)) return one;
      const { linear: _, ...rest } = one;
      return rest.companionAds || rest.nonLinearAds ? rest : [];
    }),
  };
}
