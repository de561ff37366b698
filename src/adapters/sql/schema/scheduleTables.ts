// SPDX-License-Identifier: Apache-2.0
// The tables of the schedules of linear channels. Times are milliseconds.
import { type Migration, runAll } from './schema.ts';

type OfChannel = { tenant: string; channel_id: string };

export type ScheduleTables = {
  schedules: OfChannel & {
    version: number;
    created_at: string;
    modified_at: string;
    modified_by: string | null;
    /** Its settings. */
    body: string;
  };
  /** `position`: of entries that start at the same time. `length` is null until the source has been read. */
  schedule_entries: OfChannel & {
    id: string;
    at: number;
    position: number;
    is_fixed: number;
    length: number | null;
    body: string;
  };
  /** What undoes the change that has made a version. Two changes of one version cannot both be stored. */
  schedule_changes: OfChannel & { version: number; body: string };
  /** The playlists that a schedule has named: a change of one concerns it. */
  schedule_playlists: OfChannel & { playlist_id: string };
};

const ofChannel = 'tenant text not null, channel_id text not null';

export const createScheduleTables: Migration = (db) =>
  runAll(db, [
    'alter table channel_statuses add column plan_at bigint',
    `create table schedules (
      ${ofChannel}, version integer not null, created_at text not null, modified_at text not null, modified_by text,
      body text not null, constraint schedules_once primary key (tenant, channel_id))`,
    `create table schedule_entries (
      ${ofChannel}, id text not null, at bigint not null, position integer not null, is_fixed integer not null,
      length bigint, body text not null, constraint schedule_entries_once primary key (tenant, channel_id, id))`,
    'create index schedule_entries_by_time on schedule_entries (tenant, channel_id, at, position)',
    `create table schedule_changes (
      ${ofChannel}, version integer not null, body text not null,
      constraint schedule_changes_once primary key (tenant, channel_id, version))`,
    `create table schedule_playlists (
      ${ofChannel}, playlist_id text not null,
      constraint schedule_playlists_once primary key (tenant, playlist_id, channel_id))`,
  ]);
