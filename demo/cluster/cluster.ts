// SPDX-License-Identifier: Apache-2.0
// A cluster on one machine: PostgreSQL, Redis, nginx, three serving nodes and two workers. It has no code of its own for
// failures: members are only started, killed and observed.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGuard } from '../guard.ts';
import { findFreePort } from '../listen.ts';
import { type DatabasePlace, postgresSpec, postgresUrl, redisSpec, redisUrl } from './databases.ts';
import { createMember, type Member, type MemberSpec } from './member.ts';
import { type Installation, nodeSpec, workerSpec } from './nodes.ts';
import { databaseUser, findPrograms } from './programs.ts';
import { proxySpec } from './proxy.ts';
import { type ResponseCounter, startResponseCounter } from './responseCounter.ts';

const NODES = 3;

export type ClusterOptions = {
  readonly dataDir: string;
  readonly apiKey: string;
  /** Whether the folder is deleted when the demo is killed. */
  readonly isTemporary: boolean;
  /** The first port: administration, then the live port. 0 selects free ports. */
  readonly port: number;
  readonly workers?: number;
  readonly note?: (line: string) => void;
  /** Receives what ends the cluster, before its first process is started. */
  readonly onOpen?: (close: () => Promise<void>) => void;
};

export type ClusterNode = { readonly member: Member; readonly live: string };
export type Cluster = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  readonly logFolder: string;
  readonly nodes: readonly ClusterNode[];
  /** In the order in which they were started. */
  readonly members: readonly Member[];
  readonly responses: ResponseCounter;
  close(): Promise<void>;
};

/** Kept with the data: the databases know it. */
function readPassword(dataDir: string): string {
  const file = join(dataDir, 'cluster-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Different free ports, each the first one from a port of its own. */
async function findPorts(first: number, count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const next = first === 0 ? 0 : Math.max(first + ports.length, (ports.at(-1) ?? 0) + 1);
    const port = await findFreePort(next);
    if (!ports.includes(port)) ports.push(port);
  }
  return ports;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, apiKey, isTemporary, port, workers = 2, note = () => {} } = options;
  const programs = findPrograms();
  const guard = startGuard(isTemporary ? dataDir : undefined);
  const responses = await startResponseCounter();
  const members: Member[] = [];
  let closing: Promise<void> | undefined;
  /** The proxy first, then nodes and workers, then what they use. */
  async function closeAll(): Promise<void> {
    for (const kind of ['proxy', 'node', 'worker', 'store'])
      await Promise.all(members.filter((member) => member.kind === kind).map((member) => member.close()));
    responses.close();
    guard.close();
  }
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  options.onOpen?.(close);
  const start = async (specs: readonly MemberSpec[]) => {
    if (closing) throw new Error('The cluster was closed while it started.');
    const created = specs.map((spec) => createMember(spec, guard));
    members.push(...created);
    await Promise.all(created.map((member) => member.start()));
  };
  try {
    const logFolder = join(dataDir, 'logs');
    mkdirSync(logFolder, { recursive: true, mode: 0o700 });
    // The user of PostgreSQL has to reach its own folder.
    if (isTemporary && databaseUser()) chmodSync(dataDir, 0o711);
    const logFile = (id: string) => join(logFolder, `${id}.log`);
    const [adminPort, livePort] = (await findPorts(port, 2)) as [number, number];
    const [postgresPort, redisPort, ...nodePorts] = await findPorts(port && port + 30, 2 + 2 * NODES);
    const shared = { programs, dataDir, password: readPassword(dataDir) };
    const postgres: DatabasePlace = { ...shared, port: postgresPort!, logFile: logFile('postgresql') };
    const redis: DatabasePlace = { ...shared, port: redisPort!, logFile: logFile('redis') };
    note('Starting PostgreSQL and Redis');
    await start([await postgresSpec(postgres), redisSpec(redis)]);

    const [adminUrl, liveUrl] = [`http://127.0.0.1:${adminPort}`, `http://127.0.0.1:${livePort}`];
    const urls = { adminUrl, liveUrl, databaseUrl: postgresUrl(postgres), redisUrl: redisUrl(redis) };
    const installation: Installation = { dataDir, apiKey, ...urls };
    const places = Array.from({ length: NODES }, (_, index) => ({
      installation,
      number: index + 1,
      adminPort: nodePorts[2 * index]!,
      livePort: nodePorts[2 * index + 1]!,
      logFile: logFile(`node-${index + 1}`),
    }));
    note(`Starting ${NODES} nodes, ${workers} workers and nginx`);
    // The first one creates the tables.
    const [first, ...others] = places.map(nodeSpec);
    await start([first!]);
    const workerSpecs = Array.from({ length: workers }, (_, index) =>
      workerSpec(installation, index + 1, logFile(`worker-${index + 1}`)),
    );
    await start([...others, ...workerSpecs]);
    const addresses = (which: 'adminPort' | 'livePort') => places.map((place) => `127.0.0.1:${place[which]}`);
    const listening = { adminPort, livePort, live: addresses('livePort'), admin: addresses('adminPort') };
    const nginx = { program: programs.nginx, folder: join(dataDir, 'nginx'), logFile: logFile('nginx') };
    await start([proxySpec({ ...nginx, ...listening, logPort: responses.port })]);
    const nodes = members.filter(({ kind }) => kind === 'node');
    return {
      adminUrl,
      liveUrl,
      logFolder,
      members,
      responses,
      close,
      nodes: nodes.map((member, index) => ({ member, live: listening.live[index]! })),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
