// SPDX-License-Identifier: Apache-2.0
// Ids, names, lists and times at and beyond their limits.
import { expect, test } from 'vitest';
import { expectError } from '../expectError.ts';
import { onBothStores } from '../onBothStores.ts';
import { attackedStore } from './attackedStore.ts';

const MiB = 1024 * 1024;

onBothStores((on) => {
  const { call } = on;
  const { keyless, stored } = attackedStore(on);

  test('invalid ids are a 404 in paths and a 422 in bodies', async () => {
    const ids = [
      'a%2Fb',
      '..',
      '%2e%2e',
      'a%00b',
      '%F0%9F%8E%AC',
      "p'%20or%20'1'='1",
      'x'.repeat(2000),
      '%22%3E%3Cscript%3E',
      'p%0d%0aset-cookie:x',
      '__proto__',
      'constructor',
    ];
    for (const list of ['systems', 'playlists', 'channels', 'keys', 'sessions'])
      for (const id of ids) {
        const reply = await call('GET', `/api/v2/${list}/${id}`);
        // The client resolves dot segments, so the path is that of a list or of no route.
        expect([200, 404]).toContain(reply.status);
        if (!id.includes('..')) expectError(reply, 404, 'NOT_FOUND');
        expect(reply.headers['set-cookie']).toBeUndefined();
      }
    for (const id of ids.filter((one) => !one.includes('..') && one !== '%2e%2e'))
      expectError(await call('POST', `/api/v2/channels/${id}/try`, {}), 404, 'NOT_FOUND');
    for (const id of [
      '',
      'a/b',
      '..',
      '.',
      'a b',
      'ü',
      'a\u0000',
      '<x>',
      "a'b",
      'x'.repeat(129),
      5,
      null,
      {},
      '__proto__',
    ])
      for (const list of ['playlists', 'channels', 'systems'])
        expectError(
          await call('POST', `/api/v2/${list}`, { id, name: 'n', ...(list === 'systems' ? { type: 'ssai' } : {}) }),
          422,
          'VALIDATION_ERROR',
        );
    expectError(await call('GET', '/api/v2/playlists/%zz'), 400, 'MALFORMED');
  });

  test('invalid filters are a 422, and valid ones without matches return nothing', async () => {
    const filters = ['beacons?channel=', 'beacons?session=', 'beacons?host=', 'assets?channel='];
    for (const filter of filters) {
      for (const text of ['a%00b', '%00', '%0d%0a', 'x'.repeat(301)]) {
        const reply = await call('GET', `/api/v2/${filter}${text}`);
        expectError(reply, 422, 'VALIDATION_ERROR');
        expect(reply.json.data).toMatchObject([{ dataPath: `/${/\?(\w+)/.exec(filter)![1]}` }]);
      }
      for (const text of ['', 'unknown', '%F0%9F%8E%AC', "'%20or%201=1%20--", '%25', '%ff'])
        expect(await call('GET', `/api/v2/${filter}${text}`)).toMatchObject({ status: 200, json: [] });
    }
  });

  test('names with any characters are stored unchanged', async () => {
    const names = [
      "'; drop table playlists; --",
      '<a href="x">&amp;</a>]]>',
      '\u0000\u0001\u001f\ud800\u2028',
      '🎬 ünï العربية',
      '{"json":"in json"}',
      '%s %d \\ " \n\r\t',
      '{{7*7}}',
    ];
    for (const name of names) {
      const { status, json } = await call('POST', '/api/v2/playlists', { name });
      expect([status, json.name]).toEqual([201, name]);
      expect((await call('GET', `/api/v2/playlists/${json.id}`)).json.name).toBe(name);
      expect((await call('GET', `/api/v2/playlists/${json.id}?format=mrss`)).status).toBe(200);
      await call('DELETE', `/api/v2/playlists/${json.id}`);
    }
  });

  test('values at a limit are accepted, and every item over it is reported', async () => {
    const item = { sourceType: 'url', url: 'https://x/' };
    const cue = { spliceTime: 1, maxDuration: 1 };
    const many = (count: number, value: unknown) => Array(count).fill(value);
    const put = (contents: unknown) => call('PUT', '/api/v2/playlists/p', { name: 'as it was', contents });
    expect((await put(many(1000, item))).status).toBe(200);
    expect((await put(many(1001, item))).json.data).toMatchObject([{ keyword: 'maxItems', dataPath: '/contents' }]);
    expect((await put([{ ...item, cuePoints: many(500, cue) }])).status).toBe(200);
    expect((await put([{ ...item, cuePoints: many(501, cue) }])).json.data).toMatchObject([
      { dataPath: '/contents/0/cuePoints' },
    ]);
    const bad = many(200, { sourceType: 'url', nope: 1 });
    const reported = (await put(bad)).json.data.map((fault: { dataPath: string }) => fault.dataPath);
    expect(new Set(reported)).toEqual(new Set(bad.flatMap((_, n) => [`/contents/${n}/nope`, `/contents/${n}/url`])));
    expect((await put([])).status).toBe(200);
  });

  test('a body of exactly 1 MiB is accepted', async () => {
    const frame = JSON.stringify({ contents: [{ sourceType: 'url', url: 'https://x/' }] }).length;
    const body = JSON.stringify({ contents: [{ sourceType: 'url', url: 'https://x/' }] }).padEnd(MiB, ' ');
    expect(frame).toBeLessThan(MiB);
    expect((await call('PUT', '/api/v2/playlists/p', body)).status).toBe(200);
    expectError(await call('PUT', '/api/v2/playlists/p', `${body} `), 413, 'TOO_LARGE');
  });

  test('generate stores nothing and reports every fault', async () => {
    const before = await stored();
    const path = '/api/unsecured-v2/playlists/generate';
    const ok = await keyless('GET', `${path}?content=https://x.invalid/a.m3u8&markers=0,1,10;42.42,2,30.5`);
    expect(ok.json).toEqual({
      type: 'vod',
      contents: [
        {
          sourceType: 'url',
          url: 'https://x.invalid/a.m3u8',
          spliceType: 'seconds',
          cuePoints: [
            { spliceTime: 0, maxAds: 1, maxDuration: 10 },
            { spliceTime: 42.42, maxAds: 2, maxDuration: 30.5 },
          ],
        },
      ],
    });
    expect((await call('POST', '/api/v2/playlists', ok.json)).status).toBe(201);
    const [, list] = await stored();
    await call('DELETE', `/api/v2/playlists/${list[0].id}`);
    const faults = async (query: string) => {
      const reply = await keyless('GET', `${path}?${query}`);
      expectError(reply, 422, 'VALIDATION_ERROR');
      return reply.json.data.map((fault: { dataPath: string }) => fault.dataPath);
    };
    expect(await faults('')).toEqual(['/content']);
    expect(await faults('content=https://x/a')).toEqual(['/packaging']);
    expect(await faults('content=ftp://x/a.mpd&format=xml&markers=1;2,2,2;-2,1,1')).toEqual([
      '/format',
      '/content',
      '/markers/0',
      '/markers/2',
    ]);
    expect(await faults('content=a&content=b')).toContain('/content');
    expect(await stored()).toEqual(before);
  });

  test('the range of a timeline accepts all time formats, and rejects invalid ranges', async () => {
    const get = async (query: string) => call('GET', `/api/v2/channels/c/timeline?${query}`);
    const range = { from: '2026-03-01T20:00:00.000Z', to: '2026-03-01T21:00:00.000Z' };
    const from = Date.parse(range.from);
    for (const query of [`from=${range.from}`, `from=${from / 1000}`, `from=${from}&to=2026-03-01T22:00:00%2B01:00`])
      expect((await get(query)).json).toMatchObject(range);
    for (const query of [
      'from=yesterday',
      'from=5&to=4',
      'from=0&to=90000',
      'to=1e5',
      `from=${'9'.repeat(30)}`,
      'from=-1',
    ])
      expectError(await get(query), 422, 'VALIDATION_ERROR');
  });
});
