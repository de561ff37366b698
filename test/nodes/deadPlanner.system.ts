// SPDX-License-Identifier: Apache-2.0
// The node that prepares a channel is killed: the other one prepares it, and does not say that it is being prepared for ever.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MediaOrigin, startMediaOrigin } from '../live/mediaOrigin.ts';
import { type Midroll, startMidroll } from '../live/midroll.ts';
import { createDatabase, type PostgresDatabase } from '../servers/postgresDatabase.ts';
import { startCreativeWorker } from './startNode.ts';

const folder = mkdtempSync(join(tmpdir(), 'midroll-planner-'));
let database: PostgresDatabase;
let origin: MediaOrigin;
let settings: Record<string, string>;
let planning: Midroll;
let other: Midroll;
let worker: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  [database, origin] = await Promise.all([createDatabase(), startMediaOrigin()]);
  settings = { DATABASE_URL: database.url, DATA_DIR: folder, ROLE: 'serve' };
  planning = await startMidroll(settings);
  other = await startMidroll(settings);
});
afterAll(async () => {
  await Promise.all([planning?.close(), other?.close(), worker?.close()]);
  await Promise.all([origin?.close(), database?.drop()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const channel = async () => (await other.api('GET', '/channels/shared')).json;
const opened = async () => (await fetch(`${other.liveUrl}/hls/shared/master.m3u8?api-key=key`)).status;

test('a channel whose planner was killed goes on air at the other node', async () => {
  const contents = [{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8` }];
  await planning.create('playlists', { id: 'loop', status: 'enabled', contents });
  await planning.create('channels', { id: 'shared', state: 'enabled', playlistId: 'loop', apiKey: 'key' });
  await expect.poll(async () => (await channel()).preparation?.step).toBe('slate');
  await planning.kill();
  // The slate is made, and no node plans the channel until the heartbeats of its planner are missed.
  worker = await startCreativeWorker(settings);
  await expect.poll(opened).toBe(200);
  await expect.poll(async () => (await channel()).preparation).toBeUndefined();
  expect(await channel()).toMatchObject({ state: 'enabled', items: [{ state: 'ready' }] });
  expect(other.bugs()).toEqual([]);
});
