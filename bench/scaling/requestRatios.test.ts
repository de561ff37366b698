// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import type { Phases } from './measureInstallations.ts';
import { requestCosts } from './requestRatios.ts';

const window = (cpuMs: number, manifests: number): Figures => ({
  ...{ at: 1000, cpuMs },
  postgres: { walBytes: 0, cpuMs: 0, tables: {} },
  ads: { requests: 0, bytes: 0, beacons: 0, distinctBeacons: 0, repeated: 0 },
  players: { opened: 0, manifests, manifestBytes: 0, adSegments: 0, failed: 0 },
});
const installation = (name: string, idle: number, used: readonly number[]) =>
  ({ shape: { name }, idle: window(idle, 0), polling: used.map((cpuMs) => window(cpuMs, 100)) }) as unknown as Phases;

test('a manifest is compared within the same window, without the work of idle nodes', () => {
  const one = installation('one', 10, [110, 210, 60]);
  const two = installation('two', 20, [140, 260, 70]);
  const [own, other] = requestCosts(one, [one, two]);
  expect(own).toMatchObject({ name: 'one', nodeMs: 1, grossMs: 1.1, ratio: [1, 1, 1] });
  expect(other).toMatchObject({ nodeMs: 1.2, grossMs: 1.4, ratio: [1.2, 1, 1.2] });
});
