// SPDX-License-Identifier: Apache-2.0
// The key routes and the separation of tenants, on both stores.
import { beforeAll, expect, test } from 'vitest';
import { sqlAssets } from '../../src/adapters/sql/channels/sqlAssets.ts';
import { issueKey } from '../../src/platform/access/rules/apiKey.ts';
import { millis } from '../../src/time/units.ts';
import { fillTables } from '../access/fillTables.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { adminRoutes } from '../servers/adminRoutes.ts';
import { clientOf } from './client.ts';
import { onBothStores } from './onBothStores.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

onBothStores(({ admin, call: first, other }) => {
  let call = first;
  beforeAll(() => call('POST', '/api/v2/playlists', { id: 'mine' }));

  test('keys are shown once, valid immediately, and can be rotated and revoked', async () => {
    const made = await call('POST', '/api/v2/keys', { email: 'ci@example.com', name: 'CI' });
    expect(made.status).toBe(201);
    const { key, ...facts } = made.json;
    expect(facts).toEqual({
      id: expect.stringMatching(uuid),
      tenant: 'acme',
      email: 'ci@example.com',
      name: 'CI',
      hint: key.slice(0, 7),
      scope: 'manage',
      createdBy: 'ann@example.com',
      createdAt: expect.stringMatching(time),
    });
    const ci = clientOf(admin.app, key);
    expect((await ci('POST', '/api/v2/playlists', { id: 'by-ci' })).json.createdBy).toBe('ci@example.com');
    await expect.poll(async () => (await call('GET', `/api/v2/keys/${facts.id}`)).json.lastUsedAt).toMatch(time);
    const list = await call('GET', '/api/v2/keys');
    expect(list.text).not.toContain(key);
    expect(list.json).toHaveLength(2);
    for (const path of ['/api/v2/keys', `/api/v2/keys/${facts.id}/rotate`])
      for (const none of ['null', '[]', '"x"']) expect((await call('POST', path, none)).status).toBe(422);
    const overlapping = await call('POST', `/api/v2/keys/${facts.id}/rotate`, { overlapSeconds: 60 });
    expect((await ci('GET', '/api/v2/playlists')).status).toBe(200);
    const next = await call('POST', `/api/v2/keys/${facts.id}/rotate`);
    expect(next.json).toMatchObject({ email: 'ci@example.com', name: 'CI' });
    expect((await ci('GET', '/api/v2/playlists')).status).toBe(403);
    expect((await clientOf(admin.app, next.json.key)('GET', '/api/v2/keys')).status).toBe(200);
    for (const { id } of [overlapping.json, next.json, facts])
      expect((await call('DELETE', `/api/v2/keys/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/api/v2/keys/${facts.id}`)).status).toBe(404);
    const [last] = (await call('GET', '/api/v2/keys')).json;
    expect((await call('DELETE', `/api/v2/keys/${last.id}`)).status).toBe(409);
    for (const { key: secret } of [made.json, next.json]) expect(admin.logged.join('')).not.toContain(secret);
  });

  test('the last key without expiry cannot be revoked, even by concurrent requests', async () => {
    const { keys } = admin.deps;
    const [first] = await keys.list('acme');
    const tenant = { name: 'race', created_at: 'now', created_by: 'a@b' };
    await admin.store.db.insertInto('tenants').values(tenant).execute();
    for (let round = 0; round < 5; round += 1) {
      const others = [0, 1].map(() => issueKey({ tenant: 'race', email: 'a@b' }, 'a@b', new Date().toISOString()));
      for (const { key, hash } of others) await keys.insert(key, hash);
      const revoked = await Promise.all(others.map(({ key }) => keys.removeUnlessLast('race', key.id)));
      expect(revoked.toSorted()).toEqual([false, true]);
      const [left] = await keys.list('race');
      await keys.remove('race', left!.id);
    }
    // A key with an expiry does not count.
    const next = await call('POST', `/api/v2/keys/${first!.id}/rotate`, { overlapSeconds: 3600 });
    expect((await call('DELETE', `/api/v2/keys/${next.json.id}`)).json).toMatchObject({ code: 409, type: 'CONFLICT' });
    const renewed = clientOf(admin.app, next.json.key);
    expect((await renewed('DELETE', `/api/v2/keys/${first!.id}`)).status).toBe(204);
    expect((await call('GET', '/api/v2/keys')).status).toBe(403);
    call = renewed;
  });

  test('a tenant cannot read or change records of another tenant', async () => {
    const [system] = (await call('GET', '/api/v2/systems')).json;
    const [key] = (await call('GET', '/api/v2/keys')).json;
    await call('POST', '/api/v2/channels', { id: 'private', name: 'theirs' });
    const paths = ['playlists/mine', 'channels/private', `systems/${system.id}`, `keys/${key.id}`];
    for (const path of paths) {
      const before = (await call('GET', `/api/v2/${path}`)).json;
      const unknown = path.startsWith('systems') || path.startsWith('keys') ? crypto.randomUUID() : 'no-such';
      const nowhere = `/api/v2/${path.split('/')[0]}/${unknown}`;
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const theirs = await other(method, `/api/v2/${path}`, method === 'GET' ? undefined : { name: 'stolen' });
        const none = await other(method, nowhere, method === 'GET' ? undefined : { name: 'stolen' });
        const hidden = (text: string) => text.replaceAll(path.split('/')[1]!, 'ID').replaceAll(unknown, 'ID');
        expect([theirs.status, hidden(theirs.text)]).toEqual([none.status, hidden(none.text)]);
        expect([404, 405]).toContain(theirs.status);
      }
      const { lastUsedAt: _before, ...kept } = before;
      expect((await call('GET', `/api/v2/${path}`)).json).toMatchObject(kept);
    }
    for (const path of [
      'playlists/mine/items',
      'channels/private/timeline',
      'channels/private/sessions',
      `systems/${system.id}/reports`,
    ])
      expect((await other('GET', `/api/v2/${path}`)).status).toBe(404);
    expect((await other('POST', `/api/v2/keys/${key.id}/rotate`)).status).toBe(404);
    // They can use the same id, but their channel cannot play a playlist of another tenant.
    expect((await other('POST', '/api/v2/playlists', { id: 'mine' })).status).toBe(201);
    expect((await other('POST', '/api/v2/channels', { playlistId: 'by-ci' })).status).toBe(422);
    const { apiKey } = (await call('GET', '/api/v2/channels/private')).json;
    const own = await other('POST', '/api/v2/channels', { id: 'private', name: 'ours' });
    expect(own.json).toMatchObject({ id: 'private', tenant: 'globex', name: 'ours' });
    expect((await other('POST', '/api/v2/channels', { id: 'private' })).status).toBe(409);
    expect((await call('GET', '/api/v2/channels/private')).json).toMatchObject({ name: 'theirs', apiKey });
    // Id and key together are unique, because playback URLs use them. Only someone who knows the key can find this out.
    const taken = [
      await other('PATCH', '/api/v2/channels/private', { apiKey }),
      await other('PUT', '/api/v2/channels/private', { apiKey }),
    ];
    await other('DELETE', '/api/v2/channels/private');
    taken.push(await other('POST', '/api/v2/channels', { id: 'private', apiKey }));
    for (const { status, json, text } of taken) {
      expect([status, json.data[0].dataPath]).toEqual([422, '/apiKey']);
      expect(text).not.toMatch(/acme|theirs/);
    }
    expect((await call('DELETE', '/api/v2/channels/private')).status).toBe(204);
    expect((await other('POST', '/api/v2/channels', { id: 'private', apiKey })).status).toBe(201);
    for (const list of ['systems', 'playlists', 'channels', 'keys'])
      for (const record of (await other('GET', `/api/v2/${list}?limit=100`)).json) expect(record.tenant).toBe('globex');
  });

  test('no route shows or changes what another tenant has by its id, hash or URL', async () => {
    const issued = issueKey({ tenant: 'acme', email: 'a@b' }, 'a@b', new Date().toISOString());
    await admin.deps.keys.insert(issued.key, issued.hash);
    const own = clientOf(admin.app, issued.secret);
    await fillTables({ ...admin, key: issued.secret });
    const url = 'https://origin.test/film/master.m3u8';
    const assets = sqlAssets(admin.store);
    const track = { rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [50], qualities: 1 };
    const key = await assets.put(url, syntheticAsset({ name: 'film', ...track }), millis(1));
    await assets.markChecked('acme', url, key, millis(1));
    const mediaUrl = 'https://ads.test/spot.mp4';
    await own('PATCH', '/api/v2/channels/one', { state: 'enabled' });
    const added = await own('POST', '/api/v2/assets', { mediaUrl, channels: ['one'] });
    expect([added.status, added.text]).toEqual([202, expect.anything()]);
    const firstOf = async (list: string) => (await own('GET', `/api/v2/${list}`)).json[0];
    const ids: Record<string, string> = {
      ...{ playlists: 'list', channels: 'one', webhooks: 'hook', 'alert-rules': 'rule' },
      'console-sessions': (await admin.store.db.selectFrom('console_sessions').select('id').executeTakeFirstOrThrow())
        .id,
      sessions: '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11',
      assets: added.json.assets[0].id,
      deleted: (await firstOf('deleted')).ref,
      delivery: (await firstOf('webhooks/hook/deliveries')).id,
    };
    for (const list of ['systems', 'keys', 'audit']) ids[list] = (await firstOf(list)).id;
    const missing = { delivery: 'msg_AAAAAAAAAAAAAAAAAAAAAAAA', assets: '0'.repeat(32) } as Record<string, string>;
    const walked = adminRoutes(admin.deps).filter(({ path, example }) => path.includes('/:') || example?.query?.url);
    expect(walked.length).toBeGreaterThan(40);
    for (const { method, path, example = {} } of walked) {
      const list = path.split('/')[3]!;
      const filled = (names: Record<string, string>, source: string) => {
        const place = path.replace(/:(\w+)/g, (_, name: string) =>
          name === 'id' || name === 'ref' ? names[list]! : (names[name] ?? example.params![name]!),
        );
        const query = { ...example.query, ...(example.query?.url ? { url: source } : {}) };
        return `${place}?${new URLSearchParams(query)}`;
      };
      const none = Object.fromEntries(Object.keys(ids).map((name) => [name, missing[name] ?? crypto.randomUUID()]));
      const theirs = await other(method, filled(ids, url), example.body);
      const unknown = await other(method, filled(none, `${url}?none`), example.body);
      const hidden = (text: string, names: Record<string, string>) =>
        [names[list]!, names.delivery!].reduce((left, id) => left.replaceAll(`${id}\\"`, 'ID'), text);
      expect([method, path, theirs.status, hidden(theirs.text, ids)]).toEqual([
        ...[method, path, unknown.status, hidden(unknown.text, none)],
      ]);
      expect([method, path, theirs.status]).toEqual([method, path, expect.toBeOneOf([404, 422])]);
    }
    const frame = (client: typeof own) => client('GET', `/api/v2/imports/frame?${new URLSearchParams({ url })}`);
    expect((await frame(own)).status).toBe(200);
    // Who has checked or plays the source may see it.
    expect((await frame(other)).status).toBe(404);
    await assets.markChecked('globex', url, key, millis(2));
    expect((await frame(other)).status).toBe(200);
  });
});
