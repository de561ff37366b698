// SPDX-License-Identifier: Apache-2.0
// A random schedule of some hours: assets at fixed times and after one another, shorter and longer than their time, and live
// programmes that end as planned, are ended by hand, or whose origin fails.

/** Of hours on air. */
export type Mix = {
  readonly hours: number;
  readonly entries: number;
  readonly lives: number;
  readonly edits: number;
  readonly restarts: number;
};

/** What the requirements name, and the same in a short time. */
export const MIX_OF_DAYS: Mix = { hours: 48, entries: 200, lives: 12, edits: 40, restarts: 3 };
export const MIX_OF_HOURS: Mix = { hours: 2, entries: 20, lives: 4, edits: 8, restarts: 1 };

/** `marked`: its origin has ad breaks. `join`, `move`: it is ended by hand, and its `overrun`. */
export const liveKinds = ['marked', 'join', 'failing', 'move'] as const;
export type LiveKind = (typeof liveKinds)[number];

export type PlannedEntry = {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start?: number;
  /** The film, by its length in seconds, or the stream. */
  readonly plays: { readonly film: number } | { readonly live: LiveKind; readonly seconds: number };
  readonly breaks?: readonly { readonly spliceTime: number; readonly maxDuration: number }[];
};

export const isLive = ({ plays }: PlannedEntry): boolean => 'live' in plays;
export const filmLengths = [120, 300, 600] as const;

/** Most live programmes are `marked` or fail; as many are ended by hand as the requirements name. */
const kindOf = (index: number, lives: number): LiveKind =>
  lives <= liveKinds.length
    ? liveKinds[index % 4]!
    : (['marked', 'join', 'failing', 'marked', 'move', 'failing'] as const)[index % 6]!;

export function planHours({ hours, entries, lives }: Mix, from: number, random: () => number): PlannedEntry[] {
  const step = Math.floor((hours * 3_600_000) / entries);
  const everyLive = entries / lives;
  const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let live = 0;
  return Array.from({ length: entries }, (_, index): PlannedEntry => {
    // Not at whole seconds, and not on frame borders.
    const start = from + index * step + Math.floor(random() * 30_000);
    if (index >= (live + 0.5) * everyLive) {
      live += 1;
      const seconds = Math.round((step / 1000) * (0.6 + random() * 0.3));
      return { id: `live${live}`, start, plays: { live: kindOf(live - 1, lives), seconds } };
    }
    const fits = filmLengths.filter((seconds) => seconds * 1000 < 1.5 * step);
    const film = choose(fits);
    const breaks = choose([undefined, undefined, [], [{ spliceTime: film / 3, maxDuration: 20.2 }]]);
    const isFixed = index === 0 || random() < 0.6;
    return { id: `e${index}`, ...(isFixed ? { start } : {}), plays: { film }, ...(breaks && { breaks }) };
  });
}
