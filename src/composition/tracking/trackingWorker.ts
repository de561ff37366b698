// SPDX-License-Identifier: Apache-2.0
// The program of the tracking thread (threadedWork.ts), with connections of its own to the stores.
import { workerData } from 'node:worker_threads';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { CONNECTIONS, openSql, type Sql } from '../../adapters/sql/sql.ts';
import { egressAllow } from '../../config.ts';
import type { SessionStores } from '../sessionStores.ts';
import { runTracking } from './runTracking.ts';
import type { ThreadData } from './threadMessages.ts';

const { config, files } = workerData as ThreadData;

/** The client of Redis is loaded only when it is needed. */
async function openSessions(sql: Sql): Promise<Pick<SessionStores, 'sessions' | 'close'>> {
  if (config.REDIS_URL === undefined) return { sessions: sqlSessions(sql), close: async () => {} };
  const { openRedisStore } = await import('../../adapters/redis/redisStore.ts');
  const { redisSessionStores } = await import('../sessionStores.ts');
  return redisSessionStores(await openRedisStore(config.REDIS_URL, config.REDIS_PREFIX), sql);
}

const sql = await openSql(config, undefined, CONNECTIONS.tracking);
const { sessions, close } = await openSessions(sql);
const guard = createEgressGuard({ allow: egressAllow(config) });
runTracking({
  ...{ sql, sessions, guard, files, settings: config, hasStoreApart: config.REDIS_URL !== undefined },
  async close() {
    await Promise.all([close(), guard.close()]);
    await sql.close();
  },
});
