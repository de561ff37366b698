// A clip: a stretch of one part of one asset, cut at cut points and laid on a ladder, one cell for each rung. It knows
// what plays and for how long; when it plays is the span's to know.
import { FLICKS_PER_SECOND, type Flicks, flicks, ticksToFlicks } from '../time/units.ts';
import type { Asset, Part, Rendition, Track } from './asset.ts';

/** Segments `first` to `end − 1` of one track. */
export type Cell = {
  readonly rendition: Rendition;
  readonly track: Track;
  readonly first: number;
  readonly end: number;
};

export type Clip = {
  readonly kind: 'content' | 'slate' | 'ad';
  readonly asset: Asset;
  readonly part: number;
  /** After the part's start. */
  readonly from: Flicks;
  readonly duration: Flicks;
  /** One for each rung of the ladder, in its order; none is empty. */
  readonly cells: readonly Cell[];
  /** `first` and `end` of each cell. */
  readonly firsts: readonly number[];
  readonly ends: readonly number[];
};

/** Shorter stretches of content break players; nothing is cut so that one is left. */
export const SHORTEST_STRETCH = flicks(FLICKS_PER_SECOND / 2);

/** The index of the first segment whose midpoint lies at or after `at` (ticks). */
function firstFrom(borders: Float64Array, at: number): number {
  let low = 0;
  let high = borders.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (borders[middle]! + borders[middle + 1]! >= 2 * at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Cuts a clip. A segment belongs to the clip that holds its midpoint, which absorbs an audio frame's overhang.
 * @param renditions the asset's rendition for each rung
 * @param from and `to` in flicks after the part's start, both cut points
 * @returns undefined when some rung would own no segment: such a span must not exist (hls.js dies of it)
 */
export function cutClip(
  kind: Clip['kind'],
  asset: Asset,
  renditions: readonly Rendition[],
  part: number,
  from: Flicks,
  to: Flicks,
): Clip | undefined {
  const { zero } = asset.parts[part]!;
  const cells: Cell[] = [];
  for (const rendition of renditions) {
    const track = rendition.tracks[part]!;
    const perFlick = rendition.timescale / FLICKS_PER_SECOND;
    const first = firstFrom(track.borders, (zero + from) * perFlick);
    const end = firstFrom(track.borders, (zero + to) * perFlick);
    if (end <= first) return undefined;
    cells.push({ rendition, track, first, end });
  }
  const firsts = cells.map(({ first }) => first);
  const ends = cells.map(({ end }) => end);
  return { kind, asset, part, from, duration: flicks(to - from), cells, firsts, ends };
}

/**
 * The cut point at which segment `index` begins when it is cut there (`firstFrom`), in flicks after the part's start;
 * undefined when a cut at no point leaves the segment as the first.
 */
function cutPointOf(
  { rendition, track: { borders } }: Cell,
  index: number,
  { zero, cutPoints }: Part,
): Flicks | undefined {
  const perFlick = rendition.timescale / FLICKS_PER_SECOND;
  const lower = borders[index - 1]! + borders[index]!;
  let low = 0;
  let high = cutPoints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (2 * (zero + cutPoints[middle]!) * perFlick <= lower) low = middle + 1;
    else high = middle;
  }
  const point = cutPoints[low];
  const isFirst = point !== undefined && borders[index]! + borders[index + 1]! >= 2 * (zero + point) * perFlick;
  return isFirst ? flicks(point) : undefined;
}

/**
 * Where segment `index` of a cell starts, in flicks after the clip's start. A cut point is one instant in every rung,
 * whatever half an audio frame says, and the outer borders are the clip's own: so lengths add up to the clip's in every
 * rung (RFC 8216 §4.3.2.1: EXTINF; law 6), and a clip that is cut shorter later keeps what was published of it (law 1).
 * @param index from cell.first to cell.end, which is the clip's end
 */
export function segmentStart(clip: Clip, cell: Cell, index: number): Flicks {
  if (index <= cell.first) return 0 as Flicks;
  if (index >= cell.end) return clip.duration;
  const part = clip.asset.parts[clip.part]!;
  const media = ticksToFlicks(cell.track.borders[index]!, cell.rendition.timescale) - part.zero;
  return flicks((cutPointOf(cell, index, part) ?? media) - clip.from);
}
