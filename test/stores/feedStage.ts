// SPDX-License-Identifier: Apache-2.0
// One feed on a real store, with a scripted origin and a manual clock, for tests of what one process keeps.
import { beforeEach, expect, onTestFinished } from 'vitest';
import { sqlLiveFeeds } from '../../src/adapters/sql/live/sqlLiveFeeds.ts';
import { sqlLiveLog } from '../../src/adapters/sql/live/sqlLiveLog.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { AppError } from '../../src/errors.ts';
import type { LiveFeed } from '../../src/live/feed.ts';
import type { LiveLog } from '../../src/live/ports.ts';
import { type FeedNodeOptions, type Shown, startFeedNode } from '../laws/feedNodes.ts';
import { createManualClock, type ManualClock } from '../laws/manualClock.ts';
import { createScriptedOrigin, feedOf, type ScriptedOrigin } from '../laws/scriptedFeed.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../laws/storeWithOutages.ts';

export const START = 1_772_366_400_000;

type Started = ReturnType<typeof startFeedNode>;
type NodeOptions = Partial<Pick<FeedNodeOptions, 'log' | 'clock'>> &
  Omit<FeedNodeOptions, 'log' | 'origin' | 'clock' | 'warn'>;

export type FeedStage = {
  readonly feed: LiveFeed;
  clock: ManualClock;
  store: StoreWithOutages<LiveLog>;
  origin: ScriptedOrigin;
  /** Milliseconds that a reading of the origin takes. */
  latency: number;
  warnings: string[];
  /** A process, which ends with the test. */
  readonly start: (more?: NodeOptions) => Started;
  /** A process that has used the feed for some seconds. */
  readonly warm: (seconds?: number, more?: NodeOptions) => Promise<Started>;
  /** When a feed was read. */
  readonly readsOf: (life?: string) => readonly number[];
  readonly wait: <Value>(value: Value | Promise<Value>) => Promise<{ value: Value; ms: number }>;
  /** Uses feeds every second. */
  readonly watch: (keeper: Started, seconds: number, feeds?: readonly LiveFeed[]) => Promise<void>;
  readonly failureOf: (used: unknown) => Promise<AppError>;
  /** How long ago the last slot that is shown started. */
  readonly lagOf: (shown: Shown) => number;
};

/** Sets itself up before each of the tests that are declared next to it. */
export function feedStage(sql: Sql): FeedStage {
  const feed = feedOf('life', START);
  const fields = { latency: 20, warnings: [] as string[] } as Pick<
    FeedStage,
    'clock' | 'store' | 'origin' | 'latency' | 'warnings'
  >;
  const stage: FeedStage = Object.assign(fields, {
    feed,
    start(more: NodeOptions = {}) {
      const { store, origin, clock, warnings } = stage;
      const warn = (message: string) => void warnings.push(message);
      const keeper = startFeedNode({ log: store.store, origin, clock, warn, ...more });
      onTestFinished(() => keeper.stop());
      return keeper;
    },
    async warm(seconds = 0, more: NodeOptions = {}) {
      const keeper = stage.start(more);
      await stage.wait(keeper.use(feed));
      await stage.watch(keeper, seconds);
      return keeper;
    },
    readsOf: (life = 'life') => stage.origin.reads.get(life) ?? [],
    wait: <Value>(value: Value | Promise<Value>) => stage.clock.runUntil(Promise.resolve(value)),
    async watch(keeper: Started, seconds: number, feeds: readonly LiveFeed[] = [feed]) {
      for (let second = 0; second < seconds; second += 1) {
        for (const one of feeds) await keeper.use(one);
        await stage.clock.advance(1000);
      }
    },
    async failureOf(used: unknown) {
      const failed = Promise.resolve(used).then(
        () => undefined,
        (error: unknown) => error,
      );
      const { value } = await stage.clock.runUntil(failed);
      expect(value).toBeInstanceOf(AppError);
      return value as AppError;
    },
    lagOf: (shown: Shown) => stage.clock.now() - (shown.at(-1)?.start.millis ?? 0),
  });
  beforeEach(async () => {
    await sql.db.deleteFrom('live_feeds').execute();
    await sqlLiveFeeds(sql).begin(feed);
    stage.latency = 20;
    stage.warnings = [];
    stage.store = createStoreWithOutages(sqlLiveLog(sql));
    stage.clock = createManualClock(START + 700, () => stage.store.pending() > 0);
    stage.origin = createScriptedOrigin(
      stage.clock,
      () => 0,
      () => stage.latency,
    );
  });
  return stage;
}
