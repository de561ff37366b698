// SPDX-License-Identifier: Apache-2.0
// The queue of creatives: which job is taken next, leases and outcomes.
import { expect, test } from 'vitest';
import { at, ladder, made, onEachCreativeQueue, requested } from '../../../../test/servers/creativeQueue.ts';
import { type CreativeRequest, IDLE_AFTER, URGENCY } from '../../../ingest/creatives/creativeJobs.ts';

onEachCreativeQueue(({ jobs, take, stateOf }) => {
  test('a waiting creative is fetched from its latest URL', async () => {
    const { order } = requested('moved');
    const source = { url: 'https://ads.test/moved.mp4?token=2', mimeType: 'video/mp4' };
    await jobs().enqueue([requested('moved')], at(10));
    await take('first', 20);
    await jobs().enqueue([requested('moved', { order: { ...order, source } })], at(30));
    await jobs().finish(
      'first',
      { state: 'waiting', fault: 'NOT_FETCHED', reason: 'returned status 403', dueAt: at(50) },
      at(40),
    );
    expect((await jobs().find('acme', 'moved'))?.order.source).toEqual(order.source);
    await jobs().enqueue([requested('moved', { order: { ...order, source } })], at(45));
    expect(await jobs().find('acme', 'moved')).toMatchObject({ dueAt: 50, attempts: 1, reason: 'returned status 403' });
    expect((await take('second', 60))?.order.source).toEqual(source);
    await jobs().finish('second', { state: 'ready', made }, at(70));
    expect(await stateOf('moved')).toEqual({ id: 'moved', state: 'ready', dueAt: 50 });
  });

  test('urgent jobs are taken first, each by one node', async () => {
    await jobs().enqueue(
      [requested('c1', { urgency: URGENCY.ahead }), requested('c2'), requested('c3', { urgency: URGENCY.slate })],
      at(10),
    );
    await jobs().enqueue(
      [requested('c4', { urgency: URGENCY.ahead }), requested('c5', { urgency: URGENCY.ahead })],
      at(11),
    );
    await jobs().enqueue([requested('c5', { urgency: URGENCY.slate })], at(12));
    expect(await jobs().take('none', at(20), at(30), URGENCY.slate - 1)).toBeUndefined();
    const first = [await take('l1', 20), await take('l2', 20), await take('l3', 20)];
    expect(first.map((job) => [job?.order.id, job?.attempts])).toEqual([
      ['c3', 1],
      ['c5', 1],
      ['c2', 1],
    ]);
    expect(first[2]!.order).toEqual(requested('c2').order);
    const rest = await Promise.all(['l4', 'l5', 'l6', 'l7'].map((lease) => take(lease, 20)));
    const taken = rest.flatMap((job) => (job ? [job.order.id] : []));
    // Of two concurrent takes, one may return nothing, so take again.
    for (let job = await take('l8', 20); job; job = await take(`l${job.order.id}`, 20)) taken.push(job.order.id);
    expect(taken.sort()).toEqual(['c1', 'c4']);
    expect((await stateOf('c1'))?.state).toBe('preparing');
    expect(await jobs().waiting()).toBe(0);
    for (const lease of ['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'lc1', 'lc4'])
      await jobs().finish(lease, { state: 'ready', made }, at(30));
  });

  test('slate of requested channels comes first, then other slate, then ads, then ads that are no longer requested', async () => {
    const slate = (id: string, channelId: string): CreativeRequest => {
      const order = { id, kind: 'slate', ladder } as const;
      return { order, urgency: URGENCY.slate, owner: { tenant: 'acme', channelId } };
    };
    await jobs().enqueue([requested('left')], at(10));
    await jobs().enqueue([requested('taken', { urgency: URGENCY.slate })], at(20));
    await jobs().enqueue([slate('s1', 'one'), slate('s2', 'two'), slate('s3', 'three'), requested('ad')], at(30));
    await take('t', 30);
    await jobs().prioritize({ tenant: 'acme', channelId: 'three' });
    await jobs().prioritize({ tenant: 'globex', channelId: 'two' });
    const now = 20 + IDLE_AFTER;
    await jobs().renew('t', at(now + 1000));
    const places = await jobs().queuedBefore(['s1', 's2', 's3', 'ad', 'left', 'taken', 'none'], at(now));
    expect(Object.fromEntries(places)).toEqual({ s3: 1, s1: 2, s2: 3, ad: 4, left: 5 });
    const order: (string | undefined)[] = [];
    for (let index = 0; index < 5; index += 1) order.push((await take(`o${index}`, now))?.order.id);
    expect(order).toEqual(['s3', 's1', 's2', 'ad', 'left']);
    expect(await jobs().queuedBefore(['s1', 'left'], at(now))).toEqual(new Map());
    // It keeps its place for a retry.
    await jobs().finish('o0', { state: 'waiting', fault: 'NOT_FETCHED', reason: 'no', dueAt: at(now) }, at(now));
    await jobs().release('o1', at(now));
    expect((await take('again', now))?.order.id).toBe('s3');
    for (const lease of ['t', 'again', 'o2', 'o3', 'o4']) await jobs().finish(lease, { state: 'ready', made }, at(now));
  });

  test('an expired lease is taken over, and its holder can neither extend nor finish the job', async () => {
    await jobs().enqueue([requested('d')], at(10));
    expect(await take('dead', 10, 20)).toBeDefined();
    expect(await take('early', 20)).toBeUndefined();
    expect(await jobs().renew('dead', at(40))).toBe(true);
    expect(await take('early', 40)).toBeUndefined();
    expect(await take('next', 41)).toMatchObject({ order: { id: 'd' }, attempts: 2 });
    expect(await jobs().renew('dead', at(99))).toBe(false);
    expect(
      await jobs().finish('dead', { state: 'failed', fault: 'TOO_SLOW', reason: 'late', dueAt: at(1) }, at(50)),
    ).toBe(false);
    expect(await jobs().finish('next', { state: 'ready', made }, at(50))).toBe(true);
    expect(await jobs().find('acme', 'd')).toMatchObject({ state: 'ready', made, madeAt: 50, attempts: 2 });
    expect(await take('again', 5000)).toBeUndefined();
  });

  test('waiting jobs are neglected unless a node is working', async () => {
    await jobs().enqueue([requested('o1'), requested('o2')], at(10));
    expect(await jobs().overdue(at(10), at(50))).toBe(0);
    expect(await jobs().overdue(at(11), at(50))).toBe(2);
    await take('l', 50, 60);
    expect(await jobs().overdue(at(11), at(60))).toBe(0);
    expect(await jobs().overdue(at(11), at(61))).toBe(1);
    await jobs().release('l', at(61));
  });

  test('a released job counts as never taken', async () => {
    await jobs().enqueue([requested('e')], at(10));
    await take('stopping', 10);
    await jobs().release('stopping', at(15));
    expect(await take('next', 15)).toMatchObject({ order: { id: 'e' }, attempts: 1 });
    await jobs().finish('next', { state: 'ready', made }, at(20));
  });

  test('a transient failure is retried when it is due, after jobs that were not tried yet', async () => {
    await jobs().enqueue([requested('f')], at(10));
    await take('l', 10);
    await jobs().finish(
      'l',
      { state: 'waiting', fault: 'NOT_FETCHED', reason: 'returned status 503', dueAt: at(100) },
      at(20),
    );
    expect(await stateOf('f')).toEqual({
      ...{ id: 'f', state: 'waiting', dueAt: 100 },
      ...{ fault: 'NOT_FETCHED', reason: 'returned status 503' },
    });
    await jobs().enqueue([requested('f'), requested('g', { urgency: URGENCY.ahead })], at(30));
    await jobs().enqueue([requested('g', { urgency: URGENCY.ahead })], at(101));
    expect((await take('m', 99))?.order.id).toBe('g');
    await jobs().release('m', at(99));
    expect((await take('m', 101))?.order.id).toBe('g');
    expect(await take('n', 101)).toMatchObject({ order: { id: 'f' }, attempts: 2 });
    await jobs().finish('m', { state: 'ready', made }, at(110));
    await jobs().finish('n', { state: 'ready', made }, at(110));
  });

  test('a creative whose media exist is ready at once, and waits again when they are lost', async () => {
    await jobs().enqueue([requested('i', { made })], at(10));
    await jobs().enqueue([requested('j')], at(10));
    await jobs().enqueue([requested('j', { made })], at(20));
    expect((await jobs().states(['i', 'j', 'none'])).map(({ id, state }) => [id, state]).sort()).toEqual([
      ['i', 'ready'],
      ['j', 'ready'],
    ]);
    expect(await jobs().find('acme', 'j')).toMatchObject({ made, madeAt: 20 });
    await jobs().enqueue([requested('j')], at(30));
    expect(await jobs().find('acme', 'j')).toEqual(expect.not.objectContaining({ made }));
    expect((await take('l', 30))?.order.id).toBe('j');
    await jobs().finish('l', { state: 'ready', made }, at(40));
    await jobs().forget(['content']);
    expect(await jobs().states(['i', 'j'])).toEqual([]);
    expect(await jobs().owners('i')).toEqual([]);
  });

  test('creatives that are no longer requested are removed, unless they are ready or in preparation', async () => {
    await jobs().enqueue(
      ['n1', 'n2', 'n3', 'n4'].map((id) => requested(id)),
      at(10),
    );
    await take('l1', 10);
    await take('l2', 10);
    await take('l3', 10, 10_000);
    await jobs().finish('l1', { state: 'ready', made }, at(20));
    await jobs().finish('l2', { state: 'failed', fault: 'NO_VIDEO', reason: 'no', dueAt: at(99) }, at(20));
    await jobs().enqueue([requested('n5')], at(500));
    await jobs().expire(at(400));
    expect((await jobs().states(['n1', 'n2', 'n3', 'n4', 'n5'])).map(({ state }) => state).sort()).toEqual([
      'preparing',
      'ready',
      'waiting',
    ]);
    expect(await jobs().owners('n2')).toEqual([]);
  });
});
