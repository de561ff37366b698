// SPDX-License-Identifier: Apache-2.0
// The channel routes on both stores.
import { beforeAll, expect, test } from 'vitest';
import { naming } from '../naming.ts';
import { onBothStores } from './onBothStores.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

onBothStores(({ call }) => {
  beforeAll(() => call('POST', '/api/v2/playlists', { id: 'mine' }));

  test('a channel has defaults, keeps its key, and must reference existing records', async () => {
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

  test('names macros of the ad source that are not replaced', async () => {
    const adSource = { url: 'https://ads/x?len=[BREAK_DURATION]&c=[CACHE_BUSTING]', params: { p: '%%price%%' } };
    const made = await call('POST', '/api/v2/channels', { id: 'macros', adSource });
    expect(made.json.warnings).toEqual([naming('[CACHE_BUSTING]'), naming('%%price%%')]);
    const { apiKey: _, ...rest } = made.json;
    const replaced = await call('PUT', '/api/v2/channels/macros', { ...rest, adSource: { url: 'https://ads/x' } });
    expect([replaced.status, replaced.json.warnings]).toEqual([200, undefined]);
    await call('DELETE', '/api/v2/channels/macros');
  });

  test('a VoD channel keeps its settings and plays no playlist of the other type', async () => {
    for (const type of ['vod', 'vod2live']) await call('POST', '/api/v2/playlists', { id: `type-${type}`, type });
    const fields = {
      ...{ type: 'vod', breakSource: 'vmap', vodBudgetMs: 500, resumePolicy: 'skip', breakDuration: 0.5 },
      ...{ id: 'film', playlistId: 'type-vod', contentHosts: ['Media.Example.com:8080', '*.CDN.example.com', '[::1]'] },
    };
    const made = await call('POST', '/api/v2/channels', fields);
    const contentHosts = ['media.example.com:8080', '*.cdn.example.com', '[::1]'];
    expect(made.json).toMatchObject({ ...fields, contentHosts });
    expect((await call('GET', '/api/v2/channels/film')).json).toEqual(made.json);
    expect((await call('PUT', '/api/v2/channels/film', made.json)).json).toMatchObject({ ...fields, contentHosts });
    expect((await call('PATCH', '/api/v2/channels/film', { playlistId: 'mine' })).status).toBe(200);
    const other = { playlistId: 'type-vod2live' };
    const wrong = await call('PATCH', '/api/v2/channels/film', other);
    expect([wrong.status, wrong.json.data]).toMatchObject([422, [{ dataPath: '/playlistId' }]]);
    expect((await call('PATCH', '/api/v2/channels/film', { ...other, type: 'vod2live' })).status).toBe(200);
    const turned = await call('PATCH', '/api/v2/channels/film', { type: 'vod' });
    expect([turned.status, turned.json.data]).toMatchObject([422, [{ dataPath: '/playlistId' }]]);
    expect((await call('PATCH', '/api/v2/channels/film', { type: 'radio' })).status).toBe(422);
  });

  test('a live channel keeps its settings, and can be stored without an origin', async () => {
    const fields = {
      ...{ id: 'news', type: 'live', sourceManifestUrl: 'https://origin.example/master.m3u8' },
      ...{ sourceDashUrl: 'https://origin.example/live.mpd', preroll: { maxDuration: 30, maxAds: 2 } },
      ...{ breakFill: 'content', maxBreakDuration: 90, markers: 'pass', segmentationTypes: [0x34, 0x36] },
      prefetch: 'decision',
    };
    const made = await call('POST', '/api/v2/channels', fields);
    expect(made.json).toMatchObject(fields);
    expect((await call('GET', '/api/v2/channels/news')).json).toEqual(made.json);
    expect((await call('PUT', '/api/v2/channels/news', made.json)).json).toMatchObject(fields);
    const patch = { sourceManifestUrl: null, sourceDashUrl: null, preroll: null, segmentationTypes: [] };
    const patched = await call('PATCH', '/api/v2/channels/news', patch);
    expect([patched.status, patched.json.segmentationTypes]).toEqual([200, []]);
    for (const name of ['sourceManifestUrl', 'sourceDashUrl', 'preroll']) expect(patched.json).not.toHaveProperty(name);
  });

  test('an error names each field of a live channel that is invalid', async () => {
    const { status, json } = await call('POST', '/api/v2/channels', {
      ...{
        type: 'live',
        sourceManifestUrl: 'ftp://origin/x',
        sourceDashUrl: '',
        preroll: { maxDuration: 0.5, maxAds: 51 },
      },
      ...{ breakFill: 'black', maxBreakDuration: 3601, markers: 'keep', segmentationTypes: [52, 256, '0x34', 1.5] },
    });
    expect(status).toBe(422);
    const named = json.data.map(({ dataPath }: { dataPath: string }) => dataPath);
    expect(new Set(named)).toEqual(
      new Set([
        ...['/sourceManifestUrl', '/sourceDashUrl', '/preroll/maxDuration', '/preroll/maxAds', '/breakFill'],
        ...['/maxBreakDuration', '/markers', '/segmentationTypes/1', '/segmentationTypes/2', '/segmentationTypes/3'],
      ]),
    );
    const { message } = json.data.find(({ dataPath }: { dataPath: string }) => dataPath === '/sourceManifestUrl');
    expect(message).toContain('ftp://origin/x');
    const missing = await call('POST', '/api/v2/channels', { preroll: { maxAds: 1 } });
    expect(missing.json.data).toMatchObject([{ dataPath: '/preroll/maxDuration' }]);
  });

  test('an error names `prefetch`, what it can be and what it was', async () => {
    const came = new Map<unknown, string>([
      ['on', '"on"'],
      [true, 'true'],
      [null, 'null'],
      [['off'], 'an array'],
    ]);
    for (const [prefetch, got] of came) {
      const { status, json } = await call('POST', '/api/v2/channels', { type: 'live', prefetch });
      expect(status).toBe(422);
      const message = `must be one of "off", "creatives", "decision"; got ${got}`;
      expect(json.data).toMatchObject([{ dataPath: '/prefetch', message }]);
    }
    for (const type of ['vod2live', 'vod']) {
      const ignored = await call('POST', '/api/v2/channels', { type, prefetch: 'decision' });
      expect([ignored.status, ignored.json.prefetch]).toEqual([201, 'decision']);
    }
  });

  test('an error names each content host that is invalid', async () => {
    const valid = ['localhost', '10.0.0.1:65535', 'a_b', '*.x'];
    const bad = ['', 'https://a', 'a/b', 'a:0', 'a:65536', '*', '*.', 'a.*.b', '*.a:80', 'a b', '-a', 'a..b', 'ä.de'];
    const { status, json } = await call('POST', '/api/v2/channels', { contentHosts: [...valid, ...bad] });
    expect(status).toBe(422);
    const named = json.data.map(({ dataPath }: { dataPath: string }) => dataPath);
    expect(new Set(named)).toEqual(new Set(bad.map((_, index) => `/contentHosts/${valid.length + index}`)));
    const tooMany = Array.from({ length: 101 }, (_, index) => `host${index}`);
    expect((await call('POST', '/api/v2/channels', { contentHosts: tooMany })).status).toBe(422);
  });

  test('a channel whose playlist was deleted can still be read and changed', async () => {
    await call('POST', '/api/v2/playlists', { id: 'going' });
    const { json } = await call('POST', '/api/v2/channels', { id: 'c2', playlistId: 'going', state: 'enabled' });
    await call('DELETE', '/api/v2/playlists/going');
    expect((await call('PUT', '/api/v2/channels/c2', { ...json, state: 'disabled' })).json.state).toBe('disabled');
  });
});
