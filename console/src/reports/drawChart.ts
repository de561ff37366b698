// Draws lines with uPlot in the colours of the page, anew when those or the size change.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatValue, nameOfLine } from '../logic/formatValue.ts';
import type { Chart } from '../logic/reportRows.ts';
import { formatTick } from '../logic/time.ts';

const HEIGHT = 220;

/** What a custom property looks like here and now: canvases know no `light-dark()`. */
function colourOf(place: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw(place: HTMLElement, chart: Chart): uPlot {
  const { unit, times, lines, fields } = chart;
  const [quiet, line] = [colourOf(place, '--quiet'), colourOf(place, '--line')];
  const axis = {
    stroke: quiet,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '12px system-ui, sans-serif',
  };
  const series = lines.map(({ name, isPrevious }): uPlot.Series => {
    const index = fields.findIndex((field) => field.name === name) % 6;
    return {
      label: `${nameOfLine(name, chart)}${isPrevious ? ', the day before' : ''}`,
      stroke: colourOf(place, `--chart-${index + 1}`),
      width: isPrevious ? 1.25 : 2,
      ...(isPrevious ? { dash: [5, 4], alpha: 0.8 } : {}),
      points: { show: times.length < 3 },
      value: (_, value) => (value === null ? '–' : formatValue(value, unit)),
    };
  });
  return new uPlot(
    {
      width: Math.max(200, place.clientWidth),
      height: HEIGHT,
      cursor: { y: false },
      legend: { live: true },
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
      axes: [
        {
          ...axis,
          size: 34,
          values: (_, splits) => splits.map((time) => formatTick(time * 1000)),
        },
        { ...axis, size: 64, values: (_, splits) => splits.map((value) => formatValue(value, unit)) },
      ],
      series: [
        { value: (_, time) => (time === null ? '–' : new Date(time * 1000).toLocaleString('en-GB')) },
        ...series,
      ],
    },
    [times as number[], ...lines.map(({ values }) => values as (number | null)[])],
    place,
  );
}

/** @returns what takes it away again */
export function drawChart(place: HTMLElement, chart: Chart): () => void {
  let plot = draw(place, chart);
  const redraw = () => {
    plot.destroy();
    plot = draw(place, chart);
  };
  const sizes = new ResizeObserver(() => {
    const width = Math.max(200, place.clientWidth);
    if (width !== plot.width) plot.setSize({ width, height: HEIGHT });
  });
  sizes.observe(place);
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', redraw);
  return () => {
    sizes.disconnect();
    themes.disconnect();
    scheme.removeEventListener('change', redraw);
    plot.destroy();
  };
}
