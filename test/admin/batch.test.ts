// SPDX-License-Identifier: Apache-2.0
// Many changes in one request: each with its own result, or all or none.
import { beforeEach, expect, test } from 'vitest';
import { naming } from '../naming.ts';
import { type Client, clientOf } from './client.ts';
import { onBothStores } from './onBothStores.ts';

type Change = { method: string; path: string; body?: unknown; ifMatch?: string };
type Result = { status: number; etag?: string; restore?: string; body?: { id: string }; error?: { message: string } };

const channel = (id: string) => `/api/v2/channels/${id}`;
const playlist = (id: string) => `/api/v2/playlists/${id}`;
const create = (id: string, more: object = {}): Change => ({
  method: 'POST',
  path: '/api/v2/channels',
  body: { id, apiKey: 'for-players', ...more },
});
const patch = (id: string, body: unknown, ifMatch?: string): Change => ({
  method: 'PATCH',
  path: channel(id),
  body,
  ...(ifMatch === undefined ? {} : { ifMatch }),
});
const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${String(index).padStart(3, '0')}`);

onBothStores(({ admin, call, other }) => {
  async function run(changes: Change[], atomic = false, by: Client = call) {
    const { status, json } = await by('POST', '/api/v2/batch', { atomic, changes });
    expect(status).toBe(200);
    return json as { applied: boolean; results: Result[] };
  }
  const statuses = ({ results }: { results: Result[] }) => results.map(({ status }) => status);
  const audited = async (operation: string) =>
    (await call('GET', `/api/v2/audit?operation=${operation}&limit=100`)).json as { record: { id: string } }[];
  const read = async (id: string) => (await call('GET', channel(id))).json;
  async function keyWith(fields: object): Promise<Client> {
    const { json } = await call('POST', '/api/v2/keys', fields);
    return clientOf(admin.app, json.key);
  }

  beforeEach(async () => {
    const { store } = admin;
    for (const table of ['channels', 'playlists', 'alert_rules', 'audit_log', 'deleted_records'] as const)
      await store.db.deleteFrom(table).execute();
  });

  test('of 500 changes, the valid half is made, and each fault is named at its place', async () => {
    const all = ids(500);
    const made = await run(all.map((id, index) => create(id, index % 2 === 0 ? {} : { playlistSize: 'no' })));
    expect(made.applied).toBe(true);
    expect(statuses(made)).toEqual(all.map((_, index) => (index % 2 === 0 ? 201 : 422)));
    expect(made.results[1]?.error).toMatchObject({ type: 'VALIDATION_ERROR', data: [{ dataPath: '/playlistSize' }] });
    expect(made.results[2]?.body).toMatchObject({ id: 'c002', apiKey: 'for-players' });
    const { headers } = await call('GET', '/api/v2/channels?limit=1');
    expect(headers['x-total-count']).toBe('250');
    expect((await audited('createChannel')).map(({ record }) => record.id)).toContain('c498');
  }, 60_000);

  test('of an atomic batch with one fault, nothing is made and nothing is recorded as made', async () => {
    await run(['a', 'b', 'c'].map((id) => create(id, { state: 'disabled' })));
    const { applied, results } = await run(
      [patch('a', { state: 'enabled' }), patch('b', { state: 'on' }), { method: 'DELETE', path: channel('c') }],
      true,
    );
    expect(applied).toBe(false);
    expect(results.map(({ status }) => status)).toEqual([424, 422, 424]);
    expect(results[0]?.error).toMatchObject({ type: 'NOT_APPLIED', message: naming(1) });
    expect(results[0]).not.toHaveProperty('etag');
    expect(await read('a')).toMatchObject({ state: 'disabled', __v: 0 });
    expect(await read('c')).toMatchObject({ id: 'c' });
    expect([...(await audited('patchChannel')), ...(await audited('deleteChannel'))]).toEqual([]);
  });

  test('changes of an atomic batch find what those before them have changed', async () => {
    const { applied, results } = await run(
      [
        { method: 'POST', path: '/api/v2/playlists', body: { id: 'p', contents: [] } },
        create('a', { playlistId: 'p', name: 'First' }),
        patch('a', { name: 'Second' }),
        patch('a', { labels: ['Sports'] }),
        { method: 'PUT', path: playlist('p'), body: { name: 'List', labels: ['Sports'] } },
        create('gone'),
        { method: 'DELETE', path: channel('gone') },
        {
          method: 'POST',
          path: '/api/v2/alert-rules',
          body: { id: 'r', kind: 'fill', belowPercent: 80, channels: ['a'] },
        },
        { method: 'POST', path: '/api/v2/webhooks', body: { id: 'w', url: 'https://example.com/hook' } },
        { method: 'DELETE', path: '/api/v2/webhooks/w' },
      ],
      true,
    );
    expect(results.map(({ error }) => error)).toEqual(results.map(() => undefined));
    expect(applied).toBe(true);
    expect(results.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 201, 204, 201, 201, 204]);
    expect(await read('a')).toMatchObject({ name: 'Second', labels: ['Sports'], playlistId: 'p', __v: 2 });
    expect((await call('GET', playlist('p'))).json).toMatchObject({ name: 'List', __v: 1 });
    expect([(await call('GET', channel('gone'))).status, (await call('GET', '/api/v2/webhooks/w')).status]).toEqual([
      404, 404,
    ]);
    const { headers } = await call('GET', channel('a'));
    expect(headers.etag).toBe(results[3]?.etag);
    expect((await audited('patchChannel')).map(({ record }) => record.id)).toEqual(['a', 'a']);
  });

  test('what is in use, gone or exists already prevents an atomic batch', async () => {
    await run([create('a')]);
    expect((await run([create('theirs')], false, other)).applied).toBe(true);
    const refused = async (change: Change) => statuses(await run([create('new'), change, patch('a', {})], true));
    expect(await refused(create('a'))).toEqual([424, 409, 424]);
    expect(await refused(create('new'))).toEqual([424, 409, 424]);
    // With the same key, known only to the database.
    expect(await refused(create('theirs'))).toEqual([424, 409, 424]);
    expect(await refused(patch('none', {}))).toEqual([424, 404, 424]);
    expect(await refused(create('x', { playlistId: 'none' }))).toEqual([424, 422, 424]);
    expect((await call('GET', channel('new'))).status).toBe(404);
  });

  test('deletions are undone by a batch of their restore paths', async () => {
    const all = ids(20);
    await run(all.map((id) => create(id, { labels: ['x'] })));
    for (const atomic of [false, true]) {
      const removed = await run(
        all.map((id) => ({ method: 'DELETE', path: `${channel(id)}?force=true` })),
        atomic,
      );
      expect(statuses(removed)).toEqual(all.map(() => 204));
      expect((await call('GET', '/api/v2/channels')).json).toEqual([]);
      const restored = removed.results.map(({ restore = '' }) => ({ method: 'POST', path: restore }));
      const back = await run([...restored, patch('c000', { name: 'Back' })], atomic);
      expect(statuses(back)).toEqual([...all, 'c000'].map(() => 200));
      expect(back.results[0]?.body).toEqual({ kind: 'channel', id: 'c000' });
      expect((await call('GET', '/api/v2/channels?label=X')).headers['x-total-count']).toBe('20');
    }
  });

  test('of two batches at once, each change is made by one of them, and none is lost', async () => {
    const all = ids(40);
    const made = await run(all.map((id) => create(id)));
    const etags = made.results.map(({ etag }) => etag);
    const by = (name: string, order: readonly string[]) =>
      order.map((id) => patch(id, { name }, etags[all.indexOf(id)]));
    const both = await Promise.all([run(by('Ann', all)), run(by('Bob', all.toReversed()))]);
    const [ann = [], bob = []] = both.map(statuses);
    const names = new Map<string, string>(
      (await call('GET', '/api/v2/channels?limit=100')).json.map((one: { id: string; name: string }) => [
        one.id,
        one.name,
      ]),
    );
    for (const [index, id] of all.entries()) {
      const [first, second] = [ann[index], bob[all.length - 1 - index]];
      expect([[200, 412].join(), [412, 200].join()]).toContain([first, second].join());
      expect(names.get(id)).toBe(first === 200 ? 'Ann' : 'Bob');
    }
    expect(await audited('patchChannel')).toHaveLength(40);
  });

  test('of two atomic batches at once, one is made', async () => {
    const all = ids(40);
    const made = await run(all.map((id) => create(id)));
    const by = (name: string) => all.map((id, index) => patch(id, { name }, made.results[index]?.etag));
    const both = await Promise.all([run(by('Ann'), true), run(by('Bob').toReversed(), true)]);
    expect(both.filter(({ applied }) => applied)).toHaveLength(1);
    // What it found changed is a 412, and a 409 if that happened after it was read.
    const lost = new Set(statuses(both.find(({ applied }) => !applied) ?? { results: [] }));
    expect(lost.has(409) || lost.has(412)).toBe(true);
    expect([...lost].filter((status) => ![409, 412, 424].includes(status))).toEqual([]);
    const list = (await call('GET', '/api/v2/channels?limit=100')).json as { name: string }[];
    expect(new Set(list.map(({ name }) => name)).size).toBe(1);
    expect(await audited('patchChannel')).toHaveLength(40);
  });

  test('each change has the rights of the key', async () => {
    await run([create('a', { state: 'disabled' }), create('b', { state: 'disabled' })]);
    const operator = await keyWith({ scope: 'operate' });
    const changes = [
      patch('a', { state: 'enabled' }),
      patch('b', { name: 'New' }),
      { method: 'DELETE', path: channel('b') },
      create('c'),
    ];
    expect(statuses(await run(changes, false, operator))).toEqual([200, 403, 403, 403]);
    expect(statuses(await run(changes, true, operator))).toEqual([424, 403, 403, 403]);
    const reader = await keyWith({ scope: 'read' });
    expect((await reader('POST', '/api/v2/batch', { changes })).status).toBe(403);
    const restricted = await keyWith({ channels: ['b'] });
    const own = [
      patch('a', { name: 'x' }),
      patch('b', { name: 'x' }),
      create('d'),
      { method: 'DELETE', path: playlist('none') },
    ];
    expect(statuses(await run(own, false, restricted))).toEqual([404, 200, 403, 403]);
    expect(statuses(await run([patch('a', {})], false, other))).toEqual([404]);
  });

  test('only listed routes can be part of a batch, whatever their path looks like', async () => {
    await run([create('a')]);
    const paths: [string, string, number][] = [
      ['POST', '/api/v2/batch', 404],
      ['POST', '/api/v2/keys', 404],
      ['DELETE', '/api/v2/systems/x', 404],
      ['POST', '/api/v2/channels/a/breaks', 404],
      ['DELETE', '/api/v2/channels/a/../../keys/x', 404],
      ['DELETE', '/api/v2/channels/%2e%2e%2fkeys', 404],
      ['DELETE', '/api/v2/channels/a%00', 404],
      ['DELETE', '/api/v2/channels/', 404],
      ['DELETE', '//api/v2/channels/a', 404],
      ['DELETE', 'http://127.0.0.1/api/v2/channels/a', 404],
      ['DELETE', '/API/v2/channels/a', 404],
      ['DELETE', '/api/v2/channels/%zz', 400],
      ['DELETE', '/api/v2/channels/a?force=maybe', 422],
      ['DELETE', '/api/v2/channels/a?force=true&force=true', 422],
      ['PATCH', '/api/v2/channels/a', 400],
      ['POST', '/api/v2/channels/a', 404],
    ];
    const { results } = await run(paths.map(([method, path]) => ({ method, path })));
    expect(results.map(({ status }, index) => [paths[index]?.[1], status])).toEqual(
      paths.map(([, path, status]) => [path, status]),
    );
    expect(await read('a')).toMatchObject({ id: 'a' });
  });

  test('a batch itself is validated as a whole', async () => {
    const faultsOf = async (body: unknown) => {
      const { status, json } = await call('POST', '/api/v2/batch', body);
      return [status, json.data?.[0]?.dataPath];
    };
    const change = patch('a', {});
    expect(await faultsOf({ changes: [] })).toEqual([422, '/changes']);
    expect(await faultsOf({ changes: Array(501).fill(change) })).toEqual([422, '/changes']);
    expect(await faultsOf({ changes: [change, { ...change, method: 'GET' }] })).toEqual([422, '/changes/1/method']);
    expect(await faultsOf({ changes: [{ ...change, path: 7 }] })).toEqual([422, '/changes/0/path']);
    expect(await faultsOf({ changes: [{ ...change, headers: {} }] })).toEqual([422, '/changes/0/headers']);
    expect(await faultsOf({ changes: [change], atomic: 'yes' })).toEqual([422, '/atomic']);
    expect(await faultsOf([change])).toEqual([422, '']);
    expect(await faultsOf({ changes: [{ ...change, body: { name: 'x'.repeat(1 << 20) } }] })).toEqual([413, undefined]);
    const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
    expect(await faultsOf(`{"changes":[{"method":"PATCH","path":"/x","body":${deep}}]}`)).toEqual([400, undefined]);
    for (const body of [null, 7, 'text', [], { __proto__: null }])
      expect(statuses(await run([{ method: 'PATCH', path: channel('none'), body }]))).toEqual([404]);
  });

  test('a repeated batch with the same Idempotency-Key is made once', async () => {
    const send = () =>
      call('POST', '/api/v2/batch', { atomic: true, changes: [create('once')] }, { 'idempotency-key': 'bulk' });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    expect(again.json).toEqual(first.json);
    expect(await audited('createChannel')).toHaveLength(1);
  });

  test('assets cannot be part of a transaction', async () => {
    const path = '/api/v2/assets/0123456789abcdef0123456789abcdef';
    const changes = [
      { method: 'DELETE', path },
      { method: 'POST', path: `${path}/retry` },
    ];
    expect([statuses(await run(changes)), statuses(await run(changes, true))]).toEqual([
      [404, 404],
      [409, 409],
    ]);
  });
});
