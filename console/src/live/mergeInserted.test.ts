// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { LiveBreak } from './liveTypes.ts';
import { breakId, breakKey, mergeInserted } from './mergeInserted.ts';

const one: LiveBreak = {
  id: 'f-1',
  origin: 'hls',
  startsAt: '2026-03-01T20:00:00.000Z',
  announcedAt: '2026-03-01T20:00:00.000Z',
  source: 'api',
  sourceId: 'half-time',
  kind: 'ads',
  raw: 'ads',
  line: 0,
  viewers: { decided: 3, withAds: 2 },
};

test('an inserted break on two timelines is one break with the viewers of both', () => {
  const other: LiveBreak = { ...one, id: 'f-2', origin: 'dash', viewers: { decided: 1, withAds: 1 } };
  const marked: LiveBreak = { ...one, source: 'EXT-X-CUE-OUT', sourceId: '4/5', id: 'f-3' };
  expect(mergeInserted([marked, one, { ...marked, origin: 'dash' }, other])).toMatchObject([
    { id: 'f-3', origin: 'hls' },
    { id: 'f-1', viewers: { decided: 4, withAds: 3 } },
    { id: 'f-3', origin: 'dash' },
  ]);
});

test('a break is named by the id that its operator or the timeline gave it', () => {
  expect(breakId(one)).toBe('half-time');
  expect(breakId({ ...one, source: 'EXT-X-DATERANGE', sourceId: 'a/b' })).toBe('f-1');
});

test('the key of an inserted break stays the same when it is placed on a timeline', () => {
  const announced = { source: 'api', sourceId: 'goal', id: 'goal' };
  expect(breakKey({ ...announced, id: '890000', origin: 'hls' })).toBe(breakKey(announced));
  const marked = { source: 'EXT-X-CUE-OUT', id: '1' };
  expect(breakKey({ ...marked, origin: 'hls' })).not.toBe(breakKey({ ...marked, origin: 'dash' }));
});
