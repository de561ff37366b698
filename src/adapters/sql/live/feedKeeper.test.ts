// SPDX-License-Identifier: Apache-2.0
// One process keeps live feeds, on a real store: when it reads origins, what viewers wait for, and what remains in the log.
import { expect, test } from 'vitest';
import type { Shown } from '../../../../test/laws/feedNodes.ts';
import { feedOf, SEGMENT_MS } from '../../../../test/laws/scriptedFeed.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { feedStage, START } from '../../../../test/stores/feedStage.ts';
import type { LiveLog } from '../../../live/ports.ts';
import { UNREADABLE } from '../../../playback/live/origins/feedSources.ts';
import { sqlLiveFeeds } from './sqlLiveFeeds.ts';
import { sqlLiveLog } from './sqlLiveLog.ts';

onEachOpenStore((sql) => {
  const on = feedStage(sql);
  const { feed, start, warm, watch, wait, readsOf, failureOf, lagOf } = on;

  async function beginMany(name: string) {
    const feeds = Array.from({ length: 50 }, (_, index) => feedOf(`${name}-${index}`, START));
    for (const one of feeds) await sqlLiveFeeds(sql).begin(one);
    return feeds;
  }

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
  });

  test('an origin is read once in half a target duration, however many viewers there are, and not while it is idle', async () => {
    const keeper = await warm(60);
    const reads = readsOf();
    expect(reads.length).toBeGreaterThanOrEqual(59);
    expect(reads.length).toBeLessThanOrEqual(61);
    const gaps = reads.slice(2).map((at, index) => at - reads[index + 1]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(SEGMENT_MS / 2 + 1);
    expect(on.origin.mostAtOnce()).toBe(1);
    await on.clock.advance(63_000);
    const before = readsOf().length;
    expect(keeper.lives()).toEqual([]);
    expect(keeper.peek('life')).toBeUndefined();
    await on.clock.advance(600_000);
    expect(readsOf()).toHaveLength(before);
    await wait(keeper.use(feed));
    expect(readsOf()).toHaveLength(before + 1);
  });

  test('feeds without viewers cause no reading, no query and no timer, however many there are', async () => {
    const feeds = await beginMany('idle');
    let calls = 0;
    const counted = <Call extends (...args: never[]) => unknown>(call: Call) =>
      ((...args) => {
        calls += 1;
        return call(...args);
      }) as Call;
    const { read, tail, readAll, removeBefore, append } = on.store.store;
    const log: LiveLog = {
      read: counted(read),
      tail: counted(tail),
      readAll: counted(readAll),
      removeBefore: counted(removeBefore),
      append: counted(append),
    };
    const timers = { ...on.clock.timers, after: counted(on.clock.timers.after) };
    const keeper = start({ log, clock: { ...on.clock, timers }, isShared: true });
    await wait(Promise.all(feeds.map((one) => keeper.use(one))));
    await watch(keeper, 5, feeds);
    expect(calls).toBeGreaterThan(50 * 5);
    await on.clock.advance(65_000);
    expect(keeper.lives()).toEqual([]);
    const reads = feeds.map(({ life }) => readsOf(life).length);
    calls = 0;
    await on.clock.advance(600_000);
    expect(calls).toBe(0);
    expect(feeds.map(({ life }) => readsOf(life).length)).toEqual(reads);
  });

  test('an origin is read as often as viewers need it, whatever target duration it states later', async () => {
    const keeper = start();
    on.origin.targetDuration = 1e9;
    await wait(keeper.use(feed));
    await watch(keeper, 60);
    expect(readsOf().length).toBeGreaterThanOrEqual(60_000 / (feed.ladder.targetDuration * 500) - 1);
    await on.clock.advance(66_000);
    expect(keeper.lives()).toEqual([]);
  });

  test('feeds that wake together are read at different times, and their entries are stored together', async () => {
    const feeds = await beginMany('many');
    let calls = 0;
    const append: LiveLog['append'] = (entries) => {
      calls += 1;
      return on.store.store.append(entries);
    };
    const keeper = start({ log: { ...on.store.store, append } });
    await wait(Promise.all(feeds.map((one) => keeper.use(one))));
    await watch(keeper, 20, feeds);
    const seconds = feeds.map(({ life }) => readsOf(life).at(-1)! % 1000);
    expect(new Set(seconds.map((ms) => Math.floor(ms / 100))).size).toBe(10);
    const entries = await sql.db.selectFrom('live_entries').select('life').execute();
    expect(entries.length).toBeGreaterThan(50 * 9);
    expect(calls).toBeLessThan(entries.length / 2);
  });

  test('a feed that was read before continues its log after a restart', async () => {
    const first = await warm(20);
    const before = first.peek('life')!;
    first.stop();
    const second = start();
    const { value } = await wait(second.use(feed));
    const known = new Map(before.map((slot) => [slot.number, slot]));
    expect(value.filter(({ number }) => known.has(number))).toEqual(before.slice(-value.length));
    await on.clock.advance(3000);
    const after = await second.use(feed);
    expect(after.map(({ number }) => number)).toEqual(after.map((_, index) => after[0]!.number + index));
    expect(after.at(-1)!.number).toBeGreaterThan(before.at(-1)!.number);
  });

  test('nothing is shown of a feed that is loaded again until its origin has been read', async () => {
    const first = await warm(20);
    first.stop();
    await on.clock.advance(600_000);
    on.latency = 700;
    const second = start();
    const used = second.use(feed);
    await on.clock.advance(500);
    expect(second.peek('life')).toBeUndefined();
    expect(lagOf((await wait(used)).value)).toBeLessThan(3 * SEGMENT_MS);
    expect(second.peek('life')).toBe(second.use(feed));
  });

  test('an entry of another process is not shown before its time', async () => {
    const keeper = await warm(0, { isShared: true });
    const writer = await warm(0, { isShared: true });
    await on.clock.advance(5000);
    const rows = await sqlLiveLog(sql).read('life', 0);
    for (let step = 0; step < 200; step += 1) {
      const now = on.clock.now();
      const known = await sqlLiveLog(sql).read('life', 0);
      const visible = known.filter(({ visibleAt }) => visibleAt <= now).flatMap(({ slots }) => slots);
      for (const one of [keeper, writer]) expect(await one.use(feed)).toEqual(visible);
      await on.clock.advance(37);
    }
    expect(rows.length).toBeGreaterThan(2);
  });

  test('viewers get the reason when an origin fails, without what its error contains, and no reading of their own', async () => {
    const keeper = start();
    on.origin.state = 'refused';
    const error = await failureOf(keeper.use(feed));
    expect([error.status, error.retryAfter]).toEqual([503, 2]);
    expect(error.message).toBe('The origin returned 503.');
    expect(readsOf()).toHaveLength(1);
    for (let count = 0; count < 20; count += 1) await failureOf(keeper.use(feed));
    expect(readsOf()).toHaveLength(1);
    expect(keeper.health('life')?.failure).toMatchObject({ sentence: 'The origin returned 503.', count: 1 });
    await on.clock.advance(10_000);
    expect(readsOf().length).toBeLessThanOrEqual(7);
    expect(on.warnings).toHaveLength(1);
    on.origin.state = 'broken';
    await on.clock.advance(3000);
    const defect = await failureOf(keeper.use(feed));
    expect([defect.message, defect.part]).toEqual([UNREADABLE, 'other']);
    expect(on.warnings.slice(1)).toEqual(['failed to process a live channel']);
    on.origin.state = 'up';
    await on.clock.advance(3000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
    expect(keeper.health('life')?.failure).toBeUndefined();
  });

  test('viewers wait for a silent origin for five seconds at most; its readings are aborted and never overlap', async () => {
    const keeper = start();
    on.origin.state = 'silent';
    const used = failureOf(keeper.use(feed));
    const began = on.clock.now();
    expect((await used).status).toBe(503);
    expect(on.clock.now() - began).toBeLessThanOrEqual(5000);
    await on.clock.advance(20_000);
    expect(keeper.health('life')?.failure).toBeDefined();
    on.origin.state = 'up';
    await on.clock.advance(10_000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
    expect(on.origin.mostAtOnce()).toBe(1);
  });

  test('a warm feed keeps its state while the origin fails, and reports since when', async () => {
    const keeper = await warm(10);
    const before = keeper.peek('life')!;
    const at = on.clock.now();
    on.origin.state = 'refused';
    await watch(keeper, 30);
    expect((await keeper.use(feed)).at(-1)!.number).toBeLessThanOrEqual(before.at(-1)!.number + 1);
    const { failure, advancedAt } = keeper.health('life')!;
    expect(failure!.since - at).toBeLessThan(SEGMENT_MS);
    expect(failure!.count).toBeGreaterThan(10);
    expect(on.clock.now() - advancedAt!).toBeGreaterThan(25_000);
  });

  test('the log keeps what windows need', async () => {
    await warm(130, { keepMillis: 20_000 });
    const entries = await sqlLiveLog(sql).read('life', 0);
    expect(entries[0]!.number).toBeGreaterThan(0);
    expect(entries.length).toBeGreaterThan(9);
    expect(entries.length).toBeLessThan(50);
  });

  test('the log keeps the start of a long break, and a node that is started in it reads from there', async () => {
    // From the fifth slot on, a break is on air.
    const since = START + 4 * SEGMENT_MS;
    const breakMillis = (shown: Shown) => Math.max(0, (shown.at(-1)?.start.millis ?? since) - since);
    const keeper = await warm(130, { keepMillis: 20_000, breakMillis });
    keeper.stop();
    const second = start({ keepMillis: 20_000, breakMillis });
    const { value: shown } = await wait(second.use(feed));
    expect(shown[0]!.start.millis).toBeLessThan(since);
  });

  test('a feed whose life has ended is no longer read', async () => {
    const keeper = await warm();
    await sqlLiveFeeds(sql).endLife('life');
    await on.clock.advance(5000);
    expect(keeper.lives()).toEqual([]);
    const { message } = await failureOf(keeper.use(feed));
    expect(message).not.toBe('');
  });

  test('a cold feed whose log cannot be read is not started', async () => {
    const keeper = start();
    on.store.begin('refused');
    expect(await failureOf(keeper.use(feed))).toMatchObject({ status: 503, part: 'store' });
    expect(readsOf()).toHaveLength(0);
    expect(new Set(on.warnings)).toEqual(new Set(['a live channel is not available']));
    on.store.end();
    await on.clock.advance(5000);
    expect(await keeper.use(feed)).not.toHaveLength(0);
  });

  test.each(['refused', 'silent'] as const)(
    'a warm feed continues from memory during an outage (%s), and stores its entries after it',
    async (how) => {
      const keeper = await warm(6);
      on.store.begin(how);
      await watch(keeper, 60);
      const during = await keeper.use(feed);
      expect(lagOf(during)).toBeLessThan(3 * SEGMENT_MS);
      expect(on.warnings).toHaveLength(1);
      on.store.end();
      await watch(keeper, 6);
      expect(on.warnings).toHaveLength(2);
      const stored = (await sqlLiveLog(sql).read('life', 0)).flatMap(({ slots }) => slots);
      expect(stored.slice(0, during.length)).toEqual(during);
      const after = await keeper.use(feed);
      expect(after.slice(0, during.length)).toEqual(during);
    },
  );
});
