// What was delivered of an ad, judged by the segments that were asked for. An event follows once every segment from the
// ad's first to the one that holds its instant was asked for, in whatever order, quality and number: who skips, or comes
// in the middle, delivers nothing that lies behind the gap. So events never overtake each other and none is told twice.
//
// Pictures decide where there are any: sound counts for an ad as long as none of its pictures was asked for.
import { flicksToMillis } from '../../time/units.ts';
import { type Clip, segmentStart } from '../../timeline/clip.ts';

/** Where each segment of an ad ends, in milliseconds after the ad's start: of its first rung with pictures, else its first. */
export type DeliveryGrid = readonly number[];

/** Bits of the grid's segments, 30 in a number: bit i of number n is segment 30 n + i. */
export type Bits = readonly number[];
export const BITS_PER_NUMBER = 30;

export type RequestedSegments = { readonly pictures: Bits; readonly sound: Bits };

const hasPictures = ({ rendition }: Clip['cells'][number]): boolean =>
  rendition.kind === 'video' || rendition.kind === 'muxed';

function endsOf(clip: Clip, rung: number): number[] {
  const cell = clip.cells[rung]!;
  return Array.from({ length: cell.end - cell.first }, (_, index) =>
    flicksToMillis(segmentStart(clip, cell, cell.first + index + 1)),
  );
}

export const deliveryGrid = (clip: Clip): DeliveryGrid => endsOf(clip, Math.max(0, clip.cells.findIndex(hasPictures)));

/**
 * The segments of the grid whose middle lies in a segment that was asked for; rungs are mostly cut alike.
 * @returns undefined when the clip has no such rung or segment
 */
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
  const segments = grid.flatMap((end, place) => {
    const middle = ((grid[place - 1] ?? 0) + end) / 2;
    return middle >= from && middle < to ? [place] : [];
  });
  return { kind: hasPictures(cell) ? 'pictures' : 'sound', segments };
}

export const isRequested = (bits: Bits, place: number): boolean =>
  (((bits[Math.floor(place / BITS_PER_NUMBER)] ?? 0) >> (place % BITS_PER_NUMBER)) & 1) === 1;

const deciding = ({ pictures, sound }: RequestedSegments): Bits =>
  pictures.some((bits) => bits !== 0) ? pictures : sound;

/** How many segments, from the first on, were asked for without a gap. */
export function deliveredSegments(grid: DeliveryGrid, asked: RequestedSegments): number {
  const bits = deciding(asked);
  let count = 0;
  while (count < grid.length && isRequested(bits, count)) count += 1;
  return count;
}

/** The segments that were asked for, with gaps between them or without. */
export function deliveredPlaces(grid: DeliveryGrid, asked: RequestedSegments): number[] {
  const bits = deciding(asked);
  return grid.flatMap((_, place) => (isRequested(bits, place) ? [place] : []));
}

/** Milliseconds of the ad that were asked for, gaps left out. */
export const deliveredMillis = (grid: DeliveryGrid, asked: RequestedSegments): number =>
  deliveredPlaces(grid, asked).reduce((sum, place) => sum + grid[place]! - (grid[place - 1] ?? 0), 0);

/** The place of the segment that holds an instant of the ad, in milliseconds; the ad's end is the last one's. */
export function segmentAt(grid: DeliveryGrid, at: number): number {
  const place = grid.findIndex((end) => end > at);
  return place < 0 ? grid.length - 1 : place;
}

/** Of events at instants of the ad, those that the segments asked for have delivered. */
export function deliveredEvents<Event extends { readonly at: number }>(
  events: readonly Event[],
  grid: DeliveryGrid,
  asked: RequestedSegments,
): Event[] {
  const count = deliveredSegments(grid, asked);
  return count === 0 ? [] : events.filter(({ at }) => segmentAt(grid, at) < count);
}
