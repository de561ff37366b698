// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { CreativeState } from '../creative/creative.ts';
import { bumperProblem, bumpersOf } from './bumpers.ts';

const channel = { bumpers: { intro: 'https://c.test/in.mp4', outro: 'https://c.test/out.mp4' } };
const urlsOf = (...of: Parameters<typeof bumpersOf>) => bumpersOf(...of).map(({ place, url }) => [place, url]);

test('a break has the bumpers of its entry, even none, or else those of the channel', () => {
  const ofChannel = [
    ['intro', 'https://c.test/in.mp4'],
    ['outro', 'https://c.test/out.mp4'],
  ];
  expect(urlsOf(channel)).toEqual(ofChannel);
  expect(urlsOf(channel, { entryId: 'film', outro: 'https://e.test/out.mp4' })).toEqual([
    ['outro', 'https://e.test/out.mp4'],
  ]);
  expect(urlsOf(channel, { entryId: 'film' })).toEqual([]);
  expect(urlsOf({}, { entryId: 'film', intro: 'https://e.test/in.mp4' })).toHaveLength(1);
  expect(urlsOf({})).toEqual([]);
});

test('a bumper is named by its entry', () => {
  const [own] = bumpersOf(channel, { entryId: 'film', intro: 'https://e.test/in.mp4' });
  expect(own?.name).toEqual(naming('intro', 'film'));
});

test('a bumper that failed, is not ready or is too short cannot be shown', () => {
  const rate = { frameRate: { n: 25, d: 1 } };
  const ready = (frames: number): CreativeState => ({ state: 'ready', media: { id: 'm', frames, rungs: [] } });
  expect(bumperProblem(ready(100), rate)).toBeUndefined();
  for (const state of [
    ready(1),
    { state: 'preparing' } as const,
    { state: 'failed', fault: 'NOT_FOUND', reason: 'gone' } as const,
  ])
    expect(bumperProblem(state, rate)).toEqual(expect.any(String));
});
