// SPDX-License-Identifier: Apache-2.0
// PostgreSQL is unavailable for some seconds while one viewer has sessions at three processes: no manifest fails, an ad whose count
// is not known is not shown, and no cap is exceeded.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import { deferred } from '../../deferred.ts';
import { edgeOf } from '../../live/liveTruth.ts';
import type { Viewer } from '../../live/viewer.ts';
import { opened } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { startFreezingProxyOf } from '../../servers/freezingProxy.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { breaksAt, openNodes } from './demandNodes.ts';
import { addSources, airSteps, bidOf, bidResponse, type SteppedBreak, untilReady } from './demandStage.ts';

const CAP = 2;

async function openBehindProxy(more: Readonly<Record<string, string>> = {}) {
  const database = await opened(createDatabase());
  const proxy = await opened(startFreezingProxyOf(database.url));
  const settings = { DATABASE_URL: proxy.url, DATABASE_STATEMENT_TIMEOUT_MS: '3000', ...more };
  const { stage, nodes } = await openNodes(settings, seededRandom(1));
  afterAll(proxy.thaw);
  /** What the bidder offers besides an ad without a cap, and what its responses wait for. */
  const bidder = { hasCapped: false, requests: 0, held: Promise.resolve() };
  const [six, four, three, one] = await Promise.all([6, 4, 3, 1].map((seconds) => stage.spot(seconds)));
  stage.adHost.on('/bids', async (response, { body }) => {
    bidder.requests += 1;
    const bids = [
      ...(bidder.hasCapped ? [bidOf({ id: 'capped', seconds: 4, url: four!, price: 9 }, stage.adHost.url)] : []),
      bidOf({ id: `free${bidder.requests}`, seconds: 6, url: six!, price: 1 }, stage.adHost.url),
    ];
    await bidder.held;
    response.writeHead(200, { 'content-type': 'application/json' }).end(bidResponse(JSON.parse(body).id, bids));
  });
  const creatives = [
    { url: three!, title: 'House three' },
    { url: one!, title: 'House one' },
  ];
  await addSources(stage, [
    { id: 'bidder', type: 'openrtb', url: `${stage.adHost.url}/bids`, maxPerSecond: 5 },
    { id: 'house', type: 'house', creatives },
  ]);
  const frequencyCaps = [{ per: 'advertiser', max: CAP, hours: 1 }];
  await airSteps(stage, 'c', [['bidder'], ['house']], { adRules: { viewerParameter: 'uid', frequencyCaps } });
  await untilReady(stage, 'c', [6, 4, 3, 1]);
  const viewers = await Promise.all(
    nodes.map(({ liveUrl }, index) =>
      stage.watch('c', {
        ...(index === 0 ? { dash: false } : { hls: false, opens: 'dash' }),
        ...{ liveUrl, query: 'uid=ann', isTimed: false, fetches: false },
      }),
    ),
  );
  const cappedOf = (breaks: readonly SteppedBreak[], outcome: 'stitched' | 'skipped') =>
    breaks.flatMap(({ ads }) => ads.filter((ad) => ad.outcome === outcome && ad.title === 'Ad capped'));
  const traces = () => Promise.all(viewers.map((viewer) => breaksAt(nodes[0]!, viewer)));
  return { stage, nodes, proxy, bidder, viewers, traces, cappedOf };
}
type Behind = Awaited<ReturnType<typeof openBehindProxy>>;

const withSessionsIn = {
  PostgreSQL: await openBehindProxy(),
  Redis: await openBehindProxy({
    ...{ REDIS_URL: inject('redisUrl'), REDIS_PREFIX: randomUUID() },
  }),
};

/** The time of the channel's clock that viewers are shown, in milliseconds. */
const passes = (viewers: readonly Viewer[], ms: number) =>
  Promise.all(
    viewers.map(async (viewer) => {
      const edge = () => edgeOf(viewer, viewer.rungs[0]!);
      await viewer.until('a manifest was read', () => Number.isFinite(edge()));
      const before = edge();
      await viewer.until(`the edge has moved by ${ms}`, () => edge() >= before + ms);
    }),
  );

/** Breaks of which everything could be filled. */
const isFull = ({ slate, duration, limits }: SteppedBreak) => slate <= duration - (limits?.duration ?? 0) + 0.01;

async function expectUnharmed({ viewers, traces, nodes, cappedOf }: Behind): Promise<void> {
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
  const breaks = (await traces()).flat();
  expect(cappedOf(breaks, 'stitched').length).toBeLessThanOrEqual(CAP);
  expect(cappedOf(breaks, 'stitched').length).toBeGreaterThan(0);
  const bugs = nodes.flatMap((node) => node.bugs()).filter((line) => !line.includes('"level":40'));
  expect(bugs).toEqual([]);
}

test.concurrent('with sessions in PostgreSQL, ads whose counts are not known are not shown', async () => {
  const behind = withSessionsIn.PostgreSQL;
  const { stage, nodes, proxy, bidder, viewers, traces, cappedOf } = behind;
  const [first] = viewers as [Viewer];
  await first.until('each has a full break', async () => (await traces()).every((breaks) => breaks.some(isFull)));

  const { promise, resolve } = deferred();
  bidder.held = promise;
  bidder.hasCapped = true;
  const before = bidder.requests;
  await first.until('a bidder is requested', () => bidder.requests > before);
  proxy.freeze();
  resolve();
  const unknown = 'the session store does not respond: ads with frequency caps are not shown';
  await first.until('the counts are not known', () => nodes.some((node) => node.logged(unknown).length > 0));
  proxy.thaw();
  await first.until('an ad is not shown', async () => cappedOf((await traces()).flat(), 'skipped').length > 0);
  const skipping = (await traces()).flat().filter((one) => cappedOf([one], 'skipped').length > 0);
  expect(skipping.filter((one) => !isFull(one))).toEqual([]);
  expect(cappedOf(skipping, 'skipped')[0]).toMatchObject({ reason: { code: 'FREQUENCY_CAP' } });
  await first.until('it is shown', async () => cappedOf((await traces()).flat(), 'stitched').length > 0);

  await proxy.refuse();
  await passes(viewers, 12_000);
  await proxy.accept();
  const accepted = stage.clock.now();
  const after = (breaks: readonly SteppedBreak[]) => breaks.filter((one) => one.at > accepted && isFull(one));
  await first.until('each has two full breaks', async () =>
    (await traces().catch(() => [[]])).every((breaks) => after(breaks).length >= 2),
  );
  await expectUnharmed(behind);
});

test.concurrent('with sessions in Redis, breaks are full during the outage, and ads are counted', async () => {
  const behind = withSessionsIn.Redis;
  const { stage, proxy, bidder, viewers, traces } = behind;
  const [first] = viewers as [Viewer];
  await first.until('each has a full break', async () => (await traces()).every((breaks) => breaks.some(isFull)));
  bidder.hasCapped = true;
  const before = bidder.requests;
  await proxy.refuse();
  await passes(viewers, 40_000);
  expect(bidder.requests).toBeGreaterThan(before + viewers.length);
  await proxy.accept();
  const accepted = stage.clock.now();
  await first.until('each has a full break after it', async () =>
    (await traces().catch(() => [[]])).every((breaks) => breaks.some((one) => one.at > accepted && isFull(one))),
  );
  expect((await traces()).flat().filter((one) => !isFull(one))).toEqual([]);
  await expectUnharmed(behind);
});
