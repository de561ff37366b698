// SPDX-License-Identifier: Apache-2.0
// The tables of reports: counts per interval, and records of which batches and viewers were counted.
import type { Generated } from 'kysely';

/** One series of a report: its rows add up over time and over the keys of one dimension (empty: no dimension). */
export type ReportSeriesTable = {
  id: Generated<number>;
  system: string;
  report: string;
  dimension: string;
  /** Empty: the total of all channels. */
  channel: string;
};
/** Counts of an interval of `step` milliseconds that begins at `at`. Several rows of one interval add up. */
export type ReportRollupTable = {
  seq: Generated<number>;
  series: number;
  step: number;
  at: number;
  key: string;
  /** 1 when the rows of the next longer step include it. */
  carried: number;
  body: string;
};
export type ReportBatchTable = { id: string; at: number };
/** Each compaction takes the next number; see sqlReportCompaction.ts. */
export type ReportCarryTable = { number: number };
export type ReportViewingTable = { channel: string; at: number; part: number; batch: string; viewers: string };
