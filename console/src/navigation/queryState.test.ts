// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { changeQuery, readQuery } from './queryState.ts';

const defaults = { view: 'day', date: '', page: '1' };

test('values that the address does not contain have their defaults', () => {
  expect(readQuery('', defaults)).toEqual(defaults);
  expect(readQuery('date=2026-03-01&view=week&other=x', defaults)).toEqual({
    view: 'week',
    date: '2026-03-01',
    page: '1',
  });
  expect(readQuery('view=', defaults).view).toBe('');
});

test('a change keeps other parameters and leaves out defaults', () => {
  expect(changeQuery('tab=schedule&view=week', defaults, { view: 'day', date: 'a&b' })).toBe('tab=schedule&date=a%26b');
  expect(changeQuery('page=3', defaults, { page: '1' })).toBe('');
  expect(changeQuery('page=3', defaults, {})).toBe('page=3');
});

test('what is written is read again, whatever it contains', () => {
  for (const date of ['a b', 'ä?#%', '&=+', ' '])
    expect(readQuery(changeQuery('', defaults, { date }), defaults).date).toBe(date);
});
