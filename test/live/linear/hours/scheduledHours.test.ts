// SPDX-License-Identifier: Apache-2.0
// Two hours of a schedule with all that happens in the 48 hours of scheduledHours.system.ts.
import { expect, test } from 'vitest';
import { MIX_OF_HOURS } from './plannedHours.ts';
import { runHours } from './runHours.ts';

/** Scheduled hours of random seeds are tests of the whole system. */
const SEED = 580878091;

test('starts, guide and as-run log are what viewers see, for two hours', async () => {
  const { starts, guides } = await runHours(MIX_OF_HOURS, SEED);
  expect(starts).toBeGreaterThanOrEqual(5);
  expect(guides).toBeGreaterThanOrEqual(8);
});
