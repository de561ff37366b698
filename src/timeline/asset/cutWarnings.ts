// SPDX-License-Identifier: Apache-2.0
// Warnings about renditions that do not start or end together: what viewers may notice, one sentence each.
import { FLICKS_PER_SECOND, type Flicks, flicksToSeconds, ticksToFlicks } from '../../time/units.ts';
import { endOf } from './asset.ts';

export type CutWarning = {
  readonly code:
    | 'STARTS_LATE'
    | 'STARTS_EARLY'
    | 'ENDS_LATE'
    | 'ENDS_EARLY'
    | 'NO_COMMON_BORDER'
    | 'EMPTY_EDIT'
    | 'EDIT_LIST'
    | 'BEFORE_ZERO';
  /** True when the rendition is late or early by the same amount throughout. */
  readonly isLag?: true;
  /** True when the last segments of the part are not shown. */
  readonly isCut?: true;
  readonly text: string;
};

/** A rendition compared with the reference; times in flicks. */
export type ComparedTrack = {
  readonly id: string;
  /** How much later than the reference its media start, and how much later they start in browsers. */
  readonly start: number;
  readonly startInBrowsers: number;
  /** Its borders, without its lag if it has one. */
  readonly borders: Float64Array;
  /** True when all of it is late by `start`. */
  readonly isLag: boolean;
  /** One frame: the difference in duration that is not worth a warning. */
  readonly slack: number;
};

type MovedTrack = { readonly id: string; readonly timescale: number; readonly moved?: number };

const seconds = (duration: number): string => `${flicksToSeconds(Math.abs(duration) as Flicks).toFixed(3)} s`;

const inHls = 'in HLS, players may have a gap of this length at each cut; DASH compensates it';
const gap = 'players have a gap of this length';

/** Chromium bridges gaps of up to two frames, which are 43 ms of AAC at 48 kHz. */
const UNNOTICED = FLICKS_PER_SECOND / 25;

/** Browsers apply edit lists, but hls.js computes times without them, so the two differ at each border of a span. */
export function movedWarning({ id, moved = 0, timescale }: MovedTrack): CutWarning[] {
  const duration = ticksToFlicks(moved, timescale);
  if (Math.abs(duration) <= UNNOTICED) return [];
  const text = `the edit list of ${id} shifts it by ${seconds(duration)}; in HLS, hls.js has a gap of this length at each cut; DASH is not affected`;
  return [{ code: 'EDIT_LIST', text }];
}

/** @param unstated how much of its start is not shown. What audio repeats while its decoder starts is not content */
export function unstatedWarning(id: string, unstated: number): CutWarning[] {
  if (unstated <= UNNOTICED) return [];
  const text = `the edit list of ${id} moves its start to before media time 0, which DASH cannot state; the first ${seconds(unstated)} are not shown`;
  return [{ code: 'BEFORE_ZERO', text }];
}

const offset = (start: number): string => `${seconds(start)} ${start > 0 ? 'after' : 'before'}`;

export function startWarning(track: ComparedTrack, reference: string): CutWarning[] {
  const { id, start, startInBrowsers, isLag, slack } = track;
  if (startInBrowsers !== start && Math.abs(startInBrowsers) > slack) {
    const text = `browsers ignore the empty edit at the start of ${id} and start it ${offset(startInBrowsers)} ${reference} instead of ${offset(start)}; ${inHls}`;
    return [{ code: 'EMPTY_EDIT', ...(isLag ? { isLag } : {}), text }];
  }
  if (Math.abs(start) <= slack) return [];
  const starts = `${id} starts ${offset(start)} ${reference}`;
  const code = start > 0 ? 'STARTS_LATE' : 'STARTS_EARLY';
  if (isLag) return [{ code, isLag, text: `${starts} and keeps this distance; ${inHls}` }];
  const effect = start > 0 ? gap : 'the excess is cut off or overlaps the preceding media';
  return [{ code, text: `${starts}; ${effect}` }];
}

/** @param ending the end of the part; before `end` when its last segments are not used */
export function endWarning({ id, borders }: ComparedTrack, reference: string, end: number, ending: number): CutWarning {
  const late = endOf(borders) - end;
  const code = late > 0 ? 'ENDS_LATE' : 'ENDS_EARLY';
  const ends = `${id} ends ${offset(late)} ${reference}`;
  if (ending < end) {
    const text = `${ends}; the last ${seconds(end - ending)} are not shown, so that all renditions end together`;
    return { code, isCut: true, text };
  }
  const effect = late > 0 ? 'the excess is cut off or overlaps the following media' : gap;
  return { code, text: `${ends}; ${effect}` };
}

/** A rendition with a border at the end of the part, and with segments after it. */
export function excessWarning({ id, borders, slack }: ComparedTrack, reference: string, end: number): CutWarning[] {
  const late = endOf(borders) - end;
  if (late <= slack) return [];
  const text = `${id} ends ${offset(late)} ${reference}; its last ${seconds(late)} are not shown, because the part ends with ${reference}`;
  return [{ code: 'ENDS_LATE', isCut: true, text }];
}

/** @param unaligned the rendition that has no border of the reference, if there is a single one */
export function noCommonBorderWarning(reference: string, unaligned: ComparedTrack | undefined): CutWarning {
  const subject = unaligned === undefined ? 'the other renditions together have' : `${unaligned.id} has`;
  const text = `${subject} no segment border in common with ${reference}; breaks are possible only at the start and end of the asset`;
  return { code: 'NO_COMMON_BORDER', text };
}
