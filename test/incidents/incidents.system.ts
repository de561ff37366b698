// SPDX-License-Identifier: Apache-2.0
// Each fault that docs/incidents.md names, made on purpose, and the commands of its section and of its runbook followed to the end:
// their output has to show the fault. Two nodes on PostgreSQL, which are processes, so that they can be killed and have no room.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import { readPage, root } from '../../site/markdownPages.ts';
import { installTools } from '../docs/installTools.ts';
import { runBlocks } from '../docs/runBlocks.ts';
import { apiKey, startMidroll } from '../live/midroll.ts';
import { adSource, item, openStageOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startPostgres } from '../servers/startPostgres.ts';

vi.setConfig({ testTimeout: 100_000, hookTimeout: 120_000 });

const PAGE = 'docs/incidents.md';
const scratch = scratchFolder();
const tools = installTools(scratch);

let viewer: Viewer;

/** @param title of a section of the page, or the name of a runbook */
function contentOf(title: string): string {
  // The outputs of a runbook are those of an installation that works.
  if (/^[a-z-]+$/.test(title)) return readPage(`docs/runbooks/${title}.md`).replaceAll(/^```json\n.*?^```$/gms, '');
  const [, section] = readPage(PAGE).split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`${PAGE} has no section "${title}".`);
  return section.split('\n## ')[0] ?? '';
}

/** Executes the commands of a section. @returns what they print */
async function follow(title: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const variables = {
    BASE_URL: midroll.adminUrl,
    LIVE: midroll.liveUrl,
    KEY: apiKey,
    SYSTEM: system,
    CHANNEL: 'dead',
    SESSION_ID: viewer.session,
  };
  const outputs = await runBlocks(PAGE, contentOf(title), {
    cwd: root,
    env: { ...tools, ...variables, ...env },
  });
  return outputs.join('\n');
}

/** Follows a section until its commands show the fault. */
const expectShown = (title: string, fault: RegExp, env?: Readonly<Record<string, string>>): Promise<void> =>
  expect.poll(() => follow(title, env), { timeout: 40_000, interval: 1000 }).toMatch(fault);

const postgres = await opened(startPostgres(['-c', 'fsync=off']));
const settings = {
  DATABASE_URL: postgres.url,
  DATA_DIR: join(scratch, 'data'),
  DATABASE_CONNECT_TIMEOUT_MS: '1000',
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
};
const midroll = await opened(startMidroll(settings));
const other = await opened(startMidroll({ ...settings, ROLE: 'serve' }));
const stage = await opened(openStageOf(midroll));
const systems = await midroll.api('GET', '/systems');
const system = systems.json[0].id;
beforeAll(async () => {
  const video = await stage.video({ seconds: 20 });
  const cue = { spliceTime: 4, maxDuration: 8 };
  stage.adHost.offer('/gone', () => [{ id: 'tea', seconds: 8, url: `${stage.adHost.url}/gone.mp4` }]);
  await stage.air('dead', [item(video, cue)], { adSource: { url: `http://127.0.0.1:${await findFreePort(0)}/vast` } });
  await stage.air('gone', [item(video, cue)], { adSource: adSource(stage.adHost, '/gone') });
  viewer = await stage.watch('dead', { isTimed: false, fetches: 'ours' });
  await stage.watch('gone', { isTimed: false, fetches: 'ours' });
});

test('a dead ad server and a creative that cannot be fetched', async () => {
  const section = 'Fill dropped';
  await expectShown(section, /"kind":"ad-server"[^}]*refuses the connection/);
  await expectShown(section, /"state":"failing"[^}]*404/);
  await expectShown(section, /"adsLost":[1-9]/);
  // The reports, the search for viewers, and the trace of one of them.
  await expectShown(section, /"key":"CREATIVE_FAILED","total":[1-9]/);
  await expectShown(section, /"errors":[1-9]/);
  await expectShown(section, /AD_SERVER_FAILED.*refused the connection/s);
  await expectShown(
    'ad-server-is-dead',
    /^\S+Z,127\.0\.0\.1:\d+(,\d+){3},[1-9].*"kind":"ad-server"[^}]*refuses the connection/ms,
  );
  await expectShown(
    'viewers-see-slate',
    /"kind":"creative"[^}]*adsLost":[1-9].*"kind":"ad-server".*Z,CREATIVE_FAILED,[1-9]/s,
  );
});

test('a channel that is off air', async () => {
  const contents = [item(`${stage.origin.url}/nothing/master.m3u8`)];
  await stage.air('black', contents);
  for (const title of ['A channel is off air', 'channel-is-black'])
    await expectShown(title, /"state":"failed".*"kind":"state".*404/s, { CHANNEL: 'black' });
});

test('a key that leaked', async () => {
  const { json: key } = await midroll.api('POST', '/keys', { name: 'leaked', scope: 'manage' });
  const used = await fetch(`${midroll.adminUrl}/api/v2/playlists`, {
    method: 'POST',
    headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'by-a-thief', contents: [] }),
  });
  expect(used.status).toBe(201);
  await expectShown('An API key leaked', /"name":"leaked"[^}]*"lastUsedAt"/);
  await expectShown('An API key leaked', /by-a-thief/);
});

test('a disk without room', async (context) => {
  if (spawnSync('prlimit', ['--version']).status !== 0) return context.skip('needs prlimit');
  // A process of its own, whose database is a file: all files that it writes may have 32 KB.
  const full = await startMidroll({ LOG_LEVEL: 'silent' });
  try {
    const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${full.pid()}`, `--fsize=${bytes}:`]);
    const at = { BASE_URL: full.adminUrl, LIVE: full.liveUrl };
    await expectShown('A disk is full', /"status":"ready"/, at);
    limit('32768');
    for (const title of ['A disk is full', 'disk-is-full'])
      await expectShown(title, /"status":"unavailable","reason":"[^"]+"/, at);
    limit('unlimited');
    await expectShown('A disk is full', /"status":"ready"/, at);
  } finally {
    await full.close();
  }
});

test('a node that is lost, while the other one serves', async () => {
  await other.kill();
  await expectShown('A node is lost', /lost, or not ready.*"status":"ready"/s, { LIVE: other.liveUrl });
  await expectShown('node-is-gone', /no response/, { BASE_URL: other.adminUrl });
  await other.restart();
  await expectShown('node-is-gone', /"status":"ready"/, { BASE_URL: other.adminUrl });
  await expect.poll(() => follow('A node is lost', { LIVE: other.liveUrl }), { timeout: 60_000 }).not.toMatch(/lost/);
});

test('a database that is away, and comes back', async () => {
  await postgres.kill();
  await expectShown('The database is unavailable', /"status":"unavailable"[^}]*database/i);
  await postgres.restart();
  await expectShown('The database is unavailable', /"status":"ready"/);
});
