// SPDX-License-Identifier: Apache-2.0
// Starts a Redis cluster for tests: three masters with one replica each, nothing stored on disk. A replica takes over two
// to four seconds after its master ends or is suspended.
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../../demo/listen.ts';
import { redisProgram } from './programs.ts';
import { type RedisServer, startRedis } from './startRedis.ts';

export type ClusterMember = {
  readonly server: RedisServer;
  readonly id: string;
  readonly role: 'master' | 'replica';
  /** Of a replica: the id of its master. */
  readonly masterId: string | undefined;
  /** As the responding servers state: unreachable for longer than the timeout of the cluster. */
  readonly hasFailed: boolean;
  /** Ranges of slots, e.g. `0-5460`. A replaced master has none. */
  readonly slots: readonly string[];
};

export type RedisCluster = {
  /** URLs of all servers, separated by commas. */
  readonly url: string;
  readonly servers: readonly RedisServer[];
  /** As a responding server states them. */
  members(): Promise<ClusterMember[]>;
  /** The replica of the master that has the slot of a key, and that master. */
  ownersOf(key: string): Promise<{ readonly master: ClusterMember; readonly replicas: readonly ClusterMember[] }>;
  /** Waits until every running server reports the state `ok` and the same three masters, each with a connected replica. */
  untilHealthy(): Promise<void>;
  /** Waits until a server that was killed or suspended has no slots. @throws if nothing takes over within a minute */
  untilReplaced(server: RedisServer): Promise<void>;
  /** Exchanges a replica and its master, without loss of data, and waits until the replica is the master. */
  promote(replica: RedisServer): Promise<void>;
  stop(): Promise<void>;
};

export const CLUSTER_NODE_TIMEOUT = 2000;
const MASTERS = 3;
const SERVERS = 2 * MASTERS;
const SLOW = 120_000;

async function until(what: string, look: () => Promise<boolean>, timeout = SLOW): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!(await look().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Redis cluster: waited in vain until ${what}.`);
    await wait(100);
  }
}

/** A line of CLUSTER NODES: id, address, flags, master, ping, pong, epoch, link, slots. */
function readMember(line: string, servers: readonly RedisServer[]): ClusterMember {
  const [id, address, flags, masterId, , , , , ...slots] = line.split(' ') as [string, string, string, string];
  const port = Number(/:(\d+)@/.exec(address)?.[1]);
  const server = servers.find((one) => one.port === port);
  if (server === undefined) throw new Error(`Redis cluster: unknown server in "${line}".`);
  return {
    server,
    id,
    role: flags.includes('master') ? 'master' : 'replica',
    masterId: masterId === '-' ? undefined : masterId,
    hasFailed: flags.split(',').includes('fail'),
    slots,
  };
}

const hasSlot = ({ slots }: ClusterMember, slot: number): boolean =>
  slots.some((range) => {
    const [first, last = first] = range.split('-').map(Number) as [number, number?];
    return slot >= first && slot <= last;
  });

async function startServer(): Promise<RedisServer> {
  const cluster = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': CLUSTER_NODE_TIMEOUT,
    // The default, the port plus 10000, is not always a port.
    'cluster-port': await findFreePort(0),
    // Replicas read the data of their master at once.
    'repl-diskless-sync-delay': 0,
  };
  return startRedis(Object.entries(cluster).flatMap(([name, value]) => [`--${name}`, String(value)]));
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  // One after the other: two servers must not find the same free port.
  for (let count = 0; count < SERVERS; count += 1) servers.push(await startServer());
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
  await promisify(execFile)(redisProgram('cli'), create);

  const running = () => servers.filter((server) => server.state() === 'running');

  const membersFor = async (server: RedisServer): Promise<ClusterMember[]> =>
    (await server.command('cluster', 'nodes')).split('\n').map((line) => readMember(line, servers));
  const members = () => Promise.any(running().map(membersFor));

  async function isHealthy(server: RedisServer): Promise<boolean> {
    if (!(await server.command('cluster', 'info')).includes('cluster_state:ok')) return false;
    // Each server learns from the others, a moment later, which of them are masters, and whose replicas the rest are.
    const known = (await membersFor(server)).filter(({ hasFailed }) => !hasFailed);
    const masters = known.filter(({ role }) => role === 'master');
    if (masters.length !== MASTERS || masters.some(({ slots }) => slots.length === 0)) return false;
    if (masters.some(({ id }) => !known.some(({ masterId }) => masterId === id))) return false;
    const replication = await server.command('info', 'replication');
    if (replication.includes('role:slave')) return replication.includes('master_link_status:up');
    return /^slave\d+:.*state=online/m.test(replication);
  }

  async function untilReplaced(server: RedisServer): Promise<void> {
    const isReplaced = async () => {
      const all = await members();
      const covered = all.filter(({ slots, hasFailed }) => slots.length > 0 && !hasFailed);
      return covered.length === MASTERS && !covered.some((one) => one.server === server);
    };
    await until('another server has the slots', isReplaced, 60_000);
  }

  const cluster: RedisCluster = {
    url: servers.map(({ url }) => url).join(','),
    servers,
    members,
    async ownersOf(key) {
      const slot = Number(await Promise.any(running().map((one) => one.command('cluster', 'keyslot', key))));
      const all = await members();
      const master = all.find((one) => hasSlot(one, slot));
      if (master === undefined) throw new Error(`Redis cluster: no server has slot ${slot}.`);
      return { master, replicas: all.filter(({ masterId }) => masterId === master.id) };
    },
    untilHealthy: () =>
      until('all servers are healthy', async () => (await Promise.all(running().map(isHealthy))).every(Boolean)),
    untilReplaced,
    async promote(replica) {
      const isMaster = async () => (await replica.command('role')).startsWith('master');
      // Redis gives up an exchange that takes too long: the command is repeated.
      await until('the replica is the master', async () => {
        if (await isMaster()) return true;
        await replica.command('cluster', 'failover');
        await wait(500);
        return isMaster();
      });
      await cluster.untilHealthy();
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
  await cluster.untilHealthy();
  return cluster;
}
