// The tables of reports: what was counted, carried into longer stretches, and what was counted already.
import type { Generated } from 'kysely';

/** What belongs together in a report: adds up over time, and by the keys of one dimension (empty: of none). */
export type ReportSeriesTable = {
  id: Generated<number>;
  system: string;
  report: string;
  dimension: string;
  /** Empty: all channels together. */
  channel: string;
};
/** A part of what was counted in a stretch of `step` milliseconds; parts of the same stretch add up. */
export type ReportRollupTable = {
  seq: Generated<number>;
  series: number;
  step: number;
  at: number;
  key: string;
  /** 1 when it is in the rows of the next longer step too. */
  carried: number;
  body: string;
};
export type ReportBatchTable = { id: string; at: number };
/** Whoever carries takes the next number. */
export type ReportCarryTable = { number: number };
export type ReportViewingTable = { channel: string; at: number; part: number; batch: string; viewers: string };
