// SPDX-License-Identifier: Apache-2.0
import { formatValue } from '../format/numbers.ts';
import { LineChart } from './LineChart.tsx';
import type { Chart } from './reportCharts.ts';

const peak = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));

/** The peak of each line, for screen readers. */
const summarize = ({ lines, unit }: Chart): string =>
  lines
    .filter(({ isBefore }) => !isBefore)
    .map(({ label, values }) => `${label}: peak ${formatValue(peak(values), unit)}`)
    .join('; ');

/** A chart with its title. Screen readers also have the table below the charts. */
export function ReportChart({ chart }: { readonly chart: Chart }) {
  const isEmpty = chart.lines.every(({ values }) => values.every((value) => value === null));
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{chart.title}</h2>
      </figcaption>
      {isEmpty ? (
        <p class="muted">No data in this range</p>
      ) : (
        <>
          <p class="visually-hidden">{summarize(chart)}. See the table below.</p>
          <LineChart chart={chart} />
        </>
      )}
    </figure>
  );
}
