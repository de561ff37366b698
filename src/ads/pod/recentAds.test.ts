// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { seenBefore, seenSince } from './recentAds.ts';

const shown = (startsAt: number, before: string | undefined, ...mediaIds: string[]) => ({
  startsAt,
  ads: mediaIds.map((mediaId) => ({ mediaId })),
  ...(before === undefined ? {} : { before }),
});

test('each decision continues the list of the one before', () => {
  expect(seenBefore([], 100)).toBe('');
  const first = shown(10, undefined, 'aaaaaaaa-1', 'bbbbbbbb-1');
  expect(seenBefore([first], 100)).toBe('bbbbbbbb aaaaaaaa');
  const second = shown(20, 'bbbbbbbb aaaaaaaa', 'cccccccc-1', 'bbbbbbbb-1');
  expect(seenBefore([second, first], 100)).toBe('bbbbbbbb cccccccc aaaaaaaa');
  expect(seenBefore([second, first], 20)).toBe('bbbbbbbb aaaaaaaa');
  expect(seenSince('bbbbbbbb cccccccc', 'cccccccc-1')).toBe(1);
  expect(seenSince('bbbbbbbb cccccccc', 'bbbbbbbb-1')).toBe(0);
  expect(seenSince('bbbbbbbb cccccccc', 'aaaaaaaa-1')).toBeUndefined();
  expect(seenSince('', '')).toBeUndefined();
});

test('a break without ads keeps the list, and the list has a limit', () => {
  expect(seenBefore([shown(20, 'aaaaaaaa')], 30)).toBe('aaaaaaaa');
  let before = '';
  for (let at = 0; at < 50; at += 1) before = seenBefore([shown(at, before, `${10_000_000 + at}`)], at + 1);
  expect(before.split(' ')).toHaveLength(12);
  expect(before.startsWith('10000049 10000048')).toBe(true);
});
