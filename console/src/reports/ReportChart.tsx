import { useEffect, useRef, useState } from 'preact/hooks';
import { formatValue, nameOfField, nameOfLine } from '../logic/formatValue.ts';
import type { Chart } from '../logic/reportRows.ts';
import { Notice } from '../parts/Notice.tsx';

const titles: Readonly<Record<string, string>> = { s: 'Seconds', ms: 'Milliseconds', ratio: 'Per cent', bytes: 'Size' };
const titleOf = (unit: string): string => titles[unit] ?? nameOfField(unit);

type ReportChartProps = { readonly chart: Chart; readonly title: string | undefined };

/** The lines of one unit over time. Whoever cannot see them has the table below. */
export function ReportChart({ chart, title }: ReportChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let remove = () => {};
    let isGone = false;
    import('./drawChart.ts').then(
      ({ drawChart }) => {
        if (!isGone && place.current) remove = drawChart(place.current, chart);
      },
      // Midroll was replaced by a newer one since this page was opened, or is away.
      () => setMissing(true),
    );
    return () => {
      isGone = true;
      remove();
    };
  }, [chart]);
  const current = chart.lines.filter(({ isPrevious }) => !isPrevious);
  const summary = current
    .map(
      ({ name, values }) =>
        `${nameOfLine(name, chart)}: at most ${formatValue(Math.max(0, ...values.map((value) => value ?? 0)), chart.unit)}`,
    )
    .join('; ');
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title ?? titleOf(chart.unit)}</h2>
      </figcaption>
      <p class="unseen">{summary}. The numbers stand in the table below.</p>
      {isMissing ? <Notice tone="warn">The chart could not be loaded: open this page anew.</Notice> : null}
      <div ref={place} class="plot" aria-hidden="true" />
    </figure>
  );
}
