// SPDX-License-Identifier: Apache-2.0
// The text of cells in media playlists, written once for all viewers who see a span.
import { flat } from '../cache/flat.ts';
import { ownMemo } from '../cache/ownMemo.ts';
import { type Flicks, flicks, flicksToMicros } from '../time/units.ts';
import { type Cell, mediaTime, segmentStart } from '../timeline/asset/clip.ts';
import { clockAt, type Instant, type Placed, type Span } from '../timeline/programme/span.ts';
import type { Row } from '../timeline/programme/window.ts';
import { dateLine, type Head, headLines, headOf, segmentLines } from './segmentLines.ts';

/** The number of segments that are written at a time: a cell may be hours long, a window is not. */
const PIECE = 32;

/** Lines of consecutive segments: segment i of the piece is text.slice(ends[i − 1] ?? 0, ends[i]). */
type Piece = { readonly text: string; readonly ends: Uint32Array };

/**
 * Microseconds since the millisecond in which a clip starts. Both ends of a segment are rounded on the clock, not within its
 * clip, so the rounding errors of consecutive clips do not add up (law 6).
 */
const microsAt = ({ rest }: Instant, length: Flicks): number => flicksToMicros(flicks(rest + length));

/** The lines of segments `begin` to `stop − 1` of a cell. Durations add up to the clip's; dates are those of the media. */
export function writePiece({ clip, start }: Placed, cell: Cell, begin: number, stop: number): Piece {
  const ends = new Uint32Array(stop - begin);
  const part = clip.asset.parts[clip.part]!;
  let text = '';
  let from = segmentStart(clip, cell, begin);
  for (let index = begin; index < stop; index += 1) {
    const to = segmentStart(clip, cell, index + 1);
    const micros = microsAt(start, to) - microsAt(start, from);
    text += segmentLines(cell.track, index, micros, dateLine(clockAt(start, mediaTime(part, cell, index) - clip.from)));
    ends[index - begin] = text.length;
    from = to;
  }
  return { text, ends };
}

/** The text of a cell written so far; piece n begins n · PIECE segments after the first. */
export type CellText = {
  readonly head: Head;
  /** Before the first segment of a playlist, and after other media. */
  readonly first: string;
  readonly next: string;
  readonly nextAfterKeys: string;
  readonly pieces: (Piece | undefined)[];
};

export const DISCONTINUITY = '#EXT-X-DISCONTINUITY\n';

function newCellText({ placed: { clip } }: Span, rung: number): CellText {
  const head = headOf(clip.cells[rung]!.track);
  const first = headLines(head, false);
  const nextAfterKeys = flat(DISCONTINUITY + headLines(head, true));
  return { head, first, next: flat(DISCONTINUITY + first), nextAfterKeys, pieces: [] };
}

/** By rung. */
const cellTexts = ownMemo(({ placed }: Span): (CellText | undefined)[] => new Array(placed.clip.cells.length));

export function cellText(span: Span, rung: number): CellText {
  const texts = cellTexts(span);
  texts[rung] ??= newCellText(span, rung);
  return texts[rung];
}

function pieceOf(span: Span, cell: Cell, { pieces }: CellText, number: number): Piece {
  const begin = cell.first + number * PIECE;
  pieces[number] ??= writePiece(span.placed, cell, begin, Math.min(cell.end, begin + PIECE));
  return pieces[number]!;
}

/** The lines of the segments that a row shows. */
export function rowText({ span, first, end }: Row, rung: number, texts: CellText): string {
  const cell = span.placed.clip.cells[rung]!;
  const stop = end[rung]! - cell.first;
  let text = '';
  for (let from = first[rung]! - cell.first; from < stop; ) {
    const number = Math.floor(from / PIECE);
    const begin = number * PIECE;
    const piece = pieceOf(span, cell, texts, number);
    const to = Math.min(stop, begin + PIECE);
    text += piece.text.slice(from === begin ? 0 : piece.ends[from - begin - 1], piece.ends[to - begin - 1]);
    from = to;
  }
  return text;
}
