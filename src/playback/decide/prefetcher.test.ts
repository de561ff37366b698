// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/laws/manualClock.ts';
import { sessionOf } from '../../../test/laws/syntheticChannel.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import { openSqlite } from '../../database.ts';
import { defaultLadder } from '../../planning/airChannel.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { LastBreak } from '../../timeline/programme/programme.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { Airing } from '../onAir/airing.ts';
import { createAdRequests } from '../request/adRequests.ts';
import { createDemands } from '../request/demand.ts';
import type { BreakRequest } from '../request/requestSteps.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { createPrefetcher, type Prefetcher, type PrefetchStep } from './prefetcher.ts';

const ad = {
  kind: 'inline',
  id: 'a',
  creatives: [],
  errorUrls: [],
  impressions: [],
  extensions: [],
} as unknown as InLineAd;
const outcomeOf = (more: Partial<AdRequestOutcome> = {}): AdRequestOutcome => ({
  request: { url: 'https://ads.example', ms: 1 },
  warnings: [],
  ads: [{ ad }],
  dropped: [],
  errors: [],
  ...more,
});
const failed = outcomeOf({ ads: [], reason: { code: 'AD_SERVER_FAILED', text: '' } });
const empty = outcomeOf({ ads: [], reason: { code: 'NO_ADS', text: '' } });
const MINUTE = 60_000;
/** Of a break that comes without notice. */
const need = { seconds: 60, requestableUntil: millis(0) };

let sessions: SessionStore;
let clock: ManualClock;
let sent: BreakRequest[];
let outcomes: AdRequestOutcome[];
let steps: PrefetchStep[];
let last: LastBreak | undefined;

function airing(prefetch: string, url = 'https://ads.example'): Airing {
  const channel = { id: 'c', tenant: 't', type: 'live', prefetch, adSource: sourceOf(url) };
  const found = last;
  return { channel, life: 'l', ladder: defaultLadder, programme: { lastBreak: () => found } } as unknown as Airing;
}
const sources = new Map<string, { url: string }>();
function sourceOf(url: string): { url: string } {
  const known = sources.get(url) ?? { url };
  sources.set(url, known);
  return known;
}

async function join(id: string, spread = 0.9): Promise<Viewer> {
  const session = sessionOf(clock.now(), id);
  await sessions.create(session, { segments: [], discontinuities: 0 });
  return { session, spread } as unknown as Viewer;
}

function node(): Prefetcher {
  const requestAds = async (context: BreakRequest) => {
    sent.push(context);
    return outcomes.shift() ?? outcomeOf();
  };
  const { now, timers } = clock;
  const log = (message: string, facts: object) => expect.fail(`${message} ${JSON.stringify(facts)}`);
  return createPrefetcher({
    requests: createAdRequests({ requestAds, sessions, now, timers, log }),
    requestAds,
    demandOf: createDemands(async () => new Map()),
    sessions,
    now,
    log,
    library: {} as CreativeLibrary,
    health: { isUnavailable: () => false },
    onStep: (step) => void steps.push(step),
  });
}

beforeEach(async () => {
  sessions = sqlSessions(await openSqlite(':memory:'));
  clock = createManualClock(1_000_000, () => false);
  [sent, outcomes, steps, last] = [[], [], [], undefined];
});

/** Requests a manifest from each node once a second. */
async function watch(nodes: readonly Prefetcher[], viewers: readonly Viewer[], on: Airing, ms: number): Promise<void> {
  const until = clock.now() + ms;
  while (clock.now() < until) {
    for (const one of nodes) for (const viewer of viewers) one.consider(on, viewer, clock.now());
    await clock.advance(1000);
  }
}

test('one of two nodes requests the ads, and one of them uses the response, once', async () => {
  const nodes = [node(), node()];
  const viewer = await join('v');
  const on = airing('decision');
  await watch(nodes, [viewer], on, MINUTE);
  expect(sent.map(({ adBreak }) => [adBreak.id, adBreak.duration])).toEqual([['prefetch-1005', 60]]);
  const taken = await Promise.all(nodes.map((one) => one.take(on, viewer, need)));
  expect(taken.filter((one) => one !== undefined)).toMatchObject([
    { prefetchedAt: 1_005_000, ads: [{ ad: { id: 'a' } }] },
  ]);
  expect(await nodes[0]!.take(on, viewer, need)).toBeUndefined();
  expect(steps).toEqual(['requested', 'kept']);
});

test('after each break that is over, the next ads are requested for its length', async () => {
  const only = node();
  const viewer = await join('v');
  await watch([only], [viewer], airing('decision'), MINUTE);
  await only.take(airing('decision'), viewer, need);
  last = { id: '7', seconds: 24 };
  await watch([only], [viewer], airing('decision'), MINUTE);
  expect(sent.length).toBe(1);
  last = { id: '7', seconds: 24, endedAt: clock.now() };
  await watch([only], [viewer], airing('decision'), MINUTE);
  expect(sent.map(({ adBreak }) => adBreak.duration)).toEqual([60, 24]);
});

test('a response expires, is not used then, and is requested again', async () => {
  const only = node();
  const viewer = await join('v');
  const on = airing('decision');
  await watch([only], [viewer], on, 10_000);
  await clock.advance(15 * MINUTE);
  expect(await only.take(on, viewer, need)).toBeUndefined();
  await watch([only], [viewer], on, 2000);
  expect(steps).toEqual(['requested', 'kept', 'unused', 'requested', 'kept']);
  expect(await only.take(on, viewer, need)).toBeDefined();
});

test('a much longer break that is announced ahead has a request of its own, and the next one is requested for its length', async () => {
  const only = node();
  const viewer = await join('v');
  const on = airing('decision');
  const long = { seconds: 91, requestableUntil: millis(clock.now() + 10 * MINUTE) };
  await watch([only], [viewer], on, 10_000);
  expect(await only.take(on, viewer, long)).toBeUndefined();
  expect(steps).toEqual(['requested', 'kept', 'unused']);
  last = { id: '7', seconds: 91, endedAt: clock.now() };
  await watch([only], [viewer], airing('decision'), MINUTE);
  expect(sent.map(({ adBreak }) => adBreak.duration)).toEqual([60, 91]);
  expect(await only.take(airing('decision'), viewer, long)).toBeDefined();
});

test('a response of an ad source that was replaced is not used', async () => {
  const only = node();
  const viewer = await join('v');
  await watch([only], [viewer], airing('decision'), 10_000);
  expect(await only.take(airing('decision', 'https://other.example'), viewer, need)).toBeUndefined();
  expect(steps).toEqual(['requested', 'kept', 'unused']);
});

test('after a failure, the ad server is requested again within two minutes; after a response without ads, it is not', async () => {
  const [one, two] = [node(), node()];
  const viewer = await join('v');
  outcomes = [failed, empty];
  await watch([one, two], [viewer], airing('decision'), 10_000);
  expect(sent.length).toBe(1);
  await watch([one, two], [viewer], airing('decision'), 2 * MINUTE);
  expect(sent.length).toBe(2);
  await watch([one, two], [viewer], airing('decision'), 10 * MINUTE);
  expect(sent.length).toBe(2);
  expect(await one.take(airing('decision'), viewer, need)).toBeUndefined();
});

test('the first four viewers are not spread; the others are', async () => {
  const only = node();
  const viewers = await Promise.all(Array.from({ length: 8 }, (_, index) => join(`v${index}`, 0.5 + index / 16)));
  await watch([only], viewers, airing('decision'), 7000);
  expect(sent.length).toBe(4);
  await watch([only], viewers, airing('decision'), 20_000);
  expect(sent.length).toBe(8);
});

test('with `creatives`, four requests are sent after a break and in each quarter of an hour, and no response is kept', async () => {
  const only = node();
  const viewers = await Promise.all(Array.from({ length: 8 }, (_, index) => join(`v${index}`)));
  const on = airing('creatives');
  await watch([only], viewers, on, 10 * MINUTE);
  expect(sent.length).toBe(4);
  await watch([only], viewers, on, 15 * MINUTE);
  expect(sent.length).toBe(8);
  last = { id: '7', seconds: 24, endedAt: clock.now() };
  await watch([only], viewers, airing('creatives'), MINUTE);
  expect(steps).toEqual(new Array(12).fill('requested'));
  expect(await only.take(airing('decision'), viewers[0]!, need)).toBeUndefined();
});

test('nothing is requested without prefetch or ad source, or on a schedule', async () => {
  const only = node();
  const viewer = await join('v');
  const { adSource: _, ...bare } = airing('decision').channel;
  await watch([only], [viewer], { ...airing('decision'), channel: bare } as Airing, MINUTE);
  await watch([only], [viewer], airing('off'), MINUTE);
  await watch([only], [viewer], { ...airing('decision'), programme: {} } as Airing, MINUTE);
  expect(sent).toEqual([]);
});

test('a request whose process ended is repeated by another one, and what it held is not used', async () => {
  const viewer = await join('v');
  const held = { sessionId: 'v', breakId: 'prefetch', startsAt: 0, holder: 'gone' };
  await sessions.claim({ ...held, at: clock.now(), until: millis(clock.now() + 5000) as Millis });
  const only = node();
  expect(await only.take(airing('decision'), viewer, need)).toBeUndefined();
  await watch([only], [viewer], airing('decision'), MINUTE);
  expect(steps).toEqual(['requested', 'kept']);
});

test('a process ends after it has taken a response: the break has a request of its own when its lease is over', async () => {
  const on = airing('decision');
  const viewer = await join('v');
  const own = { sessionId: 'v', breakId: '8', startsAt: clock.now() + 40_000 };
  const adRequests = () => {
    const requestAds = async (context: BreakRequest) => {
      sent.push(context);
      return outcomeOf();
    };
    return createAdRequests({ requestAds, sessions, now: clock.now, timers: clock.timers, log: () => {} });
  };
  const [ended, other] = [node(), node()];
  await watch([ended, other], [viewer], on, 10_000);
  const nothing = { decisions: 0, foldedBefore: 0 };
  expect(await adRequests().claim(own, 2000)).toEqual({ claim: own, recorded: nothing });
  expect(await ended.take(on, viewer, need)).toBeDefined();

  const next = adRequests();
  expect(await next.claim(own, 2000)).toBeUndefined();
  await clock.advance(4999);
  expect(await next.claim(own, 2000)).toBeUndefined();
  await clock.advance(3000);
  const granted = await next.claim(own, 2000);
  expect(granted).toEqual({ claim: own, recorded: nothing });
  expect(await other.take(on, viewer, need)).toBeUndefined();
  const { session } = viewer;
  const adBreak = { id: '8', startsAt: millis(own.startsAt), duration: 60 };
  const context = { demand: { kind: 'server', source: on.channel.adSource! } as const, session, adBreak };
  expect(await next.request(granted!, context, clock.now())).toMatchObject({ ads: [{ ad: { id: 'a' } }] });
  expect(sent.map((one) => one.adBreak.id)).toEqual(['prefetch-1005', '8']);
});
