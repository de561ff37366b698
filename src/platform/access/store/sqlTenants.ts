// SPDX-License-Identifier: Apache-2.0
// Stores tenants. Removing a tenant removes all records that belong to it.

import { sql } from 'kysely';
import { checkedPrefix } from '../../../adapters/sql/schema/channelTables.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { Records } from '../../../adapters/sql/sqlRecords.ts';
import { isStoredOnce } from '../../../adapters/sql/uniqueViolation.ts';
import { type System, systemKey } from '../../systems/rules/system.ts';
import type { TenantStore } from '../rules/ports.ts';
import type { Tenant } from '../rules/tenant.ts';
import type { TenantTable } from './accessTables.ts';
import { removeAudited, withEntry } from './audited.ts';
import { toKeyRow } from './sqlApiKeys.ts';

const toTenant = (row: TenantTable): Tenant => ({
  name: row.name,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

/** Tables whose rows have the name of their tenant. */
const ownedTables = [
  'airings',
  'as_run',
  'channel_statuses',
  'titles',
  'channels',
  'playlists',
  'systems',
  'ad_sources',
  'deleted_records',
  'api_keys',
  'console_sessions',
  'request_windows',
  'creative_owners',
  'failing_servers',
  'beacons',
  'live_feeds',
  'distributors',
  'distributor_keys',
  'schedules',
  'schedule_entries',
  'schedule_changes',
  'schedule_playlists',
  'alert_rules',
  'webhooks',
  'alerts',
  'alert_silences',
  'alert_events',
  'webhook_deliveries',
  'past_breaks',
  'past_sessions',
  'idempotency_keys',
  'shown_ads',
  'source_rates',
] as const;

export function sqlTenants(store: Sql, systems: Pick<Records<System>, 'insertion'>): TenantStore {
  const { db, atomically } = store;
  return {
    create: ({ name, createdAt, createdBy }, system, first, entry) => {
      const tenant = db.insertInto('tenants').values({ name, created_at: createdAt, created_by: createdBy });
      const key = first ? [db.insertInto('api_keys').values(toKeyRow(first.key, first.hash))] : [];
      return isStoredOnce(atomically([tenant, systems.insertion(system), ...key, ...withEntry(store, entry)]));
    },
    find: async (name) => {
      const row = await db.selectFrom('tenants').selectAll().where('name', '=', name).executeTakeFirst();
      return row && toTenant(row);
    },
    list: async () => (await db.selectFrom('tenants').selectAll().orderBy('name').execute()).map(toTenant),
    remove: (name, entry) => {
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
      const checked = checkedPrefix(name);
      const sources = db.deleteFrom('sources').where(sql<string>`substr(url, 1, ${checked.length})`, '=', checked);
      const removal = db.deleteFrom('tenants').where('name', '=', name);
      const entries = db
        .deleteFrom('audit_log')
        .where('tenant', '=', name)
        // If two requests remove the tenant at once, the second one keeps the entry of the first.
        .where(({ exists, selectFrom }) => exists(selectFrom('tenants').select('name').where('name', '=', name)));
      const before = [editions, ...owned, ...counted, sources, entries];
      // The entry is the only one that remains: a tenant of the same name must not see what belonged to another one.
      return removeAudited(store, removal, entry, before);
    },
  };
}
