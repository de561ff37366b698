// SPDX-License-Identifier: Apache-2.0
// The tables of alerts and webhooks. Times are milliseconds.
import type { Generated } from 'kysely';

type AlertTable = { tenant: string; rule_id: string; channel_id: string; body: string };
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
};

export type AlertTables = {
  alerts: AlertTable;
  alert_lead: AlertLeadTable;
  alert_events: AlertEventTable;
  webhook_deliveries: WebhookDeliveryTable;
};
