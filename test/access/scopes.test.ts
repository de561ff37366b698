// SPDX-License-Identifier: Apache-2.0
// What keys may do: every route with keys of each scope, and with one that is restricted to another channel. On both stores.
import { beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../../src/http/admin/request/authorize.ts';
import type { Route } from '../../src/http/admin/request/route.ts';
import type { KeyBody } from '../../src/platform/access/contract/accessContract.ts';
import { includesScope, scopes } from '../../src/platform/access/rules/scope.ts';
import { type Client, clientOf, type Reply } from '../admin/client.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { adminRoutes } from '../servers/adminRoutes.ts';

const url = ({ path, example = {} }: Route): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => example.params?.[name] ?? 'none');
  return `${filled}?${new URLSearchParams(example.query)}`;
};
/** Why access was refused; undefined for other responses, also for an invalid key. */
const refusal = ({ status, json }: Reply): string | undefined => (status === 403 ? json.data?.[0].keyword : undefined);

onBothStores(({ admin, call }) => {
  const withKey = async (body: KeyBody): Promise<Client> => {
    const made = await call('POST', '/api/v2/keys', body);
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    return clientOf(admin.app, made.json.key);
  };
  const keyed = () => adminRoutes(admin.deps).filter((route) => !('isOpen' in route));

  beforeAll(async () => {
    for (const id of ['a-list', 'theirs-7-list', 'unused']) await call('POST', '/api/v2/playlists', { id });
    const secret = {
      signingSecret: 'sixteen-or-more!',
      adSource: { url: 'http://ads.test/', headers: { a: 'b', 'x-partner': 'hunter2' } },
    };
    for (const id of ['a', 'theirs-7'])
      await call('POST', '/api/v2/channels', { id, playlistId: `${id}-list`, ...secret });
  });

  test.each(scopes)('a key with the scope %s may use the routes that require it, and no others', async (scope) => {
    const client = await withKey({ scope });
    for (const route of keyed()) {
      const reply = await client(route.method, url(route), route.example?.body);
      // Switching a channel requires less than its other fields, which are in the example.
      const required = route.operationId === 'patchChannel' && scope === 'operate' ? 'manage' : scopeOf(route);
      const expected = includesScope(scope, required) ? undefined : 'scope';
      expect([route.operationId, refusal(reply)]).toEqual([route.operationId, expected]);
      if (expected === undefined) continue;
      expect(reply.json.data[0].params).toEqual({ required, actual: scope });
      for (const part of [required, scope]) expect(reply.json.message).toContain(`"${part}"`);
    }
  });

  test('the scopes of routes: what is done on air is operated, what changes records is managed', () => {
    const byScope = Object.fromEntries(scopes.map((scope) => [scope, [] as string[]]));
    for (const route of keyed()) if (route.method !== 'GET') byScope[scopeOf(route)]!.push(route.operationId);
    expect(byScope.read).toEqual(['previewChannel', 'countViewers', 'signOutEverywhere']);
    expect(byScope.operate).toEqual(
      expect.arrayContaining(['orderBreak', 'retryAsset', 'patchChannel', 'analyseLiveOrigin', 'checkSource']),
    );
    for (const id of ['createKey', 'rotateKey', 'createSystem', 'deleteChannel', 'updatePlaylist', 'endConsoleSession'])
      expect(byScope.manage).toContain(id);
  });

  test('a key that is restricted to a channel reaches nothing of another one', async () => {
    const client = await withKey({ channels: ['a'] });
    for (const route of keyed()) {
      const access = route.channelAccess;
      const path = url(route).replace(
        /(channels\/)[^/?]+/,
        typeof access === 'object' && 'param' in access ? '$1theirs-7' : '$&',
      );
      const query = typeof access === 'object' && 'query' in access ? `&${access.query}=theirs-7` : '';
      const reply = await client(route.method, path + query, route.example?.body);
      if (access === undefined) expect([route.operationId, refusal(reply)]).toEqual([route.operationId, 'channels']);
      else if (typeof access === 'object') expect([route.operationId, reply.status]).toEqual([route.operationId, 404]);
      else expect([route.operationId, reply.text.includes('theirs-7')]).toEqual([route.operationId, false]);
    }
    expect((await call('GET', '/api/v2/channels/theirs-7')).json).toMatchObject({ id: 'theirs-7', __v: 0 });
  });

  test('it reads and changes its own channel, in lists too', async () => {
    const client = await withKey({ channels: ['a'], scope: 'manage' });
    const ids = async (path: string) => (await client('GET', path)).json.map(({ id }: { id: string }) => id);
    expect(await ids('/api/v2/channels')).toEqual(['a']);
    expect(await ids('/api/v2/channels?offset=1')).toEqual([]);
    expect(await ids('/api/v2/on-air')).toEqual(['a']);
    expect(await ids('/api/v2/playlists')).toEqual(['a-list']);
    expect((await client('GET', '/api/v2/playlists/a-list')).status).toBe(200);
    expect((await client('GET', '/api/v2/playlists/b-list')).status).toBe(404);
    expect((await client('PATCH', '/api/v2/channels/a', { name: 'A' })).json).toMatchObject({ name: 'A' });
    // Otherwise the key could read any playlist.
    for (const playlistId of ['theirs-7-list', 'unused'])
      expect((await client('PATCH', '/api/v2/channels/a', { playlistId })).json.data[0].dataPath).toBe('/playlistId');
    const [system] = (await call('GET', '/api/v2/systems')).json;
    const systemId = system.id as string;
    expect((await client('PATCH', '/api/v2/channels/a', { systemId })).json.data[0].dataPath).toBe('/systemId');
    for (const path of ['beacons', 'assets', `systems/${systemId}/reports/viewers`]) {
      expect([path, (await client('GET', `/api/v2/${path}`)).json.data?.[0].dataPath]).toEqual([path, '/channel']);
      expect([path, (await client('GET', `/api/v2/${path}?channel=a`)).status]).toEqual([path, 200]);
      expect([path, (await client('GET', `/api/v2/${path}?channel=a&channel=theirs-7`)).status]).toEqual([path, 422]);
    }
    expect((await client('HEAD', '/api/v2/channels/theirs-7')).status).toBe(404);
    expect((await client('GET', '/api/v2/channels/%74heirs-7')).status).toBe(404);
  });

  test('credentials are shown for the scope manage only', async () => {
    const [system] = (await call('GET', '/api/v2/systems')).json;
    await call('PATCH', `/api/v2/systems/${system.id}`, { settings: { searchPassword: 'hunter2' } });
    for (const scope of ['read', 'operate'] as const) {
      const client = await withKey({ scope });
      for (const path of ['systems', `systems/${system.id}`, 'channels', 'channels/a']) {
        const { status, text } = await client('GET', `/api/v2/${path}`);
        expect([path, status]).toEqual([path, 200]);
        expect(text).not.toMatch(/hunter2|sixteen-or-more|"headers"/);
      }
      if (scope === 'read') continue;
      const tried = await client('POST', '/api/v2/channels/a/try', {});
      expect([tried.status, tried.json.exchanges[0].headers['x-partner']]).toEqual([200, '***']);
      expect(tried.text).not.toContain('hunter2');
    }
    expect((await call('GET', '/api/v2/systems')).text).toContain('hunter2');
    expect((await call('GET', '/api/v2/channels/a')).json).toMatchObject({ adSource: { headers: { a: 'b' } } });
  });

  test('an operator switches channels on and off, and changes nothing else of them', async () => {
    const client = await withKey({ scope: 'operate' });
    const state = await client('PATCH', '/api/v2/channels/a', { state: 'enabled' });
    expect(state.json).toMatchObject({ id: 'a', state: 'enabled' });
    expect(state.text).not.toContain('sixteen-or-more');
    const both = await client('PATCH', '/api/v2/channels/a', { state: 'disabled', name: 'x' });
    expect([both.status, refusal(both)]).toEqual([403, 'scope']);
    expect((await call('GET', '/api/v2/channels/a')).json).toMatchObject({ state: 'enabled' });
  });

  test('rights and expiry of keys are checked, shown, and kept by a rotation', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await call('POST', '/api/v2/keys', { scope: 'read', channels: ['a', 'theirs-7'], expiresAt });
    const rights = { scope: 'read', channels: ['a', 'theirs-7'] };
    expect(made.json).toMatchObject({ ...rights, expiresAt });
    const path = `/api/v2/keys/${made.json.id}`;
    expect((await call('GET', path)).json).toMatchObject({ ...rights, expiresAt });
    const rotated = (await call('POST', `${path}/rotate`)).json;
    expect(rotated).toMatchObject(rights);
    expect(rotated).not.toHaveProperty('expiresAt');
    const me = (await clientOf(admin.app, rotated.key)('GET', '/api/v2/me')).json;
    expect(me).toEqual({ kind: 'key', tenant: 'acme', email: 'ann@example.com', ...rights });
    for (const [body, field] of [
      [{ scope: 'all' }, '/scope'],
      [{ channels: [] }, '/channels'],
      [{ channels: ['a', 'a'] }, '/channels'],
      [{ channels: ['none'] }, '/channels/0'],
      [{ expiresAt: '2020-01-01' }, '/expiresAt'],
      [{ expiresAt: '2099-01-01T00:00:00' }, '/expiresAt'],
      [{ expiresAt: 'tomorrow' }, '/expiresAt'],
    ] as const) {
      const invalid = await call('POST', '/api/v2/keys', body);
      expect([body, invalid.status, invalid.json.data?.[0].dataPath]).toEqual([body, 422, field]);
    }
  });

  test('keys with less than all rights do not count as the last key', async () => {
    const [first] = (await call('GET', '/api/v2/keys')).json.slice(-1);
    for (const { id, scope, channels } of (await call('GET', '/api/v2/keys')).json)
      if (id !== first.id && scope === 'manage' && channels === undefined) await call('DELETE', `/api/v2/keys/${id}`);
    expect((await call('GET', '/api/v2/keys')).json.length).toBeGreaterThan(1);
    expect((await call('DELETE', `/api/v2/keys/${first.id}`)).status).toBe(409);
  });
});
