// SPDX-License-Identifier: Apache-2.0
// MRSS read by another parser (libxml2), and the negotiation of its format.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { offAir, startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

const channelStatus = async () => ({ state: 'enabled', items: [{ index: 0, state: 'ready', duration: 200 }] }) as const;
const admin = await opened(startAdmin({ onAir: { ...offAir, channelStatus } }));
const call = clientOf(admin.app, admin.key);

/** Evaluates an XPath expression on a document. */
function xpath(document: string, expression: string): string {
  const { status, stdout, stderr } = spawnSync('xmllint', ['--nonet', '--xpath', expression, '-'], {
    input: document,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.replace(/\n$/, '');
}

const special = `<b>&amp;'"]]> ünï 🎬`;
const url = 'https://media.example.com/a%20b.m3u8?x=1&y=<2>&z="3"\'4\'';
const contents = [
  {
    sourceType: 'url',
    url,
    duration: 42.42,
    cuePoints: [
      { spliceTime: 0, maxDuration: 10.1234, maxAds: 2 },
      { spliceTime: 12.3456, maxDuration: 5 },
      { spliceTime: 42.42, maxDuration: 7 },
    ],
  },
  {
    sourceType: 'placeholder',
    duration: 100,
    spliceType: 'percent',
    cuePoints: [0, 33.333, 100].map((spliceTime) => ({ spliceTime, maxDuration: 1 })),
  },
];

test('another parser reads every field, including special characters', async () => {
  await call('POST', '/api/v2/playlists', { id: 'feed', name: special, contents });
  const reply = await call('GET', '/api/v2/playlists/feed?format=mrss&content=https://c.example.com/live.mpd');
  expect(reply.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
  const read = (expression: string) => xpath(reply.text, expression);
  expect(read('string(/rss/@version)')).toBe('2.0');
  expect(read('count(/rss/channel/item)')).toBe('2');
  expect(read('string(/rss/channel/title)')).toBe(special);
  expect(read('string(//item[1]/title)')).toBe(`${special} (1)`);
  expect(read('string(/rss/channel/link)')).toMatch(/^http:\/\/[^/]+\/api\/v2\/playlists\/feed$/);
  expect(read('count(//item/guid[@isPermaLink="false"][not(. = preceding::guid)])')).toBe('2');
  const media = '//item[1]/*[local-name()="content" and namespace-uri()="http://search.yahoo.com/mrss/"]';
  expect(read(`string(${media}/@url)`)).toBe(url);
  expect(read(`string(${media}/@type)`)).toBe('application/x-mpegURL');
  expect(read(`string(${media}/@duration)`)).toBe('42.42');
  expect(read(`string(${media}/@medium)`)).toBe('video');
  const cue = (item: number, number: number, field: string) =>
    read(`string(//item[${item}]/*[local-name()="cuepoints"]/cuepoint[${number}]/${field})`);
  expect([1, 2, 3].map((number) => cue(1, number, 'splicetime'))).toEqual(['0', '12346', '-1']);
  expect([1, 2, 3].map((number) => cue(1, number, 'maxcount'))).toEqual(['2', '', '']);
  expect([1, 2, 3].map((number) => cue(1, number, 'duration'))).toEqual(['10.1234', '5', '7']);
  expect(read('count(//cuepoint/@id[not(. = ../preceding::cuepoint/@id)])')).toBe('6');
  expect([1, 2, 3].map((number) => cue(2, number, 'splicetime'))).toEqual(['0', '33333', '-1']);
  expect(read(`string(${media.replace('[1]', '[2]')}/@url)`)).toBe('https://c.example.com/live.mpd');
  expect(read(`string(${media.replace('[1]', '[2]')}/@type)`)).toBe('application/dash+xml');
});

test('characters that XML cannot contain are replaced', async () => {
  await call('POST', '/api/v2/playlists', { id: 'odd', name: 'a\u0000b\u000bc\ud800d\uffff', contents: [contents[0]] });
  const { text } = await call('GET', '/api/v2/playlists/odd?format=mrss');
  expect(xpath(text, 'string(/rss/channel/title)')).toBe('a\ufffdb\ufffdc\ufffdd\ufffd');
});

test('format overrides Accept, Accept uses quality values, and the default is JSON', async () => {
  const typeOf = async (query: string, accept?: string) => {
    const reply = await call('GET', `/api/v2/playlists/odd${query}`, undefined, accept === undefined ? {} : { accept });
    expect([reply.status, reply.headers.vary]).toEqual([200, 'accept']);
    return reply.headers['content-type']!.split(';')[0];
  };
  const [json, mrss] = ['application/json', 'application/rss+xml'];
  expect(await typeOf('')).toBe(json);
  expect(await typeOf('', mrss)).toBe(mrss);
  expect(await typeOf('', `${json};q=0.2, ${mrss};q=0.3`)).toBe(mrss);
  expect(await typeOf('', `${mrss};q=0.2, */*`)).toBe(json);
  expect(await typeOf('?format=json', mrss)).toBe(json);
  expect(await typeOf('?format=mrss', json)).toBe(mrss);
  expect((await call('GET', '/api/v2/playlists/odd?format=xml')).json.data).toMatchObject([{ dataPath: '/format' }]);
});

test('placeholders get their URL from content, which MRSS requires', async () => {
  const plain = await call('GET', '/api/v2/playlists/feed');
  expect(plain.json.contents).toEqual(contents);
  const filled = await call('GET', '/api/v2/playlists/feed?content=https%3A%2F%2Fc%2Fx.m3u8%3Fa%3D1%26b%3D2');
  expect(filled.json.contents[1]).toEqual({ ...contents[1], sourceType: 'url', url: 'https://c/x.m3u8?a=1&b=2' });
  expect(filled.json.contents[0]).toEqual(contents[0]);
  expect((await call('GET', '/api/v2/playlists/feed?format=mrss')).json.data).toMatchObject([{ dataPath: '/content' }]);
  for (const content of ['x', 'file:///etc/passwd', 'javascript:alert(1)', ''])
    expect((await call('GET', `/api/v2/playlists/feed?content=${content}`)).status).toBe(422);
});

test('cue points in per cent use the measured duration, and are a fault without one', async () => {
  const item = {
    sourceType: 'url',
    url: 'https://x/y.m3u8',
    spliceType: 'percent',
    cuePoints: [{ spliceTime: 25, maxDuration: 5 }],
  };
  await call('POST', '/api/v2/playlists', { id: 'percent', contents: [item] });
  const rejected = await call('GET', '/api/v2/playlists/percent?format=mrss');
  expect([rejected.status, rejected.json.data[0].dataPath]).toEqual([422, '/contents/0/duration']);
  await call('POST', '/api/v2/channels', { playlistId: 'percent', state: 'enabled' });
  expect((await call('GET', '/api/v2/playlists/percent/items')).json).toEqual([
    { index: 0, state: 'ready', duration: 200 },
  ]);
  const { text } = await call('GET', '/api/v2/playlists/percent?format=mrss');
  expect(xpath(text, 'string(//splicetime)')).toBe('50000');
});

test('a cue point without a duration has none in the feed, and -1 is a post-roll in either unit', async () => {
  const cuePoints = [{ spliceTime: -1 }, { spliceTime: 0, maxDuration: 3 }];
  const items = (['seconds', 'percent'] as const).map((spliceType) => ({
    url: 'https://x/y.m3u8',
    spliceType,
    cuePoints,
  }));
  await call('POST', '/api/v2/playlists', { id: 'open-ended', contents: items });
  const { text } = await call('GET', '/api/v2/playlists/open-ended?format=mrss');
  for (const item of [1, 2]) {
    const read = (expression: string) => xpath(text, expression.replaceAll('cue', `//item[${item}]//cuepoint`));
    expect(read('string(cue[1]/splicetime)')).toBe('-1');
    expect(read('count(cue[1]/duration)')).toBe('0');
    expect(read('string(cue[2]/duration)')).toBe('3');
  }
});

test('a generated playlist has the format that Accept prefers, unless the query states one', async () => {
  const open = clientOf(admin.app);
  const path = '/api/unsecured-v2/playlists/generate?content=https://x/y.m3u8&markers=-1,2,30';
  const typeOf = async (query: string, accept: string) =>
    (await open('GET', `${path}${query}`, undefined, { accept })).headers['content-type']!.split(';')[0];
  expect(await typeOf('', 'application/rss+xml')).toBe('application/rss+xml');
  expect(await typeOf('', '*/*')).toBe('application/json');
  expect(await typeOf('&format=json', 'application/rss+xml')).toBe('application/json');
  const { json } = await open('GET', path);
  expect(json.contents[0].cuePoints).toEqual([{ spliceTime: -1, maxAds: 2, maxDuration: 30 }]);
});

test('a generated playlist as MRSS contains the packaging', async () => {
  const open = clientOf(admin.app);
  const path = '/api/unsecured-v2/playlists/generate';
  const { status, text } = await open(
    'GET',
    `${path}?content=https://x/${encodeURIComponent('<&"')}&packaging=dash&format=mrss&markers=5.5,3,20`,
  );
  expect(status).toBe(200);
  expect(xpath(text, 'string(//*[local-name()="content"]/@type)')).toBe('application/dash+xml');
  expect(xpath(text, 'concat(//splicetime, " ", //maxcount, " ", //cuepoint/duration)')).toBe('5500 3 20');
});
