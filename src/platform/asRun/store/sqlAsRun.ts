// SPDX-License-Identifier: Apache-2.0
// Stores the as-run log. Rows never overlap, so those of a range are found by their starts.
import { sql } from 'kysely';
import { inChunks } from '../../../adapters/inChunks.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { countOf } from '../../../adapters/sql/sqlRecords.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AsRunRow } from '../../../scheduling/asRun.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { AsRunStore } from '../rules/ports.ts';

const ROWS_PER_STATEMENT = 100;
/** Rows that one statement deletes. */
const MAX_DELETED = 1000;

export function sqlAsRun(store: Sql): AsRunStore {
  const { db } = store;
  const ofChannel = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('as_run').where('tenant', '=', tenant).where('channel_id', '=', id);
  return {
    async storedUntil(channel) {
      const newest = await ofChannel(channel)
        .select('ended_at')
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return newest && millis(Number(newest.ended_at));
    },
    async add({ tenant, id: channelId }, rows) {
      const of = { tenant, channel_id: channelId };
      const values = rows.map((row) => {
        const { id, from, to } = row;
        return { ...of, started_at: from, id, ended_at: to, body: JSON.stringify(row) };
      });
      const statements = inChunks(values, ROWS_PER_STATEMENT).map((some) =>
        db
          .insertInto('as_run')
          .values(some)
          .onConflict((conflict) => conflict.doNothing()),
      );
      if (statements.length > 0) await store.atomically(statements);
    },
    async list(channel, { from, to }, { offset, limit }) {
      const atStart = ofChannel(channel)
        .select(({ fn }) => fn.max('started_at').as('at'))
        .where('started_at', '<=', from);
      const inRange = ofChannel(channel)
        .where('started_at', '>=', sql<Millis>`coalesce(${atStart}, ${from})`)
        .where('started_at', '<', to)
        .where('ended_at', '>', from);
      const [total, rows] = await Promise.all([
        countOf(inRange),
        inRange.select('body').orderBy('started_at').orderBy('id').limit(limit).offset(offset).execute(),
      ]);
      return { total, items: rows.map(({ body }) => JSON.parse(body) as AsRunRow) };
    },
    async removeBefore(before) {
      // Rows have no numbers, so the start of one of them is the limit.
      const old = db.selectFrom('as_run').select('started_at').where('started_at', '<', before);
      const last = await old.orderBy('started_at').offset(MAX_DELETED).limit(1).executeTakeFirst();
      await db
        .deleteFrom('as_run')
        .where('started_at', '<=', last === undefined ? before - 1 : last.started_at)
        .execute();
      return last !== undefined;
    },
  };
}
