// SPDX-License-Identifier: Apache-2.0
// The records of creatives: owners, lists, retries and removal.
import { expect, test } from 'vitest';
import { at, ladder, made, onEachCreativeQueue, requested } from '../../../../test/servers/creativeQueue.ts';
import { type ChannelFailures, type ShownState, URGENCY } from '../../../ingest/creatives/creativeJobs.ts';

const page = { offset: 0, limit: 20 };

onEachCreativeQueue((jobs) => {
  test('a creative that is requested twice is one job with all of its owners', async () => {
    await jobs.request(10, requested('a'));
    await Promise.all([
      jobs.request(20, requested('a', { owner: { tenant: 'globex', channelId: 'g' } })),
      jobs.request(20, requested('a', { owner: { tenant: 'acme', channelId: 'two' } })),
    ]);
    expect(await jobs.waiting()).toBe(1);
    expect(await jobs.find('acme', 'a')).toEqual({
      id: 'a',
      state: 'waiting',
      dueAt: 10,
      attempts: 0,
      channels: ['one', 'two'],
      createdAt: 10,
      order: requested('a').order,
    });
    expect((await jobs.find('globex', 'a'))?.channels).toEqual(['g']);
    expect(await jobs.find('initech', 'a')).toBeUndefined();
    expect((await jobs.owners('a')).length).toBe(3);
    const waiting = (await jobs.unmadeByOwner()).sort((one, other) => (one.tenant < other.tenant ? -1 : 1));
    expect(waiting).toEqual([
      { tenant: 'acme', channelId: 'one', waiting: 1, failing: 0 },
      { tenant: 'globex', channelId: 'g', waiting: 1, failing: 0 },
    ]);
    await jobs.clear();
    expect(await jobs.owners('a')).toEqual([]);
  });

  test('a creative that fails is failing until it is ready, and has the names of its first ad', async () => {
    const ad = { adId: 'ad', creativeId: 'tea', title: 'Tea' };
    const owner = { tenant: 'acme', channelId: 'one' };
    await jobs.request(5, requested('t'));
    await jobs.request(10, requested('t', { owner: { ...owner, ad } }));
    await jobs.request(11, requested('t', { owner: { ...owner, ad: { ...ad, adId: 'other' } } }));
    await jobs.request(12, requested('t', { owner: { ...owner, channelId: 'two' } }));
    const idsIn = async (state: ShownState) => (await jobs.list('acme', { state }, page)).items.map(({ id }) => id);
    // As reports and the overview name it.
    for (const [search, found] of [
      ['TEA', 1],
      ['coffee', 0],
    ] as const)
      expect([search, (await jobs.list('acme', { search }, page)).total]).toEqual([search, found]);
    const failure = { fault: 'NOT_FOUND', reason: 'the server returned 404' } as const;
    const dues = [100, 200];
    for (const due of dues) {
      await jobs.takeNext('l', due - 50);
      await jobs.finish('l', { state: 'waiting', ...failure, dueAt: at(due) }, at(due - 40));
      expect(await idsIn('failing')).toEqual(['t']);
    }
    await jobs.request(150, requested('u'));
    expect([await idsIn('failing'), await idsIn('waiting')]).toEqual([['t'], ['u']]);
    await jobs.takeNext('m', 160);
    await jobs.make('m', 160);
    await jobs.takeNext('l', 200);
    expect([await idsIn('failing'), await idsIn('preparing')], 'also while it is tried again').toEqual([['t'], []]);
    expect(await jobs.find('acme', 't')).toMatchObject({ state: 'preparing', failedAt: 60, ad });
    expect(await jobs.unmadeByOwner()).toEqual([{ ...owner, waiting: 0, failing: 1 }]);
    const known = { count: 1, failing: 1, since: 60, reason: failure.reason };
    const byChannel = (one: ChannelFailures, other: ChannelFailures) => (one.channelId < other.channelId ? -1 : 1);
    expect((await jobs.failures('acme', at(0))).toSorted(byChannel)).toEqual([
      { channelId: 'one', name: 'tea', ...known },
      { channelId: 'two', ...known },
    ]);
    expect([await jobs.failures('acme', at(13)), await jobs.failures('globex', at(0))]).toEqual([[], []]);
    await jobs.make('l', 210);
    expect([await idsIn('failing'), await jobs.failures('acme', at(0))]).toEqual([[], []]);
  });

  test('slate that an operator retries keeps the urgency of slate', async () => {
    const order = { id: 'sr', kind: 'slate', ladder } as const;
    const owner = { tenant: 'acme', channelId: 'one' };
    await jobs.request(10, { order, urgency: URGENCY.slate, owner });
    await jobs.takeNext('l', 10);
    await jobs.finish('l', { state: 'failed', fault: 'NOT_FOUND', reason: 'no', dueAt: at(1000) }, at(20));
    await jobs.request(25, requested('before'));
    await jobs.retry('acme', 'sr', at(30));
    expect((await jobs.takeNext('m', 40))?.order.id).toBe('sr');
    await jobs.make('m', 50);
  });

  test('a permanent failure stays until it is due or an operator retries it', async () => {
    await jobs.request(10, requested('h'));
    await jobs.takeNext('l', 10);
    await jobs.finish('l', { state: 'failed', fault: 'ENCRYPTED', reason: 'it is encrypted', dueAt: at(1000) }, at(20));
    await jobs.request(999, requested('h'));
    expect(await jobs.takeNext('m', 999)).toBeUndefined();
    expect(await jobs.stateOf('h')).toMatchObject({ state: 'failed', fault: 'ENCRYPTED', reason: 'it is encrypted' });
    expect(await jobs.find('acme', 'h')).toMatchObject({ state: 'failed', fault: 'ENCRYPTED' });
    expect(await jobs.retry('globex', 'h', at(500))).toBe(false);
    expect(await jobs.retry('acme', 'h', at(500))).toBe(true);
    expect(await jobs.stateOf('h')).toEqual({ id: 'h', state: 'waiting', dueAt: 500 });
    expect(await jobs.takeNext('m', 500)).toMatchObject({ attempts: 1 });
    expect(await jobs.retry('acme', 'h', at(500))).toBe(false);
    await jobs.finish('m', { state: 'failed', fault: 'ENCRYPTED', reason: 'still', dueAt: at(1000) }, at(510));
    const newer = requested('h', {
      order: { ...requested('h').order, source: { url: 'https://ads.test/h.mp4?token=2', mimeType: '' } },
    });
    await jobs.request(1000, newer);
    const failing = [{ channelId: 'one', count: 1, failing: 1, since: 510 }];
    expect(await jobs.failures('acme', at(1000))).toEqual(failing);
    expect(await jobs.takeNext('n', 1000)).toEqual({ order: newer.order, lease: 'n', attempts: 1 });
    expect(await jobs.failures('acme', at(1000))).toEqual(failing);
    await jobs.make('n', 1010);
  });

  test('lists contain a tenant’s creatives, newest first, by state and channel', async () => {
    const other = { owner: { tenant: 'globex', channelId: 'one' } };
    for (const id of ['k1', 'k2', 'k3']) await jobs.request(10, requested(id));
    await jobs.request(
      20,
      requested('k2', { owner: { tenant: 'acme', channelId: 'two' } }),
      requested('k4', other),
      requested('k5', { made }),
    );
    const ids = async (filter: object, tenant = 'acme', limits = page) => {
      const { total, items } = await jobs.list(tenant, filter, limits);
      return [total, ...items.map(({ id }) => id)];
    };
    expect(await ids({})).toEqual([4, 'k5', 'k3', 'k2', 'k1']);
    expect(await ids({}, 'acme', { offset: 1, limit: 2 })).toEqual([4, 'k3', 'k2']);
    expect(await ids({ state: 'ready' })).toEqual([1, 'k5']);
    expect(await ids({ channelId: 'two' })).toEqual([1, 'k2']);
    expect(await ids({ channelId: 'one', state: 'waiting' })).toEqual([3, 'k3', 'k2', 'k1']);
    expect(await ids({}, 'globex')).toEqual([1, 'k4']);
    expect(await ids({}, 'initech')).toEqual([0]);
  });

  test('a creative that one tenant removes is kept for another', async () => {
    await jobs.request(
      10,
      requested('m'),
      requested('m', { owner: { tenant: 'acme', channelId: 'two' } }),
      requested('m', { owner: { tenant: 'globex', channelId: 'g' } }),
    );
    expect(await jobs.remove('initech', 'm')).toBeUndefined();
    expect(await jobs.remove('acme', 'm')).toBe('kept');
    expect(await jobs.remove('acme', 'm')).toBeUndefined();
    expect(await jobs.find('acme', 'm')).toBeUndefined();
    await jobs.takeNext('l', 10);
    expect(await jobs.remove('globex', 'm')).toBe('gone');
    expect(await jobs.renew('l', at(99))).toBe(false);
    expect(await jobs.states(['m'])).toEqual([]);
  });
});
