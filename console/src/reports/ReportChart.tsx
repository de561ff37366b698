// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { Notice } from '../components/feedback/Notice.tsx';
import { formatValue } from '../format/numbers.ts';
import type { Chart } from './reportCharts.ts';

const peak = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));

/** The peak of each line, for screen readers. */
const summarize = ({ lines, unit }: Chart): string =>
  lines
    .filter(({ isBefore }) => !isBefore)
    .map(({ label, values }) => `${label}: peak ${formatValue(peak(values), unit)}`)
    .join('; ');

/** Lines over time. Screen readers have the table below the charts. */
export function ReportChart({ chart }: { readonly chart: Chart }) {
  const container = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  const isEmpty = chart.lines.every(({ values }) => values.every((value) => value === null));
  useEffect(() => {
    let remove = () => {};
    let isUnmounted = false;
    import('./drawChart.ts').then(
      ({ drawChart }) => {
        if (!isUnmounted && container.current) remove = drawChart(container.current, chart);
      },
      // Midroll is unavailable, or was updated since this page was opened.
      () => setMissing(true),
    );
    return () => {
      isUnmounted = true;
      remove();
    };
  }, [chart]);
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{chart.title}</h2>
      </figcaption>
      {isEmpty ? null : <p class="visually-hidden">{summarize(chart)}. See the table below.</p>}
      {isMissing ? <Notice tone="warn">Chart not loaded. Reload the page.</Notice> : null}
      {isEmpty ? <p class="muted">No data in this range</p> : <div ref={container} class="plot" aria-hidden="true" />}
    </figure>
  );
}
