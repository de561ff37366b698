// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { ReportResponse } from '../../../../src/http/contract/reportContract.ts';
import { fillRate } from './fillRate.ts';
import { chartsByField, chartsByUnit, shownFields } from './reportCharts.ts';

const field = (name: string, unit: string) => ({ name, unit, description: '' });
const report = (rows: object[]): ReportResponse => ({
  ...{ system: 's', report: 'breaks', start: '', end: '', interval: 1000, totals: {} },
  fields: [field('offered', 'breaks'), field('secondsFilled', 's'), field('secondsSlate', 's')],
  rows: rows as ReportResponse['rows'],
});

test('fields of one unit share a chart; the previous day is matched row by row', () => {
  const today = report([
    { time: '2026-01-02T00:00:00Z', offered: 1, secondsFilled: 10, secondsSlate: 5 },
    { time: '2026-01-02T00:01:00Z', offered: 2, secondsFilled: 20, secondsSlate: 0 },
  ]);
  const before = report([{ time: '2026-01-01T00:00:00Z', offered: 7, secondsFilled: 1, secondsSlate: 2 }]);
  const charts = chartsByUnit(today, before);
  const shown = charts.map(({ unit, lines }) => [
    unit,
    lines.map(({ label, colour, values }) => [label, colour, values]),
  ]);
  expect(shown).toEqual([
    [
      'breaks',
      [
        ['Offered', 0, [1, 2]],
        ['Offered', 0, [7, null]],
      ],
    ],
    [
      's',
      [
        ['Seconds filled', 0, [10, 20]],
        ['Seconds slate', 1, [5, 0]],
        ['Seconds filled', 0, [1, null]],
        ['Seconds slate', 1, [2, null]],
      ],
    ],
  ]);
  expect(charts[0]!.times).toEqual([1767312000, 1767312060]);
});

test('of many fields, those without a value are hidden and the largest are drawn', () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const many = {
    ...report([{ time: '2026-01-01T00:00:00Z' }]),
    fields: names.map((name) => field(name, 'ads')),
    totals: { f3: 1, f9: 5 },
  };
  expect(shownFields(many).map(({ name }) => name)).toEqual(['f0', 'f3', 'f9']);
  expect(chartsByUnit(many)[0]!.lines.map(({ label }) => label)).toEqual(['F0', 'F1', 'F2', 'F3', 'F4', 'F9']);
});

test('a grouped field has a line per group, the largest first, with 0 for a missing row', () => {
  const rows = [
    { time: '2026-01-01T00:01:00Z', key: 'a', offered: 1 },
    { time: '2026-01-01T00:00:00Z', key: 'b', offered: 5 },
    { time: '2026-01-01T00:01:00Z', key: 'b', offered: 6 },
  ];
  const charts = chartsByField(report(rows));
  expect(charts.map(({ title }) => title)).toEqual(['Offered', 'Seconds filled', 'Seconds slate']);
  expect(charts[0]!.lines.map(({ label, values }) => [label, values])).toEqual([
    ['b', [5, 6]],
    ['a', [0, 1]],
  ]);
});

test('fill rates are for all breaks and by channel; a channel without breaks has none', () => {
  const rows = [
    { time: '', key: 'one', secondsOffered: 60, secondsFilled: 30 },
    { time: '', key: 'one', secondsOffered: 40, secondsFilled: 40 },
    { time: '', key: 'two', secondsOffered: 0, secondsFilled: 0 },
  ];
  const totals = { secondsOffered: 100, secondsFilled: 70 };
  expect(fillRate({ ...report(rows), totals })).toEqual({ total: 0.7, byChannel: new Map([['one', 0.7]]) });
  expect(fillRate(undefined)).toEqual({ total: undefined, byChannel: new Map() });
});
