// Which stretches, kept at which length, a report is read from: long ones where they fit into its rows, short ones where
// a row begins or ends between them. Pure.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds: the lengths of stretches that are kept, the shortest first. */
export const steps = [10_000, MINUTE, HOUR, 24 * HOUR] as const;

export type Tile = { readonly step: number; readonly from: number; readonly to: number };

const divides = (step: number, ...times: readonly number[]): boolean => times.every((time) => time % step === 0);

/** A longer stretch is worth the pieces that it makes when a row holds so many of it. */
const WORTH = 4;

/**
 * @param start, end, interval milliseconds, multiples of the shortest step
 * @returns what tiles the time from start to end, in order, no stretch reaching over the border of two rows
 */
export function tileRange(start: number, end: number, interval: number): Tile[] {
  const usable = steps.filter(
    (step) => step === steps[0] || divides(step, start, interval) || interval >= WORTH * step,
  );
  const tiles: Tile[] = [];
  const add = (tile: Tile) => {
    const last = tiles.at(-1);
    const goesOn = last !== undefined && last.step === tile.step && last.to === tile.from;
    if (goesOn) tiles.pop();
    tiles.push(goesOn ? { ...tile, from: last.from } : tile);
  };
  const coverRow = (from: number, to: number, level: number): void => {
    if (from >= to) return;
    const step = usable[level]!;
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
