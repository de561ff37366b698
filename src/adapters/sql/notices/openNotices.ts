// SPDX-License-Identifier: Apache-2.0
// The notices of the database: where the records are.

import type Sqlite from 'better-sqlite3';
import { defined } from '../../../invariant.ts';
import { isTopic, type NoticeListener, type NoticeSource } from '../../../notices/ports.ts';
import type { Clock } from '../../../time/clock.ts';
import { millis } from '../../../time/units.ts';
import type { Sql, SqlSource } from '../sql.ts';

const DEFAULT_CONNECT_MS = 5000;

export async function openNotices(store: Sql, source: SqlSource, { now, timers }: Clock): Promise<NoticeSource> {
  if (store.sqlite !== undefined) return sqliteNotices(store.sqlite);
  // The driver is loaded when it is needed.
  const { postgresNotices } = await import('./postgresNotices.ts');
  const connectMs = source.DATABASE_CONNECT_TIMEOUT_MS ?? DEFAULT_CONNECT_MS;
  return postgresNotices({
    url: defined(source.DATABASE_URL, 'a database that is no SQLite file has a URL'),
    db: store.db,
    connectMs,
    now,
    timers,
  });
}

// Notices of a SQLite file: triggers write them as rows, and the processes that share the file read the new ones. As long as no
// connection has written anything, one pragma is all that is read.

type Row = { readonly seq: number; readonly topic: string; readonly key: string; readonly at: number };

function sqliteNotices(file: Sqlite.Database): NoticeSource {
  const newest = file.prepare<[], { seq: number | null }>('select max(seq) as seq from notices');
  const after = file.prepare<[number], Row>('select seq, topic, key, at from notices where seq > ? order by seq');
  let listener: NoticeListener | undefined;
  let last = 0;
  let version: unknown;

  /** Changes with each transaction of another connection; the only one of a database in memory is this one. */
  const dataVersion = () => (file.memory ? Symbol() : file.pragma('data_version', { simple: true }));

  return {
    start(to) {
      listener = to;
      last = newest.get()?.seq ?? 0;
    },
    async catchUp() {
      const current = dataVersion();
      if (current === version) return undefined;
      const rows = after.all(last);
      version = current;
      const isComplete = (rows[0]?.seq ?? last + 1) === last + 1;
      last = rows.at(-1)?.seq ?? last;
      if (!isComplete) listener?.lost();
      for (const { topic, key, at } of rows) if (isTopic(topic)) listener?.notice({ topic, key, at: millis(at) });
      return undefined;
    },
    async stop() {
      listener = undefined;
    },
  };
}
