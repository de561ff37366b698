// SPDX-License-Identifier: Apache-2.0
// Twenty minutes of chaos with three hundred followers and one node for each viewer, then ten minutes with any node for each
// request (docs/decisions/033-chaos-test.md).
import { expect, test } from 'vitest';
import { faultsIn } from '../chaos/faultsIn.ts';
import { NODE_TROUBLES, REDIS_TROUBLES, runChaos, STORE_TROUBLES, WORKER_TROUBLES } from '../chaos/runChaos.ts';
import { writeChaosReport } from '../chaos/writeChaosReport.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

test.each([false, true])('no law is broken while everything fails in turn; sessions in Redis: %s', async (redis) => {
  const always = [...NODE_TROUBLES, ...WORKER_TROUBLES, 'pauseNodeForLong', 'pauseNodeForVeryLong'];
  const minutes = number('CHAOS_MINUTES', 20);
  const report = await runChaos({
    seed: number('CHAOS_SEED', 33),
    followers: number('CHAOS_FOLLOWERS', 300),
    redis,
    phases: [
      {
        ...{ balance: 'session', seconds: 60 * minutes },
        troubles: [...always, ...STORE_TROUBLES, ...(redis ? REDIS_TROUBLES : [])],
      },
      { balance: 'roundRobin', seconds: 30 * minutes, troubles: always },
    ],
    onEvent: console.log,
  });
  console.log(writeChaosReport(report));
  expect(faultsIn(report)).toEqual([]);
  expect(report.beacons.expected).toBeGreaterThan(1000);
});
