// SPDX-License-Identifier: Apache-2.0
// Prefetch of live channels on a virtual clock: breaks come without notice, and the ad server takes its time.
import { expect, test } from 'vitest';
import type { Ad } from '../adHost.ts';
import { fileStage } from '../fileStage.ts';
import { beaconsOf, startOrigin } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import { titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';
import {
  adRequests,
  airUnannounced,
  breaksOf,
  conditioned,
  offerSlowly,
  type PrefetchedBreak,
  type SlowAds,
  spotsOf,
  startsWithAd,
} from './prefetchStage.ts';

const stage = await fileStage();
const ads = await spotsOf(stage);

type Ready = { readonly viewer: Viewer; readonly origin: LiveOrigin; readonly offer: SlowAds; readonly id: string };

async function ready(
  id: string,
  prefetch: string,
  delay: number,
  channel: object = {},
  markers: 'cue' | 'cue-slash' = 'cue',
): Promise<Ready> {
  const offer = offerSlowly(stage, id, { delay, ads });
  const origin = await airUnannounced(stage, id, { prefetch, ...channel }, markers);
  await conditioned(stage, id, ads);
  const viewer = await stage.watch(id, { dash: false, query: `viewer=${id}` });
  return { viewer, origin, offer, id };
}

type Added = Parameters<LiveOrigin['broadcast']['addBreak']>[1];

/** Adds a break without notice, and waits until it is over. */
async function airBreak({ viewer, origin }: Ready, one: Partial<Added> = {}): Promise<PrefetchedBreak> {
  const known = (await breaksOf(stage, viewer)).length;
  origin.broadcast.addBreak(stage.clock.now(), { seconds: 12, ...one });
  await viewer.until('the break is decided', async () => (await breaksOf(stage, viewer)).length > known);
  const { at, duration } = (await breaksOf(stage, viewer))[known]!;
  await viewer.until('the break is over', () => stage.clock.now() > at + duration * 1000 + 40_000);
  return (await breaksOf(stage, viewer))[known]!;
}

const requestsOf = ({ id }: Ready) => adRequests(stage, id);

async function untilRequested(one: Ready, count: number): Promise<void> {
  await one.viewer.until(`${count} ad requests`, () => requestsOf(one).length >= count);
  await stage.clock.sleep(one.offer.delay + 1000);
}

test.concurrent('a slow ad server: the first segment of each break is an ad, with one request for each break', async () => {
  const one = await ready('decision', 'decision', 2500);
  await untilRequested(one, 1);
  const first = await airBreak(one);
  await untilRequested(one, 2);
  const second = await airBreak(one);
  expect(one.viewer.faults).toEqual([]);
  for (const each of [first, second]) {
    expect(each).toMatchObject({ prefetched: true });
    expect(Date.parse(each.requestedAt!)).toBeLessThan(each.at);
    expect(startsWithAd(each)).toBe(true);
  }
  // The second break prefers an ad that was not in the first one.
  expect([titlesOf(first), titlesOf(second)]).toEqual([
    ['Ad s4', 'Ad s6'],
    ['Ad s4', 'Ad s8'],
  ]);
  const requests = requestsOf(one);
  expect(requests.every(({ breakId }) => /^prefetch-\d+$/.test(breakId))).toBe(true);
  expect(requests.map(({ seconds }) => seconds).slice(0, 2)).toEqual([60, 12]);
  expect(requests.length).toBe(3);
});

test.concurrent.each([
  ['decision', 300, true, undefined],
  ['off', 300, undefined, undefined],
  ['off', 2500, undefined, 'NOT_DECIDED_IN_TIME'],
])(
  'a player that requests nothing until 5 s after a break is listed, with `%s` and an ad server that takes %d ms',
  async (prefetch, delay, prefetched, code) => {
    const one = await ready(`late-${prefetch}-${delay}`, prefetch, delay);
    const { session, rungs } = one.viewer;
    await stage.clock.sleep(60_000);
    await one.viewer.leave();
    one.origin.broadcast.addBreak(stage.clock.now(), { seconds: 12 });
    await stage.clock.sleep(9000);
    const urls = rungs.map((rung) => `${stage.midroll.liveUrl}/hls/${one.id}/${session}/${rung}.m3u8`);
    await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()));
    await stage.clock.sleep(1000);
    const [late] = await breaksOf(stage, one.viewer);
    expect(late!.prefetched).toBe(prefetched);
    if (code === undefined) expect(startsWithAd(late!)).toBe(true);
    else expect(late!.reason!.code).toBe(code);
  },
);

test.concurrent('without prefetch, the same breaks start with slate and are requested when they are read', async () => {
  const one = await ready('off', 'off', 2500);
  await stage.clock.sleep(40_000);
  expect(requestsOf(one)).toEqual([]);
  const only = await airBreak(one);
  expect(startsWithAd(only)).toBe(false);
  expect(only).not.toHaveProperty('prefetched');
  expect(requestsOf(one).map(({ breakId }) => breakId)).toEqual([only.id]);
});

test.concurrent('a break that ends early cuts prefetched ads, and beacons of those that were listed are sent', async () => {
  const one = await ready('early', 'decision', 2500);
  await untilRequested(one, 1);
  const cut = await airBreak(one, { behaviour: 'early', seconds: 16 });
  expect(one.viewer.faults).toEqual([]);
  expect(cut).toMatchObject({ prefetched: true, duration: 8, reason: { code: 'EARLY_RETURN' } });
  const sent = (await beaconsOf(stage, one.viewer)).filter(({ ad }) => ad === `${cut.id}-0`);
  expect(sent.map(({ event }) => event)).toContain('complete');
  // The next request is for the announced length.
  await untilRequested(one, 2);
  expect(requestsOf(one)[1]!.seconds).toBe(16);
});

test.concurrent('a break that is longer than usual is slate after the prefetched ads; its further part is requested', async () => {
  const one = await ready('longer', 'decision', 300, {}, 'cue-slash');
  await untilRequested(one, 1);
  const long = await airBreak(one, { seconds: 24, behaviour: 'extended' });
  expect(one.viewer.faults).toEqual([]);
  expect(long).toMatchObject({ prefetched: true, duration: 24, slate: 6 });
  const further = (await breaksOf(stage, one.viewer))[1]!;
  expect(further).not.toHaveProperty('prefetched');
  expect(titlesOf(further)).toEqual(titlesOf(long));
  expect(requestsOf(one)[1]!.breakId).toBe(further.id);
});

test.concurrent('a break that is announced ahead uses the prefetched ads', async () => {
  const id = 'announced';
  const offer = offerSlowly(stage, id, { delay: 300, ads });
  const origin = await startOrigin(stage, { hlsMarkers: 'daterange', window: 8 });
  const url = `${stage.adHost.url}/${id}?viewer=[PLAYER.viewer]&break=[BREAK_ID]`;
  const source = { sourceManifestUrl: origin.hlsUrl, prefetch: 'decision', adSource: { url } };
  await stage.midroll.create('channels', { id, type: 'live', state: 'enabled', apiKey: 'key', ...source });
  await conditioned(stage, id, ads);
  const viewer = await stage.watch(id, { dash: false, query: 'viewer=x' });
  const one = { viewer, origin, offer, id };
  await untilRequested(one, 1);
  const ahead = await airBreak(one, { in: 12, lead: 10 });
  expect(ahead).toMatchObject({ prefetched: true });
  expect(startsWithAd(ahead)).toBe(true);
  expect(requestsOf(one).filter(({ breakId }) => breakId === ahead.id)).toEqual([]);
});

test.concurrent('nothing is requested for a viewer who has left, and no beacon is sent', async () => {
  const one = await ready('left', 'decision', 300);
  await untilRequested(one, 1);
  await one.viewer.leave();
  one.origin.broadcast.addBreak(stage.clock.now(), { seconds: 12 });
  await stage.clock.sleep(120_000);
  expect(requestsOf(one).length).toBe(1);
  expect(await beaconsOf(stage, one.viewer)).toEqual([]);
  expect(await breaksOf(stage, one.viewer)).toEqual([]);
});

test.concurrent.each([
  ['that fails', { status: 500 }],
  ['without ads', { ads: [] as readonly Ad[] }],
])('after a response %s, the ads are requested when the break is read', async (name, fault) => {
  const one = await ready(`down-${name.length}`, 'decision', 300);
  Object.assign(one.offer, fault);
  await untilRequested(one, 1);
  one.offer.ads = ads;
  delete one.offer.status;
  const only = await airBreak(one);
  expect(only).not.toHaveProperty('prefetched');
  expect(titlesOf(only)).toEqual(['Ad s4', 'Ad s6']);
  expect(requestsOf(one)[1]!.breakId).toBe(only.id);
});

test.concurrent('with `creatives`, new ads are conditioned before the break, whose ads are requested as usual', async () => {
  const id = 'creatives';
  const url = await stage.spot(10);
  const fresh: Ad = { id: 'fresh', seconds: 10, url, sequence: 1 };
  const offer = offerSlowly(stage, id, { delay: 300, ads: [fresh] });
  const origin = await airUnannounced(stage, id, { prefetch: 'creatives' });
  const viewers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => stage.watch(id, { dash: false, query: `viewer=v${index}` })),
  );
  const one = { viewer: viewers[0]!, origin, offer, id };
  await stage.clock.sleep(60_000);
  // Of the first four viewers only.
  expect(requestsOf(one).length).toBe(4);
  const only = await airBreak(one);
  expect(titlesOf(only)).toEqual(['Ad fresh']);
  expect(only).not.toHaveProperty('prefetched');
  expect(requestsOf(one).filter(({ breakId }) => breakId === only.id).length).toBe(6);
});

test.concurrent('pre-roll, client-side tracking and a channel without ad source', async () => {
  const one = await ready('client', 'decision', 1200, { tracking: 'client', preroll: { maxDuration: 10 } });
  await untilRequested(one, 2);
  const own = await airBreak(one);
  expect(one.viewer.faults).toEqual([]);
  const [preroll] = await breaksOf(stage, one.viewer);
  expect(preroll).not.toHaveProperty('prefetched');
  expect(own).toMatchObject({ prefetched: true });
  expect(await beaconsOf(stage, one.viewer)).toEqual([]);

  const bare = await ready('bare', 'decision', 300, { adSource: undefined });
  const slate = await airBreak(bare);
  expect(slate).toMatchObject({ status: 'empty', reason: { code: 'NO_AD_SERVER' } });
});

test('Midroll logs no error, and counts each step', async () => {
  expect(stage.midroll.bugs()).toEqual([]);
  const text = await (await fetch(`${stage.midroll.adminUrl}/metrics`)).text();
  const count = (step: string) => Number(new RegExp(`midroll_prefetch_total{step="${step}"} (\\d+)`).exec(text)![1]);
  expect(count('used')).toBe(7);
  expect(count('kept')).toBeGreaterThan(count('used'));
  expect(count('requested')).toBeGreaterThan(count('kept'));
});
