import { useEffect, useRef } from 'preact/hooks';
import { formatValue, nameOfField, nameOfLine } from '../logic/formatValue.ts';
import type { Chart } from '../logic/reportRows.ts';

const titles: Readonly<Record<string, string>> = { s: 'Seconds', ms: 'Milliseconds', ratio: 'Per cent', bytes: 'Size' };
const titleOf = (unit: string): string => titles[unit] ?? nameOfField(unit);

type ReportChartProps = { readonly chart: Chart; readonly title: string | undefined };

/** The lines of one unit over time. Whoever cannot see them has the table below. */
export function ReportChart({ chart, title }: ReportChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove = () => {};
    let isGone = false;
    void import('./drawChart.ts').then(({ drawChart }) => {
      if (!isGone && place.current) remove = drawChart(place.current, chart);
    });
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
      <div ref={place} class="plot" aria-hidden="true" />
    </figure>
  );
}
