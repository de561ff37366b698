// SPDX-License-Identifier: Apache-2.0
// The built server on a full disk and without ffmpeg: writes are a 503 with the reason, /ready reports it on both ports, and
// the server recovers when the cause is gone.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fillDisk } from '../../fillDisk.ts';
import { scratchFolder } from '../../opened.ts';
import { endProcess } from '../../servers/endProcess.ts';
import { builtServers, type Server, send } from './builtServer.ts';

const folder = scratchFolder();
const undo: (() => void)[] = [];
afterAll(() => {
  for (const step of undo) step();
});
// Servers end before that: hooks run in reverse.
const start = builtServers();

const stop = ({ process: server }: Server) => endProcess(server, 'SIGKILL');

const readyOn = async (url: string) => {
  const response = await fetch(`${url}/ready`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
};
const isReady = async ({ admin, live }: Server) =>
  [(await readyOn(admin)).status, (await readyOn(live)).status].join(' ');

/** Waits for it: on a busy machine, a check of a dependency may time out. */
const expectReady = (server: Server, statuses: string): Promise<void> =>
  expect.poll(() => isReady(server)).toBe(statuses);

const contents = Array.from({ length: 500 }, (_, index) => ({
  ...{ sourceType: 'url', url: `https://media.example.com/assets/${index}/${'x'.repeat(60)}/master.m3u8` },
}));

type Disk = { readonly env: Record<string, string>; fill(server: Server): void; free(server: Server): void };

/** A file system that another program fills. */
function tmpfs(): Disk | undefined {
  const place = join(folder, 'tmpfs');
  mkdirSync(place);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', place]).status !== 0) return undefined;
  undo.push(() => void execFileSync('umount', [place]));
  const filler = join(place, 'filler');
  return {
    env: { DATA_DIR: place },
    fill: () => fillDisk(filler, 65_536, 4096),
    free: () => rmSync(filler),
  };
}

/** A limit on the size of files (setrlimit(2), RLIMIT_FSIZE). */
function limited(): Disk | undefined {
  if (spawnSync('prlimit', ['--version']).status !== 0) return undefined;
  const limit = ({ process: { pid } }: Server, bytes: string) =>
    execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
  return {
    env: { DATA_DIR: join(folder, 'limited') },
    fill: (server) => void limit(server, '32768'),
    free: (server) => void limit(server, 'unlimited'),
  };
}

describe.each([
  ['a full disk', tmpfs],
  ['a file size limit', limited],
] as const)('%s', (_, prepare) => {
  test('writes are a 503 with the reason, /ready reports it, and reads still work', async (context) => {
    const disk = prepare();
    if (disk === undefined) return context.skip('not permitted on this machine');
    let server = await start(disk.env);
    expect((await send(server, 'POST', 'playlists', { id: 'before', contents })).status).toBe(201);
    await expectReady(server, '200 200');

    disk.fill(server);
    const rejections: unknown[] = [];
    for (let index = 0; rejections.length < 5; index += 1) {
      const { status, json } = await send(server, 'POST', 'playlists', { id: `p${index}`, contents });
      if (status === 201) continue;
      expect(json).toMatchObject({ type: 'UNAVAILABLE', code: 503, requestId: expect.any(String) });
      rejections.push(json.message);
    }
    expect(new Set(rejections).size).toBe(1);
    await expectReady(server, '503 503');
    for (const url of [server.admin, server.live]) {
      expect((await readyOn(url)).reason).toMatch(/\w/);
      expect((await fetch(`${url}/health`)).status).toBe(200);
    }
    expect((await send(server, 'PUT', 'playlists/before', { contents })).status).toBe(503);
    expect((await send(server, 'GET', 'playlists/before')).json.contents).toHaveLength(contents.length);

    if (_ === 'a full disk') {
      await stop(server);
      server = await start(disk.env);
      expect((await send(server, 'GET', 'playlists/before')).status).toBe(200);
      await expectReady(server, '503 503');
    }
    disk.free(server);
    await expectReady(server, '200 200');
    expect((await send(server, 'POST', 'playlists', { id: 'after', contents })).status).toBe(201);
    await stop(server);
  });
});

test('without ffmpeg, a process that conditions creatives is not ready, and one that only serves is', async () => {
  const ffmpeg = join(folder, 'ffmpeg');
  const install = () => {
    writeFileSync(ffmpeg, '#!/bin/sh\nexec ffmpeg "$@"\n');
    chmodSync(ffmpeg, 0o755);
  };
  install();
  const env = { DATA_DIR: join(folder, 'tools'), FFMPEG: ffmpeg };
  const server = await start(env);
  await expectReady(server, '200 200');
  rmSync(ffmpeg);
  await expectReady(server, '503 503');
  expect((await readyOn(server.live)).reason).toContain('ffmpeg');
  const serving = await start({ ...env, ROLE: 'serve' });
  await expectReady(serving, '200 200');
  install();
  await expectReady(server, '200 200');
  await Promise.all([stop(server), stop(serving)]);
});
