// SPDX-License-Identifier: Apache-2.0
// Counts of reports, the viewers that were counted, and the ids of counted batches.
import type { Generated } from 'kysely';
import { dialect, type Migration, runAll } from '../../../../adapters/sql/schema/schema.ts';

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

declare module '../../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    report_series: ReportSeriesTable;
    report_rollups: ReportRollupTable;
    report_batches: ReportBatchTable;
    report_carries: ReportCarryTable;
    report_viewing: ReportViewingTable;
    delivery_counts: DeliveryCountTable;
  }
}

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
