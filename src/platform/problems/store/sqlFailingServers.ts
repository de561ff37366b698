// SPDX-License-Identifier: Apache-2.0
import { sql } from 'kysely';
import { present } from '../../../adapters/sql/present.ts';
import { storable } from '../../../adapters/sql/schema/schema.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { millis } from '../../../time/units.ts';
import type { FailingServer, FailingServers, ServerKey } from '../rules/ports.ts';
import { isKnownError } from '../rules/serverHealth.ts';

/** Characters of a host name and port. */
const MAX_HOST = 300;

const hostIn = (text: string): string => storable(text).slice(0, MAX_HOST);

const rowKey = ({ tenant, channel, asked, adServer }: ServerKey) => ({
  tenant,
  channel_id: channel,
  wrapper: asked === 'wrapper' ? hostIn(adServer) : '',
});

export function sqlFailingServers({ db }: Sql): FailingServers {
  return {
    async put(one) {
      const { adServer, since, lastAt, failure } = one;
      const facts = { ad_server: hostIn(adServer), error: failure.error, status: failure.status ?? null };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('failing_servers')
        .values({ ...rowKey(one), ...facts, since, last_at: lastAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 1n) return true;
      await db
        .updateTable('failing_servers')
        .set({ ...facts, last_at: lastAt })
        .where((row) => row.and(rowKey(one)))
        .where('last_at', '<', lastAt)
        .execute();
      return false;
    },
    async remove(key, before) {
      const { numDeletedRows } = await db
        .deleteFrom('failing_servers')
        .where((row) => row.and(rowKey(key)))
        .where('last_at', '<=', before)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    async list(since, tenant) {
      let found = db.selectFrom('failing_servers').selectAll().where('last_at', '>=', since);
      if (tenant !== undefined) found = found.where('tenant', '=', tenant);
      const rows = await found.orderBy('since').orderBy('channel_id').orderBy('wrapper').execute();
      return rows.map(
        (row): FailingServer => ({
          tenant: row.tenant,
          channel: row.channel_id,
          asked: row.wrapper === '' ? 'source' : 'wrapper',
          adServer: row.ad_server,
          since: millis(row.since),
          lastAt: millis(row.last_at),
          failure: { error: isKnownError(row.error) ? row.error : 'failed', ...present({ status: row.status }) },
        }),
      );
    },
    async forget(before) {
      await sql`delete from failing_servers where last_at < ${before}`.execute(db);
    },
  };
}
