// SPDX-License-Identifier: Apache-2.0
// Measures one rendition: the exact segment borders in all of its parts, and what its manifest does not state. This folder
// reads media to find out facts; which renditions an asset consists of is left to `import`.
import { defined } from '../../invariant.ts';
import { leastCommonMultiple } from '../../time/frameRate.ts';
import { firstNumber } from '../../time/row.ts';
import { hasAudio, hasVideo, type Rendition, type RenditionKind, type Track } from '../../timeline/asset/asset.ts';
import { isMpegAudio } from '../../timeline/asset/mpegAudio.ts';
import { packUrls, segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { refuseUndeclared } from '../source/decryptSegment.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';
import { correctBandwidth, estimateBandwidth, type MeasuredPart, type SegmentSizes } from './estimateBandwidth.ts';
import { measureTrack } from './measureTrack.ts';
import type { MediaFacts, OpenedTrack, UnreadStream } from './openedTrack.ts';
import type { TrackOpener } from './openTrack.ts';

export type MeasuredRendition = {
  readonly rendition: Rendition;
  readonly where: string;
  readonly unread: readonly UnreadStream[];
  /** For each part, the media time at its start according to the manifest, in ticks (DASH presentationTimeOffset). */
  readonly starts: readonly (number | undefined)[];
  /** For each part, how far browsers move it because of an edit list, in ticks. hls.js undoes that shift. */
  readonly moved: readonly number[];
  /** True if the borders count from the start of the part, because the media have no time stamps (WebVTT). */
  readonly isFloating: boolean;
};

/** Borders in the media's own timescale. */
type Borders = {
  readonly timescale: number;
  readonly borders: Float64Array;
  readonly start: number | undefined;
  readonly edits?: OpenedTrack['edits'] | undefined;
};
/** `track` without a last segment that does not exist; `opened` as it was opened and read. */
type Measured = Borders & { readonly track: NominalTrack; readonly opened: NominalTrack };

/** The largest common timescale of the parts: with a larger one, times would exceed the safe integers. */
const MAX_TIMESCALE = 1_000_000_000;

export type MeasureTools = { readonly reader: MediaReader; readonly open: TrackOpener; readonly sizes: SegmentSizes };

export async function measureRendition(
  nominal: NominalRendition,
  tools: MeasureTools,
): Promise<MeasuredRendition | Refusal> {
  if (nominal.container === 'vtt') return floating(nominal);
  const parts: { readonly track: NominalTrack; readonly opened: OpenedTrack }[] = [];
  const opening = nominal.tracks.map(async (track) => ({ track, opened: await tools.open(track) }));
  for (const [part, { track, opened }] of (await Promise.all(opening)).entries()) {
    if ('refused' in opened) return inPart(opened, part, nominal.tracks.length);
    parts.push({ track, opened });
  }
  const { facts } = defined(parts[0], 'a rendition has at least one part').opened;
  // An encrypted asset may begin with clear segments under the same initialization section.
  const isDeclared = nominal.tracks.some(({ protection }) => protection !== undefined);
  const entries = parts.flatMap(({ opened }) => opened.facts.encryption ?? []);
  if (!isDeclared && entries[0] !== undefined) return refuseUndeclared(entries[0]);
  const measured: Measured[] = [];
  const measuring = parts.map(({ track, opened }) => measureWithoutImplied(nominal, track, opened));
  for (const [part, each] of (await Promise.all(measuring)).entries()) {
    if ('refused' in each) return inPart(each, part, nominal.tracks.length);
    measured.push(each);
  }
  const timescale = commonTimescale(measured.map((each) => each.timescale));
  const made = measured.map(({ track: own, opened, ...borders }) => {
    const { start, edits, ...scaled } = atTimescale(borders, timescale);
    const track = trackOf(own, { ...scaled, edits }, nominal.kind);
    return { nominal: own, opened, track, start, moved: edits?.inBrowsers ?? 0 };
  });
  const described = describe(nominal, facts);
  if ('refused' in described) return described;
  const rates = await bandwidthOf(nominal, made, timescale, tools);
  return {
    rendition: { ...described, ...rates, timescale, tracks: made.map(({ track }) => track) },
    where: nominal.where,
    unread: facts.unread ?? [],
    starts: made.map(({ start }) => start),
    moved: made.map(({ moved }) => moved),
    isFloating: false,
  };
}

/** Adds the part to the message, because segments are counted from 0 in each part. */
const inPart = (refusal: Refusal, part: number, parts: number): Refusal =>
  part === 0 && parts === 1
    ? refusal
    : {
        ...refusal,
        refused: `part ${part + 1} of ${parts} (a part begins at each discontinuity and each change of EXT-X-KEY or EXT-X-MAP): ${refusal.refused}`,
      };

function bandwidthOf(
  nominal: NominalRendition,
  parts: readonly MeasuredPart[],
  timescale: number,
  tools: MeasureTools,
) {
  const { kind, bandwidth, averageBandwidth } = nominal;
  const { reader, sizes } = tools;
  if (bandwidth === undefined) return estimateBandwidth(parts, timescale, reader);
  const declared = { bandwidth, averageBandwidth: averageBandwidth ?? bandwidth };
  return kind === 'text' ? declared : correctBandwidth(declared, parts, timescale, sizes);
}

/** Omits the last segment if it does not exist and only the (rounded) length of the Period implied it. */
async function measureWithoutImplied(nominal: NominalRendition, track: NominalTrack, opened: OpenedTrack) {
  const all = await measure(nominal.kind, track, opened);
  if (!('refused' in all)) return { ...all, track, opened: track };
  if (!all.isMissing || !track.isLastImplied || track.count < 2) return all;
  const listed = { ...track, count: track.count - 1, nominalBorders: track.nominalBorders.slice(0, -1) };
  const rest = await measure(nominal.kind, listed, opened);
  return 'refused' in rest ? rest : { ...rest, track: listed, opened: track };
}

async function measure(kind: RenditionKind, track: NominalTrack, opened: OpenedTrack): Promise<Borders | Refusal> {
  const { nominalTimescale, nominalBorders, presentationTimeOffset } = track;
  if (track.exact) {
    return { timescale: nominalTimescale, borders: nominalBorders.map(Math.round), start: presentationTimeOffset };
  }
  const scale = opened.timescale / nominalTimescale;
  const start = presentationTimeOffset === undefined ? undefined : Math.round(presentationTimeOffset * scale);
  if (kind !== 'text') {
    const borders = await measureTrack(track, opened);
    return 'refused' in borders ? borders : { timescale: opened.timescale, borders, start, edits: opened.edits };
  }
  // Text has samples only where there are cues, so their times are no segment borders. The manifest's times are.
  const first = start === undefined ? await opened.startOf(0) : Math.round(firstNumber(nominalBorders) * scale);
  if (typeof first !== 'number') return first;
  const borders = nominalBorders.map((border) => first + Math.round((border - firstNumber(nominalBorders)) * scale));
  return { timescale: opened.timescale, borders, start };
}

/** Sidecar text: only the manifest has times. */
function floating(nominal: NominalRendition): MeasuredRendition {
  const { where, tracks: parts, codecs = '', bandwidth = 0, averageBandwidth = bandwidth, ...declared } = nominal;
  const timescale = commonTimescale(parts.map(({ nominalTimescale }) => nominalTimescale));
  const tracks = parts.map((track) => {
    const { nominalTimescale, nominalBorders, presentationTimeOffset = firstNumber(nominalBorders) } = track;
    const borders = nominalBorders.map((border) => Math.round(border - presentationTimeOffset));
    const scaled = atTimescale({ timescale: nominalTimescale, borders, start: undefined }, timescale);
    return trackOf(track, scaled, declared.kind);
  });
  const language = declared.language ?? 'und';
  const rendition = { ...declared, language, codecs, bandwidth, averageBandwidth, timescale, tracks };
  return { rendition, where, unread: [], starts: [], moved: [], isFloating: true };
}

function commonTimescale(timescales: readonly number[]): number {
  const multiple = timescales.reduce(leastCommonMultiple);
  return multiple <= MAX_TIMESCALE ? multiple : timescales.reduce((a, b) => Math.max(a, b));
}

function atTimescale(each: Borders, target: number): Borders {
  const { timescale, borders, start, edits } = each;
  if (timescale === target) return each;
  const scaled = (ticks: number): number => Math.round(ticks * (target / timescale));
  return {
    timescale: target,
    borders: borders.map(scaled),
    start: start === undefined ? undefined : scaled(start),
    edits: edits && { shift: scaled(edits.shift), inBrowsers: scaled(edits.inBrowsers) },
  };
}

/** URLs that contain the time are listed one by one if the borders, or what browsers make of them, are not those times. */
function trackOf(
  { init, urls, count, nominalBorders, protection }: NominalTrack,
  { borders, edits }: Pick<Borders, 'borders' | 'edits'>,
  kind: NominalRendition['kind'],
): Track {
  const ignoredDelay = edits === undefined ? 0 : edits.shift - edits.inBrowsers;
  const priming = kind === 'audio' && edits !== undefined ? Math.max(0, -edits.inBrowsers) : 0;
  const isOther = ignoredDelay !== 0 || borders.some((border, i) => i < count && border !== nominalBorders[i]);
  const nominal = { urls, borders: nominalBorders };
  const isListed = urls.kind === 'time' && isOther;
  const kept = isListed ? packUrls(Array.from({ length: count }, (_, i) => segmentUrl(nominal, i).url)) : urls;
  const own = { ...(init && { init }), borders, urls: kept, ...(protection && { protection }) };
  return { ...own, ...(ignoredDelay === 0 ? {} : { ignoredDelay }), ...(priming === 0 ? {} : { priming }) };
}

type Described = Omit<Rendition, 'tracks' | 'timescale' | 'bandwidth' | 'averageBandwidth'>;

/**
 * What the manifest declares, completed from the media. Frame rate and kind always come from the media: manifests round
 * frame rates, and a CODECS list may omit the audio of a muxed rendition.
 */
function describe(nominal: NominalRendition, facts: MediaFacts): Described | Refusal {
  const { where: _where, tracks: _tracks, bandwidth: _peak, averageBandwidth: _mean, ...declared } = nominal;
  const { videoCodec, audioCodec, textCodec, frameRate, language, kind, transport } = facts;
  const [isVideo, isAudio] = [hasVideo(kind), hasAudio(kind)];
  if (hasVideo(declared.kind) ? !isVideo : declared.kind !== kind) {
    return { code: 'OTHER_KIND', refused: `its media must be ${declared.kind}; got ${kind}` };
  }
  const listed = declared.codecs?.split(',').map((codec) => codec.trim()) ?? [];
  const found = [
    isVideo ? reconcileCodec(codecsOf('video', listed), videoCodec) : undefined,
    isAudio ? reconcileCodec(codecsOf('audio', listed), audioCodec) : undefined,
    kind === 'text' ? reconcileCodec(codecsOf('text', listed), textCodec) : undefined,
  ].filter((codec) => codec !== undefined);
  const codecs = found.join(',') || declared.codecs || '';
  if (codecs === '') return { refused: 'neither the manifest (CODECS) nor the media name its codec' };
  const size = declared.width && declared.height ? declared : facts;
  const rate = frameRate ?? declared.frameRate;
  const sampleRate = declared.sampleRate ?? facts.sampleRate;
  const channels = declared.channels ?? facts.channels;
  return {
    ...declared,
    kind,
    codecs,
    ...(isVideo && size.width && size.height ? { width: size.width, height: size.height } : {}),
    ...(isVideo && rate ? { frameRate: rate } : {}),
    ...(isAudio && sampleRate ? { sampleRate } : {}),
    ...(isAudio && channels ? { channels } : {}),
    ...(transport === undefined ? {} : { transport }),
    ...(kind === 'video' ? {} : { language: declared.language ?? language ?? 'und' }),
  };
}

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

/** Manifests are often wrong about codecs, and decoders follow the media. */
function reconcileCodec(declared: string | undefined, found: string | undefined): string | undefined {
  if (declared === undefined || found === undefined) return declared ?? found;
  if (isLayered.test(declared) || isLayered.test(found)) return declared;
  if (family(declared) !== family(found) || isExact.test(found)) return found;
  return declared.includes('.') ? declared : found;
}
