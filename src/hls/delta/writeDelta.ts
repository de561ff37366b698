// SPDX-License-Identifier: Apache-2.0
// Writes a delta update of a media playlist (RFC 8216bis §4.4.5.2, §6.2.5.1): the older segments are replaced by their number,
// because the player has them. Its cost is that of the segments it lists.
import { memo } from '../../cache/memo.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Shift } from '../../timeline/programme/span.ts';
import type { Row, Window } from '../../timeline/programme/window.ts';
import { announceSpan } from '../announce.ts';
import { cellText, DISCONTINUITY, rowText } from '../cellText.ts';
import { passedTags } from '../passedTags.ts';
import { headLines, tagLines } from '../segmentLines.ts';
import { continues, headOfWindow, writeRows } from '../writeMedia.ts';
import { firstKept, type SegmentPlace } from './firstKept.ts';

const DATE_RANGES = /^#\s*EXT-X-DATERANGE\b.*\n/gim;

/** The date ranges among lines. */
const rangesIn = (lines: string): string => (lines === '' ? '' : (lines.match(DATE_RANGES) ?? []).join(''));

/** The date ranges among the tags of a track, by the segment that follows them, ascending. */
const trackRanges = memo((tags: ReadonlyMap<number, readonly string[]>) =>
  [...tags]
    .map(([segment, lines]) => ({ segment, text: rangesIn(tagLines(lines)) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.segment - b.segment),
);

/** The date ranges before the segments of a row up to `end`. An update without them would remove them (§4.4.5.2). */
function skippedRanges(row: Row, before: Row | undefined, rung: number, end: number, announces: boolean): string {
  const { span, first } = row;
  const { tags } = span.placed.clip.cells[rung]!.track;
  let text = (announces ? announceSpan(span, before?.span) : '') + rangesIn(passedTags(row, before, rung));
  if (tags === undefined) return text;
  for (const range of trackRanges(tags)) {
    if (range.segment >= first[rung]! && range.segment < end) text += range.text;
  }
  return text;
}

/** What a delta update has in place of the segments before a place. */
function skipped(rows: readonly Row[], place: SegmentPlace, rung: number, announces: boolean): string {
  let count = 0;
  let ranges = '';
  for (let index = 0; index <= place.row; index += 1) {
    const row = rows[index]!;
    const end = index < place.row ? row.end[rung]! : place.segment;
    const size = end - row.first[rung]!;
    if (size > 0) ranges += skippedRanges(row, rows[index - 1], rung, end, announces);
    count += size;
  }
  return `#EXT-X-SKIP:SKIPPED-SEGMENTS=${count}\n${ranges}`;
}

/** Replaces the first index of one rung. */
const rowFrom = (row: Row, rung: number, segment: number): Row => ({
  ...row,
  first: row.first.map((first, index) => (index === rung ? segment : first)),
});

/**
 * The segments from a place on. The first one has its key and its MAP again, for players that do not keep those of segments that were
 * skipped: hls.js 1.7 would use the MAP of the last segment that it had.
 */
function kept(rows: readonly Row[], { row: index, segment }: SegmentPlace, rung: number, announces: boolean): string {
  const row = rows[index]!;
  const { span } = row;
  const texts = cellText(span, rung);
  const rest = writeRows(rows.slice(index + 1), row, rung, announces);
  if (segment > row.first[rung]!)
    return headLines(texts.head, texts.head.isEncrypted) + rowText(rowFrom(row, rung, segment), rung, texts) + rest;
  const before = rows[index - 1]!;
  const wasEncrypted = cellText(before.span, rung).head.isEncrypted;
  const discontinuity = continues(span, before.span) ? '' : DISCONTINUITY;
  const announced = announces ? announceSpan(span, before.span) : '';
  const head = discontinuity + headLines(texts.head, wasEncrypted) + announced + passedTags(row, before, rung);
  return head + rowText(row, rung, texts) + rest;
}

/**
 * The delta update of one rung, with the parameters of `writeMedia`.
 * @returns undefined if no segment can be skipped: the full playlist is the response then
 */
export function writeDelta(
  window: Window,
  rung: number,
  ladder: Ladder,
  shift: Shift,
  announces = true,
): string | undefined {
  const { rows } = window;
  const place = firstKept(rows, rung, ladder);
  if (place === undefined) return undefined;
  const head = headOfWindow(window, rung, ladder, shift, 'delta');
  return head + skipped(rows, place, rung, announces) + kept(rows, place, rung, announces);
}
