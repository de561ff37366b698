// SPDX-License-Identifier: Apache-2.0
// Twenty minutes of chaos with three hundred followers, two thirds of them with one node for each viewer, the rest with any
// node for each request (docs/decisions/016-test-tiers.md).
import { expect, test } from 'vitest';
import { faultsIn } from '../chaos/faultsIn.ts';
import { NODE_TROUBLES, REDIS_TROUBLES, runChaos, STORE_TROUBLES, WORKER_TROUBLES } from '../chaos/runChaos.ts';
import { writeChaosReport } from '../chaos/writeChaosReport.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

test.each([
  { stores: 'PostgreSQL and a Redis cluster', redis: true, minutes: 20 },
  { stores: 'PostgreSQL', redis: false, minutes: 10 },
])('no law is broken in $minutes minutes of chaos, with $stores', async ({ redis, minutes }) => {
  const seconds = 60 * number('CHAOS_MINUTES', minutes);
  const always = [...NODE_TROUBLES, ...WORKER_TROUBLES, 'pauseNodeForLong', 'pauseNodeForVeryLong'];
  const stores = [...STORE_TROUBLES, ...(redis ? REDIS_TROUBLES : [])];
  const report = await runChaos({
    seed: number('CHAOS_SEED', 33),
    followers: number('CHAOS_FOLLOWERS', 300),
    redis,
    phases: [
      { balance: 'session', seconds: (2 / 3) * seconds, troubles: [...always, ...stores] },
      { balance: 'roundRobin', seconds: seconds / 3, troubles: always },
    ],
    onEvent: console.log,
  });
  console.log(writeChaosReport(report));
  expect(faultsIn(report)).toEqual([]);
  expect(report.beacons.expected).toBeGreaterThan(1000);
});
