// SPDX-License-Identifier: Apache-2.0
// Draws a chart with uPlot in the colours of the page, and redraws it when the theme or the size changes.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatValue } from '../format/numbers.ts';
import { formatDateTimeSeconds, formatTick } from '../format/time.ts';
import { selectedZone, timeZone } from '../format/timeZone.ts';
import { type Chart, isolatedIndexes } from './reportCharts.ts';

const HEIGHT = 220;
const MIN_WIDTH = 200;
/** Empty space above the largest value. */
const HEADROOM = 1.08;

/** The current value of a custom property. A canvas cannot resolve `light-dark()`. */
function resolveColour(container: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  container.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The line of the legend, dashed as in the chart. */
const marker = (colour: string, isDashed = false): string =>
  isDashed ? `repeating-linear-gradient(90deg, ${colour} 0 5px, transparent 5px 9px)` : colour;

const widthOf = (container: HTMLElement): number => Math.max(MIN_WIDTH, container.clientWidth);

function draw(container: HTMLElement, { unit, times, lines }: Chart): uPlot {
  const line = resolveColour(container, '--line');
  const axis = {
    stroke: resolveColour(container, '--muted'),
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '12px system-ui, sans-serif',
  };
  const colours = lines.map(({ colour }) => resolveColour(container, `--chart-${colour + 1}`));
  const series = lines.map(
    ({ label, isBefore }, index): uPlot.Series => ({
      label: isBefore ? `${label} (before)` : label,
      stroke: colours[index] ?? '',
      width: isBefore ? 1.25 : 2,
      ...(isBefore ? { dash: [5, 4], alpha: 0.8 } : {}),
      // A value between two gaps has no line.
      points: {
        show: true,
        size: 5,
        filter: (_, nth, show) => (show ? null : isolatedIndexes(lines[nth - 1]?.values ?? [])),
      },
      value: (_, value) => (value === null ? '–' : formatValue(value, unit)),
    }),
  );
  return new uPlot(
    {
      width: widthOf(container),
      height: HEIGHT,
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), timeZone()),
      cursor: { y: false },
      legend: {
        live: true,
        markers: { width: 0, fill: (_, index) => marker(colours[index - 1] ?? '', lines[index - 1]?.isBefore) },
      },
      scales: { y: { range: (_, __, max) => [0, max > 0 ? max * HEADROOM : 1] } },
      axes: [
        { ...axis, size: 34, values: (_, splits) => splits.map((time) => formatTick(time * 1000)) },
        { ...axis, size: 64, values: (_, splits) => splits.map((value) => formatValue(value, unit)) },
      ],
      series: [{ value: (_, time) => (time === null ? '–' : formatDateTimeSeconds(time * 1000)) }, ...series],
    },
    [times as number[], ...lines.map(({ values }) => values as (number | null)[])],
    container,
  );
}

/** @returns removes the chart */
export function drawChart(container: HTMLElement, chart: Chart): () => void {
  let plot = draw(container, chart);
  const redraw = () => {
    plot.destroy();
    plot = draw(container, chart);
  };
  const sizes = new ResizeObserver(() => {
    const width = widthOf(container);
    if (width !== plot.width) plot.setSize({ width, height: HEIGHT });
  });
  sizes.observe(container);
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', redraw);
  const endZone = selectedZone.listen(redraw);
  return () => {
    sizes.disconnect();
    themes.disconnect();
    endZone();
    scheme.removeEventListener('change', redraw);
    plot.destroy();
  };
}
