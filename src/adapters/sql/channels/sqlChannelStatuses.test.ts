// SPDX-License-Identifier: Apache-2.0
// The channel statuses that a process has in memory, which another one plans.
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelKey } from '../../../channels/channelKey.ts';
import type { ChannelStatus } from '../../../planning/status.ts';
import { createStatusMirror } from '../../../planning/statusBoard.ts';
import { millis } from '../../../time/units.ts';
import { sqlChannelStatuses } from './sqlChannelStatuses.ts';

const status = (stateReason: string): ChannelStatus => ({
  ...{ state: 'enabled', stateReason },
  items: [{ index: 0, state: 'ready' }],
});
const one = { tenant: 'acme', id: 'a/b' };
/** Another tenant's channel with the same id. */
const same = { tenant: 'globex', id: 'a/b' };

onEachOpenStore((sql) => {
  const planner = sqlChannelStatuses(sql);

  test('statuses are read by key or all together, without items, and forgotten when they are removed', async () => {
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
    const mirror = createStatusMirror(planner);
    await mirror.store.put(one, status('own'), millis(5));
    expect(mirror.of(one)).toEqual({ state: 'enabled', stateReason: 'own' });
    await mirror.store.remove(one);
    expect(mirror.of(one)).toBeUndefined();
  });

  test('more channels than one statement may name are read', async () => {
    const mirror = createStatusMirror(planner);
    const all = Array.from({ length: 1100 }, (_, index) => ({ tenant: 'acme', id: `many${index}` }));
    for (const channel of all) await planner.put(channel, status('many'), millis(1));
    await mirror.refresh(new Set(all.map(channelKey)));
    expect(all.filter((channel) => mirror.of(channel) === undefined)).toEqual([]);
  });
});
