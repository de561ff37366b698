// SPDX-License-Identifier: Apache-2.0
// What the log contains about a live feed and its origin: each reason once in a while, not once for each reading.
import type { Millis } from '../../time/units.ts';
import type { SourceResult } from './origins/feedSources.ts';
import type { Stall } from './origins/stallWatch.ts';

type Write = (message: string, facts: Record<string, unknown>) => void;

export type FeedLog = {
  /** Why viewers get nothing, where the origin is not the cause. */
  unavailable(reason: string, error?: unknown): void;
  /** The failure of a reading, or what it could not use. */
  read(result: SourceResult | undefined): void;
  /** A defect of Midroll. */
  broke(error: unknown): void;
  stalled(stall: Stall | undefined): void;
};

/** Milliseconds. An origin may fail at every second reading. */
const REPEATED_AFTER_MS = 10 * 60_000;
/** Reasons may contain numbers of lines. */
const MAX_REASONS = 20;

export function createFeedLog(
  warn: Write,
  writeError: Write,
  facts: Record<string, unknown>,
  now: () => Millis,
): FeedLog {
  const loggedAt = new Map<string, Millis>();
  let kind: Stall['kind'] | undefined;

  function isDue(reason: string): boolean {
    const at = loggedAt.get(reason);
    if (at !== undefined && now() - at < REPEATED_AFTER_MS) return false;
    const oldest = loggedAt.keys().next().value;
    if (loggedAt.size >= MAX_REASONS && oldest !== undefined) loggedAt.delete(oldest);
    loggedAt.delete(reason);
    loggedAt.set(reason, now());
    return true;
  }

  return {
    unavailable(reason, error) {
      if (isDue(reason))
        warn('a live channel is not available', { ...facts, reason, ...(error === undefined ? {} : { error }) });
    },
    read(result) {
      if (result === undefined) return;
      if ('sentence' in result) {
        const reason = result.sentence;
        // What was thrown is a defect, which is logged as such.
        if (!('error' in result) && isDue(reason)) warn('failed to read a live origin', { ...facts, reason });
        return;
      }
      for (const reason of result.reading?.warnings ?? []) {
        // A line is further up in each reading.
        if (isDue(reason.replace(/\d+/g, '#')))
          warn('a live origin has something that is not used', { ...facts, reason });
      }
    },
    broke(error) {
      const reason = String(error);
      if (isDue(`defect ${reason}`)) writeError('failed to process a live channel', { ...facts, reason, error });
    },
    stalled(stall) {
      const isNew = stall !== undefined && stall.kind !== kind;
      kind = stall?.kind;
      if (!isNew || !isDue(stall.reason)) return;
      const message = kind === 'ended' ? 'a live origin has ended' : 'a live origin lists no new segments';
      warn(message, { ...facts, reason: stall.reason });
    },
  };
}
