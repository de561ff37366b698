// SPDX-License-Identifier: Apache-2.0
// The asset routes. No creative is conditioned in these tests.
import { expect, test } from 'vitest';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import { millis } from '../../src/time/units.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

const picture = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
const admin = await opened(
  startAdmin({ thumbnails: { of: async (id) => (id === 'm'.repeat(32) ? picture : undefined) } }),
);
const call = clientOf(admin.app, admin.key);
const other = clientOf(admin.app, admin.otherKey);
const jobs = sqlCreatives(admin.store);

const add = (body: object, client = call) => client('POST', '/api/v2/assets', body);
const channel = (id: string, state = 'enabled') => call('POST', '/api/v2/channels', { id, state, apiKey: 'k' });
const pathsOf = (json: { data: { dataPath: string }[] }) => json.data.map(({ dataPath }) => dataPath);

const linear = (files: string, id = '') => `<Creative>${id}<Linear><Duration>00:00:10</Duration>
  <MediaFiles>${files}</MediaFiles></Linear></Creative>`;
const file = (url: string, type = 'video/mp4') =>
  `<MediaFile delivery="progressive" type="${type}" width="1280" height="720"><![CDATA[${url}]]></MediaFile>`;
const inLine = (id: string, title: string, creative: string) => `<Ad id="${id}"><InLine><AdSystem>t</AdSystem>
  <AdTitle>${title}</AdTitle><Impression>https://ads.test/i</Impression><Creatives>${creative}</Creatives></InLine></Ad>`;

test('adding assets is a 409 while no channel is on air', async () => {
  const mediaUrl = 'https://ads.test/early.mp4';
  expect(await add({ mediaUrl })).toMatchObject({ status: 409, json: { type: 'CONFLICT' } });
  await channel('off-air');
  expect(await add({ mediaUrl })).toMatchObject({ status: 409 });
  expect(await add({ mediaUrl, channels: ['off-air'] })).toMatchObject({
    status: 409,
    json: { type: 'CONFLICT', message: expect.stringContaining('off-air') },
  });
  await call('DELETE', '/api/v2/channels/off-air');
  await Promise.all([channel('one'), channel('two'), channel('idle', 'disabled')]);
});

test.each([
  [{}, ['']],
  [{ mediaUrl: 'https://a.test/1.mp4', vast: '<VAST/>' }, ['']],
  [{ mediaUrl: 'file:///etc/passwd' }, ['/mediaUrl']],
  [{ vastUrl: 'ads.test/vast' }, ['/vastUrl']],
  [{ mediaUrl: 7 }, ['/mediaUrl']],
  [{ mediaURL: 'https://a.test/1.mp4' }, ['/mediaURL', '']],
  [{ mediaUrl: 'https://a.test/1.mp4', channels: [] }, ['/channels']],
  [{ mediaUrl: 'https://a.test/1.mp4', channels: ['one', 'one'] }, ['/channels']],
  [{ mediaUrl: 'https://a.test/1.mp4', channels: ['unknown', 'one', 'idle'] }, ['/channels/0', '/channels/2']],
  [{ vast: '<html>' }, ['/vast']],
  [{ vast: '<VAST version="4.0"><Ad><InLine>' }, ['/vast']],
  [{ vastUrl: 'https://ads.test/vast' }, ['/vastUrl']],
])('rejects %j with its invalid fields', async (body, paths) => {
  const { status, json } = await add(body);
  expect([status, pathsOf(json)]).toEqual([422, paths]);
  // Sentences end with one period, and the message counts the faults that are only in `data`.
  expect(json.message).toMatch(/[^.]\.$/);
  expect(json.message).not.toContain('..');
  if (paths.length > 1) expect(json.message).toContain(` ${paths.length - 1} `);
  expect((await call('GET', '/api/v2/assets')).json).toEqual([]);
});

test.each([
  [[], 'minItems'],
  [['one', 'one'], 'uniqueItems'],
])('rejects channels %j with a message', async (channels, keyword) => {
  const { json } = await add({ mediaUrl: 'https://a.test/1.mp4', channels });
  expect(json.data).toMatchObject([{ dataPath: '/channels', keyword, message: expect.stringMatching(/\w/) }]);
});

test('a file is one asset per ladder, however often it is added', async () => {
  const mediaUrl = 'https://user:word@ads.test/spot.mp4?id=7&token=secret';
  const first = await add({ mediaUrl });
  expect(first).toMatchObject({
    status: 202,
    json: {
      assets: [{ kind: 'creative', state: 'waiting', attempts: 0, channels: ['one', 'two'] }],
      skipped: [],
      warnings: [],
    },
  });
  const [asset] = first.json.assets;
  expect(asset.source).toBe('https://***@ads.test/spot.mp4?id=7&token=***');
  expect((await add({ mediaUrl, channels: ['two'] })).json.assets).toEqual([asset]);
  expect((await call('GET', `/api/v2/assets/${asset.id}`)).json).toEqual(asset);
  expect(JSON.stringify(first.json)).not.toMatch(/secret|word/);

  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/thumbnail'],
    ['POST', '/retry'],
    ['DELETE', ''],
  ] as const)
    expect([path, (await other(method, `/api/v2/assets/${asset.id}${path}`)).status]).toEqual([path, 404]);
  expect((await other('GET', '/api/v2/assets')).json).toEqual([]);
  expect(await add({ mediaUrl, channels: ['one'] }, other)).toMatchObject({ status: 422 });
  expect((await call('GET', '/api/v2/assets/not-an-id')).status).toBe(404);
});

test('a VAST document adds the creatives of its ads, and the response contains a reason for each skipped ad', async () => {
  const universal = '<UniversalAdId idRegistry="Ad-ID.org">CNPA0484</UniversalAdId>';
  const vast = `<VAST version="4.2">
    ${inLine('a', 'Tea', linear(file('https://ads.test/tea.mp4?cb=[CACHEBUSTING]'), universal))}
    ${inLine('b', 'Script', linear(file('https://ads.test/unit.js', 'application/javascript')))}
    ${inLine('c', 'Tea again', linear(file('https://elsewhere.test/tea.mp4'), universal))}
    <Ad id="d"><Wrapper><VASTAdTagURI>https://unreachable.test/vast</VASTAdTagURI></Wrapper></Ad></VAST>`;
  const { status, json } = await add({ vast, channels: ['one'] });
  expect([status, json.assets.length]).toEqual([202, 1]);
  expect(json.assets[0].source).toMatch(/^https:\/\/(ads\.test\/tea\.mp4\?cb=\d{8}|elsewhere\.test\/tea\.mp4)$/);
  expect(
    json.skipped.map(({ adId, title, reason }: never) => [adId, title, (reason as { code: string }).code]).sort(),
  ).toEqual([
    ['b', 'Script', 'NO_MEDIA_FILE'],
    ['d', undefined, 'WRAPPER_FAILED'],
  ]);
  expect(await add({ vast: '<VAST version="4.2"/>' })).toMatchObject({ status: 202, json: { assets: [] } });
});

test('lists assets newest first, in pages, filtered by state and channel', async () => {
  for (const name of ['x', 'y', 'z']) await add({ mediaUrl: `https://ads.test/${name}.mp4`, channels: ['two'] });
  const list = async (query: string) => {
    const { headers, json } = await call('GET', `/api/v2/assets?${query}`);
    return [
      headers['x-total-count'],
      ...json.map(({ source }: { source: string }) => source.match(/\w+(?=\.mp4)/)?.[0]),
    ];
  };
  expect(await list('')).toEqual(['5', 'z', 'y', 'x', 'tea', 'spot']);
  expect(await list('limit=2&offset=1')).toEqual(['5', 'y', 'x']);
  expect(await list('channel=one')).toEqual(['2', 'tea', 'spot']);
  expect(await list('channel=unknown')).toEqual(['0']);
  expect(await list('state=ready')).toEqual(['0']);
  expect((await call('GET', '/api/v2/assets?state=gone&limit=0')).status).toBe(422);
});

test('failed assets have a reason and can be retried; ready assets have a thumbnail and can be deleted', async () => {
  const { json } = await add({ mediaUrl: 'https://ads.test/odd.mp4', channels: ['one'] });
  const path = `/api/v2/assets/${json.assets[0].id}`;
  const take = async (lease: string) => {
    for (let job = await jobs.take(lease, millis(Date.now()), millis(Date.now() + 60_000), 9); job; ) {
      if (path.endsWith(job.order.id)) return;
      await jobs.release(job.lease, millis(Date.now() + 60_000));
      job = await jobs.take(lease, millis(Date.now()), millis(Date.now() + 60_000), 9);
    }
  };
  await take('l1');
  expect((await call('POST', `${path}/retry`)).json).toMatchObject({ state: 'preparing' });
  const again = millis(Date.now() + 3_600_000);
  await jobs.finish(
    'l1',
    { state: 'waiting', fault: 'NOT_FETCHED', reason: 'the server returned 503', dueAt: again },
    millis(Date.now()),
  );
  expect((await call('GET', path)).json).toMatchObject({
    ...{ state: 'failing', fault: 'NOT_FETCHED', reason: 'the server returned 503' },
    ...{ attempts: 1, nextAttemptAt: new Date(again).toISOString() },
  });
  const idsOf = async (state: string) =>
    (await call('GET', `/api/v2/assets?state=${state}`)).json.map(({ id }: { id: string }) => id);
  expect([await idsOf('failing'), (await idsOf('waiting')).includes(json.assets[0].id)]).toEqual([
    [json.assets[0].id],
    false,
  ]);
  expect(await call('POST', `${path}/retry`)).toMatchObject({ status: 202, json: { state: 'waiting', attempts: 0 } });
  expect((await call('GET', path)).json.reason).toBeUndefined();
  expect((await call('GET', `${path}/thumbnail`)).status).toBe(404);

  await take('l2');
  const renditions = [{ id: 'v0', kind: 'video', codecs: 'avc1.64001f', bandwidth: 9, width: 16, height: 9 }] as const;
  const made = { mediaId: 'm'.repeat(32), frames: 250, duration: 10, bytes: 77, renditions };
  await jobs.finish('l2', { state: 'ready', made }, millis(Date.now()));
  const ready = (await call('GET', path)).json;
  expect(ready).toMatchObject({ state: 'ready', duration: 10, bytes: 77, renditions, thumbnail: `${path}/thumbnail` });
  const shown = await admin.app.inject({ url: ready.thumbnail, headers: { 'x-api-key': admin.key } });
  expect([shown.headers['content-type'], shown.rawPayload]).toEqual(['image/jpeg', Buffer.from(picture)]);
  expect((await call('POST', `${path}/retry`)).status).toBe(409);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('DELETE', path)).status).toBe(404);
  expect((await call('GET', path)).status).toBe(404);
});
