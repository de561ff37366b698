// Which of an ad's media files to make its creative of. It knows what can be stitched at all and how near a file is to
// the channel's best quality; it refuses to know whether the file is there: that shows when it is fetched.
import type { Ladder } from '../timeline/ladder.ts';
import type { CreativeSource } from './creative.ts';

/** A MediaFile or Mezzanine of a linear creative, as its VAST says it. */
export type OfferedMedia = {
  readonly url: string;
  /** MIME type. */
  readonly type?: string;
  readonly width?: number;
  readonly height?: number;
  /** kbit/s; a value that only bit/s can be is read as such. */
  readonly bitrate?: number;
  readonly apiFramework?: string;
  readonly mezzanine?: boolean;
};

export type UniversalAdId = { readonly registry?: string; readonly value: string };

/** A source with the key under which the creative library keeps what is made of it. */
export type KeyedSource = { readonly key: string; readonly source: CreativeSource };

/** What a media file is by its type and its name. */
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

function kindOf({ url, type = '' }: OfferedMedia): MediaKind {
  const named = namedKind(url);
  const typed = byType.find(([pattern]) => pattern.test(type.trim().toLowerCase()))?.[1];
  // A VPAID unit is often typed as the video that it loads, and a manifest as the video that it lists.
  if (named === 'script' || typed === 'script') return 'script';
  if (named === 'manifest' || typed === 'manifest') return 'manifest';
  // A type that is missing or nonsense says nothing: what it is shows when it is fetched.
  return typed ?? named ?? (type.startsWith('image/') ? 'other' : 'file');
}

/** A file that wants an API and has no video's name may be a script all the same: it is tried last. */
const isDoubtful = ({ url, apiFramework }: OfferedMedia): boolean =>
  apiFramework !== undefined && apiFramework !== '' && namedKind(url) === undefined;

/** 0 at or above what is wanted, nearest first; 1 unknown; 2 below, nearest first. */
function distance(value: number | undefined, wanted: number): readonly [number, number] {
  if (!value || value <= 0) return [1, 0];
  const ratio = value / wanted;
  return ratio >= 1 ? [0, ratio] : [2, -ratio];
}

/** Bit rates in bit/s are met where kbit/s are due. */
const kbits = (bitrate: number | undefined): number | undefined =>
  bitrate !== undefined && bitrate > 200_000 ? Math.round(bitrate / 1000) : bitrate;

type Rank = readonly number[];

const compareRanks = (a: Rank, b: Rank): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

function rankOf(media: OfferedMedia, kind: MediaKind, ladder: Ladder): Rank {
  const top = ladder.rungs.find((rung) => rung.kind !== 'audio') ?? ladder.rungs[0];
  const { width, height, bitrate, mezzanine = false } = media;
  // A picture of another shape is scaled to fit: the side that is nearer to the frame's decides (letterbox, pillarbox).
  const size = Math.max((width ?? 0) / (top?.width ?? 1920), (height ?? 0) / (top?.height ?? 1080));
  return [
    isDoubtful(media) ? 1 : 0,
    ...distance(size, 1),
    // Of equals the file that is ready to serve: a mezzanine is many times larger.
    mezzanine ? 1 : 0,
    // Of equals a single file: a manifest takes many requests.
    kind === 'manifest' ? 1 : 0,
    ...distance(kbits(bitrate), (top?.bandwidth ?? 1) / 1000),
  ];
}

const isUnknown = (text: string | undefined): boolean =>
  /^(|unknown|none|null|undefined|n\/a|0|-1)$/i.test(text?.trim() ?? '');

function universalKey(ids: readonly UniversalAdId[]): string | undefined {
  const known = ids.find(({ registry, value }) => !isUnknown(registry) && !isUnknown(value));
  return known && `${known.registry?.trim().toLowerCase()}:${known.value.trim()}`;
}

/** Why none can be used, in one plain sentence. */
function reasonFor(offered: readonly OfferedMedia[], kinds: readonly MediaKind[]): string {
  if (offered.length === 0) return 'It names no media file.';
  if (kinds.every((kind) => kind === 'script'))
    return 'It names only scripts (VPAID or the like), which cannot be stitched.';
  if (kinds.every((kind) => kind === 'audio')) return 'It names only audio files, and the channel shows pictures.';
  if (offered.every(({ url }) => !/^https?:\/\//i.test(url))) return 'None of its media files has an http(s) URL.';
  const types = [...new Set(offered.map(({ type }) => type || 'no type'))].slice(0, 4).join(', ');
  return `None of its media files is video that can be stitched (${types}).`;
}

/**
 * The sources of an ad's creative, best first: size nearest at or above the ladder's top rung, then bit rate likewise.
 * When one cannot be fetched, the next may be tried. The first is kept under the UniversalAdId where there is one
 * (VAST 4.2 §3.7.1), so that it is made once whatever URL names it; the others under their URLs.
 */
export function chooseMediaFiles(
  offered: readonly OfferedMedia[],
  universalAdIds: readonly UniversalAdId[],
  ladder: Ladder,
): readonly KeyedSource[] | { readonly reason: string } {
  const kinds = offered.map(kindOf);
  const wanted: readonly MediaKind[] =
    ladder.layout === 'audioOnly' ? ['file', 'manifest', 'audio'] : ['file', 'manifest'];
  const usable = offered
    .map((media, index) => ({ media, kind: kinds[index]! }))
    .filter(({ media, kind }) => wanted.includes(kind) && /^https?:\/\//i.test(media.url) && URL.canParse(media.url))
    .map(({ media, kind }) => ({ media, rank: rankOf(media, kind, ladder) }))
    .sort((a, b) => compareRanks(a.rank, b.rank));
  if (usable.length === 0) return { reason: reasonFor(offered, kinds) };
  const sources = [...new Map(usable.map(({ media }) => [media.url, sourceOf(media)])).values()];
  return sources.map((source, index) => ({
    key: (index === 0 ? universalKey(universalAdIds) : undefined) ?? source.url,
    source,
  }));
}

function sourceOf({ url, type = '', width, height, bitrate }: OfferedMedia): CreativeSource {
  const rate = kbits(bitrate);
  return {
    url,
    mimeType: type.replace(/;.*$/, '').trim().toLowerCase(),
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(rate ? { bitrate: rate } : {}),
  };
}
