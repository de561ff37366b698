// One rendition, measured: exact borders in all parts, and what its manifest left open.
import type { Rendition, RenditionKind, Track } from '../../timeline/asset.ts';
import { packUrls, segmentUrl } from '../../timeline/segmentUrl.ts';
import { refuseUndeclared } from '../source/describeEncryption.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';
import type { UnreadStream } from '../source/transportStreams.ts';
import { codecsOf, reconcileCodec } from './codecKind.ts';
import { correctBandwidth, estimateBandwidth } from './estimateBandwidth.ts';
import { measureTrack } from './measureTrack.ts';
import type { MediaFacts, OpenedTrack } from './openedTrack.ts';
import type { TrackOpener } from './openTrack.ts';

export type MeasuredRendition = {
  readonly rendition: Rendition;
  readonly where: string;
  /** What of its media is not read. */
  readonly unread: readonly UnreadStream[];
  /** For each part the media time, in ticks, that the manifest says is its start (DASH presentationTimeOffset). */
  readonly starts: readonly (number | undefined)[];
  /** For each part how much browsers move it by an edit list, in ticks: hls.js lays it where it was before. */
  readonly moved: readonly number[];
  /** True when the borders count from the start of the part, because the media tell no time (WebVTT). */
  readonly isFloating: boolean;
};

/** Borders in the media's own timescale. */
type Borders = {
  readonly timescale: number;
  readonly borders: Float64Array;
  readonly start: number | undefined;
  readonly edits?: OpenedTrack['edits'] | undefined;
};
type Measured = Borders & { readonly track: NominalTrack };

/** Timescales of parts are brought to one; beyond this it would be too fine for whole numbers, and one is rounded. */
const FINEST = 1_000_000_000;

export async function measureRendition(
  nominal: NominalRendition,
  reader: MediaReader,
  open: TrackOpener,
): Promise<MeasuredRendition | Refusal> {
  if (nominal.container === 'vtt') return floating(nominal);
  const opened: OpenedTrack[] = [];
  for (const [part, each] of (await Promise.all(nominal.tracks.map(open))).entries()) {
    if ('refused' in each) return inPart(each, part, nominal.tracks.length);
    opened.push(each);
  }
  // The beginning of an encrypted film may be clear, under the same initialisation section.
  const isDeclared = nominal.tracks.some(({ protection }) => protection !== undefined);
  const locked = isDeclared ? undefined : opened.find(({ facts }) => facts.encryption !== undefined);
  if (locked !== undefined) return refuseUndeclared(locked.facts.encryption!);
  const measured: Measured[] = [];
  const measuring = nominal.tracks.map((track, part) => measureWhole(nominal, track, opened[part]!));
  for (const [part, each] of (await Promise.all(measuring)).entries()) {
    if ('refused' in each) return inPart(each, part, nominal.tracks.length);
    measured.push(each);
  }
  const timescale = commonTimescale(measured.map((each) => each.timescale));
  const scaled = measured.map((each) => atTimescale(each, timescale));
  const tracks = scaled.map((each, part) => trackOf(measured[part]!.track, each));
  const described = describe(nominal, opened[0]!.facts);
  if ('refused' in described) return described;
  const rates = await bandwidthOf(nominal, tracks, timescale, reader);
  return {
    rendition: { ...described, ...rates, timescale, tracks },
    where: nominal.where,
    unread: opened[0]!.facts.unread ?? [],
    starts: scaled.map(({ start }) => start),
    moved: scaled.map(({ edits }) => edits?.inBrowsers ?? 0),
    isFloating: false,
  };
}

/** Segments are counted from 0 in each part: without the part, messages would name the wrong ones. */
const inPart = (refusal: Refusal, part: number, parts: number): Refusal =>
  part === 0 && parts === 1
    ? refusal
    : {
        ...refusal,
        refused: `part ${part + 1} of ${parts} (parts begin at a discontinuity, and where the key or the map changes): ${refusal.refused}`,
      };

function bandwidthOf(
  { kind, tracks: nominal, bandwidth, averageBandwidth = bandwidth }: NominalRendition,
  tracks: readonly Track[],
  timescale: number,
  reader: MediaReader,
) {
  if (bandwidth === undefined) return estimateBandwidth(nominal, tracks, timescale, reader);
  const told = { bandwidth, averageBandwidth: averageBandwidth! };
  return kind === 'text' ? told : correctBandwidth(told, nominal, tracks, timescale, reader);
}

/** Without the last segment where only the rounded or longer length of the Period implied it, and there is none. */
async function measureWhole(
  nominal: NominalRendition,
  track: NominalTrack,
  opened: OpenedTrack,
): Promise<Measured | Refusal> {
  const all = await measure(nominal, track, opened);
  if (!('refused' in all)) return { ...all, track };
  if (!all.isMissing || !track.isLastImplied || track.count < 2) return all;
  const listed = { ...track, count: track.count - 1, nominalBorders: track.nominalBorders.slice(0, -1) };
  const rest = await measure(nominal, listed, opened);
  return 'refused' in rest ? rest : { ...rest, track: listed };
}

async function measure(
  { kind }: NominalRendition,
  track: NominalTrack,
  opened: OpenedTrack,
): Promise<Borders | Refusal> {
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
  // Text has samples only where something is said: its media times are no borders. The manifest's are.
  const first = start === undefined ? await opened.startOf(0) : Math.round(nominalBorders[0]! * scale);
  if (typeof first !== 'number') return first;
  const borders = nominalBorders.map((border) => first + Math.round((border - nominalBorders[0]!) * scale));
  return { timescale: opened.timescale, borders, start };
}

/** Sidecar text: the manifest's times are all there is. */
function floating(nominal: NominalRendition): MeasuredRendition {
  const { where, tracks: parts, codecs = '', bandwidth = 0, averageBandwidth = bandwidth, ...said } = nominal;
  const timescale = commonTimescale(parts.map(({ nominalTimescale }) => nominalTimescale));
  const tracks = parts.map((track) => {
    const { nominalTimescale, nominalBorders, presentationTimeOffset = nominalBorders[0]! } = track;
    const borders = nominalBorders.map((border) => Math.round(border - presentationTimeOffset));
    return trackOf(track, atTimescale({ timescale: nominalTimescale, borders, start: undefined }, timescale));
  });
  const language = said.language ?? 'und';
  const rendition = { ...said, language, codecs, bandwidth, averageBandwidth, timescale, tracks };
  return { rendition, where, unread: [], starts: [], moved: [], isFloating: true };
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

function commonTimescale(timescales: readonly number[]): number {
  const multiple = timescales.reduce((a, b) => (a / divisor(a, b)) * b);
  return multiple <= FINEST ? multiple : timescales.reduce((a, b) => Math.max(a, b));
}

function atTimescale(each: Borders, wanted: number): Borders {
  const { timescale, borders, start, edits } = each;
  if (timescale === wanted) return each;
  const scaled = (ticks: number): number => Math.round(ticks * (wanted / timescale));
  return {
    timescale: wanted,
    borders: borders.map(scaled),
    start: start === undefined ? undefined : scaled(start),
    edits: edits && { shift: scaled(edits.shift), inBrowsers: scaled(edits.inBrowsers) },
  };
}

/** URLs that tell the time stay so only while the borders are what they tell (timeline/asset.ts), in browsers too. */
function trackOf(
  { init, urls, count, nominalBorders, protection }: NominalTrack,
  { borders, edits }: Pick<Borders, 'borders' | 'edits'>,
): Track {
  const ignoredDelay = edits === undefined ? 0 : edits.shift - edits.inBrowsers;
  const isOther = ignoredDelay !== 0 || borders.some((border, i) => i < count && border !== nominalBorders[i]);
  const nominal = { urls, borders: nominalBorders };
  const isListed = urls.kind === 'time' && isOther;
  const kept = isListed ? packUrls(Array.from({ length: count }, (_, i) => segmentUrl(nominal, i).url)) : urls;
  return {
    ...(init && { init }),
    borders,
    urls: kept,
    ...(protection && { protection }),
    ...(ignoredDelay === 0 ? {} : { ignoredDelay }),
  };
}

type Described = Omit<Rendition, 'tracks' | 'timescale' | 'bandwidth' | 'averageBandwidth'>;

const isPicture = (kind: RenditionKind): boolean => kind === 'video' || kind === 'muxed';

/**
 * The manifest's word, and the media's where it has none. Frame rates are the media's, because manifests round them, and so
 * is the kind: a manifest that names the pictures alone may mean both. Codecs are what decodes (codecKind.ts).
 */
function describe(nominal: NominalRendition, facts: MediaFacts): Described | Refusal {
  const { where: _where, tracks: _tracks, bandwidth: _peak, averageBandwidth: _mean, ...said } = nominal;
  const { videoCodec, audioCodec, textCodec, frameRate, language, kind, transport } = facts;
  if (isPicture(said.kind) ? !isPicture(kind) : said.kind !== kind) {
    return { code: 'OTHER_KIND', refused: `${said.kind} is wanted, its media are ${kind}` };
  }
  const listed = said.codecs?.split(',').map((codec) => codec.trim()) ?? [];
  const found = [
    isPicture(kind) ? reconcileCodec(codecsOf('video', listed), videoCodec) : undefined,
    kind === 'audio' || kind === 'muxed' ? reconcileCodec(codecsOf('audio', listed), audioCodec) : undefined,
    kind === 'text' ? reconcileCodec(codecsOf('text', listed), textCodec) : undefined,
  ].filter((codec) => codec !== undefined);
  const codecs = found.join(',') || said.codecs || '';
  if (codecs === '') return { refused: 'neither the manifest nor the media say which codec it is' };
  const isSeen = isPicture(kind);
  const isHeard = kind === 'audio' || kind === 'muxed';
  const size = said.width && said.height ? said : facts;
  const rate = frameRate ?? said.frameRate;
  const sampleRate = said.sampleRate ?? facts.sampleRate;
  const channels = said.channels ?? facts.channels;
  return {
    ...said,
    kind,
    codecs,
    ...(isSeen && size.width && size.height ? { width: size.width, height: size.height } : {}),
    ...(isSeen && rate ? { frameRate: rate } : {}),
    ...(isHeard && sampleRate ? { sampleRate } : {}),
    ...(isHeard && channels ? { channels } : {}),
    ...(transport === undefined ? {} : { transport }),
    ...(kind === 'video' ? {} : { language: said.language ?? language ?? 'und' }),
  };
}
