// SPDX-License-Identifier: Apache-2.0
// Stores tenants. Removing a tenant removes all records that belong to it.
import { sql } from 'kysely';
import { systemKey } from '../../../reports/systemKey.ts';
import type { TenantStore } from '../../../tenants/ports.ts';
import type { System } from '../../../tenants/system.ts';
import type { Tenant } from '../../../tenants/tenant.ts';
import type { Sql } from '../sql.ts';
import type { Records } from '../sqlRecords.ts';
import type { TenantTable } from '../sqlSchema.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { toKeyRow } from './sqlApiKeys.ts';

const toTenant = (row: TenantTable): Tenant => ({
  name: row.name,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

const ownedTables = [
  ...(['airings', 'channel_statuses', 'titles', 'channels', 'playlists', 'systems'] as const),
  'deleted_records' as const,
  ...(['api_keys', 'console_sessions', 'request_windows', 'creative_owners', 'beacons', 'live_feeds'] as const),
  ...(['alert_rules', 'webhooks', 'alerts', 'alert_events', 'webhook_deliveries'] as const),
  ...(['past_breaks', 'past_sessions'] as const),
];

export function sqlTenants({ db, atomically }: Sql, systems: Pick<Records<System>, 'insertion'>): TenantStore {
  return {
    create: async ({ name, createdAt, createdBy }, system, first) => {
      const tenant = db.insertInto('tenants').values({ name, created_at: createdAt, created_by: createdBy });
      const key = first ? [db.insertInto('api_keys').values(toKeyRow(first.key, first.hash))] : [];
      try {
        await atomically([tenant, systems.insertion(system), ...key]);
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },
    find: async (name) => {
      const row = await db.selectFrom('tenants').selectAll().where('name', '=', name).executeTakeFirst();
      return row && toTenant(row);
    },
    list: async () => (await db.selectFrom('tenants').selectAll().orderBy('name').execute()).map(toTenant),
    remove: async (name) => {
      const lives = db.selectFrom('airings').select('life').where('tenant', '=', name);
      const editions = db.deleteFrom('editions').where('life', 'in', lives);
      const owned = ownedTables.map((table) => db.deleteFrom(table).where('tenant', '=', name));
      const prefix = systemKey({ tenant: name, id: '' });
      const series = db
        .selectFrom('report_series')
        .select('id')
        .where(sql<string>`substr(system, 1, ${prefix.length})`, '=', prefix);
      const counted = [
        db.deleteFrom('report_rollups').where('series', 'in', series),
        db.deleteFrom('report_series').where('id', 'in', series),
      ];
      const changed = await atomically([
        editions,
        ...owned,
        ...counted,
        db.deleteFrom('tenants').where('name', '=', name),
      ]);
      return changed.at(-1) === 1;
    },
  };
}
