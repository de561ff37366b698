// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type ChannelRow, isFiltered, isMatching, noFilters, sortChannels } from './channelRows.ts';

const row = (id: string, rest: Partial<ChannelRow> = {}): ChannelRow => ({
  id,
  type: 'vod2live',
  state: 'enabled',
  viewers: 0,
  fillRate: undefined,
  ...rest,
});
const rows = [
  row('quiet'),
  row('sport', { name: 'Sport 1', labels: ['Sport', 'DE'], playlistId: 'loop', viewers: 9, fillRate: 0.4 }),
  row('off', { state: 'disabled', adSourceLabels: ['sport'], fillRate: 0.9 }),
  row('broken', { state: 'failed', stateReason: 'Its playlist is gone.' }),
  row('films', { type: 'vod', problems: [{ kind: 'state', text: 'Two titles are missing.' }], labels: ['Films'] }),
  row('soon', { preparation: { step: 'assets', assets: 2, assetsRead: 1, isOnAir: false } }),
];
const matching = (filters: Partial<typeof noFilters>) =>
  rows.filter((each) => isMatching(each, { ...noFilters, ...filters })).map(({ id }) => id);

test('filters by state, problem, type and playlist', () => {
  expect(matching({ state: 'on-air' })).toEqual(['quiet', 'sport', 'films']);
  expect(matching({ state: 'failed' })).toEqual(['broken']);
  expect(matching({ state: 'preparing' })).toEqual(['soon']);
  expect(matching({ state: 'disabled' })).toEqual(['off']);
  expect(matching({ problem: 'any' })).toEqual(['broken', 'films']);
  expect(matching({ problem: 'ad-server' })).toEqual([]);
  expect(matching({ type: 'vod' })).toEqual(['films']);
  expect(matching({ playlist: 'loop' })).toEqual(['sport']);
});

test('one of several labels matches, also of the ad source, whatever its case', () => {
  expect(matching({ label: 'SPORT' })).toEqual(['sport', 'off']);
  expect(matching({ label: 'films,de' })).toEqual(['sport', 'films']);
});

test('filters apply together, with a text in the name or the ID', () => {
  expect(matching({ q: ' SPORT 1 ' })).toEqual(['sport']);
  expect(matching({ q: 'o', state: 'disabled', label: 'sport' })).toEqual(['off']);
  expect([isFiltered(noFilters), isFiltered({ ...noFilters, label: 'x' })]).toEqual([false, true]);
});

test('sorts problems first, or by a field with those without a value last', () => {
  const ids = (sort: string) => sortChannels(rows, sort).map(({ id }) => id);
  expect(ids('').slice(0, 3)).toEqual(['broken', 'films', 'soon']);
  expect(ids('-viewers')[0]).toBe('sport');
  expect(ids('fill').slice(0, 2)).toEqual(['sport', 'off']);
  expect(ids('-fill').slice(0, 2)).toEqual(['off', 'sport']);
  expect(ids('unknown')).toEqual(rows.map(({ id }) => id));
});
