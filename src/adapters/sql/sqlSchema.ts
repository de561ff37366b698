// The tables of the store, the same in SQLite and PostgreSQL. Times are ISO 8601 text, documents are JSON text: what
// was written is read back to the letter, lone surrogates and zero bytes included, which JSON columns would refuse.
import type { Generated } from 'kysely';
import type {
  ReportBatchTable,
  ReportCarryTable,
  ReportRollupTable,
  ReportSeriesTable,
  ReportViewingTable,
} from './sqlReportSchema.ts';

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
};

/** A record of an operator's: what is searched for has a column, the rest is in `body`. */
export type RecordTable = {
  /** Counts insertions: the order of lists. */
  seq: Generated<number>;
  tenant: string;
  id: string;
  /** Counts changes, from 0. */
  version: number;
  body: string;
};

export type ChannelTable = RecordTable & {
  state: string;
  playlist_id: string | null;
  /** SHA-256 of the channel's key: unique together with its id, for all tenants. */
  key_hash: string;
};

/** Facts about the store itself. */
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
/** `used_at`: when a channel or an editor used it last, to the hour. */
export type AssetTable = { key: string; body: string; used_at: number };
/** What the planner says of a channel, for all nodes; `items` is apart because it may be long and is read less often. */
export type ChannelStatusTable = {
  tenant: string;
  channel_id: string;
  at: number;
  is_preparing: number;
  /** 1 when an item has failed. */
  has_failed: number;
  body: string;
  items: string;
};
/** Assets that are left aside while their origin is gone. */
export type AsideTable = { url: string; reason: string; until: number; times: number; is_back: number };
/** Requests of a tenant in the minute that began at `started_at`. */
export type RequestWindowTable = { tenant: string; started_at: number; requests: number };
/** Which asset a URL was, when it was imported last. */
export type SourceTable = { url: string; asset: string; imported_at: number; used_at: number };

/** Times of viewers are milliseconds: they are compared and never shown. PostgreSQL answers bigint as text. */
export type SessionTable = {
  seq: Generated<number>;
  id: string;
  channel_id: string;
  /** Null of one that was opened before the column was there. */
  tenant: string | null;
  body: string;
  odometer: string;
  folded_before: number;
  seen_at: number;
  /** 1 once it has requested a manifest that lists media. */
  is_watched: Generated<number>;
};
/** What a player says that it has shown; without an ad it is of the break itself. */
export type ConfirmationTable = {
  session_id: string;
  break_id: string;
  ad_id: string;
  event: string;
  at: number;
  player_at: number | null;
};
export type ViewerBreakTable = { session_id: string; break_id: string; starts_at: number; body: string };

/** Who requests the ads of a break, until when; `answer` is what came back, until the break is decided. */
export type ClaimTable = {
  session_id: string;
  break_id: string;
  starts_at: number;
  holder: string;
  until_at: number;
  answer: string | null;
};

/** Times are milliseconds; PostgreSQL answers bigint as text. */
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

/** Segments of an ad that a viewer requested: 30 bits a row; `…_counted` are the bits that reports count already. */
export type DeliveryTable = {
  session_id: string;
  ad_id: string;
  chunk: number;
  ends: string;
  pictures: number;
  sound: number;
  pictures_counted: number;
  sound_counted: number;
  /** What reports need to count it; null: nothing is to be counted. */
  counted: string | null;
  first_at: number;
  last_at: number;
};

/** Turns of counting deliveries: each count takes the next number. */
export type DeliveryCountTable = {
  number: number;
  at: number;
  /** What was counted, until it was brought to the systems' stores. */
  body: string | null;
};

export type BeaconTable = {
  seq: Generated<number>;
  tenant: string;
  channel_id: string;
  session_id: string;
  /** Of the break where the event is the break's own. */
  ad_id: string;
  event: string;
  /** Which URL of the event. */
  nth: number;
  host: string;
  url: string;
  /** Whose headers are sent; gone once the beacon is settled. */
  viewer: string | null;
  recorded_at: number;
  due_at: number;
  /** When it is to be sent next; while it is claimed, until when nobody else may. Of no meaning once it is settled. */
  next_at: number | null;
  is_claimed: number;
  attempts: number;
  /** Attempts of which nobody knows whether they arrived. */
  unsure: number;
  /** null while it is to be sent. */
  outcome: string | null;
  status: number | null;
  error: string | null;
  settled_at: number | null;
};

/** A creative or slate for one ladder, and the job of making it; times are milliseconds. */
export type CreativeTable = {
  seq: Generated<number>;
  id: string;
  kind: string;
  /** Its source and its ladder. */
  body: string;
  state: string;
  /** Lower comes first. */
  urgency: number;
  /** Not made before; of a failed one: not made again before. */
  due_at: number;
  attempts: number;
  /** Of ads/creativeFault. */
  fault: string | null;
  reason: string | null;
  lease: string | null;
  lease_until: number | null;
  media_id: string | null;
  made: string | null;
  created_at: number;
  asked_at: number;
  made_at: number | null;
};
export type CreativeOwnerTable = { tenant: string; channel_id: string; creative_id: string; asked_at: number };

export type Database = {
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
  decisions: ViewerBreakTable;
  breaks: ViewerBreakTable;
  confirmations: ConfirmationTable;
  creatives: CreativeTable;
  creative_owners: CreativeOwnerTable;
  tenants: TenantTable;
  api_keys: ApiKeyTable;
  systems: RecordTable;
  playlists: RecordTable;
  channels: ChannelTable;
  facts: FactTable;
};
