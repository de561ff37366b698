// SPDX-License-Identifier: Apache-2.0
// The tables, the same in SQLite and PostgreSQL. Times are ISO 8601 text unless stated otherwise. Documents are JSON
// text, because JSON columns reject lone surrogates and zero bytes, which must be read back as written (law 8).
import type { Generated } from 'kysely';
import type { AuditTable, IdempotencyKeyTable } from './records/auditSchema.ts';
import type { PastBreakTable, PastSessionTable, PastSizeTable } from './schema/pastTables.ts';
import type {
  AlertTables,
  ApiKeyTable,
  ChannelTable,
  ConsoleSessionTable,
  DeletedRecordTable,
  PlaylistTable,
  RecordTable,
} from './sqlRecordSchema.ts';
import type { BeaconTable, ConfirmationTable, DeliveryCountTable, DeliveryTable } from './sqlTrackingSchema.ts';

export type TenantTable = { name: string; created_at: string; created_by: string };

/** Facts about the database itself. */
export type FactTable = { name: string; value: string };

export type AiringTable = {
  tenant: string;
  channel_id: string;
  life: string;
  body: string;
  off_since: number | null;
  on_since: number | null;
};
export type EditionTable = { life: string; number: number; body: string };
/** `used_at`: when a channel or an operator last used it, to the hour. */
export type AssetTable = {
  key: string;
  body: string;
  used_at: number;
  /** VoD sessions may need it until then. */
  keep_until: number | null;
};
/**
 * The planner's status of a channel, for all nodes. `items` has its own column: it may be long and is read less often.
 */
export type ChannelStatusTable = {
  tenant: string;
  channel_id: string;
  at: number;
  is_preparing: number;
  /** 1 if an item has failed. */
  has_failed: number;
  body: string;
  items: string;
};
/** Excluded assets: assets that channels skip while their origin is unavailable. */
export type AsideTable = { url: string; reason: string; until: number; times: number; is_back: number };
/** The number of requests of a tenant in the minute that began at `started_at`. */
export type RequestWindowTable = { tenant: string; started_at: number; requests: number };
/** The `url` of the row of a tenant's own check of a URL starts with this. No URL starts with a name and a space. */
export const checkedPrefix = (tenant: string): string => `${tenant} `;
/** The asset that the latest import of a URL produced, also that of a tenant's own check. */
export type SourceTable = { url: string; asset: string; imported_at: number; used_at: number };

/** The import of a title that viewers named. `duration` is in flicks, times are milliseconds. */
export type TitleTable = {
  tenant: string;
  channel_id: string;
  /** SHA-256 of the URL. */
  url_hash: string;
  url: string;
  state: string;
  reason: string | null;
  asset: string | null;
  duration: number | null;
  started_at: number;
  updated_at: number;
};

/** A live feed on air. */
export type LiveFeedTable = AiringTable & { format: string };
/** An entry of a live timeline. */
export type LiveEntryTable = {
  life: string;
  number: number;
  /** When its first slot starts, in milliseconds; null without slots. */
  starts_at: number | null;
  /** Identifies the call that stored it. */
  writer: string;
  body: string;
};

/** A change of the origin of a live channel; `at` is milliseconds. */
export type OriginEventTable = {
  tenant: string;
  channel_id: string;
  format: string;
  number: number;
  at: number;
  body: string;
};

/** What an operator has ordered by hand. Times are milliseconds. */
export type BreakOrderTable = {
  tenant: string;
  channel_id: string;
  id: string;
  kind: string;
  revision: number;
  starts_at: number;
  over_at: number;
  is_cancelled: number;
  body: string;
};

/** Times are milliseconds. */
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
export type ContainerTable = { location: string; reason: string | null; checked_at: number };

/** A creative or slate for one ladder, and the job of making it; times are milliseconds. */
export type CreativeTable = {
  seq: Generated<number>;
  id: string;
  kind: string;
  /** JSON of its source and its ladder. */
  body: string;
  state: string;
  /** Lower values come first. */
  urgency: number;
  /** The earliest time of the first or next attempt. */
  due_at: number;
  attempts: number;
  /** A CreativeFault (src/ads/creative/creativeFault.ts). */
  fault: string | null;
  reason: string | null;
  lease: string | null;
  lease_until: number | null;
  media_id: string | null;
  made: string | null;
  created_at: number;
  asked_at: number;
  made_at: number | null;
  /** Its source in lower case, without secrets; made when a list needs it. */
  source_key: Generated<string | null>;
};
export type CreativeOwnerTable = { tenant: string; channel_id: string; creative_id: string; asked_at: number };

export type Database = AlertTables & {
  deliveries: DeliveryTable;
  delivery_counts: DeliveryCountTable;
  beacons: BeaconTable;
  publications: PublicationTable;
  containers: ContainerTable;
  report_series: ReportSeriesTable;
  report_rollups: ReportRollupTable;
  report_batches: ReportBatchTable;
  report_carries: ReportCarryTable;
  report_viewing: ReportViewingTable;
  channel_statuses: ChannelStatusTable;
  assets_aside: AsideTable;
  request_windows: RequestWindowTable;
  airings: AiringTable;
  editions: EditionTable;
  assets: AssetTable;
  sources: SourceTable;
  sessions: SessionTable;
  claims: ClaimTable;
  decisions: DecisionTable;
  breaks: BreakRecordTable;
  confirmations: ConfirmationTable;
  presentations: PresentationTable;
  titles: TitleTable;
  live_feeds: LiveFeedTable;
  live_entries: LiveEntryTable;
  break_orders: BreakOrderTable;
  origin_events: OriginEventTable;
  past_sessions: PastSessionTable;
  past_breaks: PastBreakTable;
  past_size: PastSizeTable;
  creatives: CreativeTable;
  creative_owners: CreativeOwnerTable;
  tenants: TenantTable;
  api_keys: ApiKeyTable;
  console_sessions: ConsoleSessionTable;
  systems: RecordTable;
  playlists: PlaylistTable;
  channels: ChannelTable;
  deleted_records: DeletedRecordTable;
  facts: FactTable;
  alert_rules: RecordTable;
  webhooks: RecordTable;
  audit_log: AuditTable;
  idempotency_keys: IdempotencyKeyTable;
};

// The tables of reports: counts per interval, and records of which batches and viewers were counted.

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

// The tables of living sessions.

/** Times are milliseconds: they are compared and never shown. */
type SessionTable = {
  seq: Generated<number>;
  id: string;
  channel_id: string;
  /** Null for a session that was opened before the column existed. */
  tenant: string | null;
  body: string;
  odometer: string;
  folded_before: number;
  seen_at: number;
  /** 1 once the viewer has requested a manifest that lists media. */
  is_watched: Generated<number>;
  /** For VoD sessions; null for live ones. */
  keep_until: number | null;
};
/** What a VoD session shows. `writer` identifies the call that stored it. */
type PresentationTable = { session_id: string; body: string; writer: string };
type ViewerBreakTable = { session_id: string; break_id: string; starts_at: number; body: string };
/** `decided_at` is a time of the database; null before the column existed. */
type DecisionTable = ViewerBreakTable & { decided_at: Generated<number | null> };

/**
 * `life` is the session's; null before the column existed. `has_ads` is 1 if the viewer got ads, `is_aside` once the record waits for
 * the history. `fill` is as in the history; null before the column existed.
 */
type BreakRecordTable = ViewerBreakTable & {
  life: Generated<string | null>;
  has_ads: Generated<number>;
  is_aside: Generated<number>;
  fill: Generated<string | null>;
};

/** The node that may request the ads of a break, and until when. `answer` holds the response until the break is decided. */
type ClaimTable = {
  session_id: string;
  break_id: string;
  starts_at: number;
  holder: string;
  until_at: number;
  answer: string | null;
};
