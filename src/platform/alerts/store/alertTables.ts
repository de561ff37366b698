// SPDX-License-Identifier: Apache-2.0
// The tables of alert rules, alerts, their events, webhooks and what is delivered to them.
import type { Generated } from 'kysely';
import { type RecordTable, recordColumns } from '../../../adapters/sql/schema/channelTables.ts';
import { named, publish } from '../../../adapters/sql/schema/noticeTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

type AlertTable = {
  tenant: string;
  rule_id: string;
  channel_id: string;
  body: string;
  /** JSON: by whom and when. A column of its own: the evaluation writes the others. */
  acknowledged: string | null;
};

/** The process that evaluates the rules. */
type AlertLeadTable = { name: string; holder: string; until_at: number };

type AlertEventTable = {
  seq: Generated<number>;
  tenant: string;
  at: number;
  rule_id: string;
  channel_id: string;
  state: string;
  body: string;
};

export type WebhookDeliveryTable = {
  seq: Generated<number>;
  id: string;
  tenant: string;
  webhook_id: string;
  type: string;
  body: string;
  created_at: number;
  state: string;
  /** When it is sent next, or when its claim expires; null once it is settled. */
  next_at: number | null;
  queued_at: number;
  claim: string | null;
  attempts: number;
  /** Attempts since `queued_at`. */
  tries: number;
  /** JSON of the last attempts. */
  log: string;
  /** Events with the same one are added while it has not been attempted. */
  group_key: string | null;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    alert_rules: RecordTable;
    webhooks: RecordTable;
    alert_silences: RecordTable;
    alerts: AlertTable;
    alert_lead: AlertLeadTable;
    alert_events: AlertEventTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}

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

export const addSilencesAndGroups: Migration = (db, kind) => {
  const { seq } = dialect[kind];
  return runAll(db, [
    `create table alert_silences (${seq}, ${recordColumns}, constraint alert_silences_once unique (tenant, id))`,
    'create index alert_silences_of_tenant on alert_silences (tenant, seq)',
    'alter table alerts add column acknowledged text',
    'alter table webhook_deliveries add column group_key text',
  ]);
};
