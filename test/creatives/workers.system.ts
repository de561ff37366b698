// SPDX-License-Identifier: Apache-2.0
// Workers as separate processes with one queue and one folder, killed, suspended and resumed in the middle of a job.
// Incomplete media never appear, and another worker finishes the job.

import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { startMidroll } from '../live/midroll.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';
import { opened, scratchFolder } from '../opened.ts';
import { endProcess } from '../servers/endProcess.ts';
import { startWorker } from './startWorker.ts';

const until = <Value>(look: () => Promise<Value> | Value) => vi.waitFor(look, { timeout: 300_000, interval: 100 });

const workers: ChildProcess[] = [];

const dataDir = scratchFolder();
// An encoder that runs in real time.
const slow = join(dataDir, 'slow.sh');
const [origin, midroll] = await Promise.all([
  opened(startMediaOrigin()),
  opened(startMidroll({ DATA_DIR: dataDir, ROLE: 'serve' })),
]);
beforeAll(async () => {
  writeFileSync(
    slow,
    '#!/bin/sh\ncase "$*" in *" -i source "*filter_complex*) exec ffmpeg -re "$@";; esac\nexec ffmpeg "$@"\n',
  );
  chmodSync(slow, 0o755);
});
afterAll(async () => {
  for (const worker of workers) await end(worker, 'SIGKILL');
});

const addWorker = (settings: Readonly<Record<string, string>> = {}): Promise<ChildProcess> =>
  startWorker(workers, { DATA_DIR: dataDir, DRAIN_SECONDS: '0', ...settings });

/** Ends a process; SIGKILL also ends its child processes. */
async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  await endProcess(worker, signal, signal === 'SIGKILL');
  return worker.exitCode;
}

const media = (): string[] => readdirSync(join(dataDir, 'media'));
const drafts = (): string[] => media().filter((name) => name.startsWith('.making'));
/** A draft that contains some video. */
const draftInProgress = (): string | undefined =>
  drafts().find((name) => {
    const video = join(dataDir, 'media', name, '0.mp4');
    return existsSync(video) && statSync(video).size > 0;
  });
/** Everything that a player could request is complete. */
function expectComplete(): void {
  for (const name of media().filter((each) => /^[0-9a-f]+$/.test(each))) {
    const { tracks } = JSON.parse(readFileSync(join(dataDir, 'media', name, 'meta.json'), 'utf8'));
    for (const { file, initSize, sizes } of tracks) {
      const bytes = sizes.reduce((sum: number, size: number) => sum + size, initSize);
      expect(statSync(join(dataDir, 'media', name, file)).size).toBe(bytes);
    }
  }
}
const asset = async (id: string) => (await midroll.api('GET', `/assets/${id}`)).json;
async function add(path: string): Promise<string> {
  const { status, json } = await midroll.api('POST', '/assets', { mediaUrl: origin.url + path });
  expect([status, json]).toMatchObject([
    202,
    { assets: [{ state: expect.stringMatching(/^(waiting|preparing)$/), channels: ['c'] }] },
  ]);
  return json.assets[0].id;
}

test('creatives are made once and appear when they are complete, whatever happens to workers', async () => {
  const video = await makeVideo(origin.folder, 'video', { seconds: 8 });
  const [killed, hung] = await Promise.all(
    [20, 21].map((seconds) => makeSpot(origin.folder, `spot${seconds}`, seconds)),
  );
  const [bumper] = await Promise.all([makeSpot(origin.folder, 'bumper', 1)]);
  const contents = [{ sourceType: 'url', url: origin.url + video, cuePoints: [{ spliceTime: 4, maxDuration: 4 }] }];
  await midroll.create('playlists', { id: 'p', status: 'enabled', contents });
  const bumpers = { intro: origin.url + bumper };
  await midroll.create('channels', { id: 'c', state: 'enabled', apiKey: 'key', playlistId: 'p', bumpers });
  expect((await midroll.api('POST', '/assets', { mediaUrl: origin.url + killed })).status).toBe(409);

  // No player has requested the channel. Its slate and bumper are made because it was enabled.
  const first = await addWorker({ FFMPEG: slow });
  await until(async () => {
    const { json } = await midroll.api('GET', '/assets?state=ready&channel=c');
    expect(json.map(({ kind, source }: { kind: string; source?: string }) => [kind, source]).sort()).toEqual([
      ['creative', bumpers.intro],
      ['slate', undefined],
    ]);
  });
  await until(async () => expect((await midroll.api('GET', '/channels/c')).json.items?.[0]?.state).toBe('ready'));

  const one = await until(() => add(killed!));
  await until(() => expect(draftInProgress()).toBeDefined());
  await end(first, 'SIGKILL');
  expect(await asset(one)).toMatchObject({ state: 'preparing' });
  expect(draftInProgress()).toBeDefined();
  expectComplete();
  const pair = await Promise.all([addWorker(), addWorker()]);
  await until(async () => expect(await asset(one)).toMatchObject({ state: 'ready', attempts: 2, duration: 20 }));
  expectComplete();
  // The files of the killed worker are deleted. Workers exit cleanly on SIGTERM.
  await until(() => expect(drafts()).toEqual([]));
  expect(await Promise.all(pair.map((worker) => end(worker, 'SIGTERM')))).toEqual([0, 0]);

  const suspended = await addWorker({ FFMPEG: slow });
  const two = await add(hung!);
  await until(() => expect(draftInProgress()).toBeDefined());
  process.kill(suspended.pid!, 'SIGSTOP');
  await addWorker();
  await until(async () => expect(await asset(two)).toMatchObject({ state: 'ready', attempts: 2, duration: 21 }));
  const before = await asset(two);
  process.kill(suspended.pid!, 'SIGCONT');
  await until(() => expect(drafts()).toEqual([]));
  expect(await asset(two)).toEqual(before);
  expect(suspended.exitCode).toBeNull();
  expectComplete();

  const thumbnail = await fetch(`${midroll.adminUrl}/api/v2/assets/${two}/thumbnail`, {
    headers: { 'x-api-key': 'test-key' },
  });
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const file = join(dataDir, 'thumbnail.jpg');
  writeFileSync(file, Buffer.from(await thumbnail.arrayBuffer()));
  const size = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', file];
  expect(execFileSync('ffprobe', size, { encoding: 'utf8' }).trim()).toBe('mjpeg,160,90');
  expect(midroll.bugs()).toEqual([]);
});

test('a worker that drains completes its job and ends; one that does not returns it to the queue', async () => {
  for (const worker of workers) await end(worker, 'SIGKILL');
  await until(() => expect(drafts()).toEqual([]));
  const [completed, returned] = await Promise.all(
    [6, 60].map((seconds) => makeSpot(origin.folder, `drained${seconds}`, seconds)),
  );
  const draining = await addWorker({ FFMPEG: slow, DRAIN_SECONDS: '3600' });
  const one = await add(completed!);
  await until(() => expect(draftInProgress()).toBeDefined());
  expect(await end(draining, 'SIGTERM')).toBe(0);
  expect(await asset(one)).toMatchObject({ state: 'ready', attempts: 1 });

  const ending = await addWorker({ FFMPEG: slow });
  const two = await add(returned!);
  await until(() => expect(draftInProgress()).toBeDefined());
  expect(await end(ending, 'SIGTERM')).toBe(0);
  expect(await asset(two)).toMatchObject({ state: 'waiting' });
  expect(drafts()).toEqual([]);
});
