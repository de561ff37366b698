// SPDX-License-Identifier: Apache-2.0
// Playlists from MRSS: those that Midroll wrote are equal to what they were written from, and feeds of others are read or
// rejected with the item and the line.
import { describe, expect, test } from 'vitest';
import { naming } from '../naming.ts';
import { opened } from '../opened.ts';
import { offAir, startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';
import { expectError } from './expectError.ts';

const items = [200, 300, 400, 500].map((duration, index) => ({ index, state: 'ready', duration }) as const);
const admin = await opened(
  startAdmin({ onAir: { ...offAir, channelStatus: async () => ({ state: 'enabled', items }) } }),
);
const call = clientOf(admin.app, admin.key);

const path = '/api/v2/playlists';
const send = (method: 'POST' | 'PUT', feed: string | Buffer, at = path, type = 'application/rss+xml') =>
  call(method, at, feed, { 'content-type': type });
const storedFeed = async () => (await call('GET', `${path}/films?format=mrss`)).text;
/** What a client sets, without what the server adds. */
const fieldsOf = (json: Record<string, unknown>) => {
  const { createdAt, createdBy, modifiedAt, modifiedBy, tenant, __v, ...fields } = json;
  return fields;
};

const films = {
  id: 'films',
  name: ' Films & "more" ',
  type: 'vod',
  status: 'enabled',
  startDate: '2026-03-01T20:15:00.5+01:00',
  contents: [
    {
      sourceType: 'url',
      url: 'https://o.example/a.m3u8?x=1&y=2',
      spliceType: 'percent',
      cuePoints: [{ spliceTime: 0 }, { spliceTime: 33.3333, maxAds: 3 }, { spliceTime: -1, maxDuration: 10.1234 }],
    },
    {
      sourceType: 'url',
      url: 'https://o.example/b.mpd',
      duration: 42.42,
      cuePoints: [{ spliceTime: 1.23456 }, { spliceTime: 42.42 }, { spliceTime: 60, maxDuration: 5, maxAds: 1 }],
    },
    { sourceType: 'url', url: 'https://o.example/manifest', spliceType: 'seconds', cuePoints: [] },
    { sourceType: 'url', url: 'https://o.example/c.m3u8' },
  ],
};

const rss = (inner: string) =>
  `<?xml version="1.0"?>\n<rss version="2.0" xmlns:m="http://search.yahoo.com/mrss"><channel><title>Theirs</title>\n${inner}</channel></rss>`;

describe('a feed that Midroll wrote', () => {
  test('creates an equal playlist, measured durations apart', async () => {
    const created = await call('POST', path, films);
    await call('POST', '/api/v2/channels', { playlistId: 'films', state: 'enabled' });
    const feed = await storedFeed();
    expect(feed).toContain('duration="200"');
    await call('DELETE', `${path}/films`);
    const again = await send('POST', feed);
    expect([again.status, again.headers.location]).toEqual([201, `${path}/films`]);
    expect(fieldsOf(again.json)).toEqual(films);
    expect(fieldsOf(again.json)).toEqual(fieldsOf(created.json));
    expect(await storedFeed()).toBe(feed);
  });

  test('replaces the playlist that it was written from', async () => {
    const feed = await storedFeed();
    await call('PUT', `${path}/films`, { name: 'Nothing' });
    const etag = (await call('GET', `${path}/films`)).headers.etag!;
    const stale = await call('PUT', `${path}/films`, feed, { 'content-type': 'text/xml', 'if-match': '"0"' });
    expect(stale.status).toBe(412);
    const replaced = await call('PUT', `${path}/films`, feed, { 'content-type': 'text/xml', 'if-match': etag });
    expect([replaced.status, fieldsOf(replaced.json)]).toEqual([200, films]);
  });

  test('cannot replace another playlist, as in JSON', async () => {
    await call('POST', path, { id: 'others' });
    const rejected = await send('PUT', await storedFeed(), `${path}/others`);
    expect([rejected.status, rejected.json.data[0].dataPath]).toEqual([422, '/id']);
    expect((await send('PUT', await storedFeed(), `${path}/none`)).status).toBe(404);
    expect((await send('POST', await storedFeed())).status).toBe(409);
  });

  test('of a generated playlist has the same contents as its JSON', async () => {
    const generate = '/api/unsecured-v2/playlists/generate?content=https://o.example/a.m3u8&markers=0,1,15;-1,2,30';
    const { text } = await call('GET', generate, undefined, { accept: 'application/rss+xml' });
    const { id, status, ...fields } = fieldsOf((await send('POST', text)).json);
    expect(fields).toEqual((await call('GET', generate)).json);
  });
});

describe('a feed of others', () => {
  const item = '<item><title>Film</title><m:group><m:content url="https://o.example/a.mp4"/>';
  const good = `${item}<m:content url="https://o.example/a.mpd"/><m:content url="https://o.example/a.m3u8"
    duration="01:00:00"/></m:group><cuepoints><cuepoint>5000</cuepoint></cuepoints></item>`;

  test.each(['application/rss+xml', 'application/xml; charset=utf-8', 'TEXT/XML'])('is read as %s', async (type) => {
    const { status, json } = await send('POST', rss(good), path, type);
    expect([status, fieldsOf(json)]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Theirs',
        status: 'disabled',
        contents: [
          { sourceType: 'url', url: 'https://o.example/a.m3u8', duration: 3600, cuePoints: [{ spliceTime: 5 }] },
        ],
      },
    ]);
  });

  test('may have another encoding', async () => {
    const feed = rss(good).replace('"1.0"', '"1.0" encoding="ISO-8859-1"').replace('Theirs', 'Ärligt');
    expect((await send('POST', Buffer.from(feed, 'latin1'))).json.name).toBe('Ärligt');
  });

  test('has every fault with its item and its line', async () => {
    const faulty = rss(`${item}</m:group></item>
<item><m:content url="films/b.m3u8"/></item>
<item><m:content url="https://o.example/c.m3u8"/>
<cuepoints><cuepoint><splicetime>later</splicetime></cuepoint></cuepoints></item>
<item><m:content url="https://o.example/d.m3u8"/><cuepoints>
<cuepoint><splicetime>1</splicetime><maxcount>0</maxcount></cuepoint></cuepoints></item>`);
    const reply = await send('POST', faulty);
    expectError(reply, 422, 'VALIDATION_ERROR');
    const faults = reply.json.data as { dataPath: string; params: { line: number }; message: string }[];
    expect(faults.map(({ dataPath, params }) => [dataPath, params.line]).sort()).toEqual([
      ['/contents/0/url', 3],
      ['/contents/1/url', 4],
      ['/contents/2/cuePoints/0/spliceTime', 6],
      ['/contents/3/cuePoints/0/maxAds', 8],
    ]);
    for (const { message, params } of faults) expect(message).toEqual(naming(`line ${params.line}`));
    expect(faults.find(({ dataPath }) => dataPath === '/contents/0/url')!.message).toEqual(naming('progressive'));
  });

  test.each([
    ['', 400, 'empty'],
    ['Service unavailable', 400, 'line 1'],
    [rss(good).slice(0, -10), 400, 'XML'],
    ['<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', 400, 'DOCTYPE'],
    ['{"contents": []}', 422, 'JSON'],
    ['<!doctype html><p>', 422, 'HTML'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"/>', 422, 'Atom'],
    [rss('<item/>'.repeat(1001)), 422, '1001'],
    [' '.repeat(2 << 20), 413, '1048576'],
  ])('that is none is rejected: %.30j', async (text, status, word) => {
    const reply = await send('POST', text);
    expect([reply.status, reply.json.message]).toEqual([status, naming(word)]);
  });
});

test('other content types get a 415 that lists those of the route', async () => {
  const accepted = ['application/json', 'application/rss+xml', 'application/xml', 'text/xml'];
  for (const [method, at] of [['POST', path] as const, ['PUT', `${path}/films`] as const]) {
    const reply = await send(method, rss(''), at, 'application/atom+xml');
    expectError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(reply.json.message).toEqual(naming(...accepted, 'application/atom+xml'));
  }
  const elsewhere = await call('POST', '/api/v2/channels', rss(''), { 'content-type': 'application/rss+xml' });
  expectError(elsewhere, 415, 'UNSUPPORTED_MEDIA_TYPE');
  const patch = await call('PATCH', `${path}/films`, rss(''), { 'content-type': 'application/rss+xml' });
  expectError(patch, 415, 'UNSUPPORTED_MEDIA_TYPE');
});

test('the documentation lists the content types of both requests', async () => {
  const { paths } = (await call('GET', '/openapi.json')).json;
  for (const operation of [paths[path].post, paths[`${path}/{id}`].put])
    expect(Object.keys(operation.requestBody.content)).toEqual([
      'application/json',
      'application/rss+xml',
      'application/xml',
      'text/xml',
    ]);
  expect(Object.keys(paths[`${path}/{id}`].patch.requestBody.content)).toEqual(['application/merge-patch+json']);
});
