// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { fillRate } from './fillRate.ts';
import { rankedGroups, rankRows } from './rankedGroups.ts';
import { rankedReasons } from './rankedReasons.ts';
import { chartsByField, chartsByUnit, isolatedIndexes, shownFields } from './reportCharts.ts';

const field = (name: string, unit: string) => ({ name, unit, description: '' });
const report = (rows: object[]): ReportResponse => ({
  system: 's',
  report: 'breaks',
  start: '',
  end: '',
  interval: 1000,
  totals: {},
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

test('a grouped field has a line per group, the largest first, with a gap for a missing row', () => {
  const rows = [
    { time: '2026-01-01T00:01:00Z', key: 'a', offered: 1 },
    { time: '2026-01-01T00:00:00Z', key: 'b', offered: 5 },
    { time: '2026-01-01T00:01:00Z', key: 'b', offered: 6 },
  ];
  const charts = chartsByField(report(rows));
  expect(charts.map(({ title }) => title)).toEqual(['Offered', 'Seconds filled', 'Seconds slate']);
  expect(charts[0]!.lines.map(({ label, values }) => [label, values])).toEqual([
    ['b', [5, 6]],
    ['a', [null, 1]],
  ]);
});

test('a row in which nothing was counted is a gap; a zero next to other values is not', () => {
  const rows = [
    { time: '2026-01-01T00:00:00Z', offered: 0, secondsFilled: 0, secondsSlate: 0 },
    { time: '2026-01-01T00:01:00Z', offered: 0, secondsFilled: 5, secondsSlate: 0 },
  ];
  const [breaks, seconds] = chartsByUnit(report(rows));
  expect([breaks!.lines[0]!.values, seconds!.lines[0]!.values]).toEqual([
    [null, 0],
    [null, 5],
  ]);
  expect(chartsByField(report(rows.map((row) => ({ ...row, key: 'a' }))))[0]!.lines[0]!.values).toEqual([null, 0]);
});

test('values between gaps are points', () => {
  expect(isolatedIndexes([1, null, 2, 3, null, 0])).toEqual([0, 5]);
  expect(isolatedIndexes([null, undefined])).toEqual([]);
});

test('reasons are ranked with their share, and compared; other reports have none', () => {
  const skips = {
    ...report([]),
    report: 'skips',
    fields: ['total', 'BREAK_FULL', 'NOT_LINEAR', 'CONDITIONAL'].map((name) => field(name, 'ads')),
    totals: { total: 10, BREAK_FULL: 2, NOT_LINEAR: 8, CONDITIONAL: 0 },
  };
  const ranking = rankedReasons(skips, { ...skips, totals: { NOT_LINEAR: 4 } })!;
  expect(ranking.reasons.map(({ label, count, share, before }) => [label, count, share, before])).toEqual([
    ['Not linear', 8, 0.8, 4],
    ['Break full', 2, 0.2, undefined],
  ]);
  expect(rankedReasons({ ...skips, totals: {} })!.reasons).toEqual([]);
  const requests = {
    ...skips,
    report: 'ad-requests',
    fields: ['sent', 'answered', 'errors'].map((name) => field(name, 'requests')),
  };
  expect(rankedReasons({ ...requests, totals: { sent: 4, answered: 3, errors: 1 } })!.reasons).toMatchObject([
    { share: 0.25 },
  ]);
  expect(rankedReasons(report([]))).toBeUndefined();
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

test('the highest groups come first, relative to the highest; those without a value have no bar', () => {
  const ofGroups = (values: readonly number[]) =>
    report(values.map((total, index) => ({ time: '', key: `creative ${index}`, total })));
  expect(rankedGroups(ofGroups([2, 8, 0, 4]), 'total')).toEqual([
    { key: 'creative 1', value: 8, share: 1 },
    { key: 'creative 3', value: 4, share: 0.5 },
    { key: 'creative 0', value: 2, share: 0.25 },
  ]);
  expect(rankRows(ofGroups([2, 8, 0]), 'total').map(({ key }) => key)).toEqual([
    'creative 1',
    'creative 0',
    'creative 2',
  ]);
  expect(rankedGroups(report([]), 'total')).toEqual([]);
  expect(rankedGroups(ofGroups(Array.from({ length: 300 }, (_, index) => index)), 'total')).toHaveLength(10);
});
