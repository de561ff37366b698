// SPDX-License-Identifier: Apache-2.0
// Deleting what viewers watch, and restoring what was deleted, on both stores.
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import { MAX_DELETED, RESTORABLE_FOR_MS } from '../../src/platform/deleted/rules/deletedRecord.ts';
import { sqlDeletedRecords } from '../../src/platform/deleted/store/sqlDeletedRecords.ts';
import { millis } from '../../src/time/units.ts';
import { seededRandom } from '../seededRandom.ts';
import { createTestServer } from '../servers/adminRoutes.ts';
import { offAir } from '../servers/adminServer.ts';
import { type Client, clientOf, type Reply } from './client.ts';
import { onBothStores } from './onBothStores.ts';

const refOf = ({ headers }: Reply): string => headers['x-restore']!.replace(/^\/api\/v2/, '');
const written = { createdBy: 'ann@example.com', createdAt: '2026-01-01T00:00:00.000Z' };
const later = (ms: number) => millis(Date.now() + ms);

onBothStores(({ admin, call, other }) => {
  const api: Client = (method, path, ...rest) => call(method, `/api/v2${path}`, ...rest);
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
  const listed = async (query = '') => (await api('GET', `/deleted${query}`)).json as { id: string; ref: string }[];

  /** A server on the same store. @param viewers of its channels; undefined if they cannot be counted */
  async function watchedBy(viewers: Readonly<Record<string, number>> | undefined) {
    const { deps, key } = admin;
    const viewerCounts = async (_tenant: string, ids: readonly string[]) => {
      if (viewers === undefined) throw new Error('the store is unavailable');
      return new Map(ids.flatMap((id): [string, number][] => (viewers[id] ? [[id, viewers[id]]] : [])));
    };
    const app = createTestServer({ ...deps, metrics: new Registry(), onAir: { ...offAir, viewerCounts } });
    await app.ready();
    return { call: clientOf(app, key), close: () => app.close() };
  }

  test('a channel with viewers is deleted only with force', async () => {
    await api('POST', '/channels', { id: 'watched' });
    const { call: other, close } = await watchedBy({ watched: 3 });
    const refused = await other('DELETE', '/api/v2/channels/watched');
    expect(refused.json).toMatchObject({ code: 409, type: 'CONFLICT', data: [{ params: { viewers: 3 } }] });
    expect(refused.json.message).toContain('?force=true');
    expect((await other('DELETE', '/api/v2/channels/watched?force=false')).status).toBe(409);
    const invalid = await other('DELETE', '/api/v2/channels/watched?force=yes');
    expect(invalid.json).toMatchObject({ code: 422, data: [{ dataPath: '/force' }] });
    const changed = await other('PATCH', '/api/v2/channels/watched', { state: 'enabled' });
    expect([changed.status, changed.headers['x-viewers-affected']]).toEqual([200, '3']);
    const { headers, status, text } = await other('DELETE', '/api/v2/channels/watched?force=true');
    expect([status, text, headers['x-viewers-affected']]).toEqual([204, '', '3']);
    expect((await api('GET', '/channels/watched')).status).toBe(404);
    await close();
  });

  test('a stale If-Match is reported before viewers are', async () => {
    await api('POST', '/channels', { id: 'stale' });
    const { call: other, close } = await watchedBy({ stale: 1 });
    expect((await other('DELETE', '/api/v2/channels/stale', undefined, { 'if-match': '"x"' })).status).toBe(412);
    await close();
  });

  test('playlists are changed and deleted without conditions; responses state the viewers of their channels', async () => {
    await api('POST', '/playlists', { id: 'shared' });
    for (const id of ['a', 'b']) await api('POST', '/channels', { id, playlistId: 'shared' });
    const { call: other, close } = await watchedBy({ a: 2, b: 5, c: 9 });
    const replaced = await other('PUT', '/api/v2/playlists/shared', { name: 'Shared' });
    expect([replaced.status, replaced.headers['x-viewers-affected']]).toEqual([200, '7']);
    const { status, headers } = await other('DELETE', '/api/v2/playlists/shared');
    expect([status, headers['x-viewers-affected']]).toEqual([204, '7']);
    await close();
  });

  test('while viewers cannot be counted, changes succeed without the header, and channels are deleted only with force', async () => {
    await api('POST', '/channels', { id: 'unknown' });
    await api('POST', '/playlists', { id: 'unknown' });
    await api('POST', '/channels', { id: 'user', playlistId: 'unknown' });
    const { call: other, close } = await watchedBy(undefined);
    for (const path of ['/channels/unknown', '/playlists/unknown']) {
      const { status, headers } = await other('PUT', `/api/v2${path}`, { name: 'New' });
      expect([path, status, headers['x-viewers-affected']]).toEqual([path, 200, undefined]);
    }
    expect((await other('DELETE', '/api/v2/playlists/unknown')).status).toBe(204);
    expect((await other('DELETE', '/api/v2/channels/unknown')).json).toMatchObject({ code: 503, type: 'UNAVAILABLE' });
    const forced = await other('DELETE', '/api/v2/channels/unknown?force=true');
    expect([forced.status, forced.headers['x-viewers-affected']]).toEqual([204, undefined]);
    await close();
  });

  test('the last system of type ssai is deleted only with force, also by two requests at once', async () => {
    const all = (await api('GET', '/systems')).json as { id: string; type: string }[];
    const second = (await api('POST', '/systems', { name: 'Second', type: 'ssai' })).json.id;
    const cloud = (await api('POST', '/systems', { name: 'Cloud', type: 'cloud-media-services' })).json.id;
    const ssai = [...all.filter(({ type }) => type === 'ssai').map(({ id }) => id), second];
    expect(statuses(await Promise.all(ssai.map((id) => api('DELETE', `/systems/${id}`))))).toEqual([204, 409]);
    const left = (await api('GET', '/systems')).json.find(({ type }: { type: string }) => type === 'ssai').id;
    expect((await api('DELETE', `/systems/${left}`)).json).toMatchObject({ code: 409, type: 'CONFLICT' });
    expect((await api('DELETE', `/systems/${cloud}`)).status).toBe(204);
    const forced = await api('DELETE', `/systems/${left}?force=true`);
    expect(forced.status).toBe(204);
    expect((await api('POST', refOf(forced))).status).toBe(200);
  });

  test('whatever is restored equals what was deleted, with its ETag and its place in lists', async () => {
    const random = seededRandom(41);
    const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const text = () => pick('', 'Evening', 'Ünïcode 🎬', 'a"b\\c', 'null\u0000byte', '\ud800', `${random()}`);
    for (let round = 0; round < 12; round += 1) {
      const id = `any-${round}`;
      const made = {
        playlists: {
          ...{ id, name: text(), type: pick('vod', 'vod2live'), status: pick('enabled', 'disabled') },
          contents: Array.from({ length: Math.floor(random() * 4) }, () => ({
            ...{ url: `https://media.example.com/${random()}.m3u8`, duration: 1 + Math.floor(100 * random()) },
            cuePoints: [{ spliceTime: Math.floor(100 * random()), maxDuration: 30 }],
          })),
        },
        channels: {
          ...{ id, name: text(), type: pick('vod', 'vod2live', 'live'), state: pick('enabled', 'disabled') },
          adSource: {
            url: `https://ads.example.com/${random()}`,
            headers: { authorization: text().replace(/[^ -~]/g, '') },
          },
        },
        'ad-sources': { id, name: text(), type: 'vast', url: `https://ads.example.com/${random()}`, labels: ['a'] },
        systems: { name: text(), type: 'ssai', settings: { password: text(), url: 'https://search.example.com' } },
      };
      for (const [collection, body] of Object.entries(made)) {
        const created = await api('POST', `/${collection}`, body);
        expect([collection, body, created.status]).toEqual([collection, body, 201]);
        const path = `/${collection}/${created.json.id}`;
        const changes = Math.floor(random() * 3);
        for (let change = 0; change < changes; change += 1) await api('PATCH', path, { name: text() });
        const before = await api('GET', path);
        const list = (await api('GET', `/${collection}?limit=100`)).text;
        const deletion = await api('DELETE', path);
        expect([deletion.status, (await api('GET', path)).status]).toEqual([204, 404]);
        const restored = await api('POST', refOf(deletion));
        expect([restored.status, restored.headers.location]).toEqual([200, `/api/v2${path}`]);
        const after = await api('GET', path);
        expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
        expect((await api('GET', `/${collection}?limit=100`)).text).toBe(list);
      }
    }
  });

  test('lists deletions with the newest first, by kind and by page, without secrets', async () => {
    const before = (await listed('?limit=100')).length;
    await api('POST', '/playlists', { id: 'p1', name: 'One' });
    await api('POST', '/channels', { id: 'c1', apiKey: 'secret-of-a-channel' });
    const password = 'secret-of-a-system';
    const system = (await api('POST', '/systems', { name: 'S', type: 'ssai', settings: { password } })).json.id;
    for (const path of ['/playlists/p1', '/channels/c1', `/systems/${system}`]) await api('DELETE', path);
    const page = await api('GET', '/deleted?limit=3');
    expect(page.json).toEqual([
      expect.objectContaining({ kind: 'system', id: system, name: 'S', deletedBy: 'ann@example.com' }),
      expect.objectContaining({ kind: 'channel', id: 'c1' }),
      expect.objectContaining({ kind: 'playlist', id: 'p1', name: 'One' }),
    ]);
    for (const { deletedAt, restorableUntil } of page.json)
      expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(RESTORABLE_FOR_MS);
    expect(page.headers['x-total-count']).toBe(String(before + 3));
    expect(await listed('?limit=1&offset=1')).toEqual([page.json[1]]);
    expect((await listed('?kind=playlist&limit=1'))[0]).toMatchObject({ id: 'p1' });
    expect((await api('GET', '/deleted?kind=key')).json).toMatchObject({ code: 422, data: [{ dataPath: '/kind' }] });
    expect(page.text).not.toContain('secret-of');
    const stored = JSON.stringify(await admin.store.db.selectFrom('deleted_records').selectAll().execute());
    expect(stored).not.toContain(password);
    expect((await other('GET', '/api/v2/deleted')).json).toEqual([]);
    expect((await other('POST', `/api/v2/deleted/${page.json[0].ref}/restore`)).status).toBe(404);
    for (const ref of ['none', 'b1f1c1d1-0000-4000-8000-000000000000'])
      expect((await api('POST', `/deleted/${ref}/restore`)).status).toBe(404);
  });

  test('of two requests that delete or restore a record at once, one succeeds', async () => {
    await api('POST', '/channels', { id: 'twice' });
    const deletions = await Promise.all([1, 2].map(() => api('DELETE', '/channels/twice')));
    expect(statuses(deletions)).toEqual([204, 404]);
    const ref = refOf(deletions.find(({ status }) => status === 204)!);
    const [first, second] = statuses(await Promise.all([1, 2].map(() => api('POST', ref))));
    expect([first, [404, 409].includes(second!)]).toEqual([200, true]);
    expect((await listed('?limit=100')).filter(({ id }) => id === 'twice')).toEqual([]);
    expect((await api('GET', '/channels/twice')).status).toBe(200);
  });

  test('a deletion keeps the version that it deletes, while the record is changed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const path = `/playlists/racing-${round}`;
      await api('POST', '/playlists', { id: `racing-${round}`, name: 'at first' });
      const [changed, deletion] = await Promise.all([api('PATCH', path, { name: 'changed' }), api('DELETE', path)]);
      expect((await api('POST', refOf(deletion!))).status).toBe(200);
      const { name, __v: version } = (await api('GET', path)).json;
      expect([name, version]).toEqual(changed!.status === 200 ? ['changed', 1] : ['at first', 0]);
    }
  });

  test('a record whose id or key is taken meanwhile is not restored, and can be later', async () => {
    await api('POST', '/playlists', { id: 'taken', name: 'Old' });
    const deletion = await api('DELETE', '/playlists/taken');
    await api('POST', '/playlists', { id: 'taken', name: 'New' });
    expect((await api('POST', refOf(deletion))).json).toMatchObject({ code: 409, type: 'CONFLICT' });
    expect((await api('GET', '/playlists/taken')).json.name).toBe('New');
    await api('DELETE', '/playlists/taken');
    expect((await api('POST', refOf(deletion))).status).toBe(200);
    expect((await api('GET', '/playlists/taken')).json.name).toBe('Old');

    await api('POST', '/channels', { id: 'keyed', apiKey: 'the-same' });
    const channel = await api('DELETE', '/channels/keyed');
    expect((await other('POST', '/api/v2/channels', { id: 'keyed', apiKey: 'the-same' })).status).toBe(201);
    expect((await api('POST', refOf(channel))).json).toMatchObject({ code: 409, type: 'CONFLICT' });
    await other('DELETE', '/api/v2/channels/keyed');
    expect((await api('POST', refOf(channel))).status).toBe(200);
  });

  test('a deletion is removed after a day, at once with its tenant, and beyond the limit', async () => {
    const { store } = admin;
    const deleted = sqlDeletedRecords(store);
    const rows = async (tenant: string) =>
      (await store.db.selectFrom('deleted_records').select('ref').where('tenant', '=', tenant).execute()).length;
    await api('POST', '/playlists', { id: 'old' });
    const ref = refOf(await api('DELETE', '/playlists/old'));
    await deleted.purge(later(RESTORABLE_FOR_MS - 60_000));
    expect(await rows('acme')).toBeGreaterThan(0);
    await deleted.purge(later(RESTORABLE_FOR_MS));
    expect([await rows('acme'), (await api('POST', ref)).status]).toEqual([0, 404]);

    for (let n = 0; n < MAX_DELETED + 60; n += 1) {
      await admin.deps.playlists.insert({ id: `many-${n}`, tenant: 'acme', status: 'enabled', ...written });
      await deleted.discard({
        ...{ ref: `${n}`, kind: 'playlist', tenant: 'acme', id: `many-${n}` },
        deletedBy: 'ann@example.com',
        deletedAt: later(0),
      });
    }
    const { total, items } = await deleted.list('acme', { offset: 0, limit: 1 }, later(0));
    expect([total, items[0]?.id]).toEqual([MAX_DELETED, `many-${MAX_DELETED + 59}`]);
    await Promise.all([deleted.purge(later(0)), deleted.purge(later(0))]);
    expect(await rows('acme')).toBe(MAX_DELETED);

    await other('POST', '/api/v2/playlists', { id: 'theirs' });
    await other('DELETE', '/api/v2/playlists/theirs');
    expect(await rows('globex')).toBeGreaterThan(0);
    await sqlTenants(store, { insertion: () => undefined as never }).remove('globex');
    expect(await rows('globex')).toBe(0);
  });
});
