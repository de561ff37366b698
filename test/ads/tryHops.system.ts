// SPDX-License-Identifier: Apache-2.0
// What a try sends and shows of each hop: POST, redirects, wrappers, failures and secrets. And what it never does: no impression, no
// tracking URL and no Error URL is called, and no report counts it.
import { beforeAll, expect, test } from 'vitest';
import { fileStage } from '../live/fileStage.ts';
import { airLive, offerSpots, startOrigin } from '../live/liveStage.ts';
import { item, type Stage } from '../live/stage.ts';
import { untilHolds } from '../vod/watchVod.ts';

const SECRETS = { key: 'urlsecret1', bearer: 'headersecret2', token: 'formsecret3', hop: 'hopsecret4' };

const stage = await fileStage();
let spot: string;
beforeAll(async () => {
  spot = await stage.spot(3);
  const content = await stage.video({ seconds: 6 });
  await stage.air('hops', [item(content, { spliceTime: 4, maxDuration: 9 })], {
    adSource: {
      ...{ url: `${url('/entry')}?apiKey=${SECRETS.key}`, method: 'POST', timeoutMs: 8000 },
      headers: { authorization: `Bearer ${SECRETS.bearer}`, 'x-plain': 'visible' },
      params: { token: SECRETS.token, genre: '[PLAYER.genre]' },
    },
  });
  for (const path of ['/imp', '/event', '/error'])
    stage.adHost.on(path, (response) => void response.writeHead(204).end());
  await untilHolds(stage, 'on air', async () => (await tried({})).json.ladders?.length === 1);
});

const url = (path: string) => stage.adHost.url + path;
const api: Stage['midroll']['api'] = (method, path, body) => stage.midroll.api(method, path, body);
const tried = (body: object, channel = 'hops') => api('POST', `/channels/${channel}/try`, body);
const seen = (path: string) => stage.adHost.seen.filter((one) => one.path.startsWith(path));
const serve = (path: string, body: string, status = 200, type = 'application/xml') =>
  stage.adHost.on(path, (response) => void response.writeHead(status, { 'content-type': type }).end(body));

const urls = `<Error><![CDATA[${'{base}'}/error?code=[ERRORCODE]]]></Error><Impression><![CDATA[${'{base}'}/imp]]></Impression>`;
const common = () => urls.replaceAll('{base}', stage.adHost.url);
const wrapper = (tag: string) =>
  `<Ad id="w"><Wrapper allowMultipleAds="true"><AdSystem>x</AdSystem>${common()}<VASTAdTagURI><![CDATA[${tag}]]></VASTAdTagURI></Wrapper></Ad>`;
const inLine = (id: string, file: string) =>
  `<Ad id="${id}"><InLine><AdSystem>x</AdSystem><AdTitle>${id}</AdTitle>${common()}<Creatives><Creative><Linear><Duration>00:00:03</Duration>
  <TrackingEvents><Tracking event="start"><![CDATA[${stage.adHost.url}/event]]></Tracking></TrackingEvents>
  <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="160" height="90"><![CDATA[${file}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
const vast = (...ads: string[]) => `<VAST version="4.2">${ads.join('')}</VAST>`;
const empty = () => `<VAST version="4.2"><Error><![CDATA[${url('/error')}?code=[ERRORCODE]]]></Error></VAST>`;

/** The numbers in all reports about viewers and their ads that are not 0, without averages, which depend on the time. */
async function counts(): Promise<Record<string, number>> {
  const [system] = (await api('GET', '/systems')).json;
  const found: Record<string, number> = {};
  for (const report of ['viewers', 'requests', 'breaks', 'ads', 'skips', 'beacons']) {
    const { status, json } = await api(
      'GET',
      `/systems/${system.id}/reports/${report}?interval=86400000&start=${Math.floor(stage.clock.now() / 1000) - 86_400}`,
    );
    expect([report, status]).toEqual([report, 200]);
    for (const row of json.rows)
      for (const [name, value] of Object.entries(row))
        if (typeof value === 'number' && value !== 0 && name !== 'averageViewers') found[`${report}.${name}`] = value;
  }
  return found;
}

/** What is counted or sent on behalf of viewers: nothing. */
async function expectNothingCounted() {
  // Beacons would be sent, and reports flushed, within this time.
  await stage.clock.sleep(180_000);
  for (const path of ['/imp', '/event', '/error']) expect([path, seen(path).length]).toEqual([path, 0]);
  expect((await api('GET', '/beacons')).json).toEqual([]);
  expect((await api('GET', '/sessions')).json).toEqual([]);
  expect(await counts()).toEqual({});
}

test('a POST is shown with its body, its redirects and the hops of its wrappers, and secrets are masked in all of it', async () => {
  const { key, bearer, token, hop } = SECRETS;
  stage.adHost.on('/entry', (response) => void response.writeHead(307, { location: `/posted?sig=${hop}` }).end());
  // The ad server repeats what it was sent.
  serve('/posted', vast(`<!-- ${key} ${bearer} ${token} ${hop} -->`, wrapper(url('/first?password=wrappersecret5'))));
  stage.adHost.on('/first', (response) => void response.writeHead(302, { location: '/second?token=hopsecret6' }).end());
  serve('/second', vast(wrapper(url('/third'))));
  serve('/third', vast(inLine('inner', spot)));
  const { status, json } = await tried({ parameters: { genre: 'news' } });
  expect(status).toBe(200);
  const [first, second, third, ...more] = json.exchanges;
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    ...{ method: 'POST', url: `${url('/entry')}?apiKey=***&token=***&genre=news`, status: 200 },
    body: 'token=***&genre=news',
    headers: { authorization: '***', 'x-plain': 'visible', 'content-type': 'application/x-www-form-urlencoded' },
    redirects: [{ status: 307, location: url('/posted?sig=***') }],
    contents: { ads: 0, wrappers: 1 },
  });
  expect(first.document.text).toContain('*** *** *** ***');
  expect(first.curl).toContain('token=***&genre=news');
  expect(second).toMatchObject({
    ...{ method: 'GET', url: url('/first?password=***'), redirects: [{ location: url('/second?token=***') }] },
    contents: { wrappers: 1 },
  });
  expect(third).toMatchObject({ url: url('/third'), redirects: [], contents: { ads: 1 } });
  for (const secret of [...Object.values(SECRETS), 'hopsecret6']) expect(JSON.stringify(json)).not.toContain(secret);
  // What is masked in the result was sent.
  expect(seen('/posted')).toMatchObject([
    { method: 'POST', body: `token=${token}&genre=news`, headers: { authorization: `Bearer ${bearer}` } },
  ]);
  expect(json.ladders[0].breaks[0].ads).toMatchObject([{ adId: 'inner', mediaFile: spot }]);
});

test('the body of JSON is masked by its fields', async () => {
  serve('/json', vast(inLine('one', spot)));
  await stage.air('json', [item(await stage.video({ seconds: 6 }))], {
    adSource: {
      ...{ url: url('/json'), method: 'POST', headers: { 'content-type': 'application/json' } },
      params: { clientSecret: SECRETS.token, genre: 'film' },
    },
  });
  const { json } = await tried({}, 'json');
  expect(JSON.parse(json.exchanges[0].body)).toEqual({ clientSecret: '***', genre: 'film' });
  expect(JSON.parse(seen('/json').at(-1)!.body)).toEqual({ clientSecret: SECRETS.token, genre: 'film' });
});

test('a hop that fails is shown with the start of its response, and the others are judged', async () => {
  const page = `<html>Out of service ${'x'.repeat(1_000_000)}</html>`;
  serve(
    '/outer',
    vast(wrapper(url('/broken')), wrapper(url('/garbled')), wrapper(url('/whole')), wrapper(url('/gone'))),
  );
  serve('/broken', page, 503, 'text/html');
  serve('/garbled', 'not VAST', 200, 'text/plain');
  serve('/whole', vast(inLine('whole', spot)));
  stage.adHost.on('/gone', (_, { socket }) => void socket.resetAndDestroy());
  const { json } = await tried({ url: url('/outer') });
  const of = (path: string) => json.exchanges.find((one: { url: string }) => one.url === url(path));
  expect(json.exchanges).toHaveLength(5);
  expect(of('/broken')).toMatchObject({ status: 503, contentType: 'text/html', error: expect.stringContaining('503') });
  expect(of('/broken').document.text).toMatch(/^<html>Out of service x+$/);
  expect(of('/broken').document.text.length).toBeLessThanOrEqual(16 * 1024);
  expect(of('/garbled')).toMatchObject({
    status: 200,
    document: { text: 'not VAST' },
    contents: { problem: expect.anything() },
  });
  expect(of('/gone')).toMatchObject({ error: expect.anything() });
  expect(of('/gone')).not.toHaveProperty('document');
  const ads = json.ladders[0].breaks[0].ads;
  expect(ads.map(({ adId }: { adId: string }) => adId)).toContain('whole');
  expect(JSON.stringify(json).length).toBeLessThan(100_000);
});

test('many large documents are bounded together', async () => {
  const tags = Array.from({ length: 25 }, (_, index) => wrapper(url(`/large?n=${index}`)));
  serve('/many', vast(...tags));
  serve('/large', vast(`<!--${'x'.repeat(100_000)}-->`, inLine('large', spot)));
  const { json } = await tried({ url: url('/many'), maxAds: 1 });
  const texts = json.exchanges.map(({ document }: { document?: { text: string } }) => document?.text.length ?? 0);
  expect(Math.max(...texts)).toBe(64 * 1024);
  expect(texts.reduce((sum: number, one: number) => sum + one, 0)).toBeLessThanOrEqual(1024 * 1024);
});

test('no impression, tracking URL or Error URL is called, and nothing is counted, whatever the response is', async () => {
  serve('/no-ads', empty());
  serve(
    '/unusable',
    vast(inLine('none', url('/missing.mp4')), wrapper(url('/no-ads')), wrapper(url('/status?code=500'))),
  );
  for (const path of ['/no-ads', '/unusable', '/status?code=500', '/html'])
    expect([path, (await tried({ url: url(path) })).status]).toEqual([path, 200]);
  expect(seen('/no-ads').length).toBeGreaterThan(1);
  await expectNothingCounted();
});

test('a replay that requests wrappers again shows their hops, and calls nothing else', async () => {
  const origin = await startOrigin(stage, {
    ...{ window: 8, hlsMarkers: 'scte35' },
    breaks: { every: 60, seconds: 12, first: 40 },
  });
  await airLive(stage, 'wrapped', { sourceManifestUrl: origin.hlsUrl });
  await offerSpots(stage, 'wrapped');
  const [four, six] = [await stage.spot(4), await stage.spot(6)];
  let inner = vast(inLine('four', four));
  stage.adHost.on(
    '/wrapped',
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(vast(wrapper(url('/later?token=innersecret7')))),
  );
  stage.adHost.on('/later', (response) => void response.writeHead(302, { location: '/latest' }).end());
  stage.adHost.on('/latest', (response) =>
    inner === '' ? void response.writeHead(503).end('Quota reached') : void response.writeHead(200).end(inner),
  );
  const viewer = await stage.watch('wrapped', { dash: false });
  await viewer.until('a break is over', async () => {
    const [one] = await stage.breaks(viewer);
    return one !== undefined && stage.clock.now() > one.at + 40_000;
  });
  await viewer.leave();
  // The viewer's own ad was delivered, and its beacons are sent.
  await stage.clock.sleep(60_000);
  const calls = () => ['/imp', '/event', '/error'].map((path) => seen(path).length);
  const before = calls();
  const beacons = (await api('GET', '/beacons?limit=1000')).json.length;
  const counted = await counts();
  expect(counted).toMatchObject({ 'ads.decided': 1, 'beacons.sent': 3 });
  const [one] = await stage.breaks(viewer);
  const replay = async (wrappers?: string) =>
    (await api('POST', `/sessions/${viewer.session}/breaks/${one!.id}/replay`, wrappers ? { wrappers } : {})).json;
  const stored = await replay();
  expect(stored).toMatchObject({ exchanges: [], differences: [{ adId: 'four', change: 'same' }] });
  expect(stored.missing).toHaveLength(1);

  inner = vast(inLine('six', six));
  const requests = seen('/wrapped').length;
  const now = await replay('request');
  expect(now.exchanges).toMatchObject([
    {
      ...{ method: 'GET', url: url('/later?token=***'), status: 200, redirects: [{ location: url('/latest') }] },
      ...{ headers: { 'x-midroll-preview': '1' }, contents: { ads: 1 } },
    },
  ]);
  expect(now.differences.map(({ adId, change }: { adId: string; change: string }) => `${adId} ${change}`)).toEqual([
    'four notReplayed',
    'six added',
  ]);
  inner = '';
  const failed = await replay('request');
  expect(failed.exchanges).toMatchObject([{ status: 503, document: { text: 'Quota reached' } }]);
  expect(failed.now).toMatchObject({ status: 'empty' });
  expect(JSON.stringify([now.exchanges, failed.exchanges])).not.toContain('innersecret7');

  await stage.clock.sleep(60_000);
  expect(seen('/wrapped').length).toBe(requests);
  expect([calls(), (await api('GET', '/beacons?limit=1000')).json.length]).toEqual([before, beacons]);
  expect(await counts()).toEqual(counted);
  expect(stage.midroll.bugs()).toEqual([]);
});
