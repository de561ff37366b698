// SPDX-License-Identifier: Apache-2.0
// A clip: an interval of one part of an asset, cut at cut points, with one cell for each rung of a ladder. It determines what
// plays and for how long; a span determines when.
import { defined } from '../../invariant.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks, ticksToFlicks } from '../../time/units.ts';
import { type Asset, borderAt, type Part, type Rendition, type Track } from './asset.ts';
import type { Sound } from './audioJoin.ts';

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
  /** Its duration before the end of a live break cut it short or stretched it by a frame; that is what is announced. */
  readonly whole?: Flicks | undefined;
  /** One for each rung of the ladder, in its order; none is empty. */
  readonly cells: readonly Cell[];
  /** `first` and `end` of each cell. */
  readonly firsts: readonly number[];
  readonly ends: readonly number[];
  /** How the audio of an ad or of slate joins what is around it; absent for media that cannot. */
  readonly sound?: Sound | undefined;
  /** Set for a viewer's ad: manifests list its segments at URLs that name it (`listedCell`). */
  readonly ad?: TrackedAd;
};

/** What the URLs of an ad's segments name: the ad, its media, and the number of frames that are shown. */
export type TrackedAd = { readonly adId: string; readonly mediaId: string; readonly frames: number };

/** The duration that manifests announce: it never changes (law 1). */
export const announcedDuration = ({ whole, duration }: Clip): Flicks => whole ?? duration;

export const partOfClip = ({ asset, part }: Pick<Clip, 'asset' | 'part'>): Part =>
  defined(asset.parts[part], 'a clip is in a part of its asset');

export const cellOf = ({ cells }: Clip, rung: number): Cell => defined(cells[rung], 'a clip has a cell for each rung');

/** Players fail on shorter intervals between discontinuities, so content is never cut into shorter clips. */
export const MIN_CLIP_DURATION = flicks(FLICKS_PER_SECOND / 2);

/** The index of the first segment with its midpoint at or after `at` (ticks). */
function firstFrom(borders: Float64Array, at: number): number {
  let low = 0;
  let high = borders.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (borderAt(borders, middle) + borderAt(borders, middle + 1) >= 2 * at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Cuts a clip. A segment belongs to the clip that contains its midpoint, apart from its lag, so a border may be off by part of
 * an audio frame.
 * @param whole a clip that starts where this one does
 * @param renditions the asset's rendition for each rung
 * @param to in flicks after the part's start; a cut point, as its start is
 * @returns undefined when a rung would have no segment: hls.js stops at an empty rendition (law 5)
 */
export function cutClip(
  whole: Pick<Clip, 'kind' | 'asset' | 'part' | 'from'>,
  renditions: readonly Rendition[],
  to: Flicks,
): Clip | undefined {
  const { kind, asset, part, from } = whole;
  const { zero } = partOfClip(whole);
  const cells: Cell[] = [];
  for (const rendition of renditions) {
    const track = defined(rendition.tracks[part], 'a rendition has a track for each part of its asset');
    const perFlick = rendition.timescale / FLICKS_PER_SECOND;
    const { borders, lag = 0 } = track;
    const first = firstFrom(borders, (zero + from) * perFlick + lag);
    const end = firstFrom(borders, (zero + to) * perFlick + lag);
    if (end <= first) return undefined;
    cells.push({ rendition, track, first, end });
  }
  const firsts = cells.map(({ first }) => first);
  const ends = cells.map(({ end }) => end);
  return { kind, asset, part, from, duration: flicks(to - from), cells, firsts, ends };
}

/**
 * The cut point at which a clip would start with segment `index` (`firstFrom`), in flicks after the part's start; undefined
 * when there is none.
 */
export function cutPointOf(
  { rendition, track: { borders, lag = 0 } }: Pick<Cell, 'rendition' | 'track'>,
  index: number,
  { zero, cutPoints }: Part,
): Flicks | undefined {
  const perFlick = rendition.timescale / FLICKS_PER_SECOND;
  const lower = borderAt(borders, index - 1) + borderAt(borders, index) - 2 * lag;
  let low = 0;
  let high = cutPoints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (2 * (zero + borderAt(cutPoints, middle)) * perFlick <= lower) low = middle + 1;
    else high = middle;
  }
  const point = cutPoints[low];
  const upper = borderAt(borders, index) + borderAt(borders, index + 1) - 2 * lag;
  const isFirst = point !== undefined && upper >= 2 * (zero + point) * perFlick;
  return isFirst ? flicks(point) : undefined;
}

/**
 * The start of segment `index` of a track, in flicks after the part's start. A cut point is the same instant in every rung,
 * even if an audio border is half a frame away. So a clip starts and ends at this time of its first and its next segment.
 * @param index from 0 to the number of segments, which is the part's end
 */
function segmentTime(part: Part, cell: Pick<Cell, 'rendition' | 'track'>, index: number): Flicks {
  const { borders } = cell.track;
  if (index >= borders.length - 1) return part.duration;
  const point = cutPointOf(cell, index, part);
  return point ?? flicks(ticksToFlicks(borderAt(borders, index), cell.rendition.timescale) - part.zero);
}

/** How far audio may start from the border of its segment: more than an AAC frame at 44.1 kHz. */
const MAX_AUDIO_OFFSET = 0.024 * FLICKS_PER_SECOND;
/**
 * The least time from the start of a segment to that of the next one. Two dates are never further than 50 ms from the
 * durations between them.
 */
const MIN_AHEAD = MAX_AUDIO_OFFSET + 0.002 * FLICKS_PER_SECOND;

/**
 * Where the media of segment `index` start, in flicks after the part's start: an audio segment at its first frame. Shaka Player
 * places the decode time of each segment where its playlist says. A hole of a part of a frame between two of them puts the
 * sound ahead of the picture (audioJoin.ts). Times grow by at least 2 ms, also from a segment of a single frame to the clip
 * after it: of two segments with one date, Shaka Player forgets the first when it reads the playlist again, and then leaves out
 * another one.
 */
export function mediaTime(part: Part, cell: Pick<Cell, 'rendition' | 'track'>, index: number): Flicks {
  const listed = segmentTime(part, cell, index);
  const { rendition, track } = cell;
  const { audioStarts = track.borders, priming = 0, lag = 0 } = track;
  if (rendition.kind !== 'audio' || index >= track.borders.length - 1) return listed;
  const at = ticksToFlicks(borderAt(audioStarts, index) + priming - lag, rendition.timescale) - part.zero;
  const known = Math.abs(at - listed) <= MAX_AUDIO_OFFSET ? at : listed;
  return flicks(Math.min(known, segmentTime(part, cell, index + 1) - MIN_AHEAD));
}

/**
 * The start of segment `index` of a cell, in flicks after the clip's start. The outer borders are those of the clip. So
 * durations add up to the clip's in every rung (RFC 8216 §4.3.2.1: EXTINF; law 6), and a clip that is later cut shorter keeps
 * its published segments (law 1).
 * @param index from cell.first to cell.end, which is the clip's end
 */
export function segmentStart(clip: Clip, cell: Cell, index: number): Flicks {
  if (index <= cell.first) return 0 as Flicks;
  if (index >= cell.end) return clip.duration;
  return flicks(segmentTime(partOfClip(clip), cell, index) - clip.from);
}
