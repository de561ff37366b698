// SPDX-License-Identifier: Apache-2.0

import { expect, test, vi } from 'vitest';
import { openedInTest } from '../opened.ts';
import { startRedis } from './startRedis.ts';
import { startRedisCluster } from './startRedisCluster.ts';

test('a server is killed, suspended and restarted on its port', async () => {
  const server = await openedInTest(startRedis());
  expect(await server.command('set', 'key', 'value')).toBe('OK');
  server.suspend();
  expect(server.state()).toBe('suspended');
  await expect(server.command('get', 'key')).rejects.toThrow();
  server.resume();
  expect(await server.command('get', 'key')).toBe('value');
  await server.kill();
  expect(server.state()).toBe('ended');
  await expect(server.command('get', 'key')).rejects.toThrow();
  await server.restart();
  expect(server.state()).toBe('running');
  expect(await server.command('get', 'key')).toBe('');
});

test('options set a password', async () => {
  const running = await openedInTest(startRedis(['--requirepass', 'secret']));
  expect(await running.command('get', 'key')).toContain('NOAUTH');
  expect(await running.command('--no-auth-warning', '-a', 'secret', 'set', 'key', 'value')).toBe('OK');
});

test('replicas of a cluster take over from masters that are killed, suspended or exchanged', async () => {
  const cluster = await openedInTest(startRedisCluster());
  const members = await cluster.members();
  expect(members.map(({ role }) => role).sort()).toEqual([...Array(3).fill('master'), ...Array(3).fill('replica')]);
  expect(cluster.url.split(',')).toEqual(cluster.servers.map(({ url }) => url));

  const set = async (value: string) => {
    const { master } = await cluster.ownersOf('key');
    expect(await master.server.command('set', 'key', value)).toBe('OK');
    // WAIT counts the replicas that have the writes of its own connection, and each command has a new one.
    const offset = /master_repl_offset:(\d+)/.exec(await master.server.command('info', 'replication'))![1];
    await vi.waitFor(async () => {
      const confirmed = /slave0:.*offset=(\d+)/.exec(await master.server.command('info', 'replication'));
      expect(Number(confirmed?.[1])).toBeGreaterThanOrEqual(Number(offset));
    }, 60_000);
  };
  const get = async () => (await cluster.ownersOf('key')).master.server.command('get', 'key');

  await set('before the kill');
  const killed = (await cluster.ownersOf('key')).master.server;
  await killed.kill();
  await cluster.untilReplaced(killed);
  expect(await get()).toBe('before the kill');
  await killed.restart();
  await cluster.untilHealthy();
  expect((await cluster.ownersOf('key')).replicas.map(({ server }) => server)).toEqual([killed]);

  await set('before the pause');
  const suspended = (await cluster.ownersOf('key')).master.server;
  suspended.suspend();
  await cluster.untilReplaced(suspended);
  expect(await get()).toBe('before the pause');
  suspended.resume();
  await cluster.untilHealthy();

  await set('before the exchange');
  const { master, replicas } = await cluster.ownersOf('key');
  await cluster.promote(replicas[0]!.server);
  expect((await cluster.ownersOf('key')).master.server).toBe(replicas[0]!.server);
  expect((await cluster.ownersOf('key')).replicas.map(({ server }) => server)).toEqual([master.server]);
  expect(await get()).toBe('before the exchange');
});
