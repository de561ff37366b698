// SPDX-License-Identifier: Apache-2.0
// One viewer with a session at each of three processes, all at once: no more ads of an advertiser are shown than its cap allows,
// and other ads fill the breaks.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import type { Viewer } from '../../live/viewer.ts';
import { opened } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { breaksAt, type DemandNodes, openNodes } from './demandNodes.ts';
import { addSources, airSteps, bidOf, bidResponse, type SteppedBreak, untilReady } from './demandStage.ts';

const CAP = 2;
/** At three processes. Each of the first four viewers of a process decides as early as possible. */
const SESSIONS = { ann: 6, bob: 3 };
/** Milliseconds that a response waits for the requests of the other sessions. */
const LONGEST_WAIT = 2500;
const random = seededRandom(7);
const openOn = async (more: Readonly<Record<string, string>> = {}) => {
  const database = await opened(createDatabase());
  return openNodes({ DATABASE_URL: database.url, ...more }, random);
};
const installations: readonly (readonly [string, DemandNodes])[] = [
  ['PostgreSQL', await openOn()],
  ['Redis', await openOn({ REDIS_URL: inject('redisUrl'), REDIS_PREFIX: randomUUID() })],
];
afterAll(() => {
  for (const [, { nodes }] of installations) expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});

const adsOf = (breaks: readonly SteppedBreak[], outcome: 'stitched' | 'skipped') =>
  breaks.flatMap(({ ads }) => ads.filter((ad) => ad.outcome === outcome && ad.advertisers?.includes('acme.example')));

test.concurrent.each(installations)('caps of a viewer hold over all processes, with sessions in %s', async (_, on) => {
  const { stage, nodes } = on;
  const { adHost } = stage;
  const [six, four, three, one] = await Promise.all([6, 4, 3, 1].map((seconds) => stage.spot(seconds)));
  let requests = 0;
  let isOffered = false;
  const waiting: (() => void)[] = [];
  const respondAll = () => {
    for (const respond of waiting.splice(0)) respond();
  };
  // Together they fill the break, so that the house list is needed only after the cap.
  adHost.on('/bids', (response, { body }) => {
    requests += 1;
    const bids = [
      ...(isOffered ? [bidOf({ id: 'acme', seconds: 4, url: four!, price: 9 }, adHost.url)] : []),
      bidOf({ id: `other${requests}`, seconds: 6, url: six!, price: 1 }, adHost.url),
    ];
    const text = bidResponse(JSON.parse(body).id, bids);
    waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
    // All sessions decide at the same time.
    if (waiting.length >= SESSIONS.ann + SESSIONS.bob) respondAll();
    else setTimeout(respondAll, LONGEST_WAIT);
  });
  await addSources(stage, [
    { id: 'bidder', type: 'openrtb', url: `${adHost.url}/bids`, timeoutMs: 2 * LONGEST_WAIT },
    {
      ...{ id: 'house', type: 'house' },
      creatives: [
        { url: three!, title: 'House three' },
        { url: one!, title: 'House one' },
      ],
    },
  ]);
  const frequencyCaps = [{ per: 'advertiser', max: CAP, hours: 1 }];
  const adRules = { viewerParameter: 'uid', frequencyCaps };
  await airSteps(stage, 'caps', [['bidder'], ['house']], { adRules, adBudgetMs: 2 * LONGEST_WAIT });
  await untilReady(stage, 'caps', [6, 4, 3, 1]);

  const sessionsOf = (uid: keyof typeof SESSIONS) =>
    Promise.all(
      Array.from({ length: SESSIONS[uid] }, (_each, index) => {
        const format = index % 2 === 0 ? ({ dash: false } as const) : ({ hls: false, opens: 'dash' } as const);
        const { liveUrl } = nodes[index % nodes.length]!;
        return stage.watch('caps', { ...format, liveUrl, query: `uid=${uid}`, isTimed: false, fetches: false });
      }),
    );
  const viewers = [await sessionsOf('ann'), await sessionsOf('bob')];
  const isOver = ({ at, duration }: SteppedBreak) => at + 1000 * duration < stage.clock.now();
  const traceOf = async (viewer: Viewer) => (await breaksAt(nodes[0]!, viewer)).filter(isOver);
  for (const viewer of viewers.flat())
    await viewer.until('a break is over', async () => (await traceOf(viewer)).length > 0);
  isOffered = true;
  for (const sessions of viewers) {
    for (const viewer of sessions) {
      const capped = async () => adsOf(await traceOf(viewer), 'skipped').length;
      await viewer.until('a break after the cap is over', async () => (await capped()) > 0);
    }
    await Promise.all(sessions.map((viewer) => viewer.leave()));
    expect(sessions.flatMap(({ faults }) => faults)).toEqual([]);
    const breaks = (await Promise.all(sessions.map(traceOf))).flat();
    expect(adsOf(breaks, 'stitched').length).toBeLessThanOrEqual(CAP);
    expect(adsOf(breaks, 'stitched').length).toBeGreaterThan(0);
    expect(new Set(adsOf(breaks, 'skipped').map(({ reason }) => reason?.code))).toEqual(new Set(['FREQUENCY_CAP']));
    // A viewer who joins has missed the rest.
    const missed = ({ duration, limits }: SteppedBreak) => duration - (limits?.duration ?? 0);
    expect(breaks.filter((one) => one.slate > missed(one) + 0.01)).toEqual([]);
  }
});
