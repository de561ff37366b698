// SPDX-License-Identifier: Apache-2.0
// The groups of a report over its whole range, the highest first.
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';

export type RankedGroup = {
  readonly key: string;
  readonly value: number;
  /** 0 to 1, of the highest. */
  readonly share: number;
};

/** Bars of a list. */
const MAX_BARS = 10;

const valueIn = (row: ReportResponse['rows'][number], field: string): number => Number(row[field] ?? 0);

/** @param report grouped, with one row per group @returns its rows in the order of a field */
export const rankRows = (report: ReportResponse, field: string): ReportResponse['rows'] =>
  [...report.rows].sort((a, b) => valueIn(b, field) - valueIn(a, field) || String(a.key).localeCompare(String(b.key)));

export function rankedGroups(report: ReportResponse, field: string): RankedGroup[] {
  const rows = rankRows(report, field).filter((row) => valueIn(row, field) > 0);
  const [first] = rows;
  const highest = first === undefined ? 1 : valueIn(first, field);
  return rows.slice(0, MAX_BARS).map((row) => {
    const value = valueIn(row, field);
    return { key: String(row.key), value, share: value / highest };
  });
}
