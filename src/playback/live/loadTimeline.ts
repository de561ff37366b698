// SPDX-License-Identifier: Apache-2.0
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog } from '../../live/ports.ts';
import type { Millis } from '../../time/units.ts';
import { createLiveFeedTimeline, type LiveFeedTimeline, type TimelineRules } from './feedTimeline.ts';

export type TimelineDeps<State, Tail> = Pick<
  TimelineRules<State, Tail>,
  'apply' | 'tailAfter' | 'rejoin' | 'split' | 'visibleDelay'
> & {
  readonly log: Pick<LiveLog, 'tail'>;
  readonly initial: (feed: LiveFeed) => State;
  /** The tail of an empty log. */
  readonly startOf: (feed: LiveFeed) => Tail;
  /** Milliseconds of the timeline that manifests may need. */
  readonly keepMillis: (feed: LiveFeed) => number;
  /** For how many milliseconds the break at the end of the timeline has been on air; 0 without one. */
  readonly breakMillis: (state: State) => number;
  readonly now: () => Millis;
};

/** The error because of which the store has not returned the log. */
export type Unavailable = { readonly unavailable: unknown };

/** The timeline of a feed from the end of its log. */
export async function loadTimeline<State, Tail>(
  deps: TimelineDeps<State, Tail>,
  feed: LiveFeed,
): Promise<LiveFeedTimeline<State, Tail> | Unavailable> {
  const { log, now, apply, tailAfter, rejoin, split, visibleDelay } = deps;
  async function loadTail(length: number): Promise<LiveFeedTimeline<State, Tail> | Unavailable> {
    const entries = await log.tail(feed.life, length).catch((error: unknown): Unavailable => ({ unavailable: error }));
    if ('unavailable' in entries) return entries;
    const rules = {
      initial: deps.initial(feed),
      start: deps.startOf(feed),
      apply,
      tailAfter,
      rejoin,
      split,
      visibleDelay,
    };
    const loaded = createLiveFeedTimeline<State, Tail>(rules);
    loaded.follow(entries, now());
    loaded.confirm(Number.POSITIVE_INFINITY);
    return loaded;
  }
  const length = deps.keepMillis(feed);
  const loaded = await loadTail(length);
  if ('unavailable' in loaded) return loaded;
  const onAir = deps.breakMillis(loaded.stateAt(now()));
  // The markers of a long break are before that; it may have been announced ahead.
  return onAir > length / 2 ? loadTail(length + onAir) : loaded;
}
