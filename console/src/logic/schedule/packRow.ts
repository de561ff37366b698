// SPDX-License-Identifier: Apache-2.0
// The blocks of a schedule in one row, to scale. Blocks that are too narrow to be seen or pressed form groups.
import { placeOnScale } from '../channels/timelineScale.ts';
import type { Block, Mark } from './joinTitles.ts';
import type { Row } from './scheduleView.ts';

export type Piece = {
  /** Per cent of the row. */
  readonly left: number;
  readonly width: number;
  /** One block, or the narrow ones of a group. Not empty. */
  readonly blocks: readonly Block[];
  /** Breaks within the row, in per cent of the piece. Those of a group are not drawn. */
  readonly marks: readonly { readonly left: number; readonly width: number; readonly mark: Mark }[];
  /** Whether the block begins in an earlier row. */
  readonly isContinued: boolean;
};

/** Per cent of the row. */
const MIN_WIDTH = 0.6;
const GROUP_WIDTH = 2.5;

function pieceOf(block: Block, { from, to }: Row): Piece | undefined {
  const placed = placeOnScale(block.startsAt, (block.endsAt - block.startsAt) / 1000, from, to - from);
  if (placed === undefined) return undefined;
  const start = Math.max(block.startsAt, from);
  const length = Math.min(block.endsAt, to) - start;
  const marks = block.marks.flatMap((mark) => {
    const at = placeOnScale(mark.startsAt, (mark.endsAt - mark.startsAt) / 1000, start, length);
    return at === undefined ? [] : [{ ...at, mark }];
  });
  return { ...placed, blocks: [block], marks, isContinued: block.isContinued || block.startsAt < from };
}

/** The pieces of a row in order. @param blocks in order */
export function packRow(blocks: readonly Block[], row: Row): Piece[] {
  const pieces: Piece[] = [];
  let isGroupOpen = false;
  for (const block of blocks) {
    const piece = pieceOf(block, row);
    if (piece === undefined) continue;
    const isNarrow = piece.width < MIN_WIDTH;
    const last = pieces.at(-1);
    if (isNarrow && isGroupOpen && last !== undefined && last.width < GROUP_WIDTH)
      pieces[pieces.length - 1] = {
        ...last,
        width: piece.left + piece.width - last.left,
        blocks: [...last.blocks, block],
        marks: [],
      };
    else pieces.push(piece);
    isGroupOpen = isNarrow;
  }
  return pieces;
}

/** A piece by the index of its row and its own. */
export type Place = { readonly row: number; readonly index: number };

const middleOf = ({ left, width }: Piece): number => left + width / 2;

function nearestIndex(pieces: readonly Piece[], middle: number): number {
  let best = 0;
  pieces.forEach((piece, index) => {
    if (Math.abs(middleOf(piece) - middle) < Math.abs(middleOf(pieces[best]!) - middle)) best = index;
  });
  return best;
}

/** Where a key moves the focus; undefined for other keys, and at the ends of the schedule. */
export function moveFocus(rows: readonly (readonly Piece[])[], { row, index }: Place, key: string): Place | undefined {
  const pieces = rows[row] ?? [];
  const vertical = (step: number): Place | undefined => {
    for (let to = row + step; to >= 0 && to < rows.length; to += step) {
      const target = rows[to]!;
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
    while (at >= 0 && at < rows.length && rows[at]!.length === 0) at += step;
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
