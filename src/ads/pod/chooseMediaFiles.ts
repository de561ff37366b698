// Which of an ad's media files to make its creative of. It knows what can be stitched at all and how near a file is to
// the channel's best quality; it refuses to know whether the file is there: that shows when it is fetched.
import type { Ladder } from '../../timeline/ladder.ts';
import type { Creative, InLineAd, MediaFile } from '../../vast/response.ts';
import type { CreativeSource } from '../creative/creative.ts';
import type { Skip } from './adOutcome.ts';

/** A source with the key under which the creative library keeps what is made of it. */
export type KeyedSource = { readonly key: string; readonly source: CreativeSource };

/** The creative of an ad that can be stitched, and its sources, best first; at least one. */
export type ChosenCreative = {
  readonly creative: Creative;
  readonly sources: readonly KeyedSource[];
  /** The same for the same creative wherever it lies; absent where no id tells. */
  readonly identity?: string;
};

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

const typedKind = (type = ''): MediaKind | undefined =>
  byType.find(([pattern]) => pattern.test(type.trim().toLowerCase()))?.[1];

/** A video's name under the type of something else: one of the two is wrong, and trying costs little. */
const isMisnamed = (named: MediaKind | undefined, typed: MediaKind | undefined): boolean =>
  named === 'file' && (typed === 'script' || typed === 'audio');

function kindOf({ url, type = '' }: MediaFile): MediaKind {
  const named = namedKind(url);
  const typed = typedKind(type);
  // A VPAID unit is often typed as the video that it loads, and a manifest as the video that it lists.
  if (named === 'script') return 'script';
  if (isMisnamed(named, typed)) return 'file';
  if (typed === 'script') return 'script';
  if (named === 'manifest' || typed === 'manifest') return 'manifest';
  // A type that is missing or nonsense says nothing: what it is shows when it is fetched.
  return typed ?? named ?? (type.startsWith('image/') ? 'other' : 'file');
}

/** A file that wants an API and has no video's name, or only the name of one, may be a script all the same: it is tried last. */
const isDoubtful = ({ url, type, apiFramework }: MediaFile): boolean => {
  const named = namedKind(url);
  return (
    (apiFramework !== undefined && apiFramework !== '' && named === undefined) || isMisnamed(named, typedKind(type))
  );
};

/** What servers offer beside the file that they mean, for players of another time. */
const isLegacy = ({ url, type = '' }: MediaFile): boolean =>
  /flv|3gpp|x-ms-wmv|x-msvideo/i.test(type) || /\.(flv|f4v|3gp|3g2|wmv|avi)$/i.test(url.replace(/[?#].*$/, ''));

/** 0 at or above what is wanted, nearest first; 1 unknown; 2 below, nearest first. */
function distance(value: number | undefined, wanted: number): readonly [number, number] {
  if (!value || value <= 0) return [1, 0];
  const ratio = value / wanted;
  return ratio >= 1 ? [0, ratio] : [2, -ratio];
}

type Rank = readonly number[];

const compareRanks = (a: Rank, b: Rank): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

function rankOf(media: MediaFile, isMezzanine: boolean, ladder: Ladder): Rank {
  const top = ladder.rungs.find((rung) => rung.kind !== 'audio') ?? ladder.rungs[0];
  const { width, height, bitrate } = media;
  // A picture of another shape is scaled to fit: the side that is nearer to the frame's decides (letterbox, pillarbox).
  const size = Math.max((width ?? 0) / (top?.width ?? 1920), (height ?? 0) / (top?.height ?? 1080));
  return [
    isDoubtful(media) ? 1 : 0,
    ...distance(size, 1),
    isLegacy(media) ? 1 : 0,
    // Of equals the file that is ready to serve: a mezzanine is many times larger.
    isMezzanine ? 1 : 0,
    // Of equals a single file: a manifest takes many requests.
    kindOf(media) === 'manifest' ? 1 : 0,
    ...distance(bitrate, (top?.bandwidth ?? 1) / 1000),
  ];
}

type Lack = 'NOTHING' | 'ONLY_SCRIPTS' | 'ONLY_AUDIO' | 'NO_VIDEO';

/** What the media files are, where none can be used. */
export function mediaLack(offered: readonly MediaFile[]): Lack {
  const kinds = offered.map(kindOf);
  if (offered.length === 0) return 'NOTHING';
  if (kinds.every((kind) => kind === 'script')) return 'ONLY_SCRIPTS';
  return kinds.every((kind) => kind === 'audio') ? 'ONLY_AUDIO' : 'NO_VIDEO';
}

/** Why none can be used, in one plain sentence. */
function reasonFor(offered: readonly MediaFile[], malformed: readonly string[]): string {
  const [first] = malformed;
  const urls =
    malformed.length === 1 ? 'The URL of its media file is' : `${malformed.length} URLs of its media files are`;
  const which = malformed.length === 1 ? '' : ', the first';
  const odd = first === undefined ? '' : `${urls} malformed${which}: "${first}".`;
  return [lackReason(offered, odd === ''), odd].filter((text) => text !== '').join(' ');
}

function lackReason(offered: readonly MediaFile[], isAll: boolean): string {
  const lack = mediaLack(offered);
  if (lack === 'NOTHING') return isAll ? 'It names no media file.' : '';
  if (lack === 'ONLY_SCRIPTS') return 'It names only scripts (VPAID or the like), which cannot be stitched.';
  if (lack === 'ONLY_AUDIO') return 'It names only audio files, and the channel shows pictures.';
  const types = [...new Set(offered.map(({ type }) => type ?? 'no type'))].slice(0, 4).join(', ');
  return `None of its media files is video that can be stitched (${types}).`;
}

/** As their `sequence` says where they have one (VAST 4.2 §3.7), else as they came. */
const linearCreatives = ({ creatives }: InLineAd): Creative[] => {
  const placeOf = ({ sequence = Number.MAX_SAFE_INTEGER }: Creative): number => sequence;
  return creatives.filter(({ linear }) => linear !== undefined).sort((a, b) => placeOf(a) - placeOf(b));
};

const isShowable = (media: MediaFile): boolean => ['file', 'manifest', 'audio'].includes(kindOf(media));

/** The linear creative that is shown, or would be: a script beside it is not (VAST 4.2 §3.9). */
export function shownCreative(ad: InLineAd): Creative | undefined {
  const linears = linearCreatives(ad);
  const isShown = ({ linear }: Creative) => [...linear!.mediaFiles, ...linear!.mezzanines].some(isShowable);
  return linears.find(isShown) ?? linears[0];
}

/** The ad without the linear creatives that are not shown: nobody is told that they were. */
export const withoutUnshown = (ad: InLineAd, shown: Creative): InLineAd => ({
  ...ad,
  creatives: ad.creatives.flatMap((one) => {
    if (one === shown || one.linear === undefined) return one;
    const { linear: _, ...rest } = one;
    return rest.companionAds || rest.nonLinearAds ? rest : [];
  }),
});

/**
 * The first linear creative of an ad, by its sequence, that has a media file for the ladder, with its sources: size nearest at or above
 * the top rung, then bit rate likewise. When one cannot be fetched, the next may be tried. The first is kept under the
 * UniversalAdId where there is one (VAST 4.2 §3.7.1) and the file's name, so that it is made once whatever host, path
 * and token lead to it; the others under their URLs. The id alone is not enough: ad servers give one to many films.
 */
export function chooseMediaFiles(ad: InLineAd, ladder: Ladder): ChosenCreative | Skip {
  const linears = linearCreatives(ad);
  if (ad.holdsInstead) {
    const held = ad.holdsInstead.length === 0 ? 'it is empty' : `it holds ${ad.holdsInstead.slice(0, 4).join(', ')}`;
    return { code: 'NEITHER_INLINE_NOR_WRAPPER', text: `Its Ad element holds neither InLine nor Wrapper: ${held}.` };
  }
  if (linears.length === 0) return { code: 'NOT_LINEAR', text: 'It has no linear creative.' };
  for (const creative of linears) {
    const sources = sourcesOf(creative, ladder);
    const identity = identityOf(creative);
    if (sources.length > 0) return { creative, sources, ...(identity === undefined ? {} : { identity }) };
  }
  const offered = linears.flatMap(({ linear }) => [...linear!.mediaFiles, ...linear!.mezzanines]);
  if (ad.conditionalAd && offered.some((media) => kindOf(media) === 'script')) return conditional;
  const malformed = linears.flatMap(({ linear }) => linear!.malformedMedia ?? []);
  return { code: 'NO_MEDIA_FILE', text: reasonFor(offered, malformed) };
}

/**
 * VAST 4.0 §3.3, conditionalAd: the creative is no ad but a program that looks for one. One that comes with a plain video
 * beside it is shown: the ad is there.
 */
const conditional: Skip = {
  code: 'CONDITIONAL',
  text: 'It is conditional: a script decides whether there is an ad, and no script runs in a stitched stream.',
};

function sourcesOf(creative: Creative, ladder: Ladder): readonly KeyedSource[] {
  const { linear } = creative;
  const wanted: readonly MediaKind[] =
    ladder.layout === 'audioOnly' ? ['file', 'manifest', 'audio'] : ['file', 'manifest'];
  const offered = [
    ...linear!.mediaFiles.map((media) => ({ media, rank: rankOf(media, false, ladder) })),
    ...linear!.mezzanines.map((media) => ({ media, rank: rankOf(media, true, ladder) })),
  ];
  const usable = offered
    .filter(({ media }) => wanted.includes(kindOf(media)))
    .sort((a, b) => compareRanks(a.rank, b.rank));
  const id = knownId(creative);
  const urls = new Map(usable.map(({ media }) => [media.url, sourceOf(media)]));
  return [...urls.values()].map((source, index) => ({
    key: index === 0 && id !== undefined ? `${id} ${fileNameOf(source.url)}` : source.url,
    source,
  }));
}

/** A UniversalAdId that says whose it is. */
function knownId({ universalAdIds }: Creative): string | undefined {
  const known = universalAdIds.find(({ registry }) => registry !== undefined && registry !== '');
  return known && `${known.registry!.toLowerCase()}:${known.value}`;
}

const fileNameOf = (url: string): string => /[^/]*$/.exec(url.replace(/[?#].*$/, ''))![0];

/** Of two that last differently one is another creative, whatever their ids say. */
function identityOf(creative: Creative): string | undefined {
  const id = knownId(creative);
  return id && `${id} ${creative.linear!.duration ?? ''}`.trim();
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
