// SPDX-License-Identifier: Apache-2.0
// How well the origin of a live feed can be read. A value; the clock is the caller's.
import type { Millis } from '../../../time/units.ts';
import type { Stall } from './stallWatch.ts';

const MAX_WARNINGS = 20;

export type LiveFeedHealth = {
  readonly readAt?: Millis;
  readonly failedAt?: Millis;
  /** When a node last read a segment that was not known before. */
  readonly advancedAt?: Millis;
  /** The warnings of the last reading that had any change; empty mostly. */
  readonly warnings?: readonly string[];
  /** Present while the origin can be read, but nothing is added. */
  readonly stall?: Stall;
  /** Present while reading fails. */
  readonly failure?: {
    /** One sentence, without secrets. */
    readonly sentence: string;
    /** The time of the first of the consecutive failures. */
    readonly since: Millis;
    readonly count: number;
  };
};

/** @param found the warnings of the reading; undefined if nothing has changed */
export const succeeded = (
  { advancedAt, warnings = [] }: LiveFeedHealth,
  at: Millis,
  found: readonly string[] = warnings,
): LiveFeedHealth => ({
  readAt: at,
  warnings: found.slice(0, MAX_WARNINGS),
  ...(advancedAt === undefined ? {} : { advancedAt }),
});

export const stalled = ({ stall: _, ...health }: LiveFeedHealth, stall: Stall | undefined): LiveFeedHealth =>
  stall === undefined ? health : { ...health, stall };

export const failed = (health: LiveFeedHealth, at: Millis, sentence: string): LiveFeedHealth => ({
  ...health,
  failedAt: at,
  failure: { sentence, since: health.failure?.since ?? at, count: (health.failure?.count ?? 0) + 1 },
});

export const advanced = (health: LiveFeedHealth, at: Millis): LiveFeedHealth =>
  health.advancedAt !== undefined && health.advancedAt >= at ? health : { ...health, advancedAt: at };
