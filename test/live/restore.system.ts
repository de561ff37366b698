// SPDX-License-Identifier: Apache-2.0
// A backup that is restored after everything was lost, on a virtual clock: with the commands of
// docs/backup.md, on SQLite and on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { readPage, root } from '../../site/markdownPages.ts';
import { startMidroll } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createVirtualClock } from '../clock/virtualClock.ts';
import { type CodeBlock, codeBlocks } from '../docs/codeBlocks.ts';
import { isExecuted } from '../docs/runBlocks.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { postgresPrograms } from '../servers/programs.ts';
import { startAdHost } from './adHost.ts';
import { startMediaOrigin } from './mediaOrigin.ts';
import { adminClient, apiKey, type Midroll } from './midroll.ts';
import { adSource, item, titlesOf } from './stage.ts';
import { makeSpot, makeVideo } from './testVideos.ts';
import { type Viewer, watch } from './viewer.ts';

const folder = scratchFolder();
const stops: (() => unknown)[] = [];
const clock = await opened(createVirtualClock());
const [origin, adHost] = await Promise.all([opened(startMediaOrigin()), opened(startAdHost())]);
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Midroll in this process, started again on the same ports. */
async function startIn(env: Readonly<Record<string, string>>) {
  const start = async (ports: Readonly<Record<string, string>>) => {
    const read = readConfig({ ...env, ...ports });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    return startMidroll(read.config, undefined, { clock });
  };
  let running = await start({ ADMIN_PORT: '0', LIVE_PORT: '0' });
  const { adminUrl, liveUrl } = running;
  const close = async () => running.close();
  stops.push(close);
  return {
    ...{ adminUrl, liveUrl, close, ...adminClient(adminUrl) },
    async restart() {
      running = await start({ ADMIN_PORT: new URL(adminUrl).port, LIVE_PORT: new URL(liveUrl).port });
    },
  };
}

/** A channel with a break of 8 s in each item of 8 s. The ads of a break differ from those of the one before. */
async function air(midroll: Pick<Midroll, 'create'>): Promise<void> {
  const video = origin.url + (await makeVideo(origin.folder, 'video', { seconds: 8 }));
  const spots = await Promise.all([3, 4].map((seconds) => makeSpot(origin.folder, `spot${seconds}`, seconds)));
  const ads = spots.map((spot, index) => ({ id: `ad${index}`, seconds: 3 + index, url: origin.url + spot }));
  let requests = 0;
  adHost.offer('/ads', () => (requests++ % 2 === 0 ? ads : ads.slice(0, 1)));
  const contents = [item(video, { spliceTime: 4, maxDuration: 8 })];
  await midroll.create('playlists', { id: 'one', status: 'enabled', contents });
  await midroll.create('channels', {
    ...{ id: 'one', state: 'enabled', apiKey: 'key', playlistId: 'one', adSource: adSource(adHost, '/ads') },
  });
}

const isPostgres = { SQLite: false, PostgreSQL: true };
async function reset(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

const commandsText = readPage('docs/backup.md');
const commands = codeBlocks(commandsText).filter(isExecuted);

/** Executes the only block of docs/backup.md that matches. */
function follow(env: NodeJS.ProcessEnv, pattern: RegExp): string {
  const [block, ...others] = commands.filter(({ content }) => pattern.test(content));
  expect([block, others]).toEqual([expect.anything(), []]);
  executed.add(block!);
  const script = `midroll() { node dist/midroll.js "$@"; }\n${block!.content}`;
  const PATH = `${postgresPrograms()}:${process.env.PATH}`;
  // Synchronously, because the clock advances while this process waits.
  const { status, stderr } = spawnSync('sh', ['-euc', script], { cwd: root, env: { ...env, PATH }, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, stderr]);
  return stderr;
}
const executed = new Set<CodeBlock>();

test.each(['SQLite', 'PostgreSQL'] as const)('a channel continues from a backup on %s', async (store) => {
  const dataDir = join(folder, store);
  const copy = join(folder, `${store}-copy`);
  const database = isPostgres[store] ? await createDatabase() : undefined;
  if (database) stops.push(database.drop);
  const env = {
    ...{ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: apiKey, EGRESS_ALLOW: '127.0.0.0/8', ADMIN_RATE_LIMIT: '0' },
    ...{ LOG_LEVEL: 'fatal', ...(database ? { DATABASE_URL: database.url } : {}) },
  };
  const midroll = await startIn(env);
  await air(midroll);
  const watching = { clock, liveUrl: midroll.liveUrl, channel: 'one', apiKey: 'key' };
  const breaks = async ({ session }: Viewer) => (await midroll.api('GET', `/sessions/${session}`)).json.breaks ?? [];
  const hasAds = async (viewer: Viewer) => (await breaks(viewer)).filter((one: never) => titlesOf(one).length > 0);
  const before = await watch(watching);
  await before.until('two breaks with ads', async () => (await hasAds(before)).length > 1);
  const timeline = async () => {
    const [from, to] = [0, 120_000].map((after) => new Date(clock.now() + after).toISOString());
    return (await midroll.api('GET', `/channels/one/timeline?from=${from}&to=${to}`)).json.entries;
  };

  const own = { ...env, BACKUP: copy };
  const notes = follow(own, database ? /pg_dump/ : /^midroll backup "\$BACKUP"\n$/);
  // The command in the documentation is the one that was printed.
  if (database) expect(notes).toContain(/--format.*source_rates'/.exec(commandsText)![0]);
  // More breaks, which the backup does not contain.
  await before.until('four breaks with ads', async () => (await hasAds(before)).length > 3);
  await before.leave();
  expect(before.faults).toEqual([]);
  const planned = await timeline();
  await midroll.close();
  rmSync(dataDir, { recursive: true });
  if (database) await reset(database.url);
  follow(own, /midroll restore/);
  if (database) {
    follow(own, /pg_restore/);
    follow(own, /TRUNCATE/);
  }
  await midroll.restart();

  // Its manifests would contradict those that the viewer has seen.
  expect((await fetch(`${midroll.liveUrl}/hls/one/${before.session}/v0.m3u8`)).status).toBe(404);
  const after = await watch(watching);
  await after.until('two breaks with ads', async () => (await hasAds(after)).length > 1);
  await after.leave();
  expect(after.faults).toEqual([]);
  // The schedule is the one from before: its entries start at the same instants.
  const starts = (await timeline()).map(({ startsAt }: { startsAt: string }) => startsAt);
  expect(planned.filter(({ startsAt }: { startsAt: string }) => starts.includes(startsAt)).length).toBeGreaterThan(2);
});

test('every command of docs/backup.md was executed', () => {
  expect(commands.filter((block) => !executed.has(block))).toEqual([]);
});
