// SPDX-License-Identifier: Apache-2.0
// The live feeds of this process: each is read while it has viewers, by one reader, however many viewers there are. Nodes agree
// because they show only what is in the log, from the same instant on. It does not contain what a timeline or a break is.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog } from '../../live/ports.ts';
import { createAppendQueue } from './appendQueue.ts';
import { createKeptFeed } from './keptFeed.ts';
import type { KeptFeed, KeptFeedDeps } from './keptFeedDeps.ts';
import { createLogSync } from './logSync.ts';
import type { FeedHealth } from './origins/feedHealth.ts';
import type { FeedSource } from './origins/feedSources.ts';
import type { Standing } from './origins/sourceChoice.ts';

export type FeedKeeperDeps<State, Tail> = Omit<KeptFeedDeps<State, Tail>, 'log' | 'queue'> & {
  readonly log: LiveLog;
  /** Other processes write to the log, too. */
  readonly isShared: boolean;
  /** Called when a feed begins to be read. */
  readonly onWake?: () => void;
};

export type FeedKeeper<State> = {
  /**
   * The state of a feed for a viewer, at once if the feed is being read.
   * @throws {AppError} UNAVAILABLE, as a rejection, with a reason
   */
  use(feed: LiveFeed): State | Promise<State>;
  /** The state if it is in memory; does not count as a use. */
  peek(life: string): State | undefined;
  /** Undefined if what other processes have stored is known. Otherwise resolves when it is, or when the store does not respond. */
  catchUp(): Promise<void> | undefined;
  /** Undefined while the feed is idle. */
  health(life: string): FeedHealth | undefined;
  /** What is on air and the backups of a feed; undefined while the feed is idle. */
  origins(
    life: string,
  ): { readonly standing: Standing | undefined; readonly backups: readonly FeedSource[] } | undefined;
  /** Stores what operators have ordered for the feeds that are being read. Resolves when it is stored, or cannot be. */
  order(): Promise<void>;
  /** The lives that are being read. */
  lives(): readonly string[];
  /** Those whose log is loaded, with what this process has found. */
  conditions(): readonly FeedCondition[];
  stop(): void;
};

export type FeedCondition = {
  readonly feed: LiveFeed;
  readonly health: FeedHealth;
  readonly standing: Standing;
};

/** Milliseconds. */
const REMOVAL_MS = 60_000;

export function createFeedKeeper<State, Tail>(deps: FeedKeeperDeps<State, Tail>): FeedKeeper<State> {
  const { log, timers, warn } = deps;
  const feeds = new Map<string, KeptFeed<State>>();
  const queue = createAppendQueue({ log, timers, warn });
  const isInUse = () => feeds.size > 0;
  const sync = deps.isShared
    ? createLogSync({ timers, now: deps.now, read: readOthers, isInUse, onOutage, visibleDelay: deps.visibleDelay })
    : undefined;

  function wake(feed: LiveFeed): KeptFeed<State> {
    const kept: KeptFeed<State> = createKeptFeed({ ...deps, queue }, feed, () => {
      kept.stop();
      if (feeds.get(feed.life) === kept) feeds.delete(feed.life);
    });
    feeds.set(feed.life, kept);
    sync?.start();
    deps.onWake?.();
    return kept;
  }

  /** Reads what other processes have written, for all feeds in one query. */
  async function readOthers(): Promise<void> {
    const asked: { readonly life: string; readonly from: number }[] = [];
    for (const [life, kept] of feeds) {
      const from = kept.next();
      if (from !== undefined) asked.push({ life, from });
    }
    if (asked.length === 0) return;
    const found = await log.readAll(asked);
    for (const { life, from } of asked) feeds.get(life)?.follow(found.get(life) ?? [], from);
  }

  function onOutage(isOutage: boolean): void {
    for (const kept of [...feeds.values()]) kept.storeAway(isOutage);
  }

  const removal = timers.every(REMOVAL_MS, () => {
    const kept = [...feeds.values()].flatMap(({ feed, keepMillis }) => {
      const length = keepMillis();
      return length === undefined ? [] : [{ life: feed.life, millis: length }];
    });
    if (kept.length === 0) return;
    log.removeBefore(kept).catch((error: unknown) => {
      if (!queue.isOutage()) warn('failed to remove old entries of live timelines', { error });
    });
  });

  return {
    use: (feed) => (feeds.get(feed.life) ?? wake(feed)).use(),
    peek: (life) => feeds.get(life)?.peek(),
    catchUp: () => sync?.catchUp(),
    health: (life) => feeds.get(life)?.health(),
    origins(life) {
      const kept = feeds.get(life);
      return kept && { standing: kept.standing(), backups: kept.backups() };
    },
    async order() {
      await Promise.all([...feeds.values()].map((kept) => kept.order()));
    },
    lives: () => [...feeds.keys()],
    conditions: () =>
      [...feeds.values()].flatMap(({ feed, health, standing }) => {
        const now = standing();
        return now === undefined ? [] : [{ feed, health: health(), standing: now }];
      }),
    stop() {
      sync?.stop();
      removal.cancel();
      for (const kept of feeds.values()) kept.stop();
      feeds.clear();
      queue.stop();
    },
  };
}
