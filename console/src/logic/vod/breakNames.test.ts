// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { adProgress, breakFacts, breakName, describePosition, kindAt } from './breakNames.ts';

const ad = (id: string, duration: number) => ({ id, duration });
const two = { duration: 30, ads: [ad('a', 10), ad('b', 20)] };

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
  expect([0, 9.9, 10, 29.5].map((offset) => adProgress(two, offset))).toEqual([
    ...['Ad 1 of 2 · 0:30', 'Ad 1 of 2 · 0:20', 'Ad 2 of 2 · 0:20', 'Ad 2 of 2 · 0:01'],
  ]);
  expect(adProgress({ ...two, duration: 38 }, 12, 5)).toBe('Ad 1 of 2 · 0:26');
  expect(adProgress({ ...two, duration: 38 }, 37, 5)).toBe('Ad 2 of 2 · 0:01');
  expect(adProgress({ duration: 12, ads: [] }, 2)).toMatch(/0:10$/);
});

test('a break without ads shows the content that they would replace', () => {
  expect([breakFacts(two), breakFacts({ duration: 20, ads: [] })]).toEqual(['2 ads, 30 s', 'No ads, 20 s']);
});
