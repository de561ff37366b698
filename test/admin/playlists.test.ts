// SPDX-License-Identifier: Apache-2.0
// The playlist routes on both stores.
import { expect, test } from 'vitest';
import { onBothStores } from './onBothStores.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

onBothStores(({ call, other }) => {
  test('a playlist is returned as written, with its author and time', async () => {
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

  test('an item without sourceType has a URL or is a placeholder; a cue point needs no duration and -1 is a post-roll', async () => {
    const [post, half] = [{ spliceTime: -1 }, { spliceTime: 50, maxAds: 1 }];
    const url = 'https://media.example.com/a.m3u8';
    const contents = [
      { url, cuePoints: [post, half] },
      { spliceType: 'percent', cuePoints: [half, post] },
    ];
    const stored = [
      { ...contents[0], sourceType: 'url' },
      { ...contents[1], sourceType: 'placeholder' },
    ];
    const { status, json } = await call('POST', '/api/v2/playlists', { id: 'short', contents });
    expect([status, json.contents]).toEqual([201, stored]);
    expect((await call('PUT', '/api/v2/playlists/short', json)).json.contents).toEqual(stored);
    expect((await call('PATCH', '/api/v2/playlists/short', { contents })).json.contents).toEqual(stored);
    for (const spliceTime of [-2, -0.5, 1e7]) {
      const rejected = await call('PATCH', '/api/v2/playlists/short', {
        contents: [{ url, cuePoints: [{ spliceTime }] }],
      });
      expect(rejected.status).toBe(422);
      expect(rejected.json.data).toMatchObject([{ dataPath: '/contents/0/cuePoints/0/spliceTime' }]);
    }
  });

  test('the default id is a UUID v4, and a given id can be used once', async () => {
    const { json } = await call('POST', '/api/v2/playlists', {});
    expect(json).toMatchObject({ id: expect.stringMatching(uuid), status: 'disabled' });
    expect((await call('POST', '/api/v2/playlists', { id: 'twice', name: 'first' })).status).toBe(201);
    const conflict = await call('POST', '/api/v2/playlists', { id: 'twice', name: 'second' });
    expect(conflict).toMatchObject({ status: 409, json: { type: 'CONFLICT', code: 409, name: 'ConflictError' } });
    expect((await call('GET', '/api/v2/playlists/twice')).json.name).toBe('first');
  });

  test('a duration can be a numeric string and is returned as a number', async () => {
    const item = { sourceType: 'url', url: 'https://x/a.mpd', duration: '42.420' };
    const { json } = await call('PUT', '/api/v2/playlists/twice', { contents: [item] });
    expect(json.contents).toEqual([{ ...item, duration: 42.42 }]);
  });

  // The states of the contract.
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

  test('PUT replaces all fields, PATCH changes the given ones, and a response can be sent back', async () => {
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

  test('If-Match prevents lost updates', async () => {
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

  test('without If-Match, concurrent writes all succeed', async () => {
    const path = '/api/v2/playlists/crowded';
    await call('POST', '/api/v2/playlists', { id: 'crowded' });
    const numbers = Array.from({ length: 24 }, (_, number) => number);
    const replies = await Promise.all(
      numbers.map((number) => call(number % 2 ? 'PUT' : 'PATCH', path, { name: `${number}` })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.__v))).toEqual(new Set(numbers.map((number) => number + 1)));
  });

  test('without If-Match, no concurrent patch is lost', async () => {
    const path = '/api/v2/playlists/busy';
    await call('POST', '/api/v2/playlists', { id: 'busy' });
    const names = ['name', 'type', 'status', 'startDate', 'contents'] as const;
    const values = { name: 'x', type: 'vod', status: 'enabled', startDate: '2026-01-01T00:00:00Z', contents: [] };
    const replies = await Promise.all(names.map((name) => call('PATCH', path, { [name]: values[name] })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await call('GET', path)).json).toMatchObject({ ...values, __v: 5 });
  });

  test('lists are arrays, newest first, in pages of 20 by default', async () => {
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
});
