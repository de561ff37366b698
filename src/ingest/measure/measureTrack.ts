// SPDX-License-Identifier: Apache-2.0
// Turns nominal borders into exact ones. Media times take precedence: the start times of the first, middle and last segment
// are read. An interval between two measured borders is filled from a prediction (predictBorders.ts) that is right at both
// of its ends; otherwise it is halved. Regular media cost a handful of small reads, irregular ones a read per segment.

import { unwrapTime } from '../../time/mpegClock.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';
import type { OpenedTrack } from './openedTrack.ts';
import { confirmed, disagreement, fillBorders, type Prediction, predictBorders } from './predictBorders.ts';

/** Intervals of at most this many segments are measured one by one if the manifest has been wrong before. */
const SHORT = 8;

/** @returns count + 1 borders in ticks of the opened track: earliest presentation times, and the end of the last segment */
export async function measureTrack(track: NominalTrack, opened: OpenedTrack): Promise<Float64Array | Refusal> {
  const { count, nominalBorders, nominalTimescale, presentationTimeOffset } = track;
  const { timescale, wrap } = opened;
  const last = count - 1;
  const nominalTicks = (index: number): number =>
    ((nominalBorders[index]! - nominalBorders[0]!) / nominalTimescale) * timescale;

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
  borders[count] = borders[last]! + (end.duration ?? Math.round(nominalTicks(count) - nominalTicks(last)));

  const isOnMediaTime = presentationTimeOffset !== undefined;
  const start = isOnMediaTime ? first - (nominalBorders[0]! / nominalTimescale) * timescale : undefined;
  const predictions = predictBorders(track, timescale, opened.frame, start);
  const isCoarse =
    !isOnMediaTime && nominalBorders.every((border) => (border - nominalBorders[0]!) % nominalTimescale === 0);
  let wasWrong = false;

  const matching = (candidates: readonly Prediction[], from: number, to: number): Prediction[] =>
    confirmed(candidates, from, to, borders[to]! - borders[from]!);
  /** Errors of neighbours may cancel out, so once the manifest was wrong, short intervals are measured in any case. */
  const isDoubtful = (from: number, to: number): boolean => wasWrong && (isCoarse || to - from <= SHORT);

  async function settle(from: number, to: number, candidates: readonly Prediction[]): Promise<Refusal | undefined> {
    if (to - from < 2) return undefined;
    const right = isDoubtful(from, to) ? [] : matching(candidates, from, to);
    const differing = disagreement(right, from, to);
    const isAgreed = right.length > 0 && differing === undefined;
    if (isAgreed && !wasWrong) return fill(right[0]!, from, to);
    const open = differing ?? (from + to) >> 1;
    const failed = await measure(open);
    if (failed !== undefined) return failed;
    // A prediction that was right at all three borders is kept. If there is none, all are tried on both halves.
    const proven = matching(right, from, open);
    if (isAgreed && proven.length > 0) return fill(proven[0]!, from, open) ?? fill(proven[0]!, open, to);
    return settleBoth(from, open, to, proven.length > 0 ? proven : predictions);
  }

  function fill(prediction: Prediction, from: number, to: number): undefined {
    fillBorders(borders, prediction, from, to);
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
    if (borders[i]! > borders[i - 1]!) continue;
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
