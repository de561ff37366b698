// SPDX-License-Identifier: Apache-2.0
// One process keeps live feeds, on a real store: when it reads origins, what viewers wait for, and what remains in the log.

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type FeedNodeOptions, type Shown, startFeedNode } from '../../../../test/laws/feedNodes.ts';
import { createManualClock, type ManualClock } from '../../../../test/laws/manualClock.ts';
import { createScriptedOrigin, feedOf, type ScriptedOrigin, SEGMENT_MS } from '../../../../test/laws/scriptedFeed.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../../../../test/laws/storeWithOutages.ts';
import { onEachStore } from '../../../../test/servers/sqlStores.ts';
import { AppError } from '../../../errors.ts';
import { invariant, isInvariantError } from '../../../invariant.ts';
import type { LiveLog } from '../../../live/ports.ts';
import type { LiveEntry } from '../../../live/slot.ts';
import { DEFECT } from '../../../playback/live/feedStatus.ts';
import { UNREADABLE } from '../../../playback/live/origins/feedSources.ts';
import type { Sql } from '../sql.ts';
import { sqlLiveFeeds } from './sqlLiveFeeds.ts';
import { sqlLiveLog } from './sqlLiveLog.ts';

const START = 1_772_366_400_000;

onEachStore((openStore) => {
  let sql: Sql;
  let clock: ManualClock;
  let store: StoreWithOutages<LiveLog>;
  let origin: ScriptedOrigin;
  let warnings: string[];
  let latency = 20;
  const feed = feedOf('life', START);
  beforeAll(async () => {
    sql = await openStore();
  });
  beforeEach(async () => {
    await sql.db.deleteFrom('live_feeds').execute();
    await sqlLiveFeeds(sql).begin(feed);
    latency = 20;
    warnings = [];
    store = createStoreWithOutages(sqlLiveLog(sql));
    clock = createManualClock(START + 700, () => store.pending() > 0);
    origin = createScriptedOrigin(
      clock,
      () => 0,
      () => latency,
    );
  });
  const start = (more: Omit<FeedNodeOptions, 'log' | 'origin' | 'clock' | 'warn'> = {}) => {
    const warn = (message: string) => void warnings.push(message);
    return startFeedNode({ log: store.store, origin, clock, warn, ...more });
  };
  const readsOf = (life = 'life') => origin.reads.get(life) ?? [];
  const wait = <Value>(value: Value | Promise<Value>) => clock.runUntil(Promise.resolve(value));
  /** Uses feeds every second. */
  const watch = async (keeper: ReturnType<typeof start>, seconds: number, feeds = [feed]) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const one of feeds) await keeper.use(one);
      await clock.advance(1000);
    }
  };
  const failureOf = async (used: unknown) => {
    const { value } = await clock.runUntil(
      Promise.resolve(used).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(value).toBeInstanceOf(AppError);
    return value as AppError;
  };

  test('a hundred viewers of a cold feed cause one reading; then each gets the state at once', async () => {
    const keeper = start();
    const used = Array.from({ length: 100 }, () => keeper.use(feed));
    const { value, ms } = await wait(Promise.all(used));
    expect(readsOf()).toHaveLength(1);
    expect(ms).toBeLessThan(200);
    expect(new Set(value).size).toBe(1);
    const state = keeper.use(feed);
    expect(state).toBe(value[0]);
    expect(keeper.use(feed)).toBe(state);
    expect(keeper.peek('life')).toBe(state);
    keeper.stop();
  });

  test('an origin is read once in half a target duration, however many viewers there are, and not while it is idle', async () => {
    const keeper = start();
    await wait(keeper.use(feed));
    await watch(keeper, 60);
    const reads = readsOf();
    expect(reads.length).toBeGreaterThanOrEqual(59);
    expect(reads.length).toBeLessThanOrEqual(61);
    const gaps = reads.slice(2).map((at, index) => at - reads[index + 1]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(SEGMENT_MS / 2 + 1);
    expect(origin.mostAtOnce()).toBe(1);
    await clock.advance(63_000);
    const before = readsOf().length;
    expect(keeper.lives()).toEqual([]);
    expect(keeper.peek('life')).toBeUndefined();
    await clock.advance(600_000);
    expect(readsOf()).toHaveLength(before);
    await wait(keeper.use(feed));
    expect(readsOf()).toHaveLength(before + 1);
    keeper.stop();
  });

  test('feeds without viewers cause no reading, no query and no timer, however many there are', async () => {
    const feeds = Array.from({ length: 50 }, (_, index) => feedOf(`idle-${index}`, START));
    for (const one of feeds) await sqlLiveFeeds(sql).begin(one);
    let calls = 0;
    const counted = <Call extends (...args: never[]) => unknown>(call: Call) =>
      ((...args) => {
        calls += 1;
        return call(...args);
      }) as Call;
    const { read, tail, readAll, removeBefore, append } = store.store;
    const log: LiveLog = {
      ...{ read: counted(read), tail: counted(tail), readAll: counted(readAll) },
      ...{ removeBefore: counted(removeBefore), append: counted(append) },
    };
    const timers = { ...clock.timers, after: counted(clock.timers.after) };
    const keeper = startFeedNode({ log, origin, clock: { ...clock, timers }, isShared: true });
    await wait(Promise.all(feeds.map((one) => keeper.use(one))));
    await watch(keeper, 5, feeds);
    expect(calls).toBeGreaterThan(50 * 5);
    await clock.advance(65_000);
    expect(keeper.lives()).toEqual([]);
    const reads = feeds.map(({ life }) => readsOf(life).length);
    calls = 0;
    await clock.advance(600_000);
    expect(calls).toBe(0);
    expect(feeds.map(({ life }) => readsOf(life).length)).toEqual(reads);
    keeper.stop();
  });

  test('an origin is read as often as viewers need it, whatever target duration it states later', async () => {
    const keeper = start();
    origin.targetDuration = 1e9;
    await wait(keeper.use(feed));
    await watch(keeper, 60);
    expect(readsOf().length).toBeGreaterThanOrEqual(60_000 / (feed.ladder.targetDuration * 500) - 1);
    await clock.advance(66_000);
    expect(keeper.lives()).toEqual([]);
    keeper.stop();
  });

  test('feeds that wake together are read at different times, and their entries are stored together', async () => {
    const feeds = Array.from({ length: 50 }, (_, index) => feedOf(`many-${index}`, START));
    for (const one of feeds) await sqlLiveFeeds(sql).begin(one);
    let calls = 0;
    const { read, tail, readAll, removeBefore, append } = store.store;
    const count: LiveLog['append'] = (entries) => {
      calls += 1;
      return append(entries);
    };
    const log: LiveLog = { read, tail, readAll, removeBefore, append: count };
    const keeper = startFeedNode({ log, origin, clock });
    await wait(Promise.all(feeds.map((one) => keeper.use(one))));
    await watch(keeper, 20, feeds);
    const seconds = feeds.map(({ life }) => readsOf(life).at(-1)! % 1000);
    expect(new Set(seconds.map((ms) => Math.floor(ms / 100))).size).toBe(10);
    const entries = await sql.db.selectFrom('live_entries').select('life').execute();
    expect(entries.length).toBeGreaterThan(50 * 9);
    expect(calls).toBeLessThan(entries.length / 2);
    keeper.stop();
  });

  test('a feed that was read before continues its log after a restart', async () => {
    const first = start();
    await wait(first.use(feed));
    await watch(first, 20);
    const before = first.peek('life')!;
    first.stop();
    const second = start();
    const { value } = await wait(second.use(feed));
    const known = new Map(before.map((slot) => [slot.number, slot]));
    expect(value.filter(({ number }) => known.has(number))).toEqual(before.slice(-value.length));
    await clock.advance(3000);
    const after = await second.use(feed);
    expect(after.map(({ number }) => number)).toEqual(after.map((_, index) => after[0]!.number + index));
    expect(after.at(-1)!.number).toBeGreaterThan(before.at(-1)!.number);
    second.stop();
  });

  test('nothing is shown of a feed that is loaded again until its origin has been read', async () => {
    const first = start();
    await wait(first.use(feed));
    await watch(first, 20);
    first.stop();
    await clock.advance(600_000);
    latency = 700;
    const second = start();
    const used = second.use(feed);
    await clock.advance(500);
    expect(second.peek('life')).toBeUndefined();
    expect(clock.now() - (await wait(used)).value.at(-1)!.start.millis).toBeLessThan(3 * SEGMENT_MS);
    expect(second.peek('life')).toBe(second.use(feed));
    second.stop();
  });

  test('an entry of another process is not shown before its time', async () => {
    const keeper = start({ isShared: true });
    await wait(keeper.use(feed));
    const writer = start({ isShared: true });
    await wait(writer.use(feed));
    await clock.advance(5000);
    const rows = await sqlLiveLog(sql).read('life', 0);
    for (let step = 0; step < 200; step += 1) {
      const now = clock.now();
      const known = await sqlLiveLog(sql).read('life', 0);
      const visible = known.filter(({ visibleAt }) => visibleAt <= now).flatMap(({ slots }) => slots);
      for (const one of [keeper, writer]) expect(await one.use(feed)).toEqual(visible);
      await clock.advance(37);
    }
    expect(rows.length).toBeGreaterThan(2);
    keeper.stop();
    writer.stop();
  });

  test('viewers get the reason when an origin fails, without what its error contains, and no reading of their own', async () => {
    const keeper = start();
    origin.state = 'refused';
    const error = await failureOf(keeper.use(feed));
    expect([error.status, error.retryAfter]).toEqual([503, 2]);
    expect(error.message).toBe('The origin returned 503.');
    expect(readsOf()).toHaveLength(1);
    for (let count = 0; count < 20; count += 1) await failureOf(keeper.use(feed));
    expect(readsOf()).toHaveLength(1);
    expect(keeper.health('life')?.failure).toMatchObject({ sentence: 'The origin returned 503.', count: 1 });
    await clock.advance(10_000);
    expect(readsOf().length).toBeLessThanOrEqual(7);
    expect(warnings).toHaveLength(1);
    origin.state = 'broken';
    await clock.advance(3000);
    const defect = await failureOf(keeper.use(feed));
    expect([defect.message, defect.part]).toEqual([UNREADABLE, 'other']);
    expect(warnings.slice(1)).toEqual(['failed to process a live channel']);
    origin.state = 'up';
    await clock.advance(3000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
    expect(keeper.health('life')?.failure).toBeUndefined();
    keeper.stop();
  });

  /** A rule that throws, as the message of what it throws. */
  const faulty: Record<string, NonNullable<FeedNodeOptions['spoil']>> = {
    'a tail that cannot be continued': (rule) => {
      if (rule === 'nextEntry') throw new TypeError('a tail');
    },
    'an entry that cannot be applied': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      if (rule === 'apply' && number % 5 === 3 && !slots[0]?.isAway) throw new TypeError('an entry');
    },
    'an entry that a tail cannot be made of': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      if (rule === 'tailAfter' && number % 5 === 3 && !slots[0]?.isAway) throw new TypeError('an entry');
    },
    'a law of a feed that does not hold': (rule) => {
      invariant(rule !== 'nextEntry', 'a law of the feed');
    },
    'a law of a programme that does not hold for an entry': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      invariant(rule !== 'apply' || number % 5 !== 3 || slots[0]?.isAway, 'a law of the programme');
    },
    'a state that cannot be listed': (rule, of) => {
      if (rule === 'list') invariant((of as Shown).length % 5 !== 3, 'a law of the programme');
    },
    'what no reading survives for 10 s': (rule) => {
      if (rule === 'standing' && clock.now() < START + 10_000) throw new TypeError('a standing');
    },
  };
  test.each(Object.keys(faulty))(
    'a defect is logged as such, counted and shown, and the channel continues: %s',
    async (kind) => {
      const errors: string[] = [];
      let defects = 0;
      const error = (message: string) => void errors.push(message);
      const countDefects = (_: unknown, count: number) => {
        defects += count;
      };
      const keeper = start({ spoil: faulty[kind]!, error, countDefects });
      Promise.resolve(keeper.use(feed)).catch(() => {});
      await clock.advance(12_500);
      await watch(keeper, 20);
      const shown = await keeper.use(feed);
      expect(shown.map(({ number }) => number)).toEqual(shown.map((_, index) => index));
      expect(clock.now() - shown.at(-1)!.start.millis).toBeLessThan(3 * SEGMENT_MS);
      expect([...new Set(errors)]).toEqual(['failed to process a live channel']);
      expect(errors.length).toBeLessThan(3);
      expect(defects).toBeGreaterThan(2);
      expect(keeper.health('life')).toMatchObject({ warnings: [DEFECT] });
      expect(keeper.health('life')?.failure ?? keeper.health('life')?.stall).toBeUndefined();
      expect(warnings).toEqual([]);
      keeper.stop();
    },
  );

  test('viewers are shown the last state that can be listed', async () => {
    const facts: Record<string, unknown>[] = [];
    let isFaulty = false;
    const keeper = start({
      spoil: (rule) => invariant(rule !== 'list' || !isFaulty, 'a law of the programme'),
      error: (_, more) => void facts.push(more),
    });
    await wait(keeper.use(feed));
    await watch(keeper, 10);
    const good = await keeper.use(feed);
    isFaulty = true;
    await watch(keeper, 10);
    expect([await keeper.use(feed), keeper.peek('life')]).toEqual([good, good]);
    expect(facts.map(({ error }) => isInvariantError(error))).toEqual([true]);
    expect(keeper.health('life')).toMatchObject({ warnings: [DEFECT] });
    expect(warnings).toEqual([]);
    isFaulty = false;
    await watch(keeper, 3);
    expect((await keeper.use(feed)).length).toBeGreaterThan(good.length + 4);
    keeper.stop();
  });

  test('an entry that cannot be split while the store is unavailable is shown as a whole', async () => {
    const errors: string[] = [];
    const spoil: FeedNodeOptions['spoil'] = (rule) => {
      if (rule === 'split') throw new TypeError('an entry');
    };
    const keeper = start({ isShared: true, spoil, error: (message) => void errors.push(message) });
    await wait(keeper.use(feed));
    await watch(keeper, 6);
    store.begin('refused');
    await watch(keeper, 40);
    const shown = await keeper.use(feed);
    expect(clock.now() - shown.at(-1)!.start.millis).toBeLessThan(6 * SEGMENT_MS);
    expect(errors).not.toEqual([]);
    keeper.stop();
  });

  test('viewers wait for a silent origin for five seconds at most; its readings are aborted and never overlap', async () => {
    const keeper = start();
    origin.state = 'silent';
    const used = failureOf(keeper.use(feed));
    const began = clock.now();
    expect((await used).status).toBe(503);
    expect(clock.now() - began).toBeLessThanOrEqual(5000);
    await clock.advance(20_000);
    expect(keeper.health('life')?.failure).toBeDefined();
    origin.state = 'up';
    await clock.advance(10_000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
    expect(origin.mostAtOnce()).toBe(1);
    keeper.stop();
  });

  test('a warm feed keeps its state while the origin fails, and reports since when', async () => {
    const keeper = start();
    await wait(keeper.use(feed));
    await watch(keeper, 10);
    const before = keeper.peek('life')!;
    const at = clock.now();
    origin.state = 'refused';
    await watch(keeper, 30);
    expect((await keeper.use(feed)).at(-1)!.number).toBeLessThanOrEqual(before.at(-1)!.number + 1);
    const { failure, advancedAt } = keeper.health('life')!;
    expect(failure!.since - at).toBeLessThan(SEGMENT_MS);
    expect(failure!.count).toBeGreaterThan(10);
    expect(clock.now() - advancedAt!).toBeGreaterThan(25_000);
    keeper.stop();
  });

  test('the log keeps what windows need', async () => {
    const keeper = start({ keepMillis: 20_000 });
    await wait(keeper.use(feed));
    await watch(keeper, 130);
    const entries = await sqlLiveLog(sql).read('life', 0);
    expect(entries[0]!.number).toBeGreaterThan(0);
    expect(entries.length).toBeGreaterThan(9);
    expect(entries.length).toBeLessThan(50);
    keeper.stop();
  });

  test('the log keeps the start of a long break, and a node that is started in it reads from there', async () => {
    // From the fifth slot on, a break is on air.
    const since = START + 4 * SEGMENT_MS;
    const breakMillis = (shown: Shown) => Math.max(0, (shown.at(-1)?.start.millis ?? since) - since);
    const keeper = start({ keepMillis: 20_000, breakMillis });
    await wait(keeper.use(feed));
    await watch(keeper, 130);
    keeper.stop();
    const second = start({ keepMillis: 20_000, breakMillis });
    const { value: shown } = await wait(second.use(feed));
    expect(shown[0]!.start.millis).toBeLessThan(since);
    second.stop();
  });

  test('a feed whose life has ended is no longer read', async () => {
    const keeper = start();
    await wait(keeper.use(feed));
    await sqlLiveFeeds(sql).endLife('life');
    await clock.advance(5000);
    expect(keeper.lives()).toEqual([]);
    const { message } = await failureOf(keeper.use(feed));
    expect(message).not.toBe('');
    keeper.stop();
  });

  test('a cold feed whose log cannot be read is not started', async () => {
    const keeper = start();
    store.begin('refused');
    expect(await failureOf(keeper.use(feed))).toMatchObject({ status: 503, part: 'store' });
    expect(readsOf()).toHaveLength(0);
    expect(new Set(warnings)).toEqual(new Set(['a live channel is not available']));
    store.end();
    await clock.advance(5000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
    keeper.stop();
  });

  test.each(['refused', 'silent'] as const)(
    'a warm feed continues from memory during an outage (%s), and stores its entries after it',
    async (how) => {
      const keeper = start();
      await wait(keeper.use(feed));
      await watch(keeper, 6);
      store.begin(how);
      await watch(keeper, 60);
      const during = await keeper.use(feed);
      expect(clock.now() - during.at(-1)!.start.millis).toBeLessThan(3 * SEGMENT_MS);
      expect(warnings).toHaveLength(1);
      store.end();
      await watch(keeper, 6);
      expect(warnings).toHaveLength(2);
      const stored = (await sqlLiveLog(sql).read('life', 0)).flatMap(({ slots }) => slots);
      expect(stored.slice(0, during.length)).toEqual(during);
      const after = await keeper.use(feed);
      expect(after.slice(0, during.length)).toEqual(during);
      keeper.stop();
    },
  );
});
