// SPDX-License-Identifier: Apache-2.0
// The audit log of the administrative interface: what is in it, who can read it, and how it is filtered.
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { commandEntries } from '../../src/cli/openStores.ts';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import type { AuditEntry } from '../../src/platform/audit/rules/auditEntry.ts';
import { MAX_SCANNED } from '../../src/platform/audit/store/sqlAudit.ts';
import { millis } from '../../src/time/units.ts';
import { clientOf } from '../admin/client.ts';
import { expectError } from '../admin/expectError.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { naming } from '../naming.ts';
import { createTestServer } from '../servers/adminRoutes.ts';

onBothStores(({ admin, call, other }) => {
  const audit = async (query = '') => (await call('GET', `/api/v2/audit?${query}`)).json;
  const of = (kind: string, id: string) => audit(`kind=${kind}&id=${id}`);

  test('an entry contains who changed what, before and after, from where, and when', async () => {
    const headers = { 'user-agent': 'curl/8', 'x-request-id': 'request-7', 'x-forwarded-for': '203.0.113.7' };
    const before = Date.now();
    await call('POST', '/api/v2/channels', {
      id: 'news',
      name: 'News',
      adSource: { url: 'https://ads.example.com/1' },
    });
    const patch = { adSource: { url: 'https://ads.example.com/2' }, apiKey: 'changed-key-of-players' };
    await call('PATCH', '/api/v2/channels/news', patch, headers);
    await call('PUT', '/api/v2/channels/news', { name: 'Other news' });
    const { headers: ofDeletion } = await call('DELETE', '/api/v2/channels/news');
    expect((await call('POST', ofDeletion['x-restore']!)).status).toBe(200);
    expect((await call('POST', ofDeletion['x-restore']!)).status).toBe(404);
    const [restored, deleted, replaced, patched, created] = await of('channel', 'news');
    const [{ id: keyId, hint }] = (await call('GET', '/api/v2/keys')).json;
    expect(patched).toMatchObject({
      actor: { kind: 'key', id: keyId, email: 'ann@example.com', hint },
      source: { address: '203.0.113.7', userAgent: 'curl/8', requestId: 'request-7' },
      operation: 'patchChannel',
      record: { kind: 'channel', id: 'news', name: 'News' },
      outcome: 'changed',
      changes: [
        { path: '/adSource/url', change: 'changed' },
        { path: '/apiKey', change: 'changed' },
      ],
      before: { apiKey: '[secret]', adSource: { url: 'https://ads.example.com/1' } },
      after: { apiKey: '[secret, changed]', adSource: { url: 'https://ads.example.com/2' } },
    });
    expect(Date.parse(patched.at)).toBeGreaterThanOrEqual(before);
    expect([created, replaced, deleted].map(({ outcome, operation }) => `${outcome} ${operation}`)).toEqual([
      ...['created createChannel', 'changed updateChannel', 'deleted deleteChannel'],
    ]);
    expect(restored).toMatchObject({ operation: 'restoreDeleted', outcome: 'done', record: { name: 'Other news' } });
    expect(created).not.toHaveProperty('before');
    expect(deleted).not.toHaveProperty('after');
    expect(await (await call('GET', `/api/v2/audit/${patched.id}`)).json).toEqual(patched);
    expect(JSON.stringify(await audit())).not.toContain('changed-key-of-players');
  });

  test('a change that fails has no entry', async () => {
    await call('POST', '/api/v2/playlists', { id: 'kept', name: 'Kept' });
    const failures = [
      await call('POST', '/api/v2/playlists', { id: 'kept' }),
      await call('PATCH', '/api/v2/playlists/kept', { status: 'on' }),
      await call('PUT', '/api/v2/playlists/kept', { name: 'x' }, { 'if-match': '"other"' }),
      await call('DELETE', '/api/v2/playlists/kept', undefined, { 'if-match': '"other"' }),
      await call('DELETE', '/api/v2/playlists/unknown'),
      await clientOf(admin.app, 'no key')('DELETE', '/api/v2/playlists/kept'),
    ];
    expect(failures.map(({ status }) => status)).toEqual([409, 422, 412, 412, 404, 403]);
    expect((await of('playlist', 'kept')).map(({ outcome }: AuditEntry) => outcome)).toEqual(['created']);
    expect(await of('playlist', 'unknown')).toEqual([]);
    // The channel's key is checked by an index, inside of the transaction.
    const taken = { id: 'taken', apiKey: 'one-key-for-both' };
    await other('POST', '/api/v2/channels', taken);
    expect((await call('POST', '/api/v2/channels', taken)).status).toBe(422);
    expect(await of('channel', 'taken')).toEqual([]);
  });

  test('concurrent changes have one entry each, in which each starts from what the one before has stored', async () => {
    await call('POST', '/api/v2/playlists', { id: 'busy', name: '' });
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => call('PATCH', '/api/v2/playlists/busy', { name: `name ${n}` })),
    );
    const entries = (await of('playlist', 'busy')).reverse();
    expect(entries).toHaveLength(13);
    const changes = entries
      .slice(1)
      .map(({ before, after }: { before: { name: string }; after: { name: string } }) => [before.name, after.name]);
    // Entries of the same millisecond are in the order of the changes, too.
    for (let n = 1; n < changes.length; n += 1) expect(changes[n]![0]).toBe(changes[n - 1]![1]);
  });

  test('keys, systems, assets and breaks are recorded without their secrets', async () => {
    const { json: key } = await call('POST', '/api/v2/keys', { name: 'CI' });
    const { json: next } = await call('POST', `/api/v2/keys/${key.id}/rotate`, { overlapSeconds: 60 });
    await call('DELETE', `/api/v2/keys/${key.id}`);
    expect(await of('key', key.id)).toMatchObject([
      { operation: 'revokeKey', outcome: 'deleted' },
      { operation: 'rotateKey', outcome: 'changed', after: { replacedBy: next.id }, changes: [{}, {}] },
      { operation: 'createKey', outcome: 'created', record: { name: 'CI' }, after: { hint: key.hint } },
    ]);
    const settings = { searchDomain: 'https://search.example.com', searchPassword: 'hunter22' };
    const { json: system } = await call('POST', '/api/v2/systems', { name: 'S', type: 'ssai', settings });
    await call('PATCH', `/api/v2/systems/${system.id}`, { settings: { searchPassword: 'hunter23' } });
    const [changed] = await of('system', system.id);
    expect(changed.changes).toEqual([{ path: '/settings/searchPassword', change: 'changed' }]);
    expect(changed.after.settings).toEqual({ searchDomain: '[secret]', searchPassword: '[secret, changed]' });
    await call('POST', '/api/v2/channels', { id: 'aired', name: 'Aired', state: 'enabled' });
    const asset = { mediaUrl: 'https://ads.example.com/spot.mp4?token=s3cret-token', channels: ['aired'] };
    const { json: added } = await call('POST', '/api/v2/assets', asset);
    expect(added.assets).toBeDefined();
    const { id } = added.assets[0];
    await call('POST', `/api/v2/assets/${id}/retry`);
    await call('DELETE', `/api/v2/assets/${id}`);
    expect((await of('asset', id)).map(({ operation }: AuditEntry) => operation)).toEqual([
      ...['deleteAsset', 'retryAsset', 'addAssets'],
    ]);
    await call('POST', '/api/v2/channels/aired/breaks', { id: 'now', duration: 30 });
    expect(await of('channel', 'aired')).toMatchObject([
      { operation: 'orderBreak', outcome: 'done', details: { action: 'insert', break: { id: 'now' } } },
      { operation: 'createChannel' },
    ]);
    expect(JSON.stringify(await audit('limit=100'))).not.toMatch(/hunter2|s3cret-token/);
    for (const { key: secret } of [key, next]) expect(JSON.stringify(await audit('limit=100'))).not.toContain(secret);
    const rows = await admin.store.db.selectFrom('audit_log').select('body').execute();
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|s3cret-token/);
  });

  test('checks that change nothing are not recorded', async () => {
    const before = await audit();
    await call('POST', '/api/v2/imports', { url: 'https://media.example.com/a.m3u8' });
    await call('POST', '/api/v2/channels/analyse', { sourceManifestUrl: 'https://media.example.com/a.m3u8' });
    await call('GET', '/api/v2/channels');
    expect(await audit()).toEqual(before);
  });

  test('filters by actor, record, operation, time and text', async () => {
    const other = await call('POST', '/api/v2/keys', { email: 'carl@example.com', name: 'Carl' });
    const carl = clientOf(admin.app, other.json.key);
    await carl('POST', '/api/v2/playlists', { id: 'by-carl', name: 'Évening LOOP' });
    await carl('PATCH', '/api/v2/playlists/by-carl', { status: 'enabled' });
    const names = async (query: string) =>
      (await audit(query)).map(({ operation, record }: AuditEntry) => `${operation} ${record.id}`);
    const both = ['patchPlaylist by-carl', 'createPlaylist by-carl'];
    expect(await names('actor=carl%40example.com')).toEqual(both);
    expect(await names(`actor=${other.json.id}`)).toEqual(both);
    expect(await names('actor=carl%40example.com&operation=patchPlaylist')).toEqual(both.slice(0, 1));
    expect(await names('text=%C3%A9vening%20loop')).toEqual(both);
    expect(await names('text=/STATUS&id=by-carl')).toEqual(both.slice(0, 1));
    expect(await names("text=%25' or 1=1")).toEqual([]);
    const [{ at }] = await of('playlist', 'by-carl');
    expect(await names(`id=by-carl&from=${new Date(Date.parse(at) + 1).toISOString()}`)).toEqual([]);
    expect(await names(`id=by-carl&to=${new Date(Date.parse(at) + 1).toISOString()}`)).toEqual(both);
    for (const [query, path] of [
      ['limit=0', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['cursor=x', '/cursor'],
      ['from=yesterday', '/from'],
      ['from=2&to=1', '/to'],
      ['actor=%00', '/actor'],
      [`text=${'x'.repeat(201)}`, '/text'],
    ]) {
      const reply = await call('GET', `/api/v2/audit?${query}`);
      expectError(reply, 422, 'VALIDATION_ERROR');
      expect(reply.json.data.map(({ dataPath }: { dataPath: string }) => dataPath)).toContain(path);
    }
  });

  test('pages by cursor are complete, and CSV contains all entries', async () => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await call('GET', `/api/v2/audit?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(page.json.length).toBeLessThanOrEqual(7);
      all.push(...page.json.map(({ id }: AuditEntry) => id));
      cursor = page.headers['x-next-cursor'];
    } while (cursor !== undefined);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual((await audit('limit=100')).map(({ id }: AuditEntry) => id));
    const csv = await call('GET', '/api/v2/audit', undefined, { accept: 'text/csv' });
    expect(csv.headers['content-type']).toContain('text/csv');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^time,email,/);
    expect(lines).toHaveLength(all.length + 1);
  });

  test('entries cannot be changed or read by others', async () => {
    const [{ id }] = await audit();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['/api/v2/audit', `/api/v2/audit/${id}`])
        expect((await call(method, path, method === 'DELETE' ? undefined : {})).status).toBe(405);
    expectError(await other('GET', `/api/v2/audit/${id}`), 404, 'NOT_FOUND');
    expect((await call('GET', '/api/v2/audit/x')).json.message).toEqual(naming('"x"'));
    const theirs = (await other('GET', '/api/v2/audit?limit=100')).json;
    expect(theirs.every(({ actor }: AuditEntry) => actor.email === 'bob@example.com')).toBe(true);
    expect((await clientOf(admin.app)('GET', '/api/v2/audit')).status).toBe(401);
  });

  test('without the log, no change of a record is stored, and other changes are reported as failed', async () => {
    const { db } = admin.store;
    await db.schema.alterTable('audit_log').renameTo('audit_away').execute();
    try {
      expect((await call('POST', '/api/v2/playlists', { id: 'unlogged' })).status).toBeGreaterThanOrEqual(500);
      expect((await call('GET', '/api/v2/playlists/unlogged')).status).toBe(404);
      const reply = await call('POST', '/api/v2/channels/aired/breaks', { id: 'later', duration: 30 });
      expect(reply.status).toBeGreaterThanOrEqual(500);
    } finally {
      await db.schema.alterTable('audit_away').renameTo('audit_log').execute();
    }
    // Repeated until it succeeds, as clients do after a 5xx, the change is recorded.
    expect((await call('POST', '/api/v2/channels/aired/breaks', { id: 'later', duration: 30 })).status).toBe(200);
    expect((await of('channel', 'aired'))[0]).toMatchObject({ details: { break: { id: 'later' } } });
  });

  test('the command line is recorded, and nothing of a deleted tenant remains but its deletion', async () => {
    const { deps, store } = admin;
    const entry = commandEntries('midroll keys create', millis(Date.now()));
    const made = entry('acme', { kind: 'key', id: 'k', after: { hint: 'x' } });
    await deps.audit.record(made);
    expect((await audit('operation=midroll%20keys%20create'))[0]).toMatchObject({ actor: { kind: 'cli' } });
    const tenants = sqlTenants(store, deps.systems as never);
    const gone = { name: 'gone', createdAt: 'x', createdBy: 'a@b' };
    await store.db.insertInto('tenants').values({ name: gone.name, created_at: 'x', created_by: 'a@b' }).execute();
    await deps.audit.record(entry('gone', { kind: 'channel', id: 'c' }));
    expect(await tenants.remove('gone', entry('gone', { kind: 'tenant', id: 'gone', before: gone }))).toBe(true);
    expect(await tenants.remove('gone', entry('gone', { kind: 'tenant', id: 'gone', before: gone }))).toBe(false);
    const filter = { tenant: 'gone', from: millis(0), to: millis(8e15) };
    expect((await deps.audit.list(filter, undefined, 10)).entries).toMatchObject([{ record: { kind: 'tenant' } }]);
  });

  test('a page searches a bounded number of entries, and old ones are deleted in bounded steps', async () => {
    const { store, deps } = admin;
    const count = MAX_SCANNED + 50;
    const base = commandEntries('many', millis(0))('flood', { kind: 'x' });
    for (let start = 0; start < count; start += 50) {
      const rows = Array.from({ length: 50 }, (_, n) => ({
        ...{ id: randomUUID(), tenant: 'flood', at: start + n + 1, actor_id: 'a', actor_email: null },
        ...{ operation: start + n === 3 ? 'rare' : 'many', kind: 'x', record_id: '', search: 's' },
        body: JSON.stringify({ ...base, at: start + n + 1 }),
      }));
      await store.db.insertInto('audit_log').values(rows).execute();
    }
    const filter = { tenant: 'flood', from: millis(0), to: millis(8e15), operation: 'rare' };
    const first = await deps.audit.list(filter, undefined, 10);
    expect(first).toMatchObject({ entries: [], next: { at: 51 } });
    const second = await deps.audit.list(filter, first.next, 10);
    expect(second).toMatchObject({ entries: [{ at: 4 }], next: undefined });
    const left = async () => (await deps.audit.list({ ...filter, operation: 'many' }, undefined, 100)).entries.length;
    let steps = 1;
    while (await deps.audit.removeBefore(millis(count + 1))) steps += 1;
    expect(steps).toBeGreaterThan(9);
    expect(await left()).toBe(0);
    expect((await audit()).length).toBeGreaterThan(0);
  });

  test('two nodes write one log', async () => {
    const node = createTestServer({ ...admin.deps, metrics: new Registry() });
    const second = clientOf(node, admin.key);
    await call('POST', '/api/v2/playlists', { id: 'shared' });
    await second('PATCH', '/api/v2/playlists/shared', { name: 'By the second' });
    await call('DELETE', '/api/v2/playlists/shared');
    expect((await of('playlist', 'shared')).map(({ outcome }: AuditEntry) => outcome)).toEqual([
      ...['deleted', 'changed', 'created'],
    ]);
    await node.close();
  });
});
