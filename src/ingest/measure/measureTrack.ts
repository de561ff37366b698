// From nominal borders to exact ones. Media times win: the first, the middle and the last segment are asked when they
// start, and a stretch between two answers is accepted when a reading of the manifest is right at both its ends; else it is
// halved. A regular film costs a handful of small reads, an irregular one a read for each segment.

import type { NominalTrack, Refusal } from '../source/presentation.ts';
import type { OpenedTrack } from './openedTrack.ts';
import { confirmed, disagreement, fillBorders, type Reading, readingsOf } from './predictBorders.ts';

/** Segments of a stretch that is read through when the manifest is in doubt. */
const SHORT = 8;

/**
 * @returns count + 1 borders in ticks of the opened track: earliest presentation times, and the end of the last segment
 */
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

  /** The time nearest to what the manifest leads to expect: 33 bits of 90 kHz begin anew after a day. */
  const unwrapped = (time: number, index: number): number => {
    if (wrap === undefined) return time;
    return time + wrap * Math.round((first + nominalTicks(index) - time) / wrap);
  };
  borders[last] = last === 0 ? first : unwrapped(end.start, last);
  borders[count] = borders[last]! + (end.duration ?? Math.round(nominalTicks(count) - nominalTicks(last)));

  const isOnMediaTime = presentationTimeOffset !== undefined;
  const start = isOnMediaTime ? first - (nominalBorders[0]! / nominalTimescale) * timescale : undefined;
  const readings = readingsOf(track, timescale, opened.frame, start);
  const isCoarse =
    !isOnMediaTime && nominalBorders.every((border) => (border - nominalBorders[0]!) % nominalTimescale === 0);
  let wasWrong = false;

  const rightOf = (candidates: readonly Reading[], from: number, to: number): Reading[] =>
    confirmed(candidates, from, to, borders[to]! - borders[from]!);
  /** Errors of neighbours may cancel out: once the manifest was wrong, short stretches are read whatever it says. */
  const isDoubted = (from: number, to: number): boolean => wasWrong && (isCoarse || to - from <= SHORT);

  async function settle(from: number, to: number, candidates: readonly Reading[]): Promise<Refusal | undefined> {
    if (to - from < 2) return undefined;
    const right = isDoubted(from, to) ? [] : rightOf(candidates, from, to);
    const differing = disagreement(right, from, to);
    const isAgreed = right.length > 0 && differing === undefined;
    if (isAgreed && !wasWrong) return fill(right[0]!, from, to);
    const open = differing ?? (from + to) >> 1;
    const failed = await measure(open);
    if (failed !== undefined) return failed;
    // A reading that was right at all three borders goes on alone; where none was, all are tried on the halves.
    const proven = rightOf(right, from, open);
    if (isAgreed && proven.length > 0) return fill(proven[0]!, from, open) ?? fill(proven[0]!, open, to);
    return settleBoth(from, open, to, proven.length > 0 ? proven : readings);
  }

  function fill(reading: Reading, from: number, to: number): undefined {
    fillBorders(borders, reading, from, to);
  }

  async function measure(index: number): Promise<Refusal | undefined> {
    const time = await opened.startOf(index);
    if (typeof time !== 'number') return time;
    borders[index] = unwrapped(time, index);
    return undefined;
  }

  async function settleBoth(from: number, middle: number, to: number, candidates: readonly Reading[]) {
    wasWrong ||= [rightOf(candidates, from, middle), rightOf(candidates, middle, to)].some(
      (right) => right.length === 0,
    );
    const halves = [settle(from, middle, candidates), settle(middle, to, candidates)];
    const [left, right] = await Promise.all(halves);
    return left ?? right;
  }

  const middle = last >> 1;
  const failed = last < 2 ? undefined : ((await measure(middle)) ?? (await settleBoth(0, middle, last, readings)));
  return failed ?? inOrder(borders);
}

function inOrder(borders: Float64Array): Float64Array | Refusal {
  for (let i = 1; i < borders.length; i += 1) {
    if (borders[i]! > borders[i - 1]!) continue;
    const [came, before] = [borders[i], borders[i - 1]];
    return i === borders.length - 1
      ? {
          code: 'NO_DURATION',
          refused: `segment ${i - 1} must last longer than nothing, its media start at ${before} and end at ${came}`,
        }
      : {
          code: 'NO_ORDER',
          refused: `segment ${i} must start after segment ${i - 1}, its media start at ${came}, the other's at ${before}: media time goes back there, and no discontinuity is declared between them (EXT-X-DISCONTINUITY, a Period)`,
        };
  }
  return borders;
}
