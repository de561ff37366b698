// SPDX-License-Identifier: Apache-2.0
// Runs a script on the store of REDIS_URL, as nodes do, and reads how it is configured.
import { openRedisClient } from '../../adapters/redis/openRedisClient.ts';
import { openRedisStore } from '../../adapters/redis/redisStore.ts';
import { find } from '../../adapters/redis/scripts/sessionScripts.ts';
import type { Config } from '../../config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

type Settings = Pick<Config, 'REDIS_URL' | 'REDIS_PREFIX'>;

const SUBJECT = 'Session store';
const ADVICE = 'Check REDIS_URL, its user and password, and that the server runs.';

/** Errors contain addresses, and no passwords. */
const textOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** @returns the policy of one of the servers; undefined if the user may not read it */
async function evictionPolicy(url: string): Promise<string | undefined> {
  const client = await openRedisClient(url, () => {});
  try {
    return /maxmemory_policy:(\S+)/.exec(await client.info('memory'))?.[1];
  } finally {
    client.disconnect();
  }
}

/** @returns undefined without REDIS_URL */
export async function checkSessionStore({ REDIS_URL: url, REDIS_PREFIX }: Settings): Promise<Finding | undefined> {
  if (url === undefined) return undefined;
  let unprotected = 0;
  try {
    const onUnprotected = (masters: number) => {
      unprotected = masters;
    };
    const store = await openRedisStore(url, REDIS_PREFIX, { onUnprotected });
    try {
      for (const part of store.parts.all) await store.run(part, find, ['doctor', 0]);
    } finally {
      await store.close();
    }
    const policy = await evictionPolicy(url);
    if (policy !== undefined && policy !== 'noeviction')
      return warning(
        SUBJECT,
        `Redis removes sessions when its memory is full (maxmemory-policy ${policy})`,
        'Set maxmemory-policy noeviction: viewers would see other ads, and traces would be lost.',
      );
  } catch (error) {
    return failed(SUBJECT, textOf(error), ADVICE);
  }
  return ok(
    SUBJECT,
    unprotected === 0 ? 'Redis runs scripts' : `Redis runs scripts; masters without a replica: ${unprotected}`,
  );
}
