// SPDX-License-Identifier: Apache-2.0
// The tables of the records that operators write, and of who may access them.
import type { Generated } from 'kysely';

/** A record of an operator. What queries filter by has a column; the rest is in `body`. */
export type RecordTable = {
  /** Grows with each insertion; the order of lists. */
  seq: Generated<number>;
  tenant: string;
  id: string;
  /** The number of changes, from 0. */
  version: number;
  body: string;
};

/** What lists of playlists and channels filter and sort by: made from the body of version `listed_version`. */
type ListColumns = {
  name: Generated<string | null>;
  /** In lower case; the id if there is no name. */
  name_key: Generated<string | null>;
  kind: Generated<string | null>;
  status: Generated<string | null>;
  changed_at: Generated<string | null>;
  listed_version: Generated<number>;
};

export type PlaylistTable = RecordTable & ListColumns;

export type ChannelTable = PlaylistTable & {
  state: string;
  playlist_id: string | null;
  /** SHA-256 of the channel's key, unique together with the id across all tenants. */
  key_hash: string;
};

/** A record that can be restored. Times are milliseconds. */
export type DeletedRecordTable = RecordTable & {
  ref: string;
  kind: string;
  name: string | null;
  record_seq: number;
  deleted_by: string;
  deleted_at: number;
  until_at: number;
};

// Alerts and what is delivered to webhooks. Times are milliseconds.
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
  /** Null of keys that an earlier version stored: they may do everything. */
  scope: string | null;
  /** A JSON array of the only channels; null for all. */
  channels: string | null;
};

/** Times are in milliseconds. */
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
