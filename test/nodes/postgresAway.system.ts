// SPDX-License-Identifier: Apache-2.0
// Notices after the connection that listens was closed, after PostgreSQL was suspended, and after it was killed. No node polls, so
// that whatever is seen afterwards was read because the node has a new connection, or was announced.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startPostgres } from '../servers/startPostgres.ts';
import { startNode } from './startNode.ts';

const folder = scratchFolder();
const NO_NOTICES = 'notices of other processes do not arrive; changes are read every second';
const NOTICES_AGAIN = 'notices of other processes arrive again';
let edits = 0;

const postgres = await opened(startPostgres(['-c', 'fsync=off']));
const settings = {
  ...{ DATABASE_URL: postgres.url, DATA_DIR: folder, ROLE: 'serve' },
  ...{ DATABASE_CONNECT_TIMEOUT_MS: '1000', DATABASE_STATEMENT_TIMEOUT_MS: '2000' },
};
const one = await opened(startNode(settings));
const other = await opened(startNode(settings));
const origin = await opened(startMediaOrigin());
beforeAll(async () => {
  // A VoD channel is open to players without slate. A request that is rejected would lead to a reading; those that a node
  // accepts with a key that it should no longer accept do not.
  const contents = [{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8` }];
  await one.create('playlists', { id: 'film', status: 'enabled', contents });
  await one.create('channels', { id: 'shared', type: 'vod', state: 'enabled', playlistId: 'film', apiKey: 'key0' });
});

async function query<Row extends object>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The status of a player's request with a key of the channel, at the node that has not changed it. */
async function openedWith(key: string): Promise<number> {
  const response = await fetch(`${other.liveUrl}/hls/shared/master.m3u8?api-key=${key}`);
  await response.arrayBuffer();
  return response.status;
}

const nextKey = async (): Promise<void> => {
  edits += 1;
  await expect
    .poll(async () => (await one.api('PATCH', '/channels/shared', { apiKey: `key${edits}` })).status)
    .toBe(200);
};

/** The previous key is valid at a node until it has read the channel again. */
async function expectChangesAreSeen(): Promise<void> {
  await expect.poll(() => openedWith(`key${edits}`)).toBe(200);
  await nextKey();
  await expect.poll(() => openedWith(`key${edits - 1}`)).toBe(403);
}

/** Of the server and its children. */
async function processesOf(): Promise<number[]> {
  const [row] = await query<{ data_directory: string }>('show data_directory');
  const server = Number(readFileSync(join(row!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' });
  return [server, ...children.split('\n').filter(Boolean).map(Number)];
}

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The connection of this process has ended since.
    }
  }
};

test('changes are announced', expectChangesAreSeen);

test('after the connection was closed, what was changed meanwhile is read, and notices arrive again', async () => {
  const closed = await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'midroll notices'",
  );
  expect(closed).toHaveLength(2);
  await expectChangesAreSeen();
  await expectChangesAreSeen();
});

test('after PostgreSQL was suspended for seconds, notices arrive again, and the log has one line for each change', async () => {
  const pids = await processesOf();
  signalAll(pids, 'SIGSTOP');
  try {
    for (const node of [one, other]) await expect.poll(() => node.logged(NO_NOTICES).length).toBe(1);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
  for (const node of [one, other]) await expect.poll(() => node.logged(NOTICES_AGAIN).length).toBe(1);
  await expectChangesAreSeen();
  expect(await other.metric('midroll_notices_connected')).toBe(1);
});

test('after PostgreSQL was killed and started again, notices arrive again', async () => {
  await postgres.kill();
  await expect.poll(() => other.logged(NO_NOTICES).length).toBe(2);
  expect(await other.metric('midroll_notices_connected')).toBe(0);
  await postgres.restart();
  await expect.poll(() => other.logged(NOTICES_AGAIN).length).toBe(2);
  await expectChangesAreSeen();
  expect(other.logged(NO_NOTICES)).toHaveLength(2);
});
