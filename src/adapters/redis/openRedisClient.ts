// SPDX-License-Identifier: Apache-2.0
// Connects to a Redis server, or to a cluster if the server belongs to one. A server that accepts bytes and returns none is
// disconnected after SOCKET_TIMEOUT_MS; calls are repeated while a replica takes over, and fail at once while nothing is connected.

import { type RedisOptions as AllRedisOptions, Cluster, Redis } from 'ioredis';
import { AppError } from '../../errors.ts';
import { withoutUndefined } from '../../invariant.ts';
import { type RedisAddress, type RedisUrls, readRedisUrls } from './redisUrls.ts';

export type RedisClient = Redis | Cluster;

type RedisOptions = Omit<AllRedisOptions, 'replyMapping'>;

const CONNECT_TIMEOUT_MS = 3000;
const SOCKET_TIMEOUT_MS = 1200;
/** Longer than the time that a socket without data is open, so that a call fails once, with the reason. */
const COMMAND_TIMEOUT_MS = 2500;
/** Until a replica has taken over, calls to the nodes that are left are repeated this often. */
const MAX_REDIRECTIONS = 8;
const RETRY_DELAY_MS = 150;
const MAX_RECONNECT_DELAY_MS = 1000;
const SLOTS_REFRESH_MS = 2000;

/** Many processes reconnect at once after an outage. */
const reconnectDelay = (attempt: number): number =>
  Math.min(MAX_RECONNECT_DELAY_MS, 50 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random() / 2);

/** The server has become a replica. Its name may lead to the new master. */
const isDemoted = ({ message }: Error): boolean => message.startsWith('READONLY ');

/** The server responds, and does not accept the credentials. */
const isRefusal = (error: unknown): boolean =>
  /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password)/.test(`${(error as Error).message}`);

const nameOf = ({ host, port }: RedisAddress): string => `${host}:${port}`;

function optionsOf({ username, password, usesTls, database }: RedisUrls): RedisOptions {
  return {
    ...withoutUndefined({ username, password }),
    ...(usesTls ? { tls: {} } : {}),
    db: database,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: reconnectDelay,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    keepAlive: 10_000,
    connectionName: 'midroll',
    lazyConnect: true,
  };
}

/** @returns whether the server is a node of a cluster */
async function isClusterNode(address: RedisAddress, options: RedisOptions): Promise<boolean> {
  const client = new Redis({ ...options, ...address, retryStrategy: () => null });
  let failure: unknown;
  client.on('error', (error) => {
    failure = error;
  });
  try {
    await client.connect();
    return /cluster_enabled:1/.test(await client.info('cluster'));
  } catch (error) {
    throw failure ?? error;
  } finally {
    client.disconnect();
  }
}

/** Uses the first server that responds. */
async function findMode(urls: RedisUrls, options: RedisOptions): Promise<'single' | 'cluster'> {
  let failure: unknown;
  for (const address of urls.addresses) {
    try {
      if (await isClusterNode(address, options)) return 'cluster';
      if (urls.addresses.length === 1) return 'single';
    } catch (error) {
      failure = error;
      continue;
    }
    throw new Error(
      `REDIS_URL has several servers, but ${nameOf(address)} does not belong to a cluster. Name one server, or nodes of one cluster.`,
    );
  }
  const names = urls.addresses.map(nameOf).join(', ');
  const text = `Redis at ${names} cannot be reached. Start it, or correct REDIS_URL`;
  if (isRefusal(failure)) throw new Error(text, { cause: failure });
  throw new AppError('UNAVAILABLE', text, { cause: failure });
}

async function openCluster(urls: RedisUrls, options: RedisOptions): Promise<Cluster> {
  if (urls.database !== 0) throw new Error('REDIS_URL must not name a database: a cluster has only database 0.');
  const { lazyConnect: _, db: __, retryStrategy: ___, ...redisOptions } = options;
  const cluster = new Cluster([...urls.addresses], {
    redisOptions,
    enableOfflineQueue: false,
    lazyConnect: true,
    maxRedirections: MAX_REDIRECTIONS,
    retryDelayOnFailover: RETRY_DELAY_MS,
    retryDelayOnClusterDown: RETRY_DELAY_MS,
    retryDelayOnTryAgain: RETRY_DELAY_MS,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    clusterRetryStrategy: reconnectDelay,
    // The names in certificates are those that the nodes announce.
    ...(urls.usesTls
      ? { dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name) }
      : {}),
  });
  return cluster;
}

/**
 * @param text REDIS_URL
 * @param onError called for faults of connections, which are repaired by the client
 * @throws {AppError} UNAVAILABLE if no server can be reached
 * @throws {Error} if the server does not accept the credentials, or the URL is invalid
 */
export async function openRedisClient(text: string, onError: (error: Error) => void): Promise<RedisClient> {
  const urls = readRedisUrls(text);
  if (typeof urls === 'string') throw new Error(`REDIS_URL must be ${urls}.`);
  const options = optionsOf(urls);
  const mode = await findMode(urls, options);
  const client =
    mode === 'cluster'
      ? await openCluster(urls, options)
      : new Redis({ ...options, ...urls.addresses[0], reconnectOnError: isDemoted });
  client.on('error', onError);
  await client.connect();
  return client;
}
