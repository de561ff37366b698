// SPDX-License-Identifier: Apache-2.0
// The database, the object store of media, and the session store.

import { randomUUID } from 'node:crypto';
import { openBlobStore } from '../../adapters/cloud/openBlobStore.ts';
import { openRedisClient } from '../../adapters/redis/openRedisClient.ts';
import { openRedisStore } from '../../adapters/redis/redisStore.ts';
import { find } from '../../adapters/redis/scripts/sessionScripts.ts';
import { inspectStore, type StoreState } from '../../adapters/sql/inspectStore.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { UNRELEASED, UNRELEASED_ADVICE } from '../../adapters/sql/sqlMigrate.ts';
import { nameOf, readMediaUrl } from '../../blobs/mediaLocation.ts';
import type { BlobStore } from '../../blobs/ports.ts';
import type { Config } from '../../config.ts';
import { schema as current } from '../../database.ts';
import { AppError, describeError } from '../../errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

export type DatabaseCheck = { readonly finding: Finding; readonly state?: StoreState };

const schemas: Readonly<Record<StoreState['schema'], string>> = {
  absent: 'is created at the first start',
  empty: 'empty; the tables are created at the first start',
  unreleased: UNRELEASED,
  older: 'has the schema of an older version; the next start migrates it',
  current: 'schema is current',
  supported: 'has the schema of a newer version, which this version can use',
  newer: 'has the schema of a newer version, which this version cannot use',
};

function findingOf({ kind, schema, version, isWritable }: StoreState): Finding {
  const text = `${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version}: ${schemas[schema]}`;
  if (schema === 'unreleased') return failed('Database', text, UNRELEASED_ADVICE);
  if (schema === 'newer') return failed('Database', text, 'Start the newer version of Midroll, or restore a backup.');
  if (!isWritable)
    return failed('Database', `${text}; the user may not create tables`, 'GRANT CREATE ON SCHEMA public.');
  if (schema === 'older') return warning('Database', text, 'Back it up first: "midroll backup FOLDER".');
  return ok('Database', text);
}

const databaseAdvice = (source: SqlSource): string =>
  source.DATABASE_URL === undefined
    ? 'Check the permissions of DATA_DIR and its disk; docs/backup.md describes how to restore a backup.'
    : 'Check that DATABASE_URL is right and the server is running.';

export async function checkDatabase(source: SqlSource): Promise<DatabaseCheck> {
  try {
    const state = await inspectStore(current, source);
    return { state, finding: findingOf(state) };
  } catch (error) {
    // The message of a missing driver contains its own advice.
    if (error instanceof AppError) return { finding: failed('Database', error.message, databaseAdvice(source)) };
    return { finding: failed('Database', `not readable: ${describeError(error)}`, databaseAdvice(source)) };
  }
}

const MEDIA_STORE = 'Media store';
const TIMEOUT_MS = 5000;
const advice = {
  s3: 'Check the bucket, the endpoint and the credentials of the AWS client, for example AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  azure: 'Check the account, the container, the endpoint and AZURE_STORAGE_KEY.',
  folder: 'Check that the folder is mounted and that this user can write to it.',
} as const;

/** @returns what failed, as a predicate of the store */
async function problemOf(blobs: BlobStore): Promise<string | undefined> {
  const name = `doctor/${randomUUID()}`;
  const written = await blobs.put(name, Buffer.from('midroll doctor'), 'text/plain');
  if (!written.ok) return `writing: it ${written.reason}`;
  const read = await blobs.get(name);
  const listed = await blobs.list('doctor/');
  const removed = await blobs.remove(name);
  if (!read.ok) return `reading: it ${read.reason}`;
  if (read.value?.length !== 14) return 'reading: it did not return what was written';
  if (!listed.ok) return `listing: it ${listed.reason}`;
  return removed.ok ? undefined : `removing: it ${removed.reason}`;
}

/**
 * Writes, reads, lists and removes an object, as workers and nodes do; or only lists.
 * @returns undefined without MEDIA_URL
 */
export async function checkMediaStore(
  settings: Pick<Config, 'MEDIA_URL' | 'AZURE_STORAGE_KEY'>,
  access: 'write' | 'read' = 'write',
): Promise<Finding | undefined> {
  const reading = settings.MEDIA_URL === undefined ? undefined : readMediaUrl(settings.MEDIA_URL);
  if (!reading?.ok) return undefined;
  const { location } = reading;
  const opened = await openBlobStore(location, {
    azureKey: settings.AZURE_STORAGE_KEY,
    timeoutMs: TIMEOUT_MS,
    tries: 1,
  });
  try {
    const exists = await opened.blobs.list('doctor/');
    if (!exists.ok && exists.status === 404)
      return warning(MEDIA_STORE, `${nameOf(location)} does not exist yet`, 'The first start creates it.');
    if (exists.ok && access === 'read') return ok(MEDIA_STORE, `${nameOf(location)} can be read`);
    const problem = exists.ok ? await problemOf(opened.blobs) : `listing: it ${exists.reason}`;
    if (problem !== undefined) return failed(MEDIA_STORE, `${nameOf(location)}: ${problem}`, advice[location.kind]);
    return ok(MEDIA_STORE, `${nameOf(location)} can be written and read`);
  } finally {
    await opened.close();
  }
}

type RedisSettings = Pick<Config, 'REDIS_URL' | 'REDIS_PREFIX'>;

const SESSION_STORE = 'Session store';
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

/** Runs a script, as nodes do, and reads how the store is configured. @returns undefined without REDIS_URL */
export async function checkSessionStore({ REDIS_URL: url, REDIS_PREFIX }: RedisSettings): Promise<Finding | undefined> {
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
        SESSION_STORE,
        `Redis removes sessions when its memory is full (maxmemory-policy ${policy})`,
        'Set maxmemory-policy noeviction: viewers would see other ads, and traces would be lost.',
      );
  } catch (error) {
    return failed(SESSION_STORE, textOf(error), ADVICE);
  }
  return ok(
    SESSION_STORE,
    unprotected === 0 ? 'Redis runs scripts' : `Redis runs scripts; masters without a replica: ${unprotected}`,
  );
}
