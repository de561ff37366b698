// SPDX-License-Identifier: Apache-2.0
// A key cannot grant more than it has, in whichever way a request can get the secret of a key; and a key that has ended reads no
// more of a stream that it has opened. On both stores.
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { KeyBody } from '../../src/platform/access/contract/accessContract.ts';
import { startConsoleSession } from '../../src/platform/access/rules/consoleSession.ts';
import { millis } from '../../src/time/units.ts';
import { type Client, clientOf, type Reply } from '../admin/client.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { unreachableSignIn } from './unreachableSignIn.ts';

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const faultOf = ({ status, json }: Reply) => [status, json.data?.[0].keyword, json.data?.[0].dataPath];
const own = { 'x-midroll-console': '1', 'sec-fetch-site': 'same-origin' };

onBothStores(({ admin, call }) => {
  const make = async (body: KeyBody) => {
    const made = await call('POST', '/api/v2/keys', body);
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    return { client: clientOf(admin.app, made.json.key), ...(made.json as { id: string; key: string }) };
  };
  const tomorrow = inDays(1);
  beforeAll(async () => {
    await call('POST', '/api/v2/playlists', { id: 'x' });
    for (const id of ['a', 'b']) await call('POST', '/api/v2/channels', { id, playlistId: 'x' });
  });

  test('what a key that expires creates expires with it, or earlier', async () => {
    const { client } = await make({ expiresAt: tomorrow });
    expect((await client('POST', '/api/v2/keys')).json).toMatchObject({ scope: 'manage', expiresAt: tomorrow });
    expect((await client('POST', '/api/v2/keys', { expiresAt: inDays(0.5) })).status).toBe(201);
    for (const days of [1.01, 400])
      expect(faultOf(await client('POST', '/api/v2/keys', { expiresAt: inDays(days) }))).toEqual([
        ...[422, 'expiry', '/expiresAt'],
      ]);
    const child = (await client('POST', '/api/v2/keys', { scope: 'read' })).json;
    expect(child).toMatchObject({ scope: 'read', expiresAt: tomorrow });
    expect((await call('POST', '/api/v2/keys')).json).not.toHaveProperty('expiresAt');
  });

  test('it can rotate itself and keys that expire earlier, and gets no later expiry by it', async () => {
    const mine = await make({ expiresAt: tomorrow });
    for (const expiresAt of [undefined, inDays(2)]) {
      const { id } = await make(expiresAt === undefined ? {} : { expiresAt });
      const refused = await mine.client('POST', `/api/v2/keys/${id}/rotate`);
      expect([faultOf(refused), refused.text.includes('mr_')]).toEqual([[403, 'expiry', '/expiresAt'], false]);
      expect((await call('GET', `/api/v2/keys/${id}`)).json.expiresAt).toBe(expiresAt);
    }
    const earlier = await make({ expiresAt: inDays(0.5), scope: 'read' });
    const rotated = await mine.client('POST', `/api/v2/keys/${earlier.id}/rotate`);
    expect(rotated.json).toMatchObject({ scope: 'read', expiresAt: tomorrow });
    const self = await mine.client('POST', `/api/v2/keys/${mine.id}/rotate`, { overlapSeconds: 60 });
    expect(self.json).toMatchObject({ scope: 'manage', expiresAt: tomorrow });
    const next = clientOf(admin.app, self.json.key);
    expect((await next('POST', '/api/v2/keys')).json).toMatchObject({ expiresAt: tomorrow });
    // The old key has a minute left, and grants no more than that.
    expect((await mine.client('POST', '/api/v2/keys')).json.expiresAt < tomorrow).toBe(true);
  });

  test.each([
    ['scope', { scope: 'read' }],
    ['scope', { scope: 'operate' }],
    ['channels', { channels: ['a'] }],
    ['channels', { channels: ['a'], expiresAt: tomorrow }],
  ] as const)('without the rights for all of the tenant (%s, %j), keys are out of reach', async (keyword, body) => {
    const { client, id } = await make(body as KeyBody);
    const [lasting] = (await call('GET', '/api/v2/keys')).json.slice(-1);
    const tries: [string, string, object?][] = [
      ['POST', '/api/v2/keys', { ...body, name: 'same' }],
      ['POST', '/api/v2/keys', { scope: 'manage', channels: ['a', 'b'] }],
      ...[id, lasting.id].map((one): [string, string] => ['POST', `/api/v2/keys/${one}/rotate`]),
      ['DELETE', `/api/v2/keys/${lasting.id}`],
    ];
    for (const [method, path, sent] of tries) {
      const reply = await client(method, path, sent, { 'idempotency-key': `${id}-${path}` });
      expect([path, reply.status, reply.json.data[0].keyword]).toEqual([path, 403, keyword]);
    }
  });

  test('no route changes a key or restores a deleted one', async () => {
    const { client, id } = await make({ expiresAt: tomorrow });
    for (const method of ['PUT', 'PATCH'])
      for (const path of ['/api/v2/keys', `/api/v2/keys/${id}`])
        expect([method, (await client(method, path, { expiresAt: null, scope: 'manage' })).status]).toEqual([
          method,
          405,
        ]);
    const { id: gone, client: deleted } = await make({});
    expect((await call('DELETE', `/api/v2/keys/${gone}`)).status).toBe(204);
    expect((await call('GET', '/api/v2/deleted')).text).not.toContain(gone);
    expect((await call('POST', `/api/v2/deleted/${gone}/restore`)).status).toBe(404);
    expect((await deleted('GET', '/api/v2/me')).status).toBe(403);
  });

  test('a response with a new key is repeated only for the caller who got it', async () => {
    const [expiring, other] = [await make({ expiresAt: tomorrow }), await make({ expiresAt: inDays(2) })];
    const reader = await make({ scope: 'read' });
    const header = { 'idempotency-key': 'deploy-7' };
    const send = (client: Client) => client('POST', '/api/v2/keys', { name: 'deploy' }, header);
    const first = await send(call);
    expect([first.status, first.json.expiresAt]).toEqual([201, undefined]);
    for (const { client } of [expiring, other, reader]) {
      const reply = await send(client);
      expect([403, 422]).toContain(reply.status);
      expect(reply.text).not.toContain(first.json.key);
    }
    expect((await send(call)).json.key).toBe(first.json.key);
    const twin = await make({});
    expect((await send(twin.client)).status).toBe(422);
    // A key that has replaced itself expires, and may have lost the response.
    const another = { 'idempotency-key': 'rotate-7' };
    const replaced = await twin.client('POST', `/api/v2/keys/${twin.id}/rotate`, { overlapSeconds: 60 }, another);
    const repeated = await twin.client('POST', `/api/v2/keys/${twin.id}/rotate`, { overlapSeconds: 60 }, another);
    expect([replaced.status, repeated.json.key]).toEqual([201, replaced.json.key]);
    const rotation = (client: Client) => client('POST', `/api/v2/keys/${first.json.id}/rotate`, {}, header);
    expect((await rotation(expiring.client)).status).toBe(422);
  });

  test('an open stream of events ends without another event once its key is deleted or has expired', async () => {
    const { app, deps, store } = admin;
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    for (const end of ['deleted', 'expired', 'valid']) {
      const { id, key } = await make({ scope: 'read' });
      const response = await fetch(`${base}/api/v2/events/stream`, { headers: { 'x-api-key': key } });
      const reader = response.body!.getReader();
      const text = async () => new TextDecoder().decode((await reader.read()).value);
      expect(await text()).toContain('retry:');
      if (end === 'deleted') expect((await call('DELETE', `/api/v2/keys/${id}`)).status).toBe(204);
      if (end === 'expired') expect((await call('POST', `/api/v2/keys/${id}/rotate`)).status).toBe(201);
      const row = { tenant: 'acme', at: Date.now(), rule_id: 'r', channel_id: 'a', state: 'firing' };
      const body = JSON.stringify({
        id: 'e',
        tenant: 'acme',
        at: Date.now(),
        since: Date.now(),
        rule: {},
        channel: { id: 'a' },
      });
      await store.db
        .insertInto('alert_events')
        .values({ ...row, body })
        .execute();
      deps.alerts.streams.wake();
      expect([end, await text()]).toEqual([end, end === 'valid' ? expect.stringContaining('event: alert') : '']);
      await reader.cancel();
    }
  });
});

test('users grant at most their role; the end of their session does not limit it', async () => {
  const { app, deps, close } = await startAdmin({ signIn: unreachableSignIn });
  const { limits } = unreachableSignIn;
  for (const scope of ['read', 'operate', 'manage'] as const) {
    const identity = { tenant: 'acme', subject: scope, email: 'ann@example.com', scope };
    const { token, hash, session } = startConsoleSession(identity, millis(Date.now()), limits);
    await deps.consoleSessions.insert(session, hash, {});
    const client = clientOf(app);
    const headers = { ...own, cookie: `midroll-console=${token}` };
    const reply = await client('POST', '/api/v2/keys', { name: scope }, headers);
    if (scope === 'manage') {
      expect(reply.json).toMatchObject({ scope: 'manage', createdBy: 'ann@example.com' });
      expect(reply.json).not.toHaveProperty('expiresAt');
      continue;
    }
    expect([scope, reply.status, reply.json.data[0].keyword]).toEqual([scope, 403, 'scope']);
  }
  await close();
});
