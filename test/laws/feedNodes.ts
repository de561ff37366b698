// SPDX-License-Identifier: Apache-2.0
// Processes that keep live feeds, on one store: they are started, killed, and asked for what they show.
import type { LiveLog } from '../../src/live/ports.ts';
import type { Slot } from '../../src/live/slot.ts';
import { createFeedKeeper, type FeedKeeper } from '../../src/playback/live/feedKeeper.ts';
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
};

export function startFeedNode(options: FeedNodeOptions): FeedKeeper<Shown> {
  const { log, origin, clock, node = 'node', isShared = false, keepMillis = 60_000, warn = () => {} } = options;
  const breakMillis = options.breakMillis ?? (() => 0);
  return createFeedKeeper<Shown, typeof plainStart>({
    ...{ log, isShared, node, warn, now: clock.now, timers: clock.timers, readerFor: origin.readerFor },
    ...{ initial: () => [], apply: (shown, { slots }) => [...shown, ...slots], rejoin: (shown) => shown },
    ...{ startOf: () => plainStart, nextEntry: nextPlainEntry, tailAfter: plainTailAfter },
    ...{ standing: ({ contentAt }) => ({ isAway: false, contentAt }), awayEntry: () => undefined, backupsOf: () => [] },
    ...{ keepMillis: () => keepMillis, breakMillis, visibleDelay: isShared ? 1000 : 0 },
  });
}
