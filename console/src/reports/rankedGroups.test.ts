// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { rankedGroups, rankRows } from './rankedGroups.ts';

const report = (values: readonly number[]): ReportResponse => ({
  system: 's',
  report: 'skips',
  start: '',
  end: '',
  interval: 1,
  fields: [],
  totals: {},
  rows: values.map((total, index) => ({ time: '', key: `creative ${index}`, total })),
});

test('the highest come first, relative to the highest; those without a value have no bar', () => {
  expect(rankedGroups(report([2, 8, 0, 4]), 'total')).toEqual([
    { key: 'creative 1', value: 8, share: 1 },
    { key: 'creative 3', value: 4, share: 0.5 },
    { key: 'creative 0', value: 2, share: 0.25 },
  ]);
  expect(rankRows(report([2, 8, 0]), 'total').map(({ key }) => key)).toEqual([
    'creative 1',
    'creative 0',
    'creative 2',
  ]);
  expect(rankedGroups(report([]), 'total')).toEqual([]);
  expect(rankedGroups(report(Array.from({ length: 300 }, (_, index) => index)), 'total')).toHaveLength(10);
});
