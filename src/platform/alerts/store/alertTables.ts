// SPDX-License-Identifier: Apache-2.0
// The tables of alert rules, alerts, their events, webhooks and what is delivered to them.
import { recordColumns } from '../../../adapters/sql/schema/channelTables.ts';
import { named, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

export const createAlertTables: Migration = async (db, kind) => {
  const { seq } = dialect[kind];
  await runAll(db, [
    ...['alert_rules', 'webhooks'].flatMap((table) => [
      `create table ${table} (${seq}, ${recordColumns}, constraint ${table}_once unique (tenant, id))`,
      `create index ${table}_of_tenant on ${table} (tenant, seq)`,
    ]),
    `create table alerts (
      tenant text not null, rule_id text not null, channel_id text not null, body text not null,
      constraint alerts_once primary key (tenant, rule_id, channel_id))`,
    // One row: the process that evaluates the rules.
    'create table alert_lead (name text primary key, holder text not null, until_at bigint not null)',
    `create table alert_events (
      ${seq}, tenant text not null, at bigint not null, rule_id text not null, channel_id text not null, state text not null,
      body text not null)`,
    'create index alert_events_of_tenant on alert_events (tenant, seq)',
    'create index alert_events_by_age on alert_events (at)',
    `create table webhook_deliveries (
      ${seq}, id text not null unique, tenant text not null, webhook_id text not null, type text not null,
      body text not null, created_at bigint not null, state text not null, next_at bigint, queued_at bigint not null,
      claim text, attempts integer not null, tries integer not null, log text not null)`,
    'create index webhook_deliveries_list on webhook_deliveries (tenant, webhook_id, seq)',
    'create index webhook_deliveries_by_age on webhook_deliveries (created_at)',
    // Holds only pending deliveries.
    'create index webhook_deliveries_due on webhook_deliveries (tenant, webhook_id, next_at) where next_at is not null',
  ]);
  // Other nodes read new events at once.
  await publish({ table: 'alert_events', topic: 'events', key: named('tenant'), omits: 'delete' })(db, kind);
};
