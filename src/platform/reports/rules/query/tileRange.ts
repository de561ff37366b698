// SPDX-License-Identifier: Apache-2.0
// Selects the stored resolutions from which a report is read: long intervals inside rows, short ones where a row begins or
// ends inside a long one.
import { defined } from '../../../../invariant.ts';

/** The stored resolutions in milliseconds, finest first: 10 s, a minute, an hour and a day. */
export const steps = [10_000, 60_000, 3_600_000, 86_400_000] as const;

export type Tile = { readonly step: number; readonly from: number; readonly to: number };

const divides = (step: number, ...times: readonly number[]): boolean => times.every((time) => time % step === 0);

/** A longer interval that does not align with the rows is used if a row contains this many of them. */
const MIN_PER_ROW = 4;

/**
 * @param start, end, interval milliseconds, multiples of the shortest step
 * @returns tiles that cover the time from start to end, in order; no stored interval crosses the border of two rows
 */
export function tileRange(start: number, end: number, interval: number): Tile[] {
  const usable = steps.filter(
    (step) => step === steps[0] || divides(step, start, interval) || interval >= MIN_PER_ROW * step,
  );
  const tiles: Tile[] = [];
  const add = (tile: Tile) => {
    const last = tiles.at(-1);
    const continues = last !== undefined && last.step === tile.step && last.to === tile.from;
    if (continues) tiles.pop();
    tiles.push(continues ? { ...tile, from: last.from } : tile);
  };
  const coverRow = (from: number, to: number, level: number): void => {
    if (from >= to) return;
    const step = defined(usable[level], 'the shortest step divides the borders of all rows');
    const first = Math.ceil(from / step) * step;
    const last = Math.floor(to / step) * step;
    if (first < last) {
      coverRow(from, first, level - 1);
      add({ step, from: first, to: last });
      coverRow(last, to, level - 1);
    } else coverRow(from, to, level - 1);
  };
  for (let from = start; from < end; from += interval)
    coverRow(from, Math.min(from + interval, end), usable.length - 1);
  return tiles;
}
