// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hasLabel, labelsIn, matchingLabels, withLabel, withoutLabel } from './labelRules.ts';

test('labels are compared without regard to case and kept as written', () => {
  expect(withLabel(['Sport'], ' sport ')).toEqual(['Sport']);
  expect(withLabel(['Sport'], ' News ')).toEqual(['Sport', 'News']);
  expect(withoutLabel(['Sport', 'News'], 'SPORT')).toEqual(['News']);
  expect(hasLabel([], 'x')).toBe(false);
});

test('offers labels in use that match and were not chosen, the most used first', () => {
  const inUse = [
    { label: 'News', count: 2 },
    { label: 'news/local', count: 9 },
    { label: 'Sport', count: 30 },
  ];
  expect(matchingLabels(inUse, 'NEWS', []).map(({ label }) => label)).toEqual(['news/local', 'News']);
  expect(matchingLabels(inUse, '', ['sport']).map(({ label }) => label)).toEqual(['news/local', 'News']);
});

test('reads the labels of an address', () => {
  expect(labelsIn('')).toEqual([]);
  expect(labelsIn('Sport,news/local')).toEqual(['Sport', 'news/local']);
});
