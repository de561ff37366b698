// SPDX-License-Identifier: Apache-2.0
// Chooses the media files of an ad from which its creative can be made, ordered by how well they match the channel's best
// quality. Whether a file exists is known only after fetching it.
import { withoutUndefined } from '../../invariant.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Creative, InLineAd, MediaFile } from '../../vast/response.ts';
import type { CreativeSource } from '../creative/creative.ts';
import type { Skip } from './adOutcome.ts';

/** What a media file is. Types and file names are often wrong, so both are considered. */
type MediaKind = 'file' | 'manifest' | 'audio' | 'script' | 'other';

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

function kindOf({ url, type = '' }: MediaFile): MediaKind {
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
const isDoubtful = ({ url, type, apiFramework }: MediaFile): boolean => {
  const named = namedKind(url);
  return (
    (apiFramework !== undefined && apiFramework !== '' && named === undefined) || isMisnamed(named, typedKind(type))
  );
};

/** Formats that servers offer in addition, for outdated players. */
const isLegacy = ({ url, type = '' }: MediaFile): boolean =>
  /flv|3gpp|x-ms-wmv|x-msvideo/i.test(type) || /\.(flv|f4v|3gp|3g2|wmv|avi)$/i.test(url.replace(/[?#].*$/, ''));

type MediaLack = 'NOTHING' | 'ONLY_SCRIPTS' | 'ONLY_AUDIO' | 'NO_VIDEO';

/** Why none of the media files can be used. */
export function mediaLack(offered: readonly MediaFile[]): MediaLack {
  const kinds = offered.map(kindOf);
  if (offered.length === 0) return 'NOTHING';
  if (kinds.every((kind) => kind === 'script')) return 'ONLY_SCRIPTS';
  return kinds.every((kind) => kind === 'audio') ? 'ONLY_AUDIO' : 'NO_VIDEO';
}

/** The linear creatives in order of their `sequence` (VAST 4.2 §3.7), then those without one in document order. */
const linearCreatives = ({ creatives }: InLineAd): LinearCreative[] => {
  const sequenceOf = ({ sequence = Number.MAX_SAFE_INTEGER }: Creative): number => sequence;
  return creatives.filter(isLinear).sort((a, b) => sequenceOf(a) - sequenceOf(b));
};

type LinearCreative = Creative & { readonly linear: NonNullable<Creative['linear']> };

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

/** A source, and the key of its creative in the creative library. */
export type KeyedSource = { readonly key: string; readonly source: CreativeSource };

/** The creative of an ad that can be stitched, and its sources: at least one, best first. */
type ChosenCreative = {
  readonly creative: LinearCreative;
  readonly sources: readonly KeyedSource[];
  /** Identifies the creative, whatever its URL is; absent without a UniversalAdId. */
  readonly identity?: string;
};

/** Sorts values at or above the target first, then unknown ones, then lower ones; the nearest first in each group. */
function distance(value: number | undefined, target: number): readonly [number, number] {
  if (!value || value <= 0) return [1, 0];
  const ratio = value / target;
  return ratio >= 1 ? [0, ratio] : [2, -ratio];
}

type Rank = readonly number[];

const compareRanks = (a: Rank, b: Rank): number =>
  a.map((value, at) => value - (b[at] ?? value)).find((difference) => difference < 0 || difference > 0) ?? 0;

function rankOf(media: MediaFile, isMezzanine: boolean, ladder: Ladder): Rank {
  const top = ladder.rungs.find((rung) => rung.kind !== 'audio') ?? ladder.rungs[0];
  const { width, height, bitrate } = media;
  // A picture of another aspect ratio is scaled to fit (letterbox, pillarbox), so the side that fills the frame counts.
  const size = Math.max((width ?? 0) / (top?.width ?? 1920), (height ?? 0) / (top?.height ?? 1080));
  return [
    isDoubtful(media) ? 1 : 0,
    ...distance(size, 1),
    isLegacy(media) ? 1 : 0,
    // Among equals, a mezzanine comes later because it is many times larger.
    isMezzanine ? 1 : 0,
    // Among equals, a manifest comes later because it needs many requests.
    kindOf(media) === 'manifest' ? 1 : 0,
    ...distance(bitrate, (top?.bandwidth ?? 1) / 1000),
  ];
}

/** Why no media file can be used. */
function noMediaText(offered: readonly MediaFile[], [first, ...others]: readonly string[]): string {
  if (first === undefined) return lackText(offered, false);
  const malformed =
    others.length === 0
      ? `Its media file has an invalid URL: "${first}".`
      : `${others.length + 1} of its media files have invalid URLs; the first is "${first}".`;
  return `${lackText(offered, true)} ${malformed}`.trim();
}

function lackText(offered: readonly MediaFile[], hasMalformed: boolean): string {
  const lack = mediaLack(offered);
  if (lack === 'NOTHING') return hasMalformed ? '' : 'It has no media files.';
  if (lack === 'ONLY_SCRIPTS') return 'It has only scripts, such as VPAID, which cannot be stitched.';
  if (lack === 'ONLY_AUDIO') return 'It has only audio files; the channel requires video.';
  const types = [...new Set(offered.map(({ type }) => type ?? 'no type'))].slice(0, 4).join(', ');
  return `None of its media files is a video that can be stitched (${types}).`;
}

/**
 * The first linear creative of an ad, by its sequence, with a media file for the ladder, and its sources: nearest in size at
 * or above the top rung, then nearest in bit rate. If one cannot be fetched, the next can be tried. The key of the first
 * source is the UniversalAdId, if there is one (VAST 4.2 §3.7.1), and the file name, so that the creative is made once for all
 * hosts, paths and tokens. The id alone is not sufficient, because ad servers use one id for several videos. The keys of the
 * other sources are their URLs.
 */
export function chooseMediaFiles(ad: InLineAd, ladder: Ladder): ChosenCreative | Skip {
  const linears = linearCreatives(ad);
  if (ad.holdsInstead) {
    const names = ad.holdsInstead.slice(0, 4).join(', ');
    const content = names === '' ? 'it is empty' : `it contains ${names}`;
    const text = `Its Ad element contains neither InLine nor Wrapper; ${content}.`;
    return { code: 'NEITHER_INLINE_NOR_WRAPPER', text };
  }
  if (linears.length === 0) return { code: 'NOT_LINEAR', text: 'It has no linear creative.' };
  for (const creative of linears) {
    const sources = sourcesOf(creative, ladder);
    const identity = identityOf(creative);
    if (sources.length > 0) return { creative, sources, ...withoutUndefined({ identity }) };
  }
  const offered = linears.flatMap(({ linear }) => [...linear.mediaFiles, ...linear.mezzanines]);
  if (ad.conditionalAd && offered.some((media) => kindOf(media) === 'script')) return conditional;
  const malformed = linears.flatMap(({ linear }) => linear.malformedMedia ?? []);
  return { code: 'NO_MEDIA_FILE', text: noMediaText(offered, malformed) };
}

/** A creative that is a script that looks for an ad (VAST 4.0 §3.3, conditionalAd), without a video in addition. */
const conditional: Skip = {
  code: 'CONDITIONAL',
  text: 'It is a conditional ad: a script decides whether there is an ad, and stitched ads cannot run scripts.',
};

function sourcesOf(creative: LinearCreative, ladder: Ladder): readonly KeyedSource[] {
  const { linear } = creative;
  const usableKinds: readonly MediaKind[] =
    ladder.layout === 'audioOnly' ? ['file', 'manifest', 'audio'] : ['file', 'manifest'];
  const offered = [
    ...linear.mediaFiles.map((media) => ({ media, rank: rankOf(media, false, ladder) })),
    ...linear.mezzanines.map((media) => ({ media, rank: rankOf(media, true, ladder) })),
  ];
  const usable = offered
    .filter(({ media }) => usableKinds.includes(kindOf(media)))
    .sort((a, b) => compareRanks(a.rank, b.rank));
  const id = knownId(creative);
  const urls = new Map(usable.map(({ media }) => [media.url, sourceOf(media)]));
  return [...urls.values()].map((source, index) => ({
    key: index === 0 && id !== undefined ? `${id} ${fileNameOf(source.url)}` : source.url,
    source,
  }));
}

/** A UniversalAdId with a registry; without one it is not unique. */
function knownId({ universalAdIds }: Creative): string | undefined {
  for (const { registry, value } of universalAdIds) if (registry) return `${registry.toLowerCase()}:${value}`;
  return undefined;
}

const fileNameOf = (url: string): string => url.replace(/[?#].*$/, '').replace(/^.*\//s, '');

/** Creatives with the same id but different durations are different creatives. */
function identityOf(creative: LinearCreative): string | undefined {
  const id = knownId(creative);
  return id && `${id} ${creative.linear.duration ?? ''}`.trim();
}

function sourceOf({ url, type = '', width, height, bitrate }: MediaFile): CreativeSource {
  return {
    url,
    mimeType: type.replace(/;.*$/, '').trim().toLowerCase(),
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(bitrate ? { bitrate } : {}),
  };
}
