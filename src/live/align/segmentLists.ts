// SPDX-License-Identifier: Apache-2.0
// The segments of a rendition, as a reading lists them.

import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, flicks, flicksToTicks } from '../../time/units.ts';
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { OriginReading, OriginSegment } from '../origin.ts';
import { lengthOf } from '../slot.ts';

export type SegmentList = readonly OriginSegment[];

/** Longer segments are mistakes of the origin. */
const LONGEST = 3600 * FLICKS_PER_SECOND;

/** The segments of all rungs, without those that have no usable number or duration. Numbers ascend. */
export const usableLists = ({ renditions }: OriginReading): SegmentList[] =>
  renditions.map(({ segments }) => {
    let last = Number.NEGATIVE_INFINITY;
    const isUsable = ({ number, duration }: OriginSegment): boolean => {
      if (!Number.isSafeInteger(number) || number <= last) return false;
      if (!Number.isSafeInteger(duration) || duration <= 0 || duration > LONGEST) return false;
      last = number;
      return true;
    };
    const bad = segments.findIndex((segment) => !isUsable(segment));
    return bad < 0 ? segments : [...segments.slice(0, bad), ...segments.slice(bad).filter(isUsable)];
  });

/** @throws {InvariantError} if none is listed there */
export const segmentAt = (list: SegmentList, index: number): OriginSegment =>
  defined(list[index], 'a segment is listed at this index');

/** The index of the first segment whose number is greater. */
export const indexAfter = (list: SegmentList, number: number): number =>
  countWhile(list.length, (index) => segmentAt(list, index).number <= number);

/** In flicks. */
export const durationOf = (list: SegmentList, from: number, to: number): number => lengthOf(list.slice(from, to));

/** Whether an origin changes its stretch between a segment and the one before it, both listed. */
export const startsStretch = (list: SegmentList, index: number): boolean =>
  index > 0 && index < list.length && list[index]?.stretch !== list[index - 1]?.stretch;

const rangeText = ({ range }: MediaRef): string => (range === undefined ? '' : `#${range.start}+${range.length}`);

export const isSameRef = (a: MediaRef | undefined, b: MediaRef | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.url === b.url && rangeText(a) === rangeText(b));

/** What stays the same when hosts, folders and queries carry tokens that change: the name of the file. */
export const nameOf = (ref: MediaRef | undefined): string =>
  ref === undefined ? '' : ref.url.replace(/[?#].*/s, '').replace(/.*\//s, '') + rangeText(ref);

/** A border of a rendition: before segment `index`, or after the last one. */
export type Border = {
  readonly index: number;
  /** Flicks after the instant that was looked for. */
  readonly misfit: number;
};

/** @param from any border of the list, with its distance from the instant that is looked for */
export function nearestBorder(list: SegmentList, { index, misfit }: Border, least = 0): Border {
  let [at, distance] = [index, misfit];
  for (let own = list[at]; own !== undefined && distance < -own.duration / 2; own = list[at]) {
    distance += own.duration;
    at += 1;
  }
  for (let own = list[at - 1]; at > least && own !== undefined && distance > own.duration / 2; own = list[at - 1]) {
    distance -= own.duration;
    at -= 1;
  }
  return { index: at, misfit: distance };
}

/** The first segment from which on no more than `history` milliseconds are listed. At least one is. */
export function withinHistory(own: SegmentList, from: number, history: number): number {
  let left = history * FLICKS_PER_MILLI;
  let index = own.length;
  for (const { duration } of own.slice(from).reverse()) {
    if (index < own.length && duration > left) break;
    index -= 1;
    left -= duration;
  }
  return index;
}

type Timed = Pick<OriginSegment, 'mediaTime' | 'duration'>;

/** Durations of playlists are rounded, and media times are counted from them for up to a minute. */
const TOLERANCE = flicks(FLICKS_PER_SECOND / 2);

/**
 * Whether the media of a segment continue those of the one before it. Encoders jump without an EXT-X-DISCONTINUITY (RFC 8216
 * §4.3.2.3), and MPDs without a Period. Times that are not known continue.
 */
export function continuesMedia(before: Timed | undefined, segment: Timed | undefined, timescale?: number): boolean {
  if (timescale === undefined || before?.mediaTime === undefined || segment?.mediaTime === undefined) return true;
  const expected = before.mediaTime + flicksToTicks(before.duration, timescale);
  return Math.abs(segment.mediaTime - expected) <= flicksToTicks(TOLERANCE, timescale);
}
