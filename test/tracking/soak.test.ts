// A thousand viewers, an hour of their time, a receiver that fails in every way, and a server that is killed twice: every
// beacon that follows from what was asked for arrives, counted by someone who shares no rule with the server, and none
// twice but where an answer was lost, which is marked.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../../src/adapters/sql/sql.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { millis } from '../../src/time/units.ts';
import { spanEnd } from '../../src/timeline/span.ts';
import type { BeaconRow } from '../../src/tracking/beacons/beacon.ts';
import { seededRandom } from '../seededRandom.ts';
import { bundleProgram } from '../servers/bundled.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { breaksOf, podOf, START, seatViewers, soakAiring, viewerId } from './soakChannel.ts';
import { adsOf, expectedOf, type ListedAd, requestsOf } from './soakPlayers.ts';

/** The soak of `npm run test:long` has more. */
const VIEWERS = Number(process.env.SOAK_VIEWERS ?? 1000);
const BREAKS = Number(process.env.SOAK_BREAKS ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'midroll-soak-'));
const server = bundleProgram(join(import.meta.dirname, 'soakServer.ts'));
const agent = new Agent({ connections: 32 });
const random = seededRandom(11);
const airing = soakAiring();
const breaks = breaksOf(airing, BREAKS);
const HOUR = 3_600_000;
let receiver: Receiver;
let child: ChildProcess;
let port = 0;

async function start(): Promise<void> {
  child = fork(server.file, [folder]);
  const [hello] = (await once(child, 'message')) as [{ port: number }];
  port = hello.port;
}

/** What the server has still to send: `next` is when the first of them is due, or its claim ends. */
type Backlog = { readonly pending: number; readonly next: number; readonly underWay: number };

async function turnClock(time: number): Promise<Backlog> {
  const told = once(child, 'message') as Promise<[Backlog]>;
  child.send(time);
  return (await told)[0];
}

/**
 * Turns the clock until every beacon is settled. It stands still while beacons are due: a slow machine must not reach the
 * age at which they are given up. It creeps while exchanges are under way, so that no claim ends before they do.
 */
async function sendAll(from: number): Promise<void> {
  for (let time = from; ; ) {
    const { pending, next, underWay } = await turnClock(time);
    if (pending === 0) return;
    if (next > time) time = underWay > 0 ? time + 1000 : next;
    if (time > from + 24 * HOUR) throw new Error(`${pending} beacons are still to be sent`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function kill(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

type Asking = {
  readonly viewer: number;
  readonly ad: ListedAd;
  readonly path: string;
  readonly method: 'GET' | 'HEAD';
};
/** How many requests were answered. */
let answers = 0;
/** What each viewer was given of each ad. */
const given = new Map<string, { viewer: number; ad: ListedAd; paths: Set<string> }>();
const base = (viewer: number) => `http://127.0.0.1:${port}/hls/c/${viewerId(viewer)}`;

/** True when it was answered; a server that is killed meanwhile has given nothing. */
async function ask({ viewer, ad, path, method }: Asking): Promise<boolean> {
  try {
    const { statusCode, body, headers } = await request(`${base(viewer)}/${path}`, { method, dispatcher: agent });
    await body.dump();
    const answer = `${path} ${statusCode} ${headers['cache-control']}`;
    if (answer !== `${path} 302 no-store`) throw new Error(`an answer that no player expects: ${answer}`);
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
    return false;
  }
  answers += 1;
  const key = `${viewer} ${ad.adId}`;
  const known = given.get(key) ?? { viewer, ad, paths: new Set<string>() };
  if (method === 'GET') known.paths.add(path);
  given.set(key, known);
  return true;
}

async function askAll(askings: readonly Asking[]): Promise<Asking[]> {
  const answered = await Promise.all(askings.map(ask));
  return askings.filter((_, index) => !answered[index]);
}

/** The ads of a break, by pod: read from what one viewer of each pod is listed. */
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

/** Everything that is asked for in a break, by the second after its start. */
function schedule(place: number, startsAt: number, pods: ReadonlyMap<number, readonly ListedAd[]>): Asking[][] {
  const bySecond: Asking[][] = [];
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    // Some are elsewhere.
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
  await turnClock(startsAt + 31_000);
  const pods = await readPods(place);
  const bySecond = schedule(place, startsAt, pods);
  let unanswered: Asking[] = [];
  for (let second = 0; second < bySecond.length; second += 1) {
    await turnClock(startsAt + 1000 * second);
    if (second === 12) receiver.goDark(60);
    const before = answers;
    const asking = askAll([...unanswered, ...(bySecond[second] ?? [])]);
    if (second !== killAt) unanswered = await asking;
    else {
      await expect.poll(() => answers, { interval: 1 }).toBeGreaterThan(before);
      await kill();
      unanswered = await asking;
      await start();
    }
  }
  expect(await askAll(unanswered)).toEqual([]);
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

/** How two sorted lists differ, twenty lines of each at most: of a million lines, more would only hide what is wrong. */
function differences(got: readonly string[], wanted: readonly string[]) {
  const missing: string[] = [];
  const extra: string[] = [];
  for (let g = 0, w = 0; g < got.length || w < wanted.length; ) {
    if (got[g] === wanted[w]) {
      g += 1;
      w += 1;
    } else if (w >= wanted.length || got[g]! < wanted[w]!) extra.push(got[g++]!);
    else missing.push(wanted[w++]!);
  }
  return { missing: missing.slice(0, 20), extra: extra.slice(0, 20) };
}

beforeAll(async () => {
  receiver = await startReceiver(5);
  const sql = await openSqlite(folder);
  await seatViewers(VIEWERS, sqlSessions(sql), { airing, breaks, receiver: receiver.url });
  await sql.close();
  await start();
});
afterAll(async () => {
  await kill();
  await agent.close();
  await receiver.close();
  server.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('every beacon arrives, once, through faults and kills', async () => {
  let kills = 0;
  for (let place = 0; place < BREAKS; place += 1) {
    // Once among the requests of viewers, once while the sender is at work and nobody asks.
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

  const expected = [...given.values()]
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
  /** What is wrong with a row, in words; of tens of thousands, few are ever worth an assertion of their own. */
  const faultsOf = ({ url, unsure, attempts }: BeaconRow): string[] => {
    const arrivals = byUrl.get(new URL(url).href)!;
    const of = (...fates: readonly string[]) => arrivals.filter(({ fate }) => fates.includes(fate)).length;
    // Nothing is marked but what nobody knows: answers that did not come, or not in time, and claims of a process that
    // was killed.
    const unanswered = of('stalled', 'reset') + of('well', 'late') - 1;
    const [, viewer] = /viewer-(\d+)/.exec(url)!;
    const laws: Record<string, boolean> = {
      // Answered well, or perhaps. What comes after the first is explained by a mark each.
      'counted more often than is marked': of('well', 'late', 'stalled', 'reset') <= 1 + unsure,
      'never answered well': of('well', 'late') >= 1,
      'arrived more often than it was sent': arrivals.length <= attempts,
      'marked without a reason': unsure <= unanswered + kills,
      'sent for another viewer':
        arrivals[0]!.address === `192.0.2.${Number(viewer) % 250}` && arrivals[0]!.userAgent === `Player/${viewer}`,
      'filled in otherwise':
        /cb=\d{8}&t=2026-05-01T1\d%3A\d\d%3A\d\d\.\d{3}Z&p=00%3A00%3A\d\d\.\d{3}&no=\[NOBODY_KNOWS\]$/.test(url),
    };
    return Object.entries(laws).flatMap(([what, holds]) => (holds ? [] : [`${url}: ${what}`]));
  };
  expect(rows.flatMap(faultsOf)).toEqual([]);
  const repeated = rows.filter(({ attempts }) => attempts > 1).length;
  expect(repeated).toBeGreaterThan(500);
});
