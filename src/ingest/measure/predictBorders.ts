// SPDX-License-Identifier: Apache-2.0
// Predicts where the borders of a track are if its manifest is right: nominal times, which are rounded, moved to frame
// boundaries, which are exact. A manifest can be interpreted in several ways; measured borders decide which one applies.

import type { NominalTrack } from '../source/presentation.ts';
import type { FrameLength } from './openedTrack.ts';

/** One interpretation of the manifest. */
export type Prediction = {
  /** Ticks of each border after border 0; fractions if a frame is not a whole number of ticks. */
  readonly offsets: Float64Array;
  /** How far a measured border may differ and still confirm the prediction: measured ticks are whole numbers. */
  readonly tolerance: number;
};

type Nominal = Pick<NominalTrack, 'nominalBorders' | 'nominalTimescale'>;

/** In frames. Smaller differences come from decimals and floating-point arithmetic. */
const EPSILON = 1e-4;
/** In frames. A duration that is further from a whole number of frames is not a rounded one. */
const MAX_ROUNDING = 0.25;

const roundings: readonly ((frames: number) => number)[] = [
  (frames) => Math.floor(frames + 0.5 + EPSILON),
  (frames) => Math.ceil(frames - 0.5 - EPSILON),
  (frames) => Math.floor(frames + EPSILON),
  (frames) => Math.ceil(frames - EPSILON),
];

/** @param start of the media, in ticks after nominal border 0; undefined if the manifest has durations and no media time */
export function predictBorders(
  { nominalBorders, nominalTimescale }: Nominal,
  timescale: number,
  frame: FrameLength | undefined,
  start: number | undefined,
): Prediction[] {
  const origin = nominalBorders[0]!;
  const nominal = nominalBorders.map((border) => ((border - origin) / nominalTimescale) * timescale);
  // Times in the media's timescale or a finer one may be the exact borders. Sums of rounded durations never are.
  const isFine = start !== undefined && (frame !== undefined || nominalTimescale >= timescale);
  const unchanged = isFine ? [{ offsets: nominal.map((offset) => Math.round(offset)), tolerance: 0.5 }] : [];
  if (frame === undefined) return unchanged;
  const ticks = frame.ticks / frame.frames;
  const tolerance = Number.isInteger(ticks) ? 0.5 : 1.5;
  // Packagers cut at the frame nearest to, before or after their segment duration …
  const snapped = roundings.map((round) => {
    const offsets = nominal.map((offset, i) => (i === 0 ? 0 : round((offset - (start ?? 0)) / ticks) * ticks));
    return { offsets, tolerance };
  });
  // … or write the duration of each segment, rounded (EXTINF), so that errors add up unless each one is corrected.
  return [{ offsets: sumOfFrames(nominal, ticks), tolerance }, ...snapped, ...unchanged];
}

/** A duration that is not even roughly a whole number of frames is kept as it is, and so confirms nothing near it. */
function sumOfFrames(nominal: Float64Array, ticks: number): Float64Array {
  const offsets = new Float64Array(nominal.length);
  for (let i = 1; i < nominal.length; i += 1) {
    const frames = (nominal[i]! - nominal[i - 1]!) / ticks;
    const isWhole = Math.round(frames) > 0 && Math.abs(frames - Math.round(frames)) <= MAX_ROUNDING;
    offsets[i] = offsets[i - 1]! + (isWhole ? Math.round(frames) : frames) * ticks;
  }
  return offsets;
}

/** The predictions that agree with the measured distance of two borders and in which every segment has a duration. */
export const confirmed = (
  predictions: readonly Prediction[],
  from: number,
  to: number,
  measured: number,
): Prediction[] =>
  predictions.filter(({ offsets, tolerance }) => {
    if (Math.abs(offsets[to]! - offsets[from]! - measured) > tolerance) return false;
    for (let i = from; i < to; i += 1) if (offsets[i + 1]! <= offsets[i]!) return false;
    return true;
  });

/** The middle one of the borders on which predictions differ. @returns undefined if they agree */
export function disagreement(predictions: readonly Prediction[], from: number, to: number): number | undefined {
  const [first, ...others] = predictions;
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

/** Fills the borders between two measured ones from a confirmed prediction. */
export function fillBorders(borders: Float64Array, { offsets }: Prediction, from: number, to: number): void {
  const error = borders[to]! - borders[from]! - (offsets[to]! - offsets[from]!);
  for (let i = from + 1; i < to; i += 1) {
    const share = (error * (i - from)) / (to - from);
    borders[i] = Math.round(borders[from]! + offsets[i]! - offsets[from]! + share);
  }
}
