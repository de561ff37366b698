// SPDX-License-Identifier: Apache-2.0
// The size of the queue of creatives, for metrics. The number of creatives that are not ready is bounded.
import { sql } from 'kysely';
import type { CreativeQueue } from '../../../ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';

export async function readCreativeQueue({ db }: Sql, at: Millis): Promise<CreativeQueue> {
  const rows = await db
    .selectFrom('creatives')
    .select((query) => [
      sql<string>`case when state = 'waiting' and reason is not null then 'retrying' else state end`.as('what'),
      query.fn.countAll().as('total'),
      sql<number | null>`min(case when state = 'waiting' and due_at <= ${at} then due_at end)`.as('oldest'),
    ])
    .where('state', 'in', ['waiting', 'preparing', 'failed'])
    .groupBy('what')
    .execute();
  const counts = { waiting: 0, retrying: 0, preparing: 0, failed: 0 };
  for (const { what, total } of rows) counts[what as keyof typeof counts] = Number(total);
  const due = rows.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]));
  return { counts, ...(due.length === 0 ? {} : { oldestDue: millis(Math.min(...due)) }) };
}
