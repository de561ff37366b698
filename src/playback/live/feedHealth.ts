// SPDX-License-Identifier: Apache-2.0
// How well the origin of a live feed can be read. A value; the clock is the caller's.
import type { Millis } from '../../time/units.ts';

export type FeedHealth = {
  /** When the origin was last read. */
  readonly readAt?: Millis;
  /** When a node last read a segment that was not known before. */
  readonly advancedAt?: Millis;
  /** Present while reading fails. */
  readonly failure?: {
    /** One sentence, without secrets. */
    readonly sentence: string;
    /** Of the first of the consecutive failures. */
    readonly since: Millis;
    readonly count: number;
  };
};

export const succeeded = ({ advancedAt }: FeedHealth, at: Millis): FeedHealth =>
  advancedAt === undefined ? { readAt: at } : { readAt: at, advancedAt };

export const failed = (health: FeedHealth, at: Millis, sentence: string): FeedHealth => ({
  ...health,
  failure: { sentence, since: health.failure?.since ?? at, count: (health.failure?.count ?? 0) + 1 },
});

export const advanced = (health: FeedHealth, at: Millis): FeedHealth =>
  health.advancedAt !== undefined && health.advancedAt >= at ? health : { ...health, advancedAt: at };
