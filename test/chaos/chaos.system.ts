// SPDX-License-Identifier: Apache-2.0
// Two minutes of chaos with thirty followers: first with one node for each viewer, then with any node for each request.
// `CHAOS_SEED=7 CHAOS_LOG=1 npx vitest run test/chaos` repeats what failed with a seed, as far as real time allows.
import { expect, test } from 'vitest';
import { faultsIn } from './faultsIn.ts';
import { NODE_TROUBLES, REDIS_TROUBLES, runChaos, STORE_TROUBLES, WORKER_TROUBLES } from './runChaos.ts';
import { writeChaosReport } from './writeChaosReport.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

test('no law is broken while nodes, workers and stores are killed, suspended and exchanged', async () => {
  const seconds = number('CHAOS_SECONDS', 120);
  const redis = process.env.CHAOS_REDIS !== '0';
  const stores = [...STORE_TROUBLES, ...(redis ? REDIS_TROUBLES : [])];
  const report = await runChaos({
    seed: number('CHAOS_SEED', 1),
    followers: number('CHAOS_FOLLOWERS', 30),
    redis,
    phases: [
      {
        ...{ balance: 'session', seconds: (2 / 3) * seconds },
        troubles: [...stores, ...NODE_TROUBLES, ...WORKER_TROUBLES, 'pauseNodeForLong'],
      },
      { balance: 'roundRobin', seconds: seconds / 3, troubles: NODE_TROUBLES },
    ],
    ...(process.env.CHAOS_LOG === '1' ? { onEvent: console.log } : {}),
  });
  console.log(writeChaosReport(report));
  expect(faultsIn(report)).toEqual([]);
  expect(report.beacons.expected).toBeGreaterThan(100);
});
