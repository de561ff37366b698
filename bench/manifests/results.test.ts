// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { resultOf } from './results.ts';
import type { Figures } from './sides.ts';
import { tableHead, tableLine } from './table.ts';

const figures = (perSecond: number, micros: number, p99: number, memory?: readonly [number, number]): Figures => ({
  ...{ requests: perSecond, perSecond, p50: p99 / 2, p99, bytesPerAnswer: 3000.4, busy: 0.4 },
  microsPerRequest: micros,
  ...(memory && { bytesPerSession: memory }),
});

const pairs = [
  { own: figures(20_000, 40, 6, [1000, 2000]), reference: figures(40_000, 20, 3) },
  { own: figures(30_000, 30, 5, [1010, 2100]), reference: figures(40_000, 24, 4) },
  { own: figures(10_000, 80, 9, [1020, 2200]), reference: figures(20_000, 20, 2) },
];
const row = { id: 'hls-1', title: 'HLS' };

test('ratios are taken in each round; more is better for throughput and processor time', () => {
  const result = resultOf(row, pairs);
  expect(result.rate).toEqual({ median: 0.5, least: 0.5, most: 0.75 });
  expect(result.cpu).toEqual({ median: 0.5, least: 0.25, most: 0.8 });
  expect(result.p99).toEqual({ median: 2, least: 1.25, most: 4.5 });
  expect(result).toMatchObject({ perSecond: 20_000, micros: 40, referenceMicros: 20, bytes: 3000 });
});

test('memory is that of the rounds in which it was weighed', () => {
  expect(resultOf(row, pairs).bytesPerSession).toEqual([1010, 2100]);
  expect(resultOf(row, [pairs[0]!, { own: figures(1, 1, 1), reference: figures(1, 1, 1) }]).bytesPerSession).toEqual([
    1000, 2000,
  ]);
  expect(resultOf(row, [{ own: figures(1, 1, 1), reference: figures(1, 1, 1) }]).bytesPerSession).toBeUndefined();
});

test('columns of the table end below their heads', () => {
  const line = tableLine(resultOf(row, pairs));
  expect(line).toHaveLength(tableHead().length);
  expect(line).toContain(' 0.50 (0.25–0.80) ');
  expect(line.startsWith('hls-1 ')).toBe(true);
});
