// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { collectGarbage } from '../../test/collectGarbage.ts';
import { weakValueCache } from './weakValueCache.ts';

test('shares a value while it is in use, and makes a new one after it was collected', async () => {
  const share = weakValueCache<number, { made: number }>();
  let made = 0;
  const make = () => {
    made += 1;
    return { made };
  };
  const used = share(0, make);
  for (let key = 1; key < 1000; key += 1) share(key, make);
  await new Promise((resolve) => setTimeout(resolve, 1));
  collectGarbage();
  expect(share.size()).toBe(1000);
  expect(share(0, make)).toBe(used);
  expect(made).toBe(1000);
  expect(share(1, make).made).toBe(1001);
});
