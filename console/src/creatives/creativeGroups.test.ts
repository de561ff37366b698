// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { creativeName, groupCreatives, leadOf } from './creativeGroups.ts';

const asset = (id: string, more: Partial<AssetResponse> = {}): AssetResponse => ({
  id,
  kind: 'creative',
  state: 'ready',
  attempts: 1,
  channels: ['one'],
  createdAt: '2026-03-01T00:00:00.000Z',
  source: 'https://ads.test/tea.mp4',
  ...more,
});

test('the assets of the ladders of a creative are one group, whichever files they are made from', () => {
  const named = { adId: 'ad', creativeId: 'tea' };
  const groups = groupCreatives([
    asset('a'),
    asset('b', { ...named, source: 'https://ads.test/tea-720.mp4' }),
    asset('c', { source: 'https://ads.test/coffee.mp4' }),
    asset('d', { ...named, source: 'https://ads.test/tea-1080.mp4', state: 'failing' }),
    asset('e'),
    asset('f', { ...named, adId: 'other' }),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id).join(''))).toEqual(['ae', 'bd', 'c', 'f']);
  expect(groups.map((group) => leadOf(group).id)).toEqual(['a', 'd', 'c', 'f']);
});

test('built-in slate is one group, and apart from creatives', () => {
  const { source: _, ...unnamed } = asset('a');
  const slate = { ...unnamed, kind: 'slate' } as const;
  expect(groupCreatives([slate, { ...slate, id: 'b' }, { ...unnamed, id: 'c' }]).length).toBe(2);
});

test('is called as its ad is, else by its file', () => {
  expect(creativeName(asset('a', { title: 'Tea 30 s' }))).toBe('Tea 30 s');
  expect(creativeName(asset('a'))).toBe('tea');
});
