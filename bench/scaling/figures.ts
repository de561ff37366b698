// SPDX-License-Identifier: Apache-2.0
// What is counted of an installation: by its servers' own statistics, at the players, and at the ad server. All figures grow.

/** `pg_stat_wal`, `pg_stat_user_tables` and `pg_stat_statements`, and processor time. */
export type PostgresFigures = {
  readonly cpuMs: number;
  /** Bytes of the log. */
  readonly walBytes: number;
  /** By table: rows inserted, updated and deleted, and bytes of the log. */
  readonly tables: Readonly<Record<string, TableFigures>>;
};

export type TableFigures = {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly walBytes: number;
};

/** `INFO` of the master. */
export type RedisFigures = {
  /** Scripts: one for each call of the store. */
  readonly calls: number;
  readonly batches: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly cpuMs: number;
};

export type AdFigures = {
  readonly requests: number;
  readonly bytes: number;
  readonly beacons: number;
  /** Without those that were sent again. */
  readonly distinctBeacons: number;
  /** Requests that repeat the viewer and break of an earlier one. */
  readonly repeated: number;
};

export type PlayerFigures = {
  readonly opened: number;
  readonly manifests: number;
  readonly manifestBytes: number;
  readonly adSegments: number;
  readonly failed: number;
};

export type Figures = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly postgres: PostgresFigures;
  readonly redis?: RedisFigures;
  readonly ads: AdFigures;
  readonly players: PlayerFigures;
  /** Processor time of all nodes. */
  readonly cpuMs: number;
};

type Counts = { readonly [name: string]: number | Counts | undefined };

/** @returns `of(one, other)` for each number, through all levels; a number that is missing is 0 */
function combine(one: Counts, other: Counts, of: (a: number, b: number) => number): Counts {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [a, b] = [one[name], other[name]];
      if (typeof a === 'object' || typeof b === 'object')
        return [name, combine((a ?? {}) as Counts, (b ?? {}) as Counts, of)];
      return [name, of(a ?? 0, b ?? 0)];
    }),
  );
}

/** What was used between two figures. `at` becomes a length in milliseconds. */
export const between = (before: Figures, after: Figures): Figures =>
  combine(after, before, (a, b) => a - b) as unknown as Figures;

export const sumOf = (all: readonly Figures[]): Figures =>
  all.reduce((sum, one) => combine(sum as unknown as Counts, one, (a, b) => a + b) as unknown as Figures);

/** Figures of a share of the time or of the events. */
export const scaled = (figures: Figures, factor: number): Figures =>
  combine(figures, figures, (a) => a * factor) as unknown as Figures;

/** Figures without what an installation without viewers uses in the same time. */
export function withoutIdle(figures: Figures, idle: Figures): Figures {
  const share = figures.at / idle.at;
  const rest = combine(figures, idle, (a, b) => a - b * share) as unknown as Figures;
  return { ...rest, at: figures.at };
}
