// SPDX-License-Identifier: Apache-2.0
// Whether this process should receive requests. Dependencies are checked by using them; requests within a second share one
// check, so that frequent polling is cheap.
import { freeBytes, MIN_FREE_BYTES, mib } from '../adapters/media/mediaSweep.ts';
import { readClock } from '../adapters/sql/measure/databaseClock.ts';
import { within } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import { readGauge } from './metrics/storeMetrics.ts';
import type { Services } from './openServices.ts';

type Check = {
  readonly name: string;
  /** @returns the reason if the dependency does not work */
  readonly run: () => Promise<string | undefined>;
};

const CHECK_SHARED_MS = 1000;
const CHECK_TIMEOUT_MS = 3000;

/** `reason` is public; `error` is only logged. */
type Failure = { readonly reason: string; readonly error?: unknown };

/** @returns a function that returns why the process is not ready, or undefined if it is */
export function createReadiness({ timers, warn }: Pick<Services, 'timers' | 'warn'>, checks: readonly Check[]) {
  let last: { readonly at: number; readonly failures: Promise<readonly Failure[]> } | undefined;
  let logged = '';

  async function check({ name, run }: Check): Promise<Failure[]> {
    const checked = run().then(
      (reason) => (reason === undefined ? [] : [{ reason }]),
      (error: unknown) => [{ reason: error instanceof Error ? error.message : `${name} failed`, error }],
    );
    const timedOut = { reason: `${name} timed out after ${CHECK_TIMEOUT_MS / 1000} s` };
    return (await within(timers, CHECK_TIMEOUT_MS, checked)) ?? [timedOut];
  }

  async function checkAll(): Promise<readonly Failure[]> {
    const failures = (await Promise.all(checks.map(check))).flat();
    const reasons = failures.map(({ reason }) => reason);
    const line = reasons.join(' ');
    const { error } = failures.find((failure) => failure.error !== undefined) ?? {};
    if (line !== logged) warn(line === '' ? 'ready again' : 'not ready', { reasons, error });
    logged = line;
    return failures;
  }

  return async (): Promise<string | undefined> => {
    if (last === undefined || timers.elapsed() - last.at >= CHECK_SHARED_MS)
      last = { at: timers.elapsed(), failures: checkAll() };
    const failures = await last.failures;
    return failures.length === 0 ? undefined : failures.map(({ reason }) => reason.replace(/\.$/, '')).join('; ');
  };
}

// Whether the disk of DATA_DIR is nearly full: streams continue, and new creatives wait. Measured with the other dependencies.

/** @param measured the free bytes of a folder */
export function createLowDisk(folder: string, measured: (folder: string) => Promise<number> = freeBytes) {
  let free = Number.POSITIVE_INFINITY;
  return {
    async measure(): Promise<void> {
      free = await measured(folder);
    },
    /** In a sentence; undefined if there is space. */
    reason: () =>
      free < MIN_FREE_BYTES
        ? `The disk of DATA_DIR has ${mib(free)} MiB left; below ${mib(MIN_FREE_BYTES)} MiB, new creatives wait.`
        : undefined,
  };
}

// Whether the clock of this process agrees with that of the database, which all nodes share: they show the same as long as their
// clocks differ by less than a second (law 8).

type Deps = {
  readonly now: () => Millis;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly readTime: () => Promise<number>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds. Between the two, what was found before stays valid. */
const MOST = 1000;
const LEAST = 800;

export function checkClock({ sql, metrics, now, warnAlways }: Services) {
  const check = createClockCheck({ now, readTime: () => readClock(sql), log: warnAlways });
  const help = 'By how much the clock of the process differs from that of PostgreSQL; 0 with SQLite';
  const settings = { name: 'midroll_clock_difference_seconds', help, aggregator: 'max' as const };
  readGauge(metrics, settings, () => check.difference() ?? 0);
  // SQLite is a file of this machine, and has no other clock.
  return sql.kind === 'postgres' ? check : { ...check, measure: async () => {} };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

export function createClockCheck({ now, readTime, log }: Deps) {
  let ahead: number | undefined;
  let isOff = false;
  return {
    async measure(): Promise<void> {
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
    /** In a sentence; undefined if the clocks agree, or the difference is not known. */
    reason() {
      if (!isOff || ahead === undefined) return undefined;
      const where = ahead > 0 ? 'ahead of' : 'behind';
      return `The clock of this process is ${secondsOf(Math.abs(ahead))} s ${where} that of the database; synchronize both with NTP.`;
    },
    /** Seconds by which they differ, as last measured. */
    difference: () => (ahead === undefined ? undefined : Math.abs(ahead) / 1000),
  };
}
