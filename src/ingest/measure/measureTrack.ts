// SPDX-License-Identifier: Apache-2.0
// Turns nominal borders into exact ones. Media times take precedence: the start times of the first, middle and last segment
// are read. An interval between two measured borders is filled from a prediction that is right at both
// of its ends; otherwise it is halved. Regular media cost a handful of small reads, irregular ones a read per segment.
import { unwrapTime } from '../../time/mpegClock.ts';
import { firstNumber, numberAt } from '../../time/row.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';
import type { FrameLength, OpenedTrack } from './openedTrack.ts';

/** Intervals of at most this many segments are measured one by one if the manifest has been wrong before. */
const SHORT = 8;

/** @returns count + 1 borders in ticks of the opened track: earliest presentation times, and the end of the last segment */
export async function measureTrack(track: NominalTrack, opened: OpenedTrack): Promise<Float64Array | Refusal> {
  const { count, nominalBorders, nominalTimescale, presentationTimeOffset } = track;
  const { timescale, wrap } = opened;
  const last = count - 1;
  const nominalTicks = (index: number): number =>
    ((numberAt(nominalBorders, index) - firstNumber(nominalBorders)) / nominalTimescale) * timescale;

  const borders = new Float64Array(count + 1);
  const first = await opened.startOf(0);
  if (typeof first !== 'number') return first;
  borders[0] = first;
  const end = await opened.spanOf(last);
  if ('refused' in end) return end;

  /** The time nearest to the manifest's: 33-bit time stamps wrap after about a day. */
  const unwrapped = (time: number, index: number): number =>
    wrap === undefined ? time : unwrapTime(time, first + nominalTicks(index), wrap);
  borders[last] = last === 0 ? first : unwrapped(end.start, last);
  borders[count] = numberAt(borders, last) + (end.duration ?? Math.round(nominalTicks(count) - nominalTicks(last)));

  const isOnMediaTime = presentationTimeOffset !== undefined;
  const start = isOnMediaTime ? first - (firstNumber(nominalBorders) / nominalTimescale) * timescale : undefined;
  const predictions = predictBorders(track, timescale, opened.frame, start);
  const isCoarse =
    !isOnMediaTime && nominalBorders.every((border) => (border - firstNumber(nominalBorders)) % nominalTimescale === 0);
  let wasWrong = false;

  const matching = (candidates: readonly Prediction[], from: number, to: number): Prediction[] =>
    confirmed(candidates, from, to, numberAt(borders, to) - numberAt(borders, from));
  /** Errors of neighbours may cancel out, so once the manifest was wrong, short intervals are measured in any case. */
  const isDoubtful = (from: number, to: number): boolean => wasWrong && (isCoarse || to - from <= SHORT);

  async function settle(from: number, to: number, candidates: readonly Prediction[]): Promise<Refusal | undefined> {
    if (to - from < 2) return undefined;
    const right = isDoubtful(from, to) ? [] : matching(candidates, from, to);
    const differing = disagreement(right, from, to);
    const agreed = differing === undefined ? right[0] : undefined;
    if (agreed !== undefined && !wasWrong) return fillBorders(borders, agreed, from, to);
    const open = differing ?? (from + to) >> 1;
    const failed = await measure(open);
    if (failed !== undefined) return failed;
    // A prediction that was right at all three borders is kept. If there is none, all are tried on both halves.
    const proven = matching(right, from, open);
    const [best] = proven;
    if (agreed !== undefined && best !== undefined)
      return fillBorders(borders, best, from, open) ?? fillBorders(borders, best, open, to);
    return settleBoth(from, open, to, best === undefined ? predictions : proven);
  }

  async function measure(index: number): Promise<Refusal | undefined> {
    const time = await opened.startOf(index);
    if (typeof time !== 'number') return time;
    borders[index] = unwrapped(time, index);
    return undefined;
  }

  async function settleBoth(from: number, middle: number, to: number, candidates: readonly Prediction[]) {
    wasWrong ||= [matching(candidates, from, middle), matching(candidates, middle, to)].some(
      (right) => right.length === 0,
    );
    const halves = [settle(from, middle, candidates), settle(middle, to, candidates)];
    const [left, right] = await Promise.all(halves);
    return left ?? right;
  }

  const middle = last >> 1;
  const failed = last < 2 ? undefined : ((await measure(middle)) ?? (await settleBoth(0, middle, last, predictions)));
  return failed ?? inOrder(borders);
}

function inOrder(borders: Float64Array): Float64Array | Refusal {
  for (let i = 1; i < borders.length; i += 1) {
    if (numberAt(borders, i) > numberAt(borders, i - 1)) continue;
    const [start, before] = [borders[i], borders[i - 1]];
    return i === borders.length - 1
      ? {
          code: 'NO_DURATION',
          refused: `segment ${i - 1} must have a duration; its media start at ${before} and end at ${start}`,
        }
      : {
          code: 'NO_ORDER',
          refused: `segment ${i} must start after segment ${i - 1}; its media time is ${start} and that of the segment before is ${before}. If the content changes there, declare a discontinuity (EXT-X-DISCONTINUITY or a new Period)`,
        };
  }
  return borders;
}

// Predicts where the borders of a track are if its manifest is right: nominal times, which are rounded, moved to frame
// boundaries, which are exact. A manifest can be interpreted in several ways; measured borders decide which one applies.

type Prediction = {
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
function predictBorders(track: Nominal, timescale: number, frame?: FrameLength, start?: number): Prediction[] {
  const { nominalBorders, nominalTimescale } = track;
  const origin = firstNumber(nominalBorders);
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
    const frames = (numberAt(nominal, i) - numberAt(nominal, i - 1)) / ticks;
    const isWhole = Math.round(frames) > 0 && Math.abs(frames - Math.round(frames)) <= MAX_ROUNDING;
    offsets[i] = numberAt(offsets, i - 1) + (isWhole ? Math.round(frames) : frames) * ticks;
  }
  return offsets;
}

/** The predictions that agree with the measured distance of two borders and in which every segment has a duration. */
const confirmed = (predictions: readonly Prediction[], from: number, to: number, measured: number): Prediction[] =>
  predictions.filter(({ offsets, tolerance }) => {
    if (Math.abs(numberAt(offsets, to) - numberAt(offsets, from) - measured) > tolerance) return false;
    for (let i = from; i < to; i += 1) if (numberAt(offsets, i + 1) <= numberAt(offsets, i)) return false;
    return true;
  });

/** The middle one of the borders on which predictions differ. @returns undefined if they agree */
function disagreement(predictions: readonly Prediction[], from: number, to: number): number | undefined {
  const [first, ...others] = predictions;
  const differing: number[] = [];
  if (first === undefined || others.length === 0) return undefined;
  for (let i = from + 1; i < to; i += 1) {
    const offset = numberAt(first.offsets, i) - numberAt(first.offsets, from);
    const isDifferent = others.some(({ offsets, tolerance }) => {
      const limit = Math.max(tolerance, first.tolerance);
      return Math.abs(numberAt(offsets, i) - numberAt(offsets, from) - offset) > limit;
    });
    if (isDifferent) differing.push(i);
  }
  return differing[differing.length >> 1];
}

/** Fills the borders between two measured ones from a confirmed prediction. */
function fillBorders(borders: Float64Array, { offsets }: Prediction, from: number, to: number): undefined {
  const error = numberAt(borders, to) - numberAt(borders, from) - (numberAt(offsets, to) - numberAt(offsets, from));
  for (let i = from + 1; i < to; i += 1) {
    const share = (error * (i - from)) / (to - from);
    borders[i] = Math.round(numberAt(borders, from) + numberAt(offsets, i) - numberAt(offsets, from) + share);
  }
}
