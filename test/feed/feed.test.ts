// SPDX-License-Identifier: Apache-2.0
// What players receive about their ads on a live channel: the tracking feed, VAST and manifests; and what they confirm. The
// client of the feed is written from the public description of the format only.
import { beforeAll, expect, test, vi } from 'vitest';
import { readHls, readMpd } from '../laws/readBack.ts';
import { fileStage } from '../live/fileStage.ts';
import { adSource, item } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { type Avail, type FeedClient, missingFields, openFeed } from './feedClient.ts';

vi.setConfig({ maxConcurrency: 10 });

const linearAd = (name: string, url: string) => `<Ad id="${name}"><InLine><AdSystem>test</AdSystem>
  <Error>https://t.test/${name}/error?[ERRORCODE]</Error><Impression>https://t.test/${name}/impression</Impression>
  <Impression>https://t.test/${name}/wrapper</Impression><AdTitle>Ad ${name}</AdTitle><AdServingId>${name}</AdServingId>
  <AdVerifications><Verification vendor="omid.test"><JavaScriptResource apiFramework="omid" browserOptional="true">https://t.test/omid.js</JavaScriptResource></Verification></AdVerifications>
  <Creatives><Creative id="c-${name}"><Linear skipoffset="00:00:02"><Duration>00:00:03</Duration>
    <TrackingEvents>${['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'mute']
      .map((event) => `<Tracking event="${event}">https://t.test/${name}/${event}</Tracking>`)
      .join('')}<Tracking event="progress" offset="00:00:01">https://t.test/${name}/progress</Tracking></TrackingEvents>
    <VideoClicks><ClickThrough>https://t.test/${name}/shop</ClickThrough></VideoClicks>
    <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="160" height="90">${url}</MediaFile></MediaFiles>
  </Linear></Creative><Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">https://t.test/side.png</StaticResource></Companion></CompanionAds></Creative></Creatives></InLine></Ad>`;

const vmap = (ads: string) => `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
  <vmap:AdBreak timeOffset="start" breakType="linear"><vmap:AdSource><vmap:VASTAdData><VAST version="4.2">${ads}</VAST></vmap:VASTAdData></vmap:AdSource>
  <vmap:TrackingEvents><vmap:Tracking event="breakStart">https://t.test/break</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak></vmap:VMAP>`;

type FeedResponse = { readonly hlsAnchorMediaSequenceNumber: number; readonly presentationZeroDateTime: string } & {
  readonly avails: Avail[];
};

const stage = await fileStage();
beforeAll(async () => {
  const [video, three, four] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  stage.adHost.on('/ads', (response) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(vmap(linearAd('three', three) + linearAd('four', four)));
  });
  stage.adHost.on('/lost', (response, _, query) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    const lost = linearAd('lost', `${stage.origin.url}/nothing.mp4`);
    response.end(vmap(lost.replace('https://t.test/lost/error', `${stage.adHost.url}/error-${query.get('viewer')}`)));
  });
  const contents = [item(video, { spliceTime: 4, maxDuration: 9 })];
  const source = { adSource: adSource(stage.adHost, '/ads') };
  await stage.air('client', contents, { ...source, tracking: 'client', confirmations: true });
  await stage.air('server', contents, { ...source, announceAds: false });
  const losing = { adSource: adSource(stage.adHost, '/lost') };
  await stage.air('losing-client', contents, { ...losing, tracking: 'client' });
  await stage.air('losing-server', contents, losing);
});

const live = (path: string, request: RequestInit = {}) => fetch(stage.midroll.liveUrl + path, request);
const trackingOf = ({ session }: Viewer, query = '') => `${stage.midroll.liveUrl}/tracking/${session}${query}`;
const post = (path: string, body: unknown) => live(path, { method: 'POST', body: JSON.stringify(body) });

/** Polls the feed until an avail with two ads has ended. */
async function watched(viewer: Viewer, feed: FeedClient): Promise<Avail> {
  let found: Avail | undefined;
  await viewer.until(
    'a break with two ads that is over',
    async () => {
      await feed.poll();
      found = [...feed.avails.values()].findLast(
        ({ ads, availProgramDateTime }) =>
          ads.length === 2 && Date.parse(availProgramDateTime) + 10_000 < stage.clock.now(),
      );
      return found !== undefined;
    },
    () => JSON.stringify([...feed.avails.values()].map(({ ads }) => ads.length)),
  );
  return found!;
}

test.concurrent('a client of the public format can follow an HLS session', async () => {
  const viewer = await stage.watch('client');
  const feed = openFeed(trackingOf(viewer, '?limit=1'));
  const avail = await watched(viewer, feed);
  const whole = (await (await fetch(trackingOf(viewer))).json()) as { avails: Avail[] };
  const response = await feed.poll();
  expect(missingFields(response)).toEqual([]);
  expect(response).toMatchObject({ dashAvailabilityStartTime: null, nextToken: null, tracking: 'client' });
  // One avail per page, newest first; no avail appears under two ids.
  const remembered = [...feed.avails.keys()];
  for (const { availId } of whole.avails) expect(remembered).toContain(availId);

  const segments = viewer.listed.get('v0')!;
  const first = segments.get(Number(avail.availId))!;
  expect(first.date).toBe(Date.parse(avail.availProgramDateTime));
  const zero = segments.get(response.hlsAnchorMediaSequenceNumber as number);
  if (zero !== undefined) {
    expect(avail.startTimeInSeconds).toBeCloseTo((first.date - zero.date) / 1000, 2);
    let sum = 0;
    for (let number = zero.number; number < first.number; number += 1) sum += segments.get(number)!.duration / 1e6;
    expect(avail.startTimeInSeconds).toBeCloseTo(sum, 1);
  }
  const end = avail.startTimeInSeconds + 9;
  const names = [
    'impression',
    'wrapper',
    'start',
    'firstQuartile',
    'progress',
    'midpoint',
    'thirdQuartile',
    'complete',
  ];
  expect(feed.due(avail.startTimeInSeconds, end).sort()).toEqual(
    ['three', 'four'].flatMap((name) => names.map((event) => `https://t.test/${name}/${event}`)).sort(),
  );
  expect(feed.due(avail.startTimeInSeconds, end)).toEqual([]);
  expect(avail.adBreakTrackingEvents).toMatchObject([
    { eventType: 'breakStart', beaconUrls: ['https://t.test/break'] },
  ]);
  expect(viewer.faults).toEqual([]);
});

test.concurrent('a DASH session has the same ad ids in the MPD, the feed and VAST', async () => {
  const viewer = await stage.watch('client', { opens: 'dash' });
  const feed = openFeed(trackingOf(viewer));
  const { ads, availId, availProgramDateTime, startTimeInSeconds } = await watched(viewer, feed);
  const mpd = await (await live(`/dash/client/${viewer.session}.mpd`)).text();
  const hls = await (await live(`/hls/client/${viewer.session}/v0.m3u8`)).text();
  const periods = readMpd(mpd);
  const starts = /availabilityStartTime="([^"]*)"/.exec(mpd)![1]!;
  const response = await feed.poll();
  expect(response).toMatchObject({ dashAvailabilityStartTime: starts, hlsAnchorMediaSequenceNumber: null });
  expect(startTimeInSeconds).toBeCloseTo((Date.parse(availProgramDateTime) - Date.parse(starts)) / 1000, 3);
  const period = periods.find(({ id }) => id === availId);
  expect(period?.start).toBe(Date.parse(availProgramDateTime));
  for (const { adId, adProgramDateTime, durationInSeconds } of ads) {
    const announcement = { id: adId, start: Date.parse(adProgramDateTime), duration: durationInSeconds };
    expect(periods.flatMap(({ announced }) => announced)).toContainEqual(expect.objectContaining(announcement));
    expect(readHls(hls).announced).toContainEqual(expect.objectContaining(announcement));
    const alone = await live(`/dash/client/${viewer.session}/vast/${adId}.xml`);
    const text = await alone.text();
    expect([alone.status, alone.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(text).toContain(`<AdTiming adId="${adId}"`);
    expect(text.match(/<Ad /g)).toHaveLength(1);
    expect((await live(`/hls/client/${viewer.session}/vast/${adId}.xml`)).status).toBe(200);
    expect((await live(`/dash/server/${viewer.session}/vast/${adId}.xml`)).status).toBe(404);
  }
  await expectFeedInHls(viewer, availProgramDateTime);
  const pod = await (await live(`/dash/client/${viewer.session}/vast`)).text();
  expect(pod.match(/<Ad [^>]*sequence="[12]"/g)).toHaveLength(2);
  expect((await live(`/dash/client/${viewer.session}/vast/0-0-99.xml`)).status).toBe(404);
  expect(viewer.faults).toEqual([]);
});

/** A session that was opened in DASH and is played in HLS: the feed uses the ids and times of HLS. */
async function expectFeedInHls({ session }: Viewer, availProgramDateTime: string): Promise<void> {
  const feed = await (await live(`/tracking/${session}?format=hls`)).json();
  const { hlsAnchorMediaSequenceNumber: anchor, presentationZeroDateTime: zero, avails } = feed as FeedResponse;
  const avail = avails.find((one) => one.availProgramDateTime === availProgramDateTime)!;
  const { segments } = readHls(await (await live(`/hls/client/${session}/v0.m3u8`)).text());
  expect(segments.find(({ number }) => number === Number(avail.availId))?.date).toBe(Date.parse(availProgramDateTime));
  expect(feed).toMatchObject({ dashAvailabilityStartTime: null });
  expect(anchor).toBeLessThan(Number(avail.availId));
  expect(avail.startTimeInSeconds).toBeCloseTo((Date.parse(availProgramDateTime) - Date.parse(zero)) / 1000, 3);
  const { adId } = avail.ads[0]!;
  expect(await (await live(`/hls/client/${session}/vast/${adId}.xml`)).text()).toContain(`zero="${zero}"`);
  const inDash = (await (await live(`/tracking/${session}?format=dash`)).json()) as FeedResponse;
  expect(inDash.hlsAnchorMediaSequenceNumber).toBeNull();
  const vast = await (await live(`/dash/client/${session}/vast/${adId}.xml`)).text();
  expect(vast).toContain(`zero="${inDash.presentationZeroDateTime}"`);
}

test.concurrent('with tracking by the server, the feed contains no URLs that the server requests, and manifests announce nothing if disabled', async () => {
  const viewer = await stage.watch('server');
  const feed = openFeed(trackingOf(viewer));
  const { ads, startTimeInSeconds } = await watched(viewer, feed);
  expect(await feed.poll()).toMatchObject({ tracking: 'server' });
  expect(feed.due(startTimeInSeconds, startTimeInSeconds + 9)).toEqual([]);
  const left = ads[0]!.trackingEvents.filter(({ beaconUrls }) => beaconUrls.length > 0);
  expect(left.map(({ eventType }) => eventType).sort()).toEqual(['clickThrough', 'error', 'mute']);
  const vast = await (await live(`/hls/server/${viewer.session}/vast.xml`)).text();
  expect(vast).toContain('https://t.test/three/shop');
  expect(vast).not.toMatch(/t\.test\/three\/(impression|start|complete)/);
  expect(await (await live(`/hls/server/${viewer.session}/v0.m3u8`)).text()).not.toContain('DATERANGE');
  expect(await (await live(`/dash/server/${viewer.session}.mpd`)).text()).not.toContain('EventStream');
  const none = await post(`/tracking/${viewer.session}/confirmations`, { events: [] });
  expect([none.status, ((await none.json()) as { type: string }).type]).toEqual([409, 'CONFLICT']);
});

test.concurrent('the server requests the error URLs of an ad that could not be shown, unless the player tracks', async () => {
  const [ofClient, ofServer] = await Promise.all(
    ['client', 'server'].map((who) => stage.watch(`losing-${who}`, { query: `viewer=${who}`, fetches: false })),
  );
  const isReported = (who: string) => stage.adHost.seen.some(({ path }) => path.startsWith(`/error-${who}`));
  const isLost = async () =>
    (await stage.breaks(ofClient!)).some(({ ads }) => ads.some(({ reason }) => /404/.test(reason?.text ?? '')));
  await ofServer!.until('the error URL is requested', async () => isReported('server') && (await isLost()));
  expect(isReported('client')).toBe(false);
});

test.concurrent('confirmations of a player appear once in the trace, in addition to what was delivered', async () => {
  const viewer = await stage.watch('client');
  const feed = openFeed(trackingOf(viewer));
  const { ads } = await watched(viewer, feed);
  const path = `/tracking/${viewer.session}/confirmations`;
  const { adId } = ads[0]!;
  const events = [
    { adId, eventType: 'impression', at: new Date(stage.clock.now()).toISOString() },
    { adId, eventType: 'START' },
    { adId, eventType: 'breakStart' },
    { adId: '0-0-99', eventType: 'start' },
  ];
  const result = await (await post(path, { events })).json();
  expect(result).toMatchObject({ recorded: 3, repeated: 0, refused: [{ index: 3 }] });
  expect(await (await post(path, { events })).json()).toMatchObject({ recorded: 0, repeated: 3 });
  const { json } = await stage.midroll.api('GET', `/sessions/${viewer.session}`);
  const confirmed = json.breaks.find((one: { ads: { adId: string }[] }) => one.ads.some((ad) => ad.adId === adId));
  expect(confirmed.confirmed.events).toMatchObject([{ event: 'breakStart' }]);
  const ad = confirmed.ads.find((one: { adId: string }) => one.adId === adId);
  expect(ad.confirmed.events).toMatchObject([{ event: 'impression', playerAt: events[0]!.at }, { event: 'start' }]);
  expect(ad).toHaveProperty('delivered');
});

test.concurrent('invalid requests of the feed return an error', async () => {
  const viewer = await stage.watch('client', { fetches: false });
  const feed = `/tracking/${viewer.session}`;
  const path = `${feed}/confirmations`;
  const send = (to: string, body: string) => live(to, { method: 'POST', body });
  const requests: [number, string, Promise<Response>][] = [
    [422, 'VALIDATION_ERROR', live(`${feed}?nextToken=nonsense`)],
    [422, 'VALIDATION_ERROR', send(feed, '{"NextToken": 7}')],
    [422, 'VALIDATION_ERROR', live(`${feed}?limit=0`)],
    [422, 'VALIDATION_ERROR', live(`${feed}?limit=1e3`)],
    [422, 'VALIDATION_ERROR', live(`${feed}?format=smooth`)],
    [400, 'MALFORMED', send(feed, '[1]')],
    [400, 'MALFORMED', send(feed, '{"NextToken')],
    [413, 'TOO_LARGE', send(feed, JSON.stringify({ NextToken: 'x'.repeat(5000) }))],
    [404, 'NOT_FOUND', live('/tracking/unknown')],
    [404, 'NOT_FOUND', send('/tracking/unknown/confirmations', '{}')],
    [404, 'NOT_FOUND', live(`${feed}/elsewhere`)],
    [405, 'METHOD_NOT_ALLOWED', live(path)],
    [405, 'METHOD_NOT_ALLOWED', live(feed, { method: 'DELETE' })],
    [422, 'VALIDATION_ERROR', send(path, '{}')],
    [422, 'VALIDATION_ERROR', send(path, '')],
    [400, 'MALFORMED', send(path, 'events')],
    [413, 'TOO_LARGE', send(path, JSON.stringify({ events: ['x'.repeat(40_000)] }))],
  ];
  for (const [status, type, request] of requests) {
    const response = await request;
    expect([response.status, ((await response.json()) as { type: string }).type, response.url]).toEqual([
      status,
      type,
      response.url,
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
  expect((await send(feed, '')).status).toBe(200);
  expect((await live(feed, { method: 'HEAD' })).status).toBe(200);
  // More than the limit of two minutes, because a new minute may begin during the test.
  const many = await Promise.all(Array.from({ length: 130 }, () => send(path, '{"events": []}')));
  const refused = many.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('60');
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200, 429]));
});
