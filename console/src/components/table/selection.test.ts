// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { extendTo, focusRow, nothing, type Selection, selectAll, tableKey, toggleRow } from './selection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: Selection) => order.filter((id) => selection.ids.has(id)).join('');

test('a range replaces the previous range from the same row and keeps what was selected before', () => {
  const first = toggleRow(nothing, 'a');
  const anchored = toggleRow(first, 'c');
  expect(ids(anchored)).toBe('ac');
  const down = extendTo(anchored, order, 'e');
  expect(ids(down)).toBe('acde');
  expect(ids(extendTo(down, order, 'd'))).toBe('acd');
  expect(ids(extendTo(down, order, 'b'))).toBe('abc');
});

test('a range starts at the row that had the focus, also if that is not selected', () => {
  expect(ids(extendTo(focusRow(nothing, 'b'), order, 'c'))).toBe('bc');
  expect(ids(extendTo(focusRow(toggleRow(nothing, 'e'), 'a'), order, 'b'))).toBe('abe');
});

test('without a row to start at, or with one that is no longer listed, only the row itself is selected', () => {
  expect(ids(extendTo(nothing, order, 'd'))).toBe('d');
  expect(ids(extendTo(toggleRow(nothing, 'gone'), order, 'd'))).toBe('d');
});

test('a row is selected and unselected; all are selected at once', () => {
  expect(ids(toggleRow(toggleRow(nothing, 'a'), 'a'))).toBe('');
  expect(ids(selectAll(order))).toBe('abcde');
  expect(ids(toggleRow(selectAll(order), 'c'))).toBe('abde');
});

const press = (key: string, held: { shiftKey?: true; ctrlKey?: true; metaKey?: true } = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...held,
});

test('arrows move within the table, and extend the selection with Shift', () => {
  expect(tableKey(press('ArrowDown'), 0, 3)).toEqual({ kind: 'move', to: 1, isExtending: false });
  expect(tableKey(press('ArrowDown', { shiftKey: true }), 2, 3)).toEqual({ kind: 'move', to: 2, isExtending: true });
  expect(tableKey(press('ArrowUp'), 0, 3)).toMatchObject({ to: 0 });
  expect(tableKey(press('End'), 0, 3)).toMatchObject({ to: 2 });
});

test('Ctrl+A and ⌘A select all and Escape none; other keys are those of the browser', () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }] as const)
    expect(tableKey(press('a', held), 0, 3)).toEqual({ kind: 'all' });
  expect(tableKey(press('Escape'), 0, 3)).toEqual({ kind: 'none' });
  for (const other of [press(' '), press('a'), press('Tab'), press('ArrowDown', { ctrlKey: true })])
    expect(tableKey(other, 0, 3)).toBeUndefined();
});
