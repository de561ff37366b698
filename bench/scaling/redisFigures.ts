// SPDX-License-Identifier: Apache-2.0
// Starts a Redis server with a replica for one installation of a benchmark, and reads its own statistics.
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisServer, startRedis } from '../../test/servers/startRedis.ts';
import type { RedisFigures } from './figures.ts';

export type CountedRedis = {
  readonly url: string;
  figures(): Promise<RedisFigures>;
  stop(): Promise<void>;
};

const fieldOf = (info: string, name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);

/** How often a command was called, according to `INFO commandstats`. */
const callsOf = (info: string, command: string): number =>
  Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0);

/** Bytes that the server has allocated. */
export const usedMemory = async (server: RedisServer): Promise<number> =>
  fieldOf(await server.command('info', 'memory'), 'used_memory');

/** Milliseconds of processor time. */
export const usedProcessor = (info: string): number =>
  1000 * (fieldOf(info, 'used_cpu_user') + fieldOf(info, 'used_cpu_sys'));

async function untilReplicated(master: RedisServer): Promise<void> {
  while (!/slave0:.*state=online/.test(await master.command('info', 'replication'))) await sleep(100);
}

export async function startCountedRedis(): Promise<CountedRedis> {
  const master = await startRedis();
  const replica = await startRedis(['--replicaof', '127.0.0.1', String(master.port)]);
  await untilReplicated(master);
  return {
    url: master.url,
    async figures() {
      let info = '';
      // On a busy machine, redis-cli may end without a response.
      while (!info.includes('used_cpu_user:')) info = await master.command('info', 'everything').catch(() => '');
      return {
        calls: callsOf(info, 'evalsha') + callsOf(info, 'eval'),
        batches: callsOf(info, 'wait'),
        bytesIn: fieldOf(info, 'total_net_input_bytes'),
        bytesOut: fieldOf(info, 'total_net_output_bytes'),
        cpuMs: usedProcessor(info),
      };
    },
    async stop() {
      await replica.stop();
      await master.stop();
    },
  };
}
