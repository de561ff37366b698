// Systems, playlists, channels and keys over HTTP: every shape and status of the contract, on both stores.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/tenants/apiKey.ts';
import { type AdminTest, startAdmin } from '../adminServer.ts';
import { type PostgresServer, startPostgres } from '../startPostgres.ts';
import { type Client, clientOf } from './client.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  let admin: AdminTest;
  let call: Client;
  beforeAll(async () => {
    admin = await startAdmin(kind === 'PostgreSQL' ? { databaseUrl: postgres.url } : {});
    call = clientOf(admin.app, admin.key);
  });
  afterAll(() => admin.close());

  test('a tenant starts with one ssai system', async () => {
    const { status, json } = await call('GET', '/api/v2/systems');
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: expect.stringMatching(uuid),
        name: 'Midroll',
        type: 'ssai',
        settings: {},
        createdBy: 'ann@example.com',
        createdAt: expect.stringMatching(time),
        tenant: 'acme',
        __v: 0,
      },
    ]);
    const reports = await call('GET', `/api/v2/systems/${json[0].id}/reports`);
    expect(reports.json).toEqual([
      'viewers',
      'requests',
      'breaks',
      'ad-requests',
      'ads',
      'skips',
      'beacons',
      'creatives',
    ]);
  });

  test('systems are created, changed and deleted; settings come back as stored and stay out of the log', async () => {
    const settings = { storageAccount: 'acct', storageKey: 'k/+= "ü"', clientSecret: 'dont-log-me-1' };
    const created = await call('POST', '/api/v2/systems', { name: 'Cloud', type: 'cloud-media-services', settings });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      name: 'Cloud',
      type: 'cloud-media-services',
      settings,
      tenant: 'acme',
      __v: 0,
    });
    expect(created.headers['cache-control']).toBe('no-store');
    const path = `/api/v2/systems/${created.json.id}`;
    expect(created.headers.location).toBe(path);
    expect((await call('GET', `${path}/reports`)).json).toEqual(['storage', 'creatives']);
    const again = { ...created.json, name: 'Renamed' };
    const replaced = await call('PUT', path, again);
    expect(replaced.json).toEqual({
      ...again,
      __v: 1,
      modifiedBy: 'ann@example.com',
      modifiedAt: expect.stringMatching(time),
    });
    const patched = await call('PATCH', path, { settings: { storageKey: null, container: 'c' } });
    expect(patched.json.settings).toEqual({ storageAccount: 'acct', clientSecret: 'dont-log-me-1', container: 'c' });
    const wrong = await call('PUT', path, { name: 'x', type: 'ssai', settings: { storageKey: 'x', url: 5 } });
    expect(wrong.status).toBe(422);
    expect(wrong.json.data.map((fault: { dataPath: string }) => fault.dataPath).sort()).toEqual([
      '/settings/storageKey',
      '/settings/url',
    ]);
    expect((await call('GET', '/api/v2/systems')).json).toHaveLength(2);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect(admin.logged.join('')).not.toMatch(/dont-log-me/);
    const { body } = await admin.store.db.selectFrom('systems').select('body').executeTakeFirstOrThrow();
    expect(body).not.toContain('settings');
  });

  test('a playlist comes back as it was written, with who wrote it', async () => {
    const contents = [
      {
        sourceType: 'url',
        url: 'https://media.example.com/a.m3u8',
        duration: 42.42,
        spliceType: 'seconds',
        cuePoints: [{ spliceTime: 0, maxDuration: 10.1234, maxAds: 2 }],
      },
      { sourceType: 'placeholder', spliceType: 'percent', cuePoints: [{ spliceTime: 50.5, maxDuration: 30 }] },
    ];
    const body = { id: 'mine', name: 'Ünï 🎬', type: 'vod2live', startDate: '2026-03-01T20:15:00+01:00', contents };
    const { status, json, headers } = await call('POST', '/api/v2/playlists', body);
    expect(status).toBe(201);
    const written = { createdBy: 'ann@example.com', createdAt: expect.stringMatching(time), tenant: 'acme', __v: 0 };
    expect(json).toEqual({ ...body, status: 'disabled', ...written });
    expect(JSON.stringify(json.contents)).toBe(JSON.stringify(contents));
    const read = await call('GET', '/api/v2/playlists/mine');
    expect(read.json).toEqual(json);
    expect(read.headers.etag).toBe(headers.etag);
  });

  test('an omitted id is a UUID v4, a given one is taken once', async () => {
    const { json } = await call('POST', '/api/v2/playlists', {});
    expect(json).toMatchObject({ id: expect.stringMatching(uuid), status: 'disabled' });
    expect((await call('POST', '/api/v2/playlists', { id: 'twice', name: 'first' })).status).toBe(201);
    const conflict = await call('POST', '/api/v2/playlists', { id: 'twice', name: 'second' });
    expect(conflict).toMatchObject({ status: 409, json: { type: 'CONFLICT', code: 409, name: 'ConflictError' } });
    expect((await call('GET', '/api/v2/playlists/twice')).json.name).toBe('first');
  });

  test('a duration may come as a numeric string and is answered as a number', async () => {
    const item = { sourceType: 'url', url: 'https://x/a.mpd', duration: '42.420' };
    const { json } = await call('PUT', '/api/v2/playlists/twice', { contents: [item] });
    expect(json.contents).toEqual([{ ...item, duration: 42.42 }]);
  });

  // The table of the contract's states, row by row.
  test.each([
    [undefined, 'disabled'],
    ['disabled', 'disabled'],
    ['enabled', 'enabled'],
  ])('status %s on create and replace is %s', async (given, stored) => {
    const body = given === undefined ? {} : { status: given };
    const { json } = await call('POST', '/api/v2/playlists', body);
    expect(json.status).toBe(stored);
    const path = `/api/v2/playlists/${json.id}`;
    for (const before of ['enabled', 'disabled']) {
      await call('PUT', path, { status: before });
      expect((await call('PUT', path, body)).json.status).toBe(stored);
      expect((await call('GET', path)).json.status).toBe(stored);
    }
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  test('PUT replaces the whole, PATCH changes what it names, and get, change, put works', async () => {
    const path = '/api/v2/playlists/change-me';
    const contents = [{ sourceType: 'placeholder' }];
    await call('POST', '/api/v2/playlists', { id: 'change-me', name: 'n', type: 'vod', status: 'enabled', contents });
    const patched = await call('PATCH', path, { name: null, type: 'vod2live', createdBy: 'eve', __v: 99 });
    expect(patched.json).toMatchObject({
      type: 'vod2live',
      status: 'enabled',
      contents,
      createdBy: 'ann@example.com',
      __v: 1,
    });
    expect(patched.json).not.toHaveProperty('name');
    const put = await call('PUT', path, { ...patched.json, name: 'again' });
    expect(put.status).toBe(200);
    expect(put.json).toEqual({ ...patched.json, name: 'again', modifiedAt: expect.stringMatching(time), __v: 2 });
    const emptied = await call('PUT', path, {});
    expect(emptied.json).not.toHaveProperty('contents');
    expect(emptied.json).toMatchObject({ status: 'disabled', __v: 3 });
    expect((await call('PUT', path, { id: 'another' })).json.data).toMatchObject([{ dataPath: '/id' }]);
    expect((await call('PATCH', path, { status: 'on' })).status).toBe(422);
    expect((await call('PUT', '/api/v2/playlists/never-made', {})).status).toBe(404);
  });

  test('If-Match keeps updates from being lost', async () => {
    const path = '/api/v2/playlists/guarded';
    const first = (await call('POST', '/api/v2/playlists', { id: 'guarded' })).headers.etag!;
    const second = (await call('PUT', path, { name: 'a' }, { 'if-match': first })).headers.etag!;
    expect(second).not.toBe(first);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const stale = await call(method, path, { name: 'b' }, { 'if-match': first });
      expect(stale).toMatchObject({ status: 412, json: { type: 'PRECONDITION_FAILED', code: 412 } });
    }
    const rivals = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call('PATCH', path, { name: `n${n}` }, { 'if-match': second })),
    );
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
    expect((await call('GET', path)).json.__v).toBe(2);
    expect(
      (
        await call('GET', path, undefined, {
          'if-none-match': rivals.find(({ status }) => status === 200)!.headers.etag!,
        })
      ).status,
    ).toBe(304);
    expect((await call('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(204);
  });

  test('without If-Match, many who write the same at once are all served', async () => {
    const path = '/api/v2/playlists/crowded';
    await call('POST', '/api/v2/playlists', { id: 'crowded' });
    const numbers = Array.from({ length: 24 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) => call(number % 2 ? 'PUT' : 'PATCH', path, { name: `${number}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.__v))).toEqual(new Set(numbers.map((number) => number + 1)));
  });

  test('without If-Match, no patch of many at once is lost', async () => {
    const path = '/api/v2/playlists/busy';
    await call('POST', '/api/v2/playlists', { id: 'busy' });
    const names = ['name', 'type', 'status', 'startDate', 'contents'] as const;
    const values = { name: 'x', type: 'vod', status: 'enabled', startDate: '2026-01-01T00:00:00Z', contents: [] };
    const answers = await Promise.all(names.map((name) => call('PATCH', path, { [name]: values[name] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await call('GET', path)).json).toMatchObject({ ...values, __v: 5 });
  });

  test('lists are bare arrays, newest first, in pages of 20 unless asked otherwise', async () => {
    const other = clientOf(admin.app, admin.otherKey);
    for (let n = 0; n < 25; n += 1) await other('POST', '/api/v2/playlists', { id: `p${n}` });
    const list = await other('GET', '/api/v2/playlists');
    expect(list.headers['x-total-count']).toBe('25');
    expect(list.json.map(({ id }: { id: string }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `p${24 - n}`));
    expect((await other('GET', '/api/v2/playlists?offset=24&limit=100')).json).toHaveLength(1);
    expect((await other('GET', '/api/v2/playlists?offset=1000')).json).toEqual([]);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'limit=5&limit=6'])
      expect(await other('GET', `/api/v2/playlists?${query}`)).toMatchObject({
        status: 422,
        json: { name: 'ValidationError' },
      });
  });

  test('a channel takes its defaults, keeps its key, and answers what it points at', async () => {
    const made = await call('POST', '/api/v2/channels', { id: 'c1', playlistId: 'mine', state: 'enabled' });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: 'c1',
      type: 'vod2live',
      state: 'enabled',
      apiKey: expect.stringMatching(/^[\w-]{32}$/),
      playlistId: 'mine',
      playlistSize: 60,
      timeShiftWindow: 0,
      tracking: 'server',
      createdBy: 'ann@example.com',
      createdAt: expect.stringMatching(time),
      tenant: 'acme',
      __v: 0,
    });
    const { playlistId: _, apiKey, ...rest } = made.json;
    const replaced = await call('PUT', '/api/v2/channels/c1', {
      ...rest,
      state: 'failed',
      stateReason: 'x',
      items: [],
    });
    expect(replaced.json).toMatchObject({ apiKey, state: 'enabled' });
    expect(replaced.json).not.toHaveProperty('playlistId');
    expect(replaced.json).not.toHaveProperty('stateReason');
    const dangling = await call('PATCH', '/api/v2/channels/c1', { playlistId: 'none', systemId: 'none' });
    expect(dangling.json.data).toMatchObject([{ dataPath: '/playlistId' }, { dataPath: '/systemId' }]);
    const adSource = { url: 'https://ads/x', headers: { a: 'b' }, params: { p: 'q' } };
    await call('PATCH', '/api/v2/channels/c1', { adSource });
    const patched = await call('PATCH', '/api/v2/channels/c1', { adSource: { headers: { a: null, c: 'd' } } });
    expect(patched.json.adSource).toEqual({ ...adSource, headers: { c: 'd' } });
    expect((await call('GET', '/api/v2/channels')).json).toEqual([patched.json]);
    expect((await call('POST', '/api/v2/channels', { id: 'schema' })).status).toBe(422);
    expect((await call('GET', '/api/v2/channels/schema')).json).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
    expect((await call('DELETE', '/api/v2/channels/c1')).status).toBe(204);
  });

  test('a channel whose playlist went can still be read and changed', async () => {
    await call('POST', '/api/v2/playlists', { id: 'going' });
    const { json } = await call('POST', '/api/v2/channels', { id: 'c2', playlistId: 'going', state: 'enabled' });
    await call('DELETE', '/api/v2/playlists/going');
    expect((await call('PUT', '/api/v2/channels/c2', { ...json, state: 'disabled' })).json.state).toBe('disabled');
  });

  test('keys are shown once, work at once, are rotated and revoked', async () => {
    const made = await call('POST', '/api/v2/keys', { email: 'ci@example.com', name: 'CI' });
    expect(made.status).toBe(201);
    const { key, ...facts } = made.json;
    expect(facts).toEqual({
      id: expect.stringMatching(uuid),
      tenant: 'acme',
      email: 'ci@example.com',
      name: 'CI',
      hint: key.slice(0, 7),
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

  test('a tenant keeps a key that does not end, whoever revokes and however many at once', async () => {
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
    // One that is about to end does not count.
    const next = await call('POST', `/api/v2/keys/${first!.id}/rotate`, { overlapSeconds: 3600 });
    expect((await call('DELETE', `/api/v2/keys/${next.json.id}`)).json).toMatchObject({ code: 409, type: 'CONFLICT' });
    const renewed = clientOf(admin.app, next.json.key);
    expect((await renewed('DELETE', `/api/v2/keys/${first!.id}`)).status).toBe(204);
    expect((await call('GET', '/api/v2/keys')).status).toBe(403);
    call = renewed;
  });

  test('two tenants never see each other, whatever they ask', async () => {
    const other = clientOf(admin.app, admin.otherKey);
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
    // The same id is free for them, and their channel cannot play a playlist that is not theirs.
    expect((await other('POST', '/api/v2/playlists', { id: 'mine' })).status).toBe(201);
    expect((await other('POST', '/api/v2/channels', { playlistId: 'by-ci' })).status).toBe(422);
    for (const list of ['systems', 'playlists', 'channels', 'keys'])
      for (const record of (await other('GET', `/api/v2/${list}?limit=100`)).json) expect(record.tenant).toBe('globex');
  });
});
