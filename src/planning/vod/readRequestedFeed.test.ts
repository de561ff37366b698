// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { serveInTests } from '../../../test/serve.ts';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../adapters/http/httpOrigin.ts';
import { millis } from '../../time/units.ts';
import { createFeedReader } from './readRequestedFeed.ts';

let seen: string[] = [];
const rss = (items: string) =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<rss xmlns:m="http://search.yahoo.com/mrss/"><channel><title>Films</title>\n${items}</channel></rss>`;
const bodies: Readonly<Record<string, (host: string) => string>> = {
  '/feed': (host) =>
    rss(`<item><guid>f-1</guid><title>Räven</title><m:content url="a.mpd"/><m:content url="a.m3u8" type="video/mp4"/>
<cuepoints><cuepoint>soon</cuepoint></cuepoints></item><item><m:content url="http://${host}/b.m3u8"/></item>`),
  '/elsewhere': () =>
    rss('<item><m:content url="/a.m3u8"/></item>\n<item><m:content url="http://other.test/a.m3u8"/></item>'),
  '/video': () => rss('<item><m:content url="a.mp4"/></item>'),
  '/page': () => '<!doctype html><p>',
  '/large': () => rss(' '.repeat(10 << 20)),
};

const url: string = await serveInTests((request, response) => {
  const path = request.url!.split('?')[0]!;
  seen.push(request.url!);
  if (path === '/away') response.writeHead(302, { location: `http://localhost:${new URL(url).port}/feed` }).end();
  else if (path === '/broken') response.writeHead(503).end();
  else if (bodies[path] === undefined) response.writeHead(404).end();
  else
    response
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end(Buffer.from(bodies[path](request.headers.host!), 'latin1'));
});

let time = 0;
const origin = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.0/8', '::1'] }));
const read = createFeedReader(origin, () => millis(time));
const hosts = ['127.0.0.1'];

test('returns the contents in the requested format, their names, and what was left out', async () => {
  const found = await read(hosts, `${url}/feed`, 'hls');
  expect(found).toEqual({
    state: 'found',
    contents: [
      { sourceType: 'url', url: `${url}/a.m3u8`, cuePoints: [] },
      { sourceType: 'url', url: `${url}/b.m3u8`, cuePoints: [] },
    ],
    names: [
      { titleId: 'f-1', title: 'Räven' },
      { titleId: '2', title: 'Films' },
    ],
    warnings: [naming('item 1', 'line 4', 'soon'), naming('item 1', 'HLS')],
  });
  const inDash = await read(hosts, `${url}/feed`, 'dash');
  expect(inDash).toMatchObject({ contents: [{ url: `${url}/a.mpd` }, { url: `${url}/b.m3u8` }] });
});

test('viewers share a request for some seconds', async () => {
  seen = [];
  const shared = `${url}/feed?shared`;
  await Promise.all([read(hosts, shared, 'hls'), read(hosts, shared, 'dash')]);
  time += 4000;
  await read(hosts, shared, 'hls');
  expect(seen).toHaveLength(1);
  time += 2000;
  await read(hosts, shared, 'hls');
  expect(seen).toHaveLength(2);
});

test.each([
  ['/elsewhere', 'invalid', 'item 2'],
  ['/video', 'invalid', 'progressive'],
  ['/page', 'invalid', 'HTML'],
  ['/large', 'invalid', '2097152'],
  ['/none', 'invalid', '404'],
  ['/away', 'invalid', 'localhost'],
  ['/broken', 'unavailable', '503'],
])('%s is %s', async (path, state, word) => {
  const result = await read(hosts, url + path, 'hls');
  expect(result).toMatchObject({ state });
  expect(JSON.stringify(result)).toEqual(naming(word));
});

test('a host that the channel does not allow is not asked', async () => {
  seen = [];
  for (const allowed of [[], ['127.0.0.2'], ['127.0.0.1:1'], ['*.test']])
    expect(await read(allowed, `${url}/feed`, 'hls')).toMatchObject({
      state: 'invalid',
      message: naming('contentHosts'),
    });
  expect(seen).toEqual([]);
});
