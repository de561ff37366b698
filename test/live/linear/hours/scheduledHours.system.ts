// SPDX-License-Identifier: Apache-2.0
// 48 hours of a schedule on air: 200 entries, 12 live programmes, 40 edits and three restarts.
import { expect, test } from 'vitest';
import { lawSeeds } from '../../../lawRuns.ts';
import { MIX_OF_DAYS } from './plannedHours.ts';
import { runHours } from './runHours.ts';

const HOURS_MS = 2 * 3_600_000;

test.each(lawSeeds(1))(
  'starts, guide and as-run log are what viewers see, for 48 hours (seed %i)',
  async (seed) => {
    const { starts, guides, ...counts } = await runHours(MIX_OF_DAYS, seed);
    console.log(JSON.stringify({ seed, starts, guides, ...counts }));
    expect(starts).toBeGreaterThan(80);
    expect(guides).toBeGreaterThan(150);
  },
  HOURS_MS,
);
