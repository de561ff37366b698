// SPDX-License-Identifier: Apache-2.0
// The notices of the database: where the records are.
import type { NoticeSource } from '../../../notices/ports.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Sql, SqlSource } from '../sql.ts';
import { sqliteNotices } from './sqliteNotices.ts';

const DEFAULT_CONNECT_MS = 5000;

export async function openNotices(store: Sql, source: SqlSource, { now, timers }: Clock): Promise<NoticeSource> {
  if (store.sqlite !== undefined) return sqliteNotices(store.sqlite);
  // The driver is loaded when it is needed.
  const { postgresNotices } = await import('./postgresNotices.ts');
  const connectMs = source.DATABASE_CONNECT_TIMEOUT_MS ?? DEFAULT_CONNECT_MS;
  return postgresNotices({ url: source.DATABASE_URL!, db: store.db, connectMs, now, timers });
}
