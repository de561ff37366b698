import type { Report } from './reportRows.ts';

/** 0 to 1; undefined, or no entry, where no break was offered. */
export type Fill = { readonly total: number | undefined; readonly byChannel: ReadonlyMap<string, number> };

const seconds = (row: Readonly<Record<string, unknown>>, name: string): number => Number(row[name] ?? 0);

/** @param report of breaks, told apart by channel */
export function fillOf(report: Report | undefined): Fill {
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
