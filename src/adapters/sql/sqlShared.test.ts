// SPDX-License-Identifier: Apache-2.0
// State that all nodes share: channel statuses, excluded assets and request counts of tenants. Each node has its own
// connection to the same store.
import { beforeAll, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../test/servers/sqlStores.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { ChannelStatus } from '../../planning/status.ts';
import { createStatusBoard, createStatusMirror } from '../../planning/statusBoard.ts';
import { sqlRequestWindows } from '../../platform/access/store/sqlRequestWindows.ts';
import { millis } from '../../time/units.ts';
import { sqlChannelStatuses } from './channels/sqlChannelStatuses.ts';
import { sqlExcludedAssets } from './channels/sqlExcludedAssets.ts';
import type { Sql } from './sql.ts';

const item = { index: 0, url: 'https://media.test/a', state: 'ready' as const, duration: 12.5, cuePoints: [] };
const failed = {
  index: 1,
  url: 'https://media.test/b',
  state: 'failed' as const,
  reason: 'the origin returned status 404',
};
const preparation = { step: 'assets' as const, assets: 2, assetsRead: 1 };

const status = (stateReason: string): ChannelStatus => ({ state: 'enabled', stateReason, items: [item] });
const one = { tenant: 'acme', id: 'a/b' };
/** Another tenant's channel with the same id. */
const same = { tenant: 'globex', id: 'a/b' };

onEachOpenStore((first, { open }) => {
  let nodes: [Sql, Sql];
  beforeAll(async () => {
    nodes = [first, await open()];
  });

  test('requests that two nodes count at once all count, in the minute of the first one', async () => {
    const one = sqlRequestWindows(nodes[0]);
    const stores = [one, sqlRequestWindows(nodes[1])];
    const counted = await Promise.all(
      Array.from({ length: 40 }, (__, index) => stores[index % 2]!.count('acme', millis(1000 + index), 60_000)),
    );
    expect(counted.map(({ requests }) => requests).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (__, index) => index + 1),
    );
    expect(new Set(counted.map(({ startedAt }) => startedAt)).size).toBe(1);
    const { startedAt } = counted[0]!;
    expect(await one.count('globex', millis(5000), 60_000)).toEqual({ startedAt: 5000, requests: 1 });
    expect((await one.count('acme', millis(startedAt + 59_999), 60_000)).requests).toBe(41);
    const next = millis(startedAt + 60_000);
    expect(await one.count('acme', next, 60_000)).toEqual({ startedAt: next, requests: 1 });
    // A node whose clock was an hour ahead.
    await one.count('initech', millis(9_000_000), 60_000);
    expect(await one.count('initech', millis(5_400_000), 60_000)).toEqual({ startedAt: 5_400_000, requests: 1 });
  });

  test('an asset that one node excludes is excluded on the other, until it is imported', async () => {
    const [one, other] = [sqlExcludedAssets(nodes[0]), sqlExcludedAssets(nodes[1])];
    const aside = { reason: 'the origin returned status 404', until: millis(50_000), times: 2, isImported: false };
    expect(await other.find('https://media.test/gone')).toBeUndefined();
    await one.put('https://media.test/gone', aside, millis(0));
    expect(await other.find('https://media.test/gone')).toEqual(aside);
    await other.markImported('https://media.test/gone');
    await other.markImported('https://media.test/never');
    expect(await one.find('https://media.test/gone')).toEqual({ ...aside, isImported: true });
    await one.put('https://media.test/later', { ...aside, until: millis(90_000_000) }, millis(50_001));
    expect(await other.find('https://media.test/gone')).toBeUndefined();
    expect(await other.find('https://media.test/never')).toBeUndefined();
  });

  test('a channel status is the same on both nodes, and the newest one counts in any order of arrival', async () => {
    const [one, other] = [sqlChannelStatuses(nodes[0]), sqlChannelStatuses(nodes[1])];
    const [ours, theirs] = [
      { tenant: 'acme', id: 'one' },
      { tenant: 'globex', id: 'one' },
    ];
    const ready = { state: 'enabled' as const, items: [item] };
    await one.put(ours, { ...ready, stateReason: 'It is prepared.', preparation, items: [item, failed] }, millis(10));
    expect(await other.all()).toEqual([{ channel: ours, at: 10, isPreparing: true, hasFailed: true }]);
    await one.put(ours, ready, millis(12));
    await other.put(ours, { ...ready, preparation }, millis(11));
    expect(await other.find(ours)).toEqual(ready);
    expect(await other.findWithoutItems(ours)).toEqual({ state: 'enabled' });
    expect(await other.find(theirs)).toBeUndefined();
    await other.put(theirs, { state: 'failed', items: [] }, millis(13));
    await one.remove(ours);
    expect(await other.all()).toEqual([{ channel: theirs, at: 13, isPreparing: false, hasFailed: false }]);
    await one.remove(theirs);
  });

  test('a channel whose planner sends no heartbeat, or that was never planned, is planned by another node', async () => {
    let time = 1_000_000;
    const deps = { now: () => millis(time), log: expect.unreachable };
    const boardOf = (node: Sql) => createStatusBoard({ ...deps, store: sqlChannelStatuses(node) });
    const [dead, living] = [boardOf(nodes[0]), boardOf(nodes[1])];
    const of = (id: string) => ({ tenant: 'acme', id });
    const [planned, begun, untouched, off] = [of('planned'), of('begun'), of('untouched'), of('off')];
    const enabled = [planned, begun, untouched];
    await dead.put(planned, { state: 'enabled', items: [item, failed] });
    await dead.put(off, { state: 'enabled', items: [] });
    await dead.share([{ channel: begun, statusNow: () => ({ state: 'enabled', preparation, items: [] }) }]);
    expect(await living.survey(enabled)).toEqual({ unplanned: [], failing: [planned] });
    time += 19_000;
    // An unchanged status, as a heartbeat.
    await dead.share([{ channel: begun, statusNow: () => ({ state: 'enabled', preparation, items: [] }) }]);
    time += 2000;
    expect((await living.survey(enabled)).unplanned).toEqual([untouched]);
    time += 18_000;
    expect(new Set((await living.survey(enabled)).unplanned)).toEqual(new Set([begun, untouched]));
    expect(await living.find(off)).toBeUndefined();
    expect(await living.find(planned)).toBeDefined();
  });

  // The channel statuses that a process has in memory, which another one plans.

  test('statuses are read by key or all together, without items, and forgotten when they are removed', async () => {
    const planner = sqlChannelStatuses(first);
    const mirror = createStatusMirror(planner);
    await planner.put(one, status('first'), millis(1));
    await planner.put(same, status('other'), millis(1));
    expect(mirror.of(one)).toBeUndefined();
    await mirror.refresh(new Set([channelKey(one), 'acme/none']));
    expect(mirror.of(one)).toEqual({ state: 'enabled', stateReason: 'first' });
    expect(mirror.of(same)).toBeUndefined();
    await mirror.refresh();
    expect(mirror.of(same)).toMatchObject({ stateReason: 'other' });

    await planner.remove(one);
    await planner.remove(same);
    await mirror.refresh(new Set([channelKey(one)]));
    expect(mirror.of(one)).toBeUndefined();
    expect(mirror.of(same)).toBeDefined();
    await mirror.refresh();
    expect(mirror.of(same)).toBeUndefined();
  });

  test('what this process stores itself is known at once', async () => {
    const mirror = createStatusMirror(sqlChannelStatuses(first));
    await mirror.store.put(one, status('own'), millis(5));
    expect(mirror.of(one)).toEqual({ state: 'enabled', stateReason: 'own' });
    await mirror.store.remove(one);
    expect(mirror.of(one)).toBeUndefined();
  });

  test('more channels than one statement may name are read', async () => {
    const planner = sqlChannelStatuses(first);
    const mirror = createStatusMirror(planner);
    const all = Array.from({ length: 1100 }, (_, index) => ({ tenant: 'acme', id: `many${index}` }));
    for (const channel of all) await planner.put(channel, status('many'), millis(1));
    await mirror.refresh(new Set(all.map(channelKey)));
    expect(all.filter((channel) => mirror.of(channel) === undefined)).toEqual([]);
  });
}, 'file');
