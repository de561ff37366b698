// SPDX-License-Identifier: Apache-2.0
// Processes that keep live feeds, on one store: they are started, killed, and asked for what they show.
import type { LiveLog } from '../../src/live/ports.ts';
import type { Slot } from '../../src/live/slot.ts';
import { createLiveFeedKeeper } from '../../src/playback/live/feedKeeper.ts';
import type { ManualClock } from './manualClock.ts';
import { nextPlainEntry, plainStart, plainTailAfter, type ScriptedOrigin } from './scriptedFeed.ts';

/** All slots that were shown since the feed was loaded. */
export type Shown = readonly Slot[];

export type FeedNodeOptions = {
  readonly log: LiveLog;
  readonly origin: ScriptedOrigin;
  readonly clock: ManualClock;
  readonly node?: string;
  readonly isShared?: boolean;
  readonly keepMillis?: number;
  /** For how long a break has been on air. */
  readonly breakMillis?: (shown: Shown) => number;
  readonly warn?: (message: string, facts: Record<string, unknown>) => void;
  /** Called with what a rule is about to be applied to; may throw. */
  readonly spoil?: (rule: 'nextEntry' | 'apply' | 'tailAfter' | 'standing' | 'split' | 'list', of: unknown) => void;
  readonly error?: (message: string, facts: Record<string, unknown>) => void;
  readonly countDefects?: (feed: unknown, count: number) => void;
};

export function startFeedNode(options: FeedNodeOptions) {
  const { log, origin, clock, node = 'node', isShared = false, keepMillis = 60_000, warn = () => {} } = options;
  const { breakMillis = () => 0, spoil = () => {}, error = warn, countDefects } = options;
  return createLiveFeedKeeper<Shown, typeof plainStart>({
    ...{ log, isShared, node, warn, error, countDefects, now: clock.now, timers: clock.timers },
    ...{ readerFor: origin.readerFor, initial: () => [], rejoin: (shown) => shown, startOf: () => plainStart },
    apply(shown, entry) {
      spoil('apply', entry);
      return [...shown, ...entry.slots];
    },
    nextEntry(tail, reading, frame) {
      spoil('nextEntry', tail);
      return nextPlainEntry(tail, reading, frame);
    },
    tailAfter(tail, entry) {
      spoil('tailAfter', entry);
      return plainTailAfter(tail, entry);
    },
    ordered: (_, read) => read,
    freshOrders: async () => {},
    list: (shown) => spoil('list', shown),
    beginAnew: nextPlainEntry,
    standing(tail) {
      spoil('standing', tail);
      return { isAway: false, contentAt: tail.contentAt };
    },
    ...{ awayEntry: () => undefined, backupsOf: () => [] },
    split(_, entry) {
      spoil('split', entry);
      return entry.slots.map((slot, index) => ({ ...entry, number: entry.number + index, slots: [slot] }));
    },
    ...{ keepMillis: () => keepMillis, breakMillis, visibleDelay: isShared ? 1000 : 0 },
  });
}
