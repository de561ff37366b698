// SPDX-License-Identifier: Apache-2.0
// Where the listed segments of a delta update begin.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { segmentStart } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { countWhile } from '../../timeline/programme/countWhile.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { skipBoundaryMillis } from '../skipBoundary.ts';
import { continues } from '../writeMedia.ts';

/** A segment of a rung: the index of its row, and that of the segment in its track. */
export type SegmentPlace = { readonly row: number; readonly segment: number };

/** Durations are rounded to a microsecond in playlists. */
const ROUNDING_MS = 1;

/** How many segments of a row are at least `distance` flicks away from the end of the row. */
function countBefore({ span, first, end }: Row, rung: number, distance: number): number {
  const { clip } = span.placed;
  const cell = clip.cells[rung]!;
  const limit = segmentStart(clip, cell, end[rung]!) - distance;
  const begin = first[rung]!;
  return countWhile(end[rung]! - begin, (index) => segmentStart(clip, cell, begin + index + 1) <= limit);
}

function lengthOf({ span, first, end }: Row, rung: number): number {
  const { clip } = span.placed;
  const cell = clip.cells[rung]!;
  return segmentStart(clip, cell, end[rung]!) - segmentStart(clip, cell, first[rung]!);
}

/**
 * Shaka Player 5.2 counts the discontinuities of an update from its EXT-X-DISCONTINUITY-SEQUENCE on, without those that it
 * skips, and so gives two discontinuities one number. It keeps one offset of text, and for MPEG-TS one initialization section,
 * for each number. With these, an update skips no discontinuity.
 */
const isNumberSensitive = ({ container, rungs }: Ladder): boolean =>
  container === 'ts' || rungs.some(({ kind }) => kind === 'text');

/** The first segment after a discontinuity, or the end. */
function firstDiscontinuity(rows: readonly Row[]): number {
  let row = 1;
  while (row < rows.length && continues(rows[row]!.span, rows[row - 1]!.span)) row += 1;
  return row;
}

/**
 * The first segment whose end is nearer to the end of the last one than the Skip Boundary (RFC 8216bis §6.2.5.1). Distances are sums of
 * durations, because a live timeline can have holes.
 * @returns undefined if nothing is before it
 */
export function firstKept(rows: readonly Row[], rung: number, ladder: Ladder): SegmentPlace | undefined {
  let distance = (skipBoundaryMillis(ladder) + ROUNDING_MS) * FLICKS_PER_MILLI;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index]!;
    const count = countBefore(row, rung, distance);
    if (count === 0) {
      distance -= lengthOf(row, rung);
      continue;
    }
    const segment = row.first[rung]! + count;
    const place = segment < row.end[rung]! ? { row: index, segment } : startOf(rows, index + 1, rung);
    if (!isNumberSensitive(ladder)) return place;
    const limit = firstDiscontinuity(rows);
    return limit <= place.row ? startOf(rows, limit, rung) : place;
  }
  return undefined;
}

const startOf = (rows: readonly Row[], row: number, rung: number): SegmentPlace => ({
  row,
  segment: rows[row]!.first[rung]!,
});
