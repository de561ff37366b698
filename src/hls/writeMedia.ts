// SPDX-License-Identifier: Apache-2.0
// Writes a column of the window as a media playlist (RFC 8216 §4.3.3). The window decides what is listed.
import { ownMemo } from '../cache/ownMemo.ts';
import { type Flicks, flicks, flicksToMicros } from '../time/units.ts';
import { type Cell, segmentStart } from '../timeline/asset/clip.ts';
import { holdBackMillis } from '../timeline/ladder/holdBack.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { clockAt, type Instant, type Placed, type Shift, type Span } from '../timeline/programme/span.ts';
import { firstNumber, type Row, type Window } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { decimalSeconds } from './decimalSeconds.ts';
import { passedTags } from './passedTags.ts';
import { dateLine, flat, type Head, headLines, headOf, NO_KEY, segmentLines } from './segmentLines.ts';

/** The number of segments that are written at a time: a cell may be hours long, a window is not. */
const PIECE = 32;

/** Lines of consecutive segments: segment i of the piece is text.slice(ends[i − 1] ?? 0, ends[i]). */
type Piece = { readonly text: string; readonly ends: Uint32Array };

/** The text of a cell written so far; piece n begins n · PIECE segments after the first. */
type CellText = { readonly head: Head; readonly pieces: (Piece | undefined)[] };

/**
 * Microseconds since the millisecond in which a clip starts. Both ends of a segment are rounded on the clock, not within its
 * clip, so the rounding errors of consecutive clips do not add up (law 6).
 */
const microsAt = ({ rest }: Instant, length: Flicks): number => flicksToMicros(flicks(rest + length));

function writePiece({ clip, start }: Placed, cell: Cell, begin: number): Piece {
  const stop = Math.min(cell.end, begin + PIECE);
  const ends = new Uint32Array(stop - begin);
  let text = '';
  let from = segmentStart(clip, cell, begin);
  for (let index = begin; index < stop; index += 1) {
    const to = segmentStart(clip, cell, index + 1);
    const micros = microsAt(start, to) - microsAt(start, from);
    text += segmentLines(cell.track, index, micros, dateLine(clockAt(start, from)));
    ends[index - begin] = text.length;
    from = to;
  }
  return { text, ends };
}

/** By rung. */
const cellTexts = ownMemo(({ placed }: Span): (CellText | undefined)[] => new Array(placed.clip.cells.length));

function cellText(span: Span, rung: number): CellText {
  const texts = cellTexts(span);
  texts[rung] ??= { head: headOf(span.placed.clip.cells[rung]!.track), pieces: [] };
  return texts[rung];
}

/** The lines of the segments that a row shows. */
function rowText({ span, first, end }: Row, rung: number, { pieces }: CellText): string {
  const cell = span.placed.clip.cells[rung]!;
  const stop = end[rung]! - cell.first;
  let text = '';
  for (let from = first[rung]! - cell.first; from < stop; ) {
    const number = Math.floor(from / PIECE);
    const begin = number * PIECE;
    pieces[number] ??= writePiece(span.placed, cell, cell.first + begin);
    const piece = pieces[number]!;
    const to = Math.min(stop, begin + PIECE);
    text += piece.text.slice(from === begin ? 0 : piece.ends[from - begin - 1], piece.ends[to - begin - 1]);
    from = to;
  }
  return text;
}

/** Whether a row continues the media of the row before it, so that no discontinuity is between them (§4.3.2.3). */
const continues = ({ span }: Row, { span: before }: Row): boolean =>
  span.stretch !== undefined && span.stretch.id === before.stretch?.id;

/** What precedes the segments of a row. Continuous media repeat their key and their MAP only where these change. */
function rowHead(row: Row, before: Row | undefined, rung: number): string {
  const { head } = cellText(row.span, rung);
  if (before === undefined) return headLines(head, false);
  const last = cellText(before.span, rung).head;
  if (!continues(row, before)) return `#EXT-X-DISCONTINUITY\n${headLines(head, last.isEncrypted)}`;
  const isSameMap = head.map === last.map && (head.map === '' || head.mapKeys === last.mapKeys);
  if (!isSameMap) return headLines(head, last.isEncrypted);
  if (last.isEncrypted && !head.isEncrypted) return NO_KEY;
  return head.keys === last.keys ? '' : head.keys;
}

function writeBody({ rows }: Window, rung: number, announces: boolean): string {
  let text = '';
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    const before = rows[index - 1];
    const announced = announces ? announceSpan(row.span, before?.span) : '';
    const passed = passedTags(row, before, rung);
    text += rowHead(row, before, rung) + announced + passed + rowText(row, rung, cellText(row.span, rung));
  }
  return text;
}

/** By rung, without and with announcements. */
const bodiesOf = ownMemo((_: Window): string[] => []);

/** Everything but the numbers is the same for all viewers who see the same window. */
function bodyText(window: Window, rung: number, announces: boolean): string {
  const bodies = bodiesOf(window);
  const key = 2 * rung + (announces ? 1 : 0);
  const known = bodies[key];
  if (known !== undefined) return flat(known);
  const body = writeBody(window, rung, announces);
  bodies[key] = body;
  return body;
}

/**
 * The media playlist of one rung.
 * @param ladder its target duration never changes (law 4)
 * @param shift how far the viewer's decisions have moved the numbers of the window's first row
 * @param announces whether breaks and ads are announced as date ranges
 */
export function writeMedia(window: Window, rung: number, ladder: Ladder, shift: Shift, announces = true): string {
  const [top] = window.rows;
  const number = top === undefined ? 0 : firstNumber(top, rung) + shift.segments[rung]!;
  const discontinuity = top === undefined ? 0 : top.span.discontinuity + shift.discontinuities;
  return (
    `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:${ladder.targetDuration}\n` +
    `#EXT-X-MEDIA-SEQUENCE:${number}\n#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}\n` +
    `#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-SERVER-CONTROL:HOLD-BACK=${decimalSeconds(1000 * holdBackMillis(ladder))}\n` +
    bodyText(window, rung, announces)
  );
}
