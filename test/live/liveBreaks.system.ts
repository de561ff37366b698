// SPDX-License-Identifier: Apache-2.0
// Many live channels of one Midroll at the same time, on a virtual clock.
import { test } from 'vitest';
import { fileStage } from './fileStage.ts';
import { liveBreakCases } from './scenarios/liveBreakCases.ts';
import { playLiveBreaks } from './scenarios/liveBreaks.ts';

const stage = await fileStage();

test.concurrent.each(liveBreakCases)('$name', async (one) => {
  await playLiveBreaks(stage, one);
});
