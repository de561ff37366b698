// SPDX-License-Identifier: Apache-2.0
// Alert rules, alerts, their events, webhooks and what is delivered to them.
import { type Kysely, sql } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

async function addRecords(db: Kysely<unknown>, kind: SqlKind, table: string): Promise<void> {
  await addSeq(db.schema.createTable(table), kind)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint(`${table}_once`, ['tenant', 'id'])
    .execute();
  await db.schema.createIndex(`${table}_of_tenant`).on(table).columns(['tenant', 'seq']).execute();
}

async function addAlerts(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema
    .createTable('alerts')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alerts_once', ['tenant', 'rule_id', 'channel_id'])
    .execute();
  // One row: the process that evaluates the rules.
  await db.schema
    .createTable('alert_lead')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until_at', 'bigint', (column) => column.notNull())
    .execute();
  await addSeq(db.schema.createTable('alert_events'), kind)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('alert_events_of_tenant').on('alert_events').columns(['tenant', 'seq']).execute();
  await db.schema.createIndex('alert_events_by_age').on('alert_events').column('at').execute();
}

async function addDeliveries(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addSeq(db.schema.createTable('webhook_deliveries'), kind)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // When it is sent next, or when its claim expires; null once it is settled.
    .addColumn('next_at', 'bigint')
    .addColumn('queued_at', 'bigint', (column) => column.notNull())
    .addColumn('claim', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('log', 'text', (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('webhook_deliveries');
  await index('webhook_deliveries_list').columns(['tenant', 'webhook_id', 'seq']).execute();
  await index('webhook_deliveries_by_age').column('created_at').execute();
  // Holds only pending deliveries.
  await index('webhook_deliveries_due')
    .columns(['tenant', 'webhook_id', 'next_at'])
    .where(sql.ref('next_at'), 'is not', sql.lit(null))
    .execute();
}

/** Other nodes read new events at once (m019Notices.ts). */
async function announceEvents(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  if (kind === 'sqlite') {
    const at = "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)";
    await run(`create trigger notice_alert_events_insert after insert on alert_events for each row
      begin insert into notices (topic, key, at) values ('events', substr(new.tenant, 1, 1000), ${at}); end`);
    return;
  }
  await run(`create or replace function notice_alert_events_insert() returns trigger language plpgsql as $$ begin
    perform pg_notify('midroll', 'events ' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint || ' ' || left(new.tenant, 1000));
    return null;
  end $$`);
  await run(`create trigger notice_alert_events_insert after insert on alert_events for each row
    execute function notice_alert_events_insert()`);
}

export async function m024Alerts(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addRecords(db, kind, 'alert_rules');
  await addRecords(db, kind, 'webhooks');
  await addAlerts(db, kind);
  await addDeliveries(db, kind);
  await announceEvents(db, kind);
  // Holds only unsettled beacons; finds the oldest one of a channel.
  await db.schema
    .createIndex('beacons_pending')
    .on('beacons')
    .columns(['tenant', 'channel_id', 'due_at'])
    .where(sql.ref('outcome'), 'is', sql.lit(null))
    .execute();
}
