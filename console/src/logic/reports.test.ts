import { expect, test } from 'vitest';
import { catalogue } from '../../../src/reports/catalogue.ts';
import { settingNames as realNames } from '../../../src/tenants/system.ts';
import { chartByKey } from './chartByKey.ts';
import { fillOf } from './fillOf.ts';
import { formatBytes, formatValue, nameOfField } from './formatValue.ts';
import { reportDimensions } from './reportDimensions.ts';
import { dayBefore, fromLocal, reportQuery, toLocal } from './reportRange.ts';
import { chartsOf, type Report, sayDifference, shownFields } from './reportRows.ts';
import { settingNames } from './settingNames.ts';

const field = (name: string, unit: string) => ({ name, unit, description: '' });
const report = (rows: object[]): Report => ({
  ...{ system: 's', report: 'breaks', start: '', end: '', interval: 1000, totals: {} },
  fields: [field('offered', 'breaks'), field('secondsFilled', 's'), field('secondsSlate', 's')],
  rows: rows as Report['rows'],
});

test('fields of one unit share a chart; the day before is laid under today, row by row', () => {
  const today = report([
    { time: '2026-01-02T00:00:00Z', offered: 1, secondsFilled: 10, secondsSlate: 5 },
    { time: '2026-01-02T00:01:00Z', offered: 2, secondsFilled: 20, secondsSlate: 0 },
  ]);
  const before = report([{ time: '2026-01-01T00:00:00Z', offered: 7, secondsFilled: 1, secondsSlate: 2 }]);
  const charts = chartsOf(today, before);
  expect(charts.map(({ unit, lines }) => [unit, lines.map(({ name, values }) => [name, values])])).toEqual([
    [
      'breaks',
      [
        ['offered', [1, 2]],
        ['offered', [7, null]],
      ],
    ],
    [
      's',
      [
        ['secondsFilled', [10, 20]],
        ['secondsSlate', [5, 0]],
        ['secondsFilled', [1, null]],
        ['secondsSlate', [2, null]],
      ],
    ],
  ]);
  expect(charts[0]!.times).toEqual([1767312000, 1767312060]);
});

test('of many fields those are drawn and shown that say something', () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const many = {
    ...report([{ time: '2026-01-01T00:00:00Z' }]),
    fields: names.map((name) => field(name, 'ads')),
    totals: { f3: 1, f9: 5 },
  };
  expect(shownFields(many).map(({ name }) => name)).toEqual(['f0', 'f3', 'f9']);
  expect(chartsOf(many)[0]!.fields.map(({ name }) => name)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f9']);
});

test('numbers are shown in their units', () => {
  expect([formatValue(0.1234, 'ratio'), formatValue(12.345, 'ms'), formatValue(12345.6, 'ads')]).toEqual([
    '12.3 %',
    '12.3 ms',
    '12,346',
  ]);
  expect([0, 999, 1500, 2.5e9].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 kB', '2.5 GB']);
  expect(['secondsFilled', 'latencyP95', 'ad-requests', 'BREAK_FULL'].map(nameOfField)).toEqual([
    'Seconds filled',
    'Latency P95',
    'Ad requests',
    'Break full',
  ]);
  expect([sayDifference(112, 100), sayDifference(97, 100), sayDifference(1, 0)]).toEqual(['+12 %', '−3 %', undefined]);
});

test('ranges are asked for in milliseconds, and typed where the reader is', () => {
  const range = { start: 1_767_312_000_000, end: 1_767_315_600_000 };
  expect(reportQuery(range, '', '')).toBe('start=1767312000000&end=1767315600000');
  expect(reportQuery(dayBefore(range), '60000', 'one')).toBe(
    'start=1767225600000&end=1767229200000&interval=60000&channel=one',
  );
  expect(fromLocal(toLocal(range.start))).toBe(range.start);
  expect(['x', '0002-03-01T20:00', '20260-03-01T20:00'].map(fromLocal)).toEqual([undefined, undefined, undefined]);
});

test('the settings of systems are those that the interface knows', () => expect(settingNames).toEqual(realNames));

test('fill is told in all and by channel, and not where there were no breaks', () => {
  const rows = [
    { time: '', key: 'one', secondsOffered: 60, secondsFilled: 30 },
    { time: '', key: 'one', secondsOffered: 40, secondsFilled: 40 },
    { time: '', key: 'two', secondsOffered: 0, secondsFilled: 0 },
  ];
  const totals = { secondsOffered: 100, secondsFilled: 70 };
  expect(fillOf({ ...report(rows), totals })).toEqual({ total: 0.7, byChannel: new Map([['one', 0.7]]) });
  expect(fillOf(undefined)).toEqual({ total: undefined, byChannel: new Map() });
});

test('what reports can be told apart by is what the interface knows', () => {
  const known = Object.entries(catalogue).map(([name, { by }]) => [name, by]);
  expect(reportDimensions).toEqual(Object.fromEntries(known));
});

test('told apart, a field has a line for each key, the largest first, 0 where a row is missing', () => {
  const rows = [
    { time: '2026-01-01T00:01:00Z', key: 'a', offered: 1 },
    { time: '2026-01-01T00:00:00Z', key: 'b', offered: 5 },
    { time: '2026-01-01T00:01:00Z', key: 'b', offered: 6 },
  ];
  const chart = chartByKey(report(rows), 'offered')!;
  expect(chart.lines.map(({ name, values }) => [name, values])).toEqual([
    ['b', [5, 6]],
    ['a', [0, 1]],
  ]);
  expect(chartByKey(report(rows), 'none')).toBeUndefined();
});
