// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { expectAlikeFor } from '../../../../test/fastPath/expectAlike.ts';
import { lawSeeds } from '../../../../test/lawRuns.ts';

const CONNECTIONS = 10_000;

test.each(lawSeeds(10))('random requests are answered as by node:http (seed %i)', async (seed) => {
  await expectAlikeFor(seed, CONNECTIONS);
});
