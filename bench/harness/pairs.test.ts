// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { measureInTurn, ratiosOf, spreadOf } from './pairs.ts';

test('the median of an even count is between the two in the middle', () => {
  expect(spreadOf([4, 1, 10, 2])).toEqual({ median: 3, least: 1, most: 10 });
  expect(spreadOf([5, 1, 3])).toEqual({ median: 3, least: 1, most: 5 });
});

test('ratios are those of values of the same round', () => {
  const pairs = [
    { own: 10, reference: 20 },
    { own: 100, reference: 100 },
    { own: 9, reference: 12 },
  ];
  expect(ratiosOf(pairs, ({ own, reference }) => own / reference)).toEqual({ median: 0.75, least: 0.5, most: 1 });
});

test('the order within a round alternates, and the first measurement is that of the server', async () => {
  const order: string[] = [];
  const measure = (name: string) => async () => {
    order.push(name);
    return order.length;
  };
  const pairs = await measureInTurn(3, measure('own'), measure('reference'));
  expect(order).toEqual(['own', 'reference', 'reference', 'own', 'own', 'reference']);
  expect(pairs).toEqual([
    { own: 1, reference: 2 },
    { own: 4, reference: 3 },
    { own: 5, reference: 6 },
  ]);
});
