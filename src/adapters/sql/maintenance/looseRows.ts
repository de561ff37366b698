// SPDX-License-Identifier: Apache-2.0
// Rows whose owner does not exist. Every writer removes an owner together with what belongs to it, in one transaction, so such rows
// are the trace of a defect, of an edit by hand or of a damaged file.
// Breaks of the history are no such rows: a backup contains them, and not the living sessions that they may belong to.
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** `columns` of `table` refer to `keys` of `owner`. */
type Reference = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly owner: string;
  readonly keys: readonly string[];
  /** Other rows belong to nothing. */
  readonly where?: RawBuilder<boolean>;
  /** A task removes them after their owner. */
  readonly isLate?: true;
};

const inSessions: readonly Reference[] = ['decisions', 'breaks', 'claims', 'presentations', 'confirmations'].map(
  (table) => ({ table, columns: ['session_id'], owner: 'sessions', keys: ['id'] }),
);
const ofTenants = [
  ...[
    'channels',
    'playlists',
    'systems',
    'ad_sources',
    'api_keys',
    'console_sessions',
    'deleted_records',
    'idempotency_keys',
  ],
  ...[
    'alert_rules',
    'webhooks',
    'alerts',
    'alert_silences',
    'alert_events',
    'webhook_deliveries',
    'past_sessions',
    'past_breaks',
    'as_run',
    'distributors',
    'distributor_keys',
    'schedules',
    'schedule_entries',
    'schedule_changes',
    'schedule_playlists',
  ],
];
const toTenants = { columns: ['tenant'], owner: 'tenants', keys: ['name'] };
const references: readonly Reference[] = [
  { table: 'editions', columns: ['life'], owner: 'airings', keys: ['life'] },
  { table: 'live_entries', columns: ['life'], owner: 'live_feeds', keys: ['life'] },
  { table: 'creative_owners', columns: ['creative_id'], owner: 'creatives', keys: ['id'] },
  ...ofTenants.map((table) => ({ table, ...toTenants })),
  // Entries about a tenant itself are kept when the tenant is deleted.
  { table: 'audit_log', ...toTenants, where: sql<boolean>`kind <> 'tenant'` },
  { table: 'webhook_deliveries', columns: ['tenant', 'webhook_id'], owner: 'webhooks', keys: ['tenant', 'id'] },
  { table: 'alerts', columns: ['tenant', 'rule_id'], owner: 'alert_rules', keys: ['tenant', 'id'], isLate: true },
  { table: 'alerts', columns: ['tenant', 'channel_id'], owner: 'channels', keys: ['tenant', 'id'], isLate: true },
];

type LooseRows = {
  readonly table: string;
  readonly owner: string;
  readonly count: number;
  /** A running server removes them. */
  readonly isLate: boolean;
};

/** @param hasSessions whether sessions are in the database, not in Redis */
export async function findLooseRows({ db }: Sql, hasSessions: boolean): Promise<LooseRows[]> {
  const found: LooseRows[] = [];
  for (const reference of [...references, ...(hasSessions ? inSessions : [])]) {
    const { table, columns, owner, keys, where = sql<boolean>`1 = 1`, isLate = false } = reference;
    const isOwner = columns.map(
      (column, index) => sql`${sql.ref(`${owner}.${keys[index] ?? column}`)} = ${sql.ref(`${table}.${column}`)}`,
    );
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${where} and not exists (select 1 from ${sql.table(owner)} where ${sql.join(isOwner, sql` and `)})`.execute(
      db,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) found.push({ table, owner, count, isLate });
  }
  return found;
}
