// SPDX-License-Identifier: Apache-2.0
// Ten thousand viewers, twelve breaks, a tracking server with faults, and a server that is killed twice. Every beacon that
// follows from the requests arrives, as computed independently of the server. A beacon arrives twice only if a response was
// lost, and then its row is marked as unsure.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { openSqlite } from '../../src/database.ts';
import { millis } from '../../src/time/units.ts';
import { spanEnd } from '../../src/timeline/programme/span.ts';
import type { BeaconRow } from '../../src/tracking/beacons/beacon.ts';
import { opened, scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { bundleProgram } from '../servers/bundled.ts';
import { endProcess } from '../servers/endProcess.ts';
import { type Receiver, startReceiver } from '../tracking/receiver.ts';
import { breaksOf, createSessions, podOf, START, soakAiring, viewerId } from '../tracking/soakChannel.ts';
import { adsOf, expectedOf, type ListedAd, requestsOf } from '../tracking/soakPlayers.ts';

const VIEWERS = Number(process.env.SOAK_VIEWERS ?? 10_000);
const BREAKS = Number(process.env.SOAK_BREAKS ?? 12);
const folder = scratchFolder();
const server = bundleProgram(join(import.meta.dirname, '../tracking/soakServer.ts'));
const agent = await opened(new Agent({ connections: 32 }));
const random = seededRandom(11);
const airing = soakAiring();
const breaks = breaksOf(airing, BREAKS);
const HOUR = 3_600_000;
let child: ChildProcess;
let port = 0;

async function start(): Promise<void> {
  child = fork(server.file, [folder]);
  const [hello] = (await once(child, 'message')) as [{ port: number }];
  port = hello.port;
}

/** Unsettled beacons: `next` is when the first one is due or its claim expires. */
type Backlog = { readonly pending: number; readonly next: number; readonly inFlight: number };

async function setClock(time: number): Promise<Backlog> {
  const reply = once(child, 'message') as Promise<[Backlog]>;
  child.send(time);
  return (await reply)[0];
}

/**
 * Advances the clock until every beacon is settled. The clock stops while beacons are due, so that a slow machine does not
 * reach the age at which they are abandoned. It moves slowly while requests are in flight, so that no claim expires first.
 */
async function sendAll(from: number): Promise<void> {
  for (let time = from; ; ) {
    const { pending, next, inFlight } = await setClock(time);
    if (pending === 0) return;
    if (next > time) time = inFlight > 0 ? time + 1000 : next;
    if (time > from + 24 * HOUR) throw new Error(`${pending} beacons are not settled`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const kill = (): Promise<void> => endProcess(child, 'SIGKILL');

type SegmentRequest = {
  readonly viewer: number;
  readonly ad: ListedAd;
  readonly path: string;
  readonly method: 'GET' | 'HEAD';
};
/** The number of responses. */
let responses = 0;
/** The segments of each ad that were delivered to each viewer. */
const delivered = new Map<string, { viewer: number; ad: ListedAd; paths: Set<string> }>();
const base = (viewer: number) => `http://127.0.0.1:${port}/hls/c/${viewerId(viewer)}`;

/** @returns whether there was a response; a server that is killed meanwhile delivers nothing */
async function send({ viewer, ad, path, method }: SegmentRequest): Promise<boolean> {
  try {
    const { statusCode, body, headers } = await request(`${base(viewer)}/${path}`, { method, dispatcher: agent });
    await body.dump();
    const result = `${path} ${statusCode} ${headers['cache-control']}`;
    if (result !== `${path} 302 private, no-store`) throw new Error(`Unexpected response: ${result}`);
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
    return false;
  }
  responses += 1;
  const key = `${viewer} ${ad.adId}`;
  const known = delivered.get(key) ?? { viewer, ad, paths: new Set<string>() };
  if (method === 'GET') known.paths.add(path);
  delivered.set(key, known);
  return true;
}

async function sendRequests(requests: readonly SegmentRequest[]): Promise<SegmentRequest[]> {
  const answered = await Promise.all(requests.map(send));
  return requests.filter((_, index) => !answered[index]);
}

/** The ads of a break by pod, read from the playlists of one viewer of each pod. */
async function readPods(place: number): Promise<Map<number, ListedAd[]>> {
  const pods = new Map<number, ListedAd[]>();
  for (let viewer = 0; pods.size < 5; viewer += 1) {
    const pod = podOf(viewer, place);
    if (pods.has(pod)) continue;
    const texts = new Map<string, string>();
    for (const rung of ['v0', 'v1', 'a0']) {
      texts.set(rung, await (await fetch(`${base(viewer)}/${rung}.m3u8`)).text());
    }
    pods.set(pod, adsOf(texts));
  }
  return pods;
}

/** All requests of a break, by second after its start. */
function schedule(place: number, startsAt: number, pods: ReadonlyMap<number, readonly ListedAd[]>): SegmentRequest[][] {
  const bySecond: SegmentRequest[][] = [];
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    // Some viewers do not watch this break.
    if (random() < 0.25) continue;
    const latency = 6 + 6 * random();
    pods.get(podOf(viewer, place))!.forEach((ad, index) => {
      const behaviour = (viewer + place + index) % 10;
      for (const { at, path, method } of requestsOf(ad, behaviour, latency)) {
        const second = Math.ceil((ad.start - startsAt) / 1000 + at);
        bySecond[second] ??= [];
        bySecond[second].push({ viewer, ad, path, method });
      }
    });
  }
  return bySecond;
}

/** @param killAt the second in which the server is killed among its requests */
async function playBreak(place: number, killAt: number | undefined): Promise<void> {
  const startsAt = breaks[place]!.placed.startsAt;
  await setClock(startsAt + 31_000);
  const pods = await readPods(place);
  const bySecond = schedule(place, startsAt, pods);
  let unanswered: SegmentRequest[] = [];
  for (let second = 0; second < bySecond.length; second += 1) {
    await setClock(startsAt + 1000 * second);
    if (second === 12) receiver.fail(60);
    const before = responses;
    const sending = sendRequests([...unanswered, ...(bySecond[second] ?? [])]);
    if (second !== killAt) unanswered = await sending;
    else {
      await expect.poll(() => responses, { interval: 1 }).toBeGreaterThan(before);
      await kill();
      unanswered = await sending;
      await start();
    }
  }
  expect(await sendRequests(unanswered)).toEqual([]);
}

async function readLedger(): Promise<BeaconRow[]> {
  const sql = await openSqlite(folder);
  const store = sqlBeacons(sql);
  const filter = { tenant: 't', from: millis(0), to: millis(START + 100 * HOUR) };
  const rows: BeaconRow[] = [];
  for (;;) {
    const page = await store.list(filter, rows.at(-1), 5000);
    rows.push(...page);
    if (page.length < 5000) break;
  }
  await sql.close();
  return rows;
}

/** The differences between two sorted lists, at most twenty lines of each kind. */
function differences(actual: readonly string[], expected: readonly string[]) {
  const missing: string[] = [];
  const extra: string[] = [];
  for (let a = 0, e = 0; a < actual.length || e < expected.length; ) {
    if (actual[a] === expected[e]) {
      a += 1;
      e += 1;
    } else if (e >= expected.length || actual[a]! < expected[e]!) extra.push(actual[a++]!);
    else missing.push(expected[e++]!);
  }
  return { missing: missing.slice(0, 20), extra: extra.slice(0, 20) };
}

const receiver = await opened(startReceiver(5));
beforeAll(async () => {
  const sql = await openSqlite(folder);
  await createSessions(VIEWERS, sqlSessions(sql), { airing, breaks, receiver: receiver.url });
  await sql.close();
  await start();
});
afterAll(async () => {
  await kill();
  server.remove();
});

test('every beacon arrives once despite faults and kills', async () => {
  let kills = 0;
  for (let place = 0; place < BREAKS; place += 1) {
    // Once during requests of viewers, once while only the sender is active.
    const killAt = place === 1 ? 17 : undefined;
    await playBreak(place, killAt);
    kills += killAt === undefined ? 0 : 1;
    if (place === 2) {
      await kill();
      await start();
      kills += 1;
    }
  }
  expect(kills).toBe(2);
  await sendAll(spanEnd(breaks.at(-1)!) + 60_000);
  await kill();

  const expected = [...delivered.values()]
    .flatMap(({ viewer, ad, paths }) => expectedOf(viewerId(viewer), ad, paths))
    .sort();
  const rows = await readLedger();
  const nameOf = (url: string): string => {
    const { pathname, searchParams } = new URL(url, receiver.url);
    return [pathname.slice(1), ...['s', 'a', 'e'].map((name) => searchParams.get(name))].join(' ');
  };
  expect(expected.length).toBeGreaterThan(10_000);
  const recorded = rows.map(({ url }) => nameOf(url)).sort();
  expect(differences(recorded, expected)).toEqual({ missing: [], extra: [] });
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));

  const byUrl = new Map<string, Receiver['arrivals'][number][]>();
  for (const arrival of receiver.arrivals) {
    const url = new URL(arrival.url, receiver.url).href;
    byUrl.set(url, [...(byUrl.get(url) ?? []), arrival]);
  }
  const arrived = [...byUrl.keys()].map(nameOf).sort();
  expect(differences(arrived, expected)).toEqual({ missing: [], extra: [] });
  /** Descriptions of what is wrong with a row; an assertion per row would be slow for tens of thousands of rows. */
  const faultsOf = ({ url, unsure, attempts }: BeaconRow): string[] => {
    const arrivals = byUrl.get(new URL(url).href)!;
    const of = (...fates: readonly string[]) => arrivals.filter(({ fate }) => fates.includes(fate)).length;
    // Only attempts with an unknown outcome are marked: missing or late responses, and claims of a process that was killed.
    const unanswered = of('stalled', 'reset') + of('well', 'late') - 1;
    const [, viewer] = /viewer-(\d+)/.exec(url)!;
    const rules: Record<string, boolean> = {
      // Requests that succeeded or may have; every one after the first requires a mark.
      'counted more often than marked': of('well', 'late', 'stalled', 'reset') <= 1 + unsure,
      'never successful': of('well', 'late') >= 1,
      'arrived more often than it was sent': arrivals.length <= attempts,
      'marked without a reason': unsure <= unanswered + kills,
      'sent for another viewer':
        arrivals[0]!.address === `192.0.2.${Number(viewer) % 250}` && arrivals[0]!.userAgent === `Player/${viewer}`,
      'unexpected macro values':
        /cb=\d{8}&t=2026-05-01T1\d%3A\d\d%3A\d\d\.\d{3}Z&p=00%3A00%3A\d\d\.\d{3}&no=\[UNKNOWN_MACRO\]$/.test(url),
    };
    return Object.entries(rules).flatMap(([what, holds]) => (holds ? [] : [`${url}: ${what}`]));
  };
  expect(rows.flatMap(faultsOf)).toEqual([]);
  const repeated = rows.filter(({ attempts }) => attempts > 1).length;
  expect(repeated).toBeGreaterThan(500);
});
