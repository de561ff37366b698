// SPDX-License-Identifier: Apache-2.0
// What was delivered of an ad, derived from requested segments. An event is delivered when every segment from the ad's first
// to the one at the event's time was requested, in any order and quality. After a gap nothing is delivered, for example when
// a viewer skips or joins in the middle. So events are delivered in order, and each one once.
//
// Video segments decide. Audio segments count only as long as no video segment of the ad was requested.
import { flicksToMillis } from '../../time/units.ts';
import { hasVideo } from '../../timeline/asset/asset.ts';
import { type Clip, cellOf, segmentStart } from '../../timeline/asset/clip.ts';

/** The end of each segment of an ad, in milliseconds after its start, in its first video rung or else its first rung. */
export type DeliveryGrid = readonly number[];

/** A bit for each segment of the grid: bit i of number n is segment 30 n + i. */
export type Bits = readonly number[];
export const BITS_PER_NUMBER = 30;

export type RequestedSegments = { readonly pictures: Bits; readonly sound: Bits };

function endsOf(clip: Clip, rung: number): number[] {
  const cell = cellOf(clip, rung);
  return Array.from({ length: cell.end - cell.first }, (_, index) =>
    flicksToMillis(segmentStart(clip, cell, cell.first + index + 1)),
  );
}

export const deliveryGrid = (clip: Clip): DeliveryGrid =>
  endsOf(
    clip,
    Math.max(
      0,
      clip.cells.findIndex(({ rendition }) => hasVideo(rendition.kind)),
    ),
  );

/** The segments of the grid whose middle is inside a requested segment; undefined when that does not exist. */
export function gridSegments(
  clip: Clip,
  grid: DeliveryGrid,
  rung: number,
  index: number,
): { readonly kind: keyof RequestedSegments; readonly segments: readonly number[] } | undefined {
  const cell = clip.cells[rung];
  if (cell === undefined || cell.rendition.kind === 'text' || index < cell.first || index >= cell.end) return undefined;
  const from = flicksToMillis(segmentStart(clip, cell, index));
  const to = flicksToMillis(segmentStart(clip, cell, index + 1));
  const segments = grid.flatMap((end, gridIndex) => {
    const middle = ((grid[gridIndex - 1] ?? 0) + end) / 2;
    return middle >= from && middle < to ? [gridIndex] : [];
  });
  return { kind: hasVideo(cell.rendition.kind) ? 'pictures' : 'sound', segments };
}

export const isRequested = (bits: Bits, index: number): boolean =>
  (((bits[Math.floor(index / BITS_PER_NUMBER)] ?? 0) >> (index % BITS_PER_NUMBER)) & 1) === 1;

const deciding = ({ pictures, sound }: RequestedSegments): Bits =>
  pictures.some((bits) => bits !== 0) ? pictures : sound;

/** The number of segments, from the first on, that were requested without a gap. */
export function deliveredSegments(grid: DeliveryGrid, requested: RequestedSegments): number {
  const bits = deciding(requested);
  let count = 0;
  while (count < grid.length && isRequested(bits, count)) count += 1;
  return count;
}

/** The indexes of the requested segments, with or without gaps. */
export function deliveredIndexes(grid: DeliveryGrid, requested: RequestedSegments): number[] {
  const bits = deciding(requested);
  return grid.flatMap((_, index) => (isRequested(bits, index) ? [index] : []));
}

/** Requested milliseconds of the ad, without gaps. */
export const deliveredMillis = (grid: DeliveryGrid, requested: RequestedSegments): number =>
  deliveredIndexes(grid, requested).reduce((sum, index) => sum + (grid[index] ?? 0) - (grid[index - 1] ?? 0), 0);

/** The index of the segment at a time of the ad, in milliseconds. The end of the ad belongs to the last segment. */
export function segmentAt(grid: DeliveryGrid, at: number): number {
  const index = grid.findIndex((end) => end > at);
  return index < 0 ? grid.length - 1 : index;
}

export function deliveredEvents<Event extends { readonly at: number }>(
  events: readonly Event[],
  grid: DeliveryGrid,
  requested: RequestedSegments,
): Event[] {
  const count = deliveredSegments(grid, requested);
  return count === 0 ? [] : events.filter(({ at }) => segmentAt(grid, at) < count);
}
