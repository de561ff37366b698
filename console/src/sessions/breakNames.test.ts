// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { breakIdAt } from '../../../src/vod/breakPlan.ts';
import {
  adProgress,
  breakFacts,
  breakName,
  describePosition,
  isVmapRecord,
  kindAt,
  vodBreakName,
} from './breakNames.ts';

const ad = (id: string, streamTime: number, duration: number) => ({ id, streamTime, duration });
const two = { streamTime: 100, duration: 30, ads: [ad('a', 100, 10), ad('b', 110, 20)] };

test('names a break after its place in the content', () => {
  expect([0, 600, 1200].map((contentTime) => breakName({ contentTime, kind: kindAt(contentTime, 1200) }))).toEqual([
    ...['Pre-roll', 'At 10:00', 'Post-roll'],
  ]);
});

test('states by how much a break was moved, and what it replaces', () => {
  const position = { kind: 'mid', requested: 598.5, contentTime: 600, movedBy: 1.5, origin: 'marker' } as const;
  expect(describePosition(position)).toMatch(/1\.5 s later$/);
  expect(describePosition({ ...position, movedBy: -2, replaced: 20 })).toMatch(/\b2 s earlier.*\b20 s\b/);
  expect(describePosition({ ...position, movedBy: 0.01 })).not.toMatch(/\d/);
});

test('names the ad that plays, and the rest of the break', () => {
  expect([100, 109.9, 110, 129.5].map((position) => adProgress(two, position))).toEqual([
    ...['Ad 1 of 2 · 0:30', 'Ad 1 of 2 · 0:20', 'Ad 2 of 2 · 0:20', 'Ad 2 of 2 · 0:01'],
  ]);
  // An intro is before the first ad.
  expect(adProgress({ ...two, streamTime: 95, duration: 35 }, 97)).toBe('Ad 1 of 2 · 0:33');
  expect(adProgress({ streamTime: 0, duration: 12, ads: [] }, 2)).toMatch(/0:10$/);
});

test('a break without ads shows the content that they would replace', () => {
  expect([breakFacts(two), breakFacts({ duration: 20, ads: [] })]).toEqual(['2 ads, 30 s', 'No ads, 20 s']);
});

test('records without a position are dropped breaks and the VMAP that named the breaks', () => {
  const position = { kind: 'post', requested: 60, contentTime: 60, movedBy: 0, origin: 'vmap' } as const;
  expect([{ id: '0-1', position }, { id: '0-2' }, { id: '0-0' }].map(vodBreakName)).toEqual([
    ...['Post-roll', 'Dropped', 'VMAP'],
  ]);
  expect(isVmapRecord({ id: breakIdAt(0) })).toBe(true);
  expect(isVmapRecord({ id: breakIdAt(0), position })).toBe(false);
});
