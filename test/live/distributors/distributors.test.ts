// SPDX-License-Identifier: Apache-2.0
// Distributors: URLs, keys and their rotation, caches, markers, slate, and the guide against the timeline.
import { expect, test } from 'vitest';
import { fileStage } from '../fileStage.ts';
import { item, openVirtualStage } from '../stage.ts';

const stage = await fileStage(openVirtualStage);
const { liveUrl } = stage.midroll;
const video = await stage.video({ seconds: 8 });
const cue = { spliceTime: 4, maxDuration: 6 };

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(liveUrl + path, { method, headers });
const statusOf = async (path: string): Promise<number> => (await get(path)).status;
const textOf = async (path: string): Promise<string> => (await get(path)).text();

const pathsOf = (channel: string, key: string): string[] => [
  `/hls/${channel}/distributors/${key}/channel.m3u8`,
  `/hls/${channel}/distributors/${key}/v0.m3u8`,
  `/dash/${channel}/distributors/${key}/channel.mpd`,
  `/guide/${channel}/${key}/xmltv.xml`,
  `/guide/${channel}/${key}/guide.json`,
];
const statusesOf = (channel: string, key: string): Promise<number[]> =>
  Promise.all(pathsOf(channel, key).map(statusOf));
const all = (status: number): number[] => new Array(5).fill(status);

async function air(id: string, channel: object = {}): Promise<void> {
  await stage.air(id, [item(video, cue)], channel);
  await stage.until(`${id} is on air`, async () => (await statusOf(`/hls/${id}/channel.m3u8?api-key=key`)) === 200);
}
const distributor = (channel: string, body: object = {}): Promise<{ id: string; key: string }> =>
  stage.api('POST', `/channels/${channel}/distributors`, { name: 'Roku', ...body });

test.concurrent('each distributor has its own URLs, without ads or sessions, which caches can hold', async () => {
  await air('cached');
  const [one, other] = [await distributor('cached'), await distributor('cached', { id: 'samsung' })];
  for (const [index, path] of pathsOf('cached', one.key).entries()) {
    const [first, again, head] = await Promise.all([
      get(path),
      get(pathsOf('cached', other.key)[index]!),
      get(path, {}, 'HEAD'),
    ]);
    const text = await first.text();
    expect(first.status, path).toBe(200);
    expect(await again.text(), 'the same for those with the same settings').toBe(text);
    expect(text).not.toContain(one.key);
    const [, age] = /^public, max-age=(\d+)$/.exec(first.headers.get('cache-control')!)!;
    expect(Number(age)).toBeGreaterThanOrEqual(1);
    expect(Number(age)).toBeLessThanOrEqual(3);
    const etag = first.headers.get('etag')!;
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
  }
  expect(await stage.api('GET', '/channels/cached/sessions')).toEqual([]);
});

test.concurrent('segments are found relative to the URLs of a distributor', async () => {
  await air('relative');
  const { key } = await distributor('relative');
  const [multivariant, media, mpd] = pathsOf('relative', key);
  const [rung] = /^[^#\n]+\.m3u8$/m.exec(await textOf(multivariant!))!;
  const playlist = new URL(rung, liveUrl + multivariant);
  expect(playlist.pathname).toBe(media);
  let slate = '';
  await stage.until('a break is listed', async () => {
    slate = /^\S*\/m\/\S+$/m.exec(await textOf(media!))?.[0] ?? '';
    return slate !== '';
  });
  expect((await fetch(new URL(slate, playlist))).status).toBe(200);
  const text = await textOf(mpd!);
  const [, base] = /<BaseURL>([^<]+)<\/BaseURL>/.exec(text)!;
  const own = /<BaseURL>([^<]+)<\/BaseURL>/.exec(await textOf('/dash/relative/channel.mpd?api-key=key'))![1];
  const depth = (path: string, url: string) => new URL(url, liveUrl + path).pathname.split('/').length;
  expect(depth(mpd!, base!)).toBe(depth('/dash/relative/channel.mpd', own!));
});

test.concurrent('keys rotate without an interruption, and a revoked or expired key is rejected', async () => {
  await air('keys');
  const { id, key } = await distributor('keys');
  const at = `/channels/keys/distributors/${id}`;
  const next = await stage.api('POST', `${at}/keys`, {});
  expect([await statusesOf('keys', key), await statusesOf('keys', next.key)]).toEqual([all(200), all(200)]);
  const { keys, ...shown } = await stage.api('GET', at);
  expect(keys.map(({ hint }: { hint: string }) => hint)).toEqual([key.slice(0, 7), next.key.slice(0, 7)]);
  expect(JSON.stringify({ keys, shown })).not.toMatch(/"key"|[0-9a-f]{64}/);
  await stage.api('DELETE', `${at}/keys/${keys[0].id}`);
  expect([await statusesOf('keys', key), await statusesOf('keys', next.key)]).toEqual([all(403), all(200)]);
  const rejected = await get(pathsOf('keys', key)[0]!);
  expect(rejected.headers.get('cache-control')).toBe('private, no-cache');
  expect(await rejected.text()).not.toContain(key);

  const last = await stage.api('POST', `${at}/keys`, { overlapSeconds: 60 });
  expect([await statusesOf('keys', next.key), await statusesOf('keys', last.key)]).toEqual([all(200), all(200)]);
  await stage.clock.sleep(61_000);
  expect([await statusesOf('keys', next.key), await statusesOf('keys', last.key)]).toEqual([all(403), all(200)]);

  await stage.api('PATCH', at, { state: 'disabled' });
  expect(await statusesOf('keys', last.key)).toEqual(all(403));
  await stage.api('PATCH', at, { state: 'enabled' });
  expect(await statusesOf('keys', last.key)).toEqual(all(200));
  await stage.api('DELETE', at);
  expect(await statusesOf('keys', last.key)).toEqual(all(403));
});

test.concurrent('a key is of one channel, which must be enabled and not VoD', async () => {
  await air('one');
  await air('two');
  const { key } = await distributor('one');
  for (const wrong of ['x', `${key}x`, `dk_${'A'.repeat(32)}`, 'key'])
    expect(await statusesOf('one', wrong)).toEqual(all(403));
  expect(await statusesOf('two', key)).toEqual(all(403));
  expect(await statusesOf('nowhere', key)).toEqual(all(404));
  expect(await statusOf(`/hls/one/distributors/${key}/v9.m3u8`)).toBe(404);
  const unknown = await get(`/guide/one/${key}/other.xml`);
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.not.stringContaining(key)]);
  await stage.api('POST', '/channels', {
    id: 'films',
    type: 'vod',
    state: 'enabled',
    apiKey: 'key',
    playlistId: 'one',
  });
  expect((await stage.midroll.api('POST', '/channels/films/distributors', { name: 'Roku' })).status).toBe(409);
  await stage.api('PATCH', '/channels/one', { state: 'disabled' });
  expect(await statusesOf('one', key)).toEqual(all(404));
});

test.concurrent('records have versions, limits and audit entries without keys', async () => {
  await air('records');
  const at = '/channels/records/distributors';
  const { key } = await distributor('records', { id: 'roku', markersOutAhead: 10 });
  const { api } = stage.midroll;
  expect((await api('POST', at, { id: 'roku', name: 'Again' })).status).toBe(409);
  for (const body of [{}, { name: 'x', markersOut: 'all' }, { name: 'x', slateManifestUrl: 'file:///x' }, { name: 1 }])
    expect([body, (await api('POST', at, body)).status]).toEqual([body, 422]);
  expect((await api('POST', `${at}/roku/keys`, { expiresAt: '2001-01-01T00:00:00Z' })).status).toBe(422);
  expect(await stage.api('PUT', `${at}/roku`, { name: 'Roku TV' })).toMatchObject({
    id: 'roku',
    name: 'Roku TV',
    state: 'enabled',
    markersOut: 'both',
    __v: 1,
    keys: [expect.anything()],
  });
  expect(await stage.api('GET', at)).toMatchObject([{ id: 'roku' }]);
  expect((await api('GET', `${at}/other`)).status).toBe(404);
  expect((await api('GET', '/channels/other/distributors')).status).toBe(404);
  const entries = await stage.api('GET', '/audit?recordId=roku');
  expect(JSON.stringify(entries)).toContain('createDistributor');
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${key}|[0-9a-f]{64}`));
});

test.concurrent('the list states when a distributor made its last request', async () => {
  await air('used');
  const { key } = await distributor('used');
  expect((await stage.api('GET', '/channels/used/distributors'))[0].lastRequestAt).toBeUndefined();
  await statusesOf('used', key);
  const at = stage.clock.now();
  await stage.clock.sleep(70_000);
  await stage.until('the use is stored', async () => {
    const [{ lastRequestAt }] = await stage.api('GET', '/channels/used/distributors');
    return lastRequestAt !== undefined && Math.abs(Date.parse(lastRequestAt) - at) <= 60_000;
  });
});

test.concurrent('markers follow from the distributor, not from the channel', async () => {
  await air('marked', { markersOut: 'none' });
  const keyOf = async (markersOut: string) => (await distributor('marked', { markersOut })).key;
  const texts = async (key: string) => {
    const [, media, mpd] = pathsOf('marked', key);
    let found: string[] = [];
    await stage.until('a break is listed', async () => {
      found = await Promise.all([textOf(media!), textOf(mpd!)]);
      return found.every((text) => text.includes('/m/'));
    });
    return found.map((text) => [/SCTE35-OUT/.test(text), /EXT-X-CUE-OUT/.test(text), /urn:scte/.test(text)]);
  };
  expect(await texts(await keyOf('both'))).toEqual([
    [true, true, false],
    [false, false, true],
  ]);
  expect(await texts(await keyOf('cue'))).toEqual([
    [false, true, false],
    [false, false, true],
  ]);
  expect(await texts(await keyOf('daterange'))).toEqual([
    [true, false, false],
    [false, false, true],
  ]);
  expect(await texts(await keyOf('none'))).toEqual([
    [false, false, false],
    [false, false, false],
  ]);
});

test.concurrent('a slate of its own replaces that of the channel in breaks only, segment by segment', async () => {
  await air('slated');
  const [plain, own] = [await distributor('slated'), await distributor('slated', { slateManifestUrl: video })];
  const playlists = ({ key }: { key: string }) => pathsOf('slated', key).slice(1, 3);
  const media = (text: string) => [...new Set([...text.matchAll(/\/m\/(\w+)\//g)].map(([, id]) => id))];
  let texts: string[] = [];
  await stage.until('the slate of the distributor is ready', async () => {
    texts = await Promise.all([...playlists(plain), ...playlists(own)].map(textOf));
    const [one, other] = [media(texts[0]!), media(texts[2]!)];
    return one.length === 1 && other.length === 1 && one[0] !== other[0];
  });
  const [hls, mpd, ownHls, ownMpd] = texts.map((text) => text.replace(/\/m\/\w+\//g, '/m/ID/'));
  const withoutInit = (text: string) => text.replace(/CODECS="[^"]*"|codecs="[^"]*"|bandwidth="\d+"/g, '');
  expect(withoutInit(ownHls!)).toBe(withoutInit(hls!));
  expect(media(texts[3]!)).toEqual(media(texts[2]!));
  expect(withoutInit(ownMpd!)).toBe(withoutInit(mpd!));
  const [, uri] = /^(\S*\/m\/\S+)$/m.exec(texts[2]!)!;
  expect((await fetch(new URL(uri!, liveUrl + playlists(own)[0]))).status).toBe(200);
});
