// SPDX-License-Identifier: Apache-2.0
// kill -9 at twenty random moments while viewers watch ads: afterwards reports and the ledger agree with each other and with
// what the viewers requested, which the test counts independently.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { sqlChannels } from '../../src/adapters/sql/channels/sqlChannels.ts';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { uncounted } from '../../src/adapters/sql/tracking/sqlDeliveries.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
import { reportRetention, sqlReports } from '../../src/platform/reports/store/sql/sqlReports.ts';
import { ownSystem, systemKey } from '../../src/platform/systems/rules/system.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { millis } from '../../src/time/units.ts';
import { opened, scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { bundleProgram } from '../servers/bundled.ts';
import { createDatabase, type PostgresDatabase } from '../servers/postgresDatabase.ts';
import { breaksOf, createSessions, podOf, START, soakAiring, viewerId } from './soakChannel.ts';
import { adsOf, expectedOf, type ListedAd, requestsOf } from './soakPlayers.ts';

const VIEWERS = 250;
const KILLS = 20;
const CONCURRENCY = 24;
const SECRET = 'a secret for tests';
const HOUR = 3_600_000;
const airing = soakAiring();
const [span] = breaksOf(airing, 1);
const clockStart = span!.placed.startsAt + 31_000;
const system = ownSystem('t', 'ann@example.com', new Date(START).toISOString());
const program = bundleProgram(join(import.meta.dirname, 'countingServer.ts'));
const agent = await opened(new Agent({ connections: CONCURRENCY }));
const scratch = scratchFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  program.remove();
});

const newFolder = () => mkdtempSync(join(scratch, 'node-'));

type Node = { readonly child: ChildProcess; readonly port: number; readonly folder: string };

/** @param clock the instant at which the clock starts to move; 0 for a clock that does not move */
async function start(settings: Readonly<Record<string, string>>, folder: string, clock: number): Promise<Node> {
  const all = JSON.stringify({ ...settings, DATA_DIR: folder, SECRET_KEY: SECRET });
  const child = fork(program.file, [all, String(clockStart), String(clock)]);
  children.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port, folder };
}

async function end({ child }: Node, how: 'kill -9' | 'stop'): Promise<void> {
  const exited = once(child, 'exit');
  if (how === 'stop') child.send('stop');
  else child.kill('SIGKILL');
  await exited;
}

/** The ads of the break by pod, read from the playlists of one viewer of each pod. */
async function readPods({ port }: Node): Promise<Map<number, ListedAd[]>> {
  const pods = new Map<number, ListedAd[]>();
  for (let viewer = 0; pods.size < 5; viewer += 1) {
    const pod = podOf(viewer, 0);
    if (pods.has(pod)) continue;
    const texts = new Map<string, string>();
    for (const rung of ['v0', 'v1', 'a0']) {
      const url = `http://127.0.0.1:${port}/hls/c/${viewerId(viewer)}/${rung}.m3u8`;
      texts.set(rung, await (await fetch(url)).text());
    }
    pods.set(pod, adsOf(texts));
  }
  return pods;
}

type SegmentRequest = { readonly viewer: number; readonly ad: ListedAd; readonly path: string };

/** All requests of the viewers, in a reproducible order. */
function allRequests(pods: ReadonlyMap<number, readonly ListedAd[]>, random: () => number): SegmentRequest[] {
  const requests: (SegmentRequest & { readonly at: number })[] = [];
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    pods.get(podOf(viewer, 0))!.forEach((ad, index) => {
      for (const { at, path, method } of requestsOf(ad, (viewer + index) % 10, 0)) {
        if (method === 'GET') requests.push({ viewer, ad, path, at: at + 20 * random() });
      }
    });
  }
  return requests.sort((one, other) => one.at - other.at);
}

async function runConcurrently(
  requests: readonly SegmentRequest[],
  send: (one: SegmentRequest) => Promise<void>,
): Promise<void> {
  const rest = requests.values();
  const work = async () => {
    for (const one of rest) await send(one);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

const eventsOf = (lines: readonly string[]) => {
  const count = (name: string) => lines.filter((line) => line.endsWith(` ${name}`)).length;
  return {
    started: count('start'),
    ...{ firstQuartile: count('firstQuartile'), midpoint: count('midpoint'), thirdQuartile: count('thirdQuartile') },
    completed: count('complete'),
  };
};

async function ledgerOf(sql: Sql) {
  const filter = { tenant: 't', from: millis(0), to: millis(START + 1000 * HOUR) };
  const rows = await sqlBeacons(sql).list(filter, undefined, 1_000_000);
  return eventsOf(rows.map(({ sessionId, ownerId, event }) => `${sessionId} ${ownerId} ${event}`));
}

async function reportOf(sql: Sql) {
  const range = { start: millis(START), end: millis(START + 24 * HOUR), interval: 24 * HOUR };
  const store = sqlReports(sql, reportRetention());
  const [ads] = await store.read({ system: systemKey(system), report: 'ads', ...range }, 10);
  const { started, firstQuartile, midpoint, thirdQuartile, completed } = ads?.amounts ?? {};
  return { started, firstQuartile, midpoint, thirdQuartile, completed };
}

describe.each([
  ['SQLite, one node', 1, async () => undefined],
  ['PostgreSQL, two nodes', 2, createDatabase],
] as [string, number, () => Promise<PostgresDatabase | undefined>][])('%s', (_, count, createStore) => {
  test('reports and ledger agree after twenty kills', async () => {
    const database = await createStore();
    const folder = newFolder();
    const settings: Record<string, string> = database === undefined ? {} : { DATABASE_URL: database.url };
    const sql = await (database === undefined ? openSqlite(folder) : openPostgres(database.url));
    await sqlSystems(sql, createSecretBox(SECRET)).insert(system);
    await sqlChannels(sql).insert({ id: airing.channel.id, tenant: 't', state: 'enabled', apiKey: 'k' } as Channel);
    await createSessions(VIEWERS, sqlSessions(sql), { airing, breaks: [span!], receiver: 'https://track.test' });

    const probe = await start(settings, folder, 0);
    const pods = await readPods(probe);
    await end(probe, 'stop');
    const clock = Date.now();
    const starting = Array.from({ length: count }, (_one, index) =>
      start(settings, index === 0 ? folder : newFolder(), clock),
    );
    const nodes = await Promise.all(starting);

    const random = seededRandom(17);
    const delivered = new Map<string, { viewer: number; ad: ListedAd; paths: Set<string> }>();
    let responses = 0;
    async function send({ viewer, ad, path }: SegmentRequest): Promise<void> {
      for (;;) {
        const { port } = nodes[Math.floor(random() * count)]!;
        const url = `http://127.0.0.1:${port}/hls/c/${viewerId(viewer)}/${path}`;
        try {
          const { statusCode, body } = await request(url, { dispatcher: agent });
          await body.dump();
          expect(statusCode).toBe(302);
          break;
        } catch (error) {
          if ((error as { code?: string }).code === undefined) throw error;
          await sleep(5);
        }
      }
      responses += 1;
      const key = `${viewer} ${ad.adId}`;
      const known = delivered.get(key) ?? { viewer, ad, paths: new Set<string>() };
      delivered.set(key, { ...known, paths: known.paths.add(path) });
    }

    const requests = allRequests(pods, random);
    const share = Math.ceil(requests.length / KILLS);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const some = requests.slice(kill * share, (kill + 1) * share);
      const killAt = responses + Math.floor(random() * some.length);
      const sending = runConcurrently(some, send);
      await expect.poll(() => responses, { interval: 1 }).toBeGreaterThanOrEqual(killAt);
      // Deliveries are counted every quarter of a second here.
      if (kill % 2 === 1) await sleep(400 * random());
      const [index, killed] = [kill % count, nodes[kill % count]!];
      await end(killed, 'kill -9');
      nodes[index] = await start(settings, killed.folder, clock);
      await sending;
    }
    const isWaiting = async (): Promise<boolean> => {
      const rows = await sql.db.selectFrom('deliveries').select('ad_id').where(uncounted).limit(1).execute();
      const waiting = sql.db.selectFrom('delivery_counts').select('number').where('body', 'is not', null).limit(1);
      const spools = nodes.map((node) => join(node.folder, 'deliveries'));
      return (
        rows.length + (await waiting.execute()).length > 0 ||
        spools.some((spool) => existsSync(spool) && readdirSync(spool).length > 0)
      );
    };
    await expect.poll(isWaiting, { interval: 100 }).toBe(false);
    await Promise.all(nodes.map((node) => end(node, 'stop')));

    const truth = eventsOf(
      [...delivered.values()].flatMap(({ viewer, ad, paths }) => expectedOf(viewerId(viewer), ad, paths)),
    );
    expect(truth.completed).toBeGreaterThan(100);
    const [ledger, report] = [await ledgerOf(sql), await reportOf(sql)];
    await sql.close();
    await database?.drop();
    expect({ ledger, report }).toEqual({ ledger: truth, report: truth });
  });
});
