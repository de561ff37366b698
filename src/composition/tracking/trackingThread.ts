// SPDX-License-Identifier: Apache-2.0
// The program of the tracking thread (composeTracking.ts), with connections of its own to the stores.
import { workerData } from 'node:worker_threads';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { CONNECTIONS, type Sql } from '../../adapters/sql/sql.ts';
import { egressAllow } from '../../config.ts';
import { openSql } from '../../database.ts';
import type { SessionStores } from '../openSessionStores.ts';
import { runTracking } from './runTracking.ts';
import type { ThreadData } from './trackingWork.ts';

const { config, files } = workerData as ThreadData;

/** The client of Redis is loaded only when it is needed. */
async function openSessions(sql: Sql): Promise<Pick<SessionStores, 'sessions' | 'close'>> {
  if (config.REDIS_URL === undefined) return { sessions: sqlSessions(sql), close: async () => {} };
  const { openRedisStore } = await import('../../adapters/redis/redisStore.ts');
  const { redisSessionStores } = await import('../openSessionStores.ts');
  return redisSessionStores(await openRedisStore(config.REDIS_URL, config.REDIS_PREFIX), sql);
}

const sql = await openSql(config, undefined, CONNECTIONS.tracking);
const { sessions, close } = await openSessions(sql);
const guard = createEgressGuard({ allow: egressAllow(config) });
runTracking({
  sql,
  sessions,
  guard,
  files,
  config,
  hasStoreApart: config.REDIS_URL !== undefined,
  async close() {
    await Promise.all([close(), guard.close()]);
    await sql.close();
  },
});
