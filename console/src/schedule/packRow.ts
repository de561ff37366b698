// SPDX-License-Identifier: Apache-2.0
// What a schedule shows in one row, to scale.
import { placeOnScale } from '../channels/timelineScale.ts';
import { isGroup, type Shown } from './condense.ts';
import type { Mark } from './joinTitles.ts';
import type { Row } from './scheduleView.ts';

export type DrawnMark = { readonly left: number; readonly width: number; readonly mark: Mark };
export type Piece = {
  /** Per cent of the row. */
  readonly left: number;
  readonly width: number;
  readonly of: Shown;
  /** Breaks within the row, in per cent of the piece. The breaks of a group are not drawn. */
  readonly marks: readonly DrawnMark[];
  /** Whether it begins in an earlier row. */
  readonly isContinued: boolean;
};

/** Per cent of the row. Breaks that begin so close to each other are one mark. */
const MIN_MARK = 0.3;

/** Marks of a piece. @param width of the piece */
function drawMarks(marks: readonly Mark[], start: number, length: number, width: number): DrawnMark[] {
  const drawn: DrawnMark[] = [];
  for (const mark of marks) {
    const at = placeOnScale(mark.startsAt, (mark.endsAt - mark.startsAt) / 1000, start, length);
    if (at === undefined) continue;
    const last = drawn.at(-1);
    const isClose = last !== undefined && ((at.left - last.left) * width) / 100 < MIN_MARK;
    if (isClose) drawn[drawn.length - 1] = { ...last, width: at.left + at.width - last.left };
    else drawn.push({ ...at, mark });
  }
  return drawn;
}

function pieceOf(of: Shown, { from, to }: Row): Piece | undefined {
  const placed = placeOnScale(of.startsAt, (of.endsAt - of.startsAt) / 1000, from, to - from);
  if (placed === undefined) return undefined;
  const start = Math.max(of.startsAt, from);
  const marks = isGroup(of) ? [] : drawMarks(of.marks, start, Math.min(of.endsAt, to) - start, placed.width);
  return { ...placed, of, marks, isContinued: of.startsAt < from || (!isGroup(of) && of.isContinued) };
}

/** The pieces of a row in order. @param shown in order */
export const packRow = (shown: readonly Shown[], row: Row): Piece[] => shown.flatMap((of) => pieceOf(of, row) ?? []);

/** A piece by the index of its row and its own. */
export type Place = { readonly row: number; readonly index: number };

/** Per cent of the row. */
type Extent = Pick<Piece, 'left' | 'width'>;
const middleOf = ({ left, width }: Extent): number => left + width / 2;

function nearestIndex(pieces: readonly Extent[], middle: number): number {
  const distances = pieces.map((piece) => Math.abs(middleOf(piece) - middle));
  return distances.indexOf(Math.min(...distances));
}

/** Where a key moves the focus; undefined for other keys, and at the ends of the schedule. */
export function moveFocus(rows: readonly (readonly Extent[])[], { row, index }: Place, key: string): Place | undefined {
  const pieces = rows[row] ?? [];
  const vertical = (step: number): Place | undefined => {
    for (let to = row + step; to >= 0 && to < rows.length; to += step) {
      const target = rows[to] ?? [];
      const from = pieces[index];
      if (target.length > 0) return { row: to, index: from ? nearestIndex(target, middleOf(from)) : 0 };
    }
    return undefined;
  };
  const endOfRow = (at: number, isFirst: boolean): Place | undefined => {
    const count = rows[at]?.length ?? 0;
    return count === 0 ? undefined : { row: at, index: isFirst ? 0 : count - 1 };
  };
  const filled = (from: number, step: number): number => {
    let at = from;
    while (rows[at]?.length === 0) at += step;
    return at;
  };
  if (key === 'ArrowRight')
    return index + 1 < pieces.length ? { row, index: index + 1 } : endOfRow(filled(row + 1, 1), true);
  if (key === 'ArrowLeft') return index > 0 ? { row, index: index - 1 } : endOfRow(filled(row - 1, -1), false);
  if (key === 'ArrowDown') return vertical(1);
  if (key === 'ArrowUp') return vertical(-1);
  if (key === 'Home') return endOfRow(row, true);
  if (key === 'End') return endOfRow(row, false);
  return undefined;
}
