// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type ComboboxState, closed, comboboxKey } from './comboboxKeys.ts';

const open = (active?: number): ComboboxState => ({ isOpen: true, active });
const press = (key: string, state: ComboboxState, { count = 3, text = '', altKey = false } = {}) =>
  comboboxKey({ key, altKey }, state, count, text);

test('arrows open the list and go round in it', () => {
  expect(press('ArrowDown', closed)).toEqual({ kind: 'show', state: open(0) });
  expect(press('ArrowDown', closed, { altKey: true })).toEqual({ kind: 'show', state: open() });
  expect(press('ArrowUp', closed)).toEqual({ kind: 'show', state: open(2) });
  expect(press('ArrowDown', open(2))).toEqual({ kind: 'show', state: open(0) });
  expect(press('ArrowUp', open(0))).toEqual({ kind: 'show', state: open(2) });
  expect(press('ArrowDown', open(), { count: 0 })).toBeUndefined();
});

test('Enter picks the active option, else takes what was typed, else is that of the form', () => {
  expect(press('Enter', open(1))).toEqual({ kind: 'pick', index: 1 });
  expect(press('Enter', open(), { text: 'sport' })).toEqual({ kind: 'take' });
  // Fewer options have arrived meanwhile.
  expect(press('Enter', open(2), { count: 1, text: 'x' })).toEqual({ kind: 'take' });
  expect(press('Enter', closed)).toBeUndefined();
});

test('Escape closes the list first, then what is around it', () => {
  expect(press('Escape', open(1))).toEqual({ kind: 'revert' });
  expect(press('Escape', closed)).toBeUndefined();
  expect(press('a', open())).toBeUndefined();
});
