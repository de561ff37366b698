// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { expectAlikeFor } from '../../../../test/fastPath/expectAlike.ts';
import { lawSeeds } from '../../../../test/lawRuns.ts';

/** Of one seed. Fewer than this may lack some kind of request. */
const CONNECTIONS = 1000;

test.each(lawSeeds(2))('random requests are answered as by node:http (seed %i)', async (seed) => {
  await expectAlikeFor(seed, CONNECTIONS);
});
