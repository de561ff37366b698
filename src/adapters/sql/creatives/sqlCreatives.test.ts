// SPDX-License-Identifier: Apache-2.0
// The queue of creatives: which job is taken next, leases and outcomes.
import { expect, test } from 'vitest';
import { at, ladder, made, onEachCreativeQueue, requested } from '../../../../test/servers/creativeQueue.ts';
import { type CreativeRequest, IDLE_AFTER, URGENCY } from '../../../ingest/creatives/creativeJobs.ts';

onEachCreativeQueue((jobs) => {
  test('a waiting creative is fetched from its latest URL', async () => {
    const { order } = requested('moved');
    const source = { url: 'https://ads.test/moved.mp4?token=2', mimeType: 'video/mp4' };
    await jobs.request(10, requested('moved'));
    await jobs.takeNext('first', 20);
    await jobs.request(30, requested('moved', { order: { ...order, source } }));
    await jobs.finish(
      'first',
      { state: 'waiting', fault: 'NOT_FETCHED', reason: 'returned status 403', dueAt: at(50) },
      at(40),
    );
    expect((await jobs.find('acme', 'moved'))?.order.source).toEqual(order.source);
    await jobs.request(45, requested('moved', { order: { ...order, source } }));
    expect(await jobs.find('acme', 'moved')).toMatchObject({ dueAt: 50, attempts: 1, reason: 'returned status 403' });
    expect((await jobs.takeNext('second', 60))?.order.source).toEqual(source);
    await jobs.make('second', 70);
    expect(await jobs.stateOf('moved')).toEqual({ id: 'moved', state: 'ready', dueAt: 50 });
  });

  test('urgent jobs are taken first, each by one node', async () => {
    await jobs.request(
      10,
      requested('c1', { urgency: URGENCY.ahead }),
      requested('c2'),
      requested('c3', { urgency: URGENCY.slate }),
    );
    await jobs.request(11, requested('c4', { urgency: URGENCY.ahead }), requested('c5', { urgency: URGENCY.ahead }));
    await jobs.request(12, requested('c5', { urgency: URGENCY.slate }));
    expect(await jobs.take('none', at(20), at(30), URGENCY.slate - 1)).toBeUndefined();
    const first = [await jobs.takeNext('l1', 20), await jobs.takeNext('l2', 20), await jobs.takeNext('l3', 20)];
    expect(first.map((job) => [job?.order.id, job?.attempts])).toEqual([
      ['c3', 1],
      ['c5', 1],
      ['c2', 1],
    ]);
    expect(first[2]!.order).toEqual(requested('c2').order);
    const rest = await Promise.all(['l4', 'l5', 'l6', 'l7'].map((lease) => jobs.takeNext(lease, 20)));
    const taken = rest.flatMap((job) => (job ? [job.order.id] : []));
    // Of two concurrent takes, one may return nothing, so take again.
    for (let job = await jobs.takeNext('l8', 20); job; job = await jobs.takeNext(`l${job.order.id}`, 20))
      taken.push(job.order.id);
    expect(taken.sort()).toEqual(['c1', 'c4']);
    expect((await jobs.stateOf('c1'))?.state).toBe('preparing');
    expect(await jobs.waiting()).toBe(0);
    for (const lease of ['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'lc1', 'lc4']) await jobs.make(lease, 30);
  });

  test('slate of requested channels comes first, then other slate, then ads, then ads that are no longer requested', async () => {
    const slate = (id: string, channelId: string): CreativeRequest => {
      const order = { id, kind: 'slate', ladder } as const;
      return { order, urgency: URGENCY.slate, owner: { tenant: 'acme', channelId } };
    };
    await jobs.request(10, requested('left'));
    await jobs.request(20, requested('taken', { urgency: URGENCY.slate }));
    await jobs.request(30, slate('s1', 'one'), slate('s2', 'two'), slate('s3', 'three'), requested('ad'));
    await jobs.takeNext('t', 30);
    await jobs.prioritize({ tenant: 'acme', channelId: 'three' });
    await jobs.prioritize({ tenant: 'globex', channelId: 'two' });
    const now = 20 + IDLE_AFTER;
    await jobs.renew('t', at(now + 1000));
    const places = await jobs.queuedBefore(['s1', 's2', 's3', 'ad', 'left', 'taken', 'none'], at(now));
    expect(Object.fromEntries(places)).toEqual({ s3: 1, s1: 2, s2: 3, ad: 4, left: 5 });
    const order: (string | undefined)[] = [];
    for (let index = 0; index < 5; index += 1) order.push((await jobs.takeNext(`o${index}`, now))?.order.id);
    expect(order).toEqual(['s3', 's1', 's2', 'ad', 'left']);
    expect(await jobs.queuedBefore(['s1', 'left'], at(now))).toEqual(new Map());
    // It keeps its place for a retry.
    await jobs.finish('o0', { state: 'waiting', fault: 'NOT_FETCHED', reason: 'no', dueAt: at(now) }, at(now));
    await jobs.release('o1', at(now));
    expect((await jobs.takeNext('again', now))?.order.id).toBe('s3');
    for (const lease of ['t', 'again', 'o2', 'o3', 'o4']) await jobs.make(lease, now);
  });

  test('an expired lease is taken over, and its holder can neither extend nor finish the job', async () => {
    await jobs.request(10, requested('d'));
    expect(await jobs.takeNext('dead', 10, 20)).toBeDefined();
    expect(await jobs.takeNext('early', 20)).toBeUndefined();
    expect(await jobs.renew('dead', at(40))).toBe(true);
    expect(await jobs.takeNext('early', 40)).toBeUndefined();
    expect(await jobs.takeNext('next', 41)).toMatchObject({ order: { id: 'd' }, attempts: 2 });
    expect(await jobs.renew('dead', at(99))).toBe(false);
    expect(
      await jobs.finish('dead', { state: 'failed', fault: 'TOO_SLOW', reason: 'late', dueAt: at(1) }, at(50)),
    ).toBe(false);
    expect(await jobs.make('next', 50)).toBe(true);
    expect(await jobs.find('acme', 'd')).toMatchObject({ state: 'ready', made, madeAt: 50, attempts: 2 });
    expect(await jobs.takeNext('again', 5000)).toBeUndefined();
  });

  test('waiting jobs are neglected unless a node is working', async () => {
    await jobs.request(10, requested('o1'), requested('o2'));
    expect(await jobs.overdue(at(10), at(50))).toBe(0);
    expect(await jobs.overdue(at(11), at(50))).toBe(2);
    await jobs.takeNext('l', 50, 60);
    expect(await jobs.overdue(at(11), at(60))).toBe(0);
    expect(await jobs.overdue(at(11), at(61))).toBe(1);
    await jobs.release('l', at(61));
  });

  test('a released job counts as never taken', async () => {
    await jobs.request(10, requested('e'));
    await jobs.takeNext('stopping', 10);
    await jobs.release('stopping', at(15));
    expect(await jobs.takeNext('next', 15)).toMatchObject({ order: { id: 'e' }, attempts: 1 });
    await jobs.make('next', 20);
  });

  test('a transient failure is retried when it is due, after jobs that were not tried yet', async () => {
    await jobs.request(10, requested('f'));
    await jobs.takeNext('l', 10);
    await jobs.finish(
      'l',
      { state: 'waiting', fault: 'NOT_FETCHED', reason: 'returned status 503', dueAt: at(100) },
      at(20),
    );
    expect(await jobs.stateOf('f')).toEqual({
      id: 'f',
      state: 'waiting',
      dueAt: 100,
      fault: 'NOT_FETCHED',
      reason: 'returned status 503',
      failedAt: 20,
    });
    await jobs.request(30, requested('f'), requested('g', { urgency: URGENCY.ahead }));
    await jobs.request(101, requested('g', { urgency: URGENCY.ahead }));
    expect((await jobs.takeNext('m', 99))?.order.id).toBe('g');
    await jobs.release('m', at(99));
    expect((await jobs.takeNext('m', 101))?.order.id).toBe('g');
    expect(await jobs.takeNext('n', 101)).toMatchObject({ order: { id: 'f' }, attempts: 2 });
    await jobs.make('m', 110);
    await jobs.make('n', 110);
  });

  test('a creative whose media exist is ready at once, and waits again when they are lost', async () => {
    await jobs.request(10, requested('i', { made }));
    await jobs.request(10, requested('j'));
    await jobs.request(20, requested('j', { made }));
    expect((await jobs.states(['i', 'j', 'none'])).map(({ id, state }) => [id, state]).sort()).toEqual([
      ['i', 'ready'],
      ['j', 'ready'],
    ]);
    expect(await jobs.find('acme', 'j')).toMatchObject({ made, madeAt: 20 });
    await jobs.request(30, requested('j'));
    expect(await jobs.find('acme', 'j')).toEqual(expect.not.objectContaining({ made }));
    expect((await jobs.takeNext('l', 30))?.order.id).toBe('j');
    await jobs.make('l', 40);
    await jobs.forget(['content']);
    expect(await jobs.states(['i', 'j'])).toEqual([]);
    expect(await jobs.owners('i')).toEqual([]);
  });

  test('creatives that are no longer requested are removed, unless they are ready or in preparation', async () => {
    await jobs.request(10, ...['n1', 'n2', 'n3', 'n4'].map((id) => requested(id)));
    await jobs.takeNext('l1', 10);
    await jobs.takeNext('l2', 10);
    await jobs.takeNext('l3', 10, 10_000);
    await jobs.make('l1', 20);
    await jobs.finish('l2', { state: 'failed', fault: 'NO_VIDEO', reason: 'no', dueAt: at(99) }, at(20));
    await jobs.request(500, requested('n5'));
    await jobs.expire(at(400));
    expect((await jobs.states(['n1', 'n2', 'n3', 'n4', 'n5'])).map(({ state }) => state).sort()).toEqual([
      'preparing',
      'ready',
      'waiting',
    ]);
    expect(await jobs.owners('n2')).toEqual([]);
  });
});
