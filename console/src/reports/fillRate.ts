// SPDX-License-Identifier: Apache-2.0
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';

/** Ratios from 0 to 1. Without any break, `total` is undefined and a channel has no entry. */
export type FillRate = { readonly total: number | undefined; readonly byChannel: ReadonlyMap<string, number> };

const seconds = (row: Readonly<Record<string, unknown>>, name: string): number => Number(row[name] ?? 0);

/** @param report the breaks report, grouped by channel */
export function fillRate(report: ReportResponse | undefined): FillRate {
  const sums = new Map<string, { offered: number; filled: number }>();
  for (const row of report?.rows ?? []) {
    const sum = sums.get(String(row.key)) ?? { offered: 0, filled: 0 };
    sum.offered += seconds(row, 'secondsOffered');
    sum.filled += seconds(row, 'secondsFilled');
    sums.set(String(row.key), sum);
  }
  const offered = seconds(report?.totals ?? {}, 'secondsOffered');
  return {
    total: offered === 0 ? undefined : seconds(report?.totals ?? {}, 'secondsFilled') / offered,
    byChannel: new Map(
      [...sums].filter(([, sum]) => sum.offered > 0).map(([channel, sum]) => [channel, sum.filled / sum.offered]),
    ),
  };
}
