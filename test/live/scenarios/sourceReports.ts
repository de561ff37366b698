// SPDX-License-Identifier: Apache-2.0
// A channel with two ad sources, of which the second pays for its ad: reports and the trace agree on both.
import { expect } from 'vitest';
import { writeVast } from '../adHost.ts';
import { item, type Stage } from '../stage.ts';

const CHANNEL = 'steps';

export async function sourceReportsMatchTheTrace(stage: Stage): Promise<void> {
  const { adHost, midroll } = stage;
  const [video, url] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(2.8)]);
  adHost.offer('/unsold', () => []);
  const priced = writeVast([{ id: 'sold', seconds: 2.8, url }]).replace(
    '<Impression>',
    '<Pricing model="CPM" currency="EUR">2.50</Pricing><Impression>',
  );
  adHost.on('/sold', (response) => void response.writeHead(200, { 'content-type': 'application/xml' }).end(priced));
  for (const id of ['unsold', 'sold'])
    await stage.api('POST', '/ad-sources', { id, type: 'vast', url: `${adHost.url}/${id}` });
  const started = Math.floor(stage.clock.now() / 1000);
  await stage.air(CHANNEL, [item(video, { spliceTime: 4, maxDuration: 6 })], {
    adSteps: [{ sources: ['unsold'] }, { sources: ['sold'] }],
  });
  const viewer = await stage.watch(CHANNEL, { dash: false, fetches: 'ours' });
  const adsOf = async () =>
    (await stage.breaks(viewer)).flatMap(({ ads }) => ads).filter(({ outcome }) => outcome === 'stitched');
  await stage.until('an ad was watched to its end', async () =>
    (await adsOf()).some(({ delivered }) => (delivered?.seconds ?? 0) > 2.7),
  );
  await viewer.leave();
  // Counts are flushed every few seconds.
  await stage.clock.sleep(30_000);
  const breaks = (await midroll.api('GET', `/sessions/${viewer.session}`)).json.breaks;
  const ads = await adsOf();
  const seen = ads.filter(({ delivered }) => (delivered?.seconds ?? 0) > 0).length;
  expect(breaks[0].sources).toMatchObject([
    { source: 'unsold', step: 0, offered: 0, reason: { code: 'NO_ADS' } },
    { source: 'sold', step: 1, offered: 1 },
  ]);
  expect(ads[0]).toMatchObject({ source: 'sold', step: 1, price: { amount: 2.5, currency: 'EUR' } });

  const system = (await midroll.api('GET', '/systems')).json.at(-1);
  const range = `start=${started}&end=${Math.floor(stage.clock.now() / 1000) + 600}&channel=${CHANNEL}`;
  const read = async (name: string) =>
    (await midroll.api('GET', `/systems/${system.id}/reports/${name}?${range}&interval=86400000&by=source`)).json;
  const { rows } = await read('ad-sources');
  const sumOf = (key: string, field: string) =>
    rows.reduce(
      (sum: number, row: Record<string, number | string>) => sum + (row.key === key ? Number(row[field]) : 0),
      0,
    );
  const all = breaks.length;
  expect(['sent', 'answered', 'empty', 'chosen'].map((field) => sumOf('unsold', field))).toEqual([all, all, all, 0]);
  expect(['sent', 'offered', 'chosen', 'priced'].map((field) => sumOf('sold', field))).toEqual([all, all, all, seen]);
  expect(sumOf('sold', 'revenueEUR')).toBeCloseTo((seen * 2.5) / 1000, 6);
  const { totals } = await read('demand-funnel');
  expect(totals).toMatchObject({ opportunities: all, requests: 2 * all, requestsWithoutAds: all, started: seen });
}
