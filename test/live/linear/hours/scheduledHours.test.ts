// SPDX-License-Identifier: Apache-2.0
// Two hours of a schedule with all that happens in the 48 hours of scheduledHours.system.ts.
import { expect, test } from 'vitest';
import { lawSeeds } from '../../../lawRuns.ts';
import { MIX_OF_HOURS } from './plannedHours.ts';
import { runHours } from './runHours.ts';

test.each(lawSeeds(1))('starts, guide and as-run log are what viewers see, for two hours (seed %i)', async (seed) => {
  const { starts, guides } = await runHours(MIX_OF_HOURS, seed);
  expect(starts).toBeGreaterThanOrEqual(5);
  expect(guides).toBeGreaterThanOrEqual(8);
});
