// SPDX-License-Identifier: Apache-2.0
// The first minutes of test/long/liveSoak.long.ts: viewers whose requests go to any node, then outages of the database.
import { expect, test } from 'vitest';
import { runLiveSoak } from './liveSoak.ts';

test('no law is broken in minutes of random trouble', async () => {
  const { violations, watched, troubles, nodes } = await runLiveSoak({ seed: 11, minutes: 14 });
  expect(violations).toEqual([]);
  expect(watched.segments).toBeGreaterThan(1000);
  expect(Object.keys(troubles).length).toBeGreaterThan(10);
  expect(Object.keys(nodes)).toEqual(
    expect.arrayContaining(['killed', 'suspended', expect.stringMatching(/^database/)]),
  );
});
