// SPDX-License-Identifier: Apache-2.0
// Counts of reports, the viewers that were counted, and the ids of counted batches.
import { dialect, type Migration, runAll } from '../../../../adapters/sql/schema/schema.ts';

export const createReportTables: Migration = (db, kind) =>
  runAll(db, [
    `create table report_series (
      ${dialect[kind].id}, system text not null, report text not null, dimension text not null, channel text not null,
      constraint report_series_once unique (system, report, dimension, channel))`,
    `create table report_rollups (
      ${dialect[kind].seq}, series integer not null, step integer not null, at bigint not null, key text not null,
      carried integer not null, body text not null)`,
    'create index report_rollups_read on report_rollups (series, step, at)',
    'create index report_rollups_fresh on report_rollups (series, at) where carried = 0',
    'create index report_rollups_age on report_rollups (step, carried, at)',
    'create table report_batches (id text primary key, at bigint not null)',
    'create index report_batches_by_age on report_batches (at)',
    'create table report_carries (number bigint primary key)',
    `create table report_viewing (
      channel text not null, at bigint not null, part integer not null, batch text not null, viewers text not null,
      constraint report_viewing_part primary key (channel, at, part))`,
    'create index report_viewing_by_age on report_viewing (at)',
    'create table delivery_counts (number bigint primary key, at bigint not null, body text)',
  ]);
