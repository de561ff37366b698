// Where the borders of a track must lie if its manifest is right: nominal times, which are rounded, laid on the grid of its
// frames, which is not. Several readings of a manifest are possible; the media decide which of them is true.

import type { NominalTrack } from '../source/presentation.ts';
import type { FrameLength } from './openedTrack.ts';

/** One reading: ticks of each border after border 0, fractions where a frame is no whole number of ticks. */
export type Reading = {
  readonly offsets: Float64Array;
  /** How far a measured border may be off and still confirm the reading: ticks are whole, the grid may not be. */
  readonly tolerance: number;
};

type Nominal = Pick<NominalTrack, 'nominalBorders' | 'nominalTimescale'>;

/** Decimals and doubles are not exact to the last digit; a frame's ten-thousandth is no difference. */
const EPSILON = 1e-4;
/** A duration that is further than this from whole frames is no rounded number of frames. */
const DOUBT = 0.25;

const roundings: readonly ((frames: number) => number)[] = [
  (frames) => Math.floor(frames + 0.5 + EPSILON),
  (frames) => Math.ceil(frames - 0.5 - EPSILON),
  (frames) => Math.floor(frames + EPSILON),
  (frames) => Math.ceil(frames - EPSILON),
];

/**
 * @param start where the media start, in ticks after nominal border 0; absent when the manifest tells durations and no
 * media time
 */
export function readingsOf(
  { nominalBorders, nominalTimescale }: Nominal,
  timescale: number,
  frame: FrameLength | undefined,
  start: number | undefined,
): Reading[] {
  const origin = nominalBorders[0]!;
  const told = nominalBorders.map((border) => ((border - origin) / nominalTimescale) * timescale);
  // Times of the media's own clock, or a finer one, may be the very borders. Sums of rounded durations never are.
  const isFine = start !== undefined && (frame !== undefined || nominalTimescale >= timescale);
  const asTold = isFine ? [{ offsets: told.map((offset) => Math.round(offset)), tolerance: 0.5 }] : [];
  if (frame === undefined) return asTold;
  const ticks = frame.ticks / frame.frames;
  const tolerance = Number.isInteger(ticks) ? 0.5 : 1.5;
  // Packagers cut at the frame nearest to, before or after the time that they were asked to cut at …
  const snapped = roundings.map((round) => {
    const offsets = told.map((offset, i) => (i === 0 ? 0 : round((offset - (start ?? 0)) / ticks) * ticks));
    return { offsets, tolerance };
  });
  // … or tell the duration of each segment, rounded (EXTINF), so that the errors add up unless each is mended.
  return [{ offsets: sumOfFrames(told, ticks), tolerance }, ...snapped, ...asTold];
}

/** A duration that is no whole number of frames even roughly is left as it is, and so confirms nothing around it. */
function sumOfFrames(told: Float64Array, ticks: number): Float64Array {
  const offsets = new Float64Array(told.length);
  for (let i = 1; i < told.length; i += 1) {
    const frames = (told[i]! - told[i - 1]!) / ticks;
    const isWhole = Math.round(frames) > 0 && Math.abs(frames - Math.round(frames)) <= DOUBT;
    offsets[i] = offsets[i - 1]! + (isWhole ? Math.round(frames) : frames) * ticks;
  }
  return offsets;
}

/** The readings that the media confirm between two measured borders; no segment lasts nothing. */
export const confirmed = (readings: readonly Reading[], from: number, to: number, measured: number): Reading[] =>
  readings.filter(({ offsets, tolerance }) => {
    if (Math.abs(offsets[to]! - offsets[from]! - measured) > tolerance) return false;
    for (let i = from; i < to; i += 1) if (offsets[i + 1]! <= offsets[i]!) return false;
    return true;
  });

/** A border between two others on which readings differ, the middle one of them; undefined when they agree. */
export function disagreement(readings: readonly Reading[], from: number, to: number): number | undefined {
  const [first, ...others] = readings;
  const differing: number[] = [];
  if (others.length === 0) return undefined;
  for (let i = from + 1; i < to; i += 1) {
    const offset = first!.offsets[i]! - first!.offsets[from]!;
    const isDifferent = others.some(({ offsets, tolerance }) => {
      const limit = Math.max(tolerance, first!.tolerance);
      return Math.abs(offsets[i]! - offsets[from]! - offset) > limit;
    });
    if (isDifferent) differing.push(i);
  }
  return differing[differing.length >> 1];
}

/** Fills the borders between two measured ones as a confirmed reading has them. */
export function fillBorders(borders: Float64Array, { offsets }: Reading, from: number, to: number): void {
  const error = borders[to]! - borders[from]! - (offsets[to]! - offsets[from]!);
  for (let i = from + 1; i < to; i += 1) {
    const share = (error * (i - from)) / (to - from);
    borders[i] = Math.round(borders[from]! + offsets[i]! - offsets[from]! + share);
  }
}
