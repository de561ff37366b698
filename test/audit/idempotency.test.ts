// SPDX-License-Identifier: Apache-2.0
// Idempotency-Key: a repeated POST request is executed once, on every node.
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import {
  IDEMPOTENCY_KEPT_MS,
  MAX_KEYS,
  MAX_RESPONSE,
  RUNNING_MS,
} from '../../src/platform/access/rules/idempotency.ts';
import { millis } from '../../src/time/units.ts';
import { clientOf } from '../admin/client.ts';
import { expectError } from '../admin/expectError.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { naming } from '../naming.ts';
import { createTestServer } from '../servers/adminRoutes.ts';

onBothStores(({ admin, call, other }) => {
  const post = (path: string, body: unknown, key: string) =>
    call('POST', `/api/v2/${path}`, body, { 'idempotency-key': key });
  const requestOf = (name: string) => ({ tenant: 'acme', keyHash: name, request: 'hash', requestId: `id of ${name}` });

  test('the same request gets the stored status, headers and body', async () => {
    const first = await post('playlists', { name: 'Once' }, 'create-once');
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const again = await post('playlists', { name: 'Once' }, 'create-once');
    expect([again.status, again.text]).toEqual([201, first.text]);
    for (const name of ['etag', 'location', 'content-type']) expect(again.headers[name]).toBe(first.headers[name]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const { json } = await call('GET', `/api/v2/audit?kind=playlist&id=${first.json.id}`);
    expect(json).toHaveLength(1);
    // A route without a body.
    const [{ id }] = (await call('GET', '/api/v2/keys')).json;
    const rotated = await post(`keys/${id}/rotate`, { overlapSeconds: 3600 }, 'rotate');
    expect((await post(`keys/${id}/rotate`, { overlapSeconds: 3600 }, 'rotate')).text).toBe(rotated.text);
    expect(clientOf(admin.app, rotated.json.key)).toBeTypeOf('function');
    expect((await clientOf(admin.app, rotated.json.key)('GET', '/api/v2/keys')).status).toBe(200);
  });

  test.each([
    ['playlists', { name: 'Other' }],
    ['playlists?x=1', { name: 'Mine' }],
    ['channels', { name: 'Mine' }],
  ])('the same key with another request is rejected: %s %j', async (path, body) => {
    await post('playlists', { name: 'Mine' }, 'my-key');
    const reply = await post(path, body, 'my-key');
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data).toMatchObject([{ dataPath: '/idempotency-key' }]);
  });

  test('another tenant can use the same key', async () => {
    await post('playlists', { id: 'ours' }, 'shared-key');
    const theirs = await other('POST', '/api/v2/playlists', { id: 'ours' }, { 'idempotency-key': 'shared-key' });
    expect([theirs.status, theirs.json.tenant]).toEqual([201, 'globex']);
  });

  test('a response is not repeated for a caller with other rights', async () => {
    await post('playlists', { name: 'Rights' }, 'rights');
    const { json: key } = await call('POST', '/api/v2/keys', { scope: 'operate' });
    const operator = clientOf(admin.app, key.key);
    const headers = { 'idempotency-key': 'rights' };
    expect((await operator('POST', '/api/v2/playlists', { name: 'Rights' }, headers)).status).toBeOneOf([403, 422]);
  });

  test('concurrent duplicates on two nodes are executed once', async () => {
    const node = createTestServer({ ...admin.deps, metrics: new Registry() });
    const clients = [call, clientOf(node, admin.key)];
    for (const round of Array.from({ length: 5 }, (_, n) => n)) {
      const headers = { 'idempotency-key': `at-once-${round}` };
      const send = (n: number) => clients[n % 2]!('POST', '/api/v2/channels', { name: `At once ${round}` }, headers);
      const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => send(n)));
      const created = replies.filter(({ status }) => status === 201);
      expect(new Set(created.map(({ json }) => json.id)).size).toBe(1);
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        expectError(reply, 409, 'CONFLICT');
        expect(reply.headers['retry-after']).toBe('1');
      }
      expect((await send(1)).json.id).toBe(created[0]!.json.id);
      const { json } = await call('GET', `/api/v2/channels?q=At%20once%20${round}`);
      expect(json).toHaveLength(1);
    }
    await node.close();
  });

  test('a request that has changed nothing leaves the key free', async () => {
    expect((await post('playlists', { status: 'on' }, 'corrected')).status).toBe(422);
    expect((await post('playlists', { status: 'enabled' }, 'corrected')).status).toBe(201);
    expect((await call('POST', '/api/v2/playlists', '{', { 'idempotency-key': 'malformed' })).status).toBe(400);
    expect((await post('playlists', { name: 'x' }, 'malformed')).status).toBe(201);
  });

  test('a request that was cut off is not executed again', async () => {
    const { idempotency, now } = admin.deps;
    const at = now();
    const killed = requestOf('killed');
    expect(await idempotency.claim(killed, at)).toEqual({ outcome: 'claimed' });
    expect(await idempotency.claim({ ...killed, requestId: 'second' }, at)).toEqual({ outcome: 'running' });
    const unknown = { outcome: 'unknown', requestId: killed.requestId };
    expect(await idempotency.claim(killed, millis(at + RUNNING_MS))).toEqual(unknown);
    // It was slow, and not killed.
    await idempotency.complete(killed, { status: 201, headers: {}, body: '{}' });
    expect(await idempotency.claim(killed, millis(at + RUNNING_MS))).toMatchObject({ outcome: 'completed' });
    // After a day, the key is another one.
    expect(await idempotency.claim({ ...killed, request: 'other' }, at)).toEqual({ outcome: 'otherRequest' });
    const late = millis(at + IDEMPOTENCY_KEPT_MS + 1);
    expect(await idempotency.claim({ ...killed, request: 'other', requestId: 'n' }, late)).toEqual({
      outcome: 'claimed',
    });
    // What the first one still does has no effect on the second one.
    await idempotency.complete(killed, { status: 500, headers: {} });
    await idempotency.release(killed);
    expect(await idempotency.claim({ ...killed, request: 'other' }, late)).toEqual({ outcome: 'running' });
  });

  test('after a 5xx the outcome is unknown', async () => {
    const { db } = admin.store;
    await db.schema.alterTable('audit_log').renameTo('audit_away').execute();
    const failed = await post('playlists', { id: 'failed-once' }, 'after-5xx').finally(() =>
      db.schema.alterTable('audit_away').renameTo('audit_log').execute(),
    );
    expect(failed.status).toBeGreaterThanOrEqual(500);
    const again = await post('playlists', { id: 'failed-once' }, 'after-5xx');
    expectError(again, 409, 'CONFLICT');
    expect(again.headers['retry-after']).toBeUndefined();
    expect(again.json.message).toEqual(naming(failed.headers['x-request-id']!));
    expect((await post('playlists', { id: 'failed-once' }, 'another-key')).status).toBe(201);
  });

  test('new API keys and passwords are not stored in plain text', async () => {
    const { json } = await post('keys', { name: 'Secret' }, 'new-key');
    const settings = { searchPassword: 'hunter22' };
    await post('systems', { name: 'S', type: 'ssai', settings }, 'new-system');
    const rows = JSON.stringify(await admin.store.db.selectFrom('idempotency_keys').selectAll().execute());
    expect(rows).not.toContain(json.key);
    expect(rows).not.toContain('hunter22');
    expect(rows).not.toContain('new-key');
    expect((await post('keys', { name: 'Secret' }, 'new-key')).json.key).toBe(json.key);
  });

  test.each(['', 'x'.repeat(256)])('rejects the key %j', async (key) => {
    const reply = await post('playlists', {}, key);
    expectError(reply, 400, 'MALFORMED');
    expect(reply.json.message).toEqual(naming('idempotency-key', '255'));
  });

  test('hostile keys are keys like others', async () => {
    for (const key of ["'; drop table idempotency_keys; --", '__proto__', '%00', 'a, b', 'x'.repeat(255)]) {
      const { id } = (await post('playlists', { name: 'Hostile' }, key)).json;
      expect((await post('playlists', { name: 'Hostile' }, key)).json.id).toBe(id);
    }
  });

  test('routes that have the header for themselves keep their behaviour', async () => {
    await call('POST', '/api/v2/channels', { id: 'linear' });
    const body = { duration: 30 };
    expect((await post('channels/linear/breaks', body, 'break-key')).status).toBe(201);
    expect((await post('channels/linear/breaks', body, 'break-key')).status).toBe(200);
    expect((await post('channels/linear/breaks', { duration: 60 }, 'break-key')).status).toBe(409);
  });

  test('a response that is too long is not kept, and the request is not executed again', async () => {
    const { idempotency, now } = admin.deps;
    const long = requestOf('long');
    await idempotency.claim(long, now());
    await idempotency.complete(long, { status: 201, headers: {}, body: 'x'.repeat(MAX_RESPONSE) });
    expect(await idempotency.claim(long, now())).toEqual({ outcome: 'notKept', requestId: long.requestId });
  });

  test('a tenant has a limited number of keys, and old ones are deleted in bounded steps', async () => {
    const { idempotency, now } = admin.deps;
    const { db } = admin.store;
    const at = now();
    for (let start = 0; start < MAX_KEYS; start += 100) {
      const rows = Array.from({ length: 100 }, (_, n) => ({
        ...{ tenant: 'full', key_hash: `${start + n}`, started_at: at, request_id: 'r', state: 'done' },
        ...{ size: 0, request: 's', response: null },
      }));
      await db.insertInto('idempotency_keys').values(rows).execute();
    }
    const next = { ...requestOf('next'), tenant: 'full' };
    expect(await idempotency.claim(next, at)).toEqual({ outcome: 'full' });
    const later = millis(at + IDEMPOTENCY_KEPT_MS + 60_000);
    let steps = 1;
    while (await idempotency.removeOld(later)) steps += 1;
    expect(steps).toBeGreaterThan(10);
    expect(await idempotency.claim(next, later)).toEqual({ outcome: 'claimed' });
  });
});
