// SPDX-License-Identifier: Apache-2.0
// Three nodes on one PostgreSQL are replaced one after the other while viewers watch linear, live and VoD channels in HLS and in
// DASH. Meanwhile the schema becomes that of a next version. No request fails, no law is broken, each break is requested once, and
// each beacon is sent once.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import { openPostgresPool } from '../../src/adapters/sql/postgresPool.ts';
import type { Migration } from '../../src/adapters/sql/schema/schema.ts';
import { migrate } from '../../src/adapters/sql/sqlMigrate.ts';
import { schema } from '../../src/database.ts';
import { writeVast } from '../live/adHost.ts';
import { airLive, beaconsOf, EVENTS, offerSpots, startOrigin } from '../live/liveStage.ts';
import { edgeOf } from '../live/liveTruth.ts';
import { type MidrollProcess, startMidroll } from '../live/midroll.ts';
import { mediaPlaylists } from '../live/openSession.ts';
import { adSource, item, openStageOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { airVod } from '../vod/watchVod.ts';
import { startReadyBalancer } from './readyBalancer.ts';

const DRAIN_SECONDS = 3;
/** In each format, of the linear and of the live channel. */
const LINEAR_VIEWERS = 6;
const LIVE_VIEWERS = 3;
/** Milliseconds until the ad server responds, so that a node is always waiting for it when it is ended. */
const AD_DELAY = 1000;

const folder = scratchFolder();

/** A DATA_DIR of its own for each node; the media are shared, as in deploy/kubernetes. */
function dataDirOf(name: string): string {
  const dataDir = join(folder, name);
  mkdirSync(join(folder, 'media'), { recursive: true });
  mkdirSync(dataDir);
  symlinkSync(join(folder, 'media'), join(dataDir, 'media'));
  return dataDir;
}

const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, SECRET_KEY: 'shared by all nodes', DRAIN_SECONDS: `${DRAIN_SECONDS}` };
const start = (name: string, ROLE: string) => opened(startMidroll({ ...settings, ROLE, DATA_DIR: dataDirOf(name) }));
const first = await start('one', 'all');
const nodes: readonly MidrollProcess[] = [
  first,
  ...(await Promise.all([start('two', 'serve'), start('three', 'serve')])),
];
const stage = await opened(openStageOf(first));
const balancer = await opened(startReadyBalancer(nodes));

/** Applies a migration that this version does not contain. */
async function expandSchema(): Promise<void> {
  const pool = openPostgresPool(database.url, { connectMs: 5000, statementMs: 0 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const expand: Migration = async (it) => {
    for (const table of ['sessions', 'breaks', 'claims', 'deliveries', 'beacons', 'channels'])
      await it.schema
        .alterTable(table)
        .addColumn('of_the_next_version', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    await it.schema.createTable('of_the_next_version').addColumn('id', 'text').execute();
    await it.schema.createIndex('of_the_next_version_by_id').on('breaks').column('of_the_next_version').execute();
  };
  await db
    .transaction()
    .execute((transaction) =>
      migrate(transaction, 'postgres', { ...schema, migrations: [...schema.migrations, expand] }),
    );
  await db.destroy();
}

/** The requests for the ads of each break of each viewer. */
function adRequests(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of stage.adHost.seen) {
    const { pathname, searchParams } = new URL(path, stage.adHost.url);
    if (pathname === '/beacon') continue;
    const key = `${pathname} ${searchParams.get('viewer')} ${searchParams.get('break')}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

async function airChannels(): Promise<void> {
  const { adHost } = stage;
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3)]);
  const tracking = `${adHost.url}/beacon?event=[EVENT]`;
  const ads = writeVast([{ id: 'a', seconds: 3, url: spot, tracking }]);
  for (const channel of ['linear', 'films'])
    adHost.on(`/${channel}`, async (response) => {
      await sleep(AD_DELAY);
      response.writeHead(200, { 'content-type': 'application/xml' }).end(ads);
    });
  const origin = await startOrigin(stage, {
    hlsMarkers: 'daterange',
    window: 24,
    breaks: { every: 20, seconds: 8, lead: 6 },
  });
  await airLive(stage, 'live', { sourceManifestUrl: origin.hlsUrl });
  await offerSpots(stage, 'live');
  await stage.air('linear', [item(video, { spliceTime: 4, maxDuration: 6 })], {
    adSource: adSource(adHost, '/linear'),
  });
  const cued = { ...item(video), cuePoints: [{ spliceTime: 4 }] };
  await airVod(stage, 'films', [cued], { adSource: adSource(adHost, '/films'), vodBudgetMs: 3000 });
  // Each node has read the channels.
  let opened = 0;
  for (const { liveUrl } of nodes)
    for (const channel of ['linear', 'live', 'films'])
      await expect
        .poll(async () => {
          opened += 1;
          return (await fetch(`${liveUrl}/hls/${channel}/master.m3u8?api-key=key&viewer=early${opened}`)).status;
        })
        .toBe(200);
}

async function watchAll(): Promise<Viewer[]> {
  const watching = { send: balancer.send, isTimed: false, fetches: 'ours' } as const;
  const inBoth = (channel: string, count: number) =>
    Array.from({ length: count }, (_, index) => [
      stage.watch(channel, { ...watching, query: `viewer=hls${index}`, dash: false }),
      stage.watch(channel, { ...watching, query: `viewer=dash${index}`, hls: false, opens: 'dash' }),
    ]).flat();
  return Promise.all([...inBoth('linear', LINEAR_VIEWERS), ...inBoth('live', LIVE_VIEWERS)]);
}

/** Opens sessions and reads their media playlists, each at another node, until the test is over. @returns what failed */
async function openSessions(isOver: () => boolean): Promise<{ opened: number; faults: string[] }> {
  const faults: string[] = [];
  const { liveUrl } = nodes[0]!;
  const read = async (path: string): Promise<string> => {
    const response = await balancer.send(`${liveUrl}/hls/${path}`);
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.text();
  };
  let opened = 0;
  for (; !isOver(); opened += 1) {
    const channel = ['films', 'linear', 'live'][opened % 3]!;
    try {
      const [path] = mediaPlaylists(await read(`${channel}/master.m3u8?api-key=key&viewer=new${opened}`));
      const texts = [await read(`${channel}/${path}`), await read(`${channel}/${path}`)];
      if (channel === 'films') expect(texts[0]).toBe(texts[1]);
    } catch (error) {
      faults.push(`${(error as Error).message} ${(error as Error).cause ?? ''}`);
    }
    await sleep(300);
  }
  return { opened, faults };
}

/** Waits until the edge of each viewer has moved by so many seconds. */
async function allContinue(viewers: readonly Viewer[], seconds: number): Promise<void> {
  const edge = (viewer: Viewer): number => edgeOf(viewer, viewer.rungs[0]!);
  const goals = viewers.map((viewer) => edge(viewer) + 1000 * seconds);
  await Promise.all(
    viewers.map((viewer, index) => viewer.until('the edge has moved', () => edge(viewer) > goals[index]!)),
  );
}

/** Each of the ads that were delivered completely has sent each of its beacons, and no beacon was sent twice. */
async function expectBeaconsOnce(viewers: readonly Viewer[]): Promise<void> {
  const isComplete = async (viewer: Viewer): Promise<boolean> => {
    const all = await beaconsOf(stage, viewer);
    return all.length >= EVENTS.length && all.every(({ outcome }) => outcome === 'sent');
  };
  let sent = 0;
  for (const viewer of viewers) {
    await viewer.until('its beacons are sent', () => isComplete(viewer));
    const keys = (await beaconsOf(stage, viewer)).map(({ ad, event }) => `${ad} ${event}`);
    expect(new Set(keys).size).toBe(keys.length);
    sent += keys.length;
  }
  expect(sent).toBeGreaterThan(viewers.length * EVENTS.length);
  const received = stage.adHost.seen.filter(({ path }) => path.startsWith('/beacon'));
  expect(received.length).toBe(sent);
}

test('nodes are replaced under load, and no player notices', async () => {
  await airChannels();
  const viewers = await watchAll();
  const linear = viewers[0]!;
  await linear.until('a break has ads', async () =>
    (await stage.breaks(linear)).some(({ status }) => status !== 'empty'),
  );
  let isOver = false;
  const openings = openSessions(() => isOver);
  for (const node of nodes) {
    await expect.poll(() => balancer.isReady(node)).toBe(true);
    await allContinue(viewers, 8);
    node.signal('SIGTERM');
    expect(await node.exited()).toBe(0);
    await allContinue(viewers, 4);
    // As the first node of the next version does. From then on, nodes run and start on a newer schema.
    if (node === nodes[1]) await expandSchema();
    await node.restart();
  }
  await expect.poll(() => nodes.every(balancer.isReady)).toBe(true);
  await allContinue(viewers, 8);
  isOver = true;
  const { opened, faults } = await openings;
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(faults).toEqual([]);
  expect(opened).toBeGreaterThan(20);
  expect(viewers.flatMap((viewer) => viewer.faults)).toEqual([]);
  const requests = [...adRequests()].filter(([key]) => !key.includes(' null '));
  expect(requests.length).toBeGreaterThan(viewers.length);
  expect(requests.filter(([, count]) => count > 1)).toEqual([]);
  await expectBeaconsOnce(viewers);
  for (const node of nodes) {
    expect(node.logged('ended').map(({ unfinished }) => unfinished)).toEqual([[]]);
    expect(node.bugs().filter((line) => !line.includes('"level":40'))).toEqual([]);
  }
});
