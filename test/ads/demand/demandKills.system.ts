// SPDX-License-Identifier: Apache-2.0
// kill -9 of processes that serve viewers of an ad server, a bidder and a house list: afterwards each impression and each billing
// notice of an ad that was delivered has arrived once, and no other has.
import { expect, test } from 'vitest';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { readTracked } from '../../chaos/adDeliveries.ts';
import { isOurs, readHls } from '../../laws/readBack.ts';
import { writeVast } from '../../live/adHost.ts';
import type { MidrollProcess } from '../../live/midroll.ts';
import { mediaPlaylists } from '../../live/openSession.ts';
import { decisionOf, item } from '../../live/stage.ts';
import { opened } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { breaksAt, ledgerOf, manifestsAt, openNodes } from './demandNodes.ts';
import {
  addSources,
  airSteps,
  BREAK_SECONDS,
  bidOf,
  bidResponse,
  type SteppedBreak,
  untilReady,
} from './demandStage.ts';

const KILLS = 20;
const FORMATS = ['hls', 'dash', 'hls', 'dash', 'hls', 'dash'] as const;
const random = seededRandom(5);
const database = await opened(createDatabase());
const { stage, nodes, watch, send } = await openNodes({ DATABASE_URL: database.url }, random);
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

/** What a player has received of a session: the names of media. */
type Followed = { readonly session: string; readonly media: ReadonlySet<string> };

/** Opens a film, and requests the whole of it. */
async function watchFilm(): Promise<Followed> {
  async function get(path: string): Promise<string> {
    const response = await send(`${nodes[0]!.liveUrl}/hls/film/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }
  const playlists = mediaPlaylists(await get('master.m3u8?api-key=key'));
  const [session] = playlists[0]!.split('/') as [string];
  const media = new Set<string>();
  for (const playlist of playlists) {
    for (const { uri } of readHls(await get(playlist)).segments) {
      if (!isOurs(uri)) continue;
      await get(`${session}/${uri}`);
      media.add(uri);
    }
  }
  return { session, media };
}

const isBid = (name: string): boolean => !name.startsWith('half');

/** The ads of the two servers in a trace. The id of one that was skipped is that of its server. */
const adsIn = (breaks: readonly SteppedBreak[], outcome: 'stitched' | 'skipped') =>
  breaks.flatMap(({ ads }) =>
    ads.flatMap(({ title, adId, source, ...ad }) =>
      ad.outcome === outcome && source !== 'house'
        ? [{ adId, name: outcome === 'skipped' ? adId : title.replace('Ad ', '') }]
        : [],
    ),
  );

/** The beacons that are due, and the ads that may have any: those of which something was received. */
async function expectedOf(all: readonly Followed[]) {
  const due = new Set<string>();
  const begun = new Set<string>();
  for (const one of all) {
    const received = [...one.media].flatMap((name) => readTracked(name) ?? []);
    for (const { adId, name } of adsIn(await breaksAt(nodes[0]!, one), 'stitched')) {
      const own = received.filter((segment) => segment.adId === adId);
      if (own.length > 0) begun.add(name);
      const isFromStart = own.some(({ index }) => index === 0);
      for (const event of isFromStart ? ['impression', ...(isBid(name) ? ['bill'] : [])] : [])
        due.add(`${event} ${name}`);
    }
  }
  return { due, begun };
}

/** Each beacon that is due has arrived once, or is stated as unsure, and no other has. */
async function expectBeacons(all: readonly Followed[]): Promise<void> {
  const { due, begun } = await expectedOf(all);
  let rows: readonly (BeaconResponse & { readonly name: string })[] = [];
  async function missing(): Promise<string[]> {
    rows = (await ledgerOf(nodes[0]!)).map((row) => ({ ...row, name: eventIn(row.url) }));
    const sent = new Set(rows.flatMap(({ outcome, name }) => (outcome === 'sent' ? [name] : [])));
    return [...due, ...rows.map(({ name }) => name)].filter((name) => !sent.has(name));
  }
  await expect.poll(missing, { interval: 1000 }).toEqual([]);
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const arrived = arrivals();
  const wrong = rows.flatMap(({ name, unsure }) => {
    const count = arrived.get(name) ?? 0;
    return count >= 1 && count <= 1 + unsure ? [] : [`${name}: ${count} times, unsure ${unsure}`];
  });
  expect(wrong).toEqual([]);
  const beacons = [...arrived.keys()].filter((name) => !isNotice(name));
  expect(beacons.filter((name) => !names.includes(name) || !begun.has(name.split(' ')[1]!))).toEqual([]);
  expect(due.size).toBeGreaterThan(100);
}

const isNotice = (name: string): boolean => /^(win|lose) /.test(name);

/** Each bid of a decision has won or lost, and no notice was sent twice. */
async function expectNotices(sessions: readonly string[]): Promise<void> {
  const traces = await Promise.all(sessions.map((session) => breaksAt(nodes[0]!, { session })));
  const noticesOf = (outcome: 'stitched' | 'skipped', notice: string) =>
    adsIn(traces.flat(), outcome).flatMap(({ name }) => (isBid(name) ? [`${notice} ${name}`] : []));
  const meant = [...noticesOf('stitched', 'win'), ...noticesOf('skipped', 'lose')];
  const sent = [...arrivals()].filter(([name]) => isNotice(name));
  expect(sent.filter(([name, count]) => count > 1 || !meant.includes(name))).toEqual([]);
  // One that a kill has interrupted is not repeated.
  expect(sent.length).toBeGreaterThan(meant.length / 2);
}

/** All sessions, also those whose player has received no response. */
async function allSessions(): Promise<string[]> {
  const { json } = await nodes[0]!.api('GET', '/sessions?limit=100');
  return json.map(({ id }: { readonly id: string }) => id);
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
  const steps = [['half'], ['bidder'], ['house']];
  await airSteps(stage, 'linear', steps);
  await untilReady(stage, 'linear', [5, 4, 3, 2, 1]);
  const cues = [4, 8].map((spliceTime) => ({ spliceTime, maxDuration: BREAK_SECONDS }));
  const film = { type: 'vod', adSteps: steps.map((sources) => ({ sources })) };
  await stage.air('film', [item(await stage.video({ seconds: 12 }), ...cues)], film, { type: 'vod' });
  const viewers = await Promise.all(FORMATS.map((format) => watch('linear', format)));
  const films = [await watchFilm()];
  for (let index = 0; index < KILLS; index += 1) {
    const opening = watchFilm();
    await kill(nodes[index % nodes.length]!);
    films.push(await opening);
  }
  for (const viewer of viewers) {
    const agree = async () =>
      new Set(await Promise.all(nodes.map((node) => manifestsAt(node, 'linear', viewer)))).size === 1;
    await viewer.until('all processes respond the same', agree);
  }
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
  const sessions = await allSessions();
  for (const session of sessions) {
    const [first, ...others] = await Promise.all(nodes.map((node) => breaksAt(node, { session })));
    for (const other of others) expect(other.map(decisionOf)).toEqual(first!.map(decisionOf));
  }
  const watched = viewers.map(({ session, media }) => ({ session, media: new Set(media.keys()) }));
  await expectBeacons([...watched, ...films]);
  await expectNotices(sessions);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
