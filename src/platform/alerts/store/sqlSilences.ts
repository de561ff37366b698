// SPDX-License-Identifier: Apache-2.0
// Stores silences as JSON records. Those that have ended remain until a task removes them.
import type { Sql } from '../../../adapters/sql/sql.ts';
import { jsonBody, sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import { listAll } from '../../systems/store/sqlSystems.ts';
import type { SilenceStore } from '../rules/ports.ts';
import { MAX_SILENCES, type Silence } from '../rules/silence.ts';

export function sqlSilences(store: Sql): SilenceStore {
  const { db } = store;
  const records = sqlRecords<Silence>(store, { table: 'alert_silences', most: MAX_SILENCES, ...jsonBody });
  const all = async () => {
    const rows = await db.selectFrom('alert_silences').select(['version', 'body']).orderBy('seq').execute();
    return rows.map(records.decode);
  };
  return {
    ...records,
    list: listAll(records),
    active: async (now) => (await all()).filter(({ until }) => until > now),
    async removeEnded(now) {
      const ended = (await all()).filter(({ until }) => until <= now);
      for (const { tenant, id, version } of ended) await records.remove(tenant, id, version);
    },
  };
}
