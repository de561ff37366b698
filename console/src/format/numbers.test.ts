// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { formatBytes, formatChange, formatHeights, formatPercent, formatValue, plural } from './numbers.ts';

test('formats report values in their units', () => {
  expect([formatValue(0.1234, 'ratio'), formatValue(12.345, 'ms'), formatValue(12345.6, 'ads')]).toEqual([
    '12.3%',
    '12.3 ms',
    '12,346',
  ]);
});

test('formats bytes in the unit that fits', () => {
  expect([0, 999, 1500, 2.5e9].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 kB', '2.5 GB']);
});

test('formats ratios and changes as percentages', () => {
  expect([formatPercent(0.728), formatPercent(0.728, 1)]).toEqual(['73%', '72.8%']);
  expect([formatChange(112, 100), formatChange(97, 100), formatChange(1, 0)]).toEqual(['+12%', '−3%', undefined]);
});

test('uses the singular for one only', () => {
  expect([plural(0, 'ad'), plural(1, 'ad'), plural(1234, 'ad')]).toEqual(['0 ads', '1 ad', '1,234 ads']);
});

test('lists each height once, the tallest first', () => {
  expect(formatHeights([{ height: 216 }, { height: 360 }, {}, { height: 360 }])).toBe('360p, 216p');
});
