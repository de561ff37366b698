// SPDX-License-Identifier: Apache-2.0
// The live feeds of this process: each is read while it has viewers, by one reader, however many viewers there are. Nodes agree
// because they show only what is in the log, from the same instant on. It does not contain what a timeline or a break is.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog } from '../../live/ports.ts';
import { type Clock, type Timer, within } from '../../time/clock.ts';
import { createAppendQueue } from './appendQueue.ts';
import { createKeptLiveFeed, type KeptLiveFeed, type KeptLiveFeedDeps } from './keptFeed.ts';
import type { LiveFeedHealth } from './origins/feedHealth.ts';
import type { Standing } from './origins/feedReading.ts';

type LiveFeedKeeperDeps<State, Tail> = Omit<KeptLiveFeedDeps<State, Tail>, 'log' | 'queue'> & {
  readonly log: LiveLog;
  /** Other processes write to the log, too. */
  readonly isShared: boolean;
  /** Called when a feed begins to be read. */
  readonly onWake?: () => void;
};

export type FeedCondition = {
  readonly feed: LiveFeed;
  readonly health: LiveFeedHealth;
  readonly standing: Standing;
};

/** Milliseconds. */
const REMOVAL_MS = 60_000;

export function createLiveFeedKeeper<State, Tail>(deps: LiveFeedKeeperDeps<State, Tail>) {
  const { log, timers, warn } = deps;
  const feeds = new Map<string, KeptLiveFeed<State, Tail>>();
  const queue = createAppendQueue({ log, timers, warn });
  const isInUse = () => feeds.size > 0;
  const sync = deps.isShared
    ? createLogSync({ timers, now: deps.now, read: readOthers, isInUse, onOutage, visibleDelay: deps.visibleDelay })
    : undefined;

  function wake(feed: LiveFeed): KeptLiveFeed<State, Tail> {
    const kept: KeptLiveFeed<State, Tail> = createKeptLiveFeed({ ...deps, queue }, feed, () => {
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
    /**
     * The state of a feed for a viewer, at once if the feed is being read.
     * @throws {AppError} UNAVAILABLE, as a rejection, with a reason
     */
    use: (feed: LiveFeed): State | Promise<State> => (feeds.get(feed.life) ?? wake(feed)).use(),
    /** The state if it is in memory; does not count as a use. */
    peek: (life: string): State | undefined => feeds.get(life)?.peek(),
    /** Undefined if what other processes have stored is known. Otherwise resolves when it is, or when the store does not respond. */
    catchUp: (): Promise<void> | undefined => sync?.catchUp(),
    /** Undefined while the feed is idle. */
    health: (life: string): LiveFeedHealth | undefined => feeds.get(life)?.health(),
    /** What is on air and the backups of a feed; undefined while the feed is idle. */
    origins(life: string) {
      const kept = feeds.get(life);
      return kept && { standing: kept.standing(), backups: kept.backups() };
    },
    /** Stores what operators have ordered for the feeds that are being read. Resolves when it is stored, or cannot be. */
    async order() {
      await Promise.all([...feeds.values()].map((kept) => kept.order()));
    },
    lives: (): readonly string[] => [...feeds.keys()],
    /** The conditions of the feeds whose log is loaded, with what this process has found. */
    conditions: (): readonly FeedCondition[] =>
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

export type LiveFeedKeeper<State, Tail> = ReturnType<typeof createLiveFeedKeeper<State, Tail>>;

// Reads what other processes have written to the logs of live feeds, at the same instants of the clock in all of them: so all have
// read the same when the store becomes unavailable. A process that was suspended or is overloaded reads late, and shows nothing
// until it has read again: its edge would be older than that of the others (law 8).

type LogSyncDeps = Clock & {
  /** Reads the logs of all feeds. */
  readonly read: () => Promise<void>;
  readonly isInUse: () => boolean;
  /** Called after each reading that tells whether the store is unavailable. */
  readonly onOutage: (isOutage: boolean) => void;
  /** Milliseconds between writing an entry and showing it. */
  readonly visibleDelay: number;
};

/** Milliseconds: all processes read at the multiples of it. They show an entry a second after it was written. */
const SYNC_MS = 250;
/**
 * A call that stores entries counts as failed after this time: so all processes notice an outage at the same instant.
 */
const TIMEOUT_MS = 750;
/** A timeout that this process noticed so much later is not the store's. */
const LATE_MS = 100;
/** A viewer waits for readings no longer than this. */
const CATCH_UP_MS = 1000;

export function createLogSync({ timers, now, read, isInUse, onOutage, visibleDelay }: LogSyncDeps) {
  /** The other half of the delay is for the writer. */
  const maxAge = visibleDelay / 2;
  let timer: Timer | undefined;
  let reading: Promise<void> | undefined;
  let isStopped = false;
  /** When the newest reading that succeeded was begun. */
  let readAt = timers.elapsed();
  let isOutage = false;

  const isOld = (): boolean => !isOutage && !isStopped && timers.elapsed() - readAt > maxAge;

  async function readOnce(): Promise<void> {
    const begunAt = timers.elapsed();
    const isRead = await within(
      timers,
      TIMEOUT_MS,
      read().then(
        () => true,
        () => false,
      ),
    );
    reading = undefined;
    if (isRead) readAt = begunAt;
    if (isRead) isOutage = false;
    else if (timers.elapsed() - begunAt <= TIMEOUT_MS + LATE_MS) isOutage = true;
    else return;
    onOutage(isOutage);
  }

  const readNow = (): Promise<void> => {
    reading ??= readOnce();
    return reading;
  };

  function schedule(): void {
    if (timer !== undefined || isStopped || !isInUse()) return;
    timer = timers.after(SYNC_MS - (now() % SYNC_MS), async () => {
      // A failure has no effect: entries that could not be stored are reported by the queue.
      await readNow();
      timer = undefined;
      schedule();
    });
  }

  async function readSince(at: number): Promise<void> {
    while (!isOutage && !isStopped && readAt < at) await readNow();
  }

  return {
    /** Reads periodically from now on, for as long as feeds are in use. */
    start() {
      // Nothing was read while no feed was in use. A feed that is loaded now is as new as its log.
      if (timer === undefined) readAt = timers.elapsed();
      schedule();
    },
    /**
     * Undefined if the last reading is recent enough to contain all entries that are due. Otherwise resolves when they are known,
     * or when the store does not respond: then each process continues on its own.
     */
    catchUp: (): Promise<void> | undefined =>
      isOld() ? within(timers, CATCH_UP_MS, readSince(timers.elapsed())) : undefined,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
