// SPDX-License-Identifier: Apache-2.0
// Whether the clock of this process agrees with that of the database, which all nodes share: they show the same as long as their
// clocks differ by less than a second (law 8).
import { readClock } from '../../adapters/sql/measure/databaseClock.ts';
import type { Millis } from '../../time/units.ts';
import { clockMetrics } from '../metrics/storeMetrics.ts';
import type { Services } from '../openServices.ts';

export type ClockCheck = {
  measure(): Promise<void>;
  /** In a sentence; undefined if the clocks agree, or the difference is not known. */
  reason(): string | undefined;
  /** Seconds by which they differ, as last measured. */
  difference(): number | undefined;
};

type Deps = {
  readonly now: () => Millis;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly readTime: () => Promise<number>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds. Between the two, what was found before stays valid. */
const MOST = 1000;
const LEAST = 800;

export function checkClock({ sql, metrics, now, warnAlways }: Services): ClockCheck {
  const check = createClockCheck({ now, readTime: () => readClock(sql), log: warnAlways });
  clockMetrics(metrics, check.difference);
  // SQLite is a file of this machine, and has no other clock.
  return sql.kind === 'postgres' ? check : { ...check, measure: async () => {} };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

export function createClockCheck({ now, readTime, log }: Deps): ClockCheck {
  let ahead: number | undefined;
  let isOff = false;
  return {
    async measure() {
      const before = now();
      const at = await readTime();
      const after = now();
      // The database may have read its clock at any time between.
      const doubt = (after - before) / 2;
      const measured = before + doubt - at;
      if (doubt > MOST) return;
      ahead = measured;
      const difference = Math.abs(measured);
      const was = isOff;
      if (difference - doubt > MOST) isOff = true;
      else if (difference + doubt < LEAST) isOff = false;
      if (isOff && !was)
        log('the clock of this process differs from that of the database', { aheadSeconds: secondsOf(measured) });
      else if (was && !isOff) log('the clock of this process agrees with that of the database again', {});
    },
    reason() {
      if (!isOff || ahead === undefined) return undefined;
      const where = ahead > 0 ? 'ahead of' : 'behind';
      return `The clock of this process is ${secondsOf(Math.abs(ahead))} s ${where} that of the database; synchronize both with NTP.`;
    },
    difference: () => (ahead === undefined ? undefined : Math.abs(ahead) / 1000),
  };
}
