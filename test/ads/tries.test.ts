// SPDX-License-Identifier: Apache-2.0
// Trying ad requests and replaying breaks: what an operator gets, and that nothing of it is counted, stored or tracked.
import { beforeAll, expect, test } from 'vitest';
import { writeVast } from '../live/adHost.ts';
import { fileStage } from '../live/fileStage.ts';
import { item } from '../live/stage.ts';

const stage = await fileStage();
let content: string;
beforeAll(async () => {
  content = await stage.video({ seconds: 6 });
  await stage.air('tried', [item(content, { spliceTime: 4, maxDuration: 9 })], {
    adSource: { url: `${stage.adHost.url}/saved?key=topsecret` },
  });
  await until(async () => (await tried({})).json.ladders.length === 1);
});

const tried = (body: object, channel = 'tried') => stage.midroll.api('POST', `/channels/${channel}/try`, body);
const url = (path: string) => stage.adHost.url + path;
const seen = (path: string) => stage.adHost.seen.filter((one) => one.path.startsWith(path));

/** Time passes on the virtual clock while the test waits. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await stage.clock.sleep(500);
}

const creatives = async () =>
  (await stage.midroll.api('GET', '/assets')).json.filter(({ kind }: { kind: string }) => kind === 'creative');

const wrapped = (tag: string) =>
  `<VAST version="4.2"><Ad id="w"><Wrapper allowMultipleAds="true"><AdSystem>x</AdSystem><Impression/><VASTAdTagURI><![CDATA[${tag}]]></VASTAdTagURI></Wrapper></Ad></VAST>`;

const serve = (path: string, body: string, status = 200, type = 'application/xml') =>
  stage.adHost.on(path, (response) => void response.writeHead(status, { 'content-type': type }).end(body));

test('a try reports each hop and each ad, and nothing is counted, tracked or stored', async () => {
  const spot = await stage.spot(3);
  stage.adHost.on('/start', (response) => void response.writeHead(302, { location: '/outer?token=abcdef1' }).end());
  serve('/outer', wrapped(url('/inner?cb=[CACHEBUSTING]')));
  const tracking = url('/beacon?event=[EVENT]');
  stage.adHost.offer('/inner', () => [
    { id: 'fits', seconds: 3, url: spot, tracking },
    { id: 'long', seconds: 30, url: `${spot}?long`, tracking },
  ]);
  const { status, json } = await tried({
    url: url('/start?genre=[PLAYER.genre]&ip=[DEVICEIP]&ua=[DEVICEUA]&len=[BREAK_DURATION]&max=[BREAK_MAX_ADS]'),
    ...{ parameters: { genre: 'news' }, userAgent: "TV's/1", address: '203.0.113.9', breakDuration: 12, maxAds: 2 },
  });
  expect(status).toBe(200);
  const [first, second, ...more] = json.exchanges;
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    url: url("/start?genre=news&ip=203.0.113.9&ua=TV's%2F1&len=12&max=2"),
    ...{ method: 'GET', status: 200, redirects: [{ status: 302, location: url('/outer?token=***') }] },
    headers: { 'x-midroll-preview': '1', 'user-agent': "TV's/1", 'x-forwarded-for': '203.0.113.9' },
    contents: { format: 'VAST', version: '4.2', ads: 0, wrappers: 1 },
  });
  expect(first.document).toMatchObject({ isTruncated: false, text: expect.stringContaining('VASTAdTagURI') });
  expect(first.curl).toContain("'user-agent: TV'\\''s/1'");
  expect(second).toMatchObject({ status: 200, redirects: [], contents: { ads: 2, wrappers: 0 } });
  for (const path of ['/start', '/outer', '/inner'])
    expect(seen(path).map(({ headers }) => headers['x-midroll-preview'])).toEqual(['1']);

  const [{ formats, rungs, breaks }] = json.ladders;
  expect(formats).toEqual(['hls', 'dash']);
  expect(rungs.length).toBeGreaterThan(0);
  expect(breaks).toMatchObject([{ status: 'empty', duration: 12, limits: { duration: 12, maxAds: 2 } }]);
  expect(breaks[0].ads).toMatchObject([
    {
      adId: 'fits',
      outcome: 'skipped',
      reason: { code: 'CREATIVE_PREPARING' },
      creativeState: 'absent',
      mediaFile: spot,
    },
    { adId: 'long', outcome: 'skipped', creativeState: 'absent' },
  ]);

  expect(await creatives()).toEqual([]);
  expect((await stage.midroll.api('GET', '/channels/tried/sessions')).json).toEqual([]);
  expect((await stage.midroll.api('GET', '/beacons')).json).toEqual([]);
  expect(seen('/beacon')).toEqual([]);
  const [system] = (await stage.midroll.api('GET', '/systems')).json;
  const reports = await stage.midroll.api('GET', `/systems/${system.id}/reports/breaks?interval=86400000`);
  expect(reports.status).toBe(200);
  for (const { offered } of reports.json.rows) expect(offered).toBe(0);
});

test('creatives are made if the try says so, and a later try shows what would be shown', async () => {
  const [three, nine] = await Promise.all([stage.spot(3), stage.spot(9)]);
  stage.adHost.offer('/two', () => [
    { id: 'three', seconds: 3, url: three },
    { id: 'nine', seconds: 9, url: nine },
    { id: 'missing', seconds: 3, url: url('/nothing.mp4') },
  ]);
  const body = { url: url('/two'), breakDuration: 4 };
  const queued = await tried({ ...body, prepare: true });
  const statesOf = ({ json }: typeof queued) =>
    json.ladders[0].breaks[0].ads.map(({ creativeState }: { creativeState: string }) => creativeState);
  for (const state of statesOf(queued)) expect(['waiting', 'making', 'ready', 'failed']).toContain(state);
  await until(async () => statesOf(await tried(body)).every((state: string) => ['ready', 'failed'].includes(state)));
  const { breaks } = (await tried(body)).json.ladders[0];
  expect(breaks[0]).toMatchObject({ status: 'partial', slate: 1 });
  expect(breaks[0].ads).toMatchObject([
    { adId: 'three', outcome: 'stitched', creativeState: 'ready', creative: { use: 'conditioned' } },
    { adId: 'nine', outcome: 'skipped', reason: { code: 'BREAK_DURATION_EXCEEDED' }, creativeState: 'ready' },
    {
      adId: 'missing',
      outcome: 'skipped',
      reason: { code: 'CREATIVE_FAILED', fault: 'NOT_FOUND' },
      creativeState: 'failed',
    },
  ]);
  const longer = await tried({ ...body, breakDuration: 12 });
  expect(longer.json.ladders[0].breaks[0]).toMatchObject({ status: 'filled', slate: 0 });
});

test.each([
  ['/page', 503, 'text/html', '<html><title>Down</title></html>', 'AD_SERVER_FAILED'],
  ['/json', 200, 'application/json', '{"error":"unknown placement"}', 'VAST_UNREADABLE'],
  ['/broken', 200, 'application/xml', '<VAST><Ad', 'VAST_UNREADABLE'],
  ['/none', 200, 'application/xml', '<VAST version="3.0"/>', 'NO_ADS'],
])('a try returns the body of a response without ads: %s', async (path, status, contentType, body, code) => {
  serve(path, body, status, contentType);
  const { json } = await tried({ url: url(path) });
  expect(json).toMatchObject({ reason: { code }, exchanges: [{ status, contentType, document: { text: body } }] });
  expect(json.ladders[0].breaks).toMatchObject([{ status: 'empty', reason: { code }, ads: [] }]);
});

test('a tag that fails is not suspended, neither for tries nor for viewers', async () => {
  serve('/failing', 'x', 500);
  for (let count = 0; count < 8; count += 1) await tried({ url: url('/failing') });
  expect(seen('/failing').length).toBe(8);
});

test('the saved tag is tried without a url, and its secrets are masked', async () => {
  serve('/saved', writeVast([]));
  const { json } = await tried({});
  expect(json.exchanges[0].url).toBe(url('/saved?key=***'));
  expect(seen('/saved').at(-1)?.path).toBe('/saved?key=topsecret');
  expect(JSON.stringify(json)).not.toContain('topsecret');
});

test('errors name the field', async () => {
  expect((await tried({ url: 'ftp://x' })).json.data).toMatchObject([{ dataPath: '/url' }]);
  expect((await tried({ address: 'me' })).json.data).toMatchObject([{ dataPath: '/address' }]);
  expect((await tried({ breakDuration: 0 })).json.data).toMatchObject([{ dataPath: '/breakDuration' }]);
  expect((await tried({}, 'none')).status).toBe(404);
  await stage.midroll.create('channels', { id: 'no-ads' } as never);
  expect((await tried({}, 'no-ads')).status).toBe(409);
  const offAir = await tried({ url: url('/saved') }, 'no-ads');
  expect(offAir.json).toMatchObject({ exchanges: [{ status: 200 }], ladders: [] });
});

test('a VoD channel whose ad server names the breaks gets a verdict for each', async () => {
  const three = await stage.spot(3);
  const adBreak = (offset: string, id: string) =>
    `<vmap:AdBreak timeOffset="${offset}" breakType="linear"><vmap:AdSource><vmap:VASTAdData>${writeVast([
      { id, seconds: 3, url: three },
    ]).replace(/<\?.*?\?>/, '')}</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>`;
  const vmap = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${adBreak('start', 'a')}${adBreak('00:00:04', 'b')}</vmap:VMAP>`;
  serve('/vmap', vmap);
  await stage.air(
    'film',
    [item(content)],
    { type: 'vod', breakSource: 'vmap', adSource: { url: url('/vmap') } },
    { type: 'vod' },
  );
  await until(async () => (await tried({}, 'film')).json.ladders.length === 1);
  const { json } = await tried({}, 'film');
  expect(json.exchanges[0].contents).toMatchObject({
    format: 'VMAP',
    breaks: [
      { timeOffset: 'start', source: 'vast', ads: 1 },
      { timeOffset: '00:00:04.000', source: 'vast', ads: 1 },
    ],
  });
  expect(json.ladders[0].breaks).toMatchObject([
    { timeOffset: 'start', ads: [{ adId: 'a' }] },
    { timeOffset: '00:00:04.000', ads: [{ adId: 'b' }] },
  ]);
});

test('a replay shows what a break would show now, and why', async () => {
  const spot = await stage.spot(2);
  let isHeld = true;
  const media = await (await fetch(spot)).arrayBuffer();
  stage.adHost.on('/held.mp4', (response) =>
    isHeld
      ? void response.writeHead(503).end()
      : void response.writeHead(200, { 'content-type': 'video/mp4' }).end(Buffer.from(media)),
  );
  stage.adHost.offer('/late', () => [{ id: 'late', seconds: 2, url: url('/held.mp4') }]);
  await stage.air('replayed', [item(content, { spliceTime: 4, maxDuration: 6, maxAds: 3 })], {
    adSource: { url: url('/late') },
  });
  const viewer = await stage.watch('replayed');
  await viewer.until(
    'a break',
    async () => (await stage.breaks(viewer)).length > 0,
    () => '',
  );
  await viewer.leave();
  const [past] = await stage.breaks(viewer);
  expect(past).toMatchObject({ status: 'empty', limits: { duration: 6, maxAds: 3 }, ads: [{ outcome: 'skipped' }] });
  const path = `/sessions/${viewer.session}/breaks/${past!.id}/replay`;
  const replay = async (body = {}) => stage.midroll.api('POST', path, body);
  const requests = seen('/late').length;

  isHeld = false;
  for (const { id, state } of await creatives())
    if (state !== 'ready') await stage.midroll.api('POST', `/assets/${id}/retry`);
  await until(async () => (await replay()).json.now.status !== 'empty');
  const { json } = await replay();
  expect(json).toMatchObject({
    before: { id: past!.id, status: 'empty', ads: [{ adId: 'late', outcome: 'skipped' }] },
    now: { status: 'partial', ads: [{ adId: 'late', outcome: 'stitched', creativeState: 'ready' }] },
    differences: [{ adId: 'late', change: 'playsNow', now: { outcome: 'stitched' } }],
    missing: [],
    exchanges: [],
  });
  expect((await replay({ breakDuration: 1 })).json.differences).toMatchObject([
    { change: 'otherReason', now: { reason: { code: 'BREAK_DURATION_EXCEEDED' } } },
  ]);
  expect(seen('/late').length).toBe(requests);
  expect((await stage.breaks(viewer))[0]).toEqual(past);
  const unknown = await stage.midroll.api('POST', `/sessions/${viewer.session}/breaks/none/replay`, {});
  expect(unknown.status).toBe(404);
  expect(stage.midroll.bugs()).toEqual([]);
});

test('of a waterfall, one ad is shown, and the others have their reasons', async () => {
  const [spot, other] = await Promise.all([stage.spot(3), stage.spot(2)]);
  const entry = (index: number, tag: string) =>
    `<Ad id="w${index}" sequence="1"><Wrapper fallbackOnNoAd="true"><AdSystem>x</AdSystem><Impression/><VASTAdTagURI><![CDATA[${url(tag)}]]></VASTAdTagURI><Extensions><Extension type="waterfall" fallback_index="${index}"/></Extensions></Wrapper></Ad>`;
  serve('/waterfall', `<VAST version="3.0">${entry(0, '/none')}${entry(1, '/one')}${entry(2, '/two')}</VAST>`);
  serve('/none', '<VAST version="3.0"/>');
  stage.adHost.offer('/one', () => [{ id: 'one', seconds: 3, url: spot }]);
  stage.adHost.offer('/two', () => [{ id: 'two', seconds: 2, url: other }]);
  const outcomes = async (prepare: boolean) =>
    (await tried({ url: url('/waterfall'), breakDuration: 12, prepare })).json.ladders[0].breaks[0].ads.map(
      ({ adId, outcome, reason }: { adId: string; outcome: string; reason?: { code: string } }) =>
        `${adId} ${reason?.code ?? outcome}`,
    );
  await until(async () => (await outcomes(true))[0] === 'one stitched');
  expect(await outcomes(false)).toEqual(['one stitched', 'two FALLBACK_NOT_NEEDED', 'w0 WRAPPER_EMPTY']);
});
