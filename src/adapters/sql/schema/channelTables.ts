// SPDX-License-Identifier: Apache-2.0
// The tables of playlists, channels, what is on air, and imported assets. Times are milliseconds, unless stated otherwise.
import type { Generated } from 'kysely';
import { named, ofTenant, publish } from './noticeTables.ts';
import { dialect, type Migration, runAll } from './schema.ts';

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

export const recordColumns = 'tenant text not null, id text not null, version integer not null, body text not null';

/** What lists of playlists and channels filter and sort by. */
export type ListColumns = {
  name: string | null;
  /** In lower case; the id if there is no name. */
  name_key: string;
  kind: string;
  status: string;
  changed_at: string;
  /** A line for each label: its key, a tab, the label. Null without any. */
  labels: string | null;
};

const listColumns = 'name text, name_key text, kind text, status text, changed_at text';

type PlaylistTable = RecordTable & ListColumns;

export type ChannelTable = PlaylistTable & {
  state: string;
  playlist_id: string | null;
  /** SHA-256 of the channel's key, unique together with the id across all tenants. */
  key_hash: string;
  /** A line for each ad source of its steps: its id. Null without any. */
  ad_sources: string | null;
};

type OfChannel = { tenant: string; channel_id: string };

export type AiringTable = OfChannel & {
  life: string;
  body: string;
  off_since: Generated<number | null>;
  on_since: Generated<number | null>;
};

/** The `url` of the row of a tenant's own check of a URL starts with this. No URL starts with a name and a space. */
export const checkedPrefix = (tenant: string): string => `${tenant} `;

/** The import of a title that viewers named. `duration` is in flicks. */
export type TitleTable = OfChannel & {
  /** SHA-256 of the URL: the index of PostgreSQL does not accept URLs of several kilobytes. */
  url_hash: string;
  url: string;
  state: string;
  reason: string | null;
  asset: string | null;
  duration: number | null;
  started_at: number;
  updated_at: number;
};

/** An entry of the audit log, written with the change that it describes. */
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

export type ChannelTables = {
  audit_log: AuditTable;
  playlists: PlaylistTable;
  channels: ChannelTable;
  /** The planner's status of a channel, for all nodes. `items` has its own column: it may be long and is read less often. */
  channel_statuses: OfChannel & {
    at: number;
    is_preparing: number;
    has_failed: number;
    plan_at: number | null;
    body: string;
    items: string;
  };
  airings: AiringTable;
  editions: { life: string; number: number; body: string };
  /** `used_at`: when a channel or an operator last used it, to the hour. */
  assets: {
    key: string;
    body: string;
    used_at: number;
    /** VoD sessions may need it until then. */
    keep_until: number | null;
  };
  /** The asset that the latest import of a URL produced, also that of a tenant's own check. */
  sources: { url: string; asset: string; imported_at: number; used_at: number };
  /** Excluded assets: assets that channels skip while their origin is unavailable. */
  assets_aside: { url: string; reason: string; until: number; times: number; is_back: number };
  titles: TitleTable;
  /** What an operator has ordered by hand. */
  break_orders: OfChannel & {
    id: string;
    kind: string;
    revision: number;
    starts_at: number;
    /** The latest time a date can hold, if it lasts until it is ended. */
    over_at: number;
    is_cancelled: number;
    body: string;
  };
};

export const createChannelTables: Migration = async (db, kind) => {
  const { seq, byBytes } = dialect[kind];
  // Searches read the index by name only: bodies are large.
  const lists = (table: string, more = '') => [
    `create index ${table}_of_tenant on ${table} (tenant, seq)`,
    `create index ${table}_by_name on ${table} (tenant, name_key ${byBytes}, seq, id, kind, status${more})`,
    `create index ${table}_by_change on ${table} (tenant, changed_at ${byBytes}, seq)`,
  ];
  await runAll(db, [
    `create table playlists (${seq}, ${recordColumns}, ${listColumns}, constraint playlists_id unique (tenant, id))`,
    ...lists('playlists'),
    `create table channels (
      ${seq}, ${recordColumns}, state text not null, playlist_id text, key_hash text not null, ${listColumns},
      constraint channels_once unique (tenant, id), constraint channels_by_key unique (id, key_hash))`,
    ...lists('channels', ', playlist_id'),
    'create index channels_of_playlist on channels (tenant, playlist_id)',
    "create index channels_enabled on channels (seq) where state = 'enabled'",
    `create table channel_statuses (
      tenant text not null, channel_id text not null, at bigint not null, is_preparing integer not null,
      has_failed integer not null, body text not null, items text not null,
      constraint channel_statuses_once primary key (tenant, channel_id))`,

    `create table airings (
      tenant text not null, channel_id text not null, life text not null, body text not null,
      off_since bigint, on_since bigint, constraint airings_of_channels primary key (tenant, channel_id))`,
    `create table editions (
      life text not null, number integer not null, body text not null,
      constraint editions_of_life primary key (life, number))`,
    `create table break_orders (
      tenant text not null, channel_id text not null, id text not null, kind text not null, revision integer not null,
      starts_at bigint not null, over_at bigint not null, is_cancelled integer not null, body text not null,
      constraint break_orders_once primary key (tenant, channel_id, id))`,
    'create index break_orders_current on break_orders (over_at)',

    'create table assets (key text primary key, body text not null, used_at bigint not null default 0, keep_until bigint)',
    'create index assets_by_use on assets (used_at)',
    `create table sources (
      url text primary key, asset text not null, imported_at bigint not null, used_at bigint not null default 0)`,
    'create index sources_by_use on sources (used_at)',
    'create index sources_of_asset on sources (asset)',
    `create table assets_aside (
      url text primary key, reason text not null, until bigint not null, times integer not null, is_back integer not null)`,
    `create table titles (
      tenant text not null, channel_id text not null, url_hash text not null, url text not null, state text not null,
      reason text, asset text, duration bigint, started_at bigint not null, updated_at bigint not null,
      constraint titles_once primary key (tenant, channel_id, url_hash))`,
  ]);
  await publish(
    { table: 'channels', topic: 'channels', key: ofTenant('id'), update: 'new.version <> old.version' },
    { table: 'airings', topic: 'schedules', key: named('life') },
    { table: 'editions', topic: 'schedules', key: named('life'), omits: 'delete' },
    { table: 'channel_statuses', topic: 'statuses', key: ofTenant('channel_id'), update: 'new.body <> old.body' },
  )(db, kind);
};

/**
 * The index has the records with labels only. SQLite also reads what lists filter and sort by from it, since the column is stored behind
 * the body; PostgreSQL keeps large bodies apart, and no index entry can be as long as many labels.
 */
export const addLabels: Migration = (db, kind) => {
  const add = (table: string, more = '') => [
    `alter table ${table} add column labels text`,
    `create index ${table}_by_label on ${table} (tenant, seq
      ${kind === 'sqlite' ? `, labels, name_key, changed_at, id, kind, status${more}` : ''}) where labels is not null`,
  ];
  return runAll(db, [...add('playlists'), ...add('channels', ', playlist_id')]);
};

/** PostgreSQL keeps large bodies apart, and no index entry can be as long as many ids. */
export const addAdSources: Migration = (db, kind) =>
  runAll(db, [
    'alter table channels add column ad_sources text',
    `create index channels_by_ad_source on channels (tenant, seq ${kind === 'sqlite' ? ', ad_sources' : ''})
      where ad_sources is not null`,
  ]);
