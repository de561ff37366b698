// SPDX-License-Identifier: Apache-2.0
// Writes a delta update of a media playlist (RFC 8216bis §4.4.5.2, §6.2.5.1): the older segments are replaced by their number,
// because the player has them. Its cost is that of the segments it lists.

import { memo } from '../cache/memo.ts';
import { defined } from '../invariant.ts';
import { countWhile } from '../time/search.ts';
import { FLICKS_PER_MILLI } from '../time/units.ts';
import { segmentStart } from '../timeline/asset/clip.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { ofRung, type Shift } from '../timeline/programme/span.ts';
import type { Row, Window } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { markedText, markersBefore, rangesBefore } from './breakMarkers.ts';
import { cellText, DISCONTINUITY, headLines, rowText, tagLines } from './segmentLines.ts';
import { continues, headOfWindow, type MediaFrame, passedTags, skipBoundaryMillis, writeRows } from './writeMedia.ts';

/**
 * The delta update of one rung, with the parameters of `writeMedia`.
 * @returns undefined if no segment can be skipped: the full playlist is the response then
 */
export function writeDelta(window: Window, rung: number, shift: Shift, frame: MediaFrame): string | undefined {
  const { rows } = window;
  const place = firstKept(rows, rung, frame.ladder);
  if (place === undefined) return undefined;
  const head = headOfWindow(window, rung, shift, { ...frame, form: 'delta' });
  return head + skipped(rows, place, rung, frame) + kept(rows, place, rung, frame);
}

const DATE_RANGES = /^#\s*EXT-X-DATERANGE\b.*\n/gim;

const rangesIn = (lines: string): string => (lines === '' ? '' : (lines.match(DATE_RANGES) ?? []).join(''));

/** The date ranges among the tags of a track, by the segment that follows them, ascending. */
const trackRanges = memo((tags: ReadonlyMap<number, readonly string[]>) =>
  [...tags]
    .map(([segment, lines]) => ({ segment, text: rangesIn(tagLines(lines)) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.segment - b.segment),
);

/** The date ranges before the segments of a row up to `end`. An update without them would remove them (§4.4.5.2). */
function skippedRanges(
  row: Row,
  before: Row | undefined,
  rung: number,
  end: number,
  { announces = true, markers }: MediaFrame,
): string {
  const { span, first } = row;
  const { tags } = ofRung(span.placed.clip.cells, rung).track;
  let text = announces ? announceSpan(span, before?.span) : '';
  text += markers ? rangesBefore(row, before?.span, rung, markers.dialect) : rangesIn(passedTags(row, before, rung));
  if (tags === undefined) return text;
  for (const range of trackRanges(tags)) {
    if (range.segment >= ofRung(first, rung) && range.segment < end) text += range.text;
  }
  return text;
}

/** What a delta update has in place of the segments before a place. */
function skipped(rows: readonly Row[], place: SegmentPlace, rung: number, frame: MediaFrame): string {
  let count = 0;
  let ranges = '';
  for (let index = 0; index <= place.row; index += 1) {
    const row = rowAt(rows, index);
    const end = index < place.row ? ofRung(row.end, rung) : place.segment;
    const size = end - ofRung(row.first, rung);
    if (size > 0) ranges += skippedRanges(row, rows[index - 1], rung, end, frame);
    count += size;
  }
  return `#EXT-X-SKIP:SKIPPED-SEGMENTS=${count}\n${ranges}`;
}

/**
 * The segments from a place on. The first one has its key and its MAP again, for players that do not keep those of segments that were
 * skipped: hls.js 1.7 would use the MAP of the last segment that it had.
 */
function kept(rows: readonly Row[], { row: index, segment }: SegmentPlace, rung: number, frame: MediaFrame): string {
  const { announces = true, markers } = frame;
  const row = rowAt(rows, index);
  const { span } = row;
  const texts = cellText(span, rung);
  const rest = writeRows(rows.slice(index + 1), row, rung, frame);
  const lines = markers ? markedText(row, rung, texts, markers.dialect, segment) : rowText(row, rung, texts, segment);
  if (segment > ofRung(row.first, rung)) return headLines(texts.head, texts.head.isEncrypted) + lines + rest;
  const before = rowAt(rows, index - 1);
  const wasEncrypted = cellText(before.span, rung).head.isEncrypted;
  const discontinuity = continues(span, before.span) ? '' : DISCONTINUITY;
  const announced = announces ? announceSpan(span, before.span) : '';
  const tags = markers ? markersBefore(row, before.span, rung, markers.dialect) : passedTags(row, before, rung);
  return discontinuity + headLines(texts.head, wasEncrypted) + announced + tags + lines + rest;
}

/** A segment of a rung: the index of its row, and that of the segment in its track. */
type SegmentPlace = { readonly row: number; readonly segment: number };

const rowAt = (rows: readonly Row[], index: number): Row => defined(rows[index], 'a place is within its window');

/** Durations are rounded to a microsecond in playlists. */
const ROUNDING_MS = 1;

/** How many segments of a row are at least `distance` flicks away from the end of the row. */
function countBefore({ span, first, end }: Row, rung: number, distance: number): number {
  const { clip } = span.placed;
  const cell = ofRung(clip.cells, rung);
  const stop = ofRung(end, rung);
  const limit = segmentStart(clip, cell, stop) - distance;
  const begin = ofRung(first, rung);
  return countWhile(stop - begin, (index) => segmentStart(clip, cell, begin + index + 1) <= limit);
}

function lengthOf({ span, first, end }: Row, rung: number): number {
  const { clip } = span.placed;
  const cell = ofRung(clip.cells, rung);
  return segmentStart(clip, cell, ofRung(end, rung)) - segmentStart(clip, cell, ofRung(first, rung));
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
  while (row < rows.length && continues(rowAt(rows, row).span, rowAt(rows, row - 1).span)) row += 1;
  return row;
}

/**
 * The first segment whose end is nearer to the end of the last one than the Skip Boundary (RFC 8216bis §6.2.5.1). Distances are
 * sums of durations, because a live timeline can have holes.
 * @returns undefined if nothing is before it
 */
function firstKept(rows: readonly Row[], rung: number, ladder: Ladder): SegmentPlace | undefined {
  let distance = (skipBoundaryMillis(ladder) + ROUNDING_MS) * FLICKS_PER_MILLI;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rowAt(rows, index);
    const count = countBefore(row, rung, distance);
    if (count === 0) {
      distance -= lengthOf(row, rung);
      continue;
    }
    const segment = ofRung(row.first, rung) + count;
    const place = segment < ofRung(row.end, rung) ? { row: index, segment } : startOf(rows, index + 1, rung);
    if (!isNumberSensitive(ladder)) return place;
    const limit = firstDiscontinuity(rows);
    return limit <= place.row ? startOf(rows, limit, rung) : place;
  }
  return undefined;
}

const startOf = (rows: readonly Row[], row: number, rung: number): SegmentPlace => ({
  row,
  segment: ofRung(rowAt(rows, row).first, rung),
});
