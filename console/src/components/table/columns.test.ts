// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { ariaSort, chooseColumn, isShown, nextSort, sortRows } from './columns.ts';

const name = { id: 'name', shown: 'always' } as const;
const viewers = { id: 'viewers' };
const labels = { id: 'labels', shown: 'chosen' } as const;
const shown = (choices: string) => [name, viewers, labels].filter((each) => isShown(each, choices)).map(({ id }) => id);

test('columns have their defaults until they are chosen, and the name is always shown', () => {
  expect(shown('')).toEqual(['name', 'viewers']);
  expect(shown('+labels -viewers -name')).toEqual(['name', 'labels']);
});

test('only choices that differ from the defaults are stored', () => {
  expect(chooseColumn(viewers, '', false)).toBe('-viewers');
  expect(chooseColumn(viewers, '-viewers', true)).toBe('');
  expect(chooseColumn(labels, '-viewers', true)).toBe('-viewers +labels');
  expect(chooseColumn(labels, '-viewers +labels', false)).toBe('-viewers');
});

test('a click on a header sorts, a second one sorts in the opposite order', () => {
  expect(nextSort('', '-viewers')).toBe('-viewers');
  expect(nextSort('-viewers', '-viewers')).toBe('viewers');
  expect(nextSort('viewers', '-viewers')).toBe('-viewers');
  expect(ariaSort('-viewers', '-viewers')).toBe('descending');
  expect(ariaSort('viewers', '-viewers')).toBe('ascending');
  expect(ariaSort('name', '-viewers')).toBeUndefined();
  expect(ariaSort('', undefined)).toBeUndefined();
});

test('sorts numbers as numbers, and rows without a value last in both orders', () => {
  const rows = [{ fill: 9 }, {}, { fill: 10 }] as readonly { fill?: number }[];
  const fills = (sort: string) => sortRows(rows, sort, (row) => row.fill).map(({ fill }) => fill);
  expect(fills('fill')).toEqual([9, 10, undefined]);
  expect(fills('-fill')).toEqual([10, 9, undefined]);
  expect(sortRows(['Sport 10', 'Sport 9'], 'name', (row) => row)).toEqual(['Sport 9', 'Sport 10']);
  expect(sortRows(rows, '', () => 0)).toBe(rows);
});
