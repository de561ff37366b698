// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { formatValue, orDash } from '../format/numbers.ts';
import { formatDateTimeSeconds, formatTick } from '../format/time.ts';
import { dotPath, linePath, nearestIndex, type Point, timeTicks, valueTicks } from './chartScale.ts';
import { type Chart, isolatedIndexes, type Line } from './reportCharts.ts';
import './chart.css';

/** Pixels. */
const HEIGHT = 220;
const margin = { top: 10, right: 20, bottom: 26 };
const [CHARACTER, TIME_LABEL, MIN_DOT_DISTANCE] = [7, 64, 10];
/** Below this width there is no room for the values next to the pointer. */
const NARROW = 440;
/** Seconds on each side of a single row. */
const MIN_RANGE = 30;

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 };

const nameOf = ({ label, isBefore }: Line): string => (isBefore ? `${label} (before)` : label);
/** Two channels may have one name. */
const keyOf = (line: Line): string => `${line.colour} ${nameOf(line)}`;
const colourOf = ({ colour }: Line) => ({ color: `var(--chart-${colour + 1})` });
const Mark = ({ line }: { readonly line: Line }) => (
  <i class="line-mark" data-before={line.isBefore} style={colourOf(line)} />
);

/** The rows of a chart that are shown. */
type Rows = { readonly chart: Chart; readonly first: number; readonly last: number };

/**
 * Lines over time. The pointer, a finger and the arrow keys show the values of a row; dragging shows some rows only; the
 * names hide lines.
 */
export function LineChart({ chart }: { readonly chart: Chart }) {
  const [zoom, setZoom] = useState<Rows>();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const isZoomed = zoom?.chart === chart;
  const [first, last] = isZoomed ? [zoom.first, zoom.last] : [0, chart.times.length - 1];
  const shown = useMemo(() => {
    const lines = chart.lines.filter((line) => !hidden.includes(keyOf(line)));
    return {
      title: chart.title,
      unit: chart.unit,
      times: chart.times.slice(first, last + 1),
      lines: lines.map((line) => ({ ...line, values: line.values.slice(first, last + 1) })),
    };
  }, [chart, first, last, hidden]);
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]);
  const showAll = () => setZoom(undefined);
  return (
    <>
      <div class="chart-legend">
        {chart.lines.map((line) => (
          <button
            key={keyOf(line)}
            type="button"
            aria-pressed={!hidden.includes(keyOf(line))}
            onClick={() => toggle(keyOf(line))}
          >
            <Mark line={line} />
            {nameOf(line)}
          </button>
        ))}
        {isZoomed ? (
          <Button isSmall kind="quiet" onClick={showAll}>
            Show all
          </Button>
        ) : null}
      </div>
      <Plot
        chart={shown}
        onSelect={(from, to) => setZoom({ chart, first: first + from, last: first + to })}
        onReset={showAll}
      />
    </>
  );
}

type PlotProps = {
  readonly chart: Chart;
  /** Receives the indexes of the first and the last row. */
  onSelect(first: number, last: number): void;
  onReset(): void;
};

function Plot({ chart, onSelect, onReset }: PlotProps) {
  const { unit, times, lines } = chart;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  /** The row whose values are shown. */
  const [focused, setFocused] = useState<number>();
  /** The row at which the pointer was pressed. */
  const [pressed, setPressed] = useState<number>();
  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (frame.current) sizes.observe(frame.current);
    return () => sizes.disconnect();
  }, []);

  const ticks = useMemo(() => {
    const values = lines.flatMap((line) => line.values);
    return valueTicks(values, unit);
  }, [lines, unit]);
  const left = 12 + CHARACTER * Math.max(...ticks.map((value) => formatValue(value, unit).length));
  const lastRow = times.length - 1;
  const [start = 0, end = 0] = [times[0], times[lastRow]];
  const [from, to] = start === end ? [start - MIN_RANGE, end + MIN_RANGE] : [start, end];
  const innerWidth = Math.max(1, width - left - margin.right);
  const bottom = HEIGHT - margin.bottom;
  const xOf = (time: number) => left + ((time - from) / (to - from)) * innerWidth;
  const yOf = (value: number) => bottom - (value / (ticks.at(-1) ?? 1)) * (bottom - margin.top);
  const rowX = (row: number) => xOf(times[row] ?? from);

  const drawn = useMemo(() => {
    const isSparse = innerWidth / times.length >= MIN_DOT_DISTANCE;
    return lines.map((line) => {
      const points = line.values.map((value, row): Point => (value === null ? null : [rowX(row), yOf(value)]));
      const dots = isSparse ? points : isolatedIndexes(line.values).map((row) => points[row] ?? null);
      return (
        <g key={keyOf(line)} class="line" data-before={line.isBefore} style={colourOf(line)}>
          <path d={linePath(points)} />
          <path class="dots" d={dotPath(dots)} />
        </g>
      );
    });
  }, [lines, times, ticks, left, innerWidth]);

  const row = focused === undefined ? undefined : Math.min(focused, lastRow);
  const textOf = (line: Line, at: number) => orDash(line.values[at] ?? undefined, (value) => formatValue(value, unit));
  const timeOf = (at: number) => formatDateTimeSeconds((times[at] ?? 0) * 1000);
  const described = row ?? lastRow;

  const point = (event: PointerEvent): number => {
    const x = event.clientX - (frame.current?.getBoundingClientRect().left ?? 0);
    const found = nearestIndex(times, from + ((x - left) / innerWidth) * (to - from));
    setFocused(found);
    return found;
  };
  const press = (event: PointerEvent) => {
    const found = point(event);
    // Fingers scroll the page, and move from row to row.
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    frame.current?.setPointerCapture(event.pointerId);
    setPressed(found);
  };
  const lift = (event: PointerEvent) => {
    const found = point(event);
    setPressed(undefined);
    if (pressed !== undefined && pressed !== found) onSelect(Math.min(pressed, found), Math.max(pressed, found));
  };
  const leave = () => {
    setPressed(undefined);
    setFocused(undefined);
  };
  const pressKey = (event: KeyboardEvent) => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: lastRow };
    const step = steps[event.key];
    const target = step === undefined ? ends[event.key] : Math.min(lastRow, Math.max(0, described + step));
    if (target === undefined) return;
    event.preventDefault();
    setFocused(target);
  };

  return (
    <div
      class="plot"
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={`${chart.title} over time`}
      aria-valuemin={0}
      aria-valuemax={lastRow}
      aria-valuenow={described}
      aria-valuetext={[timeOf(described), ...lines.map((line) => `${nameOf(line)} ${textOf(line, described)}`)].join(
        ', ',
      )}
      onPointerMove={point}
      onPointerDown={press}
      onPointerUp={lift}
      onPointerCancel={leave}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && leave()}
      onDblClick={onReset}
      onFocus={() => setFocused((before) => before ?? lastRow)}
      onBlur={() => setFocused(undefined)}
      onKeyDown={pressKey}
    >
      {width === 0 ? null : (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {ticks.map((value) => (
            <g key={value} class="tick">
              <path d={`M${left},${yOf(value)}h${innerWidth}`} />
              <text x={left - 8} y={yOf(value)} dy="0.35em" text-anchor="end">
                {formatValue(value, unit)}
              </text>
            </g>
          ))}
          {timeTicks(from * 1000, to * 1000, innerWidth / TIME_LABEL).map((time) => (
            <g key={time} class="tick">
              <path d={`M${xOf(time / 1000)},${bottom}v5`} />
              <text x={xOf(time / 1000)} y={HEIGHT - 6} text-anchor="middle">
                {formatTick(time)}
              </text>
            </g>
          ))}
          {row === undefined || pressed === undefined ? null : (
            <rect
              class="selected"
              x={Math.min(rowX(row), rowX(pressed))}
              y={margin.top}
              width={Math.abs(rowX(row) - rowX(pressed))}
              height={bottom - margin.top}
            />
          )}
          {drawn}
          {row === undefined ? null : (
            <g class="cursor">
              <path d={`M${rowX(row)},${margin.top}V${bottom}`} />
              {lines.map((line) => {
                const value = line.values[row] ?? null;
                return value === null ? null : (
                  <circle key={keyOf(line)} cx={rowX(row)} cy={yOf(value)} r={4} style={colourOf(line)} />
                );
              })}
            </g>
          )}
        </svg>
      )}
      {row === undefined || width === 0 ? null : (
        <div class="readout" style={besidePointer(rowX(row), width)}>
          <time>{timeOf(row)}</time>
          {lines.map((line) => (
            <div key={keyOf(line)}>
              <Mark line={line} />
              <span>{nameOf(line)}</span>
              <span class="number">{textOf(line, row)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Next to the pointer; above the chart on narrow screens, within its width. */
function besidePointer(x: number, width: number) {
  if (width < NARROW) return { top: 'auto', bottom: '100%', left: x, transform: `translateX(-${(x / width) * 100}%)` };
  return x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
}
