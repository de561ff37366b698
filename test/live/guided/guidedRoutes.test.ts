// SPDX-License-Identifier: Apache-2.0
// The routes of the channel's own view and of guided viewers: keys, signatures, caches, who is guided, and whose ads a list has.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { signOpening } from '../../../src/http/live/openingRequest.ts';
import { checkMpd } from '../../laws/schema/checkMpd.ts';
import { naming } from '../../naming.ts';
import { airVod, openVod } from '../../vod/watchVod.ts';
import { fileStage } from '../fileStage.ts';
import { adSource, item, openVirtualStage, titlesOf } from '../stage.ts';
import { openGuided } from './guidedPlayer.ts';

/** Seconds. */
const KEPT = 200;
const stage = await fileStage(() => openVirtualStage({ SESSION_TTL: '60', VOD_SESSION_TTL: `${KEPT}` }));
const { liveUrl } = stage.midroll;
const video = await stage.video({ seconds: 8 });
const cue = { spliceTime: 4, maxDuration: 6 };

const SHARED = [
  'hls/ID/channel.m3u8',
  'hls/ID/channel/v0.m3u8',
  'hls/ID/guided/v0.m3u8',
  'dash/ID/channel.mpd',
  'dash/ID/guided.mpd',
];
const sharedPaths = (id: string, query: string): string[] =>
  SHARED.map((path) => `/${path.replace('ID', id)}?${query}`);
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(liveUrl + path, { method, headers });
const statusOf = async (path: string): Promise<number> => (await get(path)).status;

async function air(id: string, channel: object = {}): Promise<void> {
  await stage.air(id, [item(video, cue)], channel);
  const [path] = sharedPaths(id, 'api-key=key');
  await stage.until(`${id} is on air`, async () => ![404, 503].includes(await statusOf(path!)));
}

test.concurrent('shared manifests require the key of the channel, and exist for its rungs', async () => {
  await air('gate');
  const rejected = async (query: string) =>
    Promise.all(
      sharedPaths('gate', query).map(async (path) => {
        const response = await get(path);
        const { type } = (await response.json()) as { type: string };
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        return [response.status, type, response.headers.get('cache-control')?.includes('public') ?? false];
      }),
    );
  expect(await rejected('api-key=wrong')).toEqual(new Array(5).fill([403, 'Forbidden', false]));
  const missing = [401, 'KEY_MISSING', false];
  // Without the key, the MPD of guided viewers is that of a session.
  expect(await rejected('')).toEqual([...new Array(4).fill(missing), expect.anything()]);
  for (const path of sharedPaths('nowhere', 'api-key=key')) expect([path, await statusOf(path)]).toEqual([path, 404]);
  for (const path of ['/hls/gate/channel/v9.m3u8', '/hls/gate/guided/..%2Fv0.m3u8', '/hls/gate/channel/%00.m3u8'])
    expect([path, await statusOf(`${path}?api-key=key`)]).toEqual([path, 404]);
  for (const path of sharedPaths('gate', 'api-key=key')) expect([path, await statusOf(path)]).toEqual([path, 200]);
});

test.concurrent('shared manifests are cacheable: validators, compression, HEAD, and the same bytes for everyone', async () => {
  await air('cached');
  for (const path of sharedPaths('cached', 'api-key=key')) {
    const [first, other, head] = await Promise.all([
      get(path),
      get(path, { 'user-agent': 'other' }),
      get(path, {}, 'HEAD'),
    ]);
    const text = await first.text();
    expect(await other.text()).toBe(text);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^W\/"[\w-]{20}"$/);
    const [, age] = /^public, max-age=(\d+)$/.exec(first.headers.get('cache-control')!)!;
    expect([Number(age) >= 1, Number(age) <= 3]).toEqual([true, true]);
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
    const known = await get(path, { 'if-none-match': `"x", ${etag}` });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
    expect(known.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    expect(first.headers.get('vary')).toContain('Accept-Encoding');
    if (path.includes('.mpd')) expect(first.headers.get('content-type')).toMatch(/^application\/dash\+xml/);
  }
  // From some size on.
  const [, , , mpd] = sharedPaths('cached', 'api-key=key');
  for (const coding of ['gzip', 'br']) {
    const response = await get(mpd!, { 'accept-encoding': coding });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(await response.text()).toContain('<MPD');
  }
});

test.concurrent('markers of breaks follow from the request, then from the channel, and guided manifests have none', async () => {
  await air('marked', { markersOut: 'daterange' });
  const textOf = async (path: string) => (await get(path)).text();
  /** Of the second break: the first one begins before the channel is known to be on air. */
  const text = async (path: string) => {
    let found = '';
    await stage.until(`${path} lists a break`, async () => {
      found = await textOf(path);
      return found.includes('/m/');
    });
    return found;
  };
  const own = '/hls/marked/channel/v0.m3u8?api-key=key';
  expect(await text(own)).toMatch(/^#EXT-X-DATERANGE:ID="splice-.*SCTE35-OUT=0xFC/m);
  expect(await text(own)).not.toContain('#EXT-X-CUE');
  const cues = await text(`${own}&markers=cue`);
  expect(cues).toMatch(/^#EXT-X-CUE-OUT/m);
  expect(cues).not.toContain('SCTE35-OUT');
  expect(await text(`${own}&markers=none`)).not.toMatch(/SCTE35/);
  expect(await textOf('/hls/marked/channel.m3u8?api-key=key&markers=both')).toMatch(
    /v0\.m3u8\?api-key=key&markers=both$/m,
  );
  const mpd = '/dash/marked/channel.mpd?api-key=key';
  expect(await text(mpd)).toContain('urn:scte:scte35:2014:xml+bin');
  expect(await text(`${mpd}&markers=none`)).not.toContain('scte35');
  for (const path of ['/hls/marked/guided/v0.m3u8?api-key=key', '/dash/marked/guided.mpd?api-key=key&sid=x'])
    expect(await text(`${path}&markers=both`), path).not.toMatch(/scte35/i);
  for (const path of ['/hls/marked/channel.m3u8?api-key=key', own, mpd])
    expect([path, await statusOf(`${path}&markers=x`)]).toEqual([path, 422]);
  const session = (await (await get('/hls/view/marked?api-key=key')).json()) as { mediaURL: string };
  const [media] = /^\S+v0\.m3u8\S*/m.exec(await (await fetch(session.mediaURL)).text())!;
  const url = new URL(media, session.mediaURL);
  expect(await text(url.pathname + url.search)).toMatch(/SCTE35-OUT=0xFC/);
});

test.concurrent('a signature opens a session; its URLs of shared manifests have a token that does not expire', async () => {
  const secret = 'sixteen-or-more!';
  await stage.air('signed', [item(video, cue)], { signingSecret: secret });
  const exp = String(Math.floor(stage.clock.now() / 1000) + 300);
  const signed = `api-key=key&exp=${exp}&sig=${signOpening(secret, 'signed', exp)}`;
  await stage.until('the channel is on air', async () => (await statusOf(`/hls/view/signed?${signed}`)) === 200);
  for (const path of sharedPaths('signed', 'api-key=key')) expect([path, await statusOf(path)]).toEqual([path, 403]);
  const view = await (await get(`/dash/view/signed?${signed}&insertion=guided`)).json();
  const token = new URL((view as { guidedURL: string }).guidedURL).searchParams.get('token')!;
  const wrong = token.replace(/^./, token.startsWith('0') ? '1' : '0');
  await stage.clock.sleep(301_000);
  expect(await statusOf(`/hls/view/signed?${signed}`)).toBe(403);
  for (const [given, status] of [
    [`api-key=key&token=${token}`, 200],
    [`${signed}&token=${token}`, 200],
    [`api-key=key&token=${wrong}`, 403],
    [`api-key=key&token=`, 403],
    [`api-key=wrong&token=${token}`, 403],
    [signed, 403],
  ] as const) {
    for (const path of sharedPaths('signed', given)) expect([path, await statusOf(path)]).toEqual([path, status]);
  }
  // It opens no session.
  expect(await statusOf(`/hls/view/signed?api-key=key&token=${token}`)).toBe(403);
  const multivariant = await (await get(`/hls/signed/channel.m3u8?api-key=key&token=${token}`)).text();
  const [media] = /^channel\/\S+\.m3u8\?\S*/m.exec(multivariant)!;
  expect(await statusOf(`/hls/signed/${media}`)).toBe(200);
});

test.concurrent('a list has the ads of its viewer; breaks and clips of others are not found', async () => {
  const [three, five] = await Promise.all([stage.spot(3), stage.spot(5)]);
  stage.adHost.offer('/own', (viewer) =>
    viewer === 'anna' ? [{ id: 'three', seconds: 3, url: three }] : [{ id: 'five', seconds: 5, url: five }],
  );
  await air('own', { adSource: adSource(stage.adHost, '/own') });
  const players = await Promise.all(['anna', 'bert'].map((name) => openGuided(stage, 'own', 'hls', `viewer=${name}`)));
  const listOf = async (url: string) => (await (await fetch(url)).json()) as { ASSETS: { URI: string }[] };
  const titles = async (session: string) =>
    (await stage.api('GET', `/sessions/${session}`)).breaks.map((one: Parameters<typeof titlesOf>[0]) => titlesOf(one));
  // Conditioned for the first breaks.
  const lists = async () => Promise.all(players.map(async (one) => (await one.breaks()).at(-1)!.list));
  await stage.until('both have ads', async () => {
    await Promise.all((await lists()).map(listOf));
    return (await Promise.all(players.map(({ session }) => titles(session)))).every((all) => all.flat().length > 0);
  });
  const [annas, berts] = await Promise.all(players.map(({ session }) => titles(session)));
  expect([new Set(annas.flat()), new Set(berts.flat())]).toEqual([new Set(['Ad three']), new Set(['Ad five'])]);
  const [anna, bert] = players as [(typeof players)[0], (typeof players)[0]];
  const [list] = await lists();
  const { ASSETS } = await listOf(list!);
  for (const { URI } of ASSETS) {
    expect(URI).toContain(`/${anna!.session}/pods/`);
    expect((await fetch(URI)).status).toBe(200);
  }
  const breakId = /([^/]+)\.json$/.exec(list!)![1]!;
  const unknown = randomUUID();
  const ids = [
    '9-9',
    '0-0',
    '%2e%2e%2f',
    '%00',
    "1-1'--",
    '1-1;x',
    `${'9'.repeat(300)}-1`,
    '-1',
    '1',
    'a b',
    '%7B$sid%7D',
  ];
  const { session } = bert!;
  const paths = [
    `/hls/own/${unknown}/breaks/${breakId}.json`,
    `/hls/other/${session}/breaks/${breakId}.json`,
    `/dash/own/breaks/${breakId}.mpd?sid=${unknown}`,
    `/hls/own/${unknown}/pods/${breakId}-0.m3u8`,
    `/hls/own/${session}/pods/${breakId}-99.m3u8`,
    `/hls/own/${session}/pods/${breakId}-0/v9.m3u8`,
    ...ids.flatMap((id) => [
      `/hls/own/${session}/breaks/${id}.json`,
      `/dash/own/breaks/${id}.mpd?sid=${session}`,
      `/hls/own/${session}/pods/${id}.m3u8`,
      `/hls/own/${session}/pods/${id}/v0.m3u8`,
      `/dash/own/${session}/pods/${id}.mpd`,
    ]),
    `/hls/own/${encodeURIComponent("' or 1=1")}/breaks/${breakId}.json`,
  ];
  for (const path of paths) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: 404, type: 'NOT_FOUND' });
  }
  expect(await statusOf(`/dash/own/breaks/${breakId}.mpd`)).toBe(422);
  const caching = (await fetch(list!)).headers.get('cache-control');
  expect(caching, 'of a list').toMatch(/no-cache|no-store|private/);
});

test.concurrent('who is guided follows from the request, then from the channel', async () => {
  const iPhone = 'AppleCoreMedia/1.0.0.20E247 (iPhone; U; CPU OS 16_4 like Mac OS X; en_us)';
  await air('plain');
  await air('guiding', { insertion: 'guided' });
  await air('auto', { insertion: 'auto', timeShiftWindow: 60 });
  type View = { insertion: string; mediaURL: string; stitchedURL: string; guidedURL: string; sessionId: string };
  const view = async (path: string, userAgent = 'x') => {
    const response = await get(path, { 'user-agent': userAgent });
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as View;
  };
  for (const [path, userAgent, insertion] of [
    ['/hls/view/plain?', 'x', 'stitched'],
    ['/hls/view/plain?', iPhone, 'stitched'],
    ['/dash/view/plain?insertion=guided', 'x', 'guided'],
    ['/hls/view/plain?insertion=auto', iPhone, 'guided'],
    ['/hls/view/plain?insertion=auto', 'x', 'stitched'],
    ['/hls/view/guiding?', 'x', 'guided'],
    ['/hls/view/guiding?insertion=stitched', iPhone, 'stitched'],
    ['/hls/view/guiding?insertion=auto', 'x', 'stitched'],
    ['/hls/view/auto?', iPhone, 'guided'],
    ['/dash/view/auto?', iPhone, 'stitched'],
    ['/hls/view/auto?insertion=guided&start=-20', 'x', 'stitched'],
  ] as const) {
    const opened = await view(`${path}&api-key=key`, userAgent);
    expect([path, userAgent, opened.insertion]).toEqual([path, userAgent, insertion]);
    for (const url of [opened.mediaURL, opened.stitchedURL, opened.guidedURL])
      expect((await fetch(url)).status).toBe(200);
    const texts = await Promise.all(
      [opened.mediaURL, opened.stitchedURL, opened.guidedURL].map(async (url) => (await fetch(url)).text()),
    );
    const [media, stitched, guided] = texts.map((text) => text.replace(/publishTime="[^"]*"/, ''));
    if (path.startsWith('/hls')) expect(media).toBe(insertion === 'guided' ? guided : stitched);
    // No parameter of the opening reaches the ad server.
    expect((await stage.api('GET', `/sessions/${opened.sessionId}`)).parameters).toEqual({});
  }
  for (const value of ['bogus', '', 'Guided', '%00'])
    for (const path of ['/hls/view/plain', '/dash/view/plain', '/hls/plain/master.m3u8']) {
      const response = await get(`${path}?api-key=key&insertion=${value}`);
      expect([path, value, response.status]).toEqual([path, value, 422]);
      const { data } = (await response.json()) as { data: unknown };
      expect(data).toEqual([expect.objectContaining({ dataPath: '/insertion', message: naming('guided') })]);
    }
});

test.concurrent('a VoD channel whose ad server names the breaks is stitched, one with cue points is guided', async () => {
  const spot = await stage.spot(3);
  const vmap = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"></vmap:VMAP>`;
  stage.adHost.on('/vmap', (response) => void response.writeHead(200, { 'content-type': 'application/xml' }).end(vmap));
  stage.adHost.offer('/vod', () => [{ id: 'three', seconds: 3, url: spot }]);
  await airVod(stage, 'vmap', [item(video)], {
    adSource: { url: `${stage.adHost.url}/vmap` },
    breakSource: 'vmap',
    insertion: 'guided',
  });
  await airVod(stage, 'cued', [item(video, cue)], { adSource: adSource(stage.adHost, '/vod'), insertion: 'guided' });
  for (const format of ['hls', 'dash'] as const) {
    const stitched = await openVod(stage, 'vmap', { format, query: 'insertion=guided' });
    expect(stitched.insertion).toBe('stitched');
    for (const url of [stitched.mediaURL, stitched.stitchedURL]) expect((await fetch(url)).status).toBe(200);
    const guided = await openVod(stage, 'cued', { format });
    expect(guided.insertion).toBe('guided');
    const player = await openGuided(stage, 'cued', format);
    const [one, ...others] = await player.breaks();
    expect(others).toEqual([]);
    expect(await player.play(one!.list)).toBeCloseTo(3, 1);
  }
  const ending = item(video, { spliceTime: -1, maxDuration: 3 });
  await airVod(stage, 'ending', [ending], { adSource: adSource(stage.adHost, '/vod'), insertion: 'guided' });
  expect((await openVod(stage, 'ending', { format: 'hls' })).insertion).toBe('guided');
  expect((await openVod(stage, 'ending', { format: 'dash' })).insertion).toBe('stitched');
});

test.concurrent('a guided session is kept until its time, however long its player requests nothing', async () => {
  await air('kept');
  const opened = stage.clock.now();
  const player = await openGuided(stage, 'kept', 'hls');
  const stitched = JSON.parse(await (await get('/hls/view/kept?api-key=key')).text()) as { sessionId: string };
  const isOpen = async (session: string) => {
    const { status, json } = await stage.midroll.api('GET', `/sessions/${session}`);
    return status === 200 && json.endedAt === undefined;
  };
  await stage.until('another session has expired', async () => !(await isOpen(stitched.sessionId)));
  await stage.clock.sleep(60_000);
  expect(await isOpen(player.session)).toBe(true);
  const list = async () => (await fetch((await player.breaks()).at(-1)!.list)).status;
  expect(await list()).toBe(200);
  await stage.until('the session has expired', async () => !(await isOpen(player.session)));
  expect(stage.clock.now() - opened).toBeGreaterThan(KEPT * 1000 - 1);
  expect(await list()).toBe(404);
});

test.concurrent('with tracking by the player, lists and clips have the URLs that it requests', async () => {
  const spot = await stage.spot(4);
  const tracking = `${stage.adHost.url}/beacon?event=[EVENT]&a=1`;
  stage.adHost.offer('/client', () => [{ id: 'four', seconds: 4, url: spot, tracking }]);
  for (const by of ['client', 'server']) {
    await air(by, { adSource: adSource(stage.adHost, '/client'), tracking: by });
    const player = await openGuided(stage, by, 'hls');
    let list = { ASSETS: [] as { URI: string; 'X-AD-CREATIVE-SIGNALING'?: object }[] };
    await stage.until('the ad is listed', async () => {
      list = (await (await fetch((await player.breaks()).at(-1)!.list)).json()) as typeof list;
      return list.ASSETS.some((one) => one['X-AD-CREATIVE-SIGNALING'] !== undefined);
    });
    const [ad] = list.ASSETS;
    const isPlayers = by === 'client';
    expect(JSON.stringify(ad).includes('/beacon?event=midpoint&a=1')).toBe(isPlayers);
    const mpd = await (await fetch(ad!.URI.replace('/hls/', '/dash/').replace(/m3u8$/, 'mpd'))).text();
    checkMpd(mpd);
    const called = [...mpd.matchAll(/<Event presentationTime="(\d+)"[^>]*>[^<]*event=(\w+)&amp;a=1</g)];
    expect(called.map(([, at, event]) => [event, Number(at) / 1e6])).toEqual(
      isPlayers
        ? [
            ['impression', 0],
            ['start', 0],
            ['firstQuartile', 1],
            ['midpoint', 2],
            ['thirdQuartile', 3],
            ['complete', 4],
          ]
        : [],
    );
  }
});
