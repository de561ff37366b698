// SPDX-License-Identifier: Apache-2.0
// Tracks whether the session store is available, from the calls that are made anyway. Manifests of viewers in memory do not wait
// for an unavailable store; they are built from what is in memory.
import { AppError } from '../../errors.ts';
import { type Timers, within } from '../../time/clock.ts';

/** Methods that take the id of a session concern the part of the store that the session belongs to (partedHealth.ts). */
export type StoreHealth = {
  /** Makes a call and records its result. */
  track<Value>(call: () => Promise<Value>, sessionId?: string): Promise<Value>;
  /** The last call failed, or a call has been waiting for RESPONSE_TIMEOUT_MS and none has completed since it was made. */
  isUnavailable(sessionId?: string): boolean;
  /** The store's message for a failure within the last seconds, even if other calls succeed: a full disk fails only writes. */
  failureReason(sessionId?: string): string | undefined;
  /** For how long it has been available without interruption, in milliseconds. */
  availableFor(): number;
  /** The result of `work` if the store is available and it resolves within `ms`; otherwise undefined. `work` is not cancelled. */
  whenAvailable<Value>(ms: number, work: () => Promise<Value>, sessionId?: string): Promise<Value | undefined>;
};

export type StoreName = 'database' | 'session store';

/** What the log states at the begin and at the end of an outage. */
const messages: Readonly<Record<StoreName, readonly [begin: string, end: string]>> = {
  database: ['the database is unavailable; known viewers are served from memory', 'the database is available again'],
  'session store': [
    'the session store is unavailable; known viewers are served from memory',
    'the session store is available again',
  ],
};

/** A call that takes longer makes the store count as unavailable. */
export const RESPONSE_TIMEOUT_MS = 500;
/** The minimum time between two log lines about failures. With a full disk, calls fail and succeed in turn. */
const LOG_INTERVAL_MS = 10_000;
/** How long the reason of a failure is reported. */
const REASON_TTL_MS = 10_000;

/**
 * @param log called when the store becomes unavailable, and when it is available again
 * @param name of the store in the log
 */
export function createStoreHealth(
  timers: Timers,
  log: (message: string, facts: Record<string, unknown>) => void,
  name: StoreName = 'database',
): StoreHealth {
  const [beginMessage, endMessage] = messages[name];
  /** When each pending call was made, oldest first. */
  const pending = new Map<symbol, number>();
  let respondedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let failure: { readonly reason: string; readonly at: number } | undefined;
  let unavailableSince: number | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  let availableSince = timers.elapsed();
  let probe: { readonly madeAt: number; isOver: boolean } | undefined;

  function isUnavailable(): boolean {
    if (hasFailed) return true;
    const [oldest] = pending.values();
    return oldest !== undefined && oldest >= respondedAt && timers.elapsed() - oldest > RESPONSE_TIMEOUT_MS;
  }

  function recordResult(error?: unknown): void {
    if (error !== undefined) {
      unavailableSince ??= timers.elapsed();
      if (error instanceof AppError) failure = { reason: error.message, at: timers.elapsed() };
      if (!hasFailed && timers.elapsed() - loggedAt >= LOG_INTERVAL_MS) {
        loggedAt = timers.elapsed();
        isLogged = true;
        log(beginMessage, { error });
      }
      hasFailed = true;
      return;
    }
    const wasUnavailable = isUnavailable();
    respondedAt = timers.elapsed();
    hasFailed = false;
    if (wasUnavailable) availableSince = respondedAt;
    const unavailableMs = Math.round(respondedAt - (unavailableSince ?? respondedAt));
    if (isLogged) log(endMessage, { unavailableMs });
    isLogged = false;
    unavailableSince = undefined;
  }

  /** During an outage, one call at a time probes the store. Nothing waits for it. */
  function attempt(work: () => Promise<unknown>): void {
    const isEarly = probe !== undefined && timers.elapsed() - probe.madeAt < RESPONSE_TIMEOUT_MS;
    if (isEarly || probe?.isOver === false) return;
    const current = { madeAt: timers.elapsed(), isOver: false };
    probe = current;
    const end = () => {
      current.isOver = true;
    };
    work().then(end, end);
  }

  return {
    isUnavailable,
    failureReason: () =>
      failure !== undefined && timers.elapsed() - failure.at < REASON_TTL_MS ? failure.reason : undefined,
    availableFor: () => (isUnavailable() ? 0 : timers.elapsed() - availableSince),
    async track(call) {
      const mark = Symbol();
      pending.set(mark, timers.elapsed());
      try {
        const value = await call();
        pending.delete(mark);
        recordResult();
        return value;
      } catch (error) {
        pending.delete(mark);
        recordResult(error);
        throw error;
      }
    },
    async whenAvailable(ms, work) {
      if (!isUnavailable()) return within(timers, ms, work());
      attempt(work);
      return undefined;
    },
  };
}
