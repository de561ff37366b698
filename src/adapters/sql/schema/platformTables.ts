// SPDX-License-Identifier: Apache-2.0
// The rows of the features of the platform, which create their tables themselves (src/platform/*/store). Times that are numbers are
// milliseconds; others are ISO 8601.
import type { Generated } from 'kysely';
import type { RecordTable } from './channelTables.ts';

export type TenantTable = { name: string; created_at: string; created_by: string };

export type ApiKeyTable = {
  seq: Generated<number>;
  id: string;
  tenant: string;
  email: string;
  name: string | null;
  hash: string;
  hint: string;
  created_by: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  scope: string | null;
  /** A JSON array of the only channels; null for all. */
  channels: string | null;
};

export type ConsoleSessionTable = {
  id: string;
  /** SHA-256 of the token in the cookie. */
  hash: string;
  tenant: string;
  subject: string;
  email: string;
  name: string | null;
  scope: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** When the provider last confirmed the role. */
  checked_at: number;
  /** Encrypted: the tokens of the provider. */
  tokens: string | null;
};

/** The number of requests of a tenant in the minute that began at `started_at`. */
type RequestWindowTable = { tenant: string; started_at: number; requests: number };

type IdempotencyKeyTable = {
  tenant: string;
  /** SHA-256 of the key. */
  key_hash: string;
  started_at: number;
  request_id: string;
  state: string;
  /** Characters of the response. */
  size: number;
  /** Encrypted, as `response`: a hash of the request. */
  request: string;
  response: string | null;
};

export type AuditTable = {
  seq: Generated<number>;
  id: string;
  tenant: string;
  at: number;
  actor_id: string;
  actor_email: string | null;
  operation: string;
  kind: string;
  /** Empty for changes without a record. */
  record_id: string;
  /** What a search compares, in lower case. */
  search: string;
  body: string;
};

export type PublicationTable = {
  location: string;
  edition: string;
  frames: number;
  state: string;
  objects: number;
  bytes: number;
  tries: number;
  due_at: number;
  used_at: number;
  changed_at: number;
};
type ContainerTable = { location: string; reason: string | null; checked_at: number };

/** One series of a report: its rows add up over time and over the keys of one dimension (empty: no dimension). */
type ReportSeriesTable = {
  id: Generated<number>;
  system: string;
  report: string;
  dimension: string;
  /** Empty: the total of all channels. */
  channel: string;
};
/** Counts of an interval of `step` milliseconds that begins at `at`. Several rows of one interval add up. */
type ReportRollupTable = {
  seq: Generated<number>;
  series: number;
  step: number;
  at: number;
  key: string;
  /** 1 when the rows of the next longer step include it. */
  carried: number;
  body: string;
};
type ReportBatchTable = { id: string; at: number };
/** Each compaction takes the next number; see sqlReportCompaction.ts. */
type ReportCarryTable = { number: number };
type ReportViewingTable = { channel: string; at: number; part: number; batch: string; viewers: string };

/** Each count of deliveries takes the next number; see sqlDeliveryCounts.ts. */
type DeliveryCountTable = {
  number: number;
  at: number;
  /** The counts, until they are in the report stores of the systems. */
  body: string | null;
};

/** A record that can be restored. */
export type DeletedRecordTable = RecordTable & {
  ref: string;
  kind: string;
  /** JSON, because names may contain what text columns reject. */
  name: string | null;
  /** Its place in lists. */
  record_seq: number;
  deleted_by: string;
  deleted_at: number;
  until_at: number;
};

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

/** A session that has ended. */
export type PastSessionTable = {
  id: string;
  /** Its first characters, for searches by a part of an id. */
  id_start: string;
  tenant: string;
  channel_id: string;
  format: string;
  opened_at: number;
  seen_at: number;
  /** The retention counts from then. */
  kept_from: number;
  /** Which class of lengths it belongs to (pastSessionRow.ts). */
  span: number;
  address: string;
  user_agent: string;
  /** One `name=value` per line, URI-encoded, with a line feed before and after each. */
  parameters: string;
  bytes: number;
};

export type PastBreakTable = {
  session_id: string;
  break_id: string;
  tenant: string;
  starts_at: number;
  kept_from: number;
  /** Null for a record that is not a break. */
  status: string | null;
  reason: string | null;
  /** A BreakFill (src/sessions/history/breakFill.ts); empty for a record that is not a break. */
  fill: string;
  body: Uint8Array;
  bytes: number;
};

/** One row, written by triggers: the bytes of both tables. */
type PastSizeTable = { id: number; bytes: number };

export type PlatformTables = {
  alert_rules: RecordTable;
  webhooks: RecordTable;
  alerts: AlertTable;
  alert_lead: AlertLeadTable;
  alert_events: AlertEventTable;
  webhook_deliveries: WebhookDeliveryTable;
  tenants: TenantTable;
  api_keys: ApiKeyTable;
  console_sessions: ConsoleSessionTable;
  request_windows: RequestWindowTable;
  idempotency_keys: IdempotencyKeyTable;
  audit_log: AuditTable;
  systems: RecordTable;
  publications: PublicationTable;
  containers: ContainerTable;
  report_series: ReportSeriesTable;
  report_rollups: ReportRollupTable;
  report_batches: ReportBatchTable;
  report_carries: ReportCarryTable;
  report_viewing: ReportViewingTable;
  delivery_counts: DeliveryCountTable;
  deleted_records: DeletedRecordTable;
  past_sessions: PastSessionTable;
  past_breaks: PastBreakTable;
  past_size: PastSizeTable;
};
