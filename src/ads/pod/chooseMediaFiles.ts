// SPDX-License-Identifier: Apache-2.0
// Chooses the media files of an ad from which its creative can be made, ordered by how well they match the channel's best
// quality. Whether a file exists is known only after fetching it.
import { withoutUndefined } from '../../invariant.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Creative, InLineAd, MediaFile } from '../../vast/response.ts';
import type { CreativeSource } from '../creative/creative.ts';
import {
  isDoubtful,
  isLegacy,
  kindOf,
  type LinearCreative,
  linearCreatives,
  type MediaKind,
  mediaLack,
} from './adMedia.ts';
import type { Skip } from './adOutcome.ts';

/** A source, and the key of its creative in the creative library. */
export type KeyedSource = { readonly key: string; readonly source: CreativeSource };

/** The creative of an ad that can be stitched, and its sources: at least one, best first. */
export type ChosenCreative = {
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
  a.map((value, at) => value - (b[at] ?? value)).find((difference) => difference !== 0) ?? 0;

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
