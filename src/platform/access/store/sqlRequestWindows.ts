// SPDX-License-Identifier: Apache-2.0
// Counts the requests of each tenant per time window, for all nodes together.
import { sql } from 'kysely';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { millis } from '../../../time/units.ts';
import type { RequestWindowStore } from '../rules/ports.ts';

export function sqlRequestWindows({ db }: Sql): RequestWindowStore {
  return {
    async count(tenant, now, length) {
      // A window that begins in the future was started by a clock that has been set back since.
      const isOver = sql<boolean>`(request_windows.started_at <= ${now - length} or request_windows.started_at > ${now + length})`;
      const row = await db
        .insertInto('request_windows')
        .values({ tenant, started_at: now, requests: 1 })
        .onConflict((conflict) =>
          conflict.column('tenant').doUpdateSet({
            started_at: sql<number>`case when ${isOver} then cast(${now} as bigint) else request_windows.started_at end`,
            requests: sql<number>`case when ${isOver} then 1 else request_windows.requests + 1 end`,
          }),
        )
        .returning(['started_at', 'requests'])
        .executeTakeFirstOrThrow();
      return { startedAt: millis(Number(row.started_at)), requests: row.requests };
    },
  };
}
