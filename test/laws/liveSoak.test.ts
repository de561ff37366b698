// SPDX-License-Identifier: Apache-2.0
// A short form of test/long/liveSoak.long.ts: laws 1 to 8 on live channels in random trouble, with three nodes.
import { expect, test } from 'vitest';
import { runLiveSoak } from './soak/liveSoak.ts';

test.each([1, 2, 3])('no law is broken in twenty minutes of random trouble (%i)', async (seed) => {
  const { violations, watched, troubles } = await runLiveSoak({ seed, minutes: 20 });
  expect(violations).toEqual([]);
  expect(watched.segments).toBeGreaterThan(1000);
  expect(Object.keys(troubles).length).toBeGreaterThan(10);
});
