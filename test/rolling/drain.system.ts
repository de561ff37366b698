// SPDX-License-Identifier: Apache-2.0
// What a process does between SIGTERM and its end: alone, with WORKERS, and while the database does not respond.

import { expect, onTestFinished, test } from 'vitest';
import { type MidrollProcess, startMidroll } from '../live/midroll.ts';
import { openedInTest } from '../opened.ts';
import { startFreezingProxyOf } from '../servers/freezingProxy.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';

const start = (settings: Readonly<Record<string, string>>): Promise<MidrollProcess> =>
  openedInTest(startMidroll(settings));

const ready = async (url: string): Promise<unknown> => {
  const response = await fetch(`${url}/ready`);
  return [response.status, await response.json()];
};
const draining = [503, { status: 'unavailable', reason: 'the process is draining' }];
const ended = (midroll: MidrollProcess): unknown[] => midroll.logged('ended').map(({ unfinished }) => unfinished);

test('after SIGTERM, a process serves for DRAIN_SECONDS, is not ready, and then ends', async () => {
  const midroll = await start({ DRAIN_SECONDS: '4' });
  expect(await ready(midroll.liveUrl)).toMatchObject([200, {}]);
  midroll.signal('SIGTERM');
  await expect.poll(() => midroll.logged('draining')).toMatchObject([{ seconds: 4 }]);
  for (const url of [midroll.adminUrl, midroll.liveUrl]) expect(await ready(url)).toEqual(draining);
  const seen: string[] = [];
  // Every new connection is served until the port closes.
  for (let isOpen = true; isOpen; ) {
    try {
      const { status, headers } = await fetch(`${midroll.liveUrl}/health`);
      seen.push(`${status} ${headers.get('connection')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    } catch {
      isOpen = false;
    }
  }
  expect([...new Set(seen)]).toEqual(['200 keep-alive', '200 close']);
  expect(await midroll.exited()).toBe(0);
  expect(midroll.logged('draining').length).toBe(1);
  expect(ended(midroll)).toEqual([[]]);
});

test.each(['SIGTERM', 'SIGINT'] as const)('a second signal, %s, ends the process at once', async (second) => {
  const midroll = await start({ DRAIN_SECONDS: '3600' });
  midroll.signal('SIGTERM');
  await expect.poll(() => midroll.logged('draining').length).toBe(1);
  midroll.signal(second);
  expect(await midroll.exited()).toBe(1);
  expect(ended(midroll)).toEqual([]);
});

test('SIGINT ends a process without draining', async () => {
  const midroll = await start({ DRAIN_SECONDS: '3600' });
  midroll.signal('SIGINT');
  expect(await midroll.exited()).toBe(0);
  expect(midroll.logged('draining')).toEqual([]);
  expect(ended(midroll)).toEqual([[]]);
});

test('with WORKERS, all processes drain and end together, the primary process last', async () => {
  const midroll = await start({ WORKERS: '2', DRAIN_SECONDS: '4' });
  midroll.signal('SIGTERM');
  await expect.poll(() => midroll.logged('draining').length).toBe(3);
  for (const url of [midroll.adminUrl, midroll.liveUrl, midroll.liveUrl]) expect(await ready(url)).toEqual(draining);
  expect((await fetch(`${midroll.liveUrl}/health`)).status).toBe(200);
  expect(await midroll.exited()).toBe(0);
  expect(ended(midroll)).toEqual([[], [], []]);
  expect(midroll.logged('ended').at(-1).pid).toBe(midroll.pid());
});

test('with WORKERS, Ctrl-C ends all processes in order: a terminal sends SIGINT to each of them', async () => {
  const midroll = await start({ WORKERS: '2', DRAIN_SECONDS: '3600' });
  process.kill(-midroll.pid(), 'SIGINT');
  expect(await midroll.exited()).toBe(0);
  expect(ended(midroll)).toEqual([[], [], []]);
});

test('with WORKERS, a second SIGTERM ends all processes at once', async () => {
  const midroll = await start({ WORKERS: '2', DRAIN_SECONDS: '3600' });
  midroll.signal('SIGTERM');
  await expect.poll(() => midroll.logged('draining').length).toBe(3);
  const pids = midroll.logged('draining').map(({ pid }) => pid);
  midroll.signal('SIGTERM');
  expect(await midroll.exited()).toBe(1);
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

test('a process ends although the database does not respond, and states what it could not store', async () => {
  const database = await openedInTest(createDatabase());
  const proxy = await openedInTest(startFreezingProxyOf(database.url));
  const midroll = await start({ DATABASE_URL: proxy.url });
  onTestFinished(proxy.thaw);
  proxy.freeze();
  midroll.signal('SIGTERM');
  expect(await midroll.exited()).toBe(0);
  expect(ended(midroll)).toEqual([expect.arrayContaining(['closing the database'])]);
});
