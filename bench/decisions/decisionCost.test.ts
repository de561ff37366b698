// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { decisionCost, type LoopReport } from './decisionCost.ts';

const report = (at: number, cpuMs: number, servingMs: number): LoopReport => ({
  ...{ at, cpuMs, servingMs, longest: at / 1000, long: at / 10_000 },
});

test('a decision costs what is used beyond the polls of the same time', () => {
  const deciding = { from: report(10_000, 1000, 500), to: report(30_000, 7000, 2500) };
  const quiet = { from: report(31_000, 7100, 2600), to: report(36_000, 7600, 2800) };
  expect(decisionCost(deciding, quiet, 1000)).toEqual({
    ...{ decisions: 1000, ms: 4, servingMs: 1.2 },
    ...{ longest: 30, long: 3 },
  });
});
