// Where an asset may be cut: instants at which every rendition has a segment border, so that a span that ends there ends in
// all of them. It counts in flicks and whole frames; it refuses to know why anybody would cut.
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks, ticksToFlicks } from '../time/units.ts';
import type { RenditionKind } from './asset.ts';
import { type CutWarning, endWarning, movedWarning, startWarning, wanderWarning } from './cutWarnings.ts';

/** A rendition in one part, as far as cutting needs it. */
export type CutTrack = {
  /** For warnings. */
  readonly id: string;
  readonly kind: RenditionKind;
  readonly timescale: number;
  readonly borders: Float64Array;
  /** How much earlier browsers lay it (asset.ts), and how much they move it by an edit list; ticks. */
  readonly ignoredDelay?: number;
  readonly moved?: number;
  readonly codecs: string;
  /** Samples a second, of audio. */
  readonly sampleRate?: number;
  readonly frameRate?: FrameRate;
};

export type Cuts = {
  /** The media time at which the part starts. */
  readonly zero: Flicks;
  /** As long as its video segments, or up to the last cut point where renditions end raggedly and that costs little. */
  readonly duration: Flicks;
  /** Flicks after `zero`, ascending, 0 and `duration` included. */
  readonly cutPoints: Float64Array;
  /** How much later than `zero` those start that lag behind all along, by their ids. */
  readonly lags: ReadonlyMap<string, Flicks>;
  readonly warnings: readonly CutWarning[];
};

/** A track in flicks beside the reference. */
type Laid = {
  readonly id: string;
  /** How much later than the reference its media start, and how much later they do in browsers. */
  readonly start: number;
  readonly startInBrowsers: number;
  /** Without what it lags behind the reference all along, when it does. */
  readonly borders: Float64Array;
  readonly isLag: boolean;
  /** How far a border may lie from the reference's and still be the same border. */
  readonly reach: number;
  /** One frame: how much longer or shorter it may be without being ragged. */
  readonly slack: number;
};

/**
 * Pictures that are reordered without an edit list start two or three frames late in their own media time, and stay so. Every
 * seam of such an asset shows it, the first and the last too; that is no reason not to cut in between.
 */
const LONGEST_LAG = FLICKS_PER_SECOND / 10;
/** Ending early costs little up to one segment, and up to this share of the part. */
const LITTLE = 1 / 20;
/** Players bridge what is missing up to about this; at a longer hole they stand still. */
const LONGEST_HOLE = FLICKS_PER_SECOND / 2;

/** Samples of an audio frame (ISO/IEC 14496-3 4.5.1.1; ETSI TS 102 366 §4.1); AAC-HE counts them at twice its core's rate. */
function audioFrame(codecs: string, sampleRate: number): number {
  if (/(^|,)(ac-3|ec-3)/.test(codecs)) return 1536;
  if (/(^|,)opus/i.test(codecs)) return 960;
  return /mp4a\.40\.(5|29)\b/.test(codecs) && sampleRate > 24_000 ? 2048 : 1024;
}

const tickOf = (timescale: number): number => Math.ceil(FLICKS_PER_SECOND / timescale);

const delayOf = ({ ignoredDelay = 0, timescale }: CutTrack): number => ticksToFlicks(ignoredDelay, timescale);

function lay(track: CutTrack, reference: CutTrack, own: Float64Array): Laid {
  const told = track.borders.map((border) => ticksToFlicks(border, track.timescale));
  const start = told[0]! - own[0]!;
  const startInBrowsers = start - delayOf(track) + delayOf(reference);
  const { reach, slack } = track.kind === 'audio' ? audioReach(track) : pictureReach(track, reference);
  const shared = (borders: Float64Array): number => own.subarray(1).filter(withBorderNear(borders, reach)).length;
  const shifted = told.map((border) => border - start);
  const isLag = Math.abs(start) <= LONGEST_LAG && shared(shifted) > shared(told);
  return { id: track.id, start, startInBrowsers, borders: isLag ? shifted : told, isLag, reach, slack };
}

/** Audio is cut at its frames, so it may lie half a frame off, inclusive: 25 fps at 48 kHz ties. */
function audioReach({ codecs, timescale, sampleRate = 48_000 }: CutTrack): Pick<Laid, 'reach' | 'slack'> {
  const samples = audioFrame(codecs, sampleRate);
  const frame = (samples * FLICKS_PER_SECOND) / sampleRate;
  // Where a frame is no whole number of ticks, a border that is a tie may have been rounded away from it.
  const rounding = (samples * timescale) % sampleRate === 0 ? 0 : tickOf(timescale);
  return { reach: Math.floor(frame / 2) + rounding, slack: Math.ceil(frame) + rounding };
}

/** Pictures must be cut at the same instant, within the rounding of a tick. */
function pictureReach({ timescale, frameRate }: CutTrack, reference: CutTrack): Pick<Laid, 'reach' | 'slack'> {
  const { n, d } = frameRate ?? { n: 25, d: 1 };
  const tick = Math.max(tickOf(timescale), tickOf(reference.timescale));
  return { reach: tick, slack: Math.ceil((FLICKS_PER_SECOND * d) / n) + tick };
}

/**
 * @param tracks of one part; text does not constrain where it may be cut. At least one has pictures or sound; the first
 * with pictures is the reference
 */
export function findCutPoints(tracks: readonly CutTrack[]): Cuts {
  const played = tracks.filter(({ kind }) => kind !== 'text');
  const reference = played.find(({ kind }) => kind !== 'audio') ?? played[0]!;
  const own = reference.borders.map((border) => ticksToFlicks(border, reference.timescale));
  const others = played.filter((track) => track !== reference).map((track) => lay(track, reference, own));
  const zero = flicks(own[0]!);
  const end = own.at(-1)!;

  let common = own.subarray(1, -1);
  for (const { borders, reach } of others) common = common.filter(withBorderNear(borders, reach));

  const ragged = others.filter(({ borders, slack }) => distance(borders, end) > slack);
  const hole = Math.max(0, ...ragged.map(({ borders }) => end - borders.at(-1)!));
  const bearable = hole > LONGEST_HOLE ? hole + longest(own) : Math.min(longest(own), (end - zero) * LITTLE);
  const last = common.at(-1);
  const ending = ragged.length > 0 && last !== undefined && end - last <= bearable ? last : end;
  const inner = common.filter((border) => border < ending);
  return {
    zero,
    duration: flicks(ending - zero),
    cutPoints: Float64Array.from([0, ...inner.map((border) => border - zero), ending - zero]),
    lags: new Map(others.flatMap(({ id, start, isLag }) => (isLag ? [[id, flicks(start)]] : []))),
    warnings: [
      ...movedWarning(reference),
      ...others.flatMap((track) => startWarning(track, reference.id)),
      ...ragged.map((track) => endWarning(track, reference.id, end, ending)),
      ...(inner.length === 0 && own.length > 2 && ending === end
        ? [wanderWarning(reference.id, strayOf(own, others))]
        : []),
    ],
  };
}

/** For ascending instants: has `borders` one within `reach`? Walks along both. */
function withBorderNear(borders: Float64Array, reach: number): (instant: number) => boolean {
  let at = 0;
  return (instant) => {
    while (at + 1 < borders.length && Math.abs(borders[at + 1]! - instant) <= Math.abs(borders[at]! - instant)) at += 1;
    return Math.abs(borders[at]! - instant) <= reach;
  };
}

/** Who has none of the reference's inner borders. */
const strayOf = (own: Float64Array, others: readonly Laid[]): Laid | undefined =>
  others.find(({ borders, reach }) => own.subarray(1, -1).filter(withBorderNear(borders, reach)).length === 0);

const distance = (borders: Float64Array, instant: number): number =>
  borders.reduce((least, border) => Math.min(least, Math.abs(border - instant)), Number.POSITIVE_INFINITY);

const longest = (borders: Float64Array): number =>
  borders.reduce((most, border, i) => (i === 0 ? 0 : Math.max(most, border - borders[i - 1]!)), 0);
