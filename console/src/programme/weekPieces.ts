// SPDX-License-Identifier: Apache-2.0
// A week as columns of days: the pieces of blocks in them, and where pointers and keys lead.
import type { Row } from '../schedule/scheduleView.ts';
import type { Block } from './programmeBlocks.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export type Piece = {
  readonly key: string;
  /** More than one that are too short to be drawn alone. */
  readonly blocks: readonly [Block, ...Block[]];
  /** Milliseconds after the start of its day. */
  readonly top: number;
  readonly height: number;
  readonly isContinued: boolean;
};

/** A shorter piece is not drawn alone if its neighbours are short, too. Share of what is visible. */
const SHORT = 0.004;
const GROUP = 0.02;

/** @param visible milliseconds that are visible at once @returns the pieces of each day, in order */
export const piecesOf = (blocks: readonly Block[], days: readonly Row[], visible: number): Piece[][] =>
  days.map(({ from, to }) => {
    const pieces: Piece[] = [];
    for (const block of blocks) {
      if (block.from >= to || (block.to <= from && !(block.isOut && block.from >= from))) continue;
      const start = Math.max(block.from, from);
      const isContinued = block.from < from;
      const [top, height] = [start - from, Math.min(block.to, to) - start];
      const last = pieces.at(-1);
      const isShort = height < SHORT * visible && !block.isOut;
      if (isShort && last !== undefined && isOpen(last, visible))
        pieces[pieces.length - 1] = { ...last, blocks: [...last.blocks, block], height: top + height - last.top };
      else
        pieces.push({
          key: isContinued ? `${block.key} ${from}` : block.key,
          blocks: [block],
          top,
          height,
          isContinued,
        });
    }
    return pieces;
  });

const isOpen = ({ blocks, height }: Piece, visible: number): boolean =>
  !blocks[0].isOut && height < (blocks.length === 1 ? SHORT : GROUP) * visible;

/** Rounded to 5 minutes of the day, or to seconds. */
export function snapped(time: number, dayStart: number, isFine: boolean): number {
  const step = isFine ? 1000 : 5 * MINUTE;
  return dayStart + Math.round((time - dayStart) / step) * step;
}

const dayOf = (days: readonly Row[], time: number): number =>
  Math.max(
    0,
    days.findLastIndex(({ from }) => from <= time),
  );

/** Where a block begins that was dragged. @param columns days to the right @param by milliseconds down */
export function movedStart(start: number, days: readonly Row[], columns: number, by: number, isFine: boolean): number {
  const index = dayOf(days, start);
  const [own, target] = [days[index], days[Math.min(days.length - 1, Math.max(0, index + columns))]];
  if (own === undefined || target === undefined) return start;
  return snapped(target.from + (start - own.from) + by, target.from, isFine);
}

/** The duration of a block whose end was dragged, in seconds. At least one step. */
export function movedDuration({ from, to }: Block, days: readonly Row[], by: number, isFine: boolean): number {
  const dayStart = days[dayOf(days, from)]?.from ?? from;
  const step = isFine ? 1000 : 5 * MINUTE;
  return Math.max(step, snapped(to + by, dayStart, isFine) - from) / 1000;
}

/** Where a block begins that an arrow key moves: by 5 minutes or a second, or to the next day. Undefined for other keys. */
export function keyedStart(start: number, days: readonly Row[], key: string, isFine: boolean): number | undefined {
  const step = isFine ? 1000 : 5 * MINUTE;
  if (key === 'ArrowUp') return movedStart(start, days, 0, -step, isFine);
  if (key === 'ArrowDown') return movedStart(start, days, 0, step, isFine);
  if (key === 'ArrowLeft') return movedStart(start, days, -1, 0, true);
  return key === 'ArrowRight' ? movedStart(start, days, 1, 0, true) : undefined;
}

/** The arrow keys of a grid whose rows are columns. */
export const turnedKeys: Readonly<Record<string, string>> = {
  ArrowUp: 'ArrowLeft',
  ArrowDown: 'ArrowRight',
  ArrowLeft: 'ArrowUp',
  ArrowRight: 'ArrowDown',
  Home: 'Home',
  End: 'End',
};

/** A piece in per cent of a day, as what moves the focus needs it. */
export const inPerCent = ({ top, height }: Piece) => ({ left: (top / DAY) * 100, width: (height / DAY) * 100 });
