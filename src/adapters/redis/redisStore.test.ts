// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { openedInTest } from '../../../test/opened.ts';
import { type RedisServer, startRedis } from '../../../test/servers/startRedis.ts';
import { openRedisStore, type RedisObserver, type RedisStore } from './redisStore.ts';
import { readReplicas } from './runBatch.ts';
import { create, find } from './scripts/sessionScripts.ts';

const startServer = () => openedInTest(startRedis());
const open = ({ url }: RedisServer, observer?: RedisObserver) => openedInTest(openRedisStore(url, 'test', observer));
const write = (store: RedisStore, id = 'one') =>
  store.run(store.parts.of(id), create, [id, 'channel', 1, '', '{}', '{}', 'life', '0']);
const read = (store: RedisStore) => store.run(store.parts.of('one'), find, ['one', 0]);

const connections = async (server: RedisServer): Promise<string[]> =>
  [...(await server.command('client', 'list')).matchAll(/^id=(\d+) .*name=midroll /gm)].map(([, id]) => id!);

test('calls do not pile up while the store does not respond', async () => {
  const server = await startServer();
  const store = await open(server);
  server.suspend();
  const waiting = Array.from({ length: 10_000 }, () => read(store).catch(() => undefined));
  await expect(read(store)).rejects.toThrow('does not respond in time');
  server.resume();
  await Promise.all(waiting);
  await expect.poll(() => read(store).catch(() => undefined)).toEqual([]);
});

test('a server that has become a replica is connected anew, and is no master without replicas', async () => {
  const [server, other] = [await startServer(), await startServer()];
  const unprotected: number[] = [];
  const store = await open(server, { onUnprotected: (masters) => void unprotected.push(masters) });
  await write(store);
  expect(unprotected).toEqual([1]);
  const before = await connections(server);
  expect(before).toHaveLength(1);
  await other.command('replicaof', '127.0.0.1', String(server.port));
  await expect.poll(() => server.command('info', 'replication')).toContain('state=online');
  const writeAndLook = async () => {
    await write(store);
    return unprotected;
  };
  await expect.poll(writeAndLook).toEqual([1, 0]);

  await server.command('replicaof', '127.0.0.1', String(other.port));
  await expect(write(store, 'two')).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  await expect.poll(() => connections(server)).toHaveLength(1);
  expect(await connections(server)).not.toEqual(before);
  for (let tries = 0; tries < 20; tries += 1) await write(store, 'two').catch(() => undefined);
  expect(unprotected).toEqual([1, 0]);
});

const info = (...lines: string[]) => ['# Replication', ...lines].join('\r\n');

test('replicas that follow a master count, those that load their data do not', () => {
  const replica = (number: number, state: string) => `slave${number}:ip=127.0.0.1,port=1,state=${state},offset=1,lag=0`;
  expect(readReplicas(info('role:master', 'connected_slaves:0'))).toBe(0);
  expect(readReplicas(info('role:master', replica(0, 'online'), replica(1, 'wait_bgsave')))).toBe(1);
});

test('a server that is not a master has no number of replicas', () => {
  expect(readReplicas(info('role:slave', 'master_link_status:up', 'connected_slaves:0'))).toBeUndefined();
  expect(readReplicas('')).toBeUndefined();
});
