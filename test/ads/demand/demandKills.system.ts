// SPDX-License-Identifier: Apache-2.0
// kill -9 of processes that serve viewers of an ad server, a bidder and a house list: afterwards each impression and each billing
// notice of an ad that was delivered has arrived once, and no other has.
import { expect, test } from 'vitest';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { readTracked } from '../../chaos/adDeliveries.ts';
import { writeVast } from '../../live/adHost.ts';
import type { MidrollProcess } from '../../live/midroll.ts';
import { decisionOf } from '../../live/stage.ts';
import type { Viewer } from '../../live/viewer.ts';
import { opened } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { breaksAt, ledgerOf, manifestsAt, openNodes } from './demandNodes.ts';
import { addSources, airSteps, bidOf, bidResponse, type SteppedBreak } from './demandStage.ts';

const KILLS = 20;
const FORMATS = ['hls', 'dash', 'hls', 'dash', 'hls', 'dash'] as const;
const random = seededRandom(5);
const database = await opened(createDatabase());
const { stage, nodes, watch } = await openNodes({ DATABASE_URL: database.url }, random);
const { adHost } = stage;
const [five, four, three, two, one] = await Promise.all([5, 4, 3, 2, 1].map((seconds) => stage.spot(seconds)));

/** Of one ad, whose name is `bid` in its URLs. */
const EVENTS = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
/** Milliseconds: the responses that a kill interrupts. */
const SLOWEST = { ads: 700, beacon: 2500 };

/** Each request has ads, and so URLs, of its own. */
let requests = 0;
const respondLater = (most: number, respond: () => void) => void setTimeout(respond, most * random() ** 3);
for (const event of [...EVENTS, 'bill', 'win', 'lose'])
  adHost.on(`/${event}`, (response) => respondLater(SLOWEST.beacon, () => response.writeHead(204).end()));
adHost.on('/half', (response) => {
  requests += 1;
  const id = `half${requests}`;
  const text = writeVast([{ id, seconds: 4, url: four!, tracking: `${adHost.url}/[EVENT]?bid=${id}` }]);
  respondLater(SLOWEST.ads, () => response.writeHead(200, { 'content-type': 'application/xml' }).end(text));
});
adHost.on('/bids', (response, { body }) => {
  requests += 1;
  const text = bidResponse(JSON.parse(body).id, [
    bidOf({ id: `fits${requests}`, seconds: 3, url: three!, price: 5 }, adHost.url),
    bidOf({ id: `long${requests}`, seconds: 5, url: five!, price: 6 }, adHost.url),
  ]);
  respondLater(SLOWEST.ads, () => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
});

/** `EVENT NAME` of a beacon or a notice. */
function eventIn(url: string): string {
  const { pathname, searchParams } = new URL(url, adHost.url);
  return `${pathname.slice(1)} ${searchParams.get('bid')}`;
}

/** How often each beacon and notice has arrived. */
function arrivals(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of adHost.seen) {
    if (path.includes('?bid=')) counts.set(eventIn(path), (counts.get(eventIn(path)) ?? 0) + 1);
  }
  return counts;
}

/** Waits for the next request that a kill may interrupt, and kills a process. */
async function kill(node: MidrollProcess): Promise<void> {
  const path = ['/bids', '/half', '/bill', '/impression', '/complete'][Math.floor(5 * random())]!;
  const count = () => adHost.seen.filter((seen) => seen.path.startsWith(path)).length;
  const before = count();
  await expect.poll(count, { interval: 20 }).toBeGreaterThan(before);
  await node.kill();
  await node.restart();
}

/** The names of the ads of the two servers in a trace. */
const namesIn = (breaks: readonly SteppedBreak[], outcome: 'stitched' | 'skipped') =>
  breaks.flatMap(({ ads }) =>
    ads.flatMap((ad) => (ad.outcome === outcome && ad.source !== 'house' ? [{ ...ad, name: nameOf(ad) }] : [])),
  );
const nameOf = ({ title }: { readonly title: string }): string => title.replace('Ad ', '');
const isBid = (name: string): boolean => !name.startsWith('half');

/** The ads of which a viewer has received segments, and those that began: of which it has received the first one. */
function deliveredTo({ media }: Viewer): { readonly some: ReadonlySet<string>; readonly first: ReadonlySet<string> } {
  const tracked = [...media.keys()].flatMap((name) => readTracked(name) ?? []);
  const idsOf = (list: typeof tracked) => new Set(list.map(({ adId }) => adId));
  return { some: idsOf(tracked), first: idsOf(tracked.filter(({ index }) => index === 0)) };
}

/** The rows of the ledger once all that are expected have been sent. @param due `EVENT NAME` */
async function settledLedger(due: ReadonlySet<string>): Promise<BeaconResponse[]> {
  for (;;) {
    const rows = await ledgerOf(nodes[0]!);
    const sent = new Set(rows.flatMap((row) => (row.outcome === 'sent' ? [eventIn(row.url)] : [])));
    const missing = [...due].filter((one) => !sent.has(one));
    if (missing.length === 0 && rows.every(({ outcome }) => outcome === 'sent')) return rows;
    await stage.clock.sleep(1000);
  }
}

test('after twenty kills, each ad that was delivered is billed once, and no other', async () => {
  await addSources(stage, [
    { id: 'half', type: 'vast', url: `${adHost.url}/half` },
    { id: 'bidder', type: 'openrtb', url: `${adHost.url}/bids` },
    {
      ...{ id: 'house', type: 'house' },
      creatives: [
        { url: two!, title: 'House two' },
        { url: one!, title: 'House one' },
      ],
    },
  ]);
  await airSteps(stage, 'kills', [['half'], ['bidder'], ['house']]);
  const viewers = await Promise.all(FORMATS.map((format) => watch('kills', format)));
  for (const viewer of viewers)
    await viewer.until('a break is full', async () =>
      (await breaksAt(nodes[0]!, viewer)).some(({ slate, ads }) => slate === 0 && ads.length > 0),
    );
  for (let index = 0; index < KILLS; index += 1) await kill(nodes[index % nodes.length]!);
  for (const viewer of viewers) {
    const agree = async () =>
      new Set(await Promise.all(nodes.map((node) => manifestsAt(node, 'kills', viewer)))).size === 1;
    await viewer.until('all processes respond the same', agree);
  }
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  for (const viewer of viewers) expect(viewer.faults).toEqual([]);

  const traces = await Promise.all(viewers.map((viewer) => breaksAt(nodes[0]!, viewer)));
  for (const [index, viewer] of viewers.entries())
    for (const node of nodes)
      expect((await breaksAt(node, viewer)).map(decisionOf)).toEqual(traces[index]!.map(decisionOf));

  const due = new Set<string>();
  const mayArrive = new Set<string>();
  for (const [index, viewer] of viewers.entries()) {
    const { some, first } = deliveredTo(viewer);
    for (const { adId, name } of namesIn(traces[index]!, 'stitched')) {
      if (some.has(adId)) mayArrive.add(name);
      if (first.has(adId))
        for (const event of ['impression', ...(isBid(name) ? ['bill'] : [])]) due.add(`${event} ${name}`);
    }
  }
  const rows = await settledLedger(due);
  const arrived = arrivals();
  expect(rows.map(({ url }) => eventIn(url)).filter((one, index, all) => all.indexOf(one) !== index)).toEqual([]);
  const wrong = rows.flatMap(({ url, unsure }) => {
    const count = arrived.get(eventIn(url)) ?? 0;
    return count >= 1 && count <= 1 + unsure ? [] : [`${eventIn(url)}: ${count} times, unsure ${unsure}`];
  });
  expect(wrong).toEqual([]);
  const known = new Set(rows.map(({ url }) => eventIn(url)));
  const beacons = [...arrived.keys()].filter((one) => !/^(win|lose) /.test(one));
  expect(beacons.filter((one) => !known.has(one) || !mayArrive.has(one.split(' ')[1]!))).toEqual([]);

  const won = namesIn(traces.flat(), 'stitched').flatMap(({ name }) => (isBid(name) ? [`win ${name}`] : []));
  const lost = namesIn(traces.flat(), 'skipped').flatMap(({ name }) => (isBid(name) ? [`lose ${name}`] : []));
  const notices = [...arrived].filter(([one]) => /^(win|lose) /.test(one));
  expect(notices.filter(([, count]) => count > 1)).toEqual([]);
  expect([...won, ...lost]).toEqual(expect.arrayContaining(notices.map(([one]) => one)));
  // Those that a kill has interrupted are not repeated.
  expect(notices.length).toBeGreaterThan((won.length + lost.length) / 2);
  expect(due.size).toBeGreaterThan(100);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
